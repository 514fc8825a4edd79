//! One pass over the deal records: the deals that are shown, what bots forecast, and what they did wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use coinche_engine::Seat;
use coinche_engine::record::Record;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::play::tally::fault_name;
use coinche_selfplay::records::json;
use coinche_selfplay::records::label::deal_of;
use coinche_selfplay::records::lines::{next_line, open, records_in};
use memchr::memmem;
use serde::Deserialize;

use super::error::{LineError, RecordError, unreadable};

/// The number of classes of forecasts.
pub(crate) const TENTHS: usize = 10;

/// How many examples of a kind of fault are kept.
const EXAMPLES: usize = 3;

/// The forecasts of one bot.
#[derive(Debug, Clone, Default)]
pub(crate) struct Forecasts {
    /// By tenth of the chance told: how many, how many came true, the sum of the chances.
    pub(crate) tenths: [(u64, u64, f64); TENTHS],
    /// The sum of (chance − 1 or 0)².
    pub(crate) squares: f64,
}

impl Forecasts {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the number of tenths"
    )]
    pub(crate) fn add(&mut self, chance: f64, made: bool) {
        let chance = chance.clamp(0.0, 1.0);
        let tenth = ((chance * 10.0) as usize).min(TENTHS - 1);
        let (count, came_true, sum) = &mut self.tenths[tenth];
        *count += 1;
        *came_true += u64::from(made);
        *sum += chance;
        self.squares += (chance - f64::from(u8::from(made))).powi(2);
    }

    /// Returns how many there are.
    pub(crate) fn count(&self) -> u64 {
        self.tenths.iter().map(|(count, ..)| count).sum()
    }
}

/// A fault that was seen: deal, leg, what it was.
type Example = (u64, u32, String);

/// What one pass found.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// The legs of the deals that were wanted, by deal and pairing.
    pub(crate) deals: BTreeMap<(u64, usize), Vec<Record>>,
    /// The forecasts, by bot.
    pub(crate) forecasts: BTreeMap<String, Forecasts>,
    /// The first faults of each bot and kind: deal, leg, what was seen.
    pub(crate) faults: BTreeMap<(String, &'static str), Vec<Example>>,
}

/// What a bot told of a decision.
#[derive(Deserialize)]
struct Thought {
    seat: Seat,
    decision: u64,
    chance: Option<f64>,
}

/// A record with what the engine does not read.
#[derive(Deserialize)]
struct More {
    #[serde(default)]
    pairing: usize,
    #[serde(default)]
    thoughts: Vec<Thought>,
}

/// Returns the forecast that counts: the declarer's last one of the auction, else its first one of the play.
fn forecast(record: &Record, thoughts: &[Thought]) -> Option<f64> {
    let declarer = record.contract.as_ref()?.declarer;
    let calls = record.auction.iter().filter(|(seat, _)| *seat == declarer).count() as u64;
    let own = || {
        let told =
            |thought: &Thought| Some((thought.decision, thought.chance.filter(|chance| chance.is_finite())?));
        thoughts.iter().filter(|thought| thought.seat == declarer).filter_map(told)
    };
    let bidding = own().filter(|(decision, _)| *decision < calls).max_by_key(|(decision, _)| *decision);
    bidding.or_else(|| own().min_by_key(|(decision, _)| *decision)).map(|(_, chance)| chance)
}

impl Seen {
    fn add(
        &mut self,
        line: &[u8],
        wanted: &BTreeSet<u64>,
        thinks: bool,
        faulty: bool,
    ) -> Result<(), RecordError> {
        let record = json::record(line)?;
        let More { pairing, thoughts } = serde_json::from_slice(line)?;
        let bot = |seat: Seat| record.bots[seat].clone();
        if thinks
            && let (Some(chance), Some(contract), Some(made)) =
                (forecast(&record, &thoughts), &record.contract, record.made)
        {
            self.forecasts.entry(bot(contract.declarer)).or_default().add(chance, made);
        }
        if faulty {
            for fault in &record.faults {
                let examples = self.faults.entry((bot(fault.seat), fault_name(fault.kind))).or_default();
                if examples.len() < EXAMPLES {
                    examples.push((record.deal, record.leg, fault.detail.clone()));
                }
            }
        }
        if wanted.contains(&record.deal) {
            self.deals.entry((record.deal, pairing)).or_default().push(record);
        }
        Ok(())
    }
}

/// Reads the records of a run; `None` where there are none.
///
/// # Errors
///
/// When they cannot be read.
pub(super) fn read(directory: &Path, wanted: &BTreeSet<u64>) -> Result<Option<Seen>, ArenaError> {
    let Some(path) = records_in(directory) else { return Ok(None) };
    let mut input = open(&path)?;
    let has_thoughts = memmem::Finder::new("\"thoughts\":[");
    let has_faults = memmem::Finder::new("\"faults\":[{");
    let (mut seen, mut number) = (Seen::default(), 0u64);
    while let Some(line) = next_line(&mut *input).map_err(|source| ArenaError::read(&path, source))? {
        number += 1;
        let bad = |why| unreadable(&path, LineError { line: number, why });
        let Some(deal) = deal_of(&line) else {
            // A last line that was cut belongs to a run that is under way.
            if line.ends_with(b"}") {
                return Err(bad(RecordError::NoRecord));
            }
            continue;
        };
        let (thinks, faulty) = (has_thoughts.find(&line).is_some(), has_faults.find(&line).is_some());
        if thinks || faulty || wanted.contains(&deal) {
            seen.add(&line, wanted, thinks, faulty).map_err(bad)?;
        }
    }
    Ok(Some(seen))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forecasts_are_counted_by_tenths() {
        let mut forecasts = Forecasts::default();
        for (chance, made) in
            [(0.0, false), (0.05, true), (0.1, true), (0.95, true), (1.0, true), (7.0, false)]
        {
            forecasts.add(chance, made);
        }
        let counts = forecasts.tenths.map(|(count, made, _)| (count, made));
        assert_eq!((counts[0], counts[1], counts[9]), ((2, 1), (1, 1), (3, 2)));
        assert_eq!(forecasts.count(), 6);
        let squares = 0.0 + 0.95f64.powi(2) + 0.9f64.powi(2) + 0.05f64.powi(2) + 0.0 + 1.0;
        assert!((forecasts.squares - squares).abs() < 1e-12);
    }
}
