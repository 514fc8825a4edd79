//! One number that identifies the behaviour of engine, bots and arena.

use coinche_bots::{BotSpec, ParseBotError, Registry};
use coinche_engine::{Outcome, RuleSet};
use coinche_selfplay::base::hash::Fnv;
use coinche_selfplay::play::table::Table;
use coinche_selfplay::{Ending, PlayedDeal, Schedule, Scribe, Unit};

/// Deals and matches per preset and pair of bots.
const DEALS: u64 = 200;
const MATCHES: u64 = 2;

/// Bots that compute with floating point, which could differ between processors: networks, tables, models of the
/// others, searches. Each pair plays only a few deals of each preset, so that all of them take a second.
const COMPUTING: [[&str; 2]; 3] = [
    ["table+mc:worlds=8,tricks=3,policy=net", "net+alphamu:worlds=6,batch=3"],
    [
        "dd:worlds=3,pool=4,model=table+pimc:worlds=6,pool=20,model=table",
        "mc:worlds=4,pool=4,model=population+net",
    ],
    [
        "ismcts:iterations=6,pool=4+ismcts:iterations=60,worlds=6,pool=20,policy=net",
        "net+ismcts:iterations=60,worlds=6,pool=20,observer=multiple",
    ],
];
const COMPUTED: u64 = 1;

struct Signature(Fnv);

impl Signature {
    fn add(&mut self, bytes: &[u8]) {
        self.0.add(bytes);
    }

    /// Adds pairs of deals or matches.
    fn play(&mut self, rules: &RuleSet, unit: Unit, pairs: u64, bots: &[BotSpec; 2]) {
        let mut table = Table::new(rules, Schedule { secrets: 1.into(), unit, pairs }, bots.clone());
        for index in 0..pairs {
            table.play_pair(index, self);
        }
    }
}

impl Scribe for Signature {
    /// Adds what was dealt, bid, played and scored; not how it is written.
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.add(&[deal.state.deal().dealer() as u8]);
        for hand in deal.state.hands().0 {
            self.add(&hand.bits().to_le_bytes());
        }
        for (seat, call) in deal.state.auction().calls() {
            self.add(&[*seat as u8]);
            self.add(call.to_string().as_bytes());
        }
        for trick in deal.state.tricks() {
            self.add(&trick.cards.map(|card| card.index().to_le_bytes()[0]));
            self.add(&[trick.winner as u8]);
        }
        for score in deal.score.0 {
            self.add(&score.to_le_bytes());
        }
        if let Ending::Regular(Outcome::Played { result, score }) = deal.ending {
            self.add(&[u8::from(score.made)]);
            for points in result.belote.0.into_iter().chain(result.melds.0) {
                self.add(&points.to_le_bytes());
            }
        }
        self.add(&(deal.faults.len() as u64).to_le_bytes());
    }
}

/// Returns the signature: a hash of the results of fixed deals and matches under every preset, played by the bots
/// `random` and `rules`, and of fewer by bots that compute with floating point. It changes only if behaviour does, not
/// between processors.
///
/// # Errors
///
/// When one of the bots is not in the registry.
pub fn signature() -> Result<u64, ParseBotError> {
    let registry = Registry::builtin();
    let [random, rules] = [registry.parse("random")?, registry.parse("rules")?];
    let mut computing = Vec::new();
    for bots in COMPUTING {
        let [a, b] = bots.map(|bot| registry.parse(bot));
        computing.push([a?, b?]);
    }
    let mut signature = Signature(Fnv::default());
    for (_, preset) in RuleSet::PRESETS {
        for bots in [
            [random.clone(), random.clone()],
            [rules.clone(), random.clone()],
            [rules.clone(), rules.clone()],
        ] {
            for (unit, pairs) in [(Unit::Deal, DEALS), (Unit::Match, MATCHES)] {
                signature.play(&preset, unit, pairs, &bots);
            }
        }
        for bots in &computing {
            signature.play(&preset, Unit::Deal, COMPUTED, bots);
        }
    }
    Ok(signature.0.0)
}
