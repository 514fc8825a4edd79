//! Rows by columns: the one form of all data sets of the program on the way to a file, and back.
//!
//! A data set declares its columns once, as the fields of a struct in [`row!`]: name, type and whether a cell may be empty.
//! From that follow the header and the cells of CSV, the columns of Parquet and of NumPy, and reading.
//! [`Schema`] says which columns a file has, [`Batch`] holds the cells of some rows, `parquet` and `npy` write it.

mod npy;
pub mod parquet;
mod row;
mod value;

use core::slice;
use std::borrow::Cow;

use super::text::{push_cell, push_long, push_str};

pub use npy::npy;
pub use row::{Line, Row, RowError, Source, row};
pub use value::{Known, Name, Tail, Value};

/// What is in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// 8 bits without a sign.
    U8,
    /// 16 bits without a sign.
    U16,
    /// 32 bits without a sign.
    U32,
    /// 64 bits without a sign.
    U64,
    /// 32 bits.
    I32,
    /// 64 bits: what readers of CSV take whole numbers for.
    I64,
    /// Numbers of 64 bits with a fraction.
    F64,
    /// `true` or `false`.
    Bool,
    /// Text.
    Text,
    /// So many bytes in every row.
    Bytes(usize),
    /// So many numbers of 16 bits in every row.
    I16s(usize),
    /// As many numbers of 16 bits without a sign as there are, at least one.
    List,
}

impl Kind {
    /// Tests for a single whole number.
    pub const fn is_int(self) -> bool {
        matches!(self, Self::U8 | Self::U16 | Self::U32 | Self::U64 | Self::I32 | Self::I64)
    }
}

/// How a column of a Parquet file is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// With a dictionary.
    Dictionary,
    /// As it is: nearly every row is another, and a dictionary would only add to them.
    Plain,
    /// By differences: small numbers, or those that grow.
    Delta,
}

/// A column of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The name.
    pub name: Cow<'static, str>,
    /// What is in it.
    pub kind: Kind,
    /// Whether a cell may be empty.
    pub optional: bool,
    /// How it is encoded.
    pub packing: Packing,
}

impl Column {
    /// Sets how it is encoded.
    #[must_use]
    pub fn packed(self, packing: Packing) -> Self {
        Self { packing, ..self }
    }
}

/// How the pages of a Parquet file are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pages {
    /// Not at all.
    Plain,
    /// With zstd, fast: what is written while deals are played.
    Zstd,
    /// With zstd at its highest level, in long pages: what is made once and kept.
    Small,
}

/// What the files of a data set have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// The name of the schema in a file.
    pub name: &'static str,
    /// What a file is, for errors.
    pub what: &'static str,
    /// How pages are compressed.
    pub pages: Pages,
    /// The only column with statistics, by row group: it tells which of them to leave out. `None`: all have them, as the
    /// library writes them.
    pub sought: Option<&'static str>,
    /// Whether the schema gives columns without a length the length 0.
    pub zero_lengths: bool,
}

/// The columns of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    /// What the file is of.
    pub form: Form,
    /// The columns, in their order.
    pub columns: Vec<Column>,
    /// Key and text of a note among the metadata of a Parquet file.
    pub note: Option<(&'static str, String)>,
}

impl Schema {
    /// Returns the columns of rows.
    pub fn of<'a, R: Row<'a>>(form: Form) -> Self {
        Self { form, columns: R::columns(), note: None }
    }

    /// Returns the first line of a table as CSV.
    pub fn header(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| &*column.name).collect();
        names.join(",") + "\n"
    }
}

/// Texts one behind the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Texts {
    bytes: Vec<u8>,
    /// Where each text ends in the bytes.
    ends: Vec<usize>,
}

impl Texts {
    fn get(&self, n: usize) -> Option<&[u8]> {
        let start = n.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.bytes.get(start..*self.ends.get(n)?)
    }
}

/// Values, in the types of Parquet.
#[derive(Debug, Clone, PartialEq)]
enum Values {
    Small(Vec<i32>),
    Long(Vec<i64>),
    Real(Vec<f64>),
    Bools(Vec<bool>),
    Texts(Texts),
    /// So many bytes each.
    Bytes(Vec<u8>, usize),
    /// Numbers, and which are the first of a row: 0, the others 1.
    Lists(Vec<i32>, Vec<i16>),
}

impl Values {
    const fn new(kind: Kind) -> Self {
        match kind {
            Kind::U8 | Kind::U16 | Kind::U32 | Kind::I32 => Self::Small(Vec::new()),
            Kind::U64 | Kind::I64 => Self::Long(Vec::new()),
            Kind::F64 => Self::Real(Vec::new()),
            Kind::Bool => Self::Bools(Vec::new()),
            Kind::Text => Self::Texts(Texts { bytes: Vec::new(), ends: Vec::new() }),
            Kind::Bytes(size) => Self::Bytes(Vec::new(), size),
            Kind::I16s(numbers) => Self::Bytes(Vec::new(), 2 * numbers),
            Kind::List => Self::Lists(Vec::new(), Vec::new()),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Small(values) => values.len(),
            Self::Long(values) => values.len(),
            Self::Real(values) => values.len(),
            Self::Bools(values) => values.len(),
            Self::Texts(texts) => texts.ends.len(),
            Self::Bytes(bytes, size) => bytes.len() / (*size).max(1),
            Self::Lists(_, firsts) => firsts.iter().filter(|first| **first == 0).count(),
        }
    }

    /// Keeps the first ones.
    fn truncate(&mut self, len: usize) {
        match self {
            Self::Small(values) => values.truncate(len),
            Self::Long(values) => values.truncate(len),
            Self::Real(values) => values.truncate(len),
            Self::Bools(values) => values.truncate(len),
            Self::Texts(texts) => {
                texts.ends.truncate(len);
                texts.bytes.truncate(texts.ends.last().copied().unwrap_or(0));
            }
            Self::Bytes(bytes, size) => bytes.truncate(len * *size),
            Self::Lists(numbers, firsts) => {
                let starts = firsts.iter().enumerate().filter(|(_, first)| **first == 0);
                let end = starts.map(|(at, _)| at).nth(len).unwrap_or(numbers.len());
                numbers.truncate(end);
                firsts.truncate(end);
            }
        }
    }

    fn append(&mut self, other: &Self) {
        match (self, other) {
            (Self::Small(values), Self::Small(other)) => values.extend_from_slice(other),
            (Self::Long(values), Self::Long(other)) => values.extend_from_slice(other),
            (Self::Real(values), Self::Real(other)) => values.extend_from_slice(other),
            (Self::Bools(values), Self::Bools(other)) => values.extend_from_slice(other),
            (Self::Texts(texts), Self::Texts(other)) => {
                let before = texts.bytes.len();
                texts.bytes.extend_from_slice(&other.bytes);
                texts.ends.extend(other.ends.iter().map(|end| before + end));
            }
            (Self::Bytes(bytes, _), Self::Bytes(other, _)) => bytes.extend_from_slice(other),
            (Self::Lists(numbers, firsts), Self::Lists(more, other)) => {
                numbers.extend_from_slice(more);
                firsts.extend_from_slice(other);
            }
            _ => unreachable!("the columns of one schema have the same kinds"),
        }
    }

    /// The memory that they take.
    fn bytes(&self) -> usize {
        match self {
            Self::Small(values) => size_of_val(&values[..]),
            Self::Long(values) => size_of_val(&values[..]),
            Self::Real(values) => size_of_val(&values[..]),
            Self::Bools(values) => values.len(),
            Self::Texts(texts) => texts.bytes.len() + size_of_val(&texts.ends[..]),
            Self::Bytes(bytes, _) => bytes.len(),
            Self::Lists(numbers, firsts) => size_of_val(&numbers[..]) + size_of_val(&firsts[..]),
        }
    }

    /// Appends a value as CSV.
    fn print(&self, n: usize, out: &mut Vec<u8>) {
        match self {
            Self::Small(values) => push_long(out, values[n].into()),
            Self::Long(values) => push_long(out, values[n]),
            Self::Bools(values) => push_str(out, if values[n] { "true" } else { "false" }),
            Self::Texts(texts) => push_cell(out, texts.get(n).unwrap_or_default()),
            Self::Real(_) | Self::Bytes(..) | Self::Lists(..) => {}
        }
    }
}

/// The cells of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    /// Those that are not empty.
    values: Values,
    /// By row, 1 where there is a value; empty where there always is one.
    there: Vec<i16>,
}

impl Cells {
    fn new(column: &Column) -> Self {
        Self { values: Values::new(column.kind), there: Vec::new() }
    }

    /// Says of a column that may be empty whether the next cell has a value.
    #[inline]
    pub fn set_there(&mut self, is_there: bool) {
        self.there.push(i16::from(is_there));
    }

    /// Adds a whole number; of 32 bits where the column has no more.
    #[inline]
    pub fn push_int(&mut self, number: i64) {
        if let Values::Long(values) = &mut self.values {
            values.push(number);
        } else {
            self.push_small(number);
        }
    }

    // Not in line: a summary, which is written while deals are played, has none of them.
    #[inline(never)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the type of the number is not wider than that of the column"
    )]
    fn push_small(&mut self, number: i64) {
        match &mut self.values {
            Values::Small(values) => values.push(number as i32),
            _ => unreachable!("a column of whole numbers"),
        }
    }

    /// Adds a number.
    pub fn push_real(&mut self, number: f64) {
        match &mut self.values {
            Values::Real(values) => values.push(number),
            _ => unreachable!("a column of numbers"),
        }
    }

    /// Adds a truth value.
    #[inline]
    pub fn push_bool(&mut self, value: bool) {
        match &mut self.values {
            Values::Bools(values) => values.push(value),
            _ => unreachable!("a column of truth values"),
        }
    }

    /// Adds a text that a function writes.
    #[inline]
    pub fn push_text(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        match &mut self.values {
            Values::Texts(texts) => {
                write(&mut texts.bytes);
                texts.ends.push(texts.bytes.len());
            }
            _ => unreachable!("a column of texts"),
        }
    }

    /// Adds the bytes of a row, as many as always, that a function writes.
    pub fn push_bytes(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        match &mut self.values {
            Values::Bytes(bytes, _) => write(bytes),
            _ => unreachable!("a column of bytes"),
        }
    }

    /// Adds the numbers of a row.
    fn push_list(&mut self, list: &[u16]) {
        match &mut self.values {
            Values::Lists(numbers, firsts) => {
                numbers.extend(list.iter().map(|number| i32::from(*number)));
                firsts.extend((0..list.len()).map(|n| i16::from(n > 0)));
            }
            _ => unreachable!("a column of lists"),
        }
    }

    fn truncate(&mut self, rows: usize, optional: bool) {
        if optional {
            self.there.truncate(rows);
            self.values.truncate(self.there.iter().filter(|there| **there == 1).count());
        } else {
            self.values.truncate(rows);
        }
    }
}

/// Some rows by columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// What the columns are.
    pub schema: Schema,
    /// The cells, column by column.
    columns: Vec<Cells>,
    /// How many rows there are.
    pub rows: usize,
}

impl Batch {
    /// Starts without a row.
    pub fn new(schema: Schema) -> Self {
        let columns = schema.columns.iter().map(Cells::new).collect();
        Self { schema, columns, rows: 0 }
    }

    /// Puts rows into columns.
    pub fn of<'r, R: Row<'r>>(schema: Schema, rows: impl IntoIterator<Item = R>) -> Self {
        let mut batch = Self::new(schema);
        rows.into_iter().for_each(|row| batch.push(&row));
        batch
    }

    /// Forgets all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// Adds a row.
    #[inline]
    pub fn push<'r, R: Row<'r>>(&mut self, row: &R) {
        self.rows += 1;
        row.push(&mut self.columns.iter_mut());
    }

    /// Adds rows that a function writes column by column: by the number of the column.
    pub fn push_columns(&mut self, rows: usize, mut write: impl FnMut(usize, &mut Cells)) {
        self.columns.iter_mut().enumerate().for_each(|(n, cells)| write(n, cells));
        self.rows += rows;
    }

    /// Appends rows of the same schema.
    pub fn append(&mut self, other: &Self) {
        for (cells, other) in self.columns.iter_mut().zip(&other.columns) {
            cells.there.extend_from_slice(&other.there);
            cells.values.append(&other.values);
        }
        self.rows += other.rows;
    }

    /// Keeps the first rows.
    pub fn truncate(&mut self, rows: usize) {
        for (cells, column) in self.columns.iter_mut().zip(&self.schema.columns) {
            cells.truncate(rows, column.optional);
        }
        self.rows = self.rows.min(rows);
    }

    /// Returns the memory that the cells take, in bytes.
    pub fn bytes(&self) -> usize {
        self.columns.iter().map(|cells| cells.values.bytes() + size_of_val(&cells.there[..])).sum()
    }

    /// Returns the rows, one by one.
    pub fn iter<'a, R: Row<'a>>(&'a self) -> impl Iterator<Item = Result<R, RowError>> {
        let mut walks: Vec<_> = self.columns.iter().map(Walk::new).collect();
        (0..self.rows).map(move |_| {
            R::read(&mut Cursor { columns: self.schema.columns.iter(), walks: walks.iter_mut() })
        })
    }

    /// Appends all rows as CSV.
    pub fn push_csv(&self, out: &mut Vec<u8>) {
        let mut walks: Vec<_> = self.columns.iter().map(Walk::new).collect();
        for _ in 0..self.rows {
            for walk in &mut walks {
                if walk.is_there() {
                    let n = walk.step();
                    walk.cells.values.print(n, out);
                }
                out.push(b',');
            }
            if let Some(last) = out.last_mut() {
                *last = b'\n';
            }
        }
    }

    /// Returns a column of whole numbers of 64 bits that is never empty.
    pub fn longs(&self, name: &str) -> Option<&[i64]> {
        let place = self.schema.columns.iter().position(|column| column.name == name)?;
        match &self.columns.get(place)?.values {
            Values::Long(values) => Some(values),
            _ => None,
        }
    }
}

/// Walks over the cells of a column.
#[derive(Debug)]
pub struct Walk<'a> {
    cells: &'a Cells,
    row: usize,
    /// The next value; of lists the next number.
    next: usize,
}

impl<'a> Walk<'a> {
    const fn new(cells: &'a Cells) -> Self {
        Self { cells, row: 0, next: 0 }
    }

    /// Tests if the cell of the next row of a column that may be empty has a value.
    #[inline]
    fn is_there(&mut self) -> bool {
        self.row += 1;
        self.cells.there.get(self.row - 1) != Some(&0)
    }

    #[inline]
    const fn step(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    #[inline]
    fn int(&mut self) -> Option<i64> {
        let n = self.step();
        match &self.cells.values {
            Values::Long(values) => values.get(n).copied(),
            Values::Small(values) => values.get(n).map(|value| i64::from(*value)),
            _ => None,
        }
    }

    #[inline]
    fn bool(&mut self) -> Option<bool> {
        let n = self.step();
        match &self.cells.values {
            Values::Bools(values) => values.get(n).copied(),
            _ => None,
        }
    }

    /// Returns the next text, or the bytes of a row.
    #[inline]
    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let n = self.step();
        match &self.cells.values {
            Values::Texts(texts) => texts.get(n),
            Values::Bytes(bytes, size) => bytes.get(n * size..(n + 1) * size),
            _ => None,
        }
    }

    fn list(&mut self) -> Option<Vec<u16>> {
        let Values::Lists(numbers, firsts) = &self.cells.values else { return None };
        let start = self.next;
        let more = firsts.get(start + 1..)?.iter().take_while(|first| **first != 0).count();
        self.next = start + 1 + more;
        numbers.get(start..self.next)?.iter().map(|number| u16::try_from(*number).ok()).collect()
    }

    /// The value that was read last, for errors.
    fn found(&self) -> String {
        let mut text = Vec::new();
        if let Some(n) = self.next.checked_sub(1).filter(|n| *n < self.cells.values.len()) {
            self.cells.values.print(n, &mut text);
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// The cells of a row of a batch, from left to right.
struct Cursor<'a, 'w> {
    columns: slice::Iter<'w, Column>,
    walks: slice::IterMut<'w, Walk<'a>>,
}

impl<'a> Source<'a> for Cursor<'a, '_> {
    fn next_name(&self) -> Option<&str> {
        self.columns.as_slice().first().map(|column| &*column.name)
    }

    #[inline]
    fn next<V: Value<'a>>(&mut self, name: &'static str) -> Result<V, RowError> {
        self.columns.next();
        let walk = self.walks.next().ok_or(RowError::NoCell(name))?;
        let wrong =
            |walk: &Walk<'_>| RowError::Cell { column: name, expected: V::EXPECTED, found: walk.found() };
        V::get(walk).ok_or_else(|| wrong(walk))
    }

    fn finish(&mut self) -> Result<(), RowError> {
        if self.walks.next().is_some() { Err(RowError::TooManyCells) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests;
