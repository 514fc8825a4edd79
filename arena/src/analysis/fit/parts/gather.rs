//! The shards of a stage, found and read in the order of their deals.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::read_bounded;

use super::error::FitPartsError;
use super::saved::{Part, ROWS, Whole};
use crate::analysis::fit::Settings;
use crate::analysis::fit::saved::SavedError;
use crate::analysis::fit::stages::{Rows, Stage};
use crate::run::config::Shard;
use crate::run::directory::Identity;

/// The most bytes of the rows of a shard that are read.
const MOST: u64 = 1 << 36;

/// All shards of a stage.
pub(super) struct Gathered {
    pub(super) identity: Identity,
    /// In the order of their deals.
    pub(super) parts: Vec<(PathBuf, Part)>,
}

/// The share that is in a directory, by its name.
fn share(path: &Path) -> Option<Shard> {
    let (number, of) = path.file_name()?.to_str()?.split_once("-of-")?;
    format!("{number}/{of}").parse().ok()
}

/// Finds the shards of a stage, all of them; `None` where there is none.
///
/// # Errors
///
/// When one is missing, unfinished, damaged or of something else.
pub(super) fn gather(
    folder: &Path,
    whole: Option<&Whole>,
    file: &Path,
) -> Result<Option<Gathered>, ArenaError> {
    let mut found: Vec<(Shard, PathBuf)> = Vec::new();
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        entries => {
            for entry in entries.map_err(|source| ArenaError::read(folder, source))? {
                let path = entry.map_err(|source| ArenaError::read(folder, source))?.path();
                found.extend(share(&path).map(|shard| (shard, path)));
            }
        }
    }
    let Some(of) = division(&found) else { return Ok(None) };
    found.retain(|(shard, _)| shard.of() == of);
    found.sort_by_key(|(shard, _)| shard.number());
    let mut parts: Vec<(PathBuf, Part)> = Vec::new();
    let mut unfinished = None;
    for (_, path) in &found {
        match Part::finished(path)? {
            Some(part) => parts.push((path.clone(), part)),
            None => unfinished = unfinished.or(Some(path.clone())),
        }
    }
    let identity =
        whole.map(|whole| &whole.identity).or(parts.first().map(|(_, part)| &part.identity)).cloned();
    let settings = identity.as_ref().and_then(Settings::of);
    let command = |shard: &str| {
        let command = settings.as_ref().map_or_else(|| "arena fit …".to_owned(), |it| it.command(file));
        format!("{command} --shard {shard}")
    };
    if let Some(path) = unfinished {
        let shard = share(&path).map(|shard| shard.to_string()).unwrap_or_default();
        return Err(FitPartsError::Unfinished { path, command: command(&shard) }.into());
    }
    let is_missing = |shard: &Shard| found.iter().all(|(other, _)| other != shard);
    let missing: Vec<String> = found[0].0.all().filter(is_missing).map(|shard| shard.to_string()).collect();
    if let Some(first) = missing.first() {
        let command = command(first);
        return Err(FitPartsError::Missing { shards: missing, command }.into());
    }
    let Some((identity, settings)) = identity.zip(settings) else {
        return Err(FitPartsError::Settings(folder.to_owned()).into());
    };
    let begun = Whole::new(identity.clone());
    let whole = whole.unwrap_or(&begun);
    let Some(stage) = Stage::all(settings.rounds).get(whole.stages).copied() else { return Ok(None) };
    for ((shard, path), (_, part)) in found.iter().zip(&parts) {
        let mut expected = Part::new(whole, &settings, *shard, stage.deals(settings.deals));
        expected.identity = identity.clone();
        part.check_same(&expected, path)?;
    }
    Ok(Some(Gathered { identity, parts }))
}

/// Into how many shards the stage is divided: of several divisions that of which most is there, as a share.
fn division(found: &[(Shard, PathBuf)]) -> Option<u64> {
    let there = |of: u64| found.iter().filter(|(shard, _)| shard.of() == of).count() as u64;
    let divisions = found.iter().map(|(shard, _)| shard.of());
    // Compared without rounding: n of a or m of b.
    divisions.max_by(|a, b| {
        (u128::from(there(*a)) * u128::from(*b)).cmp(&(u128::from(there(*b)) * u128::from(*a)))
    })
}

impl Gathered {
    /// Reads all rows in the order of the deals.
    ///
    /// # Errors
    ///
    /// When a file is damaged or cannot be read.
    pub(super) fn rows(&self, stage: Stage) -> Result<Rows, ArenaError> {
        let mut rows = Rows::none(stage);
        for (path, part) in &self.parts {
            let path = path.join(ROWS);
            let bytes = read_bounded(&path, MOST)?;
            let number = usize::try_from(part.rows).map_err(|_| SavedError::Number(usize::MAX));
            let added = number.and_then(|number| rows.add(&bytes, number));
            added.map_err(|why| FitPartsError::Rows { path, why })?;
        }
        Ok(rows)
    }
}
