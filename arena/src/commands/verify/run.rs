//! Is a whole run right: its files, its records, its totals?

use std::io::Write;
use std::path::Path;

use coinche_bots::Registry;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::style::thousands;

use crate::run::audit::audit;
use crate::run::config::{Records, RunConfig};
use crate::run::directory::{NotEnded, State};
use crate::run::rows::{Source, config_of};

/// Checks the run in a directory.
///
/// # Errors
///
/// When there is none, a file of it is damaged or cannot be read.
pub(super) fn verify(directory: &Path, registry: &Registry, out: &mut dyn Write) -> Result<Exit, ArenaError> {
    let state = State::read(directory)?.ok_or_else(|| NotEnded::NoRun(directory.to_owned()))?;
    if !state.is_closed() {
        return Err(NotEnded::Unfinished(directory.to_owned()).into());
    }
    let config = config_of(directory, &state, registry)?;
    let State { start, done, table, lines, totals, .. } = state;
    let totals = totals
        .restore(&config.rules, config.unit)
        .map_err(|why| ArenaError::damaged(directory.join("totals.json"), why))?;
    let mut right = true;
    for (saved, are_records) in [(table, false), (lines, true)] {
        let Some(saved) = saved else { continue };
        let mut source = Source::open(directory, &saved, &config, start..done, are_records)?;
        if are_records {
            print(out, &format!("{}: ", saved.file))?;
            right &= super::records(&directory.join(&saved.file), out)? == Exit::Done;
        }
        if are_records && config.records != Records::Full {
            continue;
        }
        let found = match audit(&config, &mut source, are_records)? {
            Ok(count) => count.differences(&totals),
            Err(error) => vec![error.to_string()],
        };
        for difference in &found {
            print(out, &format!("{}: {difference}\n", saved.file))?;
        }
        if found.is_empty() {
            let legs = thousands(totals.legs());
            print(out, &format!("{}: {legs} legs, the totals are theirs\n", saved.file))?;
        }
        right &= found.is_empty();
    }
    if config.records == Records::None {
        print(out, &nothing(&config))?;
    }
    Ok(if right { Exit::Done } else { Exit::Disagreements })
}

fn nothing(config: &RunConfig) -> String {
    format!("no {} were written: there is nothing to count the totals from\n", config.unit.plural())
}
