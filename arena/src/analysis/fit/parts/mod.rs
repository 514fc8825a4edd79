//! A fit whose rows several machines collect, stage after stage, in a directory beside its table.
//!
//! | file in `bidding.txt.stages` | |
//! |---|---|
//! | `fit.json` | how many stages are fitted, and the table that came of them |
//! | `000003/2-of-4/rows.zst` | the rows of the second of four shards of the third stage, bit by bit |
//! | `000003/2-of-4/part.json` | of what, with which table and from which deals they are |
//! | `000003/2-of-4/checksums.txt` | the sums of the two, written last |
//!
//! A shard reads `fit.json`, plays its deals, and writes its own directory alone. When all shards of a stage are there,
//! their rows in the order of the deals are those of one machine; what is fitted to them is the next table, and the
//! rows are removed.

mod error;
mod gather;
mod saved;

use core::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use coinche_bots::table::BiddingTable;
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::{foreign_data, output, remove_directory, write_whole};
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::play::solvers::Solvers;

use super::stages::Stage;
use super::{Settings, play};
use crate::run::checksums::{Checksums, Sum};
use crate::run::config::Shard;
use crate::run::directory::Held;
use error::FitPartsError;
use gather::gather;
use saved::{LOCK, PART, Part, ROWS, Timing, Whole};

/// Returns the directory of the stages of a table.
fn directory(table: &Path) -> PathBuf {
    table.with_added_extension("stages")
}

/// Returns the table whose stages are in a directory, or which was named itself; `None` where there are none.
pub(crate) fn file_of(path: &Path) -> Option<PathBuf> {
    let is_one = |path: &Path| path.join(saved::WHOLE).is_file() || folder(path, 0).is_dir();
    if path.extension().is_some_and(|ending| ending == "stages") && is_one(path) {
        return Some(path.with_extension(""));
    }
    is_one(&directory(path)).then(|| path.to_owned())
}

/// The directory of a stage; they are counted from 0, and named from 1.
fn folder(directory: &Path, stage: usize) -> PathBuf {
    directory.join(format!("{:06}", stage + 1))
}

/// What came of a shard.
pub(crate) enum Made {
    /// Its rows are there.
    Rows {
        /// The stage, and how many there are.
        stage: String,
        deals: Range<u64>,
        rows: u64,
        path: PathBuf,
        /// Whether they were there before.
        before: bool,
    },
    /// All stages were merged before, or this one has been meanwhile.
    NotNeeded,
}

/// Says which stage it is.
fn named(stages: &[Stage], number: usize) -> String {
    let name = stages.get(number).map(Stage::to_string).unwrap_or_default();
    format!("stage {} of {} ({name})", number + 1, stages.len())
}

/// Collects the rows of a shard of the stage that is next.
///
/// # Errors
///
/// When the directory holds a fit with other settings or something else, the shard is in use or damaged, or something
/// cannot be read or written.
pub(crate) fn make_part(
    settings: &Settings,
    file: &Path,
    shard: Shard,
    solvers: &Solvers,
    progress: ProgressMode,
) -> Result<Made, ArenaError> {
    let directory = directory(file);
    let whole = match Whole::read(&directory)? {
        Some(whole) => whole,
        None => match foreign_data(&directory, &[]) {
            Some(file) => return Err(ArenaError::RunExists { path: directory, file }),
            None => Whole::new(settings.identity()),
        },
    };
    whole.check(&settings.identity(), &directory)?;
    let stages = Stage::all(settings.rounds);
    let Some(stage) = stages.get(whole.stages).copied() else { return Ok(Made::NotNeeded) };
    let path = folder(&directory, whole.stages).join(format!("{}-of-{}", shard.number(), shard.of()));
    let _held = Held::lock(&path, LOCK)?;
    let mut part = Part::new(&whole, settings, shard, stage.deals(settings.deals));
    let made = |rows: u64, before: bool| {
        let stage = named(&stages, whole.stages);
        Made::Rows { stage, deals: part.start..part.end, rows, path: path.clone(), before }
    };
    if let Some(there) = Part::finished(&path)? {
        there.check_same(&part, &path)?;
        return Ok(made(there.rows, true));
    }
    Checksums::remove(&path)?;
    let began = Instant::now();
    let table = whole.table(&directory)?;
    let rows = stage.rows(&play(settings, part.start..part.end, solvers, progress), &table, solvers);
    let number = rows.len() as u64;
    let told = made(number, false);
    part.rows = number;
    part.timing = Timing { seconds: began.elapsed().as_secs_f64(), threads: solvers.threads() };
    if Whole::read(&directory)?.is_some_and(|now| now.stages != whole.stages) {
        // Another machine made the same shard.
        remove_directory(&path)?;
        return Ok(Made::NotNeeded);
    }
    let rows = rows.to_bytes().map_err(|source| ArenaError::write(path.join(ROWS), source))?;
    write_whole(&path.join(ROWS), &rows)?;
    let text = part.to_json();
    write_whole(&path.join(PART), &text)?;
    let mut sums = Checksums::default();
    sums.add(ROWS, Sum::of(&rows));
    sums.add(PART, Sum::of(&text));
    sums.write(&path)?;
    Ok(told)
}

/// Where a fit stands after a merge.
pub(crate) struct Merged {
    pub(crate) settings: Settings,
    /// The table.
    pub(crate) file: PathBuf,
    /// What was merged now: the stage, and how many shards and rows.
    pub(crate) stage: Option<(String, usize, u64)>,
    /// The stage that is next, and the command of its shards; none when the table is finished.
    pub(crate) next: Option<(String, String)>,
}

/// Fits the stage whose shards are all there.
///
/// # Errors
///
/// When a shard is missing, unfinished, damaged or of another fit, or something cannot be read or written.
pub(crate) fn merge(file: &Path, solvers: &Solvers) -> Result<Merged, ArenaError> {
    let directory = directory(file);
    let _held = Held::lock(&directory, "fit.lock")?;
    let whole = Whole::read(&directory)?;
    let number = whole.as_ref().map_or(0, |whole| whole.stages);
    let gathered = gather(&folder(&directory, number), whole.as_ref(), file)?;
    let identity = whole.as_ref().map(|whole| whole.identity.clone());
    let Some(identity) = identity.or_else(|| gathered.as_ref().map(|gathered| gathered.identity.clone()))
    else {
        return Err(FitPartsError::Nothing(directory).into());
    };
    let settings = Settings::of(&identity).ok_or_else(|| FitPartsError::Settings(directory.clone()))?;
    let mut whole = whole.unwrap_or_else(|| Whole::new(identity));
    whole.check_program(&settings.identity())?;
    let stages = Stage::all(settings.rounds);
    let mut fitted = None;
    if let (Some(gathered), Some(stage)) = (gathered, stages.get(number)) {
        let mut table = whole.table(&directory)?;
        let rows = gathered.rows(*stage)?;
        stage.fit(&mut table, &rows, solvers);
        whole.set(number + 1, &table);
        whole.write(&directory)?;
        fitted = Some((named(&stages, number), gathered.parts.len(), rows.len() as u64));
    }
    let is_over = whole.stages >= stages.len();
    if is_over {
        // Also when it was killed before it did this, or somebody has removed the table.
        output(file, |out| std::io::Write::write_all(out, whole.table.as_bytes()))?;
    }
    if whole.stages > 0 {
        // What was merged can be made again, and takes more room than all that it led to.
        remove_directory(&folder(&directory, whole.stages - 1))?;
    }
    let command = || format!("{} --shard I/N", settings.command(file));
    let next = (!is_over).then(|| (named(&stages, whole.stages), command()));
    Ok(Merged { settings, file: file.to_owned(), stage: fitted, next })
}

/// The table before the first stage.
fn nothing() -> BiddingTable {
    BiddingTable::default()
}

#[cfg(test)]
mod tests {
    use coinche_engine::Seed;

    use super::*;

    /// A table hardly depends on the order of a few rows, so the rows themselves are compared.
    #[test]
    fn rows_of_shards_are_those_of_all_deals_in_their_order() {
        let dir = tempfile::tempdir().unwrap();
        let (file, solvers) = (dir.path().join("t"), Solvers::new(Some(2)).unwrap());
        let settings = Settings { seed: Seed::from(4), deals: 40, rounds: 1, rules: None };
        let stages = Stage::all(1);
        let (played, mut table) = (play(&settings, 0..40, &solvers, ProgressMode::None), nothing());
        for (number, stage) in stages.iter().enumerate() {
            // More than there are deals in some stages: those have no rows.
            for shard in ["3/7", "1/7", "7/7", "2/7", "6/7", "4/7", "5/7"] {
                let shard = shard.parse().unwrap();
                let made = make_part(&settings, &file, shard, &solvers, ProgressMode::None).unwrap();
                assert!(matches!(made, Made::Rows { before: false, .. }));
            }
            let deals = usize::try_from(stage.deals(40)).unwrap();
            let rows = stage.rows(&played[..deals], &table, &solvers);
            let whole = Whole::read(&directory(&file)).unwrap();
            let gathered =
                gather(&folder(&directory(&file), number), whole.as_ref(), &file).unwrap().unwrap();
            assert_eq!(format!("{:?}", gathered.rows(*stage).unwrap()), format!("{rows:?}"), "{stage}");
            stage.fit(&mut table, &rows, &solvers);
            let merged = merge(&file, &solvers).unwrap();
            assert_eq!(merged.next.is_none(), number + 1 == stages.len());
            assert_eq!(Whole::read(&directory(&file)).unwrap().unwrap().table, table.to_text());
        }
        assert_eq!(std::fs::read_to_string(&file).unwrap(), table.to_text());
        let all = crate::analysis::fit::fit(&settings, &solvers, ProgressMode::None);
        assert_eq!(all.to_text(), table.to_text());
    }
}
