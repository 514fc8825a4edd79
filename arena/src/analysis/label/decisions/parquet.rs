//! Decisions as Parquet.

use std::sync::Arc;

use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{
    BoolType, ByteArray, FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type};

use super::columns::{Column, Kind};

fn schema(column: &Column) -> Result<Type, ParquetError> {
    let (physical, logical) = match column.kind {
        Kind::Uint8 => (Physical::INT32, Some(LogicalType::integer(8, false))),
        Kind::Uint16 => (Physical::INT32, Some(LogicalType::integer(16, false))),
        Kind::Uint64 => (Physical::INT64, Some(LogicalType::integer(64, false))),
        Kind::Int32 => (Physical::INT32, Some(LogicalType::integer(32, true))),
        Kind::Flag => (Physical::BOOLEAN, None),
        Kind::Bits(_) | Kind::Values => (Physical::FIXED_LEN_BYTE_ARRAY, None),
    };
    let length = if physical == Physical::FIXED_LEN_BYTE_ARRAY { column.kind.size() } else { 0 };
    Type::primitive_type_builder(column.name, physical)
        .with_logical_type(logical)
        .with_length(i32::try_from(length).unwrap_or(i32::MAX))
        .with_repetition(Repetition::REQUIRED)
        .build()
}

/// Writes the rows as the next column.
fn write(column: &Column, group: &mut SerializedRowGroupWriter<'_, Vec<u8>>) -> Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else {
        return Err(ParquetError::General(format!("no place for the column {}", column.name)));
    };
    let rows = column.bytes.chunks_exact(column.kind.size());
    match column.kind {
        Kind::Uint8 | Kind::Uint16 | Kind::Int32 => {
            let values: Vec<i32> = rows.map(number::<4>).map(i32::from_le_bytes).collect();
            writer.typed::<Int32Type>().write_batch(&values, None, None)?;
        }
        Kind::Uint64 => {
            let values: Vec<i64> = rows.map(number::<8>).map(i64::from_le_bytes).collect();
            writer.typed::<Int64Type>().write_batch(&values, None, None)?;
        }
        Kind::Flag => {
            let values: Vec<bool> = rows.map(|byte| byte != [0]).collect();
            writer.typed::<BoolType>().write_batch(&values, None, None)?;
        }
        Kind::Bits(_) | Kind::Values => {
            let whole = bytes::Bytes::copy_from_slice(&column.bytes);
            let values: Vec<_> = rows
                .enumerate()
                .map(|(row, bytes)| whole.slice(row * bytes.len()..(row + 1) * bytes.len()))
                .map(|bytes| FixedLenByteArray::from(ByteArray::from(bytes)))
                .collect();
            writer.typed::<FixedLenByteArrayType>().write_batch(&values, None, None)?;
        }
    }
    writer.close()
}

/// The bytes of a number without a sign, or of that many bytes, as those of a longer one.
fn number<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut number = [0; N];
    number[..bytes.len()].copy_from_slice(bytes);
    number
}

/// Returns the columns as a Parquet file of one row group.
///
/// # Errors
///
/// Never in practice; the file is made in memory.
pub(super) fn parquet(columns: &[Column]) -> Result<Vec<u8>, ParquetError> {
    let fields = columns.iter().map(|column| schema(column).map(Arc::new)).collect::<Result<_, _>>()?;
    let schema = Type::group_type_builder("decisions").with_fields(fields).build()?;
    let mut properties =
        WriterProperties::builder().set_created_by(format!("coinche {}", coinche_selfplay::base::VERSION));
    // Of an observation most bits are 0, or those of the row before of the seat: a seventh is left.
    properties = properties.set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?));
    // Nearly every row is another: a dictionary would only add to them.
    for name in ["deal", "obs", "mask", "values"] {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(name), false);
    }
    properties = properties.set_column_encoding(ColumnPath::from("deal"), Encoding::DELTA_BINARY_PACKED);
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties.build()))?;
    let mut group = writer.next_row_group()?;
    for column in columns {
        write(column, &mut group)?;
    }
    group.close()?;
    writer.into_inner()
}
