//! Trains the network of the card player `net`: by what cards are worth in deals of a population.
//!
//! `deals` plays the deals, `rows` has what is learnt from them. It is learnt at once, or written by `dataset` and learnt from files.

pub mod dataset;
mod deals;
mod parquet;
mod rows;
#[cfg(test)]
mod tests;

use core::ops::Range;
use std::sync::Arc;

use clap::ValueEnum;
use coinche_bots::BotSpec;
use coinche_bots::net::Loss;
use coinche_bots::net::cards::{CardLayers, CardNetwork};
use coinche_engine::{Purpose, RuleSet, Secrets, Seed};
use coinche_selfplay::base::{Meter, ProgressMode};
use rayon::ThreadPool;

use super::descent::{self, Pace};
use super::{collect, in_turn};
use dataset::Loaded;
use deals::Players;
use rows::CardRows;

/// The bots of the population where none are named.
pub const POPULATION: [&str; 10] =
    ["net", "net", "net", "rules", "rules", "table", "rules:caution=12", "rules:caution=-12", "net", "table"];

/// How many deals a thread takes at a time.
const CHUNK: usize = 100;
/// Of how many rounds the positions are kept.
const KEPT: usize = 4;
const PACE: Pace = Pace { times: 1, batch: 2048, part: 512, rates: [1.5e-3, 3e-5], warm: 100 };

/// Who plays a deal out after each card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Policy {
    /// The card player rules: microseconds for a whole deal
    Rules,
    /// The network of --from: several times as long
    Net,
}

impl Policy {
    /// Its name.
    pub const fn name(self) -> &'static str {
        ["rules", "net"][self as usize]
    }
}

/// How it is found out what cards are worth.
#[derive(Debug, Clone, Copy)]
pub struct Trials {
    /// Who plays the deal out after each card.
    pub policy: Policy,
    /// How many tricks are finished where cards are solved, too: before, that takes longest.
    pub solved_from: u8,
}

/// What a network is trained on.
#[derive(Debug)]
pub struct Settings {
    /// The seed.
    pub seed: Seed,
    /// Of each round.
    pub deals: u64,
    /// How many rounds.
    pub rounds: u64,
    /// How many of the rounds, the last, have cards played out by the network.
    pub net_rounds: u64,
    /// How cards are tried in the others, and in rows that are written.
    pub trials: Trials,
    /// The rules of the deals, in rotation.
    pub rules: Vec<RuleSet>,
    /// Who bids.
    pub population: Vec<BotSpec>,
    /// The network that training starts from.
    pub from: Option<Arc<CardNetwork>>,
}

/// What was learnt in a round.
#[derive(Debug, Clone, Copy)]
pub struct Round {
    /// From how many positions, those kept of earlier rounds included.
    pub positions: usize,
    /// How far the network was off.
    pub off: Off,
}

/// How far a network is off.
#[derive(Debug, Clone, Copy)]
pub struct Off {
    /// The root of the mean squared error of what cards are worth more than the mean, in points: solved, and played out.
    pub values: [f64; 2],
    /// The log loss of which card is played.
    pub played: f64,
}

impl Off {
    fn of(loss: Loss) -> Self {
        Self { values: [0, 1].map(|head| 100.0 * loss.mean(head).sqrt()), played: loss.mean(2) }
    }
}

/// Trains a network; `after` is given that of each round.
pub fn train<E>(
    settings: &Settings,
    pool: &ThreadPool,
    progress: ProgressMode,
    mut after: impl FnMut(Round, &CardNetwork) -> Result<(), E>,
) -> Result<(), E> {
    let secrets = Secrets::from(&settings.seed);
    let mut layers =
        settings.from.as_ref().map_or_else(|| random(secrets), |network| network.layers().clone());
    let mut network = settings.from.clone();
    // By chunks of deals, as many in each round.
    let mut kept: Vec<CardRows> = Vec::new();
    let meter = Meter::new(progress, settings.deals * settings.rounds);
    for round in 0..settings.rounds {
        let deals = round * settings.deals..(round + 1) * settings.deals;
        let mut trials = settings.trials;
        if settings.rounds - round <= settings.net_rounds {
            trials.policy = Policy::Net;
        }
        if settings.rounds - round == settings.net_rounds {
            // What the cards were worth to others is not learnt any more.
            kept.clear();
        }
        let played = play(settings, trials, 0.0, &deals, network.as_ref(), pool, &meter);
        kept.drain(..kept.len().saturating_sub((KEPT - 1) * played.len()));
        kept.extend(played);
        if round == 0 && settings.from.is_none() {
            descent::centre(&mut layers, &kept);
        }
        let key = secrets.key(Purpose::Experiment, round, 1);
        let (positions, loss) = descent::fit(&mut layers, &kept, PACE, key, pool);
        let fitted = Arc::new(CardNetwork::new(layers.clone()));
        after(Round { positions, off: Off::of(loss) }, &fitted)?;
        network = Some(fitted);
    }
    meter.finish();
    Ok(())
}

/// How it is learnt.
#[derive(Debug)]
pub struct Fit {
    /// The seed.
    pub seed: Seed,
    /// How often each row is looked at.
    pub passes: usize,
    /// The network to start from; without it the weights are random.
    pub from: Option<Arc<CardNetwork>>,
}

/// What was learnt in a pass over the rows.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// How far the network was off while it learned.
    pub learning: Off,
    /// How far it is off after that in deals that are held out, where there are any.
    pub held_out: Option<Off>,
}

/// Trains a network; `after` is given that of each pass.
///
/// One pass over the rows of a seed gives the weights that [`train`] has after one round of it.
pub fn fit<E>(
    fit: &Fit,
    rows: &Loaded,
    pool: &ThreadPool,
    mut after: impl FnMut(Pass, &CardNetwork) -> Result<(), E>,
) -> Result<(), E> {
    let secrets = Secrets::from(&fit.seed);
    let mut layers = fit.from.as_ref().map_or_else(|| random(secrets), |network| network.layers().clone());
    if fit.from.is_none() {
        descent::centre(&mut layers, &rows.learnt);
    }
    let pace = Pace { times: fit.passes, ..PACE };
    let key = secrets.key(Purpose::Experiment, 0, 1);
    descent::passes(&mut layers, &rows.learnt, pace, key, pool, |_, loss, layers| {
        let is_any = rows.held_out.iter().any(|rows| !rows.choices.is_empty());
        let held_out = is_any.then(|| Off::of(descent::losses(layers, &rows.held_out, pool)));
        let network = CardNetwork::new(layers.clone());
        after(Pass { learning: Off::of(loss), held_out }, &network)
    })?;
    Ok(())
}

/// Returns a network to begin with.
fn random(secrets: Secrets) -> CardLayers {
    // Some dozens of inputs are not zero.
    descent::random(secrets, 70.0)
}

/// Plays deals, and returns the choices in them; a share of the deals is held out.
fn play(
    settings: &Settings,
    trials: Trials,
    held_out: f64,
    deals: &Range<u64>,
    network: Option<&Arc<CardNetwork>>,
    pool: &ThreadPool,
    meter: &Meter,
) -> Vec<CardRows> {
    let secrets = Secrets::from(&settings.seed);
    let players = || Players::new(&settings.population, network, trials, held_out);
    collect(deals, CHUNK, pool, meter, players, |players, index, rows| {
        players.rows(in_turn(&settings.rules, index), secrets, index, rows);
    })
}
