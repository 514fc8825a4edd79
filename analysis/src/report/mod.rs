//! `arena report`: runs and sequential tests as a document.
//!
//! | module | |
//! |---|---|
//! | `source` | reads the files of a run: figures, and one pass each over the summary table and the records |
//! | `sections` | formats the results, one section per file |
//! | `games` | the page of a person’s games |
//!
//! Nothing here depends on the current time, so that the same files give the same bytes.

mod games;
mod sections;
mod source;

use std::path::{Path, PathBuf};

use coinche_bots::Registry;
use coinche_engine::record::Record;
use coinche_selfplay::{Document, Result};

use crate::play::PERSON;
use crate::typed::Language;
pub use sections::{forecasts_picture, forecasts_table};
pub use source::{Criterion, Forecasts};

/// Whose games a report is of, and in which language.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The name at the person's seat.
    pub person: &'a str,
    /// The language of its page.
    pub language: Language,
}

impl Default for Asked<'_> {
    fn default() -> Self {
        Self { person: PERSON, language: Language::default() }
    }
}

/// Reads directories of runs and of sequential tests, whose pages are in English, or that of a person's games.
pub fn read(paths: &[PathBuf], registry: &Registry, asked: Asked<'_>) -> Result<Document> {
    let games = |path: &PathBuf| games::file(path, asked.person).filter(|_| !source::is_run(path));
    match (paths, paths.iter().find_map(games)) {
        ([_], Some(records)) => return games::read(&records, registry, asked),
        (_, Some(records)) => return Err(source::ReportError::Alone(records).into()),
        (_, None) if asked.person != PERSON => {
            return Err(source::ReportError::Nobody(paths[0].clone(), asked.person.to_owned()).into());
        }
        (_, None) if asked.language != Language::default() => {
            return Err(source::ReportError::Language.into());
        }
        (_, None) => {}
    }
    let sources =
        paths.iter().map(|path| source::Source::read(path, registry)).collect::<Result<Vec<_>, _>>()?;
    Ok(sections::document(&sources))
}

/// A deal of a run, in both legs.
#[derive(Debug)]
pub struct ListedDeal {
    /// Its number.
    pub deal: u64,
    /// The bots.
    pub bots: [String; 2],
    /// The paired difference of the first bot, and that of each leg.
    pub difference: f64,
    /// See [`Self::difference`].
    pub legs: [i64; 2],
    /// The records of both legs, where they were kept or can be played again.
    pub records: Vec<Record>,
}

/// Lists the deals of a run that meet a criterion, those with the largest difference first; of runs of deals that have a summary.
pub fn deals(path: &Path, registry: &Registry, criterion: Criterion) -> Result<Vec<ListedDeal>> {
    let run = source::Run::read(path, registry, criterion)?;
    let met = run.form.met();
    let swings = run.scan.iter().flat_map(|scan| &scan.swings);
    let deal = |swing: &source::Swing| ListedDeal {
        deal: swing.deal,
        bots: met[swing.pairing].ends.map(|bot| run.form.name(bot).clone()),
        difference: swing.difference(),
        legs: swing.legs,
        records: sections::records(&run, swing).map_or_else(Vec::new, |(records, _)| records.into_owned()),
    };
    Ok(swings.map(deal).collect())
}

/// Returns the looks of a sequential test: deals and log-likelihood ratio.
pub fn walk(path: &Path) -> Result<Vec<(u64, f64)>> {
    let test = source::TestForm::read(path)?;
    Ok(test.looks.iter().map(|look| (look.deals, look.llr)).collect())
}
