//! The directory of a run.
//!
//! | file | |
//! |---|---|
//! | `config.toml` | `arena run --config` on it plays the run again; locked while the run is under way |
//! | `totals.json` | how far the run has come: the exact totals, and where in the tables their deals end |
//! | `summary.…` | a row per leg, in the form that was asked for |
//! | `records.…` | a record per leg, of the deals that were asked for |
//! | `run.json` | the figures, and what they are of |
//! | `checksums.txt` | the sums of all these, while nothing is being written |
//!
//! The tables only grow. Every other second, and when a run ends, they are made to last and `totals.json` is
//! replaced: that is the moment from which on these deals are played. What stands in the tables behind the
//! place that `totals.json` names was written by a process that did not get so far, and is cut off by the
//! next one.

mod open;
mod saver;
mod sink;
mod state;

use std::path::{Path, PathBuf};

use crate::protocol::ProgramInfo;
use crate::run::checksums::{Checksums, Sum};
use crate::run::clock::Clock;
use crate::run::config::RunConfig;
use crate::run::figures::{RunJson, Timing};
use crate::run::runner;
use crate::run::runner::Batch;
use crate::run::totals::Totals;
use coinche_inference::PairedSums;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::OutFile;
use coinche_selfplay::records::forms::{LinesForm, TableForm};
use coinche_selfplay::records::write::columns::Schema;
use coinche_selfplay::records::write::{Rows, RowsPart};
use saver::{Saver, Snapshot};
use sink::{Plan, Sink};

pub(crate) use open::{Held, check};
pub(crate) use sink::SavedSink;
pub(crate) use state::{Identity, NotEnded, State};

/// The directory of a run, open for writing.
#[derive(Debug)]
pub(crate) struct RunDir {
    path: PathBuf,
    config: RunConfig,
    identity: Identity,
    /// Summary and records, as far as they are written.
    sinks: [Option<Sink>; 2],
    totals: Totals,
    done: u64,
    clock: Clock,
    saver: Saver,
    /// Whether all that was asked for was there before.
    complete: bool,
    /// The tables that are whole, with their sums.
    closed: Vec<(String, Sum)>,
    /// A file of somebody else that must last before the state does.
    kept: Option<(PathBuf, OutFile)>,
    /// Let go last.
    held: Held,
}

/// What the tables of a run are to be: summary and records.
fn plans(config: &RunConfig, path: &Path) -> [Option<Plan>; 2] {
    let schema = Schema::new(config.unit, config.encounters().len() > 1);
    let table = config.records.has_table().then(|| Plan {
        path: path.join(config.table.file()),
        header: schema.header(),
        form: match config.table {
            TableForm::Csv => sink::Form::Plain,
            TableForm::CsvZst => sink::Form::Zst,
            TableForm::Parquet => sink::Form::Parquet(schema),
        },
        block: runner::table_block(config),
    });
    let lines = config.records.has_lines().then(|| Plan {
        path: path.join(config.lines.file()),
        header: String::new(),
        form: match config.lines {
            LinesForm::Jsonl => sink::Form::Plain,
            LinesForm::JsonlZst => sink::Form::Zst,
        },
        block: runner::lines_block(config),
    });
    [table, lines]
}

impl RunDir {
    /// Makes the directory of a run, or opens it to go on with what is there.
    ///
    /// # Errors
    ///
    /// When it holds another run, is in use, damaged, or cannot be written.
    pub(crate) fn open(config: &RunConfig) -> Result<Self, ArenaError> {
        let identity = Identity::new(config)?;
        let path = open::directory(config, &identity);
        let held = Held::take(&path)?;
        match State::read(&path)? {
            None => Self::create(config, identity, path, held),
            Some(state) => Self::resume(config, identity, path, held, state),
        }
    }

    fn create(config: &RunConfig, identity: Identity, path: PathBuf, held: Held) -> Result<Self, ArenaError> {
        let mut dir = Self {
            path,
            config: config.clone(),
            identity,
            sinks: [None, None],
            totals: Totals::new(config),
            done: config.range().start,
            clock: Clock::default(),
            saver: Saver::new(),
            complete: false,
            closed: Vec::new(),
            kept: None,
            held,
        };
        // The state first: a directory with files of a run but no state is not ours.
        let fresh = plans(config, &dir.path).map(|plan| plan.map(|plan| plan.fresh()));
        Snapshot { sinks: fresh.clone(), ..dir.snapshot()? }.save_state()?;
        dir.open_sinks(&fresh)?;
        dir.save()?;
        dir.write_config()?;
        Ok(dir)
    }

    /// Opens the tables where their saved states end.
    fn open_sinks(&mut self, saved: &[Option<SavedSink>; 2]) -> Result<(), ArenaError> {
        let plans = plans(&self.config, &self.path);
        for ((sink, plan), saved) in self.sinks.iter_mut().zip(plans).zip(saved) {
            if let (Some(plan), Some(saved)) = (plan, saved) {
                *sink = Some(Sink::resume(plan, saved)?);
            }
        }
        Ok(())
    }

    fn resume(
        config: &RunConfig,
        identity: Identity,
        path: PathBuf,
        held: Held,
        state: State,
    ) -> Result<Self, ArenaError> {
        open::check(&path, &state, &identity, config)?;
        let end = config.range().end;
        let complete =
            state.is_closed() && state.done == end && (state.end, state.asked) == (end, config.deals);
        let State { done, table, lines, totals, .. } = state;
        let totals = totals
            .restore(&config.rules, config.unit)
            .map_err(|why| ArenaError::damaged(path.join(state::STATE), why))?;
        let clock = Timing::read_clock(&path, config);
        let mut dir = Self {
            config: config.clone(),
            identity,
            sinks: [None, None],
            totals,
            done,
            clock,
            saver: Saver::new(),
            complete,
            closed: [&table, &lines].into_iter().flatten().filter_map(SavedSink::sum).collect(),
            kept: None,
            held,
            path,
        };
        if complete {
            // The process that closed the run may have been killed just before it did this.
            plans(config, &dir.path).iter().flatten().for_each(Plan::clean_up);
        } else {
            Checksums::remove(&dir.path)?;
            dir.open_sinks(&[table, lines])?;
            // From now on the tables are not closed any more.
            dir.save()?;
        }
        dir.write_config()?;
        Ok(dir)
    }

    fn write_config(&mut self) -> Result<(), ArenaError> {
        let text = self.config.to_toml()?;
        self.held.write(&text)
    }

    /// Returns the directory.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the totals of what was played.
    pub(crate) const fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Returns the first deal that was not played.
    pub(crate) const fn done(&self) -> u64 {
        self.done
    }

    /// Returns when and how fast the run was, up to now.
    pub(crate) fn timing(&self) -> Timing {
        Timing::new(&self.config, &self.totals, &self.clock, self.saver.elapsed())
    }

    /// Tests if all that was asked for was there when the directory was opened.
    pub(crate) const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Adds what a batch holds.
    ///
    /// # Errors
    ///
    /// When it cannot be written; everything is then as before.
    pub(crate) fn append(&mut self, batch: &Batch) -> Result<(), ArenaError> {
        self.append_rows(&batch.rows, &batch.lines, batch.end)?;
        batch.add_to(&mut self.totals);
        self.clock.add_own(&batch.times);
        if self.saver.is_due() {
            let snapshot = self.snapshot()?;
            self.saver.start(snapshot)?;
        }
        Ok(())
    }

    /// Appends rows and lines up to a deal.
    fn append_rows(&mut self, rows: &Rows, lines: &[u8], end: u64) -> Result<(), ArenaError> {
        // Where the first table cannot be written, the second is not to lose the batch before.
        self.sinks.iter_mut().flatten().for_each(Sink::settle);
        let parts = [rows.part(), RowsPart::Text(lines)];
        let appended = self.sinks.iter_mut().zip(parts).try_for_each(|(sink, rows)| match sink {
            Some(sink) => sink.append(rows, end),
            None => Ok(()),
        });
        match appended {
            Ok(()) => self.done = end,
            Err(_) => self.sinks.iter_mut().flatten().for_each(Sink::undo),
        }
        appended
    }

    /// Appends rows to the summary (0) or the records (1) alone, up to a deal.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub(crate) fn append_to(&mut self, table: usize, rows: RowsPart<'_>, end: u64) -> Result<(), ArenaError> {
        self.sinks[table].as_mut().map_or(Ok(()), |sink| sink.append(rows, end))
    }

    /// Adds the totals of deals whose rows were appended, up to a deal.
    pub(crate) fn add_played(&mut self, totals: &Totals, end: u64, clock: &Clock) {
        self.totals.merge(totals);
        self.done = end;
        self.add_clock(clock);
    }

    /// Adds the time that others have taken.
    pub(crate) fn add_clock(&mut self, clock: &Clock) {
        self.clock.before += clock.before;
        self.clock.add(&clock.times);
        if self.clock.programs.is_empty() {
            self.clock.programs.clone_from(&clock.programs);
        }
        clock.builds.iter().for_each(|build| self.clock.add_build(build));
    }

    /// Takes note of what the control came to on its own deals.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub(crate) fn set_control(&mut self, sums: PairedSums) -> Result<(), ArenaError> {
        self.totals.control = Some(sums);
        self.save()
    }

    /// Takes note of the programs of the run.
    pub(crate) fn name_programs(&mut self, programs: Vec<ProgramInfo>) {
        self.clock.programs = programs;
    }

    /// Makes another file last, too, before the state does that has its deals.
    pub(crate) fn keep(&mut self, path: &Path, file: OutFile) {
        self.kept = Some((path.to_owned(), file));
    }

    fn snapshot(&self) -> Result<Snapshot, ArenaError> {
        let mut files = Vec::new();
        for sink in self.sinks.iter().flatten() {
            let file = sink.file().map_err(|source| ArenaError::write(sink.path(), source))?;
            files.push((sink.path().to_owned(), file));
        }
        if let Some((path, file)) = &self.kept {
            files.push((path.clone(), file.try_clone().map_err(|source| ArenaError::write(path, source))?));
        }
        Ok(Snapshot {
            path: self.path.clone(),
            config: self.config.clone(),
            identity: self.identity.clone(),
            files,
            sinks: self.sinks.each_ref().map(|sink| sink.as_ref().map(Sink::saved)),
            done: self.done,
            totals: self.totals.clone(),
            clock: self.clock.clone(),
            elapsed: self.saver.elapsed(),
        })
    }

    /// Saves the state now.
    fn save(&mut self) -> Result<(), ArenaError> {
        self.saver.wait()?;
        self.snapshot()?.save()
    }

    /// Ends the run, for now or for good: completes the tables and writes the figures.
    ///
    /// # Errors
    ///
    /// When something cannot be written. What was saved last is then what the next process goes on with.
    pub(crate) fn close(&mut self) -> Result<(), ArenaError> {
        if self.complete {
            // The process that closed the run may have been killed just before it did this.
            return if Checksums::are_in(&self.path) { Ok(()) } else { self.seal(&[]) };
        }
        self.saver.wait()?;
        for sink in self.sinks.iter_mut().flatten() {
            sink.close()?;
        }
        self.save()?;
        self.sinks.iter().flatten().for_each(Sink::clean_up);
        self.closed = self.sinks.iter().flatten().filter_map(Sink::closed).collect();
        self.seal(&[])
    }

    /// Writes the sums of all files of the run, and of others beside them.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, or the sums cannot be written.
    pub(crate) fn seal(&self, beside: &[&str]) -> Result<(), ArenaError> {
        let mut sums = Checksums::default();
        for name in ["config.toml", "run.json", state::STATE].iter().chain(beside) {
            sums.measure(&self.path, name)?;
        }
        for (name, sum) in &self.closed {
            sums.add(name, *sum);
        }
        sums.write(&self.path)
    }

    /// Removes the sums, before a file beside those of the run is changed.
    ///
    /// # Errors
    ///
    /// When they cannot be removed.
    pub(crate) fn unseal(&self) -> Result<(), ArenaError> {
        Checksums::remove(&self.path)
    }
}

impl Snapshot {
    /// The figures as they are at this moment.
    fn figures(&self) -> RunJson {
        let timing = Timing::new(&self.config, &self.totals, &self.clock, self.elapsed);
        RunJson::new(&self.config, &self.totals, timing)
    }
}
