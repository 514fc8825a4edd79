//! `arena stats hands`: what classes of hands take with best play of all, from solved deals.
//!
//! | module | |
//! |---|---|
//! | `class` | which class a hand is of, in each kind of strain |
//! | `source` | solved deals, read or made |
//! | `totals` | histograms and means by class and lead, with the deal as the unit |
//! | `marginal` | what each card is worth beside the others |
//! | `document` | all of it as a [`Document`](coinche_selfplay::document::model::Document), and in brief |

mod class;
mod document;
mod marginal;
mod source;
mod totals;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::play::solvers::Solvers;

use crate::analysis::label::Settings;

pub(crate) use class::{HANDS, HandClass, Kind};
pub(crate) use document::{Scope, brief, document};
pub(crate) use source::{Labels, read_csv, read_parquet};
pub(crate) use totals::Totals;

/// Solves deals and adds them up.
///
/// # Errors
///
/// When the deals cannot be read.
pub(crate) fn of_deals(
    settings: &Settings,
    solvers: &Solvers,
    progress: ProgressMode,
) -> Result<Totals, ArenaError> {
    let mut totals = Totals::new(&settings.rules);
    source::solve(settings, solvers, progress, &mut totals)?;
    Ok(totals)
}

/// Adds up the deals of a directory of labels, in constant memory.
///
/// # Errors
///
/// When they cannot be read.
pub(crate) fn of_labels(labels: &Labels) -> Result<Totals, ArenaError> {
    let mut totals = Totals::new(&labels.rules);
    labels.add_to(&mut totals)?;
    Ok(totals)
}
