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

use coinche_inference::{Merge, PairedSums};
use std::path::{Path, PathBuf};

use coinche_bots::TeamSpec;
use coinche_engine::Seed;
use coinche_protocol::ProgramInfo;
use coinche_selfplay::base::files::OutFile;
use coinche_selfplay::base::files::checksums::{Checksums, sealed_toml};
use coinche_selfplay::records::summary::{RowsPart, schema};
use coinche_selfplay::{ArenaError, LinesForm, Result, TableForm};

use crate::clock::Clock;
use crate::config::{RunConfig, seed_slug};
use crate::damage::Damage;
use crate::figures::{RunJson, Timing};
use crate::job::sink::{Form, Plan};
use crate::job::{CONFIG, Content, FIGURES, Identity, Job, PartDir, STATE, State, Task, raw};
use crate::runner;
use crate::runner::Batch;
use crate::totals::Totals;

/// The directory of a run, open for writing.
#[derive(Debug)]
pub struct RunDir {
    config: RunConfig,
    dir: PartDir,
    totals: Totals,
    clock: Clock,
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
pub fn task(config: &RunConfig) -> Result<Task> {
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

/// Returns a directory under `results/runs` whose name is derived from the bots, the words around them, the seed and a hash
/// of all settings, so that the same command finds it again.
pub fn named([before, behind]: [&str; 2], bots: &str, seed: &Seed, hash: &str) -> PathBuf {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '.' { letter } else { '-' };
    let slug: String = bots.chars().map(plain).take(60).collect();
    let name = format!("{before}{slug}{behind}-seed-{}-{}", seed_slug(seed), &hash[..8]);
    Path::new("results").join("runs").join(name)
}

/// Returns the directory of a run: the requested one, or one that is named by its settings.
fn directory(config: &RunConfig, identity: &Identity) -> PathBuf {
    let bots: Vec<_> = config.bots.iter().map(TeamSpec::name).collect();
    let mut path = named(["", ""], &bots.join("-"), &config.seed, &identity.fingerprint);
    if let Some(shard) = config.shard {
        path.as_mut_os_string().push(format!("-shard-{shard}").replace('/', "-of-"));
    }
    config.out.clone().unwrap_or(path)
}

impl RunDir {
    /// Creates the directory of a run, or opens it to resume.
    pub fn open(config: &RunConfig) -> Result<Self> {
        let task = task(config)?;
        let path = directory(config, &task.identity);
        let mut dir = PartDir::lock(&path, &task, CONFIG)?;
        let totals = match dir.state().sums.get() {
            "null" => Totals::new(config),
            _ => dir.state().restore(&path, config)?,
        };
        let clock = Timing::read_clock(&path, config)?;
        dir.open_tables(plans(config, &path), raw(&totals))?;
        let mut this = Self { config: config.clone(), dir, totals, clock };
        if !this.is_complete() {
            // From now on the tables are no longer closed.
            this.save()?;
        }
        this.dir.held().write(&sealed_toml(&config.to_toml()?))?;
        Ok(this)
    }

    /// Returns the directory.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Returns the totals of the deals played.
    pub const fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Returns the first deal that was not played.
    pub const fn done(&self) -> u64 {
        self.dir.done()
    }

    /// Returns the timing of the run so far.
    pub fn timing(&self) -> Timing {
        Timing::new(&self.config, &self.totals, &self.clock, self.dir.elapsed())
    }

    /// Tests if all requested deals had been played when the directory was opened.
    pub const fn is_complete(&self) -> bool {
        self.dir.is_closed()
    }

    /// Appends a batch.
    pub fn append(&mut self, batch: &Batch) -> Result<()> {
        self.dir.append([batch.rows.part(), RowsPart::Text(&batch.lines)], batch.end)?;
        batch.add_to(&mut self.totals);
        self.clock.add_own(&batch.times);
        let elapsed = self.dir.elapsed();
        self.dir.save_if_due(|| {
            let (config, totals, clock) = (self.config.clone(), self.totals.clone(), self.clock.clone());
            move || content(&config, &totals, Timing::new(&config, &totals, &clock, elapsed))
        })
    }

    /// Appends rows to the summary (0) or the records (1) alone, up to a deal.
    pub fn append_to(&mut self, table: usize, rows: RowsPart<'_>, end: u64) -> Result<()> {
        self.dir.append_to(table, rows, end)
    }

    /// Adds the totals of deals whose rows were appended, up to a deal.
    pub fn add_played(&mut self, totals: &Totals, end: u64, clock: &Clock) {
        self.totals.merge(totals);
        self.dir.reach(end);
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
    pub fn set_control(&mut self, sums: PairedSums) -> Result<()> {
        self.totals.control = Some(sums);
        self.save()
    }

    /// Sets the programs of the run.
    pub fn name_programs(&mut self, programs: Vec<ProgramInfo>) {
        self.clock.programs = programs;
    }

    /// Registers another file to sync before the state that counts its deals.
    pub fn keep(&mut self, path: &Path, file: OutFile) {
        self.dir.sync_also(path, file);
    }

    /// Saves the state now.
    fn save(&mut self) -> Result<()> {
        self.dir.save_all(content(&self.config, &self.totals, self.timing()))
    }

    /// Closes the run, finished or paused: completes the tables, and writes the figures and the checksums.
    pub fn close(&mut self) -> Result<()> {
        self.end()?;
        // Of a complete run, the process that closed it may have been killed just before it did this.
        if self.is_complete() && Checksums::are_in(self.path()) { Ok(()) } else { self.seal(&[]) }
    }

    /// Completes the tables and writes the figures, without the checksums.
    pub fn end(&mut self) -> Result<()> {
        if self.is_complete() {
            return Ok(());
        }
        self.dir.close_all(content(&self.config, &self.totals, self.timing()))
    }

    /// Writes the checksums of all files of the run, and of others beside them.
    pub fn seal(&mut self, beside: &[&str]) -> Result<()> {
        self.dir.seal(&[&[CONFIG, FIGURES], beside].concat(), [])
    }

    /// Removes the checksums, before a file beside those of the run is changed.
    pub fn unseal(&mut self) -> Result<()> {
        self.dir.unseal()
    }
}

/// Returns what is saved of a run: its totals and its figures.
fn content(config: &RunConfig, totals: &Totals, timing: Timing) -> Content {
    let figures = RunJson::new(config, totals, timing).to_json();
    Content { sums: raw(totals), figures: Some((FIGURES, figures)) }
}

impl State {
    /// Returns the totals of a run as the file has them.
    fn totals(&self) -> Result<Totals, Damage> {
        Ok(serde_json::from_str(self.sums.get())?)
    }

    /// Returns the totals of a run.
    pub fn restore(&self, directory: &Path, config: &RunConfig) -> Result<Totals> {
        let totals = self.totals().and_then(|totals| totals.restored(&config.rules, config.unit));
        totals.map_err(|why| ArenaError::damaged(directory.join(STATE), why))
    }

    /// Returns the contradictions within the state of a run.
    pub fn contradictions_of_run(&self) -> Vec<String> {
        let mut found = self.contradictions();
        let done = self.done.saturating_sub(self.start);
        match self.totals() {
            Err(why) => found.push(format!("its totals: {why}")),
            Ok(totals) if totals.pairs() != done => {
                found.push(format!("its totals are of {} deals or matches, {done} are done", totals.pairs()));
            }
            Ok(_) => {}
        }
        found
    }
}
