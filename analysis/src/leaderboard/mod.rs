//! `arena leaderboard`: rates all bots of a file by time limit, from runs between every two of them.
//!
//! | module | |
//! |---|---|
//! | `plan`, `read` | `leaderboard.toml`, read and checked |
//! | `draw` | the seed of an acceptance: commitment, secret, revealed |
//! | `jobs` | the runs to play: one for every two entries |
//! | `played` | plays missing runs; reads the sums of a run from its directory or from `leaderboard.json` |
//! | `standings` | ratings, worst opponents and times of a class |
//! | `partners` | the cost of playing with a stranger |
//! | `page`, `table`, `json` | the page and its Markdown, `leaderboard.csv` and `leaderboard.json` |
//! | `enter` | how to enter, and where a bot that is not entered would rank |

mod draw;
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

use coinche_selfplay::base::Result;
use coinche_selfplay::base::files::write_whole;
use coinche_selfplay::document::Forms;

pub use draw::{COMMITMENT, Draw, check};
pub use enter::entrant;
pub use error::BoardError;
pub use jobs::{Board, Table};
use partners::Partners;
pub use plan::Plan;
pub use played::{Results, Stored};
pub use read::read;
use standings::Standings;

/// The name of the file of figures and sums.
pub const JSON: &str = "leaderboard.json";

/// A leaderboard with results.
#[derive(Debug)]
pub struct Leaderboard {
    plan: Plan,
    boards: Vec<Board>,
    results: Results,
    /// Of the classes whose runs are complete.
    standings: Vec<Standings>,
    /// Of the rules whose cross-play is complete.
    partners: Vec<Partners>,
}

impl Leaderboard {
    /// Computes all figures from the results.
    pub fn new(plan: Plan, boards: Vec<Board>, results: Results) -> Result<Self> {
        let standings = boards.iter().map(|board| Standings::new(&plan, board, &results));
        let standings: Vec<_> = standings.collect::<Result<_, _>>()?;
        let partners = boards.iter().filter_map(|board| Partners::new(&plan, board, &results)).collect();
        Ok(Self { standings: standings.into_iter().flatten().collect(), partners, plan, boards, results })
    }

    /// Writes page, Markdown, table and JSON to a directory, with charts and tables on request; returns a line
    /// for each.
    pub fn write(&self, out: &Path, file: &Path, tables: Forms<'_>) -> Result<String> {
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

    /// Tests if more than 5 % of the legs of a pairing were forfeited: its figures are no verdict.
    pub fn is_void(&self) -> bool {
        self.standings.iter().any(|of| of.rows.iter().any(|row| row.is_void))
    }

    /// Returns a sentence for each of the rules: the leader of each class.
    pub fn verdicts(&self) -> Vec<String> {
        page::verdicts(self)
    }
}
