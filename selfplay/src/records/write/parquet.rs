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
use parquet::file::reader::{ChunkReader, FileReader, RowGroupReader, SerializedFileReader};
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

/// The most rows of a row group, and the most bytes of one of its columns: a small file can say that it has any number.
const MOST_ROWS: usize = 1 << 21;
const MOST_TEXT: usize = 1 << 28;

/// Reads the cells of a column of a row group.
fn read_column(
    group: &dyn RowGroupReader,
    n: usize,
    head: &Head,
    rows: usize,
) -> Result<Column, ParquetError> {
    let mut there = Vec::new();
    let levels = head.optional.then_some(&mut there);
    let cells = match (group.get_column_reader(n)?, head.kind) {
        (ColumnReader::Int64ColumnReader(mut reader), Kind::Int) => {
            let mut ints = Vec::new();
            reader.read_records(rows, levels, None, &mut ints)?;
            Cells::Ints(ints)
        }
        (ColumnReader::BoolColumnReader(mut reader), Kind::Bool) => {
            let mut bools = Vec::new();
            reader.read_records(rows, levels, None, &mut bools)?;
            Cells::Bools(bools)
        }
        (ColumnReader::ByteArrayColumnReader(mut reader), Kind::Text) => {
            let mut values: Vec<ByteArray> = Vec::new();
            reader.read_records(rows, levels, None, &mut values)?;
            let mut texts = super::columns::Texts::default();
            for value in &values {
                texts.push(value.data());
                if texts.bytes.len() > MOST_TEXT {
                    let text = format!("a row group with more than {} MB of {}", MOST_TEXT >> 20, head.name);
                    return Err(ParquetError::General(text));
                }
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
        return Err(ParquetError::General(format!("the column {} has not {rows} rows", head.name)));
    }
    Ok(Column { cells, there })
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

    /// Reads a row group.
    ///
    /// # Errors
    ///
    /// When it is damaged.
    pub fn read(&self, number: usize) -> Result<Columns, ParquetError> {
        guarded(|| self.read_group(number))
    }

    fn read_group(&self, number: usize) -> Result<Columns, ParquetError> {
        let group = self.reader.get_row_group(number)?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or_default();
        if rows > MOST_ROWS {
            let text = format!("a row group of {rows} rows: at most {MOST_ROWS} are read at a time");
            return Err(ParquetError::General(text));
        }
        let heads = self.schema.0.iter().enumerate();
        let columns =
            heads.map(|(n, head)| read_column(&*group, n, head, rows)).collect::<Result<Vec<_>, _>>()?;
        Ok(Columns { schema: self.schema.clone(), columns, rows })
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
