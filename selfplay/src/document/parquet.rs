//! A table of a report as Parquet: typed columns for data frames.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

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

fn schema_of(kind: Kind, name: &str) -> Result<Type, ParquetError> {
    let (physical, logical) = match kind {
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Count => (Physical::INT64, None),
        Kind::Flag => (Physical::BOOLEAN, None),
        Kind::Number | Kind::Estimate => (Physical::DOUBLE, None),
    };
    Type::primitive_type_builder(name, physical)
        .with_logical_type(logical)
        .with_repetition(Repetition::OPTIONAL)
        .build()
}

/// Writes a column; a cell that is not of its kind is null.
fn write_column(
    kind: Kind,
    cells: &[&Cell],
    mut column: SerializedColumnWriter<'_>,
) -> Result<(), ParquetError> {
    macro_rules! write {
        ($type:ty, $value:expr) => {{
            let all: Vec<Option<_>> = cells.iter().map($value).collect();
            let there: Vec<i16> = all.iter().map(|value| i16::from(value.is_some())).collect();
            let values: Vec<_> = all.into_iter().flatten().collect();
            column.typed::<$type>().write_batch(&values, Some(&there), None)?;
        }};
    }
    match kind {
        Kind::Text => write!(ByteArrayType, |cell: &&Cell| {
            (!cell.is_empty()).then(|| ByteArray::from(cell.value().into_bytes()))
        }),
        Kind::Count => write!(Int64Type, |cell: &&Cell| match cell {
            Cell::Count(count) => Some(i64::try_from(*count).unwrap_or(i64::MAX)),
            _ => None,
        }),
        Kind::Flag => write!(BoolType, |cell: &&Cell| match cell {
            Cell::Flag(value) => Some(*value),
            _ => None,
        }),
        Kind::Number | Kind::Estimate => write!(DoubleType, |cell: &&Cell| cell.number()),
    }
    column.close()
}

/// A file of some columns, written a group of rows at a time.
pub(super) struct ParquetRows<W: Write + Send> {
    kinds: Vec<Kind>,
    writer: SerializedFileWriter<W>,
}

impl<W: Write + Send> ParquetRows<W> {
    /// Starts the file; of columns without a kind the first rows tell what is in them.
    pub(super) fn new(out: W, columns: &[Column], rows: &[Vec<Cell>]) -> Result<Self, ParquetError> {
        let kind = |(at, column): (usize, &Column)| {
            column.kind.unwrap_or_else(|| kind_of(rows.iter().filter_map(|row| row.get(at))))
        };
        let kinds: Vec<_> = columns.iter().enumerate().map(kind).collect();
        let fields =
            kinds.iter().zip(columns).map(|(kind, column)| schema_of(*kind, &column.name).map(Arc::new));
        let schema =
            Type::group_type_builder("table").with_fields(fields.collect::<Result<_, _>>()?).build()?;
        let properties =
            WriterProperties::builder().set_created_by(format!("coinche {}", crate::base::VERSION));
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build()))?;
        Ok(Self { kinds, writer })
    }

    /// Writes some rows.
    pub(super) fn push(&mut self, rows: &[Vec<Cell>]) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for (at, kind) in self.kinds.iter().enumerate() {
            let Some(place) = group.next_column()? else { break };
            let cells: Vec<&Cell> = rows.iter().map(|row| row.get(at).unwrap_or(&Cell::Empty)).collect();
            write_column(*kind, &cells, place)?;
        }
        group.close()?;
        Ok(())
    }

    /// Ends the file.
    pub(super) fn finish(self) -> Result<W, ParquetError> {
        self.writer.into_inner()
    }
}

/// Returns a table as a Parquet file: texts, whole numbers of 64 bits, doubles or truth values; an empty cell is null.
/// The same table gives the same bytes.
///
/// # Errors
///
/// Never in practice; the file is made in memory.
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
        let columns = [Column::text("a"), Column::count("b"), Column::estimate("c"), Column::flag("d")];
        let bytes = to_parquet(&Table::new("t", "", &columns).for_files()).unwrap();
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
