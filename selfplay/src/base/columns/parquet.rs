//! Columns as Parquet: the one writer and the one reader of the program.
//!
//! A row group is written of a [`Batch`], or taken as it is from another file: what comes in blocks is encoded once, each
//! block as a small file in memory, and put together without encoding anything again.

use core::ops::Range;
use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType, DoubleType, FixedLenByteArray, FixedLenByteArrayType,
    Int32Type, Int64Type,
};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use super::{Batch, Cells, Column, Form, Kind, Packing, Pages, Schema, Texts, Values};
use crate::base::guard::guarded_reading;

fn primitive(
    name: &str,
    physical: Physical,
    logical: Option<LogicalType>,
    length: i32,
    optional: bool,
) -> Result<TypePtr, ParquetError> {
    Type::primitive_type_builder(name, physical)
        .with_logical_type(logical)
        .with_length(length)
        .with_repetition(if optional { Repetition::OPTIONAL } else { Repetition::REQUIRED })
        .build()
        .map(Arc::new)
}

fn column_type(column: &Column, form: Form) -> Result<TypePtr, ParquetError> {
    let unsigned = |bits| Some(LogicalType::integer(bits, false));
    let bytes = |size: usize| i32::try_from(size).unwrap_or(i32::MAX);
    // What has no length of its own has none, or 0 in the files that have it so from the beginning.
    let none = if form.zero_lengths { 0 } else { -1 };
    let (physical, logical, length) = match column.kind {
        Kind::U8 => (Physical::INT32, unsigned(8), none),
        Kind::U16 => (Physical::INT32, unsigned(16), none),
        Kind::U32 => (Physical::INT32, unsigned(32), none),
        Kind::U64 => (Physical::INT64, unsigned(64), none),
        Kind::I32 => (Physical::INT32, Some(LogicalType::integer(32, true)), none),
        Kind::I64 => (Physical::INT64, None, none),
        Kind::F64 => (Physical::DOUBLE, None, none),
        Kind::Bool => (Physical::BOOLEAN, None, none),
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String), none),
        Kind::Bytes(size) => (Physical::FIXED_LEN_BYTE_ARRAY, None, bytes(size)),
        Kind::I16s(numbers) => (Physical::FIXED_LEN_BYTE_ARRAY, None, bytes(2 * numbers)),
        Kind::List => {
            let element = primitive("element", Physical::INT32, unsigned(16), none, false)?;
            let list = Type::group_type_builder("list")
                .with_repetition(Repetition::REPEATED)
                .with_fields(vec![element]);
            return Type::group_type_builder(&column.name)
                .with_logical_type(Some(LogicalType::List))
                .with_repetition(Repetition::REQUIRED)
                .with_fields(vec![Arc::new(list.build()?)])
                .build()
                .map(Arc::new);
        }
    };
    primitive(&column.name, physical, logical, length, column.optional)
}

fn schema_type(schema: &Schema) -> Result<TypePtr, ParquetError> {
    let fields =
        schema.columns.iter().map(|column| column_type(column, schema.form)).collect::<Result<_, _>>()?;
    Ok(Arc::new(Type::group_type_builder(schema.form.name).with_fields(fields).build()?))
}

/// The bytes of a page of [`Pages::Small`]: some four million numbers.
const LONG_PAGE: usize = 1 << 24;

fn properties(schema: &Schema) -> Result<WriterPropertiesPtr, ParquetError> {
    let mut properties =
        WriterProperties::builder().set_created_by(concat!("coinche ", env!("CARGO_PKG_VERSION")).to_owned());
    let level = match schema.form.pages {
        Pages::Plain => None,
        Pages::Zstd => Some(3),
        Pages::Small => Some(22),
    };
    if let Some(level) = level {
        properties = properties.set_compression(Compression::ZSTD(ZstdLevel::try_new(level)?));
    }
    if schema.form.pages == Pages::Small {
        properties = properties.set_data_page_size_limit(LONG_PAGE).set_data_page_row_count_limit(usize::MAX);
    }
    if let Some(sought) = schema.form.sought {
        properties = properties
            .set_statistics_enabled(EnabledStatistics::None)
            .set_column_statistics_enabled(ColumnPath::from(sought), EnabledStatistics::Chunk)
            .set_offset_index_disabled(true);
    }
    if let Some((key, text)) = &schema.note {
        let note = KeyValue::new((*key).to_owned(), text.clone());
        properties = properties.set_key_value_metadata(Some(vec![note]));
    }
    for column in schema.columns.iter().filter(|column| column.packing != Packing::Dictionary) {
        let path = ColumnPath::from(&*column.name);
        properties = properties.set_column_dictionary_enabled(path.clone(), false);
        if column.packing == Packing::Delta {
            properties = properties.set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
        }
    }
    Ok(Arc::new(properties.build()))
}

/// Slices of one buffer, which they share.
fn slices(bytes: &[u8], ends: impl Iterator<Item = usize>) -> impl Iterator<Item = ByteArray> {
    let (whole, mut start) = (Bytes::copy_from_slice(bytes), 0);
    ends.map(move |end| {
        let slice = whole.slice(start..end);
        start = end;
        ByteArray::from(slice)
    })
}

/// Writes cells as the next column.
fn write_cells(
    cells: &Cells,
    column: &Column,
    mut writer: SerializedColumnWriter<'_>,
) -> Result<(), ParquetError> {
    let there = column.optional.then_some(&cells.there[..]);
    match &cells.values {
        Values::Small(values) => writer.typed::<Int32Type>().write_batch(values, there, None)?,
        Values::Long(values) => writer.typed::<Int64Type>().write_batch(values, there, None)?,
        Values::Real(values) => writer.typed::<DoubleType>().write_batch(values, there, None)?,
        Values::Bools(values) => writer.typed::<BoolType>().write_batch(values, there, None)?,
        Values::Texts(texts) => {
            let values: Vec<_> = slices(&texts.bytes, texts.ends.iter().copied()).collect();
            writer.typed::<ByteArrayType>().write_batch(&values, there, None)?
        }
        Values::Bytes(bytes, size) => {
            let ends = (1..=bytes.len() / size).map(|n| n * size);
            let values: Vec<_> = slices(bytes, ends).map(FixedLenByteArray::from).collect();
            writer.typed::<FixedLenByteArrayType>().write_batch(&values, there, None)?
        }
        Values::Lists(numbers, firsts) => {
            // No row is without numbers.
            let there = vec![1; firsts.len()];
            writer.typed::<Int32Type>().write_batch(numbers, Some(&there), Some(firsts))?
        }
    };
    writer.close()
}

/// A Parquet file that is written.
pub struct Writer<W: Write + Send>(SerializedFileWriter<W>);

impl<W: Write + Send> Writer<W> {
    /// Starts a file.
    ///
    /// # Errors
    ///
    /// When it cannot be written to `out`.
    pub fn new(out: W, schema: &Schema) -> Result<Self, ParquetError> {
        SerializedFileWriter::new(out, schema_type(schema)?, properties(schema)?).map(Self)
    }

    /// Writes rows as a row group.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn write(&mut self, rows: &Batch) -> Result<(), ParquetError> {
        let mut group = self.0.next_row_group()?;
        for (cells, column) in rows.columns.iter().zip(&rows.schema.columns) {
            let missing = || wrong(format!("no place for the column {}", column.name));
            write_cells(cells, column, group.next_column()?.ok_or_else(missing)?)?;
        }
        group.close()?;
        Ok(())
    }

    /// Appends row groups of another file as they are.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or the new one cannot be written.
    pub fn append<R: ChunkReader>(
        &mut self,
        file: &R,
        table: &ParquetTable<impl ChunkReader + 'static>,
        groups: Range<usize>,
    ) -> Result<(), ParquetError> {
        for number in groups {
            let from = table.reader.metadata().row_group(number);
            let mut group = self.0.next_row_group()?;
            for column in from.columns() {
                let close = ColumnCloseResult {
                    bytes_written: u64::try_from(column.compressed_size()).unwrap_or_default(),
                    rows_written: u64::try_from(from.num_rows()).unwrap_or_default(),
                    metadata: column.clone(),
                    bloom_filter: None,
                    column_index: None,
                    offset_index: None,
                };
                group.append_column(file, close)?;
            }
            group.close()?;
        }
        Ok(())
    }

    /// Appends the row groups of a file in memory, which has this schema.
    ///
    /// # Errors
    ///
    /// When the bytes are no such file, or the new one cannot be written.
    pub fn append_bytes(&mut self, file: &Bytes, schema: &Schema) -> Result<(), ParquetError> {
        let table = ParquetTable::open(file.clone(), slice_of(schema))?;
        self.append(file, &table, 0..table.groups())
    }

    /// Ends the file and returns what it was written to.
    ///
    /// # Errors
    ///
    /// When the end cannot be written.
    pub fn finish(self) -> Result<W, ParquetError> {
        self.0.into_inner()
    }
}

const fn slice_of(schema: &Schema) -> &[Schema] {
    core::slice::from_ref(schema)
}

/// Returns rows as a Parquet file of one row group.
///
/// # Errors
///
/// Never in practice; the file is made in memory.
pub fn encode(rows: &Batch) -> Result<Vec<u8>, ParquetError> {
    let mut writer = Writer::new(Vec::new(), &rows.schema)?;
    writer.write(rows)?;
    writer.finish()
}

/// The most rows of a row group: a small file can say that it has any number.
const MOST_ROWS: usize = 1 << 22;
/// How many rows are read at a time, and from how many bytes of text on no more of them.
const STEP: usize = 1 << 12;
const PART_ROWS: usize = 1 << 16;
const PART_TEXT: usize = 1 << 25;
/// The most bytes of text of so many rows, and the most bytes of a row group that is read whole.
const STEP_TEXT: usize = 1 << 27;
const MOST_BYTES: usize = 1 << 29;

fn wrong(what: String) -> ParquetError {
    ParquetError::General(what)
}

/// Reads the next values of a column.
fn values<T: DataType>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    there: Option<&mut Vec<i16>>,
) -> Result<Vec<T::T>, ParquetError> {
    let mut values = Vec::new();
    reader.read_records(rows, there, None, &mut values)?;
    Ok(values)
}

/// Reads the next cells of a column; adds the bytes of its texts and lists to those of its neighbours.
fn read_cells(
    reader: &mut ColumnReader,
    column: &Column,
    rows: usize,
    text: &mut usize,
) -> Result<Cells, ParquetError> {
    let mut cells = Cells::new(column);
    let there = column.optional.then_some(&mut cells.there);
    match (reader, &mut cells.values) {
        (ColumnReader::Int32ColumnReader(reader), Values::Small(into)) => {
            *into = values(reader, rows, there)?;
        }
        (ColumnReader::Int64ColumnReader(reader), Values::Long(into)) => *into = values(reader, rows, there)?,
        (ColumnReader::DoubleColumnReader(reader), Values::Real(into)) => {
            *into = values(reader, rows, there)?;
        }
        (ColumnReader::BoolColumnReader(reader), Values::Bools(into)) => *into = values(reader, rows, there)?,
        (ColumnReader::ByteArrayColumnReader(reader), Values::Texts(into)) => {
            let values = values(reader, rows, there)?;
            // A long text that is there once in the file may be in every row.
            *text += values.iter().map(ByteArray::len).sum::<usize>();
            check_text(*text)?;
            *into = Texts::default();
            for value in &values {
                into.bytes.extend_from_slice(value.data());
                into.ends.push(into.bytes.len());
            }
        }
        (ColumnReader::FixedLenByteArrayColumnReader(reader), Values::Bytes(into, size)) => {
            for value in values(reader, rows, there)? {
                if value.len() == *size {
                    into.extend_from_slice(value.data());
                }
            }
        }
        (ColumnReader::Int32ColumnReader(reader), Values::Lists(numbers, firsts)) => {
            let mut there = Vec::new();
            reader.read_records(rows, Some(&mut there), Some(firsts), numbers)?;
            *text += size_of_val(&numbers[..]);
            check_text(*text)?;
            if numbers.len() != firsts.len() || firsts.first() != Some(&0) {
                return Err(wrong(format!("a row has nothing in the column {}", column.name)));
            }
        }
        _ => return Err(wrong(format!("the column {} is of another kind", column.name))),
    }
    // A damaged page may have fewer cells than it says.
    let filled = if column.optional { cells.there.iter().filter(|level| **level > 0).count() } else { rows };
    if cells.values.len() != filled || (column.optional && cells.there.len() != rows) {
        return Err(wrong(format!("the column {} ends before its last row", column.name)));
    }
    Ok(cells)
}

fn check_text(bytes: usize) -> Result<(), ParquetError> {
    if bytes > STEP_TEXT {
        return Err(wrong(format!("{STEP} of its rows have more than {} MB of text", STEP_TEXT >> 20)));
    }
    Ok(())
}

/// The rows of a row group, read some at a time.
pub struct Parts {
    schema: Schema,
    columns: Vec<ColumnReader>,
    /// How many rows are left.
    left: usize,
}

impl Parts {
    /// Returns the next rows, in a few hundred megabytes at most; `None` behind the last.
    ///
    /// # Errors
    ///
    /// When they are damaged, or their texts are far longer than those of a run.
    pub fn next_part(&mut self) -> Result<Option<Batch>, ParquetError> {
        if self.left == 0 {
            return Ok(None);
        }
        guarded(|| self.read_part()).map(Some)
    }

    /// Tests if no rows are left.
    pub const fn is_over(&self) -> bool {
        self.left == 0
    }

    fn read_part(&mut self) -> Result<Batch, ParquetError> {
        let mut part = Batch::new(self.schema.clone());
        let mut texts = 0;
        while self.left > 0 && part.rows < PART_ROWS && texts < PART_TEXT {
            let (rows, mut text) = (self.left.min(STEP), 0);
            let columns = self.columns.iter_mut().zip(&self.schema.columns);
            let columns = columns
                .map(|(reader, column)| read_cells(reader, column, rows, &mut text))
                .collect::<Result<_, _>>()?;
            part.append(&Batch { schema: self.schema.clone(), columns, rows });
            (self.left, texts) = (self.left - rows, texts + text);
        }
        Ok(part)
    }
}

/// Reads with the library, which panics at some damaged files.
fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    guarded_reading(read).unwrap_or_else(|panic| Err(wrong(format!("it is damaged: {panic}"))))
}

/// A Parquet file that is read.
pub struct ParquetTable<R: ChunkReader + 'static> {
    reader: SerializedFileReader<R>,
    /// Its columns.
    pub schema: Schema,
}

impl<R: ChunkReader + 'static> ParquetTable<R> {
    /// Opens a file that has one of these schemas.
    ///
    /// # Errors
    ///
    /// When it is no Parquet file, or its columns are others.
    pub fn open(file: R, schemas: &[Schema]) -> Result<Self, ParquetError> {
        let reader = guarded(|| SerializedFileReader::new(file))?;
        let fields = reader.metadata().file_metadata().schema().get_fields();
        let is_it = |schema: &&Schema| {
            let alike = |(column, field): (&Column, &TypePtr)| {
                column_type(column, schema.form).is_ok_and(|expected| are_alike(&expected, field))
            };
            schema.columns.len() == fields.len() && schema.columns.iter().zip(fields).all(alike)
        };
        let what = schemas.first().map_or("a table", |schema| schema.form.what);
        let other = || wrong(format!("its columns are not those of {what}"));
        let schema = schemas.iter().find(is_it).cloned().ok_or_else(other)?;
        Ok(Self { reader, schema })
    }

    /// Returns how many row groups there are.
    pub fn groups(&self) -> usize {
        self.reader.metadata().num_row_groups()
    }

    /// Returns how many rows there are; `None` where they are more than can be counted.
    pub fn rows(&self) -> Option<u64> {
        let groups = self.reader.metadata().row_groups().iter();
        groups
            .map(|group| u64::try_from(group.num_rows()).ok())
            .try_fold(0u64, |sum, rows| sum.checked_add(rows?))
    }

    /// Returns the rows of a row group, to be read in parts.
    ///
    /// # Errors
    ///
    /// When it is damaged, or says that it has more rows than any of a run.
    pub fn parts(&self, number: usize) -> Result<Parts, ParquetError> {
        guarded(|| {
            let group = self.reader.get_row_group(number)?;
            let left = usize::try_from(group.metadata().num_rows()).unwrap_or_default();
            if left > MOST_ROWS {
                return Err(wrong(format!("a row group of {left} rows: at most {MOST_ROWS} are read")));
            }
            let columns = 0..self.schema.columns.len();
            let columns = columns.map(|n| group.get_column_reader(n)).collect::<Result<_, _>>()?;
            Ok(Parts { schema: self.schema.clone(), columns, left })
        })
    }

    /// Hands on all rows, some at a time.
    ///
    /// # Errors
    ///
    /// When they are damaged, or `each` fails.
    pub fn each_part<E: From<ParquetError>>(
        &self,
        mut each: impl FnMut(&Batch) -> Result<(), E>,
    ) -> Result<(), E> {
        for group in 0..self.groups() {
            let mut parts = self.parts(group)?;
            while let Some(rows) = parts.next_part()? {
                each(&rows)?;
            }
        }
        Ok(())
    }

    /// Reads a row group as a whole.
    ///
    /// # Errors
    ///
    /// When it is damaged, or takes more than 512 MB of memory.
    pub fn read(&self, number: usize) -> Result<Batch, ParquetError> {
        let mut parts = self.parts(number)?;
        let mut rows = parts.next_part()?.unwrap_or_else(|| Batch::new(self.schema.clone()));
        while let Some(part) = parts.next_part()? {
            rows.append(&part);
            if rows.bytes() > MOST_BYTES {
                let most = MOST_BYTES >> 20;
                return Err(wrong(format!("a row group takes more than {most} MB of memory")));
            }
        }
        Ok(rows)
    }
}

/// Tests if fields have the same name, type and repetition; what programs say beside of what a number means is left out.
fn are_alike(one: &Type, other: &Type) -> bool {
    let info = |field: &Type| {
        let info = field.get_basic_info();
        (info.name().to_owned(), info.has_repetition().then(|| info.repetition()))
    };
    info(one) == info(other)
        && match (one, other) {
            (
                Type::PrimitiveType { physical_type, type_length, .. },
                Type::PrimitiveType { physical_type: theirs, type_length: length, .. },
            ) => {
                physical_type == theirs
                    && (type_length == length || *physical_type != Physical::FIXED_LEN_BYTE_ARRAY)
            }
            (Type::GroupType { fields, .. }, Type::GroupType { fields: theirs, .. }) => {
                fields.len() == theirs.len()
                    && fields.iter().zip(theirs).all(|(one, other)| are_alike(one, other))
            }
            _ => false,
        }
}
