//! `arena stats hands`: double-dummy results of classes of hands, from solved deals.
//!
//! | module | |
//! |---|---|
//! | `class` | the class of a hand, in each kind of strain |
//! | `source` | solved deals, read or computed |
//! | `totals` | histograms and means by class and lead, with the deal as the unit |
//! | `parts` | makes one shard of the deals, and merges all |
//! | `marginal` | the marginal value of each card |
//! | `document` | the result as a [`Document`](coinche_selfplay::document::model::Document), in full or in brief |

pub(crate) mod class;
mod document;
mod marginal;
mod parts;
mod source;
mod totals;

use coinche_selfplay::{Meter, ProgressMode, Result, Solvers};

use crate::label::Settings;
use coinche_runs::Next;

pub use class::{HANDS, HandClass, Kind};
pub use document::{Scope, brief, document};
pub use parts::{HandsJob, make as make_part};
pub use source::{Labels, read_csv, read_parquet};
pub use totals::Totals;

/// Solves deals and adds them up.
pub fn of_deals(settings: &Settings, solvers: &Solvers, progress: ProgressMode) -> Result<Totals> {
    let mut totals = Totals::new(&settings.rules);
    let deals = settings.source.deals();
    let meter = Meter::new(progress, deals);
    source::solve(settings, 0..deals, solvers, &meter, &mut totals, |_, _| Ok(Next::GoOn))?;
    meter.finish();
    Ok(totals)
}

/// Adds up the deals of a directory of labels, in constant memory.
pub fn of_labels(labels: &Labels) -> Result<Totals> {
    let mut totals = Totals::new(&labels.rules);
    labels.add_to(&mut totals)?;
    Ok(totals)
}
