//! `scores-*.jsonl`: what deals score.

use serde::Serialize;

use super::rng::Rng;
use super::{Lines, contract_record, line};
use crate::auction::{Bid, Contract, Level, Stake};
use crate::cards::Strain;
use crate::options::{AllTrumpBelote, Coinche, FloorOf, Highest, Method, Rounding, Tie};
use crate::record::RecordContract;
use crate::rules::{NamedRules, Rules};
use crate::score::{Deal, all_points, score_deal};

#[derive(Serialize)]
struct Line<'a> {
    rules: &'a NamedRules,
    contract: RecordContract,
    tricks: [usize; 4],
    card_points: [i32; 2],
    belote: [i32; 2],
    melds: [i32; 2],
    made: bool,
    score: [i32; 2],
    held: i32,
}

/// What a line is about.
#[derive(Clone, Copy)]
enum Case {
    /// Any tricks, any points.
    Any,
    /// The declarers' points, belote and melds add up to the value and this much more (or less).
    Margin(i32),
    /// The declarers have what they need only with their belote.
    ByBelote,
    /// Points that end in 4, 5 or 6.
    Rounding,
    /// All tricks for the declarers, taken by both.
    Slam,
    /// All tricks for the declarer.
    Solo,
    /// All tricks for the declarer's partner.
    SoloPartner,
    /// All tricks for the defenders.
    DefendersSlam,
    /// All tricks for one defender.
    DefendersSolo,
    /// The declarers' tie, or just enough points, with a belote of theirs.
    ExactByBelote,
    /// A tie with melds of both sides and a belote.
    TieWithMelds,
    /// All points for the declarers, but the defenders won a trick that is worth nothing.
    LostWorthless,
    /// The same when the declarer won the others alone.
    SoloLostWorthless,
    /// All points for the defenders, but the declarers won a trick that is worth nothing.
    WonWorthless,
    /// Points with the last digit that is rounded by who has less.
    Pivot,
    /// A tie of such points.
    PivotTie,
    /// The lowest bid, and the declarers' points, belote and melds add up to `contract.floor` and this much more.
    Floor(i32),
}

const CASES: [Case; 21] = [
    Case::Any,
    Case::Margin(0),
    Case::Margin(-1),
    Case::Margin(1),
    Case::ByBelote,
    Case::Rounding,
    Case::Rounding,
    Case::Slam,
    Case::Solo,
    Case::SoloPartner,
    Case::DefendersSlam,
    Case::DefendersSolo,
    Case::ExactByBelote,
    Case::TieWithMelds,
    Case::LostWorthless,
    Case::SoloLostWorthless,
    Case::WonWorthless,
    Case::Floor(0),
    Case::Floor(-1),
    Case::Pivot,
    Case::PivotTie,
];

fn levels(rules: &Rules, rng: &mut Rng, case: Case) -> Vec<Level> {
    if !rules.bids_have_values() {
        return vec![Level::Take];
    }
    let auction = &rules.auction;
    if matches!(case, Case::Floor(_)) {
        return vec![Level::Points(auction.lowest)];
    }
    if matches!(case, Case::LostWorthless | Case::SoloLostWorthless) {
        // Slams, which are all about the tricks.
        let slams = [(auction.capot, Level::Capot), (auction.generale, Level::Generale)];
        return slams.into_iter().filter(|(can_be_bid, _)| *can_be_bid).map(|(_, level)| level).collect();
    }
    let highest = match auction.highest {
        Highest::Value(value) => value,
        Highest::Unlimited(_) => 300,
    };
    let tens = auction.lowest / 10 + 1..=highest / 10;
    let mut levels = vec![Level::Points(10 * rng.between(*tens.start(), *tens.end()))];
    if rng.chance(30) {
        levels.push(Level::Points(auction.lowest));
    }
    if auction.capot && (rules.scoring.flat_capot != 0 || rng.chance(50)) {
        levels.push(Level::Capot);
    }
    if auction.generale && (rng.chance(50) || matches!(case, Case::Solo)) {
        levels.push(Level::Generale);
    }
    levels
}

/// Tricks of each seat in which both sides have some.
fn shared_tricks(rng: &mut Rng) -> [usize; 4] {
    loop {
        let mut tricks = [0; 4];
        for _ in 0..8 {
            tricks[rng.below(4)] += 1;
        }
        if tricks[0] + tricks[2] > 0 && tricks[1] + tricks[3] > 0 {
            return tricks;
        }
    }
}

/// Tricks of each seat when one side has all points, in this way.
fn slam_tricks(rng: &mut Rng, case: Case, declarer: usize) -> Option<[usize; 4]> {
    let mut tricks = [0; 4];
    let (seat, own) = match case {
        Case::Solo => (declarer, 8),
        Case::SoloPartner => (declarer + 2, 8),
        Case::DefendersSolo => (declarer + 1, 8),
        Case::Slam => (declarer, 1 + rng.below(7)),
        Case::DefendersSlam => (declarer + 1, 1 + rng.below(7)),
        Case::LostWorthless => (declarer, 1 + rng.below(6)),
        Case::SoloLostWorthless => (declarer, 7),
        Case::WonWorthless => (declarer + 1, 1 + rng.below(6)),
        Case::Any
        | Case::Margin(_)
        | Case::ByBelote
        | Case::Rounding
        | Case::ExactByBelote
        | Case::TieWithMelds
        | Case::Pivot
        | Case::PivotTie
        | Case::Floor(_) => return None,
    };
    let lost =
        usize::from(matches!(case, Case::LostWorthless | Case::SoloLostWorthless | Case::WonWorthless));
    tricks[seat % 4] = own;
    tricks[(seat + 2) % 4] = 8 - own - lost;
    tricks[(seat + 1) % 4] = lost;
    Some(tricks)
}

/// Points of belotes by team.
fn random_belote(rules: &Rules, rng: &mut Rng, strain: Strain) -> [i32; 2] {
    let mut belote = [0, 0];
    let count = match strain {
        Strain::Suit(_) => rng.below(2),
        Strain::AllTrump if rules.belote.all_trump != AllTrumpBelote::None => rng.below(4),
        Strain::NoTrump | Strain::AllTrump => 0,
    };
    for _ in 0..count {
        belote[rng.below(2)] += 20;
    }
    belote
}

fn random_deal(rules: &Rules, rng: &mut Rng, contract: Contract, case: Case) -> Deal {
    let strain = contract.bid.strain;
    let all = all_points(rules, strain);
    let factor = match strain {
        Strain::Suit(_) => 1,
        Strain::NoTrump => rules.scoring.factor_no_trump,
        Strain::AllTrump => rules.scoring.factor_all_trump,
    };
    let declarers = contract.declarer % 2;
    let mut belote = random_belote(rules, rng, strain);
    let mut melds = [0, 0];
    if rules.melds.enabled && rng.chance(60) {
        let worth = [20, 40, 50, 70, 100, 150, 200];
        melds[rng.below(2)] = *rng.pick(&worth);
        if rng.chance(20) {
            melds[rng.below(2)] += *rng.pick(&worth);
        }
    }
    if let Some(tricks) = slam_tricks(rng, case, contract.declarer) {
        let winner = usize::from(tricks[1] + tricks[3] > tricks[0] + tricks[2]);
        let mut card_points = [0, 0];
        card_points[winner] = all;
        return Deal { contract, tricks, card_points, belote, melds };
    }
    if matches!(case, Case::ByBelote) && matches!(strain, Strain::Suit(_)) {
        belote = [0, 0];
        belote[declarers] = 20;
    }
    if matches!(case, Case::ExactByBelote) && matches!(strain, Strain::Suit(_)) {
        (belote, melds) = ([0, 0], [0, 0]);
        belote[declarers] = 20;
    }
    if matches!(case, Case::TieWithMelds) {
        (belote, melds) = ([0, 0], [20 * rng.between(1, 3), 50]);
        belote[rng.below(2)] = 20;
    }
    if matches!(case, Case::PivotTie) {
        (belote, melds) = ([0, 0], [0, 0]);
        melds[rng.below(2)] = 50;
    }
    // What the declarers need in cards; in the turn-up game, half of everything there is.
    let bonus = |team: usize| {
        let belote = if rules.belote.counts_for_contract { belote[team] } else { 0 };
        let melds = if rules.melds.counts_for_contract { melds[team] } else { 0 };
        belote + melds
    };
    let needed = match contract.bid.level {
        _ if matches!(case, Case::Floor(_)) => {
            rules.contract.floor - if rules.contract.floor_of == FloorOf::All { bonus(declarers) } else { 0 }
        }
        Level::Take | Level::Strain => (factor * all + bonus(1 - declarers) - bonus(declarers)) / 2 / factor,
        Level::Points(value) => (value - bonus(declarers)) / factor,
        Level::Capot | Level::Generale => 0,
    };
    let own = match case {
        Case::Margin(margin) | Case::Floor(margin) => needed + margin,
        Case::ExactByBelote | Case::TieWithMelds | Case::PivotTie => needed,
        Case::Pivot => 10 * rng.between(2, all / 10 - 1) + if strain == Strain::AllTrump { 4 } else { 6 },
        Case::ByBelote => needed + rng.between(0, 19),
        Case::Rounding => 10 * rng.between(4, 15) + rng.between(4, 6),
        _ => rng.between(0, all),
    };
    let own = own.clamp(0, all);
    let mut card_points = [0, 0];
    card_points[declarers] = own;
    card_points[1 - declarers] = all - own;
    Deal { contract, tricks: shared_tricks(rng), card_points, belote, melds }
}

/// Tests if a round has a case: floors where there is one; a worthless trick, which is the same under all rules, in
/// every third round.
fn is_of_use(case: Case, rules: &Rules, round: usize) -> bool {
    match case {
        Case::Floor(_) => rules.contract.floor > 0,
        Case::TieWithMelds => rules.melds.enabled && rules.match_end.tie != Tie::Failed,
        Case::Pivot => rules.scoring.rounding == Rounding::Tenths,
        Case::PivotTie => rules.scoring.rounding == Rounding::Tenths && rules.melds.enabled,
        Case::LostWorthless | Case::SoloLostWorthless | Case::WonWorthless => round.is_multiple_of(3),
        _ => true,
    }
}

/// Writes `size` rounds of every case.
pub(super) fn write(rules: &NamedRules, rng: &mut Rng, size: usize, lines: &mut Lines) {
    let plain_only = rules.rules.deal.method == Method::TurnUp || rules.rules.auction.coinche == Coinche::Off;
    let all_stakes = [Stake::Plain, Stake::Coinche, Stake::Surcoinche];
    // Ties are rare: more rounds where they matter.
    let held = matches!(rules.rules.match_end.tie, Tie::Held | Tie::Hanging);
    let rounds = if held { 2 * size } else { size };
    for round in 0..rounds {
        // Lines with a whole rule set are long.
        let round = if size == 1 { 1 } else { round };
        for case in CASES {
            if !is_of_use(case, &rules.rules, round) {
                continue;
            }
            let stakes = match case {
                _ if plain_only => vec![Stake::Plain],
                // Who waits for what depends on the stake, too.
                Case::TieWithMelds => all_stakes.to_vec(),
                _ => vec![*rng.pick(&all_stakes)],
            };
            for stake in stakes {
                write_case(rules, rng, (case, stake, size == 1), lines);
            }
        }
    }
}

/// Writes a case with a stake, for every level of the bid that is of use or, where lines are long, one.
fn write_case(
    rules: &NamedRules,
    rng: &mut Rng,
    (case, stake, is_long): (Case, Stake, bool),
    lines: &mut Lines,
) {
    let mut levels = levels(&rules.rules, rng, case);
    if is_long && !levels.is_empty() {
        levels = vec![*rng.pick(&levels)];
    }
    for level in levels {
        let bid = Bid { level, strain: *rng.pick(&rules.rules.strains()) };
        let contract = Contract { bid, declarer: rng.below(4), stake };
        let deal = random_deal(&rules.rules, rng, contract, case);
        let outcome = score_deal(&rules.rules, &deal);
        lines.push(line(&Line {
            rules,
            contract: contract_record(&contract),
            tricks: deal.tricks,
            card_points: deal.card_points,
            belote: deal.belote,
            melds: deal.melds,
            made: outcome.made,
            score: outcome.score,
            held: outcome.held,
        }));
    }
}
