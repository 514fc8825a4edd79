//! What is told of the classes: a document for people, tables for programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::class::{self, HANDS, HandClass, Kind};
use super::totals::{ALL_TRICKS, Lead, Points, Totals};
use crate::page::document::{Block, Cell, Document, Picture, Section, Table};
use crate::page::draw::{GridCell, Mark, Ink, forest, grid};
use crate::report::{finish, table, thousands};
use crate::stats::wilson;

/// The contracts whose chances are told: at least so many points.
const LEVELS: [usize; 9] = [80, 90, 100, 110, 120, 130, 140, 150, 160];
const PERCENTILES: [u64; 5] = [10, 25, 50, 75, 90];

/// What the figures are of.
#[derive(Debug, Clone)]
pub(crate) struct Scope {
    /// Where the deals come from, in words.
    pub(crate) deals: String,
    pub(crate) rules: String,
    /// All points of a deal.
    pub(crate) all_points: usize,
}

impl Scope {
    fn sentence(&self, totals: &Totals) -> String {
        format!(
            "{} deals {}, rules {}, solved {} times: points of the hand's side, last trick included, with best play of all \
             four and all cards open.",
            thousands(totals.deals),
            self.deals,
            self.rules,
            thousands(totals.rows)
        )
    }
}

/// A share with its interval, where the deals are what is independent.
fn chance(points: &Points, least: usize) -> Option<[f64; 3]> {
    #[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
    let share = points.at_least(least) as f64 / points.count() as f64;
    let deals = points.mean.deals;
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    let part = (share * deals as f64).round() as u64;
    let [low, high] = wilson(part, deals, 0.95)?;
    Some([share, low.min(share), high.max(share)])
}

/// The table of all classes: a row for each class and lead.
fn classes(scope: &Scope, totals: &Totals) -> Table {
    const HEADS: [&str; 47] = [
        "kind", "trumps or tops", "rest", "tops", "behind", "third", "voids", "hands", "lead", "n", "deals", "mean",
        "half width", "q10", "q25", "q50", "q75", "q90", "p80", "p80 low", "p80 high", "p90", "p90 low", "p90 high",
        "p100", "p100 low", "p100 high", "p110", "p110 low", "p110 high", "p120", "p120 low", "p120 high", "p130",
        "p130 low", "p130 high", "p140", "p140 low", "p140 high", "p150", "p150 low", "p150 high", "p160", "p160 low",
        "p160 high", "capot", "capot high",
    ];
    let caption = format!(
        "All classes. `hands`: how many of the {} hands of eight cards are in the class; `n`: hands met, in so many deals; \
         quantiles q, and chances p of at least so many points and of all tricks, with intervals of 95 % that take the \
         deals as what is independent.",
        thousands(HANDS)
    );
    let mut table = Table::new("hands", caption, &HEADS);
    for kind in Kind::ALL {
        for (class, hands) in class::count_hands(kind) {
            let Some(cells) = totals.classes.get(&class) else { continue };
            for lead in Lead::ALL {
                let points = &cells[lead as usize];
                let Some(mean) = points.mean.mean() else { continue };
                let mut row = vec![Cell::text(kind.name()), Cell::text(class.holding()), Cell::text(class.rest())];
                row.extend(class.numbers().map(|number| Cell::Count(number.into())));
                row.extend([Cell::Count(hands), Cell::text(lead.name())]);
                row.extend([Cell::Count(points.count()), Cell::Count(points.mean.deals), Cell::Plain(mean.mean)]);
                row.push(Cell::maybe(mean.half_width, Cell::Plain));
                for percent in PERCENTILES {
                    let points = points.quantile(percent).min(scope.all_points);
                    row.push(Cell::Count(points as u64));
                }
                for level in LEVELS {
                    match chance(points, level) {
                        Some(chances) => row.extend(chances.map(Cell::Share)),
                        None => row.extend([Cell::Empty, Cell::Empty, Cell::Empty]),
                    }
                }
                let capot = chance(points, ALL_TRICKS);
                row.extend([0, 2].map(|at| Cell::maybe(capot, |chances| Cell::Share(chances[at]))));
                table.rows.push(row);
            }
        }
    }
    table
}
