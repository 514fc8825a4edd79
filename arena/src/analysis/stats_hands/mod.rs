//! `arena stats hands`: what classes of hands take with best play of all, from solved deals.
//!
//! | module | |
//! |---|---|
//! | `class` | which class a hand is of, in each kind of strain |
//! | `source` | solved deals, read or made |
//! | `totals` | histograms and means by class and lead, with the deal as the unit |
//! | `parts` | the same of shards of the deals: one made, all put together |
//! | `marginal` | what each card is worth beside the others |
//! | `document` | all of it as a [`Document`](coinche_selfplay::document::model::Document), and in brief |

mod class;
mod document;
mod marginal;
mod parts;
mod source;
mod totals;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::progress::{Meter, ProgressMode};
use coinche_selfplay::play::solvers::Solvers;

use crate::analysis::label::Settings;
use crate::run::runner::Next;

pub(crate) use class::{HANDS, HandClass, Kind};
pub(crate) use document::{Scope, brief, document};
pub(crate) use parts::{check as check_part, make as make_part, merge as merge_parts};
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
    let deals = settings.source.deals();
    let meter = Meter::new(progress, deals);
    source::solve(settings, 0..deals, solvers, &meter, &mut totals, |_, _| Ok(Next::GoOn))?;
    meter.finish();
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
