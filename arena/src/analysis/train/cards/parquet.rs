//! Rows as Parquet.

use std::sync::Arc;

use coinche_engine::RuleSet;
use coinche_selfplay::records::write::parquet::guarded;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::reader::{ColumnReaderImpl, get_typed_column_reader};
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, FixedLenByteArray, FixedLenByteArrayType, Int32Type,
    Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{ChunkReader, FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type};

use super::columns::{COLUMNS, Columns, Kind, RowError};
use super::rows::CardRows;

/// The key of the settings among the metadata of a file.
const SETTINGS: &str = "coinche";
/// The most rows of a part: those of some 100,000 deals. Their inputs have numbers of 32 bits.
const MOST_ROWS: i64 = 3_000_000;
/// How many rows are read at a time.
const BATCH: usize = 4096;

/// The schema of a file.
fn schema() -> Result<Type, ParquetError> {
    let primitive = |name: &str, physical, logical, length: usize| {
        Type::primitive_type_builder(name, physical)
            .with_logical_type(logical)
            .with_length(i32::try_from(length).unwrap_or(i32::MAX))
            .with_repetition(Repetition::REQUIRED)
            .build()
            .map(Arc::new)
    };
    let column = |(name, kind): (&str, Kind)| match kind {
        Kind::Long => primitive(name, Physical::INT64, Some(LogicalType::integer(64, false)), 0),
        Kind::Text => primitive(name, Physical::BYTE_ARRAY, Some(LogicalType::String), 0),
        Kind::Number => primitive(name, Physical::INT32, Some(LogicalType::integer(8, false)), 0),
        Kind::Flag => primitive(name, Physical::BOOLEAN, None, 0),
        Kind::Bytes(bytes) => primitive(name, Physical::FIXED_LEN_BYTE_ARRAY, None, bytes),
        Kind::Numbers => {
            let element = primitive("element", Physical::INT32, Some(LogicalType::integer(16, false)), 0)?;
            let list = Type::group_type_builder("list")
                .with_repetition(Repetition::REPEATED)
                .with_fields(vec![element])
                .build()?;
            Type::group_type_builder(name)
                .with_logical_type(Some(LogicalType::List))
                .with_repetition(Repetition::REQUIRED)
                .with_fields(vec![Arc::new(list)])
                .build()
                .map(Arc::new)
        }
    };
    let columns = COLUMNS.into_iter().map(column).collect::<Result<_, _>>()?;
    Type::group_type_builder("choices").with_fields(columns).build()
}

/// Returns rows as a file of one row group, which has the settings among its metadata.
///
/// # Errors
///
/// Never in practice; the file is made in memory.
pub(super) fn write(rows: &CardRows, settings: &str) -> Result<Vec<u8>, ParquetError> {
    let mut properties = WriterProperties::builder()
        .set_created_by(format!("coinche {}", coinche_selfplay::base::VERSION))
        .set_key_value_metadata(Some(vec![KeyValue::new(SETTINGS.to_owned(), settings.to_owned())]))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?));
    for (name, _) in COLUMNS.iter().filter(|(_, kind)| matches!(kind, Kind::Bytes(_) | Kind::Long)) {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(*name), false);
    }
    properties = properties.set_column_encoding(ColumnPath::from("deal"), Encoding::DELTA_BINARY_PACKED);
    let mut file = SerializedFileWriter::new(Vec::new(), Arc::new(schema()?), Arc::new(properties.build()))?;
    let mut group = file.next_row_group()?;
    let Columns {
        deal,
        rules,
        seat,
        trick,
        held_out,
        ones: (ones, firsts),
        numbers,
        cards,
        solved,
        played_out,
        played,
        same,
        stray,
    } = Columns::of(rows);
    next::<Int64Type>(&mut group, &deal, None)?;
    let names = RuleSet::PRESETS.map(|(name, _)| ByteArray::from(name));
    let of = |rules: &u8| names.get(usize::from(*rules)).cloned().unwrap_or_else(|| ByteArray::from(""));
    next::<ByteArrayType>(&mut group, &rules.iter().map(of).collect::<Vec<_>>(), None)?;
    next::<Int32Type>(&mut group, &seat, None)?;
    next::<Int32Type>(&mut group, &trick, None)?;
    next::<BoolType>(&mut group, &held_out, None)?;
    next::<Int32Type>(&mut group, &ones, Some(&firsts))?;
    next::<FixedLenByteArrayType>(&mut group, &arrays(&numbers), None)?;
    next::<FixedLenByteArrayType>(&mut group, &arrays(&cards), None)?;
    next::<FixedLenByteArrayType>(&mut group, &arrays(&solved), None)?;
    next::<FixedLenByteArrayType>(&mut group, &arrays(&played_out), None)?;
    next::<Int32Type>(&mut group, &played, None)?;
    next::<Int32Type>(&mut group, &same, None)?;
    next::<BoolType>(&mut group, &stray, None)?;
    group.close()?;
    file.into_inner()
}

/// Writes the next column; of numbers of which a row has several with which are the first of a row.
fn next<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &[T::T],
    firsts: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else {
        return Err(ParquetError::General("there are more columns than in the schema".to_owned()));
    };
    // No row is without numbers.
    let there = firsts.map(|firsts| vec![1; firsts.len()]);
    writer.typed::<T>().write_batch(values, there.as_deref(), firsts)?;
    writer.close()
}

fn arrays<const N: usize>(rows: &[[u8; N]]) -> Vec<FixedLenByteArray> {
    let whole = bytes::Bytes::copy_from_slice(rows.as_flattened());
    let row = |n| FixedLenByteArray::from(ByteArray::from(whole.slice(n * N..(n + 1) * N)));
    (0..rows.len()).map(row).collect()
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    #[error(transparent)]
    File(#[from] ParquetError),
    #[error("row {0}: {1}")]
    Row(usize, #[source] RowError),
}

/// Reads the rows of a file.
///
/// # Errors
///
/// When it is no Parquet file of such rows, or one of them has a value that it cannot have.
pub(super) fn read(file: impl ChunkReader + 'static) -> Result<CardRows, ReadError> {
    let reader = guarded(|| SerializedFileReader::new(file))?;
    let mut rows = CardRows::default();
    for number in 0..guarded(|| checked(&reader))? {
        let mut group = guarded(|| Group::open(&*reader.get_row_group(number)?))?;
        while let Some(columns) = guarded(|| group.next())? {
            let before = rows.choices.len();
            columns.add_to(&mut rows).map_err(|(row, error)| ReadError::Row(before + row + 1, error))?;
        }
    }
    Ok(rows)
}

/// Checks columns and size of a file, and returns how many row groups it has.
fn checked(reader: &impl FileReader) -> Result<usize, ParquetError> {
    let metadata = reader.metadata();
    if *metadata.file_metadata().schema() != schema()? {
        return Err(ParquetError::General("its columns are not those of rows of choices".to_owned()));
    }
    let groups = metadata.num_row_groups();
    let rows = (0..groups).try_fold(0i64, |sum, n| sum.checked_add(metadata.row_group(n).num_rows()));
    if rows.is_none_or(|rows| !(0..=MOST_ROWS).contains(&rows)) {
        return Err(ParquetError::General(format!("it has more than {MOST_ROWS} rows")));
    }
    Ok(groups)
}

/// A row group that is read some rows at a time.
struct Group {
    deal: ColumnReaderImpl<Int64Type>,
    rules: ColumnReaderImpl<ByteArrayType>,
    seat: ColumnReaderImpl<Int32Type>,
    trick: ColumnReaderImpl<Int32Type>,
    held_out: ColumnReaderImpl<BoolType>,
    ones: ColumnReaderImpl<Int32Type>,
    numbers: ColumnReaderImpl<FixedLenByteArrayType>,
    cards: ColumnReaderImpl<FixedLenByteArrayType>,
    solved: ColumnReaderImpl<FixedLenByteArrayType>,
    played_out: ColumnReaderImpl<FixedLenByteArrayType>,
    played: ColumnReaderImpl<Int32Type>,
    same: ColumnReaderImpl<Int32Type>,
    stray: ColumnReaderImpl<BoolType>,
    left: usize,
}

impl Group {
    /// Opens a row group of a file that has these columns.
    fn open(group: &dyn RowGroupReader) -> Result<Self, ParquetError> {
        fn column<T: DataType>(
            group: &dyn RowGroupReader,
            at: usize,
        ) -> Result<ColumnReaderImpl<T>, ParquetError> {
            Ok(get_typed_column_reader(group.get_column_reader(at)?))
        }
        Ok(Self {
            deal: column(group, 0)?,
            rules: column(group, 1)?,
            seat: column(group, 2)?,
            trick: column(group, 3)?,
            held_out: column(group, 4)?,
            ones: column(group, 5)?,
            numbers: column(group, 6)?,
            cards: column(group, 7)?,
            solved: column(group, 8)?,
            played_out: column(group, 9)?,
            played: column(group, 10)?,
            same: column(group, 11)?,
            stray: column(group, 12)?,
            left: usize::try_from(group.metadata().num_rows()).unwrap_or_default(),
        })
    }

    /// Reads the next rows; `None` after the last.
    fn next(&mut self) -> Result<Option<Columns>, ParquetError> {
        let rows = self.left.min(BATCH);
        self.left -= rows;
        if rows == 0 {
            return Ok(None);
        }
        let preset = |name: &ByteArray| {
            let at = RuleSet::PRESETS.iter().position(|(preset, _)| preset.as_bytes() == name.data());
            at.and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX)
        };
        Ok(Some(Columns {
            deal: values(&mut self.deal, rows)?,
            rules: values(&mut self.rules, rows)?.iter().map(preset).collect(),
            seat: values(&mut self.seat, rows)?,
            trick: values(&mut self.trick, rows)?,
            held_out: values(&mut self.held_out, rows)?,
            ones: lists(&mut self.ones, rows)?,
            numbers: fixed(&mut self.numbers, rows)?,
            cards: fixed(&mut self.cards, rows)?,
            solved: fixed(&mut self.solved, rows)?,
            played_out: fixed(&mut self.played_out, rows)?,
            played: values(&mut self.played, rows)?,
            same: values(&mut self.same, rows)?,
            stray: values(&mut self.stray, rows)?,
        }))
    }
}

fn short() -> ParquetError {
    ParquetError::General("a column ends before its last row".to_owned())
}

/// Reads the next rows of a column.
fn values<T: DataType>(reader: &mut ColumnReaderImpl<T>, rows: usize) -> Result<Vec<T::T>, ParquetError> {
    let mut values = Vec::new();
    // What is left of a page may be fewer rows.
    while values.len() < rows {
        let before = values.len();
        reader.read_records(rows - before, None, None, &mut values)?;
        if values.len() == before {
            return Err(short());
        }
    }
    Ok(values)
}

/// Reads the next rows of a column of numbers, with which are the first of a row.
fn lists(
    reader: &mut ColumnReaderImpl<Int32Type>,
    rows: usize,
) -> Result<(Vec<i32>, Vec<i16>), ParquetError> {
    let (mut values, mut there, mut firsts) = (Vec::new(), Vec::new(), Vec::new());
    let mut read = 0;
    while read < rows {
        let (records, ..) =
            reader.read_records(rows - read, Some(&mut there), Some(&mut firsts), &mut values)?;
        if records == 0 {
            return Err(short());
        }
        read += records;
    }
    let begun = firsts.iter().filter(|first| **first == 0).count();
    if begun != rows || values.len() != firsts.len() || firsts.first() != Some(&0) {
        return Err(ParquetError::General("a row has no inputs".to_owned()));
    }
    Ok((values, firsts))
}

/// Reads the next rows of a column of bytes.
fn fixed<const N: usize>(
    reader: &mut ColumnReaderImpl<FixedLenByteArrayType>,
    rows: usize,
) -> Result<Vec<[u8; N]>, ParquetError> {
    let row = |row: FixedLenByteArray| row.data().try_into().map_err(|_| short());
    values(reader, rows)?.into_iter().map(row).collect()
}
