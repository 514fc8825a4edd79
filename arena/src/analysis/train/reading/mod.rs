//! Trains the networks that read calls and cards: by what bots of a population did.

mod rows;

use coinche_bots::net::Loss;
use coinche_bots::net::bidding::RuleNumbers;
use coinche_bots::net::reading::{Moment, Population};
use coinche_bots::{Bot, BotSpec, Choice};
use coinche_engine::{BySeat, Deal, DealState, Deck, Key, Purpose, RuleSet, Seat, Secrets, Seed, Team, Turn};
use coinche_selfplay::base::progress::{Meter, ProgressMode};
use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::cards::RULES;
use super::descent::{self, Pace};
use rows::ChoiceRows;

/// The bidders of the population where none are named.
pub(crate) const BIDDERS: [&str; 13] = [
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

/// The card players of the population.
pub(crate) const PLAYERS: [&str; 6] =
    ["rules", "rules", "net", "net", "pimc:worlds=10,model=rules", "pimc:worlds=10,read=none"];

/// Of how many auctions one is played: it takes far longer.
const PLAYED: u64 = 8;
/// How many deals a thread takes at a time.
const CHUNK: u64 = 400;
const PACE: Pace = Pace { times: 2, batch: 1024, part: 256, rates: [2e-3, 3e-5], warm: 100 };

/// What the networks are trained on.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) seed: Seed,
    pub(crate) deals: u64,
    /// The rules of all deals; without them those of [`RULES`] in turn.
    pub(crate) rules: Option<RuleSet>,
    pub(crate) bidders: Vec<BotSpec>,
    pub(crate) players: Vec<BotSpec>,
}

impl Settings {
    /// The rules that are played by, in turn.
    pub(crate) fn rules(&self) -> Vec<RuleSet> {
        self.rules.map_or_else(|| RULES.to_vec(), |rules| vec![rules])
    }

    /// Which of the bidders can bid under these rules.
    pub(crate) fn able(&self, rules: &RuleSet) -> Vec<usize> {
        (0..self.bidders.len()).filter(|n| self.bidders[*n].check_rules(rules).is_ok()).collect()
    }
}

/// The bots of a thread.
struct Table {
    bidders: Vec<Bot>,
    /// Which of them can bid, by rules.
    able: Vec<Vec<usize>>,
    players: Vec<Bot>,
}

/// Trains the networks; returns them, with how many calls and cards were learnt from, and the losses.
pub(crate) fn train(
    settings: &Settings,
    pool: &ThreadPool,
    progress: ProgressMode,
) -> (Population, [(usize, Loss); 2]) {
    let secrets = Secrets::from(&settings.seed);
    let [calls, cards] = deals(settings, secrets, pool, &Meter::new(progress, settings.deals));
    let mut layers =
        Population { calls: descent::random(secrets, 30.0), cards: descent::random(secrets, 60.0) };
    let key = |n: u64| secrets.key(Purpose::Experiment, 0, 10 + n);
    let learnt = [
        descent::fit(&mut layers.calls, &[calls], PACE, key(0), pool),
        descent::fit(&mut layers.cards, &[cards], PACE, key(1), pool),
    ];
    (layers, learnt)
}

/// Holds the auctions and plays some of the deals.
fn deals(settings: &Settings, secrets: Secrets, pool: &ThreadPool, meter: &Meter) -> [ChoiceRows; 2] {
    let chunks: Vec<u64> = (0..settings.deals.div_ceil(CHUNK)).collect();
    let build = |bots: &[BotSpec]| bots.iter().map(BotSpec::build).collect();
    let rules = settings.rules();
    let able: Vec<Vec<usize>> = rules.iter().map(|rules| settings.able(rules)).collect();
    let table =
        || Table { bidders: build(&settings.bidders), able: able.clone(), players: build(&settings.players) };
    let chunk = |table: &mut Table, chunk: u64| {
        let (from, to) = (chunk * CHUNK, settings.deals.min((chunk + 1) * CHUNK));
        let mut rows = <[ChoiceRows; 2]>::default();
        for index in from..to {
            let turn = usize::try_from(index % rules.len() as u64).unwrap_or_default();
            table.play(&rules[turn], turn, secrets, index, &mut rows);
        }
        meter.add(to - from);
        rows
    };
    let parts: Vec<[ChoiceRows; 2]> =
        pool.install(|| chunks.into_par_iter().with_max_len(1).map_init(table, chunk).collect());
    meter.finish();
    let mut all = <[ChoiceRows; 2]>::default();
    for part in parts {
        all.iter_mut().zip(part).for_each(|(all, part)| all.extend(part));
    }
    all
}

impl Table {
    /// Plays a deal of bidders and players drawn from the population, those of a side mostly alike, and adds what each did.
    fn play(
        &mut self,
        rules: &RuleSet,
        turn: usize,
        secrets: Secrets,
        index: u64,
        rows: &mut [ChoiceRows; 2],
    ) {
        let dealer = Seat::from_index(usize::try_from(index / 16 % 4).unwrap_or_default());
        let deal = Deal::new(&rules.deal, Deck::shuffled(secrets, index), dealer);
        let key = secrets.key(Purpose::Experiment, index, 0);
        let able = &self.able[turn];
        let bidders = seats(key.and(1), able.len()).map(|n| able[n]);
        let players = seats(key.and(2), self.players.len());
        let numbers = RuleNumbers::new(rules);
        let mut state = DealState::new(rules, &deal);
        self.bidders.iter_mut().chain(&mut self.players).for_each(Bot::start);
        let mut count = 0u64;
        loop {
            count += 1;
            let key = key.and(3).and(count);
            let (seat, choice) = match state.turn() {
                Turn::Call(seat) => {
                    let bidder = &mut self.bidders[bidders[seat]].bidder;
                    (seat, Choice::Call(bidder.call(&state.view(seat), &state.legal_calls(), key)))
                }
                Turn::Play(seat) if index.is_multiple_of(PLAYED) => {
                    let player = &mut self.players[players[seat]].player;
                    (seat, Choice::Card(player.play(&state, seat, state.legal_plays(), key)))
                }
                _ => break,
            };
            let before = state.clone();
            let (place, is_legal) = match choice {
                Choice::Call(call) => (0, state.call(call).is_ok()),
                Choice::Card(card) => (1, state.play(card).is_ok()),
            };
            if !is_legal {
                break;
            }
            if let Some((input, target)) = Moment::new(before, seat, choice).row(&numbers) {
                rows[place].push(&input, target);
            }
        }
    }
}

/// Which of so many bots has each seat: all the same, each another, or those of a side alike.
fn seats(key: Key, bots: usize) -> BySeat<usize> {
    let bot = |at: u64| key.and(at).below(bots);
    let kind = key.below(4);
    BySeat::from_fn(|seat: Seat| match kind {
        0 => bot(10),
        1 => bot(10 + seat as u64),
        _ => bot(10 + u64::from(seat.team() == Team::Odd)),
    })
}
