//! What a deal scores.

use serde::{Deserialize, Serialize};

use crate::auction::{Contract, Level, Stake};
use crate::cards::{Strain, deck};
use crate::options::{
    CoinchedBelote, FailedBelote, FailedDefenders, FloorOf, Made, MadeDeclarers, MadeDefenders, Multiplied,
    Rounding, Slam, Tie,
};
use crate::play::{card_points, last_trick_points};
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

/// T of each team, with the factor of the strain and the worth of a slam, which has no such factor.
pub fn trick_points(rules: &Rules, deal: &Deal) -> [i32; 2] {
    let factor = match deal.contract.bid.strain {
        Strain::Suit(_) => 1,
        Strain::NoTrump => rules.scoring.factor_no_trump,
        Strain::AllTrump => rules.scoring.factor_all_trump,
    };
    let mut t = deal.card_points.map(|points| factor * points);
    for team in 0..2 {
        if slam(deal, team) {
            let solo = deal.tricks[team] == 8 || deal.tricks[team + 2] == 8;
            let worth = if solo { rules.scoring.solo_slam } else { rules.scoring.unbid_slam };
            t[team] = match rules.scoring.slam {
                Slam::Instead => worth,
                Slam::Added => factor * all_points(rules, deal.contract.bid.strain) + worth,
            };
            t[1 - team] = 0;
        }
    }
    t
}

/// The points of all cards and the last trick.
pub(crate) fn all_points(rules: &Rules, strain: Strain) -> i32 {
    let cards: i32 = deck().into_iter().map(|card| card_points(rules, strain, card)).sum();
    cards + last_trick_points(rules, strain)
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
        Level::Take | Level::Strain if ours == theirs => match rules.match_end.tie {
            Tie::Held | Tie::Hanging => return Test::Held,
            Tie::Failed => false,
            Tie::Made => true,
        },
        Level::Take | Level::Strain => ours > theirs,
        Level::Points(value) => {
            let is_ahead = if rules.match_end.tie == Tie::Made { ours >= theirs } else { ours > theirs };
            let floored = match rules.contract.floor_of {
                FloorOf::All => ours,
                FloorOf::Tricks => t[declarers],
            };
            ours >= value + rules.contract.margin
                && floored >= rules.contract.floor
                && (!rules.contract.majority || is_ahead)
        }
        Level::Capot => slam(deal, declarers),
        Level::Generale => deal.tricks[declarer] == 8,
    };
    if made { Test::Made } else { Test::Failed }
}

fn rounded(rules: &Rules, points: i32) -> i32 {
    match rules.scoring.rounding {
        // Tenths are of the whole score.
        Rounding::None | Rounding::Tenths => points,
        // The complement of what the defenders have is seen to where the declarers score their own.
        Rounding::NearestTen | Rounding::Complement => (points + 5) / 10 * 10,
        Rounding::NearestTenDown => (points + 4) / 10 * 10,
    }
}

/// What is scored in tens, so that the tens of both sides add up to the tens of all points: 16 with a trump suit,
/// 26 in SA and TA. A last digit that both sides have alike, 6 with a trump suit and 4 in TA, goes up for the side with less.
fn tens(strain: Strain, points: i32, has_less: bool) -> i32 {
    let up = match (strain, points % 10) {
        (Strain::Suit(_), 6) | (Strain::AllTrump, 4) => has_less,
        (Strain::Suit(_), digit) => digit > 6,
        (Strain::AllTrump | Strain::NoTrump, digit) => digit > 4,
    };
    if up { points / 10 + 1 } else { points / 10 }
}

/// The factor on the trick part; tens are multiplied as a whole instead.
fn tricks_factor(rules: &Rules, deal: &Deal) -> i32 {
    if rules.scoring.rounding == Rounding::Tenths { 1 } else { deal.contract.stake.rules(rules).tricks }
}

/// What the tricks and the bid score for declarers and defenders of a made contract.
fn made_scores(rules: &Rules, deal: &Deal, own: i32, other: i32) -> (i32, i32) {
    let stake = deal.contract.stake.rules(rules);
    let base = match stake.made_declarers {
        MadeDeclarers::Own if rules.scoring.rounding == Rounding::Complement => {
            rounded(rules, own + other) - rounded(rules, other)
        }
        MadeDeclarers::Own => rounded(rules, own),
        MadeDeclarers::All => rounded(rules, own + other),
        MadeDeclarers::Flat => rules.scoring.failed,
    };
    let tricks = tricks_factor(rules, deal) * base;
    let bid = stake.contract * deal.contract.bid.value(rules);
    let declarers = match rules.scoring.made {
        Made::TricksAndBid => tricks + bid,
        Made::Bid => bid,
        Made::Tricks => tricks,
    };
    let defenders = match stake.made_defenders {
        MadeDefenders::Own => tricks_factor(rules, deal) * rounded(rules, other),
        MadeDefenders::None => 0,
    };
    (declarers, defenders)
}

/// What the tricks and the bid score for the defenders of a failed contract.
fn failed_score(rules: &Rules, deal: &Deal, own: i32, other: i32) -> i32 {
    let stake = deal.contract.stake.rules(rules);
    let defenders = 1 - deal.contract.declarer % 2;
    let base = match stake.failed_defenders {
        FailedDefenders::Flat if rules.scoring.failed_slam && slam(deal, defenders) => rounded(rules, own),
        FailedDefenders::Flat => rules.scoring.failed,
        FailedDefenders::Own => rounded(rules, own),
        FailedDefenders::All => rounded(rules, own + other),
    };
    let bid = if rules.scoring.failed_bid { stake.contract * deal.contract.bid.value(rules) } else { 0 };
    tricks_factor(rules, deal) * base + bid
}

/// Points of both teams, and points that wait.
#[derive(Clone, Copy, Default)]
struct Shares {
    teams: [i32; 2],
    held: i32,
}

/// The points of belotes that each team gets, and those that wait.
fn belotes(rules: &Rules, deal: &Deal, test: Test) -> Shares {
    let declarers = deal.contract.declarer % 2;
    let defenders = 1 - declarers;
    let both = deal.belote[0] + deal.belote[1];
    let winner_takes_all =
        deal.contract.stake != Stake::Plain && rules.belote.coinched == CoinchedBelote::Winner;
    let mut shares = Shares { teams: deal.belote, held: 0 };
    match test {
        Test::Held if rules.match_end.tie == Tie::Hanging && winner_takes_all => {
            shares = Shares { teams: [0, 0], held: both };
        }
        Test::Held if rules.match_end.tie == Tie::Hanging => {
            shares.held = std::mem::take(&mut shares.teams[declarers]);
        }
        Test::Made if winner_takes_all => {
            shares.teams[declarers] = both;
            shares.teams[defenders] = 0;
        }
        Test::Failed if winner_takes_all || rules.belote.failed == FailedBelote::Defenders => {
            shares.teams[defenders] = both;
            shares.teams[declarers] = 0;
        }
        // Of a tie that is only held, too: nobody can take a belote away, and nobody has won.
        Test::Made | Test::Failed | Test::Held => {}
    }
    shares
}

/// The points of melds that each team gets, and those that wait.
fn melds(rules: &Rules, deal: &Deal, test: Test) -> Shares {
    let declarers = deal.contract.declarer % 2;
    let defenders = 1 - declarers;
    let mut shares = Shares { teams: deal.melds, held: 0 };
    if deal.contract.stake != Stake::Plain && rules.melds.coinched == CoinchedBelote::Winner {
        // All of them go where those of the declarers go.
        shares.teams[declarers] += std::mem::take(&mut shares.teams[defenders]);
    }
    let moved = if test == Test::Made { 0 } else { std::mem::take(&mut shares.teams[declarers]) };
    match test {
        Test::Made => {}
        Test::Failed => shares.teams[defenders] += moved,
        Test::Held => shares.held = moved,
    }
    shares
}

/// Scores a deal.
pub fn score_deal(rules: &Rules, deal: &Deal) -> Outcome {
    let declarers = deal.contract.declarer % 2;
    let defenders = 1 - declarers;
    let stake = deal.contract.stake.rules(rules);
    let in_tens = rules.scoring.rounding == Rounding::Tenths;
    let t = trick_points(rules, deal);
    let test = test(rules, deal, t);
    let mut all = Shares::default();

    if deal.contract.bid.level == Level::Capot && rules.scoring.flat_capot != 0 {
        let winner = if test == Test::Made { declarers } else { defenders };
        all.teams[winner] = rules.scoring.flat_capot * stake.contract;
    } else if test == Test::Failed {
        all.teams[defenders] = failed_score(rules, deal, t[defenders], t[declarers]);
    } else {
        let (own, other) = made_scores(rules, deal, t[declarers], t[defenders]);
        all.teams[defenders] = other;
        // Of a held tie, what the takers would have scored waits for the winner of the next deal.
        if test == Test::Held {
            all.held = own;
        } else {
            all.teams[declarers] = own;
        }
    }
    let factor = |multiplied: bool| if multiplied && !in_tens { stake.contract } else { 1 };
    // Of a tie that is held nobody is the winner.
    let winner = match test {
        Test::Made => Some(declarers),
        Test::Failed => Some(defenders),
        Test::Held => None,
    };
    let belotes = if rules.belote.scored { belotes(rules, deal, test) } else { Shares::default() };
    let belote_of = |team: Option<usize>| match rules.belote.multiplied {
        Multiplied::All(multiplied) => factor(multiplied),
        Multiplied::Winner(_) => factor(team.is_some() && team == winner),
    };
    let melds = melds(rules, deal, test);
    for team in 0..2 {
        all.teams[team] += belote_of(Some(team)) * belotes.teams[team];
        all.teams[team] += factor(rules.melds.multiplied) * melds.teams[team];
    }
    all.held += belote_of(None) * belotes.held + factor(rules.melds.multiplied) * melds.held;
    if in_tens {
        let strain = deal.contract.bid.strain;
        let [first, second] = all.teams;
        all.teams = [
            stake.tricks * tens(strain, first, first < second),
            stake.tricks * tens(strain, second, second < first),
        ];
        // What waits is rounded up.
        all.held = stake.tricks * tens(strain, all.held, true);
    }
    Outcome { made: test == Test::Made, score: all.teams, held: all.held }
}

#[cfg(test)]
mod tests;
