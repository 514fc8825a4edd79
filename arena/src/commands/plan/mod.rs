//! `arena plan`: divides a command into shards, as a script for a cluster or one machine.

mod inner;

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf, absolute};

use clap::Args;
use coinche_selfplay::base::threads;
use coinche_selfplay::{ArenaError, Exit, OutOfRange, Result, finish, span, thousands};

use super::count::count;
use coinche_analysis::plan::{
    self, Asked, Divided, Inner, MOST_SHARDS, Made, PlanError, PlanFile, Scheduler, Words,
};
use coinche_runs::draw_seed;

pub(crate) use inner::{of_deals, of_judge, of_label, of_run, of_sprt, of_stats, of_train, of_tune};

/// The flags of `arena plan`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("plan"))]
pub(crate) struct PlanArgs {
    /// The command, in quotes or behind `--`
    ///
    /// Without --out, --shard, --threads and --progress, which the scripts add.
    #[arg(value_name = "COMMAND", required = true)]
    pub command: Vec<String>,
    /// Scheduler: slurm, hq, make, shell
    ///
    /// slurm: an array job with a dependent merge. hq: a job file of HyperQueue. make: a Makefile, shell: a script, both for one machine. Given again with another one, the directory has both scripts.
    #[arg(long = "for", value_enum, value_name = "WHO")]
    pub scheduler: Scheduler,
    /// Number of parts
    #[arg(long, value_name = "N", required_unless_present = "workers", value_parser = count::<u64>)]
    pub shards: Option<u64>,
    /// Choose the number of parts for so many workers
    ///
    /// Eight for each worker, so that none waits long for the last part, but no part shorter than ten seconds. Of sprt and tune one each: a wave waits for all of its parts.
    #[arg(long, value_name = "W", conflicts_with = "shards", value_parser = count::<u64>)]
    pub workers: Option<u64>,
    /// Number of threads of each part
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<usize>)]
    pub threads: usize,
    /// Directory of the plan, its parts and the result
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Check the command, but estimate nothing
    #[arg(long)]
    pub no_estimate: bool,
}

/// Runs the command: `parse` reads the words of the one that is divided, `divided` its properties.
pub(crate) fn plan<C>(
    args: &PlanArgs,
    parse: impl Fn(Vec<String>) -> Result<C, clap::Error>,
    divided: impl Fn(C) -> Result<Inner>,
    out: &mut dyn Write,
) -> Result<Exit> {
    let asked = args.asked(parse, divided)?;
    let directory = absolute(&args.out).map_err(|source| ArenaError::write(&args.out, source))?;
    let made = plan::make(&asked, args.scheduler, &directory)?;
    finish(out, &told(&made, args.scheduler, &args.out))
}

impl PlanArgs {
    fn asked<C>(
        &self,
        parse: impl Fn(Vec<String>) -> Result<C, clap::Error>,
        properties: impl Fn(C) -> Result<Inner>,
    ) -> Result<Asked> {
        let divided = match (self.shards, self.workers) {
            (Some(shards), _) => Divided::Shards(OutOfRange::check("shards", shards, 1..=MOST_SHARDS)?),
            (None, workers) => {
                Divided::Workers(OutOfRange::check("workers", workers.unwrap_or(1), 1..=MOST_SHARDS)?)
            }
        };
        let threads = threads::check(Some(self.threads))?;
        let words = plan::split(&self.command)?;
        let is_of_sums = inner::is_of_sums(&words)?;
        let mut words = Words::new(words, is_of_sums)?;
        // Most commands require an output directory.
        let whole = words.with(&["--out".to_owned(), "part".to_owned()]);
        let parsed = parse(whole).map_err(|error| {
            let text = error.to_string();
            let text = text.trim_end().trim_start_matches("error: ").to_owned();
            PlanError::Refused { text, exit: Exit::Usage }
        })?;
        let mut inner = properties(parsed)?;
        if inner.is_random && inner.seed.is_none() {
            // A repeated plan keeps the seed that was drawn for it.
            let there = PlanFile::read(&self.out)?.and_then(|there| there.seed?.parse().ok());
            let seed = there.unwrap_or_else(draw_seed);
            words.seed(&seed);
            inner.seed = Some(seed);
        }
        let from = env::current_dir().map_err(|source| ArenaError::read(".", source))?;
        let estimates = !self.no_estimate;
        Ok(Asked { words, inner, divided, threads, estimates, arena: program()?, from })
    }
}

/// Returns this program, or the one named by the environment, for the scripts. If another executable such as
/// Python runs it, the program is the one named `arena`.
fn program() -> Result<PathBuf, PlanError> {
    if let Some(named) = env::var_os("ARENA").filter(|named| !named.is_empty()) {
        return Ok(absolute(&named).unwrap_or_else(|_| named.into()));
    }
    let own = env::current_exe().ok();
    let is_python =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("python"));
    if let Some(own) = own.filter(|path| !is_python(path)) {
        return Ok(own);
    }
    // Python's first word is the script that it runs.
    let script = env::args_os().nth(1).map(PathBuf::from);
    let is_arena = |path: &PathBuf| path.file_stem().is_some_and(|name| name == "arena") && path.is_file();
    if let Some(script) = script.filter(is_arena).and_then(|script| absolute(script).ok()) {
        return Ok(script);
    }
    let name = format!("arena{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .map(|place| place.join(&name))
        .find(|path| path.is_file())
        .ok_or(PlanError::NoArena)
}

/// Prints the result for the user.
fn told(made: &Made, scheduler: Scheduler, out: &Path) -> String {
    let Made { plan, was_there, written } = made;
    let place = out.display();
    let files = match (was_there, &written[..]) {
        (true, []) => format!("the plan is in {place} already; nothing was changed"),
        (_, written) => format!("written to {place}: {}", written.join(", ")),
    };
    let lines = [
        format!("arena {}", plan.line()),
        parts(plan),
        cost(plan),
        files,
        format!("run it with: cd {place} && {}", scheduler.command(plan.stepwise)),
        format!("show its progress: arena status {place}"),
    ];
    lines.map(|line| line + "\n").concat()
}

/// Describes the division of the command.
fn parts(plan: &PlanFile) -> String {
    let number = |number: u64, one: &str, many: &str| match number {
        1 => format!("1 {one}"),
        number => format!("{} {many}", thousands(number)),
    };
    let (shards, unit) = (number(plan.shards, "part", "parts"), &plan.unit);
    let threads = number(plan.threads as u64, "thread", "threads");
    match plan.deals {
        Some(deals) if plan.stepwise => {
            let most = if plan.kind.may_end_early() { "at most " } else { "" };
            format!("waves of {shards}, {threads} each; {most}{} {unit} in all", thousands(deals))
        }
        Some(deals) => {
            format!("{shards} of about {} {unit}, {threads} each", thousands(deals.div_ceil(plan.shards)))
        }
        None => format!("{shards}, {threads} each"),
    }
}

/// Describes the cost.
fn cost(plan: &PlanFile) -> String {
    let Some(cost) = &plan.estimate else {
        return "not estimated: 24 hours are requested for a part".to_owned();
    };
    let unit = if plan.unit == "matches" { "match" } else { "deal" };
    let whom = if plan.stepwise { "worker" } else { "part" };
    let requested = f64::from(u32::try_from(cost.time_request).unwrap_or(u32::MAX));
    format!(
        "about {} of a core per {unit}: {} core-hours in all, {} per {whom}, {} requested",
        short(cost.core_seconds_per_deal),
        cost.core_hours,
        span(cost.seconds_per_part),
        span(requested),
    )
}

/// Formats a time in a suitable unit.
fn short(seconds: f64) -> String {
    match seconds {
        seconds if seconds >= 1.0 => format!("{seconds} s"),
        seconds if seconds >= 1e-3 => format!("{:.3} ms", seconds * 1e3),
        seconds => format!("{:.1} µs", seconds * 1e6),
    }
}
