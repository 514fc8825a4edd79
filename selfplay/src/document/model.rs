//! The output of a command, independent of its form.
//!
//! Terminal text, HTML page, Markdown, pictures and tables are all made from one [`Document`], so their numbers cannot
//! differ.

use std::borrow::Cow;

use coinche_engine::Card;

use super::column::{Column, Kind, measured};
use super::deal_view::DealView;
use super::words::Language;
use crate::base::style::thousands;

/// A whole report.
#[derive(Debug, Clone, Default)]
pub struct Document {
    /// The title of the window.
    pub title: String,
    /// The command that made it, as typed after `arena`; the page shows it.
    pub command: &'static str,
    /// The verdicts, one sentence each.
    pub verdicts: Vec<String>,
    /// The scope of the verdicts.
    pub scope: Vec<String>,
    /// The sections, in reading order.
    pub sections: Vec<Section>,
    /// The language of the page around them.
    pub language: Language,
}

/// A section of a report, with a heading.
#[derive(Debug, Clone)]
pub struct Section {
    /// The anchor in links: letters, digits and hyphens.
    pub id: String,
    /// The heading.
    pub title: String,
    /// The content.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Debug, Clone)]
pub enum Block {
    /// A heading within the section.
    Heading(String),
    /// A heading under which the page folds what follows, up to the next one or the end of the section.
    Fold(String),
    /// A paragraph.
    Text(String),
    /// A list, one entry each.
    Items(Vec<String>),
    /// A command line.
    Code(String),
    /// A table that is shown in full on the terminal, the page and in Markdown.
    Table(Table),
    /// A table for display only: its numbers are in another table for files.
    Display(Table),
    /// A table that the page folds under its caption.
    Folded(Table),
    /// A chart; Markdown and full text have its numbers instead, short text has neither.
    Picture(Picture),
    /// Cards, drawn on the page.
    Cards(Vec<Card>),
    /// Deals that the page replays; Markdown and full text list them.
    Deals(Vec<DealView>),
}

/// A chart with the numbers behind it.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The file name, without extension.
    pub name: String,
    /// The caption: what the chart shows and how to read it.
    pub caption: String,
    /// The `svg` element.
    pub svg: String,
    /// The numbers behind it; the table has the name of the chart.
    pub table: Table,
}

/// A table: for the terminal, the page, Markdown and files.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The file name, without extension.
    pub name: String,
    /// The caption; may be empty.
    pub caption: String,
    /// The columns from left to right.
    pub columns: Vec<Column>,
    /// The cells from left to right, as many in each row as there are columns.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell: one value, rounded for display and in full precision in files.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// The value is unknown.
    Empty,
    /// No value applies.
    Blank,
    /// Text, left-aligned.
    Text(String),
    /// Several numbers, or ranks of cards: short text that is printed as it is, right-aligned.
    Figures(String),
    /// An integer, printed with thousands separators.
    Count(u64),
    /// A number with a sign and one decimal.
    Signed(f64),
    /// A number with one decimal.
    Plain(f64),
    /// A number with this many decimals.
    Number(f64, usize),
    /// A mean with the half width of its interval.
    Estimate(Estimate),
    /// A share from 0 to 1, printed as a percentage.
    Share(f64),
    /// A share with the ends of its interval, which is valid at 0 and 1 too.
    Rate(f64, Option<[f64; 2]>),
    /// A difference of two shares with the ends of its interval, printed in percentage points.
    Gap(f64, Option<[f64; 2]>),
    /// A boolean, printed as `yes` or nothing.
    Flag(bool),
    /// A p-value.
    Chance(f64),
    /// Microseconds, printed in a suitable unit.
    Micros(f64),
}

/// A mean, with the half width of its 95 % interval if there is one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean, in the unit of its column.
    pub mean: f64,
    /// The half width of the interval; `None` if there is none.
    pub half_width: Option<f64>,
    /// The number of decimals of both.
    pub digits: usize,
    /// Whether a positive mean is printed with its sign.
    pub signed: bool,
}

impl Document {
    /// Returns the sections that have anything to show.
    pub(super) fn shown_sections(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(|section| section.is_shown())
    }

    /// Creates a document of one section from blocks.
    pub fn of_blocks(title: impl Into<String>, blocks: Vec<Block>) -> Self {
        let sections = vec![Section::new("figures", "Figures", blocks)];
        Self { title: title.into(), sections, ..Self::default() }
    }
}

impl Section {
    /// Creates a section.
    pub fn new(id: impl Into<String>, title: impl Into<String>, blocks: Vec<Block>) -> Self {
        Self { id: id.into(), title: title.into(), blocks }
    }

    /// Tests if there is anything to show: a table without rows is only for programs that read its columns.
    pub fn is_shown(&self) -> bool {
        let mut blocks = self.blocks.iter().peekable();
        blocks.peek().is_none()
            || blocks.any(|block| match block {
                Block::Table(table) | Block::Display(table) | Block::Folded(table) => !table.rows.is_empty(),
                _ => true,
            })
    }
}

impl Block {
    /// A paragraph.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

impl Table {
    /// Creates a table without rows.
    pub fn new(
        name: impl Into<String>,
        caption: impl Into<String>,
        columns: &[impl Into<Column> + Clone],
    ) -> Self {
        let columns = columns.iter().cloned().map(Into::into).collect();
        Self { name: name.into(), caption: caption.into(), columns, rows: Vec::new() }
    }

    /// Tests if every cell of a column is right-aligned.
    pub fn is_of_numbers(&self, column: usize) -> bool {
        self.rows.iter().all(|row| row.get(column).is_none_or(Cell::is_number))
    }

    /// Returns the table for pages and terminals, without the columns that only files have.
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

    /// Returns the table for files: every column has values of one type, so a column with intervals becomes three, the
    /// last two named `low` and `high`, prefixed with the name of the first if there are several.
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
            let end = |end: &str| {
                let name = if alone { end.to_owned() } else { format!("{name}_{end}") };
                Column { kind: Some(Kind::Number), ..measured("", "", "").called(name) }
            };
            if *estimated {
                let middle = Column { kind: Some(Kind::Number), ..column.clone() };
                vec![middle, end("low"), end("high")]
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
    /// Creates a picture from a chart and its numbers, which give it its name.
    pub fn new(svg: String, caption: impl Into<String>, table: Table) -> Self {
        Self { name: table.name.clone(), caption: caption.into(), svg, table }
    }
}

impl Cell {
    /// Creates a cell of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Creates a cell of a number that may be missing.
    pub fn maybe<T>(value: Option<T>, cell: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Empty, cell)
    }

    /// Creates a cell of a signed mean, with the half width of its interval if there is one.
    pub const fn estimate(mean: f64, half_width: Option<f64>, digits: usize) -> Self {
        Self::Estimate(Estimate { mean, half_width, digits, signed: true })
    }

    /// Creates a cell of a mean with the half width of its interval, without a plus sign.
    pub const fn mean(mean: f64, half_width: Option<f64>, digits: usize) -> Self {
        Self::Estimate(Estimate { mean, half_width, digits, signed: false })
    }

    /// Creates a cell of a share and the ends of its interval.
    pub const fn rate([share, low, high]: [f64; 3]) -> Self {
        Self::Rate(share, Some([low, high]))
    }

    /// Tests if the cell is of a kind that may have an interval.
    const fn has_interval(&self) -> bool {
        matches!(self, Self::Estimate(_) | Self::Rate(..) | Self::Gap(..))
    }

    /// Returns the ends of its interval, if it has one.
    fn interval(&self) -> Option<[f64; 2]> {
        match self {
            Self::Estimate(Estimate { mean, half_width, .. }) => {
                half_width.map(|half| [mean - half, mean + half])
            }
            Self::Rate(_, interval) | Self::Gap(_, interval) => *interval,
            _ => None,
        }
    }

    /// Tests if the cell is right-aligned.
    pub const fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_) | Self::Flag(_))
    }

    /// Tests if the cell has no value.
    pub const fn is_empty(&self) -> bool {
        matches!(self, Self::Empty | Self::Blank)
    }

    /// Returns the text displayed in a language.
    pub fn shown_in(&self, language: Language) -> String {
        match self {
            Self::Text(_) => self.shown(),
            Self::Flag(true) => language.of("yes", "oui").to_owned(),
            _ => language.number(&self.shown()),
        }
    }

    /// Returns the text displayed in English; a terminal shows the same with a hyphen as minus.
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
                format!("{mean}{}", half_width.map_or_else(String::new, |half| plus_minus(half, *digits)))
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

    /// Returns the text for files: numbers in full precision, empty if there is no value.
    pub fn value(&self) -> String {
        match self {
            Self::Text(text) | Self::Figures(text) => text.clone(),
            // In full, where a float would round.
            Self::Count(count) => count.to_string(),
            Self::Flag(value) => value.to_string(),
            // With a decimal point, so that readers do not infer an integer column from whole numbers.
            _ => self.number().map_or_else(String::new, |value| format!("{value:?}")),
        }
    }

    /// Returns the number in the cell, if there is one.
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

/// Formats a number with a typographic minus; a value that rounds to zero has no sign.
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

/// Formats with a sign and one decimal: `+283.1`.
pub fn signed(value: f64) -> String {
    rounded(value, 1, true)
}

/// Formats with one decimal.
pub fn plain(value: f64) -> String {
    rounded(value, 1, false)
}

/// Formats a share as a percentage.
pub fn percent(value: f64) -> String {
    format!("{:.1} %", 100.0 * value)
}

/// Formats a share as a percentage with its interval. For 0 % and 100 % only one end is shown: `100 % (≥ 99.6)`.
pub fn rate(share: f64, interval: Option<[f64; 2]>) -> String {
    let Some([low, high]) = interval.map(|ends| ends.map(|end| 100.0 * end)) else { return percent(share) };
    match share {
        share if share <= 0.0 => format!("0 % (≤ {high:.1})"),
        share if share >= 1.0 => format!("100 % (≥ {low:.1})"),
        share => format!("{} ({low:.1}–{high:.1})", percent(share)),
    }
}

/// Formats a p-value.
fn chance(value: f64) -> String {
    if value < 0.0001 { "< 0.0001".to_owned() } else { format!("{value:.4}") }
}

/// Formats a p-value with its name: `p = 0.0123`, `p < 0.0001`.
pub fn p_text(value: f64) -> String {
    let shown = chance(value);
    if shown.starts_with('<') { format!("p {shown}") } else { format!("p = {shown}") }
}

/// Formats microseconds in a suitable unit.
pub fn micros(value: f64) -> String {
    match value {
        value if value < 1.0 => format!("{:.0} ns", 1e3 * value),
        value if value < 1e3 => format!("{value:.1} µs"),
        value if value < 1e6 => format!("{:.1} ms", value / 1e3),
        value => format!("{:.1} s", value / 1e6),
    }
}

/// Formats a number as it was given, with a typographic minus.
pub fn bound(value: f64) -> String {
    value.to_string().replace('-', "−")
}

/// Formats a mean with the half width of its interval.
pub fn with_half(mean: f64, half: Option<f64>) -> String {
    signed(mean) + &half.map_or_else(String::new, |half| plus_minus(half, 1))
}

/// Does the same for an amount that words say the direction of: without a plus.
pub fn amount(mean: f64, half: Option<f64>) -> String {
    with_half(mean, half).trim_start_matches('+').to_owned()
}

/// Formats half the width of an interval with a space before it, with more digits where it would be shown as 0; nothing where it is 0.
pub fn plus_minus(half: f64, digits: usize) -> String {
    let digits =
        (digits..12).find(|digits| format!("{half:.digits$}").bytes().any(|it| (b'1'..=b'9').contains(&it)));
    digits.filter(|_| half.is_finite()).map_or_else(String::new, |digits| format!(" ± {half:.digits$}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::column::named;

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
            table.for_files().columns.into_iter().map(|column| column.name.into_owned()).collect()
        };
        let rows = [("a", Some((1.25, Some(0.5)))), ("b", None)];
        let table = Table::of("t", "", rows).text("bot", |it| it.0).estimate("points", |it| it.1).build();
        assert_eq!(names(&table), ["bot", "points", "low", "high"]);
        let files = table.for_files();
        let values: Vec<Vec<_>> =
            files.rows.iter().map(|row| row.iter().map(Cell::value).collect()).collect();
        assert_eq!(values, [["a", "1.25", "0.75", "1.75"], ["b", "", "", ""]]);
        let none = [(0.0, None)];
        let two = Table::of("t", "", none).estimate("made", |it| *it).estimate("score", |it| *it).build();
        assert_eq!(names(&two), ["made", "made_low", "made_high", "score", "score_low", "score_high"]);
        let bot = named("bot", "the bot").only_in_files();
        let hidden = Table::of("t", "", [2_u64]).text(bot, |_| "a").count("deals", |deals| *deals).build();
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
