//! `arena show`: prints one deal for reading.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use coinche_selfplay::records::lines::file_of;
use coinche_selfplay::records::seen::Seen;
use coinche_selfplay::records::{diagram, json};
use coinche_selfplay::{ArenaError, Exit, Label, Result, next_line, open, print};

use super::count::count;

/// The flags of `arena show`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("show"))]
pub(crate) struct ShowArgs {
    /// A run, or a file of records; `-` is stdin
    ///
    /// The directory of a run with records, or a file of deal records (JSON Lines, also compressed with zstd).
    #[arg(value_name = "RUN|FILE|-")]
    pub file: PathBuf,
    /// Number of the deal in the run, or in the match
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub deal: u64,
    /// Leg: 0 or 1 [default: all]
    #[arg(long, value_name = "LEG")]
    pub leg: Option<u32>,
    /// Number of the match
    #[arg(long = "match", value_name = "N", value_parser = count::<u64>)]
    pub game: Option<u64>,
}

/// The requested deal has no record.
#[derive(Debug, thiserror::Error)]
#[error("there is no {wanted} among its {records} records")]
struct NoSuchDeal {
    wanted: String,
    records: u64,
}

impl ShowArgs {
    fn wants(&self, label: &Label) -> bool {
        let deal = if self.game.is_some() { label.deal_in_match } else { Some(label.deal) };
        deal == Some(self.deal)
            && self.leg.is_none_or(|leg| Some(leg) == label.leg)
            && (self.game.is_none() || self.game == label.game)
    }

    fn describe(&self) -> String {
        let leg = self.leg.map_or_else(String::new, |leg| format!(", leg {leg}"));
        let game = self.game.map_or_else(String::new, |game| format!(", of match {game}"));
        format!("deal {}{leg}{game}", self.deal)
    }
}

/// Runs the command.
pub(crate) fn show(args: &ShowArgs, out: &mut dyn Write) -> Result<Exit> {
    let mut input = open(&args.file)?;
    let (mut number, mut shown, mut labels, mut seen) = (0u64, 0, 0u64, Seen::default());
    while let Some(line) = next_line(&mut *input).map_err(|source| ArenaError::read(&args.file, source))? {
        number += 1;
        let Some(label) = Label::read(&line).ok().filter(|label| label.leg.is_some()) else { continue };
        labels += 1;
        seen.add(&label);
        if !args.wants(&label) {
            continue;
        }
        let record = json::record(&line);
        let record = record.map_err(|error| ArenaError::input_line(&args.file, number, error))?;
        let drawn = diagram::deal(&record);
        let drawn = drawn.map_err(|error| ArenaError::input_line(&args.file, number, error))?;
        let separator = if shown > 0 { "\n" } else { "" };
        print(out, &format!("{separator}{drawn}"))?;
        shown += 1;
    }
    if shown == 0 {
        let missing = NoSuchDeal { wanted: args.describe(), records: labels };
        return Err(ArenaError::input(&args.file, missing));
    }
    seen.warn(&file_of(&args.file)?);
    Ok(Exit::Done)
}
