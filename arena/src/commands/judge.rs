//! `arena judge`: what each decision cost.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use coinche_bots::{Agent as _, BotSpec, Registry};
use coinche_engine::Seed;
use coinche_selfplay::{Exit, ModuleError, ProgressMode, Result, Solvers};
use serde::{Deserialize, Serialize};

use super::count::count;
use super::flags::{PageFlags, SeedFlag, ShardFlag};
use coinche_analysis::judge;
use coinche_analysis::judge::{DecisionFiles, Extent, Settings, Totals};
use coinche_protocol::STOP;
use coinche_runs::{Identity, Job, Parts, Shard, State, Task};

/// The flags of `arena judge`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("judge"))]
pub(crate) struct JudgeArgs {
    /// A run, or a file of records; `-` is stdin
    ///
    /// The directory of a run with records, or a file of deal records (JSON Lines, also compressed with zstd).
    #[arg(value_name = "RUN|FILE|-")]
    pub file: PathBuf,
    /// Also judge by what the seats could know
    ///
    /// Asks this bot, which must search, to rate every choice by what the seat knew, for example
    /// `rules+pimc:worlds=200,prune=no`.
    #[arg(long, value_name = "BOT")]
    pub by: Option<String>,
    /// Also count what people call foolish
    ///
    /// Points thrown into a lost trick, leads of what the partner threw away, masters kept until they are ruffed, bids without their honour: how
    /// often, and what each cost.
    #[arg(long)]
    pub audit: bool,
    /// Share of the deals to judge
    ///
    /// Chosen by the numbers of the deals and the seed; a larger share contains the smaller one.
    #[arg(long, value_name = "P", default_value_t = 1.0)]
    pub sample: f64,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
    /// Print all figures as JSON
    #[arg(long)]
    pub json: bool,
    /// In which forms, beside the text.
    #[command(flatten)]
    pub page: PageFlags,
    /// Of which deals.
    #[command(flatten)]
    pub shard: ShardFlag,
    /// Number of threads [default: all cores]
    ///
    /// Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = count::<usize>)]
    pub threads: Option<usize>,
    /// Progress: auto, plain, json, none
    ///
    /// There is none while stdin is read.
    #[arg(long, value_enum, value_name = "MODE", default_value = "auto")]
    pub progress: ProgressMode,
}

/// Why the arguments are wrong.
#[derive(Debug, thiserror::Error)]
enum JudgeArgsError {
    #[error("sample: {0} is not above 0 and at most 1")]
    Sample(f64),
    #[error("--seed: it has no effect without --sample, since every deal is judged; leave it out")]
    Seed,
    #[error("--json: a part has no figures: give it to `arena merge`, which has all parts")]
    Json,
    #[error("--by: `{0}` does not rate each card: name a bot that searches, such as `rules+pimc`")]
    TellsNothing(String),
}

impl ModuleError for JudgeArgsError {}

/// The options that affect the result.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    sample: f64,
    seed: Seed,
    #[serde(default)]
    audit: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    /// The size of the file of records; whether they are of matches.
    #[serde(rename = "records-bytes")]
    bytes: u64,
    #[serde(rename = "records-crc32")]
    crc: String,
    #[serde(rename = "match")]
    matches: bool,
}

impl Asked {
    /// Returns the settings of the judging; the source of the records only occurs in errors.
    fn settings(&self, from: &Path, registry: &Registry) -> Result<Settings> {
        let by = self.by.as_deref().map(|text| registry.parse(text)).transpose()?;
        Ok(Settings {
            file: from.to_owned(),
            sample: self.sample,
            seed: self.seed.clone(),
            audit: self.audit,
            by,
        })
    }
}

impl JudgeArgs {
    fn settings(&self, registry: &Registry) -> Result<Settings> {
        if !(self.sample > 0.0 && self.sample <= 1.0) {
            return Err(JudgeArgsError::Sample(self.sample).into());
        }
        let by = self.by.as_deref().map(|text| registry.parse(text)).transpose()?;
        if let Some(spec) = by.as_ref().filter(|spec| spec.has_program() || !spec.build().player.thinks()) {
            return Err(JudgeArgsError::TellsNothing(spec.to_string()).into());
        }
        if self.sample >= 1.0 && self.seed.seed.is_some() {
            return Err(JudgeArgsError::Seed.into());
        }
        let seed = match self.shard.shard {
            // Without sampling there is no randomness.
            _ if self.sample >= 1.0 => 0.into(),
            None => self.seed.or_drawn(),
            Some(shard) => self.seed.or_there(None, Some(shard))?,
        };
        Ok(Settings { file: self.file.clone(), sample: self.sample, seed, audit: self.audit, by })
    }
}

/// Runs the command.
pub(crate) fn judge(args: &JudgeArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let part = args.shard.part(&args.page)?;
    let settings = args.settings(registry)?;
    if let Some((shard, path)) = part {
        return make(args, &settings, shard, path, out);
    }
    let solvers = Solvers::new(args.threads)?;
    let mut files = DecisionFiles::create(args.page.csv.as_deref(), args.page.parquet.as_deref())?;
    let totals = judge::judge(&settings, &solvers, &mut files, args.progress)?;
    files.finish()?;
    show(&settings, &totals, &args.page, args.json, out)
}

/// Prints the totals, and writes the requested files.
fn show(
    settings: &Settings,
    totals: &Totals,
    page: &PageFlags,
    json: bool,
    out: &mut dyn Write,
) -> Result<Exit> {
    let json = json.then(|| format!("{:#}\n", judge::json(settings, totals)));
    page.show(&judge::document(settings, totals), json, out)?;
    Ok(ended(totals.wrong_lines))
}

const fn ended(wrong_lines: u64) -> Exit {
    if wrong_lines == 0 { Exit::Done } else { Exit::Disagreements }
}

/// Makes a part.
fn make(
    args: &JudgeArgs,
    settings: &Settings,
    shard: Shard,
    path: &Path,
    out: &mut dyn Write,
) -> Result<Exit> {
    if args.json {
        return Err(JudgeArgsError::Json.into());
    }
    State::refuse(&args.file)?;
    let Extent { units, matches, sum } = Extent::of(&args.file)?;
    let asked = Asked {
        sample: settings.sample,
        seed: settings.seed.clone(),
        audit: settings.audit,
        by: settings.by.as_ref().map(|by| by.as_str().to_owned()),
        bytes: sum.bytes,
        crc: format!("{:08x}", sum.crc),
        matches,
    };
    let files = settings.by.iter().flat_map(BotSpec::files).collect();
    let identity = Identity::try_of(&asked)?.with_files(files);
    let solvers = Solvers::new(args.threads)?;
    let threads = solvers.threads();
    let task = Task::shard(Job::Judge, identity, shard, units).by(threads);
    let (dir, wrong) = judge::make_part(settings, path, &task, &solvers, args.progress, &STOP)?;
    Ok(match dir.tell("judged", out)? {
        Exit::Done => ended(wrong),
        exit => exit,
    })
}

/// Prints and writes the result of the whole command.
pub(super) fn merge(
    parts: &Parts,
    page: &PageFlags,
    json: bool,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Exit> {
    let settings = parts.settings::<Asked>()?.settings(&parts.paths()[0], registry)?;
    let wanted = page.csv.is_some() || page.parquet.is_some();
    let files = || DecisionFiles::create(page.csv.as_deref(), page.parquet.as_deref());
    let mut files = wanted.then(files).transpose()?;
    let totals = judge::merge_parts(parts, &settings, files.as_mut())?;
    files.map_or(Ok(()), DecisionFiles::finish)?;
    show(&settings, &totals, page, json, out)
}
