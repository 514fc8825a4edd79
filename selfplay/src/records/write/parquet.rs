//! The summary table as Parquet.
//!
//! A row group is made of a block of deals, whole in memory, as a small file of its own; the file of the run
//! is put together from these without encoding anything again.

use std::io::Write;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Encoding, LogicalType, Repetition, Type as Physical};
use parquet::column::reader::ColumnReader;
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::reader::{ChunkReader, FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use crate::play::guard::guarded_reading;

use super::columns::{Cells, Column, Columns, Head, Kind, Schema};

impl Head {
    fn parquet_type(&self) -> Result<Type, ParquetError> {
        let (physical, logical) = match self.kind {
            // Plain 64-bit numbers: what readers of comma-separated values take whole numbers for.
            Kind::Int => (Physical::INT64, None),
            Kind::Bool => (Physical::BOOLEAN, None),
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let repetition = if self.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        Type::primitive_type_builder(self.name, physical)
            .with_logical_type(logical)
            .with_repetition(repetition)
            .build()
    }
}

fn schema_type(schema: &Schema) -> Result<TypePtr, ParquetError> {
    let fields = schema.0.iter().map(|head| head.parquet_type().map(Arc::new)).collect::<Result<_, _>>()?;
    Ok(Arc::new(Type::group_type_builder("summary").with_fields(fields).build()?))
}

fn properties(schema: &Schema) -> WriterPropertiesPtr {
    let mut properties = WriterProperties::builder()
        .set_created_by(format!("coinche {}", crate::base::VERSION))
        // Only the number of the deal is what somebody looks for: it tells which row groups to leave out.
        .set_statistics_enabled(EnabledStatistics::None)
        .set_column_statistics_enabled(ColumnPath::from("deal"), EnabledStatistics::Chunk)
        .set_offset_index_disabled(true);
    for head in schema.0.iter().filter(|head| head.kind == Kind::Int) {
        // Small numbers: their differences are packed as tight as a dictionary would be, in a third of the time.
        let path = ColumnPath::from(head.name);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
    }
    Arc::new(properties.build())
}

/// Writes the cells as the next column.
fn write_column<W: Write + Send>(
    column: &Column,
    head: &Head,
    group: &mut SerializedRowGroupWriter<'_, W>,
) -> Result<(), ParquetError> {
    let Some(mut writer) = group.next_column()? else {
        return Err(ParquetError::General(format!("no place for the column {}", head.name)));
    };
    let there = head.optional.then_some(&column.there[..]);
    match &column.cells {
        Cells::Ints(ints) => writer.typed::<Int64Type>().write_batch(ints, there, None)?,
        Cells::Bools(bools) => writer.typed::<BoolType>().write_batch(bools, there, None)?,
        Cells::Texts(texts) => {
            // One buffer for all, shared by the slices.
            let bytes = Bytes::copy_from_slice(&texts.bytes);
            let mut start = 0;
            let slices = texts.ends.iter().map(|end| {
                let slice = bytes.slice(start..*end);
                start = *end;
                ByteArray::from(slice)
            });
            let values: Vec<ByteArray> = slices.collect();
            writer.typed::<ByteArrayType>().write_batch(&values, there, None)?
        }
    };
    writer.close()
}

/// Returns rows as a Parquet file of one row group.
///
/// # Errors
///
/// Never in practice; the file is made in memory.
pub fn encode(columns: &Columns) -> Result<Bytes, ParquetError> {
    let mut writer =
        SerializedFileWriter::new(Vec::new(), schema_type(&columns.schema)?, properties(&columns.schema))?;
    let mut group = writer.next_row_group()?;
    for (column, head) in columns.columns.iter().zip(&columns.schema.0) {
        write_column(column, head, &mut group)?;
    }
    group.close()?;
    writer.into_inner().map(Bytes::from)
}

/// Puts a Parquet file together from row groups of others.
pub struct Composer<W: Write + Send>(SerializedFileWriter<W>);

impl<W: Write + Send> Composer<W> {
    /// Starts a file.
    ///
    /// # Errors
    ///
    /// When it cannot be written to `out`.
    pub fn new(out: W, schema: &Schema) -> Result<Self, ParquetError> {
        SerializedFileWriter::new(out, schema_type(schema)?, properties(schema)).map(Self)
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
        groups: core::ops::Range<usize>,
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

    /// Appends the row groups of a file in memory.
    ///
    /// # Errors
    ///
    /// When the bytes are no Parquet file of a summary, or the new file cannot be written.
    pub fn append_bytes(&mut self, file: &Bytes) -> Result<(), ParquetError> {
        let table = ParquetTable::open(file.clone())?;
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

/// The most rows of a row group: a small file can say that it has any number.
const MOST_ROWS: usize = 1 << 22;
/// How many rows are read at a time, and from how many bytes of text on no more of them.
const STEP: usize = 1 << 12;
const PART_ROWS: usize = 1 << 16;
const PART_TEXT: usize = 1 << 25;
/// The most bytes of text of so many rows, and the most bytes of a row group that is read whole.
const STEP_TEXT: usize = 1 << 27;
const MOST_BYTES: usize = 1 << 29;

fn too_large(what: String) -> ParquetError {
    ParquetError::General(what)
}

/// Reads the next cells of a column; adds the bytes of its texts to those of its neighbours.
fn read_column(
    reader: &mut ColumnReader,
    head: &Head,
    rows: usize,
    text: &mut usize,
) -> Result<Column, ParquetError> {
    let mut there = Vec::new();
    let levels = head.optional.then_some(&mut there);
    let cells = match (reader, head.kind) {
        (ColumnReader::Int64ColumnReader(reader), Kind::Int) => {
            let mut ints = Vec::new();
            reader.read_records(rows, levels, None, &mut ints)?;
            Cells::Ints(ints)
        }
        (ColumnReader::BoolColumnReader(reader), Kind::Bool) => {
            let mut bools = Vec::new();
            reader.read_records(rows, levels, None, &mut bools)?;
            Cells::Bools(bools)
        }
        (ColumnReader::ByteArrayColumnReader(reader), Kind::Text) => {
            let mut values: Vec<ByteArray> = Vec::new();
            reader.read_records(rows, levels, None, &mut values)?;
            // A long text that is there once in the file may be in every row.
            *text += values.iter().map(ByteArray::len).sum::<usize>();
            if *text > STEP_TEXT {
                let most = STEP_TEXT >> 20;
                return Err(too_large(format!("{STEP} of its rows have more than {most} MB of text")));
            }
            let mut texts = super::columns::Texts::default();
            for value in &values {
                texts.push(value.data());
            }
            Cells::Texts(texts)
        }
        _ => return Err(ParquetError::General(format!("the column {} is of another kind", head.name))),
    };
    // A damaged page may have fewer cells than it says.
    let found = match &cells {
        Cells::Ints(ints) => ints.len(),
        Cells::Bools(bools) => bools.len(),
        Cells::Texts(texts) => texts.ends.len(),
    };
    let filled = if head.optional { there.iter().filter(|level| **level > 0).count() } else { rows };
    if found != filled || (head.optional && there.len() != rows) {
        return Err(ParquetError::General(format!("the column {} ends before its last row", head.name)));
    }
    Ok(Column { cells, there })
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
    pub fn next_part(&mut self) -> Result<Option<Columns>, ParquetError> {
        if self.left == 0 {
            return Ok(None);
        }
        guarded(|| self.read_part()).map(Some)
    }

    /// Tests if no rows are left.
    pub const fn is_over(&self) -> bool {
        self.left == 0
    }

    fn read_part(&mut self) -> Result<Columns, ParquetError> {
        let mut part = Columns::new(self.schema.clone());
        let mut texts = 0;
        while self.left > 0 && part.rows < PART_ROWS && texts < PART_TEXT {
            let (rows, mut text) = (self.left.min(STEP), 0);
            let heads = self.columns.iter_mut().zip(&self.schema.0);
            let columns = heads
                .map(|(reader, head)| read_column(reader, head, rows, &mut text))
                .collect::<Result<_, _>>()?;
            part.append(&Columns { schema: self.schema.clone(), columns, rows });
            (self.left, texts) = (self.left - rows, texts + text);
        }
        Ok(part)
    }
}

/// Reads with the library, which panics at some damaged files.
///
/// # Errors
///
/// When the library fails or panics.
pub fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    guarded_reading(read)
        .unwrap_or_else(|panic| Err(ParquetError::General(format!("it is damaged: {panic}"))))
}

/// A summary table in a Parquet file.
pub struct ParquetTable<R: ChunkReader + 'static> {
    reader: SerializedFileReader<R>,
    /// The columns of the table.
    pub schema: Schema,
}

impl<R: ChunkReader + 'static> ParquetTable<R> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// When it is no Parquet file, or its columns are not those of a summary.
    pub fn open(file: R) -> Result<Self, ParquetError> {
        let reader = guarded(|| SerializedFileReader::new(file))?;
        let fields = reader.metadata().file_metadata().schema().get_fields();
        let schema = Schema::of_names(&fields.iter().map(|field| field.name()));
        let other = || ParquetError::General("its columns are not those of a summary table".to_owned());
        Ok(Self { schema: schema.ok_or_else(other)?, reader })
    }

    /// Returns how many row groups there are.
    pub fn groups(&self) -> usize {
        self.reader.metadata().num_row_groups()
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
                return Err(too_large(format!("a row group of {left} rows: at most {MOST_ROWS} are read")));
            }
            let columns = 0..self.schema.0.len();
            let columns = columns.map(|n| group.get_column_reader(n)).collect::<Result<_, _>>()?;
            Ok(Parts { schema: self.schema.clone(), columns, left })
        })
    }

    /// Reads a row group as a whole.
    ///
    /// # Errors
    ///
    /// When it is damaged, or takes more than 512 MB of memory.
    pub fn read(&self, number: usize) -> Result<Columns, ParquetError> {
        let mut parts = self.parts(number)?;
        let mut columns = parts.next_part()?.unwrap_or_else(|| Columns::new(self.schema.clone()));
        while let Some(part) = parts.next_part()? {
            columns.append(&part);
            if columns.bytes() > MOST_BYTES {
                let most = MOST_BYTES >> 20;
                return Err(too_large(format!("a row group takes more than {most} MB of memory")));
            }
        }
        Ok(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::schedule::Unit;

    fn rows(from: i64, rows: i64) -> Columns {
        let mut columns = Columns::new(Schema::new(Unit::Match, true));
        for deal in from..from + rows {
            let played = deal % 3 != 0;
            let cell = |text: String| if played { text } else { String::new() };
            let text = format!(
                "{deal},1,bga,{},\"a:x=1,y=2\",b,\"a:x=1,y=2\",b,{},{},{},{},{},5,3,100,62,,,,-{deal},40,\
                 P P P 80H,0,{},{},2\n",
                deal % 4,
                cell((deal % 4).to_string()),
                cell("90".to_owned()),
                cell("H".to_owned()),
                cell("plain".to_owned()),
                cell((deal % 2 == 0).to_string()),
                deal / 1000,
                deal % 1000
            );
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
            let record = reader.byte_records().next().unwrap().unwrap();
            columns.push_texts(record.iter()).unwrap();
        }
        columns
    }

    #[test]
    fn what_is_written_is_read_again_also_from_files_put_together() {
        let parts = [rows(0, 1), rows(1, 500), rows(501, 20)];
        let mut composer = Composer::new(Vec::new(), &parts[0].schema).unwrap();
        for part in &parts {
            let file = encode(part).unwrap();
            assert_eq!(ParquetTable::open(file.clone()).unwrap().read(0).unwrap(), *part);
            composer.append_bytes(&file).unwrap();
        }
        let whole = Bytes::from(composer.finish().unwrap());
        let table = ParquetTable::open(whole.clone()).unwrap();
        assert_eq!(table.groups(), 3);
        for (n, part) in parts.iter().enumerate() {
            assert_eq!(table.read(n).unwrap(), *part);
        }
        // Taken apart and put together again it is the same file.
        let mut again = Composer::new(Vec::new(), &parts[0].schema).unwrap();
        again.append(&whole, &table, 0..2).unwrap();
        again.append_bytes(&encode(&parts[2]).unwrap()).unwrap();
        assert!(again.finish().unwrap()[..] == whole[..]);
    }

    #[test]
    fn columns_are_cut_back_and_printed() {
        let mut columns = rows(0, 100);
        let mut text = Vec::new();
        columns.push_csv(&mut text);
        let mut again = Columns::new(columns.schema.clone());
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&text[..]);
        for record in reader.byte_records() {
            again.push_texts(record.unwrap().iter()).unwrap();
        }
        assert_eq!(again, columns);
        columns.append(&rows(100, 7));
        assert_eq!(columns, rows(0, 107));
        columns.truncate(41);
        assert_eq!(columns, rows(0, 41));
        // A row that is none leaves nothing behind.
        for bad in [
            "1,2",
            "x,1,bga,0,a,b,a,b,,,,,,,,,,,,,0,0,P,0,0,0,0",
            "1,1,bga,0,a,b,a,b,,,,,maybe,,,,,,,,0,0,P,0,0,0,0",
        ] {
            assert!(columns.push_texts(bad.split(',').map(str::as_bytes)).is_err());
        }
        assert_eq!(columns, rows(0, 41));
    }

    #[test]
    fn other_files_are_refused() {
        assert!(ParquetTable::open(Bytes::from_static(b"PAR1 no PAR1")).is_err());
        assert!(ParquetTable::open(Bytes::new()).is_err());
    }
}
