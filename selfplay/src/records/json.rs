//! A line of JSON as a record of the engine.

use coinche_engine::record::{Record, RecordError};

/// Why a line is no deal record.
#[derive(Debug, thiserror::Error)]
pub enum ReadJsonError {
    /// Its bytes are no text.
    #[error("not a deal record: not UTF-8 text")]
    Encoding,
    /// Its text is no record of the engine.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Reads the record of a line.
///
/// # Errors
///
/// When it is none.
pub fn record(line: &[u8]) -> Result<Record, ReadJsonError> {
    let text = std::str::from_utf8(line).map_err(|_| ReadJsonError::Encoding)?;
    Ok(Record::from_json(text)?)
}
