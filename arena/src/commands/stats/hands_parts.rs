//! `arena stats hands --deals` in shards: makes one part, merges all parts.

use std::io::Write;
use std::path::Path;

use coinche_engine::{RuleSet, Seed};
use coinche_selfplay::{Exit, Result, Solvers};
use serde::{Deserialize, Serialize};

use super::hands::{HandsArgs, of_seed, show};
use crate::commands::flags::PageFlags;
use coinche_analysis::stats_hands::{self, HandsJob};
use coinche_protocol::STOP;
use coinche_runs::{Damage, Identity, Job, Parts, RulesText, Shard, State, SumJob, Task};

/// The options that affect the result.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Of {
    leaders: String,
    seed: Seed,
    rules: RulesText,
}

/// Makes a part.
pub(super) fn make(args: &HandsArgs, shard: Shard, path: &Path, out: &mut dyn Write) -> Result<Exit> {
    let seed = args.seed.or_there(None, Some(shard))?;
    let settings = args.settings(seed.clone())?;
    let of = Of { leaders: args.leaders.to_string(), seed, rules: RulesText::of(&settings.rules)? };
    let identity = Identity::try_of(&of)?;
    let (whole, threads) = (0..settings.source.deals(), args.rules.threads()?);
    let task = Task::shard(Job::Hands, identity, shard, whole).by(threads);
    let solvers = Solvers::new(args.rules.threads)?;
    stats_hands::make_part(&settings, path, &task, &solvers, args.progress, &STOP)?.tell("solved", out)
}

/// Reads the settings of a part.
fn read(settings: &toml::Table) -> Result<(Of, RuleSet), Damage> {
    let of: Of = settings.clone().try_into()?;
    let rules = of.rules.load().map_err(|_| Damage::Totals)?;
    Ok((of, rules))
}

/// Prints and writes the result of the whole command.
pub(crate) fn merge(parts: &Parts, page: &PageFlags, out: &mut dyn Write) -> Result<()> {
    let (of, rules) = read(&parts.identity.settings).map_err(|why| parts.damaged(why))?;
    let totals = HandsJob(&rules).total(parts)?;
    show(&totals, &rules, of_seed(&of.seed), page, out)
}

/// Checks that the sums of a part are those of its settings.
pub(crate) fn check(state: &State) -> Result<(), Damage> {
    HandsJob(&read(&state.identity.settings)?.1).read(state).map(drop)
}
