//! Parses a line of JSON as a record of the engine.

use coinche_engine::record::{Record, RecordError};

/// The error of a line that is not a deal record.
#[derive(Debug, thiserror::Error)]
pub enum ReadJsonError {
    /// Its bytes are not UTF-8.
    #[error("not a deal record: not UTF-8 text")]
    Encoding,
    /// Its text is not a record of the engine.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Parses the record of a line.
///
/// # Errors
///
/// When the line is not a record.
pub fn record(line: &[u8]) -> Result<Record, ReadJsonError> {
    let text = std::str::from_utf8(line).map_err(|_| ReadJsonError::Encoding)?;
    Ok(Record::from_json(text)?)
}
