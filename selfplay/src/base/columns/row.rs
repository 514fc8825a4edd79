//! A row of a data set: a struct whose fields are its columns.

use core::slice;

use super::{Cells, Column, Value};

/// Why something is no row.
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

/// A struct whose fields are the columns of a data set; made by `row!`.
pub trait Row<'a>: Sized {
    /// Returns all columns.
    fn columns() -> Vec<Column>;

    /// Adds the cells to columns.
    fn push(&self, cells: &mut slice::IterMut<'_, Cells>);

    /// Appends the line as CSV.
    fn print(&self, out: &mut Vec<u8>);

    /// Reads the cells of a row, behind which others may follow.
    ///
    /// # Errors
    ///
    /// Names the column whose cell is not of its kind.
    fn cells(source: &mut impl Source<'a>) -> Result<Self, RowError>;

    /// Reads a row.
    ///
    /// # Errors
    ///
    /// Names the column whose cell is not of its kind.
    #[inline]
    fn read(source: &mut impl Source<'a>) -> Result<Self, RowError> {
        let row = Self::cells(source)?;
        source.finish()?;
        Ok(row)
    }
}

/// The columns of both, those of the second last.
impl<'a, A: Row<'a>, B: Row<'a>> Row<'a> for (A, B) {
    fn columns() -> Vec<Column> {
        [A::columns(), B::columns()].concat()
    }

    fn push(&self, cells: &mut slice::IterMut<'_, Cells>) {
        self.0.push(cells);
        self.1.push(cells);
    }

    fn print(&self, out: &mut Vec<u8>) {
        self.0.print(out);
        if let Some(last) = out.last_mut() {
            *last = b',';
        }
        self.1.print(out);
    }

    fn cells(source: &mut impl Source<'a>) -> Result<Self, RowError> {
        Ok((A::cells(source)?, B::cells(source)?))
    }
}

/// The cells of a row, from left to right.
pub trait Source<'a> {
    /// Returns the name of the next column.
    fn next_name(&self) -> Option<&str>;

    /// Returns the next cell.
    ///
    /// # Errors
    ///
    /// When there is none, or it is of another kind.
    fn next<V: Value<'a>>(&mut self, name: &'static str) -> Result<V, RowError>;

    /// Checks that there are no more cells.
    ///
    /// # Errors
    ///
    /// When there are.
    fn finish(&mut self) -> Result<(), RowError>;

    /// Returns the cell of a column that may be left out.
    ///
    /// # Errors
    ///
    /// When the column is there, and its cell is missing or of another kind.
    #[inline]
    fn cell<V: Value<'a>>(&mut self, name: &'static str) -> Result<V, RowError> {
        match V::LEFT_OUT {
            Some(left_out) if self.next_name() != Some(name) => Ok(left_out),
            _ => self.next(name),
        }
    }
}

/// The cells of a line of CSV.
pub struct Line<'a, 'c> {
    columns: slice::Iter<'c, Column>,
    cells: csv::ByteRecordIter<'a>,
}

impl<'a, 'c> Line<'a, 'c> {
    /// Starts at the first cell of a line of these columns.
    pub fn new(columns: &'c [Column], cells: &'a csv::ByteRecord) -> Self {
        Self { columns: columns.iter(), cells: cells.iter() }
    }
}

impl<'a> Source<'a> for Line<'a, '_> {
    fn next_name(&self) -> Option<&str> {
        self.columns.as_slice().first().map(|column| &*column.name)
    }

    #[inline]
    fn next<V: Value<'a>>(&mut self, name: &'static str) -> Result<V, RowError> {
        self.columns.next();
        let cell = self.cells.next().ok_or(RowError::NoCell(name))?;
        V::parse(cell).ok_or_else(|| RowError::Cell {
            column: name,
            expected: V::EXPECTED,
            found: String::from_utf8_lossy(cell).into_owned(),
        })
    }

    fn finish(&mut self) -> Result<(), RowError> {
        if self.cells.next().is_some() { Err(RowError::TooManyCells) } else { Ok(()) }
    }
}

/// Declares a row: a struct, and its fields as columns.
///
/// ```text
/// row! {
///     /// A deal.
///     pub struct Deal<'a> {
///         /// Its number.
///         pub number: u64 as "deal" => Delta,
///         /// Who declared, unless all passed.
///         pub declarer: Option<u8>,
///         /// The rules.
///         pub rules: &'a str,
///     }
/// }
/// ```
///
/// A column has the name of its field, or the one after `as`, the kind of its type ([`Value`]), and the
/// [`Packing`](super::Packing) after `=>`.
#[doc(hidden)]
#[macro_export]
macro_rules! __row {
    ($(#[$meta:meta])* $vis:vis struct $name:ident<$life:lifetime> { $($fields:tt)* }) => {
        $crate::__row! { @ [$(#[$meta])* $vis struct $name] [$life] [<$life>] $name $($fields)* }
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($fields:tt)* }) => {
        $crate::__row! { @ [$(#[$meta])* $vis struct $name] ['row] [] $name $($fields)* }
    };
    (@ [$($head:tt)*] [$life:lifetime] [$($generic:tt)*] $name:ident
        $($(#[$meta:meta])* $vis:vis $field:ident: $type:ty $(as $column:literal)? $(=> $packing:ident)?),* $(,)?
    ) => {
        $($head)* $($generic)* {
            $($(#[$meta])* $vis $field: $type,)*
        }

        impl<$life> $crate::base::columns::Row<$life> for $name $($generic)* {
            fn columns() -> Vec<$crate::base::columns::Column> {
                vec![$(
                    <$type as $crate::base::columns::Value<'_>>::column($crate::__row!(@name $field $($column)?))
                        $(.packed($crate::base::columns::Packing::$packing))?
                ),*]
            }

            #[allow(clippy::inline_always, reason = "so that a row that is written at once need not be made")]
            #[inline(always)]
            fn push(&self, cells: &mut core::slice::IterMut<'_, $crate::base::columns::Cells>) {
                $(
                    if $crate::base::columns::Value::is_column(&self.$field) {
                        let next = cells.next().expect("no more cells than columns");
                        $crate::base::columns::Value::push(&self.$field, next);
                    }
                )*
            }

            #[allow(clippy::inline_always, reason = "as `push`")]
            #[inline(always)]
            fn print(&self, out: &mut Vec<u8>) {
                $(
                    $crate::base::columns::Value::print(&self.$field, out);
                )*
                if let Some(last) = out.last_mut() {
                    *last = b'\n';
                }
            }

            #[inline]
            fn cells(
                source: &mut impl $crate::base::columns::Source<$life>,
            ) -> Result<Self, $crate::base::columns::RowError> {
                Ok(Self { $($field: source.cell($crate::__row!(@name $field $($column)?))?,)* })
            }
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $column:literal) => { $column };
}
pub use __row as row;
