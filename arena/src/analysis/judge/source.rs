//! The lines of the deals in the sample.

use std::fmt::Display;
use std::io::BufRead;
use std::path::Path;

use coinche_engine::{Purpose, Secrets};
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::records::label::Label;
use coinche_selfplay::records::lines::{file_of, next_line, open};
use coinche_selfplay::records::read::ReadRecordError;

use super::error::JudgeError;
use super::{NAMED, Settings, complain};

/// The records of one deal that stand together.
pub(super) struct Group {
    /// The unit of the statistics: the number of the match, or of the deal.
    pub(super) unit: u64,
    deal: u64,
    pub(super) lines: Vec<RecordLine>,
}

/// The line of a record.
pub(super) struct RecordLine {
    /// From 1.
    pub(super) number: u64,
    pub(super) pairing: Option<u64>,
    pub(super) text: Vec<u8>,
}

/// A file of records, read from its beginning.
pub(super) struct Source {
    settings: Settings,
    input: Box<dyn BufRead>,
    /// The line read last.
    number: u64,
    records: u64,
    wrong: u64,
    quiet: bool,
    /// A record of the next group.
    ahead: Option<Group>,
    last_unit: u64,
}

impl Source {
    pub(super) fn open(settings: &Settings) -> Result<Self, ArenaError> {
        let settings = Settings { file: file_of(&settings.file)?, ..settings.clone() };
        let input = open(&settings.file)?;
        Ok(Self { settings, input, number: 0, records: 0, wrong: 0, quiet: false, ahead: None, last_unit: 0 })
    }

    /// Keeps wrong lines to itself.
    pub(super) fn quiet(mut self) -> Self {
        self.quiet = true;
        self
    }

    /// How many records were found, in the sample or not.
    pub(super) const fn records(&self) -> u64 {
        self.records
    }

    pub(super) const fn wrong_lines(&self) -> u64 {
        self.wrong
    }

    /// Counts a line that cannot be judged, and tells of the first of them.
    pub(super) fn wrong(&mut self, number: u64, error: impl Display) {
        self.wrong += 1;
        if !self.quiet && self.wrong <= NAMED {
            complain(&self.settings, number, &error);
            if self.wrong == NAMED {
                complain(&self.settings, number, "more lines like these are counted, not named");
            }
        }
    }

    /// Returns the next deal of the sample.
    pub(super) fn next(&mut self) -> Result<Option<Group>, ArenaError> {
        let mut group = self.ahead.take();
        while let Some(next) = self.record()? {
            match &mut group {
                None => group = Some(next),
                Some(group) if (group.unit, group.deal) == (next.unit, next.deal) => {
                    group.lines.extend(next.lines);
                }
                Some(_) => {
                    self.ahead = Some(next);
                    break;
                }
            }
        }
        Ok(group)
    }

    /// Returns the next record of the sample.
    fn record(&mut self) -> Result<Option<Group>, ArenaError> {
        let error = |file: &Path, source| ArenaError::read(file, source);
        while let Some(line) = next_line(&mut *self.input).map_err(|e| error(&self.settings.file, e))? {
            self.number += 1;
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let label = match Label::read(&line) {
                Ok(label) => label,
                Err(error) => {
                    self.wrong(self.number, ReadRecordError::Json(error));
                    continue;
                }
            };
            let unit = label.unit();
            if self.records > 0 && unit < self.last_unit {
                let why = JudgeError::Order { what: label.unit_name(), unit, before: self.last_unit };
                return Err(ArenaError::input_line(&self.settings.file, self.number, why));
            }
            self.records += 1;
            self.last_unit = unit;
            if in_sample(&self.settings, label.deal) {
                let line = RecordLine { number: self.number, pairing: label.pairing, text: line };
                return Ok(Some(Group { unit, deal: label.deal, lines: vec![line] }));
            }
        }
        Ok(None)
    }
}

/// Tests if a deal is in the sample: by its number and the seed alone.
fn in_sample(settings: &Settings, deal: u64) -> bool {
    // A leg that no run has, so that no bot's randomness is the same.
    Secrets::from(&settings.seed).key(Purpose::Sample, deal, 0).happens(settings.sample)
}
