//! `arena leaderboard`: all bots of a file in classes of time, rated from runs of every two of them.
//!
//! | module | |
//! |---|---|
//! | `plan`, `read` | `leaderboard.toml`, read and checked |
//! | `jobs` | what is to be played: a run for every two entries |
//! | `played` | plays what is missing; the sums of a run, from its directory or from `leaderboard.json` |
//! | `standings` | ratings, worst opponents and times of a class |
//! | `partners` | what strangers cost as partners |
//! | `page`, `table`, `json` | the page and its Markdown, `leaderboard.csv` and `leaderboard.json` |
//! | `enter` | how to enter, and where a bot that is no entry would stand |

mod enter;
mod error;
mod jobs;
mod json;
mod page;
mod partners;
mod plan;
mod played;
mod read;
mod standings;
mod table;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::path::Path;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::files::write_whole;
use coinche_selfplay::document::Forms;

pub(crate) use enter::entrant;
pub(crate) use error::BoardError;
pub(crate) use jobs::{Board, Table};
use partners::Partners;
pub(crate) use plan::Plan;
pub(crate) use played::{Results, Stored};
pub(crate) use read::read;
use standings::Standings;

/// The name of the figures and sums.
pub(crate) const JSON: &str = "leaderboard.json";

/// A leaderboard of which something was played.
#[derive(Debug)]
pub(crate) struct Leaderboard {
    plan: Plan,
    boards: Vec<Board>,
    results: Results,
    /// Of the classes of which all was played.
    standings: Vec<Standings>,
    /// Of the rules of which all partnerships were played.
    partners: Vec<Partners>,
}

impl Leaderboard {
    /// Computes all figures of what was played.
    ///
    /// # Errors
    ///
    /// When sums cannot be those of a run.
    pub(crate) fn new(plan: Plan, boards: Vec<Board>, results: Results) -> Result<Self, ArenaError> {
        let standings = boards.iter().map(|board| Standings::new(&plan, board, &results));
        let standings: Vec<_> = standings.collect::<Result<_, _>>()?;
        let partners = boards.iter().filter_map(|board| Partners::new(&plan, board, &results)).collect();
        Ok(Self { standings: standings.into_iter().flatten().collect(), partners, plan, boards, results })
    }

    /// Writes page, Markdown, table and JSON into a directory, and charts and tables where they are asked for; returns a
    /// line for each.
    ///
    /// # Errors
    ///
    /// When one cannot be written.
    pub(crate) fn write(&self, out: &Path, file: &Path, tables: Forms<'_>) -> Result<String, ArenaError> {
        let document = page::document(self, file);
        let [page, markdown] = ["index.html", "README.md"].map(|name| out.join(name));
        let mut written = document.write(Forms { html: Some(&page), markdown: Some(&markdown), ..tables })?;
        for (name, text) in
            [("leaderboard.csv", table::to_csv(self)), (JSON, json::to_json(self).into_bytes())]
        {
            let path = out.join(name);
            write_whole(&path, &text)?;
            let _ = writeln!(written, "written to {}", path.display());
        }
        Ok(written)
    }

    /// Returns a sentence for each of the rules: who leads in which class.
    pub(crate) fn verdicts(&self) -> Vec<String> {
        page::verdicts(self)
    }
}
