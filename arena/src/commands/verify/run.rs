//! Checks a complete run: its files, records, totals and figures.

use std::fs;
use std::io::Write;
use std::path::Path;

use coinche_bots::Registry;
use coinche_selfplay::base::files::CHECKSUMS;
use coinche_selfplay::base::files::checksums::Checksums;
use coinche_selfplay::base::shown::brief;
use coinche_selfplay::base::{ArenaError, Exit, Result, print, thousands};

use super::{control, figures};
use crate::commands::{sprt, tune};
use coinche_runs::audit::{Audit, audit};
use coinche_runs::{LOCK, NotEnded, Records, RunConfig, STATE, SavedSink, State};

use coinche_runs::rows::{Source, config_of};

/// Prints what is wrong with a file; tests if nothing is.
pub(super) fn tell(out: &mut dyn Write, file: &str, found: &[String]) -> Result<bool> {
    for difference in found {
        print(out, &(brief(&format!("{file}: {difference}")) + "\n"))?;
    }
    Ok(found.is_empty())
}

/// Compares the files of a directory with their checksums; those of `later` are compared when they are read.
pub(super) fn files(directory: &Path, later: &dyn Fn(&str) -> bool, out: &mut dyn Write) -> Result<bool> {
    let Some(sums) = Checksums::read(directory)? else {
        let text = format!(
            "there is no {CHECKSUMS}: an older version wrote these files, or their process was killed; repeat the \
             command that made them\n"
        );
        print(out, &text)?;
        return Ok(false);
    };
    let (mut right, mut compared) = (true, 0);
    for (name, sum) in sums.iter().filter(|(name, _)| !later(name)) {
        compared += 1;
        let found = Checksums::difference(directory, name, sum)?;
        right &= tell(out, name, found.as_slice())?;
    }
    if right {
        print(out, &format!("{CHECKSUMS}: {compared} files are as they were written\n"))?;
    }
    let mut others: Vec<String> = fs::read_dir(directory)
        .and_then(|entries| {
            entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
        })
        .map_err(|source| ArenaError::read(directory, source))?;
    others.retain(|name| !sums.has(name) && ![CHECKSUMS, LOCK].contains(&name.as_str()));
    if !others.is_empty() {
        others.sort();
        print(out, &format!("not checked, since {CHECKSUMS} does not list it: {}\n", others.join(", ")))?;
    }
    Ok(right)
}

/// Checks the tuning in a directory, and the run that measures its gain.
pub(super) fn verify_tuning(directory: &Path, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let mut right = files(directory, &|_| false, out)?;
    let run = directory.join(tune::VERIFY);
    if run.is_dir() {
        print(out, &format!("{}:\n", run.display()))?;
        right &= verify(&run, registry, out)? == Exit::Done;
    } else {
        print(out, "the tuning is not finished, or its result is the start\n")?;
    }
    Ok(if right { Exit::Done } else { Exit::Disagreements })
}

/// Checks the run in a directory.
pub(super) fn verify(directory: &Path, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let is_table = |name: &str| name.starts_with("summary.") || name.starts_with("records.");
    let right = files(directory, &is_table, out)?;
    match contents(directory, registry, out) {
        Ok(agree) if right && agree => Ok(Exit::Done),
        Ok(_) => Ok(Exit::Disagreements),
        // A consequence of what is reported already, or a detail of it.
        Err(error) if !right => {
            print(out, &(brief(&error.to_string()) + "\n"))?;
            Ok(Exit::Disagreements)
        }
        Err(error) => Err(error),
    }
}

/// Checks the contents of a run's files; tests if they agree.
fn contents(directory: &Path, registry: &Registry, out: &mut dyn Write) -> Result<bool> {
    let state = State::there(directory)?;
    if !state.is_closed() {
        return Err(NotEnded::Unfinished(directory.to_owned()).into());
    }
    let mut right = tell(out, STATE, &state.contradictions_of_run())?;
    if let Some(sums) = Checksums::read(directory)? {
        for (name, sum) in state.tables.iter().filter_map(SavedSink::sum) {
            let listed = sums.iter().find(|(listed, _)| *listed == name);
            if listed.is_none_or(|(_, listed)| listed != sum) {
                right &= tell(out, &name, &[format!("{CHECKSUMS} and {STATE} have different sums")])?;
            }
        }
    }
    right &= counted(directory, &state, registry, out)?;
    right &= told(directory, &state, registry, out)?;
    Ok(right)
}

/// Recounts the totals from the tables; tests if they are the same.
fn counted(directory: &Path, state: &State, registry: &Registry, out: &mut dyn Write) -> Result<bool> {
    let config = config_of(directory, state, registry)?;
    let totals = state.restore(directory, &config)?;
    let mut right = true;
    for (saved, are_records) in [(state.summary(), false), (state.records(), true)] {
        let Some(saved) = saved else { continue };
        let count = if are_records {
            print(out, &format!("{}:\n", saved.file))?;
            // Sampled records and swings leave deals out.
            let is_whole = config.records == Records::Full;
            let (mut count, mut counted) = (Audit::new(&config, true), Ok(()));
            let mut add = |told: &_| {
                if is_whole && counted.is_ok() {
                    counted = count.add(told);
                }
            };
            right &= super::records(&directory.join(&saved.file), is_whole, &mut add, out)? == Exit::Done;
            if !is_whole {
                continue;
            }
            counted.map(|()| count)
        } else {
            audit(&config, &mut Source::open(directory, saved, &config, state.start..state.done, false)?)?
        };
        let (found, uncounted) = match count {
            Ok(count) => (count.differences(&totals), count.uncounted()),
            Err(error) => (vec![error.to_string()], Vec::new()),
        };
        if tell(out, &saved.file, &found)? {
            let legs = thousands(totals.legs());
            print(out, &format!("{}: {legs} legs, and the totals match\n", saved.file))?;
        } else {
            right = false;
        }
        if !uncounted.is_empty() && config.records != Records::Full {
            let what = uncounted.join(", ");
            print(out, &format!("not recounted, since only `--records full` tells them: {what}\n"))?;
        }
    }
    if config.records == Records::None {
        print(out, &nothing(&config))?;
    }
    Ok(right)
}

/// Recomputes the figures from the totals; tests if they are the same.
fn told(directory: &Path, state: &State, registry: &Registry, out: &mut dyn Write) -> Result<bool> {
    let (config, found) = figures::config(directory, state, registry)?;
    let mut right = tell(out, "config.toml", &found)?;
    let totals = state.restore(directory, &config)?;
    right &= control::recounted(&config, state, &totals, out)?;
    let found = figures::of_run(directory, &config, &totals)?;
    if tell(out, "run.json", &found)? {
        print(out, "run.json: its figures are those of the totals\n")?;
    } else {
        right = false;
    }
    let is_test = directory.join(sprt::RESULT).is_file();
    if is_test {
        let test = sprt::verify(directory, &config, &totals)?;
        for (file, found) in test.wrong {
            if found.is_empty() {
                print(out, &format!("{file}: its figures are those of the totals\n"))?;
            }
            right &= tell(out, file, &found)?;
        }
        if test.middle > 0 {
            let middle = format!(
                "{}: the last look is recounted; the {} before it are possible, but their deals were not written\n",
                sprt::TABLE,
                thousands(test.middle as u64)
            );
            print(out, &middle)?;
        }
        if !test.is_over {
            print(out, "the test is not finished: repeat its command\n")?;
        }
    } else if state.done < state.end {
        let [done, asked] = [state.done - state.start, state.end - state.start].map(thousands);
        let unit = config.unit.plural();
        print(
            out,
            &format!("the run is not finished: {done} of {asked} {unit} are played; repeat its command\n"),
        )?;
    }
    Ok(right)
}

fn nothing(config: &RunConfig) -> String {
    format!("no {} were written: there is nothing to recount the totals from\n", config.unit.plural())
}
