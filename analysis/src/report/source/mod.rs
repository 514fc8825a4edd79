//! What a report is made of: the files of runs and of sequential tests.

mod error;
mod form;
mod matches;
mod records;
mod scan;
mod table;
mod test_files;

pub(crate) use coinche_runs::figures::Met;
pub(crate) use form::rules_text;
pub(crate) use matches::MatchScan;
pub use records::Forecasts;
pub(crate) use records::{Seen, TENTHS, Tenth, Tenths};
pub use scan::Criterion;
pub(crate) use scan::{Cause, PairingScan, Scan, Swing};
pub(crate) use test_files::{Look, TestForm};

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use coinche_selfplay::base::files;
use coinche_selfplay::{Freeze, FreezeText, Result};
use serde::de::DeserializeOwned;

use coinche_bots::{Registry, TeamSpec};

use coinche_runs::{RunJson, State};
pub(super) use error::{ReportError, unreadable};

/// A run with all that its directory tells.
#[derive(Debug)]
pub(crate) struct Run {
    pub path: PathBuf,
    pub form: RunJson,
    /// Who played; `None` where programs did, or bots that the registry does not have.
    pub players: Option<Players>,
    /// What one pass over the summary table found; `None` without a table and where matches are played.
    pub scan: Option<Scan>,
    /// The same of matches; `None` without a table, where deals are played, and where points of ties wait.
    pub matches: Option<MatchScan>,
    /// What one pass over the records found.
    pub seen: Option<Seen>,
}

/// The bots of a run, of which its deals can be played again.
#[derive(Debug)]
pub(crate) struct Players {
    pub teams: Vec<TeamSpec>,
    pub freeze: Freeze,
}

impl Players {
    fn of(form: &RunJson, registry: &Registry) -> Option<Self> {
        let given = form.freeze.as_ref().map(FreezeText::as_str);
        let specs = if form.specs.is_empty() { &form.bots } else { &form.specs };
        if specs.iter().map(String::as_str).chain(given).any(|bot| bot.contains("cmd:")) {
            return None;
        }
        let teams = specs.iter().map(|bot| registry.parse_team(bot).ok()).collect::<Option<_>>()?;
        let freeze = form.freeze.as_ref().map_or(Some(Freeze::None), |text| text.read(registry).ok())?;
        Some(Self { teams, freeze })
    }
}

/// What is reported on.
#[derive(Debug)]
pub(crate) enum Source {
    Run(Box<Run>),
    Test(Box<TestForm>),
}

/// Reads a JSON file.
fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    serde_json::from_slice(&files::read_json(path)?).map_err(|error| unreadable(path, error))
}

/// Tests if a directory is that of a run, of a sequential test or of a tuning.
pub(super) fn is_run(directory: &Path) -> bool {
    ["run.json", "sprt.json", "tune.json", "config.toml"].iter().any(|file| directory.join(file).is_file())
}

impl Source {
    /// Reads a directory.
    pub(crate) fn read(path: &Path, registry: &Registry) -> Result<Self> {
        // The file of figures means its directory.
        let is_file = path.is_file() && path.extension().is_some_and(|extension| extension == "json");
        let directory = if is_file { path.parent().unwrap_or(path) } else { path };
        // The directory of a test is that of a run as well.
        if directory.join("sprt.json").is_file() {
            return Ok(Self::Test(Box::new(TestForm::read(directory)?)));
        }
        if directory.join("run.json").is_file() {
            return Ok(Self::Run(Box::new(Run::read(directory, registry, Criterion::Swing)?)));
        }
        if directory.join("tune.json").is_file() {
            return Err(ReportError::Tuning(directory.to_owned()).into());
        }
        State::refuse(directory)?;
        Err(ReportError::Nothing(path.to_owned()).into())
    }
}

impl Run {
    /// Reads a directory; the deals of a criterion are the swings.
    pub(crate) fn read(directory: &Path, registry: &Registry, criterion: Criterion) -> Result<Self> {
        let path = directory.join("run.json");
        let form: RunJson = read_json(&path)?;
        form::check(&form).map_err(|why| unreadable(&path, why))?;
        let scan = scan::read(directory, &form, criterion)?;
        let matches = matches::read(directory, &form)?;
        let wanted: BTreeSet<u64> =
            scan.iter().flat_map(|scan| scan.swings.iter().map(|swing| swing.deal)).collect();
        let seen = records::read(directory, form.met().len(), &wanted)?;
        let players = Players::of(&form, registry);
        Ok(Self { path: directory.to_owned(), form, players, scan, matches, seen })
    }
}
