//! The lines of the sampled deals.

use core::ops::Range;
use std::fmt::Display;
use std::io::BufRead;

use coinche_engine::{Purpose, Secrets};
use coinche_selfplay::records::lines::file_of;
use coinche_selfplay::records::read::ReadRecordError;
use coinche_selfplay::records::seen::Seen;
use coinche_selfplay::{ArenaError, Label, Result, next_line, open};

use super::error::JudgeError;
use super::{NAMED, Settings, complain};
use coinche_runs::State;

/// The consecutive records of one deal.
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

/// The deals to judge, by the number of their unit; other lines are only parsed up to their number.
#[derive(Debug, Clone)]
pub(super) struct Own {
    pub(super) units: Range<u64>,
    /// Whether lines before the first record belong to them.
    pub(super) is_first: bool,
}

impl Own {
    /// Returns all deals.
    pub(super) const fn all() -> Self {
        Self { units: 0..u64::MAX, is_first: true }
    }

    /// Tests if a malformed line is judged: it belongs to the preceding record.
    fn has_line_after(&self, unit: Option<u64>) -> bool {
        unit.map_or(self.is_first, |unit| self.units.contains(&unit))
    }
}

/// A file of records, read from its beginning.
pub(super) struct Source {
    settings: Settings,
    own: Own,
    input: Box<dyn BufRead>,
    /// The number of the line read last.
    number: u64,
    /// Whether there was a record of the deals to judge, sampled or not.
    pub(super) found: bool,
    /// Whether the deals to judge are finished.
    is_over: bool,
    wrong: u64,
    /// The number of deals requested.
    taken: u64,
    /// Whether there are no messages about wrong lines.
    pub(super) quiet: bool,
    /// The first record of the next group.
    ahead: Option<Group>,
    last_unit: Option<u64>,
    seen: Seen,
}

impl Source {
    pub(super) fn open(settings: &Settings, own: Own) -> Result<Self> {
        State::refuse(&settings.file)?;
        let settings = Settings { file: file_of(&settings.file)?, ..settings.clone() };
        let input = open(&settings.file)?;
        Ok(Self {
            settings,
            own,
            input,
            number: 0,
            found: false,
            is_over: false,
            wrong: 0,
            taken: 0,
            quiet: false,
            ahead: None,
            last_unit: None,
            seen: Seen::default(),
        })
    }

    /// Returns the unit of the next record to judge, if it was read.
    pub(super) fn next_unit(&self) -> Option<u64> {
        self.ahead.as_ref().map(|group| group.unit)
    }

    /// Returns the number of lines that could not be judged since the last call.
    pub(super) const fn take_wrong(&mut self) -> u64 {
        let wrong = self.wrong - self.taken;
        self.taken = self.wrong;
        wrong
    }

    /// Counts a line that cannot be judged, and reports the first few.
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
    pub(super) fn next(&mut self) -> Result<Option<Group>> {
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

    fn line(&mut self) -> Result<Option<Vec<u8>>> {
        next_line(&mut *self.input).map_err(|source| ArenaError::read(&self.settings.file, source))
    }

    /// Returns the next record of the sample.
    fn record(&mut self) -> Result<Option<Group>> {
        if self.is_over {
            return Ok(None);
        }
        while let Some(line) = self.line()? {
            self.number += 1;
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let label = match Label::read(&line) {
                Ok(label) => label,
                Err(error) => {
                    if self.own.has_line_after(self.last_unit) {
                        self.wrong(self.number, ReadRecordError::Json(error));
                    }
                    continue;
                }
            };
            let unit = label.unit();
            if let Some(before) = self.last_unit.filter(|before| unit < *before) {
                let why = JudgeError::Order { what: label.unit_name(), unit, before };
                return Err(ArenaError::input_line(&self.settings.file, self.number, why));
            }
            self.last_unit = Some(unit);
            if unit < self.own.units.start {
                continue;
            }
            if unit >= self.own.units.end {
                break;
            }
            self.found = true;
            self.seen.add(&label);
            if in_sample(&self.settings, label.deal) {
                let line = RecordLine { number: self.number, pairing: label.pairing, text: line };
                return Ok(Some(Group { unit, deal: label.deal, lines: vec![line] }));
            }
        }
        self.is_over = true;
        if !self.quiet {
            self.seen.warn(&self.settings.file);
        }
        Ok(None)
    }
}

/// Tests if a deal is sampled; depends only on its number and the seed.
fn in_sample(settings: &Settings, deal: u64) -> bool {
    // A leg number that no run has, so that the key differs from that of every bot.
    Secrets::from(&settings.seed).key(Purpose::Sample, deal, 0).happens(settings.sample)
}
