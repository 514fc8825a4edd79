//! `arena stats hands --deals` in shards: one part made, all parts merged.

use std::io::Write;
use std::path::Path;

use coinche_engine::{RuleSet, Seed};
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::play::solvers::Solvers;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::hands::{HandsArgs, of_seed, show};
use crate::analysis::stats_hands;
use crate::commands::flags::PageFlags;
use crate::protocol::STOP;
use crate::run::config::{RulesText, Shard};
use crate::run::damage::Damage;
use crate::run::directory::Identity;
use crate::run::part::{Parts, Task};

/// The name of the command in a part.
pub(crate) const HANDS: &str = "stats hands";

/// All that decides about the result.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Of {
    leaders: String,
    seed: Seed,
    rules: RulesText,
}

/// Makes a part.
///
/// # Errors
///
/// When the arguments are wrong or not those of the directory, or something cannot be written.
pub(super) fn make(
    args: &HandsArgs,
    shard: Shard,
    path: &Path,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
    let seed = args.seed.or_there(None, Some(shard))?;
    let settings = args.settings(seed.clone())?;
    let of = Of { leaders: args.leaders.to_string(), seed, rules: RulesText::of(&settings.rules)? };
    let identity = Identity::try_of(&of)?;
    let (whole, threads) = (0..settings.source.deals(), args.rules.threads()?);
    let task = Task { command: HANDS, identity, shard, whole, has_rows: false, threads };
    let solvers = Solvers::new(args.rules.threads)?;
    stats_hands::make_part(&settings, path, task, &solvers, args.progress, &STOP)?.tell("solved", out)
}

/// Reads the settings of a part.
fn read(settings: &toml::Table) -> Result<(Of, RuleSet), Damage> {
    let of: Of = settings.clone().try_into()?;
    let rules = of.rules.load().map_err(|_| Damage::Totals)?;
    Ok((of, rules))
}

/// Prints and writes what the whole command does.
///
/// # Errors
///
/// When the parts are not those of the command, or something cannot be read or written.
pub(crate) fn merge(parts: &Parts, page: &PageFlags, out: &mut dyn Write) -> Result<(), ArenaError> {
    let (of, rules) = read(&parts.identity.settings).map_err(|why| parts.damaged(why))?;
    let totals = stats_hands::merge_parts(parts, &rules)?;
    show(&totals, &rules, of_seed(&of.seed), page, out)
}

/// Checks that a text is the totals of a part with these settings.
///
/// # Errors
///
/// Says what is wrong with it.
pub(crate) fn check(settings: &toml::Table, totals: &RawValue) -> Result<(), Damage> {
    stats_hands::check_part(totals, &read(settings)?.1)
}
