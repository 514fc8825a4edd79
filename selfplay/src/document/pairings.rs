//! The differences of every two of some bots: as a matrix in text or drawn, and as intervals one below the other.

use core::ops::Range;

use super::draw::{GridCell, Ink, Mark, grid};
use super::field::{Signs, Value};
use super::model::{Cell, Estimate, Table};

/// Returns the matrix of some bots: titles of the bots of the rows, numbers from 1 above the columns.
pub fn matrix<V: Value<Signs>>(
    name: &str,
    caption: &str,
    [rows, columns]: [Range<usize>; 2],
    title: impl Fn(usize) -> String,
    value: impl Fn(usize, usize) -> V,
) -> Table {
    let table = Table::of(name, caption, rows).text("", |bot| title(*bot));
    let value = &value;
    columns
        .fold(table, |table, other| table.estimate((other + 1).to_string(), move |bot| value(*bot, other)))
        .build()
}

/// Draws a matrix: blue where the bot on the left is ahead, orange where it is behind; `sign` is −1 where values above 0
/// are losses.
pub fn drawn(title: &str, table: &Table, tip: impl Fn(usize, usize) -> String, sign: f64) -> String {
    let numbers = table.rows.iter().flatten().filter_map(Cell::number);
    let largest = numbers.fold(0.0, |most: f64, mean| most.max(mean.abs()));
    let row = |(a, row): (usize, &Vec<Cell>)| {
        let cells = row[1..].iter().enumerate().map(|(b, cell)| match cell {
            Cell::Estimate(Estimate { mean, half_width, .. }) => {
                let shown = cell.shown();
                let (text, below) = shown.split_once(' ').unwrap_or((&shown, ""));
                GridCell {
                    shade: shade(sign * mean, largest, half_width.is_some_and(|half| mean.abs() > half)),
                    text: text.to_owned(),
                    below: below.to_owned(),
                    tip: format!("{}: {shown}", tip(a, b)),
                }
            }
            _ => GridCell::default(),
        });
        (row[0].shown(), cells.collect())
    };
    let columns: Vec<_> = table.columns[1..].iter().map(|column| column.title().into_owned()).collect();
    grid(title, &columns, &table.rows.iter().enumerate().map(row).collect::<Vec<_>>())
}

/// Returns the colour class of a difference, relative to the largest one.
fn shade(mean: f64, largest: f64, decided: bool) -> String {
    if !decided || largest <= 0.0 {
        return "d0".to_owned();
    }
    #[expect(clippy::cast_possible_truncation, reason = "1 to 4")]
    let step = (mean.abs() / largest * 4.0).ceil().clamp(1.0, 4.0) as i32;
    format!("d{}", if mean < 0.0 { -step } else { step })
}

impl Mark {
    /// Creates the mark of a difference, if there is one.
    pub fn of(label: impl Into<String>, difference: impl Value<Signs>) -> Option<Self> {
        let cell = difference.cell();
        let Cell::Estimate(Estimate { mean, half_width, .. }) = cell else { return None };
        Some(Self {
            label: label.into(),
            shown: cell.shown(),
            mean,
            interval: half_width.map(|half| [mean - half, mean + half]),
            ink: Ink::of(mean, half_width),
        })
    }
}
