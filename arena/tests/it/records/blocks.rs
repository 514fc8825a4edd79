//! Tables of a hostile run directory: a few kilobytes that become one huge block, under sums that are right.
#![cfg(target_os = "linux")]

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use parquet::basic::Repetition;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;

use super::bounds::refused_within;
use crate::common::run;

/// The memory for what reads rows one after the other, in kilobytes, and for what needs a block as a whole.
const ROWS: u64 = 600_000;
const BLOCK: u64 = 1_200_000;

/// Puts the sums of a run's table right.
fn put_right(directory: &Path, file: &str) {
    let bytes = fs::read(directory.join(file)).unwrap();
    let at = usize::from(file.starts_with("records"));
    crate::common::forge_part(directory, |part| {
        part["tables"][at]["closed"]["bytes"] = bytes.len().into();
        part["tables"][at]["closed"]["crc"] = crc32fast::hash(&bytes).into();
    });
}

/// Compresses lines, the last of them again and again.
fn repeat(path: &Path, start: &str, line: &str, bytes: usize) {
    let mut out = zstd::Encoder::new(File::create(path).unwrap(), 3).unwrap();
    out.write_all(start.as_bytes()).unwrap();
    let block = format!("{line}\n").repeat((1 << 20) / line.len());
    for _ in 0..bytes >> 20 {
        out.write_all(block.as_bytes()).unwrap();
    }
    out.finish().unwrap();
    assert!(fs::metadata(path).unwrap().len() < 1 << 20);
}

#[test]
fn a_block_of_gigabytes_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let words = "run random random --deals 3 --seed 1 --records full --table csv.zst --lines jsonl.zst --out";
    for (out, file) in [("t", "summary.csv.zst"), ("l", "records.jsonl.zst")] {
        run(root, &format!("{words} {out}")).success();
        let path = root.join(out).join(file);
        let text = String::from_utf8(zstd::decode_all(File::open(&path).unwrap()).unwrap()).unwrap();
        let last = text.lines().last().unwrap();
        repeat(&path, &text, last, 1 << 30);
        put_right(&root.join(out), file);
        // What is counted ends at the first row that is there twice, and a record is read by itself.
        if out == "t" {
            refused_within(ROWS, root, "verify t", &["summary.csv.zst", "out of order"]);
        }
        let told = ["the rows of deals 0 to", "take more than 256 MB"];
        refused_within(BLOCK, root, &format!("merge {out} --out m"), &told);
        fs::remove_dir_all(root.join("m")).unwrap();
    }
}

/// Writes a table whose rows all have one long text, which is in the file once.
fn long_texts(path: &Path, length: usize, rows: usize) {
    let file = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let schema = file.metadata().file_metadata().schema_descr().root_schema_ptr();
    let columns = schema.get_fields().to_vec();
    // A page of the dictionary holds the text whole.
    let properties = WriterProperties::builder().set_dictionary_page_size_limit(1 << 24).build();
    let mut writer =
        SerializedFileWriter::new(File::create(path).unwrap(), schema, properties.into()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut at = 0;
    while let Some(mut column) = group.next_column().unwrap() {
        let is_optional = columns[at].get_basic_info().repetition() == Repetition::OPTIONAL;
        let none = vec![0; rows];
        let there = is_optional.then_some(&none[..]);
        let cells = if is_optional { 0 } else { rows };
        match column.untyped() {
            ColumnWriter::Int64ColumnWriter(ints) => ints.write_batch(&vec![0; cells], there, None),
            ColumnWriter::BoolColumnWriter(bools) => bools.write_batch(&vec![false; cells], there, None),
            ColumnWriter::ByteArrayColumnWriter(texts) => {
                let text = if columns[at].name() == "calls" { "P".repeat(length) } else { "x".to_owned() };
                texts.write_batch(&vec![ByteArray::from(text.into_bytes()); cells], there, None)
            }
            _ => panic!("a column of another kind"),
        }
        .unwrap();
        column.close().unwrap();
        at += 1;
    }
    group.close().unwrap();
    writer.close().unwrap();
    assert!(fs::metadata(path).unwrap().len() < 1 << 21);
}

#[test]
fn a_row_group_of_gigabytes_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    // Gigabytes of text: in few rows, and in many.
    for (out, length, rows) in [("few", 1 << 20, 4096), ("many", 1 << 14, 200_000)] {
        run(root, &format!("run random random --deals 3 --seed 1 --table parquet --out {out}")).success();
        long_texts(&root.join(out).join("summary.parquet"), length, rows);
        put_right(&root.join(out), "summary.parquet");
    }
    let told = ["summary.parquet", "more than 128 MB of text"];
    for words in ["export few/summary.parquet --to csv --out o.csv", "report few --out o.html", "verify few"]
    {
        refused_within(ROWS, root, words, &told);
    }
    refused_within(BLOCK, root, "merge few --out m", &told);
    refused_within(ROWS, root, "verify many", &["summary.parquet", "out of order"]);
    refused_within(BLOCK, root, "merge many --out m", &["summary.parquet", "take more than 256 MB"]);
}
