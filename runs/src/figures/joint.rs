//! What is said of more than two bots together: one rating, how sure it is, and what is worth playing.

use coinche_engine::{Purpose, Secrets};
use coinche_selfplay::play::schedule::Unit;
use coinche_selfplay::play::tally::Tally;
use serde::{Deserialize, Serialize};

use coinche_inference::{
    Blocks, Bootstrap, BradleyTerry, Covariance, Estimate, MatchCounts, NashAverage, PairedSums, Pairing,
    holm, intransitive_triples, nash_average, pseudo_variance_of_mean, rate,
};

use crate::config::RunConfig;
use crate::covariance::BlockSums;
use crate::totals::Totals;

/// The level of all intervals.
const LEVEL: f64 = 0.95;
/// How often the blocks are drawn.
const DRAWS: usize = 1000;

/// The figures of all bots together.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JointFigures {
    /// By bot.
    pub bots: Vec<JointBot>,
    /// By pairing, in the order of `pairings`.
    pub pairings: Vec<JointPairing>,
    /// The chance of pairings that fit one rating no better, when there is one: a lack-of-fit test.
    pub fit: Option<f64>,
    /// Triples of bots with each ahead of the next and the last ahead of the first, by number from 0. Every
    /// difference is clear of 0 at a level of 95 % that is divided among the pairings (Bonferroni).
    pub intransitive: Vec<[usize; 3]>,
    /// The blocks of deals and the draws of the bootstrap.
    pub bootstrap: Option<[usize; 2]>,
}

/// The figures of one bot among all.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct JointBot {
    /// The bot.
    pub bot: String,
    /// Points above the mean of all: least squares on the pairings.
    pub rating: f64,
    /// Half the width of its 95 % interval, from the covariance of the pairings over deals.
    pub half_width: f64,
    /// The 95 % interval of the bootstrap over blocks of deals.
    pub bootstrap: Option<[f64; 2]>,
    /// The share of draws in which the bot is rated best.
    pub best: Option<f64>,
    /// In matches: Elo above the mean of all, and half the width of its 95 % interval (Bradley–Terry).
    pub elo: Option<[f64; 2]>,
    /// The weight in the Nash average, where every bot has met every other.
    pub nash_weight: Option<f64>,
    /// The expected difference against the Nash average, at most 0.
    pub nash_skill: Option<f64>,
}

/// How sure the difference of a pairing is.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct JointPairing {
    /// The number of bot A, from 0.
    pub a: usize,
    /// The number of bot B.
    pub b: usize,
    /// The chance of a difference at least as large when there is none, either way.
    pub p: f64,
    /// The same, corrected for the number of pairings (Holm 1979).
    pub holm: f64,
}

/// By pairing, the mean square of a leg's difference.
fn leg_squares(totals: &Totals, sums: impl Fn(&Tally) -> &PairedSums) -> Vec<f64> {
    totals.tallies.iter().map(|tally| sums(tally).leg_square().unwrap_or(0.0)).collect()
}

/// The covariance of the means of the pairings, from the exact sums over deals, with the pseudo-pairs.
#[expect(clippy::cast_precision_loss, reason = "averages are rounded once, here")]
fn covariance(totals: &Totals) -> Covariance {
    let joint = &totals.covariance;
    let n = i128::from(totals.pairs());
    let scale = 4.0 * (n as f64).powi(2) * (n - 1) as f64;
    let legs = leg_squares(totals, |tally| &tally.points);
    let cell = |p: usize, q: usize| {
        let pseudo = if p == q { pseudo_variance_of_mean(legs[p], n as f64) } else { 0.0 };
        (n * joint.product(p, q) - joint.sum(p) * joint.sum(q)) as f64 / scale + pseudo
    };
    let pairings = joint.encounters();
    Covariance {
        of_means: (0..pairings).map(|p| (0..pairings).map(|q| cell(p, q)).collect()).collect(),
        degrees: (n - 1) as f64,
    }
}

/// The blocks of deals with some sums of each.
fn blocks(
    config: &RunConfig,
    totals: &Totals,
    leg_squares: &[f64],
    sums: impl Fn(&BlockSums) -> Vec<i128>,
) -> Option<Blocks> {
    let ends: Vec<_> = totals.encounters.iter().map(|encounter| [encounter.a, encounter.b]).collect();
    let mut blocks = Blocks::new(config.bots.len(), &ends).ok()?;
    blocks.set_leg_squares(leg_squares).ok()?;
    for block in totals.covariance.blocks() {
        blocks.push(block.deals, &sums(block)).ok()?;
    }
    Some(blocks)
}

fn bootstrap(config: &RunConfig, totals: &Totals) -> Option<Bootstrap> {
    let legs = leg_squares(totals, |tally| &tally.points);
    let blocks =
        blocks(config, totals, &legs, |block| block.doubled.iter().map(|sum| (*sum).into()).collect())?;
    let key = Secrets::from(&config.seed).key(Purpose::Experiment, 0, 0);
    blocks.bootstrap(DRAWS, key.bits(), LEVEL).ok()
}

fn bradley_terry(config: &RunConfig, totals: &Totals) -> Option<BradleyTerry> {
    if config.unit != Unit::Match {
        return None;
    }
    let counts = totals.encounters.iter().zip(&totals.tallies).map(|(encounter, tally)| MatchCounts {
        a: encounter.a,
        b: encounter.b,
        wins: tally.sides[0].matches_won,
        losses: tally.sides[1].matches_won,
        draws: tally.drawn,
    });
    let legs = leg_squares(totals, |tally| &tally.wins);
    let won = |block: &BlockSums| block.won.iter().map(|[a, b]| i128::from(*a) - i128::from(*b)).collect();
    let covariance = blocks(config, totals, &legs, won)?.covariance().ok();
    BradleyTerry::fit(config.bots.len(), &counts.collect::<Vec<_>>(), covariance.as_ref(), LEVEL).ok()
}

fn nash(config: &RunConfig, totals: &Totals) -> Option<NashAverage> {
    let bots = config.bots.len();
    let cell = |bot, other| {
        if bot == other { Some(0.0) } else { totals.between(bot, other).map(|estimate| estimate.mean) }
    };
    let rows: Option<Vec<Vec<f64>>> =
        (0..bots).map(|bot| (0..bots).map(|other| cell(bot, other)).collect()).collect();
    nash_average(&rows?).ok()
}

impl JointFigures {
    /// Computes the figures; `None` of fewer than two deals.
    pub fn new(config: &RunConfig, totals: &Totals) -> Option<Self> {
        let estimates: Vec<_> =
            totals.tallies.iter().map(|tally| tally.points.estimate()).collect::<Option<_>>()?;
        let pairings: Vec<Pairing> = totals
            .encounters
            .iter()
            .zip(&estimates)
            .map(|(encounter, estimate)| Pairing::new(encounter.a, encounter.b, estimate))
            .collect::<Option<_>>()?;
        let ratings = rate(config.bots.len(), &pairings, Some(&covariance(totals)), LEVEL).ok()?;
        let p_values: Vec<f64> = estimates.iter().map(Estimate::p_value).collect::<Option<_>>()?;
        let corrected = holm(&p_values);
        let (bootstrap, nash) = (bootstrap(config, totals), nash(config, totals));
        let elo = bradley_terry(config, totals);
        let bots = config.bots.iter().zip(&ratings.ratings).enumerate().map(|(n, (bot, rating))| {
            let drawn = bootstrap.as_ref().map(|bootstrap| &bootstrap.ratings[n]);
            JointBot {
                bot: bot.to_string(),
                rating: rating.rating,
                half_width: rating.half_width,
                bootstrap: drawn.map(|drawn| drawn.interval),
                best: drawn.map(|drawn| drawn.best),
                elo: elo.as_ref().map(|elo| [elo.ratings[n].elo, elo.ratings[n].half_width]),
                nash_weight: nash.as_ref().map(|nash| nash.weights[n]),
                nash_skill: nash.as_ref().map(|nash| nash.skills[n]),
            }
        });
        #[expect(clippy::cast_precision_loss, reason = "at most 256 pairings")]
        let level = 1.0 - (1.0 - LEVEL) / pairings.len() as f64;
        Some(Self {
            bots: bots.collect(),
            fit: ratings.fit,
            intransitive: intransitive_triples(config.bots.len(), &pairings, level),
            bootstrap: bootstrap.as_ref().map(|bootstrap| [bootstrap.blocks, bootstrap.draws]),
            pairings: pairings
                .iter()
                .zip(p_values.iter().zip(corrected))
                .map(|(pairing, (p, holm))| JointPairing { a: pairing.a, b: pairing.b, p: *p, holm })
                .collect(),
        })
    }
}
