//! The table of all decisions.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use coinche_selfplay::base::error::ArenaError;

use super::Leg;
use super::knowing::PARTS;

const HEAD: &str = "deal,leg,seat,bot,trick,place,role,kind,strain,card,best_card,value,best_value,\
loss_points,loss_score,pairing,loss_known\n";

/// A table that is written under another name, and takes its own when it is whole.
pub(crate) struct CsvFile {
    path: PathBuf,
    unfinished: PathBuf,
    file: BufWriter<File>,
    text: String,
}

impl CsvFile {
    /// Starts the table.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub(crate) fn create(path: &Path) -> Result<Self, ArenaError> {
        let mut unfinished = path.as_os_str().to_owned();
        unfinished.push(".unfinished");
        let unfinished = PathBuf::from(unfinished);
        let create = || {
            let mut file = BufWriter::with_capacity(1 << 16, File::create(&unfinished)?);
            file.write_all(HEAD.as_bytes())?;
            Ok(file)
        };
        let file = create().map_err(|source| ArenaError::write(path, source))?;
        Ok(Self { path: path.to_owned(), unfinished, file, text: String::new() })
    }

    /// Adds the decisions of a leg.
    pub(super) fn add(&mut self, leg: &Leg) -> Result<(), ArenaError> {
        self.text.clear();
        let known = leg.known.cards.iter().copied().chain(core::iter::repeat(None));
        for (decision, known) in leg.decisions.iter().zip(known) {
            let (deal, number) = (leg.record.deal, leg.record.leg);
            let _ = write!(self.text, "{deal},{number},{},", decision.seat);
            push_field(&mut self.text, &leg.record.bots[decision.seat]);
            let (trick, place) = (decision.trick + 1, decision.place + 1);
            let (role, kind, strain) = (decision.role.name(), decision.kind.name(), decision.strain);
            let (card, best) = (decision.card, decision.best_card);
            let (value, best_value, loss) = (decision.value, decision.best_value, decision.loss());
            let score = decision.score_loss.map_or_else(String::new, |loss| loss.to_string());
            let pairing = leg.pairing.map_or_else(String::new, |pairing| pairing.to_string());
            let known =
                known.map_or_else(String::new, |loss| (f64::from(loss) / f64::from(PARTS)).to_string());
            let _ = writeln!(
                self.text,
                ",{trick},{place},{role},{kind},{strain},{card},{best},{value},{best_value},{loss},{score},{pairing},\
                 {known}"
            );
        }
        self.file.write_all(self.text.as_bytes()).map_err(|source| ArenaError::write(&self.path, source))
    }

    /// Gives the table its name.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub(crate) fn finish(mut self) -> Result<(), ArenaError> {
        let written = self.file.flush().and_then(|()| fs::rename(&self.unfinished, &self.path));
        written.map_err(|source| ArenaError::write(&self.path, source))
    }
}

impl Drop for CsvFile {
    /// Removes what is not whole; after [`CsvFile::finish`] there is nothing of that name.
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.unfinished);
    }
}

/// Appends a text, in quotes where it needs them (RFC 4180).
fn push_field(line: &mut String, text: &str) {
    if text.contains(['"', ',', '\n', '\r']) {
        let _ = write!(line, "\"{}\"", text.replace('"', "\"\""));
    } else {
        line.push_str(text);
    }
}
