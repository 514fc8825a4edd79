//! Parses a line of JSON as a record of the engine.

use coinche_engine::record::{Record, RecordError};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::records::read::quick;

pub use crate::records::read::quick::Whole;

/// The error of a line that is not a deal record.
#[derive(Debug, thiserror::Error)]
pub enum ReadJsonError {
    /// Its bytes are not UTF-8.
    #[error("not a deal record: not UTF-8 text")]
    Encoding,
    /// Its text is not a record of the engine.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Its pairing is not a number.
    #[error(transparent)]
    Pairing(#[from] serde_json::Error),
}

/// Parses the record of a line.
///
/// # Errors
///
/// When the line is not a record.
pub fn record(line: &[u8]) -> Result<Record, ReadJsonError> {
    quick::whole(line).map_or_else(|| slowly(line), |(record, ..)| Ok(record))
}

fn slowly(line: &[u8]) -> Result<Record, ReadJsonError> {
    let text = std::str::from_utf8(line).map_err(|_| ReadJsonError::Encoding)?;
    Ok(Record::from_json(text)?)
}

/// Parses the record of a line, its pairing and the text of its thoughts, which the engine does not read.
///
/// # Errors
///
/// When the line is not a record.
pub fn whole(line: &[u8]) -> Result<Whole<'_>, ReadJsonError> {
    quick::whole(line).map_or_else(|| whole_slowly(line), Ok)
}

/// Parses the same, but the hands and tricks of the record may be left out, and the thoughts may be no list: for what was told in the auction.
///
/// # Errors
///
/// When the line is not a record; what is left out is not looked at.
pub fn without_cards(line: &[u8]) -> Result<Whole<'_>, ReadJsonError> {
    quick::without_cards(line).map_or_else(|| whole_slowly(line), Ok)
}

fn whole_slowly(line: &[u8]) -> Result<Whole<'_>, ReadJsonError> {
    #[derive(Deserialize)]
    struct More<'a> {
        pairing: Option<u64>,
        #[serde(borrow)]
        thoughts: Option<&'a RawValue>,
    }
    let record = slowly(line)?;
    let More { pairing, thoughts } = serde_json::from_slice(line)?;
    Ok((record, pairing, thoughts.map(RawValue::get)))
}
