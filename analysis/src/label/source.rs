//! Where the deals of labels come from.

use core::ops::Range;
use std::fmt;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use coinche_engine::solver::Position;
use coinche_engine::{BySeat, CardSet, Deal, Deck, RuleSet, Secrets, Seed, parse_hands};
use coinche_selfplay::base::hash::Fnv;
use coinche_selfplay::{ArenaError, Result, next_line, open};

use super::dealer;
use super::error::{LabelError, ReadDealError};

/// Deals by number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Random ones: those of `arena run` with this seed, where all cards are dealt at once in packets of
    /// 3, 2 and 3.
    Random {
        /// The seed.
        seed: Seed,
        /// How many.
        deals: u64,
    },
    /// The lines of a file; the number of a deal is that of its line, from 0.
    File {
        /// The file.
        path: PathBuf,
        /// How many lines it has.
        lines: u64,
        /// A hash of what is in it.
        fingerprint: u64,
    },
}

/// A deal with its number, or what is wrong with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The number of the deal.
    pub deal: u64,
    /// The hands.
    pub hands: Result<BySeat<CardSet>, ReadDealError>,
}

impl Source {
    /// Reads a file once, to know it again.
    pub fn file(path: &Path) -> Result<Self> {
        let mut input = open(path)?;
        let (mut lines, mut fingerprint) = (0, Fnv::default());
        let mut blank = true;
        while let Some(line) = next_line(&mut *input).map_err(|source| ArenaError::read(path, source))? {
            lines += 1;
            blank &= line.iter().all(u8::is_ascii_whitespace);
            fingerprint.add(&line);
            fingerprint.add(b"\n");
        }
        if blank {
            return Err(LabelError::Empty(path.to_owned()).into());
        }
        Ok(Self::File { path: path.to_owned(), lines, fingerprint: fingerprint.0 })
    }

    /// Returns how many deals, or lines, there are.
    pub const fn deals(&self) -> u64 {
        match self {
            Self::Random { deals, .. } => *deals,
            Self::File { lines, .. } => *lines,
        }
    }

    /// Returns what identifies the deals in the settings: always as text, one type for whoever reads it.
    pub(super) fn settings(&self) -> [(&'static str, String); 2] {
        match self {
            Self::Random { seed, deals } => [("seed", seed.to_string()), ("deals", deals.to_string())],
            Self::File { lines, fingerprint, .. } => {
                [("lines", lines.to_string()), ("fingerprint", format!("{fingerprint:016x}"))]
            }
        }
    }

    /// Starts with the first deal.
    pub fn open(&self) -> Result<Deals<'_>> {
        let (secrets, input) = match self {
            Self::Random { seed, .. } => (Some(seed.into()), None),
            Self::File { path, .. } => (None, Some(open(path)?)),
        };
        Ok(Deals { source: self, secrets, input, next: 0 })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random { seed, .. } => write!(f, "seed {seed}"),
            Self::File { path, .. } => write!(f, "{}", path.display()),
        }
    }
}

/// The deals of a source in order.
pub struct Deals<'a> {
    source: &'a Source,
    /// Of random deals.
    secrets: Option<Secrets>,
    input: Option<Box<dyn BufRead>>,
    next: u64,
}

impl Deals<'_> {
    fn line(&mut self) -> Result<Vec<u8>> {
        let (Source::File { path, .. }, Some(input)) = (self.source, &mut self.input) else {
            return Ok(Vec::new());
        };
        let line = next_line(&mut **input).map_err(|source| ArenaError::read(path, source))?;
        Ok(line.ok_or_else(|| LabelError::Shorter(path.clone()))?)
    }

    /// Returns the deals of a range, behind those returned before; blank lines are left out.
    pub fn range(&mut self, deals: Range<u64>) -> Result<Vec<Line>> {
        if self.input.is_some() {
            for _ in self.next..deals.start {
                self.line()?;
            }
        }
        self.next = deals.end;
        let mut lines = Vec::new();
        for deal in deals {
            let hands = if let Some(secrets) = self.secrets {
                Ok(random(secrets, deal))
            } else {
                let line = self.line()?;
                if line.iter().all(u8::is_ascii_whitespace) {
                    continue;
                }
                parse(&line)
            };
            lines.push(Line { deal, hands });
        }
        Ok(lines)
    }
}

fn random(secrets: Secrets, deal: u64) -> BySeat<CardSet> {
    *Deal::new(&RuleSet::BGA.deal, Deck::shuffled(secrets, deal), dealer(deal)).hands()
}

/// Reads four hands of eight cards; a strain and a leader before them are left out.
fn parse(line: &[u8]) -> Result<BySeat<CardSet>, ReadDealError> {
    let text = std::str::from_utf8(line).map_err(|_| ReadDealError::Encoding)?;
    let hands = if text.matches('|').count() == 4 {
        let position: Position = text.parse()?;
        *position.hands()
    } else {
        parse_hands(text)?
    };
    match hands.iter().find(|(_, hand)| hand.len() != 8) {
        Some((seat, hand)) => Err(ReadDealError::HandSize { seat, cards: hand.len() }),
        None => Ok(hands),
    }
}
