//! A table of a report as Parquet: typed columns for data frames.

use std::io::Write;

use parquet::errors::ParquetError;

use crate::base::columns::parquet::Writer;
use crate::base::columns::{self, Batch, Cells, Form, Packing, Pages, Schema, Value as _};
use crate::document::column::{Column, Kind};
use crate::document::model::{Cell, Table};

/// Of a column without a kind, the narrowest one that has place for every cell; of cells that are all empty a number.
fn kind_of<'a>(cells: impl Iterator<Item = &'a Cell>) -> Kind {
    let mut kind = None;
    for cell in cells {
        kind = match (cell, kind) {
            (Cell::Empty | Cell::Blank, kind) => kind,
            (Cell::Flag(_), None | Some(Kind::Flag)) => Some(Kind::Flag),
            (Cell::Count(_), None | Some(Kind::Count)) => Some(Kind::Count),
            (Cell::Text(_) | Cell::Figures(_) | Cell::Flag(_), _) | (_, Some(Kind::Text | Kind::Flag)) => {
                Some(Kind::Text)
            }
            _ => Some(Kind::Number),
        };
    }
    kind.unwrap_or(Kind::Number)
}

/// What the files of a table have in common.
const FORM: Form =
    Form { name: "table", what: "a table", pages: Pages::Plain, sought: None, zero_lengths: false };

/// Adds cells to a column; one that is not of its kind is null.
fn push_cells<'a>(kind: Kind, column: &mut Cells, cells: impl Iterator<Item = &'a Cell>) {
    for cell in cells {
        match kind {
            Kind::Text => {
                column.set_there(!cell.is_empty());
                if !cell.is_empty() {
                    column.push_text(|out| out.extend_from_slice(cell.value().as_bytes()));
                }
            }
            Kind::Count => {
                let count = if let Cell::Count(count) = cell { Some(count) } else { None };
                count.map(|count| i64::try_from(*count).unwrap_or(i64::MAX)).push(column);
            }
            Kind::Flag => if let Cell::Flag(flag) = cell { Some(*flag) } else { None }.push(column),
            Kind::Number | Kind::Estimate => {
                column.set_there(cell.number().is_some());
                cell.number().into_iter().for_each(|number| column.push_real(number));
            }
        }
    }
}

/// A file of some columns, written a group of rows at a time.
pub(super) struct ParquetRows<W: Write + Send> {
    kinds: Vec<Kind>,
    schema: Schema,
    writer: Writer<W>,
}

impl<W: Write + Send> ParquetRows<W> {
    /// Starts the file; of columns without a kind the first rows tell what is in them.
    pub(super) fn new(out: W, columns: &[Column], rows: &[Vec<Cell>]) -> Result<Self, ParquetError> {
        let kind = |(at, column): (usize, &Column)| {
            column.kind.unwrap_or_else(|| kind_of(rows.iter().filter_map(|row| row.get(at))))
        };
        let kinds: Vec<_> = columns.iter().enumerate().map(kind).collect();
        let column = |(kind, column): (&Kind, &Column)| columns::Column {
            name: column.name.clone(),
            kind: match kind {
                Kind::Text => columns::Kind::Text,
                Kind::Count => columns::Kind::I64,
                Kind::Flag => columns::Kind::Bool,
                Kind::Number | Kind::Estimate => columns::Kind::F64,
            },
            optional: true,
            packing: Packing::Dictionary,
        };
        let columns = kinds.iter().zip(columns).map(column).collect();
        let schema = Schema { form: FORM, columns, note: None };
        Ok(Self { kinds, writer: Writer::new(out, &schema)?, schema })
    }

    /// Writes some rows.
    pub(super) fn push(&mut self, rows: &[Vec<Cell>]) -> Result<(), ParquetError> {
        let mut batch = Batch::new(self.schema.clone());
        batch.push_columns(rows.len(), |at, column| {
            push_cells(self.kinds[at], column, rows.iter().map(|row| row.get(at).unwrap_or(&Cell::Empty)));
        });
        self.writer.write(&batch)
    }

    /// Ends the file.
    pub(super) fn finish(self) -> Result<W, ParquetError> {
        self.writer.finish()
    }
}

/// Returns a table as a Parquet file: texts, whole numbers of 64 bits, doubles or truth values; an empty cell is null.
/// The same table gives the same bytes.
pub(super) fn to_parquet(table: &Table) -> Result<Vec<u8>, ParquetError> {
    let mut file = ParquetRows::new(Vec::new(), &table.columns, &table.rows)?;
    file.push(&table.rows)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::*;

    #[test]
    fn columns_keep_type_and_value() {
        let mut table = Table::new("t", "", &["name", "n", "mean", "mixed", "none", "clear"]);
        table.rows = vec![
            vec![
                Cell::text("é"),
                Cell::Count(1 << 60),
                Cell::Signed(-2.5),
                Cell::Count(3),
                Cell::Empty,
                Cell::Flag(true),
            ],
            vec![Cell::Empty, Cell::Empty, Cell::Empty, Cell::Share(0.25), Cell::Empty, Cell::Empty],
        ];
        let bytes = to_parquet(&table).unwrap();
        assert_eq!(bytes, to_parquet(&table).unwrap());
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let rows: Vec<Vec<_>> = reader
            .get_row_iter(None)
            .unwrap()
            .map(|row| {
                row.unwrap().get_column_iter().map(|(name, field)| (name.clone(), field.clone())).collect()
            })
            .collect();
        let names: Vec<_> = rows[0].iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["name", "n", "mean", "mixed", "none", "clear"]);
        let fields: Vec<Vec<_>> =
            rows.into_iter().map(|row| row.into_iter().map(|(_, field)| field).collect()).collect();
        let expected = [
            vec![
                Field::Str("é".to_owned()),
                Field::Long(1 << 60),
                Field::Double(-2.5),
                Field::Double(3.0),
                Field::Null,
                Field::Bool(true),
            ],
            vec![Field::Null, Field::Null, Field::Null, Field::Double(0.25), Field::Null, Field::Null],
        ];
        assert_eq!(fields, expected);
    }

    #[test]
    fn a_table_without_rows_has_the_types_of_its_columns() {
        let table = Table::of("t", "", [] as [(); 0])
            .text("a", |()| "")
            .count("b", |()| 0_u64)
            .estimate("c", |()| (0.0, None))
            .flag("d", |()| false)
            .build();
        let bytes = to_parquet(&table.for_files()).unwrap();
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        let metadata = reader.metadata().file_metadata();
        assert_eq!(metadata.num_rows(), 0);
        let fields = metadata.schema_descr().columns().iter();
        let types: Vec<_> =
            fields.map(|field| format!("{} {}", field.name(), field.physical_type())).collect();
        let expected = ["a BYTE_ARRAY", "b INT64", "c DOUBLE", "low DOUBLE", "high DOUBLE", "d BOOLEAN"];
        assert_eq!(types, expected);
    }
}
