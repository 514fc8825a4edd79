//! Columns of tables with their values: a name, a head, a description, and a function from a row to its cell.
//!
//! A table is built from its rows, column by column, with one method per type of column. The value of a column must be
//! a [`Value`] of its type, so that a mismatch of head and cell does not compile:
//!
//! ```
//! use coinche_selfplay::document::column::named;
//! use coinche_selfplay::document::model::Table;
//!
//! let rows = [("rules", 3_u64, 0.75), ("random", 1, 0.25)];
//! let table = Table::of("wins", "Who won.", rows)
//!     .text(named("bot", "the bot"), |(bot, ..)| *bot)
//!     .count(named("wins", "matches won").head("won"), |(_, wins, _)| *wins)
//!     .share(named("share", "share of all matches"), |(.., share)| *share)
//!     .build();
//! assert_eq!(table.render(), "\
//! bot      won    share
//! ───────────────────────
//! rules      3   75.0 %
//! random     1   25.0 %
//! ");
//! ```

use coinche_engine::Seat;
use coinche_inference::Estimate as Paired;
use coinche_inference::ratio::Mean as RatioMean;

use super::column::{Column, FRACTION, FRACTIONS_APART, Kind};
use super::model::{Block, Cell, Estimate, Table};

/// A column with the function that makes its cells.
struct Field<'a, R> {
    column: Column,
    cell: Box<dyn Fn(&R) -> Cell + 'a>,
}

/// Columns of rows `R`, from left to right.
pub struct Fields<'a, R>(Vec<Field<'a, R>>);

/// A table under construction: columns are added to its rows.
pub struct TableOf<'a, I: IntoIterator> {
    name: String,
    caption: String,
    rows: I,
    fields: Fields<'a, I::Item>,
}

/// A value that can fill a cell of kind `K`. `None` gives an empty cell.
pub trait Value<K> {
    /// Converts the value to a cell.
    fn cell(self) -> Cell;
}

impl<K, V: Value<K>> Value<K> for Option<V> {
    fn cell(self) -> Cell {
        self.map_or(Cell::Empty, V::cell)
    }
}

/// A value that may not apply: pages leave the cell blank then.
#[derive(Debug, Clone, Copy)]
pub struct OrBlank<V>(pub Option<V>);

impl<K, V: Value<K>> Value<K> for OrBlank<V> {
    fn cell(self) -> Cell {
        self.0.map_or(Cell::Blank, V::cell)
    }
}

/// Defines, for each kind, its type and the method that adds a column of it.
macro_rules! kinds {
    ($($(#[$about:meta])* $add:ident: $name:ident, $kind:ident $(in $unit:ident)?;)*) => {
        $($(#[$about])* #[derive(Debug, Clone, Copy)] pub enum $name {})*

        impl<'a, I: IntoIterator> TableOf<'a, I> {$(
            $(#[$about])*
            #[must_use]
            pub fn $add<V: Value<$name>>(
                self,
                column: impl Into<Column>,
                value: impl Fn(&I::Item) -> V + 'a,
            ) -> Self {
                let column = Column { kind: Some(Kind::$kind), $(unit: $unit,)? ..column.into() };
                self.with(column, move |row| value(row).cell())
            }
        )*}
    };
}

kinds! {
    /// Words, names and codes.
    text: Text, Text;
    /// Whole numbers from 0.
    count: Count, Count;
    /// Booleans: `yes` or nothing.
    flag: Flag, Flag;
    /// Numbers with one decimal.
    plain: Plain, Number;
    /// Numbers with a sign and one decimal.
    signed: Signed, Number;
    /// Shares from 0 to 1, in per cent.
    share: Share, Number in FRACTION;
    /// P-values.
    chance: Chance, Number in FRACTION;
    /// Microseconds, printed in a suitable unit.
    micros: Micros, Number;
    /// Numbers with their own formats.
    number: Number, Number;
    /// Means with the half width of their intervals.
    mean: Mean, Estimate;
    /// Means with a sign and the half width of their intervals.
    estimate: Signs, Estimate;
    /// Shares with their intervals.
    rate: Rate, Estimate in FRACTION;
    /// Differences of shares with their intervals, in percentage points.
    gap: Gap, Estimate in FRACTIONS_APART;
    /// Numbers with intervals, with their own formats.
    interval: Interval, Estimate;
}

impl Table {
    /// Starts a table from its rows.
    pub fn of<'a, I: IntoIterator>(
        name: impl Into<String>,
        caption: impl Into<String>,
        rows: I,
    ) -> TableOf<'a, I> {
        TableOf { name: name.into(), caption: caption.into(), rows, fields: Fields(Vec::new()) }
    }
}

impl<'a, I: IntoIterator> TableOf<'a, I> {
    fn with(mut self, column: Column, cell: impl Fn(&I::Item) -> Cell + 'a) -> Self {
        self.fields.0.push(Field { column, cell: Box::new(cell) });
        self
    }

    /// Adds a column for display only, with cells of any type.
    #[must_use]
    pub fn shown(self, head: impl Into<Column>, cell: impl Fn(&I::Item) -> Cell + 'a) -> Self {
        self.with(head.into(), cell)
    }

    /// Builds the table.
    pub fn build(self) -> Table {
        let Self { name, caption, rows, fields } = self;
        let rows = rows.into_iter().map(|row| fields.cells(&row)).collect();
        Table { name, caption, columns: fields.columns(), rows }
    }

    /// Builds the table as a block.
    pub fn block(self) -> Block {
        Block::Table(self.build())
    }

    /// Builds the table as a block that is folded.
    pub fn folded(self) -> Block {
        Block::Folded(self.build())
    }

    /// Returns the columns, for rows that come later.
    pub fn fields(self) -> Fields<'a, I::Item> {
        self.fields
    }
}

impl<R> Fields<'_, R> {
    /// Returns the columns.
    pub fn columns(&self) -> Vec<Column> {
        self.0.iter().map(|field| field.column.clone()).collect()
    }

    /// Returns the cells of a row.
    pub fn cells(&self, row: &R) -> Vec<Cell> {
        let cell = |Field { column, cell }: &Field<'_, R>| {
            let cell = cell(row);
            debug_assert!(cell.fits(column.kind), "{}: {cell:?}", column.name);
            cell
        };
        self.0.iter().map(cell).collect()
    }
}

impl Cell {
    /// Tests if the cell fits a column of this kind.
    const fn fits(&self, kind: Option<Kind>) -> bool {
        match kind {
            None => true,
            _ if self.is_empty() => true,
            Some(Kind::Text) => matches!(self, Self::Text(_) | Self::Figures(_)),
            Some(Kind::Count) => matches!(self, Self::Count(_)),
            Some(Kind::Flag) => matches!(self, Self::Flag(_)),
            Some(Kind::Number) => self.number().is_some(),
            Some(Kind::Estimate) => matches!(self, Self::Estimate(_) | Self::Rate(..) | Self::Gap(..)),
        }
    }
}

macro_rules! values {
    ($($kind:ident of $($value:ty),+: |$it:ident| $cell:expr;)*) => {$($(
        impl Value<$kind> for $value {
            fn cell(self) -> Cell {
                let $it = self;
                $cell
            }
        }
    )+)*};
}

values! {
    Text of String: |text| Cell::Text(text);
    Text of &str, &String, char: |text| Cell::Text(text.into());
    Count of u64: |count| Cell::Count(count);
    Count of u32, u16, u8: |count| Cell::Count(count.into());
    Count of usize: |count| Cell::Count(count as u64);
    Count of Seat: |seat| Cell::Count(seat as u64);
    Flag of bool: |flag| Cell::Flag(flag);
    Plain of f64: |value| Cell::Plain(value);
    Plain of RatioMean: |mean| Cell::Plain(mean.mean);
    Signed of f64: |value| Cell::Signed(value);
    Share of f64: |value| Cell::Share(value);
    Share of [f64; 3]: |rate| Cell::Share(rate[0]);
    Chance of f64: |value| Cell::Chance(value);
    Micros of f64: |value| Cell::Micros(value);
    Number of Cell: |cell| cell;
    Mean of (f64, Option<f64>): |of| Cell::mean(of.0, of.1, 1);
    Mean of RatioMean: |of| Cell::mean(of.mean, of.half_width, 1);
    Signs of (f64, Option<f64>): |of| Cell::estimate(of.0, of.1, 1);
    Signs of RatioMean: |of| Cell::estimate(of.mean, of.half_width, 1);
    Signs of Paired, &Paired: |of| Cell::estimate(of.mean, of.half_width, 1);
    Rate of [f64; 3]: |rate| Cell::rate(rate);
    Rate of (f64, Option<[f64; 2]>): |rate| Cell::Rate(rate.0, rate.1);
    Gap of [f64; 3]: |gap| Cell::Gap(gap[0], Some([gap[1], gap[2]]));
    Gap of (f64, Option<[f64; 2]>): |gap| Cell::Gap(gap.0, gap.1);
    Interval of Cell: |cell| cell;
    Interval of Estimate: |estimate| Cell::Estimate(estimate);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::column::{measured, named};

    #[test]
    fn every_column_has_its_cells_unit_and_head() {
        let table = Table::of("t", "", [0.5])
            .text("who", |_| "a")
            .plain(measured("points", "points", "what it takes").head("mean"), |row| *row)
            .share(named("share", "a share"), |row| *row)
            .rate(named("made", "what is made"), |row| [*row, 0.0, 1.0])
            .signed(named("none", "nothing"), |_| None::<f64>)
            .count(named("blank", "a blank"), |_| OrBlank(None::<u64>))
            .build();
        assert_eq!(
            table.rows,
            [[
                Cell::text("a"),
                Cell::Plain(0.5),
                Cell::Share(0.5),
                Cell::rate([0.5, 0.0, 1.0]),
                Cell::Empty,
                Cell::Blank
            ]]
        );
        let columns: Vec<_> = table.columns.iter().map(|it| (it.title().into_owned(), it.unit)).collect();
        let expected =
            [("who", ""), ("mean", "points"), ("share", "0–1"), ("made", "0–1"), ("none", ""), ("blank", "")];
        assert_eq!(columns, expected.map(|(head, unit)| (head.to_owned(), unit)));
    }

    #[test]
    #[should_panic(expected = "wins")]
    #[cfg(debug_assertions)]
    fn a_cell_of_another_kind_is_a_bug() {
        let _ = Table::of("t", "", [()]).number(named("wins", ""), |()| Cell::text("many")).build();
    }
}
