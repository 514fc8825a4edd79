//! Replays deals of which the run kept no record.

use coinche_bots::BotSpec;
use coinche_engine::record::Record;
use coinche_selfplay::records::write::Recorder;
use coinche_selfplay::{JsonLines, Lineup, Schedule, Unit};

use crate::report::source::{Run, Swing};
use coinche_protocol::{MixedTable, StderrLog};

/// The maximum time for replays, by the run's own speed, in seconds.
const PATIENCE: f64 = 5.0;

/// Tests if deals of a run can be replayed: the bots are built in, and fast.
pub(super) fn may(run: &Run) -> bool {
    let legs: u64 = run.form.met().iter().map(|met| met.figures.legs).sum();
    let timing = &run.form.timing;
    let of_leg = timing.seconds * timing.threads.max(1) as f64 / legs.max(1) as f64;
    !run.form.of_matches() && run.players.is_some() && of_leg * 20.0 <= PATIENCE
}

/// Replays a deal; `None` if another version of bot or rules plays it differently from the table.
pub(super) fn play(run: &Run, swing: &Swing) -> Option<Vec<Record>> {
    let rules = run.form.rules.rules().ok()?;
    let ends = run.form.met().get(swing.pairing)?.ends;
    let players = run.players.as_ref()?;
    let teams = ends.map(|bot| &players.teams[bot]);
    let schedule =
        Schedule { secrets: (&run.form.seed).into(), unit: Unit::Deal, pairs: swing.deal.checked_add(1)? };
    let lineup = Lineup::new(teams, &players.freeze);
    let mut table = MixedTable::set(&rules, schedule, lineup, &StderrLog::none());
    let names = teams.map(|team| team.partners().each_ref().map(BotSpec::name));
    let mut recorder = Recorder::new(JsonLines::of_teams(&rules, names, None));
    table.play_pair(swing.deal, &mut recorder).ok()?;
    let records = recorder.take()?;
    let scores: Vec<_> = records.iter().map(|record| record.score.0.map(i64::from)).collect();
    (scores == swing.scores).then_some(records)
}
