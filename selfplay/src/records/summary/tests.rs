use std::fs;

use bytes::Bytes;
use coinche_engine::record::Record;

use super::*;
use crate::base::columns::parquet::{ParquetTable, Writer, encode};
use crate::base::columns::{Batch, Row as _};
use crate::play::schedule::Unit;
use crate::records::test_lines::lines;

/// Played deals as text.
fn text() -> Vec<u8> {
    let mut text = Vec::new();
    for line in String::from_utf8(lines("coinche-melds", ["random:pass=0.6", "rules"], 40)).unwrap().lines() {
        SummaryRow::of_record(&Record::from_json(line).unwrap(), None).unwrap().print(&mut text);
    }
    text
}

fn columns(text: &[u8]) -> Rows {
    let mut rows = Rows::Columns(Box::new(Batch::new(schema(Unit::Deal, false))));
    rows.push_text(text).unwrap();
    rows
}

#[test]
fn all_forms_have_the_same_rows() {
    let (dir, text) = (tempfile::tempdir().unwrap(), text());
    let rows = columns(&text);
    assert_eq!(rows.to_text(), text);
    let Rows::Columns(batch) = &rows else { unreachable!() };
    let table = [batch.schema.header().as_bytes(), &text].concat();
    let forms = [
        ("a.csv", table.clone()),
        ("b.csv.zst", zstd::bulk::compress(&table, 3).unwrap()),
        ("c.parquet", encode(batch).unwrap()),
    ];
    for (name, contents) in forms {
        let path = dir.path().join(name);
        fs::write(&path, contents).unwrap();
        let mut found = Vec::new();
        let file = SummaryFile::open::<ReadError<()>>(&path).unwrap().unwrap();
        let read: Result<(), ReadError<()>> = file.each(|row| {
            row.print(&mut found);
            Ok(core::ops::ControlFlow::Continue(()))
        });
        read.unwrap();
        assert_eq!(found, text, "{name}");
    }
    fs::write(dir.path().join("d"), "deal,leg\n1,2\n").unwrap();
    assert!(SummaryFile::open::<ReadError<()>>(&dir.path().join("d")).unwrap().is_none());
}

#[test]
fn what_is_no_row_leaves_nothing_behind() {
    let mut rows = columns(&text());
    let before = rows.clone();
    for (bad, why) in [
        ("1,2", "line 1 is not a row of a summary: there is no cell for rules"),
        (
            "x,1,bga,0,a,b,a,b,,,,,,,,,,,,,0,0,P,0",
            "line 1 is not a row of a summary: deal: expected a whole number from 0, found `x`",
        ),
        (
            "1,1,bga,0,a,b,a,b,,,,,maybe,,,,,,,,0,0,P,0",
            "line 1 is not a row of a summary: made: expected true or false, found `maybe`",
        ),
        (
            "1,1,bga,4,a,b,a,b,,,,,,,,,,,,,0,0,P,0",
            "line 1 is not a row of a summary: dealer: expected a seat, 0 to 3, found `4`",
        ),
    ] {
        assert_eq!(rows.push_text(bad.as_bytes()).unwrap_err().to_string(), why);
    }
    assert_eq!(rows, before);
}

#[test]
fn files_are_put_together_of_row_groups_as_they_are() {
    let Rows::Columns(batch) = columns(&text()) else { unreachable!() };
    let (file, schema) = (Bytes::from(encode(&batch).unwrap()), batch.schema);
    let put = |from: &[&Bytes]| {
        let mut writer = Writer::new(Vec::new(), &schema).unwrap();
        for file in from {
            writer.append_bytes(file, &schema).unwrap();
        }
        Bytes::from(writer.finish().unwrap())
    };
    let whole = put(&[&file, &file, &file]);
    let table = ParquetTable::open(whole.clone(), &schemas()).unwrap();
    assert_eq!((table.groups(), &table.schema), (3, &schema));
    // Taken apart and put together again it is the same file.
    let mut again = Writer::new(Vec::new(), &schema).unwrap();
    again.append(&whole, &table, 0..2).unwrap();
    again.append_bytes(&file, &schema).unwrap();
    assert!(again.finish().unwrap()[..] == whole[..]);
}
