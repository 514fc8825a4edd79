//! What a command says, before it is written in one form or another.
//!
//! The text at a terminal, page, Markdown, pictures and tables are all made of one [`Document`]: they cannot tell different
//! numbers.

use std::borrow::Cow;

use super::column::{Column, Kind};
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
    /// A table for people alone: its numbers are in another one for files.
    Display(Table),
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
    /// The columns from left to right.
    pub columns: Vec<Column>,
    /// The cells from left to right, as many in each row as there are columns.
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
    /// With so many decimal places.
    Number(f64, usize),
    /// A mean with half the width of its interval.
    Estimate(Estimate),
    /// A share from 0 to 1, printed in per cent.
    Share(f64),
    /// A share with the ends of its interval, which hold at 0 and 1 too.
    Rate(f64, Option<[f64; 2]>),
    /// The difference of two shares with the ends of its interval, printed in percentage points.
    Gap(f64, Option<[f64; 2]>),
    /// Whether something is so, printed as `yes` or nothing.
    Flag(bool),
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

impl Section {
    /// Tests if there is anything to read: a table without rows is for programs alone, which ask for its columns.
    pub fn is_shown(&self) -> bool {
        let mut blocks = self.blocks.iter().peekable();
        blocks.peek().is_none()
            || blocks.any(|block| match block {
                Block::Table(table) | Block::Display(table) | Block::Folded(table) => !table.rows.is_empty(),
                _ => true,
            })
    }
}

impl Table {
    /// Starts a table without rows.
    pub fn new(
        name: impl Into<String>,
        caption: impl Into<String>,
        columns: &[impl Into<Column> + Clone],
    ) -> Self {
        let columns = columns.iter().cloned().map(Into::into).collect();
        Self { name: name.into(), caption: caption.into(), columns, rows: Vec::new() }
    }

    /// Tests if every cell of a column stands at the right of it.
    pub fn is_of_numbers(&self, column: usize) -> bool {
        self.rows.iter().all(|row| row.get(column).is_none_or(Cell::is_number))
    }

    /// Returns the table for pages and terminals, without what only files have.
    #[must_use]
    pub fn for_people(&self) -> Cow<'_, Self> {
        if self.columns.iter().all(|column| !column.only_in_files) {
            return Cow::Borrowed(self);
        }
        let shown: Vec<bool> = self.columns.iter().map(|column| !column.only_in_files).collect();
        let columns = self.columns.iter().filter(|column| !column.only_in_files).cloned().collect();
        let row =
            |row: &Vec<Cell>| row.iter().zip(&shown).filter(|it| *it.1).map(|it| it.0.clone()).collect();
        let rows = self.rows.iter().map(row).collect();
        Cow::Owned(Self { columns, rows, ..self.clone() })
    }

    /// Returns the table for files: every column has values of one kind, so that one with intervals becomes three, of
    /// which the last two are `low` and `high`, behind the name of the first where there are several.
    #[must_use]
    pub fn for_files(&self) -> Self {
        let is_estimated = |at: usize, column: &Column| match column.kind {
            Some(kind) => kind == Kind::Estimate,
            None => self.rows.iter().any(|row| row.get(at).is_some_and(Cell::has_interval)),
        };
        let estimated: Vec<bool> =
            self.columns.iter().enumerate().map(|(at, column)| is_estimated(at, column)).collect();
        let alone = estimated.iter().filter(|estimated| **estimated).count() == 1;
        let columns = self.columns.iter().zip(&estimated).flat_map(|(column, estimated)| {
            let Column { name, .. } = column;
            let end = |end: &str| if alone { end.to_owned() } else { format!("{name}_{end}") };
            if *estimated {
                vec![Column::number(name), Column::number(&end("low")), Column::number(&end("high"))]
            } else {
                vec![column.clone()]
            }
        });
        let row = |row: &Vec<Cell>| {
            let cells = row.iter().zip(&estimated).flat_map(|(cell, estimated)| {
                let ends = cell.interval().map_or([None, None], |ends| ends.map(Some));
                let ends = ends.map(|end| Cell::maybe(end, Cell::Plain));
                std::iter::once(cell.clone()).chain(ends.into_iter().filter(|_| *estimated))
            });
            cells.collect()
        };
        let rows = self.rows.iter().map(row).collect();
        Self { columns: columns.collect(), rows, ..self.clone() }
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

    /// Makes a cell of a mean and of the half width of its interval, without a sign where it is above 0.
    pub const fn mean(mean: f64, half_width: Option<f64>, digits: usize) -> Self {
        Self::Estimate(Estimate { mean, half_width, digits, signed: false })
    }

    /// Makes a cell of a share and the ends of its interval.
    pub const fn rate([share, low, high]: [f64; 3]) -> Self {
        Self::Rate(share, Some([low, high]))
    }

    /// Tests if it is of a kind that may have an interval.
    const fn has_interval(&self) -> bool {
        matches!(self, Self::Estimate(_) | Self::Rate(..) | Self::Gap(..))
    }

    /// Returns the ends of its interval, where it has one.
    fn interval(&self) -> Option<[f64; 2]> {
        match self {
            Self::Estimate(Estimate { mean, half_width, .. }) => {
                half_width.map(|half| [mean - half, mean + half])
            }
            Self::Rate(_, interval) | Self::Gap(_, interval) => *interval,
            _ => None,
        }
    }

    /// Tests if it stands at the right of its column.
    pub const fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_) | Self::Flag(_))
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
            Self::Rate(share, interval) => rate(*share, *interval),
            Self::Gap(gap, interval) => {
                let points = |share: f64| rounded(100.0 * share, 1, true);
                let ends = interval.map(|[low, high]| format!(" ({} to {})", points(low), points(high)));
                format!("{} %{}", points(*gap), ends.unwrap_or_default())
            }
            Self::Flag(value) => if *value { "yes" } else { "" }.to_owned(),
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
            Self::Flag(value) => value.to_string(),
            // With a point, so that no reader takes a column of numbers that happen to be whole for counts.
            _ => self.number().map_or_else(String::new, |value| format!("{value:?}")),
        }
    }

    /// Returns the number in it, where there is one.
    #[expect(clippy::cast_precision_loss, reason = "for people and pictures; files have counts in full")]
    pub const fn number(&self) -> Option<f64> {
        match self {
            Self::Empty | Self::Blank | Self::Text(_) | Self::Figures(_) | Self::Flag(_) => None,
            Self::Count(count) => Some(*count as f64),
            Self::Signed(value)
            | Self::Plain(value)
            | Self::Number(value, _)
            | Self::Estimate(Estimate { mean: value, .. })
            | Self::Share(value)
            | Self::Rate(value, _)
            | Self::Gap(value, _)
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

/// Prints a share in per cent with its interval. One of nothing or of all has but one end to tell: `100 % (≥ 99.6)`.
pub fn rate(share: f64, interval: Option<[f64; 2]>) -> String {
    let Some([low, high]) = interval.map(|ends| ends.map(|end| 100.0 * end)) else { return percent(share) };
    match share {
        share if share <= 0.0 => format!("0 % (≤ {high:.1})"),
        share if share >= 1.0 => format!("100 % (≥ {low:.1})"),
        share => format!("{} ({low:.1}–{high:.1})", percent(share)),
    }
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
            (Cell::Signed(3.0), "+3.0", "3.0"),
            (Cell::Plain(12.34), "12.3", "12.34"),
            (Cell::Share(0.5), "50.0 %", "0.5"),
            (Cell::rate([0.5, 0.25, 0.75]), "50.0 % (25.0–75.0)", "0.5"),
            (Cell::rate([1.0, 0.99617, 1.0]), "100 % (≥ 99.6)", "1.0"),
            (Cell::rate([0.0, 0.0, 0.00383]), "0 % (≤ 0.4)", "0.0"),
            (Cell::Rate(0.5, None), "50.0 %", "0.5"),
            (Cell::Gap(-0.0125, Some([-0.02, 0.01])), "−1.2 % (−2.0 to +1.0)", "-0.0125"),
            (Cell::Gap(0.25, None), "+25.0 %", "0.25"),
            (Cell::Flag(true), "yes", "true"),
            (Cell::Flag(false), "", "false"),
            (Cell::Chance(0.000_01), "< 0.0001", "1e-5"),
            (Cell::Chance(0.25), "0.2500", "0.25"),
            (Cell::Micros(0.5), "500 ns", "0.5"),
            (Cell::Micros(1500.0), "1.5 ms", "1500.0"),
            (Cell::Micros(2e6), "2.0 s", "2000000.0"),
        ] {
            assert_eq!((cell.shown().as_str(), cell.value().as_str()), (shown, value));
        }
    }

    #[test]
    fn files_have_the_ends_of_intervals_in_columns_of_their_own() {
        let names = |table: &Table| -> Vec<String> {
            table.for_files().columns.into_iter().map(|column| column.name).collect()
        };
        let mut table = Table::new("t", "", &[Column::text("bot"), Column::estimate("points")]);
        assert_eq!(names(&table), ["bot", "points", "low", "high"]);
        table.rows.push(vec![Cell::text("a"), Cell::estimate(1.25, Some(0.5), 1)]);
        table.rows.push(vec![Cell::text("b"), Cell::Empty]);
        let files = table.for_files();
        let values: Vec<Vec<_>> =
            files.rows.iter().map(|row| row.iter().map(Cell::value).collect()).collect();
        assert_eq!(values, [["a", "1.25", "0.75", "1.75"], ["b", "", "", ""]]);
        let two = Table::new("t", "", &[Column::estimate("made"), Column::estimate("score")]);
        assert_eq!(names(&two), ["made", "made_low", "made_high", "score", "score_low", "score_high"]);
        let mut hidden = Table::new("t", "", &[Column::text("bot").only_in_files(), Column::count("deals")]);
        hidden.rows.push(vec![Cell::text("a"), Cell::Count(2)]);
        assert_eq!(names(&hidden), ["bot", "deals"]);
        let shown = hidden.for_people();
        assert_eq!((shown.columns.len(), &shown.rows), (1, &vec![vec![Cell::Count(2)]]));
        let rows = vec![vec![Cell::rate([0.5, 0.4, 0.6])]];
        assert_eq!(
            names(&Table { rows, ..Table::new("t", "", &["how often"]) }),
            ["how_often", "low", "high"]
        );
    }
}
