//! Labels as Parquet.

use std::sync::Arc;

use parquet::basic::{Encoding, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type};

use super::columns::{Row, STRAINS, rules_name, undertrump};
use super::{SCHEMA, Settings};

/// A column: its name and what is in it.
enum Column<'a> {
    Text(&'static str, &'a str),
    /// Unsigned, of so many bits, up to 32.
    Number(&'static str, i8, Vec<u32>),
    /// Unsigned, 64 bits.
    Long(&'static str, Vec<u64>),
    /// Unsigned, 8 bits, null where there is none.
    Optional(&'static str, Vec<Option<u8>>),
}

fn columns<'a>(settings: &'a Settings, rows: &[Row]) -> Vec<Column<'a>> {
    let numbers = |name, bits, value: &dyn Fn(&Row) -> u32| {
        Column::Number(name, bits, rows.iter().map(value).collect())
    };
    let mut columns = vec![
        numbers("version", 8, &|_| SCHEMA.into()),
        Column::Text("rules", rules_name(settings)),
        Column::Text("undertrump", undertrump(settings)),
        Column::Long("deal", rows.iter().map(|row| row.deal).collect()),
        numbers("leader", 8, &|row| row.leader as u32),
    ];
    for (seat, name) in ["hand0", "hand1", "hand2", "hand3"].into_iter().enumerate() {
        columns.push(numbers(name, 32, &|row| row.hands.0[seat].bits()));
    }
    for (strain, name) in STRAINS.into_iter().enumerate() {
        columns.push(Column::Optional(name, rows.iter().map(|row| row.points[strain]).collect()));
    }
    for (team, name) in ["slams02", "slams13"].into_iter().enumerate() {
        columns.push(numbers(name, 8, &|row| row.slams[team].into()));
    }
    columns
}

impl Column<'_> {
    const fn name(&self) -> &'static str {
        match self {
            Self::Text(name, _) | Self::Number(name, ..) | Self::Long(name, _) | Self::Optional(name, _) => {
                name
            }
        }
    }

    fn schema(&self) -> Result<Type, ParquetError> {
        let unsigned = |bit_width| Some(LogicalType::integer(bit_width, false));
        let (physical, logical, repetition) = match self {
            Self::Text(..) => (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
            Self::Number(_, bits, _) => (Physical::INT32, unsigned(*bits), Repetition::REQUIRED),
            Self::Long(..) => (Physical::INT64, unsigned(64), Repetition::REQUIRED),
            Self::Optional(..) => (Physical::INT32, unsigned(8), Repetition::OPTIONAL),
        };
        Type::primitive_type_builder(self.name(), physical)
            .with_logical_type(logical)
            .with_repetition(repetition)
            .build()
    }

    /// Writes the values as the next column.
    fn write(
        &self,
        group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
        rows: usize,
    ) -> Result<(), ParquetError> {
        let Some(mut column) = group.next_column()? else {
            return Err(ParquetError::General(format!("no place for the column {}", self.name())));
        };
        match self {
            Self::Text(_, text) => {
                let values = vec![ByteArray::from(*text); rows];
                column.typed::<ByteArrayType>().write_batch(&values, None, None)?;
            }
            Self::Number(_, _, values) => {
                let values: Vec<i32> = values.iter().map(|value| value.cast_signed()).collect();
                column.typed::<Int32Type>().write_batch(&values, None, None)?;
            }
            Self::Long(_, values) => {
                let values: Vec<i64> = values.iter().map(|value| value.cast_signed()).collect();
                column.typed::<Int64Type>().write_batch(&values, None, None)?;
            }
            Self::Optional(_, values) => {
                let there: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
                let values: Vec<i32> = values.iter().flatten().map(|value| i32::from(*value)).collect();
                column.typed::<Int32Type>().write_batch(&values, Some(&there), None)?;
            }
        }
        column.close()
    }
}

/// Returns rows as a Parquet file of one row group.
///
/// # Errors
///
/// Never in practice; the file is made in memory.
pub(super) fn parquet(settings: &Settings, rows: &[Row]) -> Result<Vec<u8>, ParquetError> {
    let columns = columns(settings, rows);
    let fields = columns.iter().map(|column| column.schema().map(Arc::new)).collect::<Result<_, _>>()?;
    let schema = Type::group_type_builder("labels").with_fields(fields).build()?;
    let mut properties =
        WriterProperties::builder().set_created_by(format!("coinche {}", coinche_selfplay::base::VERSION));
    // Every deal and nearly every hand is another: a dictionary would only add to them.
    for name in ["deal", "hand0", "hand1", "hand2", "hand3"] {
        let path = ColumnPath::from(name);
        properties = properties.set_column_dictionary_enabled(path.clone(), false);
        if name == "deal" {
            properties = properties.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
    }
    let properties = Arc::new(properties.build());
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), properties)?;
    let mut group = writer.next_row_group()?;
    for column in &columns {
        column.write(&mut group, rows.len())?;
    }
    group.close()?;
    writer.into_inner()
}
