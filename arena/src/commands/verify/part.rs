//! Checks that a data set, or a part of sums or of a step, is unmodified and consistent.

use std::io::Write;
use std::path::Path;

use coinche_bots::Registry;
use coinche_selfplay::base::{Exit, Result, print, thousands};

use super::run::{files, tell};
use crate::commands::{bidding, stats};
use coinche_analysis::judge::JudgeJob;
use coinche_analysis::label::DataSet;
use coinche_runs::steps::StepJob;
use coinche_runs::{Damage, Form, Job, RunFile, STATE, State, SumJob};

/// Checks that the sums of a part suit its job and settings.
///
/// # Errors
///
/// Its settings are not those of a command, or the sums do not suit them.
pub fn check(state: &State, registry: &Registry) -> Result<Result<(), Damage>> {
    Ok(match state.job {
        Job::Bidding => bidding::check(state, registry)?,
        Job::Judge => JudgeJob.read(state).map(drop),
        Job::Hands => stats::check_hands(state),
        Job::Stats => stats::check_stats(state),
        Job::Sprt | Job::Tune => match state.settings::<RunFile>() {
            Ok(file) => StepJob::new(&file.check(registry)?, false).read(state).map(drop),
            Err(why) => Err(why),
        },
        // Their contents are recounted from their tables.
        Job::Run | Job::Label | Job::Decisions | Job::Games | Job::Rows => Ok(()),
    })
}

/// Checks the part in a directory.
pub(super) fn verify(
    directory: &Path,
    state: State,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Exit> {
    if !files(directory, &|_| false, out)? {
        return Ok(Exit::Disagreements);
    }
    let mut found = state.contradictions();
    found.extend(check(&state, registry)?.err().map(|why| format!("its totals: {why}")));
    if !tell(out, STATE, &found)? {
        return Ok(Exit::Disagreements);
    }
    if state.job.form() == Form::Directory {
        let DataSet { chunks, files, .. } = DataSet::of(directory, state)?;
        let [there, all] = [files.count(), chunks.number()].map(thousands);
        if files.count() < chunks.number() {
            let text = format!(
                "the data set is not finished: {there} of {all} files are there; repeat its command\n"
            );
            print(out, &text)?;
        }
        return Ok(Exit::Done);
    }
    let [done, all] = [state.done - state.start, state.end - state.start].map(thousands);
    let (command, unit) = (state.job.command(), state.unit());
    let shard = state.shard.map_or_else(String::new, |shard| format!("shard {shard} of "));
    print(out, &format!("{STATE}: {shard}`arena {command}`, {done} of {all} {unit}\n"))?;
    if !state.is_done() {
        print(out, "the part is not finished: repeat its command\n")?;
    }
    Ok(Exit::Done)
}
