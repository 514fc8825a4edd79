//! The directory of a run.
//!
//! | file | |
//! |---|---|
//! | `config.toml` | `arena run --config` on it plays the run again; locked during the run |
//! | `part.json` | the progress of the run: the exact totals, and where in the tables their deals end |
//! | `summary.…` | a row per leg, in the requested format |
//! | `records.…` | a record per leg, for the requested deals |
//! | `run.json` | the figures and their context |
//! | `checksums.txt` | the checksums of all these, while nothing is being written |
//!
//! It is a part like any other (`run::job`), with the additional files of a run.

mod open;
mod saver;
mod state;

use std::path::{Path, PathBuf};

use crate::checksums::{Checksums, Sum};
use crate::clock::Clock;
use crate::config::RunConfig;
use crate::damage::Damage;
use crate::figures::{RunJson, Timing};
use crate::job::sink::{Form, Plan, Sink};
use crate::job::{Held, Identity, Job, STATE, SavedSink, State, Task};
use crate::runner;
use crate::runner::Batch;
use crate::totals::Totals;
use coinche_inference::{Merge, PairedSums};
use coinche_protocol::ProgramInfo;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::OutFile;
use coinche_selfplay::records::forms::{LinesForm, TableForm};
use coinche_selfplay::records::summary::{Rows, RowsPart, schema};
use saver::{Saver, Snapshot};

pub use open::check;

/// The directory of a run, open for writing.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    config: RunConfig,
    task: Task,
    /// Summary and records.
    sinks: [Option<Sink>; 2],
    totals: Totals,
    done: u64,
    clock: Clock,
    saver: Saver,
    /// Whether all requested deals had been played before.
    complete: bool,
    /// The complete tables, with their checksums.
    closed: Vec<(String, Sum)>,
    /// An external file that is synced before the state is written.
    kept: Option<(PathBuf, OutFile)>,
    /// Dropped last, which releases the lock.
    held: Held,
}

/// Returns the specifications of a run's tables: summary and records.
fn plans(config: &RunConfig, path: &Path) -> [Option<Plan>; 2] {
    let schema = schema(config.unit, config.encounters().len() > 1);
    let table = config.records.has_table().then(|| Plan {
        path: path.join(config.table.file()),
        header: schema.header(),
        form: match config.table {
            TableForm::Csv => Form::Plain,
            TableForm::CsvZst => Form::Zst,
            TableForm::Parquet => Form::Parquet(schema),
        },
        block: runner::table_block(config),
    });
    let lines = config.records.has_lines().then(|| Plan {
        path: path.join(config.lines.file()),
        header: String::new(),
        form: match config.lines {
            LinesForm::Jsonl => Form::Plain,
            LinesForm::JsonlZst => Form::Zst,
        },
        block: runner::lines_block(config),
    });
    [table, lines]
}

/// Returns the task of a run, as a part.
fn task(config: &RunConfig) -> Result<Task, ArenaError> {
    Ok(Task {
        job: Job::Run,
        command: String::new(),
        identity: Identity::new(config)?,
        shard: config.shard,
        whole: 0..config.deals,
        chunk: 1,
        threads: config.threads,
    })
}

/// Returns the error for a state that is not that of the run.
fn damaged(path: &Path, why: Damage) -> ArenaError {
    ArenaError::damaged(path.join(STATE), why)
}

impl RunDir {
    /// Creates the directory of a run, or opens it to resume.
    pub fn open(config: &RunConfig) -> Result<Self, ArenaError> {
        let task = task(config)?;
        let path = open::directory(config, &task.identity);
        let held = open::take(&path)?;
        match State::read(&path)? {
            None => Self::create(config, task, path, held),
            Some(state) => Self::resume(config, task, path, held, state),
        }
    }

    fn create(config: &RunConfig, task: Task, path: PathBuf, held: Held) -> Result<Self, ArenaError> {
        let mut dir = Self {
            path,
            config: config.clone(),
            task,
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
        // The state is written first: a directory with files of a run but without a state is not ours.
        let fresh = plans(config, &dir.path).map(|plan| plan.map(|plan| plan.fresh()));
        let fresh: Vec<SavedSink> = fresh.into_iter().flatten().collect();
        Snapshot { tables: fresh.clone(), ..dir.snapshot()? }.save_state()?;
        dir.open_sinks(&fresh)?;
        dir.save()?;
        dir.write_config()?;
        Ok(dir)
    }

    /// Opens the tables at their saved positions.
    fn open_sinks(&mut self, saved: &[SavedSink]) -> Result<(), ArenaError> {
        let (plans, mut saved) = (plans(&self.config, &self.path), saved.iter());
        for (sink, plan) in self.sinks.iter_mut().zip(plans) {
            if let Some(plan) = plan {
                let saved = saved.next().ok_or_else(|| damaged(&self.path, Damage::Totals))?;
                *sink = Some(Sink::resume(plan, saved)?);
            }
        }
        Ok(())
    }

    fn resume(
        config: &RunConfig,
        task: Task,
        path: PathBuf,
        held: Held,
        state: State,
    ) -> Result<Self, ArenaError> {
        open::check(&path, &state, &task.identity, config)?;
        let end = config.range().end;
        let complete =
            state.is_closed() && state.done == end && (state.end, state.asked) == (end, config.deals);
        let totals = state.restore(&path, config)?;
        let State { done, tables, .. } = state;
        let clock = Timing::read_clock(&path, config);
        let mut dir = Self {
            config: config.clone(),
            task,
            sinks: [None, None],
            totals,
            done,
            clock,
            saver: Saver::new(),
            complete,
            closed: tables.iter().filter_map(SavedSink::sum).collect(),
            kept: None,
            held,
            path,
        };
        if complete {
            // The process that closed the run may have been killed just before it did this.
            plans(config, &dir.path).iter().flatten().for_each(Plan::clean_up);
        } else {
            Checksums::remove(&dir.path)?;
            dir.open_sinks(&tables)?;
            // From now on the tables are no longer closed.
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
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the totals of the deals played.
    pub const fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Returns the first deal that was not played.
    pub const fn done(&self) -> u64 {
        self.done
    }

    /// Returns the timing of the run so far.
    pub fn timing(&self) -> Timing {
        Timing::new(&self.config, &self.totals, &self.clock, self.saver.elapsed())
    }

    /// Tests if all requested deals had been played when the directory was opened.
    pub const fn is_complete(&self) -> bool {
        self.complete
    }

    /// Appends a batch.
    pub fn append(&mut self, batch: &Batch) -> Result<(), ArenaError> {
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
        // If the first table cannot be written, the second must not lose the previous batch.
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
    pub fn append_to(&mut self, table: usize, rows: RowsPart<'_>, end: u64) -> Result<(), ArenaError> {
        self.sinks[table].as_mut().map_or(Ok(()), |sink| sink.append(rows, end))
    }

    /// Adds the totals of deals whose rows were appended, up to a deal.
    pub fn add_played(&mut self, totals: &Totals, end: u64, clock: &Clock) {
        self.totals.merge(totals);
        self.done = end;
        self.add_clock(clock);
    }

    /// Adds the time of other processes.
    pub fn add_clock(&mut self, clock: &Clock) {
        self.clock.before += clock.before;
        self.clock.add(&clock.times);
        if self.clock.programs.is_empty() {
            self.clock.programs.clone_from(&clock.programs);
        }
        clock.builds.iter().for_each(|build| self.clock.add_build(build));
    }

    /// Sets the sums of the control on its extra deals.
    pub fn set_control(&mut self, sums: PairedSums) -> Result<(), ArenaError> {
        self.totals.control = Some(sums);
        self.save()
    }

    /// Sets the programs of the run.
    pub fn name_programs(&mut self, programs: Vec<ProgramInfo>) {
        self.clock.programs = programs;
    }

    /// Registers another file to sync before the state that counts its deals.
    pub fn keep(&mut self, path: &Path, file: OutFile) {
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
            task: self.task.clone(),
            files,
            tables: self.sinks.iter().flatten().map(Sink::saved).collect(),
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

    /// Closes the run, finished or paused: completes the tables and writes the figures.
    pub fn close(&mut self) -> Result<(), ArenaError> {
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

    /// Writes the checksums of all files of the run, and of others beside them.
    pub fn seal(&self, beside: &[&str]) -> Result<(), ArenaError> {
        let mut sums = Checksums::default();
        for name in ["config.toml", "run.json", STATE].iter().chain(beside) {
            sums.measure(&self.path, name)?;
        }
        for (name, sum) in &self.closed {
            sums.add(name, *sum);
        }
        sums.write(&self.path)
    }

    /// Removes the checksums, before a file beside those of the run is changed.
    pub fn unseal(&self) -> Result<(), ArenaError> {
        Checksums::remove(&self.path)
    }
}

impl Snapshot {
    /// Returns the current figures.
    fn figures(&self) -> RunJson {
        let timing = Timing::new(&self.config, &self.totals, &self.clock, self.elapsed);
        RunJson::new(&self.config, &self.totals, timing)
    }
}
