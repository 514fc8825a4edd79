//! What is in the directory of a part, of whatever command.

use core::ops::Range;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::{read_bounded, read_json, read_text};
use serde::Deserialize;

use crate::analysis::label::{Parts, SETTINGS};
use crate::analysis::plan::Kind;
use crate::run::checksums::Checksums;
use crate::run::config::Shard;
use crate::run::directory::{Identity, State};

/// The file of a part of a command of sums, or of a step.
const PART: &str = "part.json";
/// The most bytes of it that are read.
const MOST: u64 = 1 << 30;

/// What is in a directory.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) kind: Kind,
    /// What it is of: what differs is of another command.
    pub(super) identity: Identity,
    /// The command, as far as the directory says it.
    pub(super) command: String,
    /// Its number, from 1, and of how many.
    pub(super) shard: Option<(u64, u64)>,
    /// Its deals or matches.
    pub(super) range: Range<u64>,
    /// How many of them are done.
    pub(super) done: u64,
    /// How many there are in all parts together.
    pub(super) asked: Option<u64>,
    pub(super) of_matches: bool,
    /// How long they took, where that is known.
    pub(super) seconds: Option<f64>,
    /// Whether all is done, and in order.
    pub(super) is_complete: bool,
    /// Of a run, its totals.
    pub(super) state: Option<Box<State>>,
}

/// Reads a directory; `None` where there is nothing of a part.
///
/// # Errors
///
/// When what is there cannot be read.
pub(super) fn read(directory: &Path) -> Result<Option<Found>, ArenaError> {
    if let Some(state) = State::read(directory)? {
        return Ok(Some(of_run(directory, state)));
    }
    let has = |name: &str| fs::symlink_metadata(directory.join(name)).is_ok_and(|file| file.len() > 0);
    if has(PART) {
        return of_part(directory).map(Some);
    }
    if has(SETTINGS) {
        return of_labels(directory).map(Some);
    }
    Ok(None)
}

/// What is read of `run.json`; nothing depends on it.
#[derive(Debug, Default, Deserialize)]
struct RunFigures {
    command: String,
    #[serde(default)]
    shard: Option<String>,
    timing: Seconds,
}

#[derive(Debug, Default, Deserialize)]
struct Seconds {
    seconds: f64,
}

fn shard(text: &str) -> Option<(u64, u64)> {
    text.parse::<Shard>().ok()?;
    let (number, of) = text.split_once('/')?;
    Some((number.trim().parse().ok()?, of.trim().parse().ok()?))
}

fn of_run(directory: &Path, state: State) -> Found {
    let figures: Option<RunFigures> =
        read_json(&directory.join("run.json")).ok().and_then(|text| serde_json::from_slice(&text).ok());
    let seconds = figures.as_ref().map(|figures| figures.timing.seconds);
    let figures = figures.unwrap_or_default();
    let of_matches = state.identity.settings.get("match") == Some(&toml::Value::Boolean(true));
    Found {
        kind: Kind::Run,
        command: figures.command.strip_prefix("arena ").unwrap_or("run").to_owned(),
        shard: figures.shard.as_deref().and_then(shard),
        identity: state.identity.clone(),
        range: state.start..state.end,
        done: state.done.saturating_sub(state.start),
        asked: Some(state.asked),
        of_matches,
        seconds,
        is_complete: state.is_closed() && state.done == state.end,
        state: Some(Box::new(state)),
    }
}

/// What parts of sums and of steps have in common.
#[derive(Debug, Deserialize)]
struct PartFile {
    command: String,
    identity: Identity,
    shard: Shard,
    start: u64,
    done: u64,
    end: u64,
    /// The first deal of the whole, and the first behind it; a part of a step does not say it.
    #[serde(default)]
    first: u64,
    #[serde(default)]
    asked: Option<u64>,
    #[serde(default)]
    timing: Option<Seconds>,
}

fn of_part(directory: &Path) -> Result<Found, ArenaError> {
    let path = directory.join(PART);
    let text = read_bounded(&path, MOST)?;
    let part: PartFile = serde_json::from_slice(&text).map_err(|why| ArenaError::damaged(&path, why))?;
    let PartFile { command, identity, shard: of, start, done, end, first, asked, timing } = part;
    let kind = match command.split_whitespace().collect::<Vec<_>>()[..] {
        ["stats", "hands", ..] | ["arena", "stats", "hands", ..] => Kind::Hands,
        ["arena", word, ..] | [word, ..] => kind(word),
        [] => Kind::Stats,
    };
    let of_matches = identity.settings.get("match") == Some(&toml::Value::Boolean(true));
    Ok(Found {
        kind,
        identity,
        command: command.strip_prefix("arena ").unwrap_or(&command).to_owned(),
        shard: shard(&of.to_string()),
        range: start..end,
        done: done.saturating_sub(start),
        asked: asked.map(|asked| asked.saturating_sub(first)),
        of_matches,
        seconds: timing.map(|timing| timing.seconds),
        is_complete: done == end && Checksums::are_in(directory),
        state: None,
    })
}

fn kind(word: &str) -> Kind {
    match word {
        "bidding" => Kind::Bidding,
        "judge" => Kind::Judge,
        "sprt" => Kind::Sprt,
        "tune" => Kind::Tune,
        "fit" => Kind::Fit,
        _ => Kind::Stats,
    }
}

/// What decides about the parts of labels.
#[derive(Debug, Deserialize)]
struct Labels {
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    seed: Option<String>,
    #[serde(default)]
    deals: Option<String>,
    #[serde(default)]
    lines: Option<String>,
    chunk: String,
    #[serde(default)]
    shard: Option<Shard>,
    #[serde(default)]
    commit: Option<String>,
}

fn of_labels(directory: &Path) -> Result<Found, ArenaError> {
    let path = directory.join(SETTINGS);
    let text = read_text(&path)?;
    let parts = Parts::of(directory)?;
    let damaged = |why| ArenaError::damaged(&path, why);
    let labels: Labels = toml::from_str(&text).map_err(damaged)?;
    let mut settings: toml::Table = toml::from_str(&text).map_err(damaged)?;
    settings.remove("shard");
    let number = |text: &str| text.parse::<u64>().unwrap_or(1).max(1);
    let (asked, chunk) =
        (number(labels.deals.as_deref().or(labels.lines.as_deref()).unwrap_or("1")), number(&labels.chunk));
    let all = asked.div_ceil(chunk);
    let chunks = labels.shard.map_or(0..all, |shard| shard.range(all));
    let deals = |chunks: Range<u64>| asked.min(chunks.start * chunk)..asked.min(chunks.end * chunk);
    // A chunk is done when all its files are listed.
    let sums = Checksums::read(directory)?.unwrap_or_default();
    let endings = parts.number() / (chunks.end - chunks.start).max(1);
    let mut listed = std::collections::BTreeMap::<u64, u64>::new();
    for (name, _) in sums.iter().filter(|(name, _)| parts.has(name)) {
        let digits = name.trim_start_matches("part-").split('.').next().unwrap_or_default();
        *listed.entry(number_of(digits)).or_default() += 1;
    }
    let there: Vec<u64> =
        listed.into_iter().filter(|(_, files)| *files >= endings).map(|(chunk, _)| chunk).collect();
    let done = there.iter().map(|chunk| deals(*chunk..chunk + 1)).map(|deals| deals.end - deals.start).sum();
    let range = deals(chunks);
    let (kind, name) = match labels.kind.as_deref() {
        Some("decisions") => (Kind::Decisions, "label --decisions"),
        Some("choices") => (Kind::Rows, "train cards --rows"),
        _ => (Kind::Label, "label"),
    };
    let seed = labels.seed.map_or_else(String::new, |seed| format!(" --seed {seed}"));
    Ok(Found {
        kind,
        identity: Identity {
            commit: labels.commit.unwrap_or_default(),
            fingerprint: String::new(),
            settings,
            files: std::collections::BTreeMap::new(),
        },
        command: format!("{name} --deals {asked}{seed}"),
        shard: labels.shard.and_then(|of| shard(&of.to_string())),
        is_complete: done == range.end - range.start,
        done,
        range,
        asked: Some(asked),
        of_matches: false,
        seconds: seconds_of_files(directory, &there),
        state: None,
    })
}

fn number_of(digits: &str) -> u64 {
    digits.parse().unwrap_or_default()
}

/// How long some chunks took: as many times the middle one of the times between two files, since nothing else says it. Pauses
/// do not count.
fn seconds_of_files(directory: &Path, chunks: &[u64]) -> Option<f64> {
    let changed = |name: &str| fs::metadata(directory.join(name)).and_then(|file| file.modified()).ok();
    let ending = ["csv", "parquet", "npy"];
    let mut times: Vec<SystemTime> = chunks
        .iter()
        .filter_map(|chunk| ending.iter().find_map(|ending| changed(&format!("part-{chunk:06}.{ending}"))))
        .chain(changed(SETTINGS))
        .collect();
    times.sort();
    let mut between: Vec<Duration> =
        times.windows(2).filter_map(|two| two[1].duration_since(two[0]).ok()).collect();
    between.sort();
    let middle = between.get(between.len() / 2)?;
    u32::try_from(chunks.len()).ok().map(|chunks| middle.as_secs_f64() * f64::from(chunks))
}
