//! What a call gains over a pass: a weighted sum of a few terms, fitted to the scores of completed auctions.

use coinche_engine::RuleSet;

use super::turn::Prospect;
use crate::families::{FAMILIES, family};

/// The number of terms of a gain.
pub const TERMS: usize = 29;
/// The terms of one call.
pub type Terms = [f32; TERMS];
/// How many sets of weights there are: the contexts, by `family`.
pub const CONTEXTS: usize = FAMILIES * CallContext::COUNT;

/// What kind of call it is, for its gain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallContext {
    /// A bid where nobody has bid.
    Open,
    /// A bid over one of the own side.
    Raise,
    /// A bid over one of the other side.
    Overcall,
    /// A capot or a générale.
    Slam,
    /// A coinche.
    Coinche,
    /// A surcoinche.
    Surcoinche,
    /// To take in the first round of the turn-up game.
    Take,
    /// To name a suit in its second round.
    TakeIn,
    /// A pass: it gains nothing, since gains are over it.
    Pass,
    /// A pass in the turn-up game.
    Leave,
}

impl CallContext {
    /// How many there are.
    pub const COUNT: usize = 10;

    /// All of them, in order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Open,
        Self::Raise,
        Self::Overcall,
        Self::Slam,
        Self::Coinche,
        Self::Surcoinche,
        Self::Take,
        Self::TakeIn,
        Self::Pass,
        Self::Leave,
    ];

    /// Whether it is a pass.
    pub const fn is_pass(self) -> bool {
        matches!(self, Self::Pass | Self::Leave)
    }

    /// Whether it is a coinche or a surcoinche.
    pub const fn is_double(self) -> bool {
        matches!(self, Self::Coinche | Self::Surcoinche)
    }

    /// Whether it names a contract.
    pub const fn is_bid(self) -> bool {
        !self.is_pass() && !self.is_double()
    }

    /// Returns the context that a number of weights belongs to.
    pub const fn of_weights(weights: usize) -> Self {
        Self::ALL[weights % Self::COUNT]
    }

    /// Returns the number of the weights under a rule set.
    pub fn weights(self, rules: &RuleSet) -> usize {
        self as usize + Self::COUNT * family(rules)
    }
}

/// What the gains of all calls of one turn have in common.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Common {
    /// What the standing contract is expected to score for the own side, in hundreds of points.
    pub(super) standing: f32,
    /// The chance that the standing contract is made.
    pub(super) standing_chance: f32,
    /// Whether it is the own side's.
    pub(super) ours: f32,
    /// Whether it is coinched.
    pub(super) doubled: f32,
    /// Whether a pass would end the auction.
    pub(super) last: f32,
    /// Whether the partner spoke and did not bid.
    pub(super) partner_passed: f32,
    /// How many opponents spoke and did not bid.
    pub(super) others_passed: f32,
    /// Aces and tens, in tens of points.
    pub(super) help: f32,
    /// The best and the second best of what bids would score in different strains, in hundreds.
    pub(super) best: [f32; 2],
    /// The best strain, to leave it out of the alternatives to itself.
    pub(super) best_strain: usize,
}

/// The terms of a bid or a take.
pub(super) fn of_bid(common: &Common, bid: &Prospect) -> Terms {
    let (play, chance) = (bid.score / 100.0, bid.chance);
    let other = common.best[usize::from(bid.strain.index() == common.best_strain)];
    let (jump, margin) = (bid.jump.min(6.0), (bid.mean - bid.needs).clamp(-60.0, 60.0) / 10.0);
    [
        1.0,
        play,
        chance,
        chance * chance,
        common.standing,
        jump,
        jump * jump,
        bid.needs.min(200.0) / 100.0,
        (bid.mean - 100.0) / 10.0,
        bid.of_partner,
        bid.repeated,
        common.partner_passed,
        common.others_passed,
        common.last,
        common.last * play,
        common.last * common.standing,
        bid.no_trump,
        bid.all_trump,
        common.help,
        other,
        jump * margin,
        margin,
        margin * margin,
        play.min(0.0),
        common.standing * common.standing_chance,
        bid.against,
        bid.highest,
        bid.highest * play,
        bid.highest * common.standing,
    ]
}

/// The terms of a coinche or a surcoinche: `gain` is what it adds to the expected score of the standing
/// contract, in hundreds.
pub(super) fn of_double(common: &Common, gain: f32, level: f32) -> Terms {
    let failed = 1.0 - common.standing_chance;
    first_terms([
        1.0,
        gain,
        failed,
        failed * failed,
        common.standing,
        gain.max(0.0),
        level,
        common.last,
        common.help,
        common.best[0],
        common.partner_passed,
        gain * common.last,
        (level - 1.4).max(0.0),
        failed * level,
    ])
}

/// These terms first, and no others.
fn first_terms<const N: usize>(some: [f32; N]) -> Terms {
    let mut terms = [0.0; TERMS];
    terms[..N].copy_from_slice(&some);
    terms
}

/// The terms of a pass.
pub(super) fn of_pass(common: &Common) -> Terms {
    first_terms([
        1.0,
        common.standing,
        common.standing_chance,
        common.last,
        common.last * common.standing,
        common.partner_passed,
        common.others_passed,
        common.help,
        common.best[0],
        common.best[1],
        common.last * common.best[0],
        common.partner_passed * common.best[0],
        common.others_passed * common.best[0],
        common.last * common.standing_chance,
        common.ours,
        common.ours * common.standing_chance,
        common.ours * common.standing,
        common.doubled,
        common.doubled * common.standing_chance,
        common.doubled * common.standing,
    ])
}

/// The weighted sum.
pub(super) fn weigh(weights: &Terms, terms: &Terms) -> f32 {
    // In points; one order of summation, so that the same hand always has the same gain.
    weights.iter().zip(terms).fold(0.0, |sum, (weight, term)| sum + weight * term)
}
