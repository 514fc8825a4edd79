//! The result of a run as a document: the verdict in words, and the tables behind it.

mod bots;
mod contracts;
mod control;
mod crossplay;
mod experiment;
mod forfeits;
mod pairs;

pub use control::details as control_details;
pub use pairs::{differing, scored_more, too_few};

use coinche_bots::TeamSpec;
use coinche_engine::record::FaultKind;
use coinche_selfplay::play::tally::FAULT_KINDS;
use coinche_selfplay::{Block, Detail, Document, Encounter, Format, Side, thousands};

use crate::config::RunConfig;
use crate::control::Controlled;
use crate::figures::RunJson;
use crate::totals::Totals;

pub use forfeits::{Forfeits, headline, is_of_faults};

/// Returns the names of the bots of an encounter: their specifications, made distinct if they are the same.
fn names(config: &RunConfig, encounter: Encounter) -> [String; 2] {
    let [a, b] = config.pair(encounter).map(ToString::to_string);
    if a == b { [format!("{a} (A)"), format!("{b} (B)")] } else { [a, b] }
}

/// Returns the verdict with the tables behind it.
pub fn document(config: &RunConfig, totals: &Totals) -> Document {
    let all = totals;
    let totals = &*totals.of_bots(config);
    let (verdicts, blocks) = match config.format {
        Format::Match => of_a_match(config, totals, Controlled::new(config, all, 0).as_ref()),
        Format::Crossplay => {
            let (verdict, mut blocks) = crossplay::verdict(config, totals);
            // Cross-play does not compare strength, so there are no ratings.
            blocks.extend(experiment::blocks(config, totals));
            (vec![verdict], blocks)
        }
        Format::RoundRobin | Format::Gauntlet => {
            let (verdict, mut blocks) = experiment::verdict(config, totals);
            blocks.extend(control::of_pairings(config, all).map(Block::Table));
            blocks.extend(experiment::ratings(config, totals));
            blocks.extend(experiment::blocks(config, totals));
            (vec![verdict], blocks)
        }
    };
    let note = forfeits_of(config, totals);
    let verdicts = verdicts.into_iter().map(|verdict| headline(note.as_ref(), verdict)).collect();
    let bots: Vec<_> = config.bots.iter().map(ToString::to_string).collect();
    let mut scope = seen_lines(config);
    scope.extend(inconsistent(config, totals));
    Document { verdicts, scope, ..Document::of_blocks(bots.join(", "), blocks) }
}

/// Returns a run of two bots in points as one sentence, and its scope as another.
pub fn of_points(config: &RunConfig, totals: &Totals) -> [String; 2] {
    let (encounter, tally) = (totals.encounters[0], totals.first());
    let scope = pairs::scope(config, tally.points.pairs);
    let Some(points) = tally.points.estimate() else { return ["no deals were played".to_owned(), scope] };
    let (sentence, _) = pairs::points_sentence(config, encounter, &points);
    [headline(forfeits_of(config, totals).as_ref(), sentence), scope]
}

/// Returns how many legs were forfeited, if so many that it is to be said.
pub fn forfeits_of(config: &RunConfig, totals: &Totals) -> Option<Forfeits> {
    match config.format {
        Format::Match => forfeits::of_encounter(config, totals),
        _ => forfeits::of_all(config, totals),
    }
}

/// Tests if the result is no verdict: more than 5 % of the legs of a pairing were forfeited.
pub fn is_void(config: &RunConfig, totals: &Totals) -> bool {
    forfeits_of(config, &totals.of_bots(config)).is_some_and(|forfeits| forfeits.is_void)
}

/// Returns what `arena run` prints of a run: the verdict in words and the tables behind it.
pub fn verdict(config: &RunConfig, totals: &Totals) -> String {
    document(config, totals).render(Detail::Full)
}

fn of_a_match(
    config: &RunConfig,
    totals: &Totals,
    controlled: Option<&Controlled>,
) -> (Vec<String>, Vec<Block>) {
    let (encounter, tally) = (totals.encounters[0], totals.first());
    let mut items = pairs::details(config, tally);
    if let (Some(control), Some(controlled)) = (&config.control, controlled) {
        items.extend(control::details(control, controlled));
    }
    let mut blocks = vec![Block::Items(items)];
    blocks.extend(bots::blocks(config, encounter, tally));
    blocks.extend(Side::ALL.map(|side| contracts::block(config, encounter, tally, side)));
    (pairs::verdicts(config, encounter, tally, controlled), blocks)
}

/// Returns notes on what bots see, or could see, besides their own hands.
pub fn seen_lines(config: &RunConfig) -> Vec<String> {
    let [cheaters, shared, unseparated] = [config.cheaters(), config.of_one_process(), config.unseparated()];
    all_seen(&cheaters, config.sandbox().as_deref(), &shared, &unseparated)
}

impl RunJson {
    /// Returns the same notes on the bots of a run that was played.
    pub fn seen_lines(&self) -> Vec<String> {
        all_seen(&self.cheaters, self.programs.as_deref(), &self.one_process, &self.unseparated)
    }
}

fn all_seen(
    cheaters: &[String],
    sandbox: Option<&str>,
    shared: &[String],
    unseparated: &[String],
) -> Vec<String> {
    let lines = cheaters_line(cheaters).into_iter().chain(programs_lines(sandbox, shared));
    lines.chain(unseparated_line(unseparated)).collect()
}

/// Returns notes on what programs could see: how they ran, and which had one process for all seats.
pub fn programs_lines(sandbox: Option<&str>, of_one_process: &[String]) -> Vec<String> {
    let how = sandbox.map(|sandbox| match sandbox {
        "full" => "Programs ran confined: without files of the run, other processes or the network.",
        "network" => {
            "Programs ran confined: without files of the run or other processes, but with the network."
        }
        _ => "Programs ran unconfined: they could read the files of this run, and so its seed (--confine).",
    });
    let shared = of_one_process.iter().map(|bot| {
        format!("{bot} had one process for all seats, which saw its partner's hand and the same cards in the other leg.")
    });
    how.map(str::to_owned).into_iter().chain(shared).collect()
}

/// Returns a note on the bots of which all seats share a process, if there are any.
pub fn unseparated_line(bots: &[String]) -> Option<String> {
    let names = bots.join(", ");
    (!bots.is_empty())
        .then(|| format!("{names}: all seats share a process, and could tell each other their hands."))
}

/// Returns a note on each bot that gave another answer when it was asked again.
fn inconsistent(config: &RunConfig, totals: &Totals) -> Vec<String> {
    let kind = FAULT_KINDS.iter().position(|(kind, _)| *kind == FaultKind::Inconsistent);
    let of_bot = |bot: usize| totals.of_bot(bot).map_or(0, |side| kind.map_or(0, |kind| side.faults[kind]));
    let bots = config.bots.iter().enumerate().map(|(bot, spec)| (spec, of_bot(bot)));
    let line = |(spec, times): (&TeamSpec, u64)| {
        let times = thousands(times);
        format!(
            "{spec}: other answers when asked again, {times} times; they depend on more than the question."
        )
    };
    bots.filter(|(_, times)| *times > 0).map(line).collect()
}

/// Returns a note on the bots that see all hands, if there are any.
pub fn cheaters_line(cheaters: &[String]) -> Option<String> {
    match cheaters {
        [] => None,
        [one] => Some(format!("{one} sees all hands: its result is an upper bound, not a fair comparison.")),
        several => {
            let names = several.join(", ");
            Some(format!("{names} see all hands: their results are upper bounds, not a fair comparison."))
        }
    }
}
