//! What a command says, before it is written in one form or another.
//!
//! The text at a terminal, page, Markdown, pictures and tables are all made of one [`Document`]: they cannot tell different
//! numbers.

use std::borrow::Cow;

use super::deal_view::DealView;
use crate::base::style::thousands;

/// A whole report.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// What stands in the title of the window.
    pub title: String,
    /// The command that makes it, as it is typed after `arena`; the page names it.
    pub command: &'static str,
    /// The verdicts, a sentence each.
    pub verdicts: Vec<String>,
    /// What the verdicts are about.
    pub scope: Vec<String>,
    /// The parts, in the order in which they are read.
    pub sections: Vec<Section>,
}

/// A part of a report under its own heading.
#[derive(Debug, Clone)]
pub struct Section {
    /// The name in links: letters, digits and hyphens.
    pub id: String,
    /// The heading.
    pub title: String,
    /// What stands under the heading.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Debug, Clone)]
pub enum Block {
    /// A heading inside of the section.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A list, an entry each.
    Items(Vec<String>),
    /// What is typed at a command line.
    Code(String),
    /// A table that is shown in full at a terminal, on the page and in Markdown.
    Table(Table),
    /// A table of which the page shows only the caption until it is asked for more.
    Folded(Table),
    /// A drawing; Markdown and full text have its numbers instead, short text has neither.
    Picture(Picture),
    /// Deals that are replayed on the page and listed in Markdown and full text.
    Deals(Vec<DealView>),
}

/// A drawing, with the numbers that it shows.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The name of the file, without its ending.
    pub name: String,
    /// What it shows and how it is read.
    pub caption: String,
    /// The element `svg`.
    pub svg: String,
    /// The numbers behind it; its name is that of the picture.
    pub table: Table,
}

/// A table: at a terminal, of the page, of the Markdown, and a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The name of the file, without its ending.
    pub name: String,
    /// What it shows; nothing where it is empty.
    pub caption: String,
    /// The heads of the columns.
    pub heads: Vec<String>,
    /// The cells from left to right, as many in each row as there are heads.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell: one value, printed short for people and in full in the file.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Nothing is known here.
    Empty,
    /// Nothing belongs here.
    Blank,
    /// Words, aligned at the left.
    Text(String),
    /// Several numbers, or the ranks of cards: short, as it is printed, and aligned as a number is.
    Figures(String),
    /// A whole number, printed with commas between the thousands.
    Count(u64),
    /// With a sign and one digit behind the point.
    Signed(f64),
    /// With one digit behind the point.
    Plain(f64),
    /// With so many digits behind the point.
    Number(f64, usize),
    /// A mean with half the width of its interval.
    Estimate(Estimate),
    /// A share from 0 to 1, printed in per cent.
    Share(f64),
    /// A p-value.
    Chance(f64),
    /// Microseconds, printed in the unit that fits.
    Micros(f64),
}

/// A mean, and half the width of its 95 % interval where there is one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean, in the unit of its column.
    pub mean: f64,
    /// Half the width of the interval; `None` where there is none.
    pub half_width: Option<f64>,
    /// How many digits of both are printed behind the point.
    pub digits: usize,
    /// Whether a mean above 0 has its sign.
    pub signed: bool,
}

impl Document {
    /// Makes a document of blocks alone, in one section.
    pub fn of_blocks(title: impl Into<String>, blocks: Vec<Block>) -> Self {
        let title = title.into();
        let section = Section { id: "figures".to_owned(), title: "Figures".to_owned(), blocks };
        Self { title, sections: vec![section], ..Self::default() }
    }
}

impl Table {
    /// Makes a table without rows.
    pub fn new(name: impl Into<String>, caption: impl Into<String>, heads: &[impl ToString]) -> Self {
        let heads = heads.iter().map(ToString::to_string).collect();
        Self { name: name.into(), caption: caption.into(), heads, rows: Vec::new() }
    }

    /// Tests if every cell of a column stands at the right of it.
    pub fn is_of_numbers(&self, column: usize) -> bool {
        self.rows.iter().all(|row| row.get(column).is_none_or(Cell::is_number))
    }

    /// Returns the table for files: every column has numbers of one kind, so that a column of estimates becomes two.
    pub fn for_files(&self) -> Cow<'_, Self> {
        let is_estimated = |at| self.rows.iter().any(|row| matches!(row.get(at), Some(Cell::Estimate(_))));
        let estimated: Vec<bool> = (0..self.heads.len()).map(is_estimated).collect();
        if !estimated.contains(&true) {
            return Cow::Borrowed(self);
        }
        let heads = self.heads.iter().zip(&estimated).flat_map(|(head, estimated)| {
            let second = estimated.then(|| format!("{head}, half width"));
            std::iter::once(head.clone()).chain(second)
        });
        let row = |row: &Vec<Cell>| {
            let cells = row.iter().zip(&estimated).flat_map(|(cell, estimated)| {
                let second = match cell {
                    Cell::Estimate(Estimate { half_width, .. }) => Cell::maybe(*half_width, Cell::Plain),
                    _ => Cell::Empty,
                };
                std::iter::once(cell.clone()).chain(estimated.then_some(second))
            });
            cells.collect()
        };
        let rows = self.rows.iter().map(row).collect();
        Cow::Owned(Self { heads: heads.collect(), rows, ..self.clone() })
    }
}

impl Picture {
    /// Makes a picture with the numbers behind it, which get the picture's name.
    pub fn new(svg: String, caption: impl Into<String>, table: Table) -> Self {
        Self { name: table.name.clone(), caption: caption.into(), svg, table }
    }
}

impl Cell {
    /// Makes a cell of words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Makes a cell of a number that may be missing.
    pub fn maybe<T>(value: Option<T>, cell: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Empty, cell)
    }

    /// Makes a cell of a mean with its sign, and half the width of its interval where there is one.
    pub const fn estimate(mean: f64, half_width: Option<f64>, digits: usize) -> Self {
        Self::Estimate(Estimate { mean, half_width, digits, signed: true })
    }

    /// Tests if it stands at the right of its column.
    pub const fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_))
    }

    /// Tests if there is no value in it.
    pub const fn is_empty(&self) -> bool {
        matches!(self, Self::Empty | Self::Blank)
    }

    /// Returns what people see; a terminal shows the same, with a hyphen for the minus.
    pub fn shown(&self) -> String {
        match self {
            Self::Empty => "–".to_owned(),
            Self::Blank => String::new(),
            Self::Text(text) | Self::Figures(text) => text.clone(),
            Self::Count(count) => thousands(*count),
            Self::Signed(value) => signed(*value),
            Self::Plain(value) => plain(*value),
            Self::Number(value, digits) => rounded(*value, *digits, false),
            Self::Estimate(Estimate { mean, half_width, digits, signed }) => {
                let mean = rounded(*mean, *digits, *signed);
                half_width.map_or(mean.clone(), |half| format!("{mean} ± {half:.digits$}"))
            }
            Self::Share(value) => percent(*value),
            Self::Chance(value) => chance(*value),
            Self::Micros(value) => micros(*value),
        }
    }

    /// Returns what the file has: numbers in full, nothing where there is none.
    pub fn value(&self) -> String {
        match self {
            Self::Text(text) | Self::Figures(text) => text.clone(),
            // In full, where a float would round.
            Self::Count(count) => count.to_string(),
            _ => self.number().map_or_else(String::new, |value| value.to_string()),
        }
    }

    /// Returns the number in it, where there is one.
    #[expect(clippy::cast_precision_loss, reason = "for people and pictures; files have counts in full")]
    pub const fn number(&self) -> Option<f64> {
        match self {
            Self::Empty | Self::Blank | Self::Text(_) | Self::Figures(_) => None,
            Self::Count(count) => Some(*count as f64),
            Self::Signed(value)
            | Self::Plain(value)
            | Self::Number(value, _)
            | Self::Estimate(Estimate { mean: value, .. })
            | Self::Share(value)
            | Self::Chance(value)
            | Self::Micros(value) => Some(*value),
        }
    }
}

/// Prints a number with a typographic minus; what rounds to nothing has no sign.
fn rounded(value: f64, digits: usize, plus: bool) -> String {
    let text = format!("{:.digits$}", value.abs());
    let nothing = text.bytes().all(|byte| byte == b'0' || byte == b'.');
    match () {
        () if nothing => text,
        () if value < 0.0 => format!("−{text}"),
        () if plus => format!("+{text}"),
        () => text,
    }
}

/// Prints with a sign and one digit behind the point: `+283.1`.
pub fn signed(value: f64) -> String {
    rounded(value, 1, true)
}

/// Prints with one digit behind the point.
pub fn plain(value: f64) -> String {
    rounded(value, 1, false)
}

/// Prints a share in per cent.
pub fn percent(value: f64) -> String {
    format!("{:.1} %", 100.0 * value)
}

/// Prints a p-value.
fn chance(value: f64) -> String {
    if value < 0.0001 { "< 0.0001".to_owned() } else { format!("{value:.4}") }
}

/// Prints a p-value with what it is: `p = 0.0123`, `p < 0.0001`.
pub fn p_text(value: f64) -> String {
    let shown = chance(value);
    if shown.starts_with('<') { format!("p {shown}") } else { format!("p = {shown}") }
}

/// Prints microseconds in the unit that fits.
pub fn micros(value: f64) -> String {
    match value {
        value if value < 1.0 => format!("{:.0} ns", 1e3 * value),
        value if value < 1e3 => format!("{value:.1} µs"),
        value if value < 1e6 => format!("{:.1} ms", value / 1e3),
        value => format!("{:.1} s", value / 1e6),
    }
}

/// Prints a number as it was given, with a typographic minus.
pub fn bound(value: f64) -> String {
    value.to_string().replace('-', "−")
}

/// Prints a mean with half the width of its interval.
pub fn with_half(mean: f64, half: Option<f64>) -> String {
    half.map_or_else(|| signed(mean), |half| format!("{} ± {}", signed(mean), plain(half)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_printed_short_and_kept_in_full() {
        for (cell, shown, value) in [
            (Cell::Empty, "–", ""),
            (Cell::text("a,b"), "a,b", "a,b"),
            (Cell::Count(1_234_567), "1,234,567", "1234567"),
            (Cell::Blank, "", ""),
            (Cell::Figures("3 of 4".to_owned()), "3 of 4", "3 of 4"),
            (Cell::Number(-0.125, 2), "−0.12", "-0.125"),
            (Cell::estimate(-2.25, Some(0.5), 1), "−2.2 ± 0.5", "-2.25"),
            (Cell::estimate(2.25, None, 0), "+2", "2.25"),
            (Cell::Signed(-2.25), "−2.2", "-2.25"),
            (Cell::Signed(0.04), "0.0", "0.04"),
            (Cell::Signed(-0.04), "0.0", "-0.04"),
            (Cell::Signed(3.0), "+3.0", "3"),
            (Cell::Plain(12.34), "12.3", "12.34"),
            (Cell::Share(0.5), "50.0 %", "0.5"),
            (Cell::Chance(0.000_01), "< 0.0001", "0.00001"),
            (Cell::Chance(0.25), "0.2500", "0.25"),
            (Cell::Micros(0.5), "500 ns", "0.5"),
            (Cell::Micros(1500.0), "1.5 ms", "1500"),
            (Cell::Micros(2e6), "2.0 s", "2000000"),
        ] {
            assert_eq!((cell.shown().as_str(), cell.value().as_str()), (shown, value));
        }
    }

    #[test]
    fn files_have_mean_and_half_width_in_columns_of_their_own() {
        let mut table = Table::new("t", "", &["bot", "points"]);
        table.rows.push(vec![Cell::text("a"), Cell::estimate(1.25, Some(0.5), 1)]);
        table.rows.push(vec![Cell::text("b"), Cell::Empty]);
        let files = table.for_files();
        assert_eq!(files.heads, ["bot", "points", "points, half width"]);
        let values: Vec<Vec<_>> =
            files.rows.iter().map(|row| row.iter().map(Cell::value).collect()).collect();
        assert_eq!(values, [["a", "1.25", "0.5"], ["b", "", ""]]);
    }
}
