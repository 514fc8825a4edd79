//! The judge: measures what the decisions of recorded deals cost against double-dummy play.
//!
//! The definitions are in `docs/judge.md`. Processing of a record: `source` finds the lines of the sampled
//! deals, `played` replays one, `value` finds the value of each card in points and deal score,
//! `auction` compares the contract with the best one, and `totals` adds everything up by bot, with deals as the
//! unit (`stats::ratio`). `document`, `json` and `decisions` are the outputs. `parts` judges one shard of the
//! deals, and merges all.

mod auction;
mod audit;
mod decision;
mod decisions;
mod document;
mod error;
mod json;
mod knowing;
mod parts;
mod played;
mod source;
#[cfg(test)]
mod tests;
mod totals;
mod value;

use std::fmt::Display;
use std::path::PathBuf;

use coinche_bots::BotSpec;
use coinche_engine::record::Record;
use coinche_engine::solver::Solver;
use coinche_engine::{Seed, Team};
use coinche_selfplay::base::{Meter, ProgressMode, Result, output};
use coinche_selfplay::play::solvers::Solvers;

use audit::Audit;
pub use decision::Decision;
use decisions::Row;
use error::JudgeError;
use knowing::Losses;
use played::{Judged, Played, ReadPlayedError};
use source::{Group, Own, RecordLine, Source};

pub use auction::{
    AuctionJudge, AuctionLoss, CAUSES, OVERBID, PASSED_OUT, SOLD_OUT, WRONG_STRAIN, value as contract_value,
};
pub use decisions::DecisionFiles;
pub use document::document;
pub use json::json;
pub use parts::{Extent, JudgeJob, make as make_part, merge as merge_parts};
pub use played::Dealt;
pub use totals::Totals;

/// Number of deals processed at a time.
const BATCH: usize = 256;

/// Number of wrong lines that are named.
const NAMED: u64 = 20;

/// What to judge.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The records, `-` for stdin.
    pub file: PathBuf,
    /// The share of the deals, above 0 to 1.
    pub sample: f64,
    /// Selects the sampled deals.
    pub seed: Seed,
    /// Whether what people call foolish is told, too.
    pub audit: bool,
    /// A bot that also judges, from what the seats could know.
    pub by: Option<BotSpec>,
}

/// The results of one record.
struct Leg {
    record: Record,
    /// The pairing, if a run has several.
    pairing: Option<u64>,
    decisions: Vec<Decision>,
    /// Whether losses have a score; meaningless without a play.
    scored: bool,
    /// By team, if the auction can be judged.
    auction: Option<[AuctionLoss; 2]>,
    /// According to a bot that knows what the seats could know, if one was asked.
    known: Losses,
    audit: Audit,
}

/// A judged record, one that cannot be judged, or what is wrong with the line.
enum Line {
    Leg(Box<Leg>),
    Forfeit,
    Wrong(u64, ReadPlayedError),
}

/// Judges the records of a file.
pub fn judge(
    settings: &Settings,
    solvers: &Solvers,
    files: &mut DecisionFiles,
    progress: ProgressMode,
) -> Result<Totals> {
    let meter = meter(settings, Own::all(), progress)?;
    let mut source = Source::open(settings, Own::all())?;
    let mut totals = Totals::default();
    let mut add = |leg: &Leg| Row::of(leg).try_for_each(|row| files.push(&row));
    while judge_some(BATCH, &mut source, settings, solvers, &meter, &mut totals, &mut add)?.is_some() {}
    meter.finish();
    totals.finish();
    totals.check(settings)?;
    Ok(totals)
}

/// Judges the next deals, at most this many; returns the unit of the last one, or `None` if there was none.
fn judge_some(
    number: usize,
    source: &mut Source,
    settings: &Settings,
    solvers: &Solvers,
    meter: &Meter,
    totals: &mut Totals,
    add: &mut dyn FnMut(&Leg) -> Result<()>,
) -> Result<Option<u64>> {
    let mut groups = Vec::with_capacity(number);
    while groups.len() < number {
        let Some(group) = source.next()? else { break };
        groups.push(group);
    }
    let last = groups.last().map(|group| group.unit);
    let judged = solvers.map(groups, |solver, group| {
        let unit = group.unit;
        let lines = judge_group(solver, settings.by.as_ref(), group);
        meter.add(1);
        (unit, lines)
    });
    for (unit, lines) in judged {
        totals.begin(unit);
        for line in lines {
            match line {
                Line::Leg(leg) => {
                    totals.add(&leg);
                    add(&leg)?;
                }
                Line::Forfeit => totals.forfeited += 1,
                Line::Wrong(number, error) => source.wrong(number, &error),
            }
        }
    }
    totals.found |= source.found;
    totals.wrong_lines += source.take_wrong();
    Ok(last)
}

/// Returns the decisions of the cards of a record, and the cost of the auction for each team; `None` if the deal was not
/// played.
pub fn one_deal(solver: &mut Solver, line: &[u8]) -> Option<(Vec<Decision>, Option<[i32; 2]>)> {
    let (_, Judged::Played(played)) = Played::read(line).ok()? else { return None };
    let auction = AuctionJudge::default().losses(solver, &played.dealt, played.contract);
    let (decisions, _) = value::decisions(solver, &played);
    Some((decisions, auction.map(|losses| losses.map(|loss| loss.total()))))
}

/// Counts the deals of the sample for the progress display, if the file can be read twice.
fn meter(settings: &Settings, own: Own, progress: ProgressMode) -> Result<Meter> {
    if progress == ProgressMode::None || settings.file.as_os_str() == "-" {
        return Ok(Meter::new(ProgressMode::None, 0));
    }
    let mut source = Source::open(settings, own)?;
    source.quiet = true;
    let mut deals = 0;
    while source.next()?.is_some() {
        deals += 1;
    }
    Ok(Meter::new(progress, deals))
}

/// Judges the records of one deal, whose hands are mostly the same.
fn judge_group(solver: &mut Solver, by: Option<&BotSpec>, group: Group) -> Vec<Line> {
    let mut auctions = AuctionJudge::default();
    let mut judge = |line: RecordLine| {
        let (record, judged) = match Played::read(&line.text) {
            Ok(read) => read,
            Err(error) => return Line::Wrong(line.number, error),
        };
        let (decisions, scored, auction) = match judged {
            Judged::Played(played) => {
                let auction = auctions.losses(solver, &played.dealt, played.contract);
                let (decisions, scored) = value::decisions(solver, &played);
                (decisions, scored, auction)
            }
            Judged::ThrownIn(dealt) => (Vec::new(), true, dealt.map(|dealt| auctions.passed(solver, &dealt))),
            Judged::Forfeit => return Line::Forfeit,
        };
        let known = by.map_or_else(Losses::default, |by| knowing::losses(by, &record));
        let audit = audit::audit(&record);
        Line::Leg(Box::new(Leg { record, pairing: line.pairing, decisions, scored, auction, known, audit }))
    };
    group.lines.into_iter().map(&mut judge).collect()
}

impl Totals {
    /// Checks that there was something to judge.
    fn check(&self, settings: &Settings) -> Result<(), JudgeError> {
        if self.found { Ok(()) } else { Err(JudgeError::NoRecords(settings.file.clone())) }
    }
}

impl Leg {
    /// Tests if a bot has evaluated cards.
    fn is_judged_by_a_bot(&self) -> bool {
        !self.known.cards.is_empty()
    }

    /// Returns the names of a team's bots, once each.
    fn bots(&self, team: Team) -> impl Iterator<Item = &str> {
        let [first, second] = team.seats().map(|seat| self.record.bots[seat].as_str());
        std::iter::once(first).chain((first != second).then_some(second))
    }
}

/// Reports a line that cannot be judged; a failure to write is ignored.
fn complain(settings: &Settings, number: u64, error: impl Display) {
    output::complain(format_args!("{}, line {number}: {error}", settings.file.display()));
}
