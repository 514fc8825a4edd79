use bytes::Bytes;

use super::parquet::{ParquetTable, Writer, encode};
use super::*;

row! {
    /// A row of all kinds.
    #[derive(Debug, Clone, PartialEq)]
    struct All<'a> {
        a: u8,
        b: u16 => Delta,
        c: u32 => Plain,
        d: u64,
        e: i32,
        f: Option<i64> => Delta,
        g: bool,
        h: &'a str,
        i: [u8; 3] => Plain,
        j: [i16; 2],
        k: [f32; 2],
        l: Cow<'a, [u16]>,
        m: Tail<u8> as "last",
    }
}

const FORM: Form =
    Form { name: "all", what: "a test", pages: Pages::Zstd, sought: None, zero_lengths: false };

fn all(n: u32) -> All<'static> {
    let small = u16::try_from(n).unwrap();
    All {
        a: 7,
        b: small,
        c: u32::MAX - n,
        d: u64::from(n) << 40,
        e: -5,
        f: (!n.is_multiple_of(3)).then_some(-i64::from(n)),
        g: n.is_multiple_of(2),
        h: ["", "é", "a,b\"c"][n as usize % 3],
        i: [1, 2, 3],
        j: [-2, i16::MIN],
        k: [0.5, f32::MIN],
        l: Cow::Owned((0..=small % 4).collect()),
        m: Tail(Some(9)),
    }
}

#[test]
fn what_is_written_is_read_again_and_cut_back() {
    let rows: Vec<_> = (0..9000).map(all).collect();
    let batch = Batch::of(Schema::of::<All<'_>>(FORM), rows.clone());
    let file = Bytes::from(encode(&batch).unwrap());
    let table = ParquetTable::open(file.clone(), slice::from_ref(&batch.schema)).unwrap();
    assert!(table.read(0).unwrap() == batch && table.rows() == Some(9000));
    let again: Result<Vec<All<'_>>, _> = batch.iter().collect();
    assert_eq!(again.unwrap(), rows);
    // Put together of others it has their rows.
    let mut writer = Writer::new(Vec::new(), &batch.schema).unwrap();
    writer.append_bytes(&file, &batch.schema).unwrap();
    writer.write(&batch).unwrap();
    let both =
        ParquetTable::open(Bytes::from(writer.finish().unwrap()), slice::from_ref(&batch.schema)).unwrap();
    assert!(both.groups() == 2 && both.read(0).unwrap() == batch && both.read(1).unwrap() == batch);
    let mut cut = batch.clone();
    cut.append(&batch);
    cut.truncate(4000);
    assert_eq!(cut, Batch::of(batch.schema.clone(), rows[..4000].to_vec()));
    // Without the last column it is another schema.
    let mut fewer = batch.schema.clone();
    fewer.columns.pop();
    let error = ParquetTable::open(file, &[fewer]).err().unwrap().to_string();
    assert!(error.contains("its columns are not those of a test"), "{error}");
    for other in [&b"PAR1 no PAR1"[..], b""] {
        assert!(ParquetTable::open(Bytes::from(other), slice::from_ref(&batch.schema)).is_err());
    }
}

row! {
    /// What has a form as text.
    #[derive(Debug, PartialEq)]
    struct Legs<'a> {
        n: i64,
        flag: Option<bool>,
        text: &'a str,
        last: Tail<u16>,
    }
}

#[test]
fn rows_as_csv_are_those_of_the_columns() {
    let of = |n: i64, last| Legs {
        n,
        flag: (n > 5).then_some(n > 7),
        text: ["plain", "a,\"b\""][usize::from(n % 2 == 0)],
        last: Tail(last),
    };
    for last in [None, Some(3)] {
        let mut schema = Schema::of::<Legs<'_>>(FORM);
        schema.columns.retain(|column| last.is_some() || column.name != "last");
        assert_eq!(schema.header(), if last.is_some() { "n,flag,text,last\n" } else { "n,flag,text\n" });
        let rows: Vec<_> = (-3..20).map(|n| of(n, last)).collect();
        let (mut printed, mut text) = (Vec::new(), Vec::new());
        for row in &rows {
            row.print(&mut printed);
        }
        Batch::of(schema.clone(), (-3..20).map(|n| of(n, last))).push_csv(&mut text);
        assert_eq!(printed, text);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&text[..]);
        for (record, row) in reader.byte_records().zip(&rows) {
            assert_eq!(Legs::read(&mut Line::new(&schema.columns, &record.unwrap())).unwrap(), *row);
        }
    }
    let schema = Schema::of::<Legs<'_>>(FORM);
    for (text, why) in [
        ("1,true", "there is no cell for text"),
        ("1,true,x,3,4", "there are too many cells"),
        ("x,true,x,3", "n: expected a whole number, found `x`"),
        ("1,maybe,x,3", "flag: expected true or false, found `maybe`"),
        ("1,,x,99999", "last: expected a number of 0 to 65535, found `99999`"),
    ] {
        let record = csv::ByteRecord::from(text.split(',').collect::<Vec<_>>());
        let error = Legs::read(&mut Line::new(&schema.columns, &record)).unwrap_err();
        assert_eq!(error.to_string(), why);
    }
}
