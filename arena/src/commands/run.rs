//! `arena run`: which of two bots is better, and by how much.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use super::print;
use crate::config::{ProgressMode, Records, RulesText, RunConfig, RunFile, SeedText};
use crate::figures::{COMMIT, RunJson};
use crate::progress::Progress;
use crate::run_dir::RunDir;
use crate::runner;
use crate::tally::Tally;
use crate::{ArenaError, Exit, report};

/// The flags of `arena run`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  arena run rules random                          10,000 deals under the rules of Board Game Arena
  arena run rules rules+random --deals 100000     what the card play alone is worth
  arena run rules random --rules coinche --match --deals 500
  arena run --config results/runs/…/config.toml   the same run again

Exit codes: 0 done, 2 wrong arguments, 3 something cannot be written, 130 interrupted; what was
played until then is written all the same, and the verdict is about it.")]
pub struct RunArgs {
    /// The two bots, A and B; `arena bots` lists them
    #[arg(value_name = "BOT", num_args = 0..=2)]
    pub bots: Vec<String>,
    /// How many deals to play, each in two legs with the teams exchanged; with --match, how many matches
    /// [default: 10000]
    #[arg(long, value_name = "N")]
    pub deals: Option<u64>,
    /// Play whole matches instead of single deals; --deals then counts matches
    #[arg(long = "match")]
    pub matches: bool,
    /// The seed: all that chance decides follows from it [default: drawn, and printed]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// The rules: a preset or a file; `arena rules` lists and prints them [default: bga]
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub rules: Option<String>,
    /// Change a field of the rules; repeatable, as `--set scoring.coinche.contract=3`
    #[arg(long, value_name = "FIELD=VALUE")]
    pub set: Vec<String>,
    /// How many threads play; results do not depend on it [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// The directory of the run [default: a new one under results/runs]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// What to write of the deals [default: summary]
    #[arg(long, value_enum)]
    pub records: Option<Records>,
    /// How to tell the progress on the standard error [default: auto]
    #[arg(long, value_enum)]
    pub progress: Option<ProgressMode>,
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
    pub fn config(self) -> Result<RunConfig, ArenaError> {
        let file = self.config.as_deref().map(RunFile::read).transpose()?.unwrap_or_default();
        let flags = RunFile {
            bots: (!self.bots.is_empty()).then_some(self.bots),
            deals: self.deals,
            matches: self.matches.then_some(true),
            seed: self.seed.map(|seed| SeedText::Text(seed.to_string())),
            set: (!self.set.is_empty()).then_some(self.set),
            records: self.records,
            threads: self.threads,
            out: self.out,
            progress: self.progress,
            rules: self.rules.map(RulesText::Name),
        };
        flags.over(file).check()
    }
}

/// Set when the user asks to stop.
static STOP: AtomicBool = AtomicBool::new(false);

/// Asks the run under way to finish what is at work and to stop; says if it was asked before.
pub fn interrupt() -> bool {
    STOP.swap(true, Ordering::Relaxed)
}

/// Runs the command.
///
/// # Errors
///
/// When the configuration is wrong or something cannot be written.
pub(crate) fn run(args: RunArgs, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let config = args.config()?;
    match print(out, &format!("{}\ncommit {COMMIT}\n\n", config.command())) {
        // The files are wanted all the same.
        Ok(()) | Err(ArenaError::BrokenPipe) => {}
        Err(error) => return Err(error),
    }
    let mut dir = RunDir::create(&config)?;
    let mut progress = Progress::new(&config);
    let mut tally = Tally::new(&config.rules, config.unit);
    let played = runner::play(&config, &STOP, |batch| {
        dir.append(batch)?;
        tally.merge(&batch.tally);
        progress.update(&tally);
        Ok(())
    });
    progress.finish(&tally);
    // Also after an error: what was written until then has its figures.
    let path = dir.path().to_owned();
    let finished = dir.finish(&RunJson::new(&config, &tally, progress.elapsed()).to_json());
    let text = format!("{}\n{}", report::verdict(&config, &tally), report::tables(&config, &tally));
    let printed = print(out, &text);
    let done = played?;
    finished?;
    printed?;
    if config.progress != ProgressMode::None {
        eprintln!("written to {}", path.display());
    }
    Ok(if done < config.deals { Exit::Interrupted } else { Exit::Done })
}
