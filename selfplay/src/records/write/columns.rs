//! The summary table by columns: its schema, and the way to and from comma-separated values.

use crate::play::schedule::Unit;

/// What is in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Whole numbers.
    Int,
    /// `true` or `false`.
    Bool,
    /// Text.
    Text,
}

/// Why some text is no row of a table.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// It ends before this column.
    #[error("there is no cell for {0}")]
    NoCell(&'static str),
    /// It has more cells than there are columns.
    #[error("there are too many cells")]
    TooManyCells,
    /// A cell is not of the kind of its column.
    #[error("{column}: expected {expected}, found `{found}`")]
    Cell {
        /// The name of the column.
        column: &'static str,
        /// What belongs there, in words.
        expected: &'static str,
        /// What is there; what is not UTF-8 is replaced.
        found: String,
    },
    /// It cannot be taken apart into cells.
    #[error(transparent)]
    Csv(#[from] csv::Error),
}

/// A column of the summary table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// Whether a cell may be empty.
    pub(super) optional: bool,
}

const fn always(name: &'static str, kind: Kind) -> Head {
    Head { name, kind, optional: false }
}

const fn maybe(name: &'static str, kind: Kind) -> Head {
    Head { name, kind, optional: true }
}

/// The columns of every summary: names and order are those of the interchange formats.
const COLUMNS: [Head; 24] = [
    always("deal", Kind::Int),
    always("leg", Kind::Int),
    always("rules", Kind::Text),
    always("dealer", Kind::Int),
    always("bot0", Kind::Text),
    always("bot1", Kind::Text),
    always("bot2", Kind::Text),
    always("bot3", Kind::Text),
    maybe("declarer", Kind::Int),
    maybe("contract_value", Kind::Int),
    maybe("strain", Kind::Text),
    maybe("stake", Kind::Text),
    maybe("made", Kind::Bool),
    maybe("tricks0", Kind::Int),
    maybe("tricks1", Kind::Int),
    maybe("card_points0", Kind::Int),
    maybe("card_points1", Kind::Int),
    maybe("belote_team", Kind::Int),
    maybe("melds0", Kind::Int),
    maybe("melds1", Kind::Int),
    always("score0", Kind::Int),
    always("score1", Kind::Int),
    always("calls", Kind::Text),
    always("faults", Kind::Int),
];

/// Behind them in matches.
const IN_MATCHES: [Head; 2] = [always("match", Kind::Int), always("deal_in_match", Kind::Int)];

/// Behind all others where several encounters are played.
const PAIRING: Head = always("pairing", Kind::Int);

/// Returns the place of a column that every summary has; for constants.
///
/// # Panics
///
/// When no column has the name.
pub const fn place(name: &str) -> usize {
    let mut at = 0;
    while at < COLUMNS.len() {
        if same(COLUMNS[at].name.as_bytes(), name.as_bytes()) {
            return at;
        }
        at += 1;
    }
    panic!("no column has this name")
}

/// Tests if texts are equal; `==` is not there in constants.
const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// The columns of a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema(pub Vec<Head>);

impl Schema {
    /// Returns the columns of a run.
    pub fn new(unit: Unit, several: bool) -> Self {
        let mut heads = COLUMNS.to_vec();
        if unit == Unit::Match {
            heads.extend(IN_MATCHES);
        }
        if several {
            heads.push(PAIRING);
        }
        Self(heads)
    }

    /// Finds the schema that has just these names.
    pub fn of_names<'a>(names: &(impl Iterator<Item = &'a str> + Clone)) -> Option<Self> {
        let all = [Unit::Deal, Unit::Match]
            .into_iter()
            .flat_map(|unit| [false, true].map(|several| Self::new(unit, several)));
        all.into_iter().find(|schema| schema.0.iter().map(|head| head.name).eq(names.clone()))
    }

    /// Returns the first line of the table.
    pub fn header(&self) -> String {
        let names: Vec<_> = self.0.iter().map(|head| head.name).collect();
        names.join(",") + "\n"
    }

    /// Returns the place of a column.
    fn place(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|head| head.name == name)
    }
}

/// The cells of a column that are not empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cells {
    Ints(Vec<i64>),
    Bools(Vec<bool>),
    Texts(Texts),
}

/// Texts one behind the other.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Texts {
    pub(super) bytes: Vec<u8>,
    /// Where each text ends in the bytes.
    pub(super) ends: Vec<usize>,
}

impl Texts {
    #[inline]
    pub(super) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.close();
    }

    /// Ends the text whose bytes were appended.
    #[inline]
    fn close(&mut self) {
        self.ends.push(self.bytes.len());
    }
}

/// A column with its cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) cells: Cells,
    /// By row, 1 where there is a cell; empty where there always is one.
    pub(super) there: Vec<i16>,
}

impl Column {
    fn new(kind: Kind) -> Self {
        let cells = match kind {
            Kind::Int => Cells::Ints(Vec::new()),
            Kind::Bool => Cells::Bools(Vec::new()),
            Kind::Text => Cells::Texts(Texts::default()),
        };
        Self { cells, there: Vec::new() }
    }

    fn clear(&mut self) {
        self.there.clear();
        match &mut self.cells {
            Cells::Ints(ints) => ints.clear(),
            Cells::Bools(bools) => bools.clear(),
            Cells::Texts(texts) => {
                texts.bytes.clear();
                texts.ends.clear();
            }
        }
    }

    fn append(&mut self, other: &Self) {
        self.there.extend_from_slice(&other.there);
        match (&mut self.cells, &other.cells) {
            (Cells::Ints(ints), Cells::Ints(other)) => ints.extend_from_slice(other),
            (Cells::Bools(bools), Cells::Bools(other)) => bools.extend_from_slice(other),
            (Cells::Texts(texts), Cells::Texts(other)) => {
                let before = texts.bytes.len();
                texts.bytes.extend_from_slice(&other.bytes);
                texts.ends.extend(other.ends.iter().map(|end| before + end));
            }
            _ => unreachable!("the columns of one schema have the same kinds"),
        }
    }

    /// The memory that its cells take.
    fn bytes(&self) -> usize {
        let cells = match &self.cells {
            Cells::Ints(ints) => size_of_val(&ints[..]),
            Cells::Bools(bools) => bools.len(),
            Cells::Texts(texts) => texts.bytes.len() + size_of_val(&texts.ends[..]),
        };
        cells + size_of_val(&self.there[..])
    }

    /// Keeps the first rows.
    fn truncate(&mut self, rows: usize, optional: bool) {
        let cells = if optional {
            self.there.truncate(rows);
            self.there.iter().filter(|there| **there == 1).count()
        } else {
            rows
        };
        match &mut self.cells {
            Cells::Ints(ints) => ints.truncate(cells),
            Cells::Bools(bools) => bools.truncate(cells),
            Cells::Texts(texts) => {
                texts.ends.truncate(cells);
                texts.bytes.truncate(texts.ends.last().copied().unwrap_or(0));
            }
        }
    }
}

/// Rows of a summary by columns.
#[expect(clippy::struct_field_names, reason = "it is the columns that columns have")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns {
    /// What the columns are.
    pub schema: Schema,
    /// The cells, column by column.
    pub(super) columns: Vec<Column>,
    /// How many rows there are.
    pub rows: usize,
}

impl Columns {
    /// Starts without a row.
    pub fn new(schema: Schema) -> Self {
        let columns = schema.0.iter().map(|head| Column::new(head.kind)).collect();
        Self { schema, columns, rows: 0 }
    }

    /// Forgets all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.columns.iter_mut().for_each(Column::clear);
        self.rows = 0;
    }

    /// Appends rows of the same schema.
    pub(super) fn append(&mut self, other: &Self) {
        for (column, other) in self.columns.iter_mut().zip(&other.columns) {
            column.append(other);
        }
        self.rows += other.rows;
    }

    /// Returns the memory that the cells take, in bytes.
    pub fn bytes(&self) -> usize {
        self.columns.iter().map(Column::bytes).sum()
    }

    /// Keeps the first rows.
    pub(super) fn truncate(&mut self, rows: usize) {
        for (column, head) in self.columns.iter_mut().zip(&self.schema.0) {
            column.truncate(rows, head.optional);
        }
        self.rows = self.rows.min(rows);
    }

    /// Starts a row: its cells are pushed from left to right.
    #[inline]
    pub(super) fn row(&mut self) -> RowWriter<'_> {
        self.rows += 1;
        RowWriter { columns: self.columns.iter_mut() }
    }

    /// Adds a row of text cells as a file of comma-separated values has them.
    ///
    /// # Errors
    ///
    /// Names the column whose cell is not of its kind; nothing is added then.
    pub fn push_texts<'a>(&mut self, cells: impl Iterator<Item = &'a [u8]>) -> Result<(), RowError> {
        let before = self.rows;
        match self.try_push(cells) {
            Ok(()) => {
                self.rows += 1;
                Ok(())
            }
            Err(error) => {
                self.rows += 1;
                self.truncate(before);
                Err(error)
            }
        }
    }

    fn try_push<'a>(&mut self, mut cells: impl Iterator<Item = &'a [u8]>) -> Result<(), RowError> {
        for (column, head) in self.columns.iter_mut().zip(&self.schema.0) {
            let cell = cells.next().ok_or(RowError::NoCell(head.name))?;
            let is_there = !(head.optional && cell.is_empty());
            if is_there {
                let text = || String::from_utf8_lossy(cell);
                let wrong =
                    |expected| RowError::Cell { column: head.name, expected, found: text().into_owned() };
                match &mut column.cells {
                    Cells::Texts(texts) => texts.push(cell),
                    Cells::Bools(bools) => bools.push(match cell {
                        b"true" => true,
                        b"false" => false,
                        _ => return Err(wrong("true or false")),
                    }),
                    Cells::Ints(ints) => {
                        let number = text().parse();
                        ints.push(number.map_err(|_| wrong("a whole number"))?);
                    }
                }
            }
            if head.optional {
                column.there.push(i16::from(is_there));
            }
        }
        if cells.next().is_some() { Err(RowError::TooManyCells) } else { Ok(()) }
    }

    /// Appends all rows as comma-separated values.
    pub fn push_csv(&self, out: &mut Vec<u8>) {
        let mut cells: Vec<_> = self.columns.iter().map(Reader::new).collect();
        for row in 0..self.rows {
            for (n, reader) in cells.iter_mut().enumerate() {
                if n > 0 {
                    out.push(b',');
                }
                reader.push_next(row, out);
            }
            out.push(b'\n');
        }
    }

    /// Returns a column of whole numbers that is never empty.
    pub fn ints(&self, name: &str) -> Option<&[i64]> {
        match &self.columns.get(self.schema.place(name)?)?.cells {
            Cells::Ints(ints) => Some(ints),
            _ => None,
        }
    }
}

/// Walks over the cells of a column.
struct Reader<'a> {
    column: &'a Column,
    next: usize,
}

impl<'a> Reader<'a> {
    const fn new(column: &'a Column) -> Self {
        Self { column, next: 0 }
    }

    fn push_next(&mut self, row: usize, out: &mut Vec<u8>) {
        if self.column.there.get(row) == Some(&0) {
            return;
        }
        let n = self.next;
        self.next += 1;
        match &self.column.cells {
            Cells::Ints(ints) => super::push_long(out, ints[n]),
            Cells::Bools(bools) => super::push_str(out, if bools[n] { "true" } else { "false" }),
            Cells::Texts(texts) => {
                let start = if n == 0 { 0 } else { texts.ends[n - 1] };
                super::push_cell(out, &texts.bytes[start..texts.ends[n]]);
            }
        }
    }
}

/// Pushes the cells of one row from left to right.
pub(super) struct RowWriter<'a> {
    columns: core::slice::IterMut<'a, Column>,
}

impl RowWriter<'_> {
    fn next(&mut self) -> &mut Column {
        self.columns.next().expect("no more cells than columns")
    }

    /// A cell that is never empty.
    #[inline]
    pub(super) fn int(&mut self, number: i64) {
        match &mut self.next().cells {
            Cells::Ints(ints) => ints.push(number),
            _ => unreachable!("a column of numbers"),
        }
    }

    /// A cell that is never empty.
    #[inline]
    pub(super) fn text(&mut self, text: &[u8]) {
        match &mut self.next().cells {
            Cells::Texts(texts) => texts.push(text),
            _ => unreachable!("a column of texts"),
        }
    }

    /// A cell that is never empty, written by `write`.
    #[inline]
    pub(super) fn text_by(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        match &mut self.next().cells {
            Cells::Texts(texts) => {
                write(&mut texts.bytes);
                texts.close();
            }
            _ => unreachable!("a column of texts"),
        }
    }

    /// A cell that may be empty.
    #[inline]
    pub(super) fn int_or_none(&mut self, number: Option<i64>) {
        let column = self.next();
        column.there.push(i16::from(number.is_some()));
        match &mut column.cells {
            Cells::Ints(ints) => ints.extend(number),
            _ => unreachable!("a column of numbers"),
        }
    }

    /// A cell that may be empty.
    #[inline]
    pub(super) fn bool_or_none(&mut self, value: Option<bool>) {
        let column = self.next();
        column.there.push(i16::from(value.is_some()));
        match &mut column.cells {
            Cells::Bools(bools) => bools.extend(value),
            _ => unreachable!("a column of truth values"),
        }
    }

    /// A cell that may be empty.
    #[inline]
    pub(super) fn text_or_none(&mut self, text: Option<&str>) {
        let column = self.next();
        column.there.push(i16::from(text.is_some()));
        match (&mut column.cells, text) {
            (Cells::Texts(texts), Some(text)) => texts.push(text.as_bytes()),
            (Cells::Texts(_), None) => {}
            _ => unreachable!("a column of texts"),
        }
    }
}
