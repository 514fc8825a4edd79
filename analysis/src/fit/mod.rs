//! Fits the bidding table to played deals: the points that hands make, their distribution, and the gains of
//! calls.
//!
//! Each deal is first played once in every contract. Then, in each round, auctions are bid; what seats knew in
//! them is fitted to the points made; calls are tried at turns of other auctions and fitted to the scores of
//! the completed auctions; the resulting table bids in the next round. Finally, forecasts are fitted to
//! auctions of four `rules` bidders, four that bid by the table, and four `dd` bidders.
//!
//! | module | |
//! |---|---|
//! | `stages` | runs all of this in order: collects rows of deals and fits them |
//! | `sample`, `calls`, `outcomes` | the data: auctions, tried calls, played contracts |
//! | `points`, `spread`, `solved`, `forecasts`, `least_squares` | the models fitted to it |

mod calls;
mod forecasts;
mod least_squares;
mod outcomes;
mod points;
mod sample;
mod solved;
mod spread;
mod stages;

use core::ops::Range;
use std::borrow::Cow;

use coinche_bots::TableBidder;
use coinche_bots::table::{
    BiddingTable, CONTEXTS, CallContext, EVALUATIONS, MELD_CLASSES, Model, Role, SLAM_SPREADS, SPREADS, TERMS,
};
use coinche_engine::{RuleSet, Secrets, Seed};
use coinche_inference::ratio::{Part, Ratio};
use coinche_selfplay::{Meter, ProgressMode, Solvers};

use crate::report::Forecasts;
use crate::train::in_turn;
use least_squares::LeastSquares;
use points::tenths;
use sample::{GainRow, Played, PointsRow};
use stages::Stage;

/// The default rules: those with more to learn appear more often.
pub const RULES: [RuleSet; 16] = [
    RuleSet::BGA,
    RuleSet::CONTREE,
    RuleSet::COINCHEE,
    RuleSet::COINCHE_MELDS,
    RuleSet::BGA,
    RuleSet::CONTREE,
    RuleSet::COINCHEE,
    RuleSet::COINCHE_MELDS,
    RuleSet::BGA_JA,
    RuleSet::CONTREE,
    RuleSet::COINCHEE,
    RuleSet::COINCHE_MELDS,
    RuleSet::BGA,
    RuleSet::COINCHE,
    RuleSet::BELOTE,
    RuleSet::BELOTE_MELDS,
];

/// Number of deals that a thread takes at a time.
const CHUNK: usize = 500;

/// The prior weight of gain parameters, in rows.
const HOLD_GAIN: f64 = 30.0;

/// The prior chances of a slam after it was bid, and of a solo slam.
const BID_SLAMS: [f64; 2] = [0.7, 0.5];

/// The share of a round's result that is adopted. Adopting all of it would oscillate, since what a call means
/// and gains depends on how the others treat it.
const PART: f64 = 0.4;

/// Moves the known weights by a share towards the learnt ones.
fn learn(known: &mut [i32], learnt: &[i32], part: f64) {
    for (known, learnt) in known.iter_mut().zip(learnt) {
        *known = tenths(f64::from(*known) * (1.0 - part) + part * f64::from(*learnt));
    }
}

/// The settings of a fit.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The seed.
    pub seed: Seed,
    /// How many deals are played.
    pub deals: u64,
    /// How many rounds.
    pub rounds: u64,
    /// The rules of the deals, in rotation.
    pub rules: Vec<RuleSet>,
}

/// The forecasts of four `table` bidders, with the outcomes.
#[derive(Debug, Default)]
pub struct Calibration {
    /// The chances forecast with the bids that became contracts.
    pub chances: Forecasts,
    /// The scores forecast at a call of each deal, by class.
    pub scores: [ScoreForecasts; SCORES.len() + 1],
}

/// Class limits of forecast scores: below the first, between neighbours, from the last on.
pub const SCORES: [f32; 6] = [-200.0, -100.0, -50.0, 0.0, 50.0, 100.0];

/// The forecast scores in a class, and the actual ones.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScoreForecasts {
    /// The mean forecast.
    pub forecast: f64,
    /// The mean score.
    pub scored: Ratio,
}

/// Fits a table.
pub fn fit(settings: &Settings, solvers: &Solvers, progress: ProgressMode) -> BiddingTable {
    let played = play(settings, 0..settings.deals, solvers, progress);
    let mut table = BiddingTable::default();
    for stage in Stage::all(settings.rounds) {
        let deals = usize::try_from(stage.deals(settings.deals)).unwrap_or(usize::MAX);
        stage.fit(&played[..deals], &mut table, solvers);
    }
    table
}

/// Plays every contract of some deals.
fn play(settings: &Settings, deals: Range<u64>, solvers: &Solvers, progress: ProgressMode) -> Vec<Played> {
    let secrets = Secrets::from(&settings.seed);
    let meter = Meter::new(progress, deals.end - deals.start);
    let chunks: Vec<u64> = deals.clone().step_by(CHUNK).collect();
    let played = solvers.map(chunks, |_, from| {
        let to = deals.end.min(from + CHUNK as u64);
        let deals: Vec<Played> =
            (from..to).map(|index| Played::new(in_turn(&settings.rules, index), secrets, index)).collect();
        meter.add(to - from);
        deals
    });
    meter.finish();
    played.into_iter().flatten().collect()
}

/// Collects rows of all deals in order, with the bots of each thread.
fn collect_by<S, R: Send>(
    played: &[Played],
    solvers: &Solvers,
    seat: impl Fn() -> S + Sync,
    rows: impl Fn(&Played, &mut S, &mut Vec<R>) + Sync,
) -> Vec<R> {
    let chunks: Vec<&[Played]> = played.chunks(CHUNK).collect();
    let collected = solvers.map(chunks, |_, chunk| {
        let (mut seated, mut of_chunk) = (seat(), Vec::new());
        for deal in chunk {
            rows(deal, &mut seated, &mut of_chunk);
        }
        of_chunk
    });
    collected.into_iter().flatten().collect()
}

/// Fits evaluations and distributions.
fn fit_points(table: &mut BiddingTable, rows: &[PointsRow], part: f64, solvers: &Solvers) {
    let fitted = solvers.map((0..EVALUATIONS).collect(), |_, number| points::fit(number, rows));
    for (number, evaluation) in fitted.into_iter().enumerate() {
        if let Some((holdings, told)) = evaluation {
            let known = &mut table.holdings[number];
            learn(core::slice::from_mut(&mut known.constant), &[holdings.constant], part);
            learn(&mut known.trump, &holdings.trump, part);
            learn(&mut known.side, &holdings.side, part);
            learn(&mut table.told[number], &told, part);
        }
    }
    fit_melds(table, rows);
    let model = Model::new(Cow::Owned(table.clone()));
    let mut made: Vec<Vec<(i32, &PointsRow)>> = vec![Vec::new(); SPREADS];
    for row in rows {
        made[row.input.spread].push((model.mean(&row.input), row));
    }
    for (at, (spread, made)) in table.spreads.iter_mut().zip(&made).enumerate() {
        let slams = if at < SLAM_SPREADS { [0.0; 2] } else { BID_SLAMS };
        if let Some(fitted) = spread::fit(made, slams) {
            learn(&mut spread.rows, &fitted.rows, part);
        }
    }
}

/// Fits the points of melds: means by class.
fn fit_melds(table: &mut BiddingTable, rows: &[PointsRow]) {
    let mut sums = [[(0u64, 0u64); MELD_CLASSES]; 2];
    for row in rows {
        if let Some((class, points)) = row.melds {
            let (sum, count) = &mut sums[usize::from(row.input.role == Role::Defence)][class];
            *sum += u64::from(points);
            *count += 1;
        }
    }
    for (melds, sums) in table.melds.iter_mut().flatten().zip(sums.iter().flatten()) {
        *melds = i32::try_from(sums.0 / sums.1.max(1)).unwrap_or_default();
    }
}

/// Fits the gains of calls.
fn fit_gains(table: &mut BiddingTable, rows: &[GainRow], part: f64) {
    let mut squares: Vec<_> = (0..CONTEXTS).map(|_| LeastSquares::new(TERMS)).collect();
    for row in rows {
        let line: Vec<(usize, f64)> =
            row.terms.iter().enumerate().map(|(at, term)| (at, f64::from(*term))).collect();
        squares[row.weights].add(&line, f64::from(row.gain));
    }
    for (at, squares) in squares.into_iter().enumerate() {
        let context = CallContext::of_weights(at);
        if context.is_pass() {
            continue;
        }
        // The prior: a bid gains what it scores over the standing contract, a double what it adds.
        let mut prior = [0.0; TERMS];
        prior[1] = 100.0;
        if !context.is_double() {
            prior[4] = -100.0;
        }
        if let Some(weights) = squares.solve(&prior, &[HOLD_GAIN; TERMS]) {
            for (weight, fitted) in table.gains[at].iter_mut().zip(weights) {
                *weight = forecasts::short(f64::from(*weight) * (1.0 - part) + part * fitted, 100.0);
            }
        }
    }
}

/// Compares the forecasts of four table bidders with the outcomes, on deals of another seed.
pub fn check(
    table: &BiddingTable,
    settings: &Settings,
    solvers: &Solvers,
    progress: ProgressMode,
) -> Calibration {
    let played = play(settings, 0..settings.deals, solvers, progress);
    let model = Model::new(Cow::Owned(table.clone()));
    let seat = || (TableBidder::new(model.clone()), model.clone());
    let deals = collect_by(&played, solvers, seat, |deal, (bidder, model), deals| {
        deals.push(deal.forecasts(bidder, model));
    });
    let mut calibration = Calibration::default();
    for deal in deals {
        if let Some((chance, (is_plain, made))) = deal.contract {
            calibration.chances.add(chance, is_plain, made);
        }
        if let Some((score, scored)) = deal.score {
            let class = &mut calibration.scores[SCORES.iter().filter(|from| score >= **from).count()];
            class.forecast += f64::from(score);
            // Scores are integers.
            #[expect(clippy::cast_possible_truncation, reason = "a score")]
            class.scored.add(Part { sum: scored as i64, count: 1 });
        }
    }
    calibration
}
