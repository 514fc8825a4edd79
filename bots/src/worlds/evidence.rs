//! What another seat did, compared with what a bot would have done with a hand.

use coinche_engine::{BidValue, Call, Card, CardSet, DealState, PlayState, RuleSet, Team};

/// A decision of another seat, compared with what a bot would have done with the hand of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// A call.
    Call(CallMatch),
    /// A call of a seat whose system is known.
    Agreed(CallMatch),
    /// A card, chosen among several that are not equivalent.
    Card {
        /// Where in the trick it was played.
        position: TrickPosition,
        /// Whether it is equivalent to the bot's.
        same: bool,
        /// How many kinds of cards the hand could choose from, from 2 on.
        kinds: u8,
    },
}

/// How a call compares with the one expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallMatch {
    /// The same, or both are passes whose kind is not read.
    Same,
    /// A bid of the same strain, one step off.
    Near,
    /// A bid of the same strain, more steps off.
    Far,
    /// A pass instead of anything else.
    Passed,
    /// Something else instead of a pass.
    Spoke,
    /// A bid of another strain, or a coinche for a bid.
    Other,
}

/// When a card was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrickPosition {
    /// First to its trick.
    Lead,
    /// On a trick that the partner was winning.
    Partner,
    /// On a trick that an opponent was winning.
    Opponent,
}

/// How likely the others deviate from what the bot would do: fitted to played deals, see `docs/search.md`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActionLikelihood {
    /// How likely a call is relative to the expected one, by [`CallMatch`] from `Near` on.
    pub calls: [f64; 5],
    /// The probability of another kind of card than the expected one, by [`TrickPosition`].
    pub cards: [f64; 3],
    /// How likely a call is relative to the expected one where the bidder is known to bid so, as `calls`.
    pub agreed: [f64; 5],
}

impl ActionLikelihood {
    /// The one in use.
    pub const FITTED: Self = Self {
        calls: [0.08, 0.01, 0.03, 0.01, 0.005],
        cards: [0.7, 0.41, 0.37],
        agreed: [0.01, 0.002, 0.004, 0.001, 0.001],
    };

    /// Returns how likely a piece of evidence is.
    #[inline]
    pub fn of(&self, evidence: Evidence) -> f64 {
        match evidence {
            Evidence::Call(CallMatch::Same) | Evidence::Agreed(CallMatch::Same) => 1.0,
            Evidence::Call(call) => self.calls[call as usize - 1],
            Evidence::Agreed(call) => self.agreed[call as usize - 1],
            Evidence::Card { position, same: true, .. } => 1.0 - self.cards[position as usize],
            // All other kinds are alike.
            Evidence::Card { position, kinds, .. } => self.cards[position as usize] / f64::from(kinds - 1),
        }
    }
}

impl TrickPosition {
    pub(super) fn of(play: &PlayState) -> Self {
        match play.winning() {
            None => Self::Lead,
            Some((seat, _)) if seat == play.to_play().partner() => Self::Partner,
            Some(_) => Self::Opponent,
        }
    }
}

/// Compares a call with the one that was expected; kinds of passes differ where they are `signals`.
pub(super) fn call_match(state: &DealState, expected: Call, made: Call, signals: bool) -> CallMatch {
    if expected == made || (!signals && expected.is_pass() && made.is_pass()) {
        return CallMatch::Same;
    }
    match (expected, made) {
        (Call::Bid(expected), Call::Bid(made)) if expected.strain == made.strain => {
            let ladder = state.auction().state().ladder();
            let place = |value: BidValue| ladder.index_of(value).unwrap_or_default();
            let steps = place(expected.value).abs_diff(place(made.value));
            if steps == 1 { CallMatch::Near } else { CallMatch::Far }
        }
        (_, made) if made.is_pass() => CallMatch::Passed,
        (expected, _) if expected.is_pass() => CallMatch::Spoke,
        _ => CallMatch::Other,
    }
}

/// Counts the legal cards of the hand to play that are not equivalent.
pub(super) fn kinds(rules: &RuleSet, play: &PlayState, legal: CardSet) -> u8 {
    let mut kinds = 0;
    let mut rest = legal;
    while let Some(card) = rest.first() {
        rest = rest.without(card);
        rest -=
            rest.of(card.suit()).into_iter().filter(|other| are_alike(rules, play, card, *other)).collect();
        kinds += 1;
    }
    kinds
}

/// Tests if two cards of the hand to play are equivalent in a whole deal: they have the same points, and no card that
/// another player may still play, or has played to this trick, ranks between them.
pub(super) fn are_alike(rules: &RuleSet, play: &PlayState, a: Card, b: Card) -> bool {
    let strain = play.strain();
    if a.suit() != b.suit() || rules.cards.points(strain, a) != rules.cards.points(strain, b) {
        return false;
    }
    // What the others hold, and the cards of the trick: all but the own hand and the tricks before.
    let others = !(play.hand(play.to_play()) | play.taken(Team::Even) | play.taken(Team::Odd));
    // Above one and not above the other, both ways: what lies between, and one of the two.
    ((strain.above(a) ^ strain.above(b)) & others).is_empty()
}
