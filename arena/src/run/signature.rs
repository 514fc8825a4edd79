//! One number that stands for the behaviour of engine, bots and arena.

use coinche_bots::{ParseBotError, Registry};
use coinche_engine::{Outcome, RuleSet};
use coinche_selfplay::base::hash::Fnv;
use coinche_selfplay::play::played::{Ending, PlayedDeal, Scribe};
use coinche_selfplay::play::schedule::{Schedule, Unit};
use coinche_selfplay::play::table::Table;

/// Deals and matches of each preset and pair of bots that are part of it.
const DEALS: u64 = 200;
const MATCHES: u64 = 2;

struct Signature(Fnv);

impl Signature {
    fn add(&mut self, bytes: &[u8]) {
        self.0.add(bytes);
    }
}

impl Scribe for Signature {
    /// Adds what was dealt, said, played and scored; not how it is written.
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
        self.add(&deal.faults.len().to_le_bytes());
    }
}

/// Returns the signature: a hash over the results of fixed deals and matches under every preset, played by
/// the bots `random` and `rules`. It changes when behaviour does, and not otherwise.
///
/// # Errors
///
/// When one of the bots is not in the registry.
pub fn signature() -> Result<u64, ParseBotError> {
    let registry = Registry::builtin();
    let [random, rules] = [registry.parse("random")?, registry.parse("rules")?];
    let mut signature = Signature(Fnv::new());
    for (_, preset) in RuleSet::PRESETS {
        for bots in [
            [random.clone(), random.clone()],
            [rules.clone(), random.clone()],
            [rules.clone(), rules.clone()],
        ] {
            for (unit, pairs) in [(Unit::Deal, DEALS), (Unit::Match, MATCHES)] {
                let mut table =
                    Table::new(&preset, Schedule { secrets: 1.into(), unit, pairs }, bots.clone());
                for index in 0..pairs {
                    table.play_pair(index, &mut signature);
                }
            }
        }
    }
    Ok(signature.0.0)
}
