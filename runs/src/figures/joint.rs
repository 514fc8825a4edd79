//! What is said of more than two bots together: one rating, how sure it is, and what is worth playing.

use coinche_engine::{Purpose, Secrets};
use coinche_selfplay::{Tally, Unit};
use serde::{Deserialize, Serialize};

use coinche_inference::{
    Blocks, Bootstrap, BradleyTerry, Covariance, Estimate, MatchCounts, NashAverage, PairedSums, Pairing,
    Rating, Ratings, StatsError, holm, intransitive_triples, nash_average, rate,
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
    /// Half the width of its 95 % interval, from the covariance of the pairings over deals; `None` where it has none.
    pub half_width: Option<f64>,
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

/// By pairing, what the interval adds to the variance of the mean.
fn added(totals: &Totals, sums: impl Fn(&Tally) -> &PairedSums) -> Vec<f64> {
    let estimates = totals.tallies.iter().map(|tally| sums(tally).estimate());
    estimates.map(|estimate| estimate.map_or(0.0, |estimate| estimate.added_variance())).collect()
}

/// The covariance of the means of the pairings, from the exact sums over deals, with what the intervals add.
fn covariance(totals: &Totals) -> Covariance {
    let joint = &totals.covariance;
    let n = i128::from(totals.pairs());
    let scale = 4.0 * (n as f64).powi(2) * (n - 1) as f64;
    let added = added(totals, |tally| &tally.points);
    let cell = |p: usize, q: usize| {
        let more = if p == q { added[p] } else { 0.0 };
        (n * joint.product(p, q) - joint.sum(p) * joint.sum(q)) as f64 / scale + more
    };
    let pairings = joint.encounters();
    Covariance {
        of_means: (0..pairings).map(|p| (0..pairings).map(|q| cell(p, q)).collect()).collect(),
        degrees: (n - 1) as f64,
    }
}

/// Returns twice the sums of the paired differences of a block, by pairing.
fn points_of(block: &BlockSums) -> Vec<i128> {
    block.doubled.iter().copied().map(i128::from).collect()
}

/// Returns the legs of matches of a block that A won less those that B won, by pairing.
fn wins_of(block: &BlockSums) -> Vec<i128> {
    block.won.iter().map(|[a, b]| i128::from(*a) - i128::from(*b)).collect()
}

/// Gathers some sums of blocks of deals, with what is added to the variances of the means of the pairings.
fn blocks(
    config: &RunConfig,
    totals: &Totals,
    legs: impl Fn(&Tally) -> &PairedSums,
    sums: fn(&BlockSums) -> Vec<i128>,
) -> Option<Blocks> {
    let ends: Vec<_> = totals.encounters.iter().map(|encounter| [encounter.a, encounter.b]).collect();
    let mut blocks = Blocks::new(config.bots.len(), &ends).ok()?;
    blocks.set_added(&added(totals, legs)).ok()?;
    for block in totals.covariance.blocks() {
        blocks.push(block.deals, &sums(block)).ok()?;
    }
    Some(blocks)
}

fn bootstrap(config: &RunConfig, totals: &Totals) -> Option<Bootstrap> {
    let blocks = blocks(config, totals, |tally| &tally.points, points_of)?;
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
    let covariance = blocks(config, totals, |tally| &tally.wins, wins_of)?.covariance().ok();
    BradleyTerry::fit(config.bots.len(), &counts.collect::<Vec<_>>(), covariance.as_ref(), LEVEL).ok()
}

/// Returns the Nash average of bots, given the mean difference of every two that met; `None` unless all of them did.
///
/// # Errors
///
/// When a difference is not the reverse of that from the other side.
pub fn nash(
    bots: usize,
    between: impl Fn(usize, usize) -> Option<f64>,
) -> Result<Option<NashAverage>, StatsError> {
    let cell = |bot, other| if bot == other { Some(0.0) } else { between(bot, other) };
    let rows = (0..bots).map(|bot| (0..bots).map(|other| cell(bot, other)).collect());
    rows.collect::<Option<Vec<Vec<f64>>>>().map(|rows| nash_average(&rows)).transpose()
}

/// Gathers the figures by bot.
fn joint_bots(
    names: impl Iterator<Item = String>,
    ratings: &Ratings,
    bootstrap: Option<&Bootstrap>,
    elo: Option<&BradleyTerry>,
    nash: Option<&NashAverage>,
) -> Vec<JointBot> {
    let bot = |(n, (bot, rating)): (usize, (String, &Rating))| {
        let drawn = bootstrap.map(|bootstrap| &bootstrap.ratings[n]);
        let half_width = Some(rating.half_width).filter(|half| *half > 0.0);
        JointBot {
            bot,
            // Adding zero makes −0 a 0.
            rating: rating.rating + 0.0,
            half_width,
            bootstrap: drawn.map(|drawn| drawn.interval).filter(|_| half_width.is_some()),
            best: drawn.map(|drawn| drawn.best),
            elo: elo.map(|elo| [elo.ratings[n].elo, elo.ratings[n].half_width]),
            nash_weight: nash.map(|nash| nash.weights[n]),
            nash_skill: nash.map(|nash| nash.skills[n]),
        }
    };
    names.zip(&ratings.ratings).enumerate().map(bot).collect()
}

impl JointFigures {
    /// Computes the figures; `None` of fewer than two deals.
    pub fn new(config: &RunConfig, totals: &Totals) -> Option<Self> {
        let estimates: Vec<_> =
            totals.tallies.iter().map(|tally| tally.points.estimate()).collect::<Option<_>>()?;
        let met = totals.encounters.iter().zip(&totals.tallies);
        let pairings: Vec<Pairing> = met
            .map(|(encounter, tally)| Pairing::of_sums(encounter.a, encounter.b, &tally.points))
            .collect::<Option<_>>()?;
        let ratings = rate(config.bots.len(), &pairings, Some(&covariance(totals)), LEVEL).ok()?;
        let p_values: Vec<f64> = estimates.iter().map(Estimate::p_value).collect::<Option<_>>()?;
        let corrected = holm(&p_values);
        let bootstrap = bootstrap(config, totals);
        let between = |bot, other| Some(totals.between(bot, other)?.mean);
        let nash = nash(config.bots.len(), between).ok().flatten();
        let elo = bradley_terry(config, totals);
        let names = config.bots.iter().map(ToString::to_string);
        let bots = joint_bots(names, &ratings, bootstrap.as_ref(), elo.as_ref(), nash.as_ref());
        let level = 1.0 - (1.0 - LEVEL) / pairings.len() as f64;
        Some(Self {
            bots,
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
