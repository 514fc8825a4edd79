//! What a deal scores.

use serde::{Deserialize, Serialize};

use crate::auction::{Contract, Level, Stake};
use crate::options::{
    CoinchedBelote, FailedBelote, FailedDefenders, Made, MadeDeclarers, MadeDefenders, Rounding, Tie,
};
use crate::rules::Rules;

/// A deal that has been played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    /// Its contract.
    pub contract: Contract,
    /// Tricks won by each seat.
    pub tricks: [usize; 4],
    /// Card points with the last trick, by team.
    pub card_points: [i32; 2],
    /// Points of announced belotes, by team.
    pub belote: [i32; 2],
    /// Points of the melds that count, by team.
    pub melds: [i32; 2],
}

/// The score that results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Whether the contract was made. A held tie is not.
    pub made: bool,
    /// What each team scores.
    pub score: [i32; 2],
    /// Points of the takers held for the winner of the next deal.
    pub held: i32,
}

/// T of each team, with the worth of a slam.
pub fn trick_points(rules: &Rules, deal: &Deal) -> [i32; 2] {
    let mut t = deal.card_points;
    for team in 0..2 {
        if slam(deal, team) {
            let solo = deal.tricks[team] == 8 || deal.tricks[team + 2] == 8;
            t[team] = if solo { rules.scoring.solo_slam } else { rules.scoring.unbid_slam };
            t[1 - team] = 0;
        }
    }
    t
}

fn slam(deal: &Deal, team: usize) -> bool {
    deal.tricks[team] + deal.tricks[team + 2] == 8
}

/// How the made test came out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Test {
    Made,
    Failed,
    Held,
}

fn test(rules: &Rules, deal: &Deal, t: [i32; 2]) -> Test {
    let declarer = deal.contract.declarer;
    let declarers = declarer % 2;
    let counted = |team: usize| {
        let mut points = t[team];
        if rules.belote.counts_for_contract {
            points += deal.belote[team];
        }
        if rules.melds.counts_for_contract {
            points += deal.melds[team];
        }
        points
    };
    let (ours, theirs) = (counted(declarers), counted(1 - declarers));
    let made = match deal.contract.bid.level {
        Level::Take if ours == theirs && rules.match_end.tie == Tie::Held => return Test::Held,
        Level::Take => ours > theirs,
        Level::Points(value) => {
            ours >= value.max(rules.contract.floor) && (!rules.contract.majority || ours > theirs)
        }
        Level::Capot => slam(deal, declarers),
        Level::Generale => deal.tricks[declarer] == 8,
    };
    if made { Test::Made } else { Test::Failed }
}

fn rounded(rules: &Rules, points: i32) -> i32 {
    match rules.scoring.rounding {
        Rounding::None => points,
        Rounding::NearestTen => (points + 5) / 10 * 10,
        Rounding::NearestTenDown => (points + 4) / 10 * 10,
    }
}

/// What the tricks and the bid score for declarers and defenders of a made contract.
fn made_scores(rules: &Rules, deal: &Deal, own: i32, other: i32) -> (i32, i32) {
    let stake = deal.contract.stake.rules(rules);
    let base = match stake.made_declarers {
        MadeDeclarers::Own => rounded(rules, own),
        MadeDeclarers::All => rounded(rules, own + other),
    };
    let tricks = stake.tricks * base;
    let bid = stake.contract * deal.contract.bid.value(rules);
    let declarers = match rules.scoring.made {
        Made::TricksAndBid => tricks + bid,
        Made::Bid => bid,
        Made::Tricks => tricks,
    };
    let defenders = match stake.made_defenders {
        MadeDefenders::Own => stake.tricks * rounded(rules, other),
        MadeDefenders::None => 0,
    };
    (declarers, defenders)
}

/// What the tricks and the bid score for the defenders of a failed contract.
fn failed_score(rules: &Rules, deal: &Deal, own: i32) -> i32 {
    let stake = deal.contract.stake.rules(rules);
    let defenders = 1 - deal.contract.declarer % 2;
    let base = match stake.failed_defenders {
        FailedDefenders::Flat if rules.scoring.failed_slam && slam(deal, defenders) => rounded(rules, own),
        FailedDefenders::Flat => rules.scoring.failed,
        FailedDefenders::Own => rounded(rules, own),
    };
    let bid = if rules.scoring.failed_bid { stake.contract * deal.contract.bid.value(rules) } else { 0 };
    stake.tricks * base + bid
}

/// The points of belotes, and those of melds, that each team gets.
fn bonuses(rules: &Rules, deal: &Deal, test: Test) -> ([i32; 2], [i32; 2]) {
    let stake = deal.contract.stake.rules(rules);
    let declarers = deal.contract.declarer % 2;
    let defenders = 1 - declarers;
    let factor = |multiplied: bool| if multiplied { stake.contract } else { 1 };
    let all_to = |team: usize, points: [i32; 2]| {
        let mut moved = [0, 0];
        moved[team] = points[0] + points[1];
        moved
    };

    let winner = if test == Test::Failed { defenders } else { declarers };
    let coinched = deal.contract.stake != Stake::Plain;
    let belote = if coinched && rules.belote.coinched == CoinchedBelote::Winner {
        all_to(winner, deal.belote)
    } else if test == Test::Failed && rules.belote.failed == FailedBelote::Defenders {
        all_to(defenders, deal.belote)
    } else {
        deal.belote
    };
    let melds = if test == Test::Failed { all_to(defenders, deal.melds) } else { deal.melds };

    (
        belote.map(|points| factor(rules.belote.multiplied) * points),
        melds.map(|points| factor(rules.melds.multiplied) * points),
    )
}

/// Scores a deal.
pub fn score_deal(rules: &Rules, deal: &Deal) -> Outcome {
    let declarers = deal.contract.declarer % 2;
    let defenders = 1 - declarers;
    let t = trick_points(rules, deal);
    let test = test(rules, deal, t);
    let (belote, mut score) = bonuses(rules, deal, test);

    let flat_capot = rules.scoring.flat_capot * deal.contract.stake.rules(rules).contract;
    if deal.contract.bid.level == Level::Capot && rules.scoring.flat_capot != 0 {
        let winner = if test == Test::Made { declarers } else { defenders };
        score[winner] += flat_capot;
    } else if test == Test::Failed {
        score[defenders] += failed_score(rules, deal, t[defenders]);
    } else {
        let (own, other) = made_scores(rules, deal, t[declarers], t[defenders]);
        score[declarers] += own;
        score[defenders] += other;
    }

    // Of a held tie, what the takers would have scored waits for the winner of the next deal; but a
    // belote is scored at once: nobody can take it away.
    let held = if test == Test::Held { std::mem::take(&mut score[declarers]) } else { 0 };
    let score = [score[0] + belote[0], score[1] + belote[1]];
    Outcome { made: test == Test::Made, score, held }
}

#[cfg(test)]
mod tests;
