//! The properties of a command that are needed to divide it.

use coinche_bots::Registry;
use coinche_selfplay::{Result, Unit};

use crate::commands::judge::JudgeArgs;
use crate::commands::label::LabelArgs;
use crate::commands::run::RunArgs;
use crate::commands::sprt::SprtArgs;
use crate::commands::stats::{StatsArgs, StatsOf};
use crate::commands::train::{TrainArgs, TrainCommand};
use crate::commands::tune::TuneArgs;
use coinche_analysis::plan::{Inner, PlanError};
use coinche_runs::Job;

/// Tests if the words are of a command of sums.
pub(super) fn is_of_sums(words: &[String]) -> Result<bool, PlanError> {
    let word = words.first().map(String::as_str).unwrap_or_default();
    let job = Job::ALL.into_iter().find(|job| job.command().split(' ').next() == Some(word));
    job.map(Job::is_of_sums).ok_or_else(|| PlanError::NotDivided(word.to_owned()))
}

/// Explains why a command cannot be divided with these flags.
const fn not_so(command: &'static str, why: &'static str, remedy: &'static str) -> PlanError {
    PlanError::NotSo { command, why, remedy }
}

/// Returns the properties of a command with this many random deals, each of which can be a shard.
pub(crate) const fn of_deals(kind: Job, deals: u64) -> Inner {
    Inner { kind, seed: None, is_random: true, deals: Some(deals), of_matches: false, pieces: Some(deals) }
}

pub(crate) fn of_run(args: RunArgs, registry: &Registry) -> Result<Inner> {
    let file = args.file()?;
    let seed = args.play.seed.seed.clone().or(file.seed);
    let config = args.config(registry)?;
    let of_matches = config.unit == Unit::Match;
    Ok(Inner { seed, of_matches, ..of_deals(Job::Run, config.deals) })
}

pub(crate) fn of_label(args: &LabelArgs) -> Inner {
    let (kind, chunk) = args.job();
    let chunk = args.chunk.unwrap_or(chunk).max(1);
    // Lines of a file are counted when it is read.
    let deals = args.deals.filter(|_| args.file.is_none());
    Inner {
        kind,
        seed: args.seed.seed.clone(),
        is_random: args.file.is_none(),
        deals,
        of_matches: false,
        pieces: deals.map(|deals| deals.div_ceil(chunk)),
    }
}

pub(crate) fn of_train(args: &TrainArgs) -> Result<Inner, PlanError> {
    let cards = match &args.what {
        TrainCommand::Cards(cards) if cards.data.rows => cards,
        TrainCommand::Cards(_) => {
            let remedy = "with --rows it writes what is learnt from, in shards";
            return Err(not_so("train cards", "learns in rounds", remedy));
        }
        TrainCommand::Bidding(_) | TrainCommand::Reading(_) => {
            let remedy = "give it as it is";
            return Err(not_so("train", "learns from all deals together", remedy));
        }
    };
    let chunk = cards.data.chunk.unwrap_or(1_000).max(1);
    let pieces = Some(cards.deals.div_ceil(chunk));
    Ok(Inner { seed: cards.common.seed.seed.clone(), pieces, ..of_deals(Job::Rows, cards.deals) })
}

pub(crate) fn of_stats(args: &StatsArgs) -> Result<Inner, PlanError> {
    let (kind, deals, seed, of_matches) = match &args.what {
        Some(StatsOf::Hands(hands)) => (Job::Hands, hands.deals, &hands.seed, false),
        None => (Job::Stats, args.records.deals, &args.records.seed, args.records.matches),
    };
    let deals = deals.ok_or(not_so("stats", "reads files", "give --deals, to play or solve deals"))?;
    Ok(Inner { seed: seed.seed.clone(), of_matches, ..of_deals(kind, deals) })
}

pub(crate) fn of_judge(args: JudgeArgs) -> Inner {
    let (is_random, seed) = (args.sample < 1.0, args.seed.seed);
    Inner { kind: Job::Judge, is_random, seed, deals: None, of_matches: false, pieces: None }
}

pub(crate) fn of_sprt(args: SprtArgs) -> Inner {
    let (seed, of_matches) = (args.play.seed.seed, args.matches);
    Inner { seed, of_matches, pieces: None, ..of_deals(Job::Sprt, args.max_deals) }
}

pub(crate) fn of_tune(args: TuneArgs) -> Inner {
    Inner { seed: args.play.seed.seed, pieces: None, ..of_deals(Job::Tune, args.deals) }
}
