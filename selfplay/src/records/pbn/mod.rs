//! Deal records as readable text, modelled on the Portable Bridge Notation: tags, auction, tricks.
//!
//! Printed records read back as the same records; `docs/formats.md` describes the format.

mod print;
mod read;

use std::fmt::Write as _;

use coinche_engine::record::Record;

use crate::records::json;
use crate::records::json::ReadJsonError;

pub use print::print;
pub use read::Reader;

/// A record with the number of its encounter, in runs of more than two bots.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// The record.
    pub record: Record,
    /// The number of the encounter; `None` in a run of one.
    pub pairing: Option<u64>,
}

impl Kept {
    /// Parses a line of JSON.
    ///
    /// # Errors
    ///
    /// When it is not a deal record.
    pub fn from_json(line: &[u8]) -> Result<Self, ReadJsonError> {
        let (record, pairing, _) = json::whole(line)?;
        Ok(Self { record, pairing })
    }

    /// Writes a line of JSON, as a run does.
    pub fn to_json(&self) -> String {
        let mut json = self.record.to_json();
        if let Some(pairing) = self.pairing {
            json.truncate(json.len() - 1);
            let _ = write!(json, ",\"pairing\":{pairing}}}");
        }
        json
    }
}

#[cfg(test)]
mod tests;
