//! Decisions as an array of NumPy: format 1.0 of `numpy.lib.format`, one record per row.
//!
//! A record has all of a row together, so that a program that maps the file into memory and reads rows in any order touches
//! one place for each.

use std::fmt::Write as _;

use super::columns::{Column, Kind};

/// Returns the columns as a file.
pub(super) fn npy(columns: &[Column], rows: usize) -> Vec<u8> {
    let mut header = "{'descr': [".to_owned();
    for Column { name, kind, .. } in columns {
        let _ = match kind {
            Kind::Uint8 => write!(header, "('{name}', '|u1'), "),
            Kind::Uint16 => write!(header, "('{name}', '<u2'), "),
            Kind::Uint64 => write!(header, "('{name}', '<u8'), "),
            Kind::Int32 => write!(header, "('{name}', '<i4'), "),
            Kind::Flag => write!(header, "('{name}', '|b1'), "),
            Kind::Bits(bytes) => write!(header, "('{name}', '|u1', ({bytes},)), "),
            Kind::Values => write!(header, "('{name}', '<i2', (32,)), "),
        };
    }
    let _ = write!(header, "], 'fortran_order': False, 'shape': ({rows},), }}");
    // Spaces and a line feed, so that the records begin at a multiple of 64.
    let before = MAGIC.len() + 2;
    let whole = (before + header.len() + 1).next_multiple_of(64);
    let _ = writeln!(header, "{:1$}", "", whole - before - header.len() - 1);
    let length = u16::try_from(header.len()).expect("ten columns have short names");

    let record: usize = columns.iter().map(|column| column.kind.size()).sum();
    let mut bytes = Vec::with_capacity(whole + rows * record);
    bytes.extend(MAGIC);
    bytes.extend(length.to_le_bytes());
    bytes.extend(header.as_bytes());
    for row in 0..rows {
        for column in columns {
            let size = column.kind.size();
            bytes.extend(&column.bytes[row * size..][..size]);
        }
    }
    bytes
}

/// The sign of the format, and its version.
const MAGIC: [u8; 8] = *b"\x93NUMPY\x01\x00";
