//! `arena stats --deals` in shards: one part made, all parts merged.

use std::io::Write;
use std::path::Path;

use coinche_bots::Registry;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use serde_json::value::RawValue;

use super::records::{RecordsArgs, counted, show};
use crate::analysis::stats;
use crate::commands::flags::PageFlags;
use crate::protocol::STOP;
use crate::run::config::{RunConfig, Shard};
use crate::run::damage::Damage;
use crate::run::directory::Identity;
use crate::run::part::{Parts, Task};

/// The name of the command in a part.
pub(crate) const STATS: &str = "stats";

/// The settings beside those of a run.
const COMPARE_SET: &str = "compare-set";
const OF: &str = "of";

/// Makes a part.
///
/// # Errors
///
/// When the arguments are wrong or not those of the directory, or something cannot be written.
pub(super) fn make(
    args: &RecordsArgs,
    shard: Shard,
    path: &Path,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
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
    let task = Task { command: STATS, identity, shard, whole: 0..deals, has_rows: false, threads };
    stats::make_part(&configs, path, task, &STOP)?.tell("counted", out)
}

/// Returns the rules with which those of the parts are compared.
fn compared(settings: &mut toml::Table) -> Result<Option<Vec<String>>, toml::de::Error> {
    settings.remove(COMPARE_SET).map(toml::Value::try_into).transpose()
}

/// Prints and writes what the whole command does.
///
/// # Errors
///
/// When the parts are not those of the command, or something cannot be read or written.
pub(crate) fn merge(
    parts: &Parts,
    page: &PageFlags,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<(), ArenaError> {
    let mut settings = parts.identity.settings.clone();
    let compare_set = compared(&mut settings).map_err(|why| parts.damaged(why))?;
    let of = settings.remove(OF).map(toml::Value::try_into::<String>).transpose();
    let of = of.map_err(|why| parts.damaged(why))?;
    let config = parts.config(settings, registry)?;
    let mut totals = stats::merge_parts(parts, 1 + usize::from(compare_set.is_some()))?.into_iter();
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

/// Checks that a text is the totals of a part with these settings.
///
/// # Errors
///
/// Says what is wrong with it.
pub(crate) fn check(settings: &toml::Table, totals: &RawValue) -> Result<(), Damage> {
    let passes = if settings.contains_key(COMPARE_SET) { 2 } else { 1 };
    stats::check_part(totals, passes)
}
