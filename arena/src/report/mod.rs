//! The verdict and the tables that a person reads.

mod bots;
mod contracts;
mod style;
mod verdict;

pub(crate) use bots::bots_table;
pub(crate) use contracts::contracts_table;
pub use style::thousands;
pub(crate) use style::{finish, lines, table};
pub use verdict::verdict;

use crate::config::RunConfig;
use crate::schedule::Side;
use crate::tally::Tally;

/// The names of the bots: their specifications, told apart when they are the same.
fn names(config: &RunConfig) -> [String; 2] {
    let [a, b] = [0, 1].map(|side| config.bots[side].to_string());
    if a == b { [format!("{a} (A)"), format!("{b} (B)")] } else { [a, b] }
}

/// Returns all that is printed of a run, below its verdict.
pub(crate) fn tables(config: &RunConfig, tally: &Tally) -> String {
    let [a, b] = Side::ALL.map(|side| contracts_table(config, tally, side));
    format!("{}\n{a}{b}", bots_table(config, tally))
}
