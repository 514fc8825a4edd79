//! Columns as an array of NumPy: format 1.0 of `numpy.lib.format`, one record per row.
//!
//! A record has all of a row together, so that a program that maps the file into memory and reads rows in any order touches
//! one place for each.

use std::fmt::Write as _;

use super::{Batch, Kind, Values};

/// The sign of the format, and its version.
const MAGIC: [u8; 8] = *b"\x93NUMPY\x01\x00";

/// The type of a column in the header; texts, lists and empty cells have no place in a record.
fn descr(kind: Kind) -> String {
    match kind {
        Kind::U8 => "'|u1'".to_owned(),
        Kind::U16 => "'<u2'".to_owned(),
        Kind::U32 => "'<u4'".to_owned(),
        Kind::U64 => "'<u8'".to_owned(),
        Kind::I32 => "'<i4'".to_owned(),
        Kind::I64 => "'<i8'".to_owned(),
        Kind::F64 => "'<f8'".to_owned(),
        Kind::Bool => "'|b1'".to_owned(),
        Kind::Bytes(bytes) => format!("'|u1', ({bytes},)"),
        Kind::I16s(numbers) => format!("'<i2', ({numbers},)"),
        Kind::Text | Kind::List => unreachable!("a record of NumPy has a fixed size"),
    }
}

/// Returns rows as a file.
pub fn npy(batch: &Batch) -> Vec<u8> {
    let mut header = "{'descr': [".to_owned();
    for column in &batch.schema.columns {
        let _ = write!(header, "('{}', {}), ", column.name, descr(column.kind));
    }
    let _ = write!(header, "], 'fortran_order': False, 'shape': ({},), }}", batch.rows);
    // Spaces and a line feed, so that the records begin at a multiple of 64.
    let before = MAGIC.len() + 2;
    let whole = (before + header.len() + 1).next_multiple_of(64);
    let _ = writeln!(header, "{:1$}", "", whole - before - header.len() - 1);
    let length = u16::try_from(header.len()).expect("some columns have short names");

    let mut bytes = Vec::with_capacity(whole + batch.bytes());
    bytes.extend(MAGIC);
    bytes.extend(length.to_le_bytes());
    bytes.extend(header.as_bytes());
    for row in 0..batch.rows {
        for (cells, column) in batch.columns.iter().zip(&batch.schema.columns) {
            match (&cells.values, column.kind) {
                (Values::Small(values), Kind::U8) => bytes.extend(&values[row].to_le_bytes()[..1]),
                (Values::Small(values), Kind::U16) => bytes.extend(&values[row].to_le_bytes()[..2]),
                (Values::Small(values), _) => bytes.extend(values[row].to_le_bytes()),
                (Values::Long(values), _) => bytes.extend(values[row].to_le_bytes()),
                (Values::Real(values), _) => bytes.extend(values[row].to_le_bytes()),
                (Values::Bools(values), _) => bytes.push(values[row].into()),
                (Values::Bytes(values, size), _) => bytes.extend(&values[row * size..][..*size]),
                (Values::Texts(_) | Values::Lists(..), _) => {}
            }
        }
    }
    bytes
}
