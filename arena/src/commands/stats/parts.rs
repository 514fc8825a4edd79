//! `arena stats --deals` in shards: makes one part, merges all parts.

use std::io::Write;
use std::path::Path;

use coinche_bots::Registry;
use coinche_selfplay::{Exit, Result};

use super::records::{RecordsArgs, counted, show};
use crate::commands::flags::PageFlags;
use coinche_analysis::stats::{self, StatsJob};
use coinche_protocol::STOP;
use coinche_runs::{Damage, Identity, Job, Parts, RunConfig, Shard, State, SumJob, Task};

/// The settings besides those of a run.
const COMPARE_SET: &str = "compare-set";
const OF: &str = "of";

/// Makes a part.
pub(super) fn make(
    args: &RecordsArgs,
    shard: Shard,
    path: &Path,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Exit> {
    let seed = args.seed.or_there(None, Some(shard))?;
    let deals = args.deals_to_play()?;
    let whole = args.config(deals, &seed, &[], registry)?;
    let mut settings = whole.settings()?;
    let mut configs = vec![RunConfig { shard: Some(shard), ..whole }];
    if !args.compare_set.is_empty() {
        let other = args.config(deals, &seed, &args.compare_set, registry)?;
        configs.push(RunConfig { shard: Some(shard), ..other });
        settings.insert(COMPARE_SET.to_owned(), args.compare_set.clone().into());
    }
    if let Some(bot) = &args.of {
        settings.insert(OF.to_owned(), bot.clone().into());
    }
    let threads = configs[0].threads;
    let identity = Identity::of(settings).with_files(configs[0].files());
    let task = Task::shard(Job::Stats, identity, shard, 0..deals).by(threads);
    stats::make_part(&configs, path, &task, &STOP)?.tell("counted", out)
}

/// Returns the rules with which those of the parts are compared.
fn compared(settings: &mut toml::Table) -> Result<Option<Vec<String>>, toml::de::Error> {
    settings.remove(COMPARE_SET).map(toml::Value::try_into).transpose()
}

/// Prints and writes the result of the whole command.
pub(crate) fn merge(parts: &Parts, page: &PageFlags, registry: &Registry, out: &mut dyn Write) -> Result<()> {
    let mut settings = parts.identity.settings.clone();
    let compare_set = compared(&mut settings).map_err(|why| parts.damaged(why))?;
    let of = settings.remove(OF).map(toml::Value::try_into::<String>).transpose();
    let of = of.map_err(|why| parts.damaged(why))?;
    let config = parts.config(settings, registry)?;
    let job = StatsJob(1 + usize::from(compare_set.is_some()));
    let mut totals = job.total(parts)?.into_totals();
    let mut next = |config: &RunConfig| totals.next().map(|totals| counted(config, totals));
    let first = next(&config).ok_or_else(|| parts.damaged(Damage::Totals))?;
    let other = match compare_set {
        None => None,
        Some(set) => {
            let rules = config.rules.with_settings(set.iter().map(String::as_str))?;
            next(&RunConfig { rules, ..config })
        }
    };
    show(first, other, of.as_deref(), page, out)
}

/// Checks that the sums of a part are those of its settings.
pub(crate) fn check(state: &State) -> Result<(), Damage> {
    let passes = if state.identity.settings.contains_key(COMPARE_SET) { 2 } else { 1 };
    StatsJob(passes).read(state).map(drop)
}
