//! Shards of a run put together: the bytes of one undivided run.
//!
//! Every shard says in `totals.json` which deals it has and what they are of. They are brought into order;
//! then each table is read row by row, checked against its hash, and written again in blocks of the whole
//! run.

use std::path::{Path, PathBuf};

use coinche_bots::Registry;

use crate::base::error::ArenaError;
use crate::run::config::RunConfig;
use crate::run::directory::{Identity, RunDir, State};
use crate::run::figures::Timing;
use crate::run::rows::{Source, config_of};
use crate::run::totals::Totals;

/// A run that was put together.
pub(crate) struct Merged {
    pub(crate) config: RunConfig,
    pub(crate) totals: Totals,
}

/// One shard.
struct Shard {
    path: PathBuf,
    state: State,
}

fn wrong(message: String) -> ArenaError {
    ArenaError::Shards(message)
}

/// Reads the states of all shards, in the order of their deals.
fn read(paths: &[PathBuf]) -> Result<Vec<Shard>, ArenaError> {
    let mut shards = Vec::new();
    for path in paths {
        let state = State::read(path)?
            .ok_or_else(|| wrong(format!("{}: there is no run (no totals.json)", path.display())))?;
        shards.push(Shard { path: path.clone(), state });
    }
    // An empty shard stands before the one that begins with the same deal.
    shards.sort_by_key(|shard| (shard.state.start, shard.state.done));
    Ok(shards)
}

/// Checks that the shards are of one run and have every deal of it once. Returns how many deals that are.
fn check(shards: &[Shard], unit: &str) -> Result<u64, ArenaError> {
    let first = &shards[0];
    for shard in shards {
        let differences = first.state.identity.differences(&shard.state.identity);
        if !differences.is_empty() {
            return Err(wrong(format!(
                "{} is a shard of another run than {}: {}",
                shard.path.display(),
                first.path.display(),
                // There is the first, now is this one.
                differences.join("; ")
            )));
        }
        if !shard.state.is_closed() {
            let path = shard.path.display();
            return Err(wrong(format!("{path} is at work or was killed: give its command again")));
        }
    }
    let (mut next, mut last): (u64, Option<&Shard>) = (0, None);
    for shard in shards {
        let State { start, done, .. } = shard.state;
        let here = shard.path.display();
        if start > next {
            let before =
                last.map_or_else(String::new, |last| format!("{} ends there and ", last.path.display()));
            return Err(wrong(format!(
                "{unit} {next} to {} are missing: {before}{here} begins with {unit} {start}",
                start - 1
            )));
        }
        if start < next {
            let last = last.map_or_else(String::new, |last| last.path.display().to_string());
            return Err(wrong(format!(
                "{unit} {start} to {} are there twice: in {last} and in {here}",
                next.min(done).max(start + 1) - 1
            )));
        }
        next = done;
        last = Some(shard);
    }
    if let Some(Shard { path, state }) = last {
        let path = path.display();
        if state.done < state.end {
            return Err(wrong(format!(
                "{unit} {next} to {} are missing: {path} is not at its end, give its command again",
                state.end - 1
            )));
        }
        if state.end < state.asked {
            return Err(wrong(format!(
                "{unit} {next} to {} are missing: {path} is the last shard that is here",
                state.asked - 1
            )));
        }
    }
    Ok(next)
}

/// Merges shards into a directory.
///
/// # Errors
///
/// When they do not make a run, or something cannot be read or written.
pub(crate) fn merge(paths: &[PathBuf], out: &Path, registry: &Registry) -> Result<Merged, ArenaError> {
    let shards = read(paths)?;
    let unit = if shards[0].state.identity.settings.get("match") == Some(&toml::Value::Boolean(true)) {
        "matches"
    } else {
        "deals"
    };
    let deals = check(&shards, unit)?;
    if deals == 0 {
        return Err(wrong(format!("no {unit} were played in these shards")));
    }
    let config = config_of(&shards[0].path, &shards[0].state, registry)?;
    let config = RunConfig { deals, out: Some(out.to_owned()), ..config };
    if paths.iter().any(|path| path == out) {
        return Err(ArenaError::Usage(format!("--out {} is one of the shards", out.display())));
    }
    if Identity::new(&config)? != shards[0].state.identity {
        return Err(wrong(format!(
            "the shards were played by another program: {}; merge them with that one",
            shards[0].state.identity.differences(&Identity::new(&config)?).join("; ")
        )));
    }
    let mut dir = RunDir::open(&config)?;
    if dir.is_complete() {
        return Ok(Merged { totals: dir.totals().clone(), config });
    }
    if dir.done() > 0 {
        return Err(ArenaError::Usage(format!(
            "{} holds a part of this run already: choose another directory with --out",
            out.display()
        )));
    }
    for shard in shards {
        add(&mut dir, &config, shard)?;
    }
    dir.close()?;
    Ok(Merged { totals: dir.totals().clone(), config })
}

/// Adds the rows, lines and totals of a shard.
fn add(dir: &mut RunDir, config: &RunConfig, shard: Shard) -> Result<(), ArenaError> {
    let Shard { path, state } = shard;
    let State { start, done, table, lines, totals, .. } = state;
    let totals = totals
        .restore(&config.rules, config.unit)
        .map_err(|why| ArenaError::damaged(path.join("totals.json"), why))?;
    for (n, saved) in [table, lines].into_iter().enumerate() {
        let Some(saved) = saved else { continue };
        let mut source = Source::open(&path, &saved, config, start..done, n == 1)?;
        while let Some((rows, end)) = source.next()? {
            dir.append_to(n, rows.part(), end)?;
        }
    }
    dir.add_played(&totals, done, &Timing::read_clock(&path, config));
    Ok(())
}
