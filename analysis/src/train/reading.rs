//! Trains the network that interprets calls, on the calls of bidders of a population.

use coinche_bots::net::Loss;
use coinche_bots::net::bidding::RuleNumbers;
use coinche_bots::net::reading::{ChoiceTarget, Moment, Population};
use coinche_bots::{Bot, BotSpec};
use coinche_engine::{BySeat, DealState, Key, Purpose, RuleSet, Seat, Secrets, Seed, Team, Turn};
use coinche_selfplay::{Meter, ProgressMode};
use rayon::ThreadPool;

use super::descent::{self, Pace, SparseRows};
use super::{collect, dealt};

/// The training data of the network: calls chosen among others.
type ChoiceRows = SparseRows<u16, ChoiceTarget>;

/// The default bidders of the population.
pub const BIDDERS: [&str; 13] = [
    "net",
    "net",
    "net",
    "table",
    "table",
    "rules",
    "rules",
    "rules:caution=12",
    "rules:caution=-12",
    "rules:coinche=-20",
    "system:name=sound-beginner",
    "system:name=nimbustier-classic",
    "system:name=jack-or-nine",
];

/// Number of deals that a thread takes at a time.
const CHUNK: usize = 400;
const PACE: Pace = Pace { times: 2, batch: 1024, part: 256, rates: [2e-3, 3e-5], warm: 100 };

/// What the network is trained on.
#[derive(Debug)]
pub struct Settings {
    /// The seed.
    pub seed: Seed,
    /// How many deals.
    pub deals: u64,
    /// The rules of the deals, in rotation.
    pub rules: Vec<RuleSet>,
    /// Who bids.
    pub bidders: Vec<BotSpec>,
}

impl Settings {
    /// Returns the bidders that support these rules.
    pub fn able(&self, rules: &RuleSet) -> Vec<usize> {
        (0..self.bidders.len()).filter(|n| self.bidders[*n].check_rules(rules).is_ok()).collect()
    }
}

/// Trains the network; returns it with the number of calls and the losses.
pub fn train(settings: &Settings, pool: &ThreadPool, progress: ProgressMode) -> (Population, (usize, Loss)) {
    let secrets = Secrets::from(&settings.seed);
    let calls = auctions(settings, secrets, pool, &Meter::new(progress, settings.deals));
    let mut layers = descent::random(secrets, 30.0);
    let learnt = descent::fit(&mut layers, &calls, PACE, secrets.key(Purpose::Experiment, 0, 10), pool);
    (Population { layers }, learnt)
}

/// Bids the auctions.
fn auctions(settings: &Settings, secrets: Secrets, pool: &ThreadPool, meter: &Meter) -> Vec<ChoiceRows> {
    let able: Vec<Vec<usize>> = settings.rules.iter().map(|rules| settings.able(rules)).collect();
    let bidders = || settings.bidders.iter().map(BotSpec::build).collect::<Vec<_>>();
    let parts = collect(&(0..settings.deals), CHUNK, pool, meter, bidders, |bidders, index, rows| {
        let turn = usize::try_from(index % able.len() as u64).unwrap_or_default();
        hold(bidders, &able[turn], &settings.rules[turn], (secrets, index), rows);
    });
    meter.finish();
    parts
}

/// Bids an auction with bidders drawn from the population, mostly the same for both partners, and adds each
/// call.
fn hold(
    bots: &mut [Bot],
    able: &[usize],
    rules: &RuleSet,
    (secrets, index): (Secrets, u64),
    rows: &mut ChoiceRows,
) {
    let deal = dealt(rules, secrets, index);
    let key = secrets.key(Purpose::Experiment, index, 0);
    let bidders = seats(key.and(1), able.len()).map(|n| able[n]);
    let numbers = RuleNumbers::new(rules);
    let mut state = DealState::new(rules, &deal);
    bots.iter_mut().for_each(Bot::start);
    let mut count = 0u64;
    while let Turn::Call(seat) = state.turn() {
        count += 1;
        let key = key.and(3).and(count);
        let bidder = &mut bots[bidders[seat]].bidder;
        let call = bidder.call(&state.view(seat), &state.legal_calls(), key);
        let before = state.clone();
        if state.call(call).is_err() {
            break;
        }
        if let Some((input, target)) = Moment::new(before, seat, call).row(&numbers) {
            rows.push(&input, target);
        }
    }
}

/// Draws the bot of each seat among this many: all the same, all different, or the same for partners.
fn seats(key: Key, bots: usize) -> BySeat<usize> {
    let bot = |at: u64| key.and(at).below(bots);
    let kind = key.below(4);
    BySeat::from_fn(|seat: Seat| match kind {
        0 => bot(10),
        1 => bot(10 + seat as u64),
        _ => bot(10 + u64::from(seat.team() == Team::Odd)),
    })
}
