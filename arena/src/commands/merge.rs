//! `arena merge`: shards of a run become the run.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::{print, tell};
use coinche_selfplay::base::style::thousands;

use crate::run::merge::merge as merge_runs;
use crate::run::verdict::verdict;

/// The flags of `arena merge`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
The shards must have the same settings and commit, and together contain each deal exactly once; shards that are missing, duplicated or of another run are named. If a merge is interrupted, run it again.

Example:
  arena run rules random --deals 1M --seed 1 --shard 1/2 --out part1
  arena run rules random --deals 1M --seed 1 --shard 2/2 --out part2
  arena merge part1 part2 --out whole

Exit codes: 0 done, 1 a shard is missing, duplicated, damaged or of another run, 2 wrong arguments, 3 output cannot be written.")]
pub struct MergeArgs {
    /// Directories of the shards, in any order
    #[arg(value_name = "DIR", required = true)]
    pub shards: Vec<PathBuf>,
    /// Output directory
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

/// Runs the command.
///
/// # Errors
///
/// When the shards do not make a run, or something cannot be read or written.
pub(crate) fn merge(args: &MergeArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let merged = merge_runs(&args.shards, &args.out, registry)?;
    let (config, totals) = (&merged.config, &merged.totals);
    print(out, &verdict(config, totals))?;
    let (shards, deals) = (thousands(args.shards.len() as u64), thousands(totals.pairs()));
    tell(&format!("{shards} shards with {deals} {} merged in {}", config.unit.plural(), args.out.display()));
    Ok(Exit::Done)
}
