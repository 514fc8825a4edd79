//! Trains the network of the card player `net`: by what cards are worth in deals of a population.

mod deals;
mod rows;

use std::collections::VecDeque;
use std::sync::Arc;

use coinche_bots::BotSpec;
use coinche_bots::net::cards::CardNetwork;
use coinche_engine::{Purpose, RuleSet, Secrets, Seed};
use coinche_selfplay::base::progress::{Meter, ProgressMode};
use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::descent::{self, Pace};
use deals::Players;
use rows::CardRows;

/// Which rules the deals are played by, in turn.
pub(crate) const RULES: [RuleSet; 12] = [
    RuleSet::BGA,
    RuleSet::CONTREE,
    RuleSet::BGA,
    RuleSet::CONTREE,
    RuleSet::COINCHEE,
    RuleSet::BGA,
    RuleSet::CONTREE,
    RuleSet::COINCHE_MELDS,
    RuleSet::BGA_JA,
    RuleSet::COINCHE,
    RuleSet::BELOTE,
    RuleSet::BELOTE_MELDS,
];

/// The bots of the population where none are named.
pub(crate) const POPULATION: [&str; 10] =
    ["net", "net", "net", "rules", "rules", "table", "rules:caution=12", "rules:caution=-12", "net", "table"];

/// How many deals a thread takes at a time.
const CHUNK: u64 = 100;
/// Of how many rounds the positions are kept.
const KEPT: usize = 8;
const PACE: Pace = Pace { times: 1, batch: 2048, part: 1024, rates: [1.5e-3, 3e-5], warm: 100 };

/// What a network is trained on.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) seed: Seed,
    /// Of each round.
    pub(crate) deals: u64,
    pub(crate) rounds: u64,
    /// The rules of all deals; without them those of [`RULES`] in turn.
    pub(crate) rules: Option<RuleSet>,
    pub(crate) population: Vec<BotSpec>,
    pub(crate) from: Option<Arc<CardNetwork>>,
}

/// What was learnt in a round.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Round {
    /// From how many positions, those kept of earlier rounds included.
    pub(crate) positions: usize,
    /// The root of the mean squared error of what cards are worth more than the mean, in points: solved, and played out.
    pub(crate) off: [f64; 2],
    /// The log loss of which card is played.
    pub(crate) played: f64,
}

/// Trains a network; `after` is given that of each round.
///
/// # Errors
///
/// When `after` fails.
pub(crate) fn train<E>(
    settings: &Settings,
    pool: &ThreadPool,
    progress: ProgressMode,
    mut after: impl FnMut(Round, &CardNetwork) -> Result<(), E>,
) -> Result<(), E> {
    let secrets = Secrets::from(&settings.seed);
    // Some dozens of inputs are not zero.
    let random = || descent::random(secrets, 70.0);
    let mut layers = settings.from.as_ref().map_or_else(random, |network| network.layers.clone());
    let mut network = settings.from.clone();
    let mut kept: VecDeque<CardRows> = VecDeque::new();
    let meter = Meter::new(progress, settings.deals * settings.rounds);
    for round in 0..settings.rounds {
        kept.push_back(deals(settings, round, secrets, network.as_ref(), pool, &meter));
        if kept.len() > KEPT {
            kept.pop_front();
        }
        let key = secrets.key(Purpose::Experiment, round, 1);
        let (positions, loss) = descent::fit(&mut layers, kept.make_contiguous(), PACE, key, pool);
        let off = [0, 1].map(|head| 100.0 * loss.mean(head).sqrt());
        let fitted = Arc::new(CardNetwork { layers: layers.clone() });
        after(Round { positions, off, played: loss.mean(2) }, &fitted)?;
        network = Some(fitted);
    }
    meter.finish();
    Ok(())
}

/// Plays the deals of a round.
fn deals(
    settings: &Settings,
    round: u64,
    secrets: Secrets,
    network: Option<&Arc<CardNetwork>>,
    pool: &ThreadPool,
    meter: &Meter,
) -> CardRows {
    let first = round * settings.deals;
    let chunks: Vec<u64> = (0..settings.deals.div_ceil(CHUNK)).collect();
    let players = || Players::new(&settings.population, network);
    let chunk = |players: &mut Players, chunk: u64| {
        let (from, to) = (chunk * CHUNK, settings.deals.min((chunk + 1) * CHUNK));
        let mut rows = CardRows::default();
        for index in first + from..first + to {
            let in_turn = RULES[usize::try_from(index % RULES.len() as u64).unwrap_or_default()];
            players.rows(&settings.rules.unwrap_or(in_turn), secrets, index, &mut rows);
        }
        meter.add(to - from);
        rows
    };
    let parts = pool.install(|| chunks.into_par_iter().with_max_len(1).map_init(players, chunk).collect());
    CardRows::concat(parts)
}
