//! A table of a report as Parquet: typed columns for data frames.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use crate::document::model::{Cell, Table};

/// What all cells of a column can be written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Count,
    Number,
}

impl Form {
    /// The narrowest form that has place for every cell; of cells that are all empty a number.
    fn of<'a>(cells: impl Iterator<Item = &'a Cell>) -> Self {
        let mut form = None;
        for cell in cells {
            form = match (cell, form) {
                (Cell::Empty | Cell::Blank, form) => form,
                (Cell::Text(_) | Cell::Figures(_), _) | (_, Some(Self::Text)) => Some(Self::Text),
                (Cell::Count(_), None | Some(Self::Count)) => Some(Self::Count),
                _ => Some(Self::Number),
            };
        }
        form.unwrap_or(Self::Number)
    }

    fn schema(self, name: &str) -> Result<Type, ParquetError> {
        let (physical, logical) = match self {
            Self::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Self::Count => (Physical::INT64, Some(LogicalType::integer(64, false))),
            Self::Number => (Physical::DOUBLE, None),
        };
        Type::primitive_type_builder(name, physical)
            .with_logical_type(logical)
            .with_repetition(Repetition::OPTIONAL)
            .build()
    }

    fn write(self, cells: &[&Cell], mut column: SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let there: Vec<i16> = cells.iter().map(|cell| i16::from(!cell.is_empty())).collect();
        let cells = cells.iter().filter(|cell| !cell.is_empty());
        match self {
            Self::Text => {
                let values: Vec<_> = cells.map(|cell| ByteArray::from(cell.value().into_bytes())).collect();
                column.typed::<ByteArrayType>().write_batch(&values, Some(&there), None)?;
            }
            Self::Count => {
                let count = |cell: &&Cell| if let Cell::Count(count) = cell { *count } else { 0 };
                let values: Vec<_> = cells.map(|cell| count(cell).cast_signed()).collect();
                column.typed::<Int64Type>().write_batch(&values, Some(&there), None)?;
            }
            Self::Number => {
                let values: Vec<_> = cells.filter_map(|cell| cell.number()).collect();
                column.typed::<DoubleType>().write_batch(&values, Some(&there), None)?;
            }
        }
        column.close()
    }
}

/// Returns a table as a Parquet file: a column for each head, of texts, unsigned integers of 64 bits or
/// doubles; an empty cell is null. The same table gives the same bytes.
///
/// # Errors
///
/// Never in practice; the file is made in memory.
pub(super) fn to_parquet(table: &Table) -> Result<Vec<u8>, ParquetError> {
    let column = |at: usize| table.rows.iter().map(move |row| &row[at]);
    let forms: Vec<_> = (0..table.heads.len()).map(|at| Form::of(column(at))).collect();
    let fields = forms.iter().zip(&table.heads).map(|(form, head)| form.schema(head).map(Arc::new));
    let schema = Type::group_type_builder("table").with_fields(fields.collect::<Result<_, _>>()?).build()?;
    let properties = WriterProperties::builder().set_created_by(format!("coinche {}", crate::base::VERSION));
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties.build()))?;
    let mut group = writer.next_row_group()?;
    for (at, form) in forms.iter().enumerate() {
        let Some(place) = group.next_column()? else { break };
        form.write(&column(at).collect::<Vec<_>>(), place)?;
    }
    group.close()?;
    writer.into_inner()
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::*;

    #[test]
    fn columns_keep_type_and_value() {
        let mut table = Table::new("t", "", &["name", "n", "mean", "mixed", "none"]);
        table.rows = vec![
            vec![Cell::text("é"), Cell::Count(u64::MAX), Cell::Signed(-2.5), Cell::Count(3), Cell::Empty],
            vec![Cell::Empty, Cell::Empty, Cell::Empty, Cell::Share(0.25), Cell::Empty],
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
        let heads: Vec<_> = rows[0].iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(heads, table.heads);
        let fields: Vec<Vec<_>> =
            rows.into_iter().map(|row| row.into_iter().map(|(_, field)| field).collect()).collect();
        let expected = [
            vec![
                Field::Str("é".to_owned()),
                Field::ULong(u64::MAX),
                Field::Double(-2.5),
                Field::Double(3.0),
                Field::Null,
            ],
            vec![Field::Null, Field::Null, Field::Null, Field::Double(0.25), Field::Null],
        ];
        assert_eq!(fields, expected);
    }

    #[test]
    fn a_table_without_rows_is_a_file() {
        let bytes = to_parquet(&Table::new("t", "", &["a"])).unwrap();
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
        assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
    }
}
