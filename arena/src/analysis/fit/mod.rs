//! Fits the bidding table to played deals: what hands make, how certainly, and what calls gain.
//!
//! The deals are played once in every contract. Then come rounds: auctions are held, what seats knew in them
//! is fitted to what was made, calls are tried at turns of other auctions and fitted to what the completed
//! auction scored, and the table that comes of it bids in the next round.

mod least_squares;
mod outcomes;
mod points;
mod sample;
mod solved;
mod spread;

use std::borrow::Cow;

use coinche_bots::table::{
    BiddingTable, CONTEXTS, CallContext, EVALUATIONS, MELD_CLASSES, Model, Role, SLAM_SPREADS, SPREADS, TERMS,
};
use coinche_engine::RuleSet;
use coinche_selfplay::base::progress::{Meter, ProgressMode};
use coinche_selfplay::play::solvers::Solvers;

use least_squares::LeastSquares;
use points::tenths;
use sample::{Bidders, GainRow, Played, PointsRow};
use spread::Made;

/// Which rules the deals are played by, in turn: more often where there is more to learn.
const RULES: [RuleSet; 16] = [
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

/// One of so many deals is solved.
const SOLVED: usize = 12;

/// How many deals a thread takes at a time.
const CHUNK: usize = 500;

/// The hold of the weights of gains, in rows.
const HOLD_GAIN: f64 = 30.0;

/// The chances of a slam that was bid, and of one alone, as long as nothing is known.
const BID_SLAMS: [f64; 2] = [0.7, 0.5];

/// How much of what a round has learnt is taken over: all of it would go round in circles, since what a call tells
/// and gains depends on what the others make of it.
const PART: f64 = 0.4;

/// Takes over a part of what was learnt.
fn learn(known: &mut [i32], learnt: &[i32], part: f64) {
    for (known, learnt) in known.iter_mut().zip(learnt) {
        *known = tenths(f64::from(*known) * (1.0 - part) + part * f64::from(*learnt));
    }
}

/// What a table is fitted to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) seed: u64,
    pub(crate) deals: u64,
    pub(crate) rounds: u64,
    /// The rules of all deals; without them those of [`RULES`] in turn.
    pub(crate) rules: Option<RuleSet>,
}

/// One tenth of the contracts, by the chance that the declarer saw.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Decile {
    pub(crate) contracts: u64,
    pub(crate) expected: f64,
    pub(crate) made: u64,
}

/// Fits a table.
pub(crate) fn fit(settings: &Settings, solvers: &Solvers, progress: ProgressMode) -> BiddingTable {
    let played = play(settings, solvers, progress);
    let mut table = BiddingTable::default();
    fit_solved(&mut table, &played, solvers);
    for round in 0..settings.rounds {
        let before = Model::new(Cow::Owned(table.clone()));
        let rows = collect(&played, solvers, &before, |deal, bidders, model, rows| {
            deal.points_rows(bidders, model, round, rows);
        });
        let part = if round == 0 { 1.0 } else { PART };
        fit_points(&mut table, &rows, part, solvers);
        drop(rows);
        // The bidders of the round go on as before; the calls are judged by what was learnt now.
        let after = Model::new(Cow::Owned(table.clone()));
        let rows = collect(&played, solvers, &after, |deal, bidders, model, rows| {
            deal.gain_rows(bidders, model, round, rows);
        });
        fit_gains(&mut table, &rows, part);
    }
    table
}

/// Plays every contract of the deals.
fn play(settings: &Settings, solvers: &Solvers, progress: ProgressMode) -> Vec<Played> {
    let Settings { seed, deals, .. } = *settings;
    let meter = Meter::new(progress, deals);
    let chunks: Vec<u64> = (0..deals.div_ceil(CHUNK as u64)).collect();
    let played = solvers.map(chunks, |_, chunk| {
        let from = chunk * CHUNK as u64;
        let to = deals.min(from + CHUNK as u64);
        let deals: Vec<Played> = (from..to)
            .map(|index| {
                let in_turn = RULES[usize::try_from(index % RULES.len() as u64).unwrap_or_default()];
                Played::new(&settings.rules.unwrap_or(in_turn), seed, index)
            })
            .collect();
        meter.add(to - from);
        deals
    });
    meter.finish();
    played.into_iter().flatten().collect()
}

/// Collects rows of all deals, in their order.
fn collect<R: Send>(
    played: &[Played],
    solvers: &Solvers,
    model: &Model,
    rows: impl Fn(&Played, &mut Bidders, &mut Model, &mut Vec<R>) + Sync,
) -> Vec<R> {
    let chunks: Vec<&[Played]> = played.chunks(CHUNK).collect();
    let collected = solvers.map(chunks, |_, chunk| {
        let (mut bidders, mut model, mut of_chunk) = (Bidders::new(model), model.clone(), Vec::new());
        for deal in chunk {
            rows(deal, &mut bidders, &mut model, &mut of_chunk);
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
    let mut made: Vec<Vec<Made>> = vec![Vec::new(); SPREADS];
    for row in rows {
        made[row.input.spread].push(Made {
            mean: model.mean(&row.input),
            points: row.points,
            all_tricks: row.all_tricks,
            alone: row.alone,
        });
    }
    for (at, (spread, made)) in table.spreads.iter_mut().zip(&made).enumerate() {
        let slams = if at < SLAM_SPREADS { [0.0; 2] } else { BID_SLAMS };
        if let Some(fitted) = spread::fit(made, slams) {
            learn(&mut spread.rows, &fitted.rows, part);
        }
    }
}

/// Fits how played points come of solved ones, on the first of the deals.
fn fit_solved(table: &mut BiddingTable, played: &[Played], solvers: &Solvers) {
    let deals: Vec<&Played> = played.iter().take(played.len() / SOLVED).collect();
    let pairs = solvers.map(deals, |solver, deal| deal.solved(solver));
    let mut fits = [(); 3].map(|()| solved::Pairs::default());
    for (kind, pair) in pairs.into_iter().flatten() {
        fits[kind].add(pair);
    }
    for (solved, pairs) in table.solved.iter_mut().zip(&fits) {
        *solved = pairs.fit();
    }
}

/// Fits what melds bring: means by class.
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

/// Fits what calls gain.
fn fit_gains(table: &mut BiddingTable, rows: &[GainRow], part: f64) {
    let mut squares: Vec<_> = (0..CONTEXTS).map(|_| LeastSquares::new(TERMS)).collect();
    for row in rows {
        let line: Vec<(usize, f64)> =
            row.terms.iter().enumerate().map(|(at, term)| (at, f64::from(*term))).collect();
        squares[row.weights].add(&line, f64::from(row.gain));
    }
    for (at, squares) in squares.into_iter().enumerate() {
        // What is not known better: a bid gains what it scores over what stands, a double what it adds.
        let mut prior = [0.0; TERMS];
        prior[1] = 100.0;
        let others = [CallContext::Coinche, CallContext::Surcoinche, CallContext::Pass];
        if !others.iter().any(|other| at % CallContext::COUNT == *other as usize) {
            prior[4] = -100.0;
        }
        if let Some(weights) = squares.solve(&prior, &[HOLD_GAIN; TERMS]) {
            for (weight, fitted) in table.gains[at].iter_mut().zip(weights) {
                *weight = short(f64::from(*weight) * (1.0 - part) + part * fitted);
            }
        }
    }
}

/// A number with as many digits as the table keeps.
#[expect(clippy::cast_possible_truncation, reason = "a weight is a small number")]
fn short(weight: f64) -> f32 {
    ((weight * 100.0).round() / 100.0) as f32
}

/// Compares the chances that declarers saw with what was made, on deals of another seed.
pub(crate) fn calibrate(
    table: &BiddingTable,
    settings: &Settings,
    solvers: &Solvers,
    progress: ProgressMode,
) -> [Decile; 10] {
    let played = play(settings, solvers, progress);
    let model = Model::new(Cow::Owned(table.clone()));
    let made = collect(&played, solvers, &model, |deal, bidders, model, rows| {
        rows.extend(deal.made(bidders, model));
    });
    let mut deciles = [Decile::default(); 10];
    for (chance, made) in made {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a chance")]
        let decile = &mut deciles[((10.0 * chance) as usize).min(9)];
        decile.contracts += 1;
        decile.expected += f64::from(chance);
        decile.made += u64::from(made);
    }
    deciles
}
