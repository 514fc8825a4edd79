//! `arena run`: which of two or more bots is better, and by how much.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::{print, print_early};
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::play::schedule::Format;
use coinche_selfplay::records::forms::{LinesForm, TableForm};

use super::flags::PlayFlags;
use crate::run::commit::COMMIT;
use crate::run::config::{Records, RunConfig, RunFile, Shard, TimesMode};
use crate::run::directory::RunDir;
use crate::run::progress::Progress;
use crate::run::runner;
use crate::run::verdict::verdict;

/// The flags of `arena run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  arena run rules random                          10,000 deals under the rules of Board Game Arena
  arena run rules rules+random --freeze auction   card play compared, in the same contracts
  arena run rules rules:caution=5 --freeze play=solver --deals 1000000    bidding alone
  arena run rules 'rules&random' --deals 10000    two partners, as A&B, in quotes for the shell
  arena run rules random rules:caution=5 --format crossplay    every partnership against rules
  arena run rules random --rules coinche --match --deals 500
  arena run rules random rules+random --records sample:0.01 --table parquet
  arena run rules random --deals 1000000 --seed 1 --shard 3/7 --out part3
  arena run --config results/runs/…/config.toml   the same run again

The same command goes on with a run that was stopped, in whatever way, and a larger --deals with one
that had ended; of other settings a directory takes nothing. `arena merge` puts shards together.

Exit codes: 0 done, 2 wrong arguments or another run in the directory, 3 something cannot be written
or the directory is in use, 130 interrupted; what was played until then is written all the same, and
the verdict is about it.")]
pub struct RunArgs {
    /// The bots: two, A and B, or more; `arena bots` lists them
    #[arg(value_name = "BOT")]
    pub bots: Vec<String>,
    /// Who meets whom; all play the same deals [default: match of two bots, round-robin of more]
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// With --format crossplay: the bot against which all partnerships play [default: the first]
    #[arg(long, value_name = "BOT")]
    pub against: Option<String>,
    /// How many deals to play, each in two legs with the teams exchanged; with --match, how many matches
    /// [default: 10000]
    #[arg(long, value_name = "N")]
    pub deals: Option<u64>,
    /// Play whole matches instead of single deals; --deals then counts matches
    #[arg(long = "match")]
    pub matches: bool,
    /// How they play.
    #[command(flatten)]
    pub play: PlayFlags,
    /// What to write of the deals: nothing, the table of a row per leg, and with it every call and card
    /// of all deals, of a share P of them, or of those with a paired difference of POINTS or more
    /// [default: summary]
    #[arg(long, value_name = "none|summary|full|sample:P|swing:POINTS")]
    pub records: Option<Records>,
    /// The form of the table [default: csv]
    #[arg(long, value_enum, value_name = "FORM")]
    pub table: Option<TableForm>,
    /// The form of the calls and cards [default: jsonl]
    #[arg(long, value_enum, value_name = "FORM")]
    pub lines: Option<LinesForm>,
    /// Play only the i-th of n shares of the deals, from 1; `arena merge` joins them
    #[arg(long, value_name = "i/n")]
    pub shard: Option<Shard>,
    /// Of which decisions to take the processor time, which is told in run.json [default: some]
    #[arg(long, value_enum)]
    pub times: Option<TimesMode>,
    /// Take from a file what is not given here: a TOML file with the names of these flags as keys
    #[arg(long, value_name = "FILE.toml")]
    pub config: Option<PathBuf>,
}

impl RunArgs {
    /// Joins flags and file and checks them.
    ///
    /// # Errors
    ///
    /// Names what is missing or wrong.
    pub fn config(self, registry: &Registry) -> Result<RunConfig, ArenaError> {
        let file = self.config.as_deref().map(RunFile::read).transpose()?.unwrap_or_default();
        let flags = RunFile {
            bots: (!self.bots.is_empty()).then_some(self.bots),
            deals: self.deals,
            matches: self.matches.then_some(true),
            format: self.format,
            against: self.against,
            records: self.records,
            table: self.table,
            lines: self.lines,
            shard: self.shard,
            times: self.times,
            ..self.play.into_file()
        };
        flags.over(file).check(registry)
    }
}

/// Set when the user asks to stop.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// Asks the run under way to finish what is at work and to stop; says if it was asked before.
pub fn interrupt() -> bool {
    STOP.swap(true, Ordering::Relaxed)
}

/// Plays what is missing of a run and tells the progress; returns the first deal that was not played. The
/// directory is not closed yet.
///
/// # Errors
///
/// When something cannot be written.
pub(super) fn go_on(config: &RunConfig, dir: &mut RunDir) -> Result<u64, ArenaError> {
    let mut progress = Progress::new(config, dir.totals());
    let log = runner::stderr_log(config);
    let played = if dir.is_complete() {
        Ok(dir.done())
    } else {
        runner::play_in_steps(config, dir.done(), u64::MAX, &STOP, &log, |batch| {
            dir.append(batch)?;
            progress.update(dir.totals());
            Ok(())
        })
    };
    progress.finish(dir.totals());
    log.tell_failures();
    played
}

/// Runs the command.
///
/// # Errors
///
/// When the configuration is wrong or something cannot be written.
pub(crate) fn run(args: RunArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let (mut config, programs) = args.config(registry)?.meet(registry)?;
    print_early(out, &format!("{}\ncommit {COMMIT}\n\n", config.command()))?;
    let is_test = |path: &PathBuf| path.join("sprt.json").symlink_metadata().is_ok();
    if let Some(path) = config.out.clone().filter(is_test) {
        // A test goes on by its own looks.
        return Err(ArenaError::RunExists { path, file: "sprt.json" });
    }
    let mut dir = RunDir::open(&config)?;
    dir.name_programs(programs);
    // For what programs say on their standard error.
    config.out = Some(dir.path().to_owned());
    let tells = config.progress != ProgressMode::None;
    let before = dir.totals().pairs();
    if tells && before > 0 {
        let (before, unit, path) = (thousands(before), config.unit.plural(), dir.path().display());
        eprintln!("{before} {unit} are in {path} already");
    }
    let played = go_on(&config, &mut dir);
    // Also after an error: what was written until then has its figures.
    let closed = dir.close();
    let printed = print(out, &verdict(&config, dir.totals()));
    let done = played?;
    closed?;
    printed?;
    let interrupted = done < config.range().end;
    if tells {
        eprintln!("written to {}", dir.path().display());
        if interrupted {
            let path = dir.path().display();
            eprintln!("go on with: arena run --config {path}/config.toml --out {path}");
        }
    }
    Ok(if interrupted { Exit::Interrupted } else { Exit::Done })
}
