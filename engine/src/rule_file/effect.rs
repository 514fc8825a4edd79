//! Fields that decide nothing, given the others: setting one is refused instead of ignored.
//!
//! A rule set always has all fields, so the fields of what cannot happen under it have some value too: those of
//! coinches where nobody may coinche, say. Such a value is harmless as it stands, but whoever sets it expects another
//! game. [`idle`] finds that out where fields are set by name.

use crate::rules::{
    BeloteAllTrump, ClosedBy, CoincheMode, DealMethod, MadeScore, MeldContest, PartnerTrump, PassedOut,
    Rounding, RuleOptions, ScoreRow, Shuffle, Undertrump,
};
use crate::{
    BidValue, BySeat, ByTeam, CardSet, Contract, DealResult, Goal, Ladder, RuleSet, Seat, Stake, Strain,
};

/// Fields, when they decide nothing, and why.
struct Idle {
    /// Paths; one that ends in a dot stands for all fields of the section.
    fields: &'static [&'static str],
    when: fn(&RuleOptions) -> bool,
    why: &'static str,
}

/// Declares them: `fields: rules => when they decide nothing, why;`.
macro_rules! idle {
    ($($($field:literal)+: $rules:ident => $when:expr, $why:literal;)*) => {
        const IDLE: &[Idle] =
            &[$(Idle { fields: &[$($field),+], when: |$rules: &RuleOptions| $when, why: $why }),*];
    };
}

idle! {
    "auction.bids" "auction.lowest" "auction.highest" "auction.capot" "auction.generale" "auction.signal_pass"
    "auction.over_coinche" "contract." "scoring.failed_bid" "scoring.flat_capot":
        rules => rules.is_turn_up(),
        "in a turn-up game a take has no value, and nobody bids over it (`deal.method` is turn-up)";
    "auction.closed_by": rules => rules.is_turn_up() && rules.auction.coinche == CoincheMode::Off,
        "a take ends the auction (`deal.method` is turn-up, `auction.coinche` is off)";
    "auction.lowest" "auction.highest" "auction.capot" "auction.generale" "contract." "scoring.failed_bid"
    "scoring.flat_capot":
        rules => !rules.has_values(),
        "bids have no value (`auction.bids` is strains)";
    "deal.reshuffle" "deal.least_cut": rules => rules.deal.shuffle == Shuffle::Uniform,
        "every deal is shuffled (`deal.shuffle` is uniform)";
    "deal.reshuffle": rules => rules.deal.passed_out == PassedOut::Never,
        "no deal is passed out (`deal.passed_out` is never)";
    "match.target" "match.exceed" "match.slam_wins" "match.finish": rules => rules.game.deals > 0,
        "a match ends after a number of deals (`match.deals`)";
    "match.tie": rules => rules.has_values() && !rules.contract.majority,
        "a bid of points is made or fails (`deal.method` is full or split, and `auction.bids` is values)";
    "auction.coinche" "auction.over_coinche" "belote.coinched" "melds.coinched" "scoring.coinche." "scoring.surcoinche.":
        rules => rules.auction.closed_by == ClosedBy::Bid,
        "nobody may coinche (`auction.closed_by` is bid)";
    "auction.over_coinche" "belote.coinched" "melds.coinched" "scoring.coinche." "scoring.surcoinche.":
        rules => rules.auction.coinche == CoincheMode::Off,
        "nobody may coinche (`auction.coinche` is off)";
    "cards.no_trump" "melds.no_trump" "scoring.last_trick_no_trump" "scoring.factor_no_trump": rules => !rules.auction.no_trump,
        "SA cannot be bid (`auction.no_trump` is false)";
    "cards.all_trump" "belote.all_trump" "scoring.last_trick_all_trump" "scoring.factor_all_trump": rules => !rules.auction.all_trump,
        "TA cannot be bid (`auction.all_trump` is false)";
    "contract.capot" "scoring.flat_capot": rules => !rules.auction.capot,
        "capot cannot be bid (`auction.capot` is false)";
    "contract.generale": rules => !rules.auction.generale,
        "générale cannot be bid (`auction.generale` is false)";
    "belote.failed" "belote.coinched" "belote.multiplied": rules => !rules.belote.scored,
        "a belote is not scored (`belote.scored` is false)";
    "belote.announce" "belote.all_trump": rules => !rules.belote.exists(),
        "there is no belote (`belote.scored` and `belote.counts_for_contract` are false)";
    "melds.equal": rules => rules.melds.contest == MeldContest::ByKind,
        "the longest sequence wins, whatever is trump (`melds.contest` is by-kind)";
    "melds.announce" "melds.contest" "melds.equal" "melds.tie" "melds.no_trump" "melds.coinched" "melds.carre_of_aces" "melds.counts_for_contract" "melds.multiplied":
        rules => !rules.melds.enabled,
        "there are no melds (`melds.enabled` is false)";
    "belote.multiplied" "melds.multiplied": rules => rules.scoring.rounding == Rounding::Tenths,
        "all that a side scores is multiplied by the factor of the tricks (`scoring.rounding` is tenths)";
    "belote.multiplied" "melds.multiplied": rules => rules.rows().all(|row| row.contract == 1),
        "the factor of the contract is 1 for every stake (`scoring.plain.contract` and its like)";
    "scoring.plain.made_declarers" "scoring.coinche.made_declarers" "scoring.surcoinche.made_declarers":
        rules => rules.scoring.made == MadeScore::Bid,
        "a made contract scores the bid without the tricks (`scoring.made` is bid)";
}

impl RuleOptions {
    pub(super) fn is_turn_up(&self) -> bool {
        self.deal.method == DealMethod::TurnUp
    }

    /// The highest bid in points.
    fn highest(&self) -> u16 {
        let highest = self.auction.highest.unwrap_or(BidValue::MAX_POINTS);
        (highest / 10 * 10).max(self.auction.lowest)
    }

    /// Iterates over the rows of the stakes that a contract can have.
    fn rows(&self) -> impl Iterator<Item = &ScoreRow> {
        let is_doubled = self.auction.coinche != CoincheMode::Off && self.auction.closed_by != ClosedBy::Bid;
        let scoring = &self.scoring;
        let rows = [&scoring.plain, &scoring.coinche, &scoring.surcoinche];
        rows.into_iter().take(if is_doubled { 3 } else { 1 })
    }
}

/// Returns why a value says only what the one `before` says.
fn same(path: &str, options: &RuleOptions, before: &RuleOptions) -> Option<&'static str> {
    match path {
        "auction.highest" => (options.highest() == before.highest()).then_some(
            "bids are `auction.lowest` and the multiples of ten above it, so that the highest bid stays the same",
        ),
        "auction.closed_by" => {
            let slams = options.auction.capot || options.auction.generale;
            let is_first = [options, before].iter().any(|rules| rules.auction.closed_by == ClosedBy::Bid);
            (!slams && !is_first).then_some("neither capot nor générale can be bid")
        }
        "play.partner_trump" | "play.undertrump" => {
            let all = [options, before].map(|rules| rules.play);
            let is_forbidden = all.iter().all(|play| play.undertrump == Undertrump::Forbidden);
            let always = all.iter().any(|play| play.partner_trump == PartnerTrump::Always);
            (is_forbidden && !always).then_some(
                "a lower trump is forbidden under the partner's too (`play.undertrump` is forbidden)",
            )
        }
        _ if OF_SCORES.iter().any(|of| path.starts_with(of)) => {
            let (Ok(rules), Ok(old)) = (options.validate(), before.validate()) else { return None };
            let is_there = [rules, old].map(|rules| rules.belote.exists());
            (is_there[0] == is_there[1] && score_alike(&rules, &old))
                .then_some("no deal is scored otherwise, as the other fields are")
        }
        _ => None,
    }
}

/// Fields that decide what deals score, and nothing else.
const OF_SCORES: [&str; 21] = [
    "contract.",
    "belote.counts_for_contract",
    "belote.failed",
    "belote.coinched",
    "belote.multiplied",
    "belote.scored",
    "melds.coinched",
    "melds.counts_for_contract",
    "melds.multiplied",
    "scoring.made",
    "scoring.failed",
    "scoring.slam",
    "scoring.unbid_slam",
    "scoring.solo_slam",
    "scoring.flat_capot",
    "scoring.rounding",
    "scoring.factor_",
    "scoring.plain.",
    "scoring.coinche.",
    "scoring.surcoinche.",
    "match.tie",
];

/// Tests if all deals score alike under two rule sets that differ in such a field: contracts of all kinds, with all card points,
/// slams, and the belotes and melds that are not too rare.
fn score_alike(rules: &RuleSet, other: &RuleSet) -> bool {
    [Strain::Spades, Strain::NoTrump, Strain::AllTrump]
        .into_iter()
        .filter(|strain| rules.allows_strain(*strain))
        .all(|strain| {
            let results = results(rules, strain);
            bonuses(rules, strain).into_iter().all(|(belote, melds)| {
                contracts(rules, strain).all(|contract| {
                    results.iter().all(|(card_points, tricks)| {
                        let (card_points, tricks) = (*card_points, *tricks);
                        let result = DealResult { contract, card_points, tricks, belote, melds };
                        result.score(rules) == result.score(other)
                    })
                })
            })
        })
}

/// The contracts of a strain that seat 0 can play: their numbers up to 300, and the least and the highest.
fn contracts(rules: &RuleSet, strain: Strain) -> impl Iterator<Item = Contract> {
    let ladder = Ladder::new(rules);
    let (lowest, highest) = (ladder.value(0), BidValue::points(rules.highest()));
    let is_taken = move |value: &BidValue| {
        value.as_points().is_none_or(|points| points <= 300) || [lowest, highest].contains(&Some(*value))
    };
    let goals: Vec<Goal> = if rules.has_values() {
        ladder.iter().filter(is_taken).map(Goal::Bid).collect()
    } else {
        vec![Goal::Majority]
    };
    let is_doubled = rules.rows().count() > 1;
    let ends = rules.auction.closed_by == ClosedBy::Slam;
    goals.into_iter().flat_map(move |goal| {
        let is_closed = ends && matches!(goal, Goal::Bid(BidValue::CAPOT | BidValue::GENERALE));
        [Stake::Plain, Stake::Coinche, Stake::Surcoinche]
            .into_iter()
            .take(if is_doubled && !is_closed { 3 } else { 1 })
            .map(move |stake| Contract { declarer: Seat::S0, strain, goal, stake })
    })
}

/// What cards and tricks come to: all slams, and all points that some of the cards have.
fn results(rules: &RuleSet, strain: Strain) -> Vec<(ByTeam<u16>, BySeat<u8>)> {
    let all = rules.all_points(strain);
    let last = rules.scoring.last_trick_in(strain);
    let mut sums = vec![false; usize::from(all) + 1];
    sums[0] = true;
    for points in CardSet::FULL.into_iter().map(|card| usize::from(rules.card_points(strain, card))) {
        for sum in (points..sums.len()).rev() {
            sums[sum] |= sums[sum - points];
        }
    }
    let is_sum = |points: u16| sums[usize::from(points)];
    let shared = (0..=all)
        .filter(|own| is_sum(*own) || own.checked_sub(last).is_some_and(is_sum))
        .map(|own| (ByTeam([own, all - own]), BySeat([2; 4])));
    let slams = [[4, 0, 4, 0], [8, 0, 0, 0], [0, 0, 8, 0], [0, 4, 0, 4], [0, 8, 0, 0]].map(|tricks| {
        let own = if tricks[0] + tricks[2] == 8 { all } else { 0 };
        (ByTeam([own, all - own]), BySeat(tricks))
    });
    shared.chain(slams).collect()
}

/// Belotes and melds of both sides.
fn bonuses(rules: &RuleSet, strain: Strain) -> Vec<(ByTeam<u16>, ByTeam<u16>)> {
    let belotes: &[[u16; 2]] = match strain {
        Strain::NoTrump => &[[0, 0]],
        Strain::AllTrump if rules.belote.all_trump == BeloteAllTrump::None => &[[0, 0]],
        Strain::AllTrump => &[[0, 0], [20, 0], [0, 20], [40, 0], [0, 40], [20, 20]],
        _ => &[[0, 0], [20, 0], [0, 20]],
    };
    let of_melds = if rules.melds.in_strain(strain) {
        let mut worths = vec![20, 50, 100, 150, 200];
        worths.push(rules.melds.carre_of_aces);
        let alone = worths.iter().flat_map(|worth| [[*worth, 0], [0, *worth]]);
        alone.chain([[0, 0], [20, 100], [100, 20]]).collect()
    } else {
        vec![[0, 0]]
    };
    let belotes = if rules.belote.exists() { belotes } else { &belotes[..1] };
    let both =
        belotes.iter().flat_map(|belote| of_melds.iter().map(|melds| (ByTeam(*belote), ByTeam(*melds))));
    both.collect()
}

/// Returns why a field decides nothing: under `options`, and also under these with the value that it had `before`.
pub(super) fn idle(path: &str, options: &RuleOptions, before: &RuleOptions) -> Option<&'static str> {
    if before.validate().is_err() && options.validate().is_ok() {
        // The rules need it.
        return None;
    }
    let is_meant =
        |field: &&'static str| *field == path || (field.ends_with('.') && path.starts_with(*field));
    IDLE.iter()
        .find(|idle| idle.fields.iter().any(is_meant) && (idle.when)(options) && (idle.when)(before))
        .map(|idle| idle.why)
        .or_else(|| same(path, options, before))
}
