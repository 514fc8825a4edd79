//! Is a part of sums what was written, and does it fit together?

use std::io::Write;
use std::path::Path;

use coinche_bots::Registry;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::style::thousands;

use super::run::{files, tell};
use crate::analysis::judge::check_part as check_judged;
use crate::commands::{bidding, judge, stats};
use crate::run::damage::Damage;
use crate::run::part::{PartError, STATE, State};

/// Checks that the totals of a part are those of its command; `None` of a command that this program does not merge.
///
/// # Errors
///
/// When its settings name bots that there are not.
pub(crate) fn check(state: &State, registry: &Registry) -> Result<Option<Result<(), Damage>>, ArenaError> {
    let State { identity, totals, .. } = state;
    Ok(Some(match state.command.as_str() {
        bidding::BIDDING => bidding::check(state, registry)?,
        judge::JUDGE => check_judged(totals),
        stats::HANDS => stats::check_hands(&identity.settings, totals),
        stats::STATS => stats::check_stats(&identity.settings, totals),
        _ => return Ok(None),
    }))
}

/// Checks the part in a directory.
///
/// # Errors
///
/// When a file is damaged or cannot be read.
pub(super) fn verify(directory: &Path, registry: &Registry, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    if !files(directory, &|_| false, out)? {
        return Ok(Exit::Disagreements);
    }
    let state = State::read(directory)?.ok_or_else(|| PartError::NoPart(directory.to_owned()))?;
    let mut found = state.contradictions();
    let Some(totals) = check(&state, registry)? else {
        return Err(PartError::Unknown { path: directory.to_owned(), command: state.command }.into());
    };
    found.extend(totals.err().map(|why| format!("its totals: {why}")));
    if !tell(out, STATE, &found)? {
        return Ok(Exit::Disagreements);
    }
    let [done, all] = [state.done - state.start, state.end - state.start].map(thousands);
    let (shard, command, unit) = (state.shard, &state.command, state.unit());
    print(out, &format!("{STATE}: shard {shard} of `arena {command}`, {done} of {all} {unit}\n"))?;
    if !state.is_done() {
        print(out, "the part is not finished: repeat its command\n")?;
    }
    Ok(Exit::Done)
}
