//! Trains the network of the bidder `net` on the gains of calls in auctions of a population.
//!
//! In each round, auctions are bid by the current network, its versions of earlier rounds, and the bidders of
//! the population. At some turns of the network, calls are tried: the auction is completed by the same bidders,
//! each bot plays its cards, and the network learns the gain in score over a pass.

mod auctions;
mod company;

use std::sync::Arc;

use coinche_bots::net::bidding::{BiddingNetwork, CallTarget, INPUTS};
use coinche_bots::{BidStyle, BotSpec};
use coinche_engine::{Purpose, RuleSet, Secrets, Seed};
use coinche_selfplay::{Meter, ProgressMode};
use rayon::ThreadPool;

use auctions::Held;
use company::Company;

use super::descent::{self, SparseRows};
use super::{collect, in_turn};

/// The training data of the network: tried calls with their outcomes.
pub(super) type CallRows = SparseRows<u8, CallTarget>;

/// The default bidders of the population.
pub const POPULATION: [&str; 11] = [
    "table",
    "rules",
    "rules",
    "rules:caution=12",
    "rules:caution=-12",
    "rules:coinche=-20",
    "rules:coinche=20",
    "system:name=sound-beginner",
    "system:name=nimbustier-classic",
    "system:name=jack-or-nine",
    "system:name=aces-and-tens",
];

/// Number of deals that a thread takes at a time.
const CHUNK: usize = 200;
/// Number of rounds whose calls are kept: training on the last round alone oscillated.
const KEPT: usize = 4;

/// The settings of a training.
#[derive(Debug)]
pub struct Settings {
    /// The seed.
    pub seed: Seed,
    /// Deals per round.
    pub deals: u64,
    /// How many rounds.
    pub rounds: u64,
    /// The rules of the deals, in rotation.
    pub rules: Vec<RuleSet>,
    /// The bidders other than the network.
    pub population: Vec<BotSpec>,
    /// How many of them, the last ones, are systems drawn at random: half of the strangers that it meets.
    pub drawn: usize,
    /// Whether it only learns to beat these: they are always the other side, and no other bidder plays.
    pub responds: bool,
    /// What bids of the network and its earlier versions must show.
    pub style: Option<Arc<dyn BidStyle>>,
    /// The card player of the network and its earlier versions; by default half of the time `net`, half of the time `rules`.
    pub cards: Option<BotSpec>,
    /// The network to start from; by default the first round is bid by the table.
    pub from: Option<Arc<BiddingNetwork>>,
}

/// The results of a round.
#[derive(Debug, Clone, Copy)]
pub struct Round {
    /// The number of calls, including those kept of earlier rounds.
    pub calls: usize,
    /// The root of the mean squared error of gains, in points.
    pub gain: f64,
    /// The log loss of whether contracts are made.
    pub made: f64,
}

/// Trains a network; `after` gets the network of each round.
pub fn train<E>(
    settings: &Settings,
    pool: &ThreadPool,
    progress: ProgressMode,
    mut after: impl FnMut(Round, &BiddingNetwork) -> Result<(), E>,
) -> Result<(), E> {
    let secrets = Secrets::from(&settings.seed);
    // About a fifth of the inputs are non-zero.
    let random = || descent::random(secrets, descent::float(INPUTS) / 5.0);
    let mut layers = settings.from.as_ref().map_or_else(random, |network| network.layers.clone());
    let mut network = settings.from.clone();
    // Earlier versions are opponents too: beating only the last one would oscillate.
    let mut past: Vec<Arc<BiddingNetwork>> = network.iter().cloned().collect();
    // By chunks of deals, as many in each round.
    let mut kept: Vec<CallRows> = Vec::new();
    let meter = Meter::new(progress, settings.deals * settings.rounds);
    for round in 0..settings.rounds {
        let company = || Company::new(network.clone(), &past, settings);
        let deals = round * settings.deals..(round + 1) * settings.deals;
        let bid = collect(&deals, CHUNK, pool, &meter, company, |company, index, rows| {
            Held::new(company, in_turn(&settings.rules, index), secrets, index).rows(company, rows);
        });
        kept.drain(..kept.len().saturating_sub((KEPT - 1) * bid.len()));
        kept.extend(bid);
        let key = secrets.key(Purpose::Experiment, round, 1);
        let (calls, loss) = descent::fit(&mut layers, &kept, descent::PACE, key, pool);
        let learnt = Round { calls, gain: 100.0 * loss.mean(0).sqrt(), made: loss.mean(1) };
        let fitted = Arc::new(BiddingNetwork { layers: layers.clone() });
        after(learnt, &fitted)?;
        if round % 2 == 1 {
            past.push(Arc::clone(&fitted));
        }
        network = Some(fitted);
    }
    meter.finish();
    Ok(())
}
