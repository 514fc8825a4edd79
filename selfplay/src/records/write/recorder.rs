//! Deals that are played again, kept as records.

use coinche_engine::record::Record;

use super::JsonLines;
use crate::play::played::{PlayedDeal, Scribe};

/// Keeps the records of deals, in the form in which a run writes them.
#[derive(Debug)]
pub struct Recorder {
    lines: JsonLines,
    /// The lines since the last call of [`Self::take`].
    pub(in crate::records) text: Vec<u8>,
}

impl Recorder {
    /// Starts without a record.
    pub const fn new(lines: JsonLines) -> Self {
        Self { lines, text: Vec::new() }
    }

    /// Returns the records of the deals played since the last call; `None` if one cannot be read.
    pub fn take(&mut self) -> Option<Vec<Record>> {
        let text = String::from_utf8(std::mem::take(&mut self.text)).ok()?;
        text.lines().map(Record::from_json).collect::<Result<_, _>>().ok()
    }
}

impl Scribe for Recorder {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.lines.push(&mut self.text, deal);
    }
}
