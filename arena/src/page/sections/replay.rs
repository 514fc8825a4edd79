//! Deals that the run kept no record of, played again.

use coinche_bots::BotSpec;
use coinche_engine::Record;

use crate::page::source::{Run, Swing};
use crate::schedule::{Schedule, Unit};
use crate::table::{PlayedDeal, Scribe, Table};
use crate::write::JsonLines;

/// The longest time that playing again may take, by the run's own speed, in seconds.
const PATIENCE: f64 = 5.0;

struct Recorder {
    lines: JsonLines,
    text: Vec<u8>,
}

impl Scribe for Recorder {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.lines.push(&mut self.text, deal);
    }
}

/// Tests if deals of a run may be played again: the bots are our own, and quick.
#[expect(clippy::cast_precision_loss, reason = "a rough time")]
pub(super) fn may(run: &Run) -> bool {
    let legs: u64 = run.form.met().iter().map(|met| met.figures.legs).sum();
    let timing = &run.form.timing;
    let of_leg = timing.seconds * f64::from(timing.threads.max(1)) / legs.max(1) as f64;
    let programs = run.form.bots.iter().any(|bot| bot.contains("cmd:"));
    !run.form.of_matches() && !programs && of_leg * 20.0 <= PATIENCE
}

/// Plays a deal again. `None` when another version of bot or rules plays it otherwise than the table says.
pub(super) fn play(run: &Run, swing: &Swing) -> Option<Vec<Record>> {
    let rules = run.form.rules.rules().ok()?;
    let ends = run.form.met().get(swing.pairing)?.ends;
    let names = ends.map(|bot| run.form.bots[bot].as_str());
    let [a, b] = names.map(|name| name.parse::<BotSpec>().ok());
    let schedule = Schedule { seed: run.form.seed, unit: Unit::Deal, pairs: swing.deal.checked_add(1)? };
    let mut table = Table::new(&rules, schedule, [a?, b?]);
    let mut recorder = Recorder { lines: JsonLines::new(&rules, names, None), text: Vec::new() };
    table.play_pair(swing.deal, &mut recorder);
    let text = String::from_utf8(recorder.text).ok()?;
    let records: Vec<Record> = text.lines().map(Record::from_json).collect::<Result<_, _>>().ok()?;
    let scores: Vec<_> = records.iter().map(|record| record.score.map(i64::from)).collect();
    (scores == swing.scores).then_some(records)
}
