//! The table as a text: lines of `name: numbers`, and at the end a sum of all that is before it.

use core::fmt::Display;
use core::ops::RangeInclusive;
use core::str::FromStr;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::LazyLock;

use super::advantage::{CONTEXTS, CallContext, TERMS, Terms};
use super::auction::AUCTION_FEATURES;
use super::forecast::DD_ROWS;
use super::holding::{EVALUATIONS, Holdings, Role};
use super::melds::MELD_CLASSES;
use super::points::{BINS, CHANCES, Spread};
use super::solved::SolvedFit;
use crate::files::checksum;

/// How many tables of chances there are: by what is known and kind of strain, and that of a taker; by what is
/// known where melds count; by side where a slam was bid.
pub const SPREADS: usize = SLAM_SPREADS + 2;
/// The first of those where a slam was bid: of the own side, then of the other.
pub const SLAM_SPREADS: usize = 4 * 3 + 1 + 5;

/// What the first line says.
const TITLE: &str = "coinche bidding table 3";

/// The table that comes with the program.
static BUILT_IN: LazyLock<BiddingTable> = LazyLock::new(|| {
    BiddingTable::from_text(include_str!("../../data/bidding.txt"))
        .expect("the table of the repository is whole")
});

/// What `table` goes by: fitted by `arena fit`.
#[derive(Debug, Clone, PartialEq)]
pub struct BiddingTable {
    /// What hands are worth, by [`Role::evaluation`].
    pub holdings: Vec<Holdings>,
    /// What the auction adds to that, in tenths of points, by [`Role::evaluation`].
    pub told: Vec<[i32; AUCTION_FEATURES]>,
    /// The points of melds that the declaring side is expected to score, by `meld_class` of the own hand: of
    /// the own side, then of the other.
    pub melds: [[i32; MELD_CLASSES]; 2],
    /// The distributions of points, by [`BiddingTable::spread_of`].
    pub spreads: Vec<Spread>,
    /// How played points come of solved ones, by kind of strain.
    pub solved: [SolvedFit; 3],
    /// What calls gain over a pass, by context; of a pass nothing.
    pub gains: Vec<Terms>,
    /// The forecasts of calls, by [`Company`](super::Company) and context: the logarithm of the odds that the contract is
    /// made, and the score of the deal.
    pub forecasts: [[Vec<Terms>; 2]; 2],
    /// How `dd` corrects these odds, by [`dd_rows`](super::dd_rows): what is added, and a factor.
    pub dd: [[f32; 2]; DD_ROWS],
}

/// What is wrong with a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The file cannot be read.
    #[error("cannot read the table {path}: {why}; `arena fit --out {path}` makes one")]
    Read {
        /// The file.
        path: String,
        /// What the system says.
        why: String,
    },
    /// It does not begin as a table does.
    #[error("not a bidding table: the first line is not `{TITLE}`; `arena fit` makes one")]
    Title,
    /// A line is not the one that belongs there.
    #[error("the bidding table is damaged at line {line}: expected {expected}; `arena fit` makes another")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What belongs there.
        expected: String,
    },
    /// The sum at the end is not that of the text.
    #[error("the bidding table is damaged: its last line should be `{0}`; `arena fit` makes another")]
    Sum(String),
}

impl Default for BiddingTable {
    /// Returns a table of zeros.
    fn default() -> Self {
        let holdings = (0..EVALUATIONS).map(|at| {
            let (trump, side) = Holdings::sizes(if at == Role::Take.evaluation(0) { 0 } else { at % 3 });
            Holdings { constant: 0, trump: vec![0; trump], side: vec![0; side] }
        });
        Self {
            holdings: holdings.collect(),
            told: vec![[0; AUCTION_FEATURES]; EVALUATIONS],
            melds: [[0; MELD_CLASSES]; 2],
            spreads: vec![Spread { rows: vec![0; BINS * CHANCES] }; SPREADS],
            solved: [SolvedFit::default(); 3],
            gains: vec![[0.0; TERMS]; CONTEXTS],
            forecasts: [(); 2].map(|()| [(); 2].map(|()| vec![[0.0; TERMS]; CONTEXTS])),
            dd: [[0.0, 1.0]; DD_ROWS],
        }
    }
}

impl BiddingTable {
    /// Returns the table that comes with the program.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Reads a table from a file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or is not a whole table.
    pub fn read(path: &Path) -> Result<Self, TableError> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| Self::unreadable(&name, &error))?;
        Self::from_bytes(&name, &bytes)
    }

    /// Reads a table from the bytes of a file.
    pub(super) fn from_bytes(path: &str, bytes: &[u8]) -> Result<Self, TableError> {
        Self::from_text(str::from_utf8(bytes).map_err(|error| Self::unreadable(path, &error))?)
    }

    /// The error of a file that cannot be read.
    pub(super) fn unreadable(path: &str, why: &dyn Display) -> TableError {
        TableError::Read { path: path.to_owned(), why: why.to_string() }
    }

    /// The number of the distribution that belongs to a role, whether the partner has shown the strain, the
    /// kind of strain, and whether melds count for the contract (then the kind does not matter).
    pub const fn spread_of(role: Role, told: bool, kind: usize, melds: bool) -> usize {
        let known = match role {
            Role::Own if !told => 0,
            Role::Own => 1,
            Role::Support => 2,
            Role::Defence => 3,
            Role::Take => 4,
        };
        match (melds, role) {
            (true, _) => 13 + known,
            (false, Role::Take) => 12,
            (false, _) => 3 * known + kind,
        }
    }

    /// Goes over the lines of the file between its title and its sum, in their order: the name of each, its number, its values.
    fn each_line<E>(
        &mut self,
        mut line: impl FnMut(&str, usize, Values<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let whole = |values, range| Values::Whole(values, range);
        for (at, holdings) in self.holdings.iter_mut().enumerate() {
            line("constant", at, whole(core::slice::from_mut(&mut holdings.constant), -MOST..=MOST))?;
            line("trump", at, whole(&mut holdings.trump, -MOST..=MOST))?;
            line("side", at, whole(&mut holdings.side, -MOST..=MOST))?;
        }
        for (at, told) in self.told.iter_mut().enumerate() {
            line("told", at, whole(told, -MOST..=MOST))?;
        }
        for (at, melds) in self.melds.iter_mut().enumerate() {
            line("melds", at, whole(melds, 0..=MOST))?;
        }
        for (at, spread) in self.spreads.iter_mut().enumerate() {
            line("chances", at, whole(&mut spread.rows, 0..=1000))?;
        }
        for (at, solved) in self.solved.iter_mut().enumerate() {
            line("solved", at, whole(&mut solved.numbers, -MOST..=MOST))?;
        }
        for (at, gains) in self.gains.iter_mut().enumerate().filter(|(at, _)| can_gain(*at)) {
            line("gain", at, Values::Real(gains))?;
        }
        for (company, forecasts) in self.forecasts.iter_mut().enumerate() {
            for (what, weights) in FORECASTS.into_iter().zip(forecasts) {
                for (at, weights) in weights.iter_mut().enumerate() {
                    line(what, company * CONTEXTS + at, Values::Real(weights))?;
                }
            }
        }
        self.dd.iter_mut().enumerate().try_for_each(|(at, dd)| line("dd", at, Values::Real(dd)))
    }

    /// Writes the table as a text.
    pub fn to_text(&self) -> String {
        let mut text = format!("{TITLE}\n");
        let written = self.clone().each_line(|name, number, values| {
            let values: Vec<String> = match values {
                Values::Whole(values, _) => values.iter().map(i32::to_string).collect(),
                Values::Real(values) => values.iter().map(f32::to_string).collect(),
            };
            writeln!(text, "{name} {number}: {}", values.join(" "))
        });
        written.expect("a text takes any line");
        let sum = sum_line(&text);
        text + &sum + "\n"
    }

    /// Returns a checksum of what calls are chosen by: of all but the forecasts, which are only told.
    pub fn fingerprint(&self) -> String {
        let text = self.to_text();
        let told = |line: &str| FORECASTS.iter().chain(&["dd", "sum"]).any(|name| line.starts_with(name));
        checksum(text.lines().filter(|line| !told(line)).flat_map(str::bytes))
    }

    /// Reads a table from its text.
    ///
    /// # Errors
    ///
    /// When it is not a whole table, with numbers that a table can have.
    pub fn from_text(text: &str) -> Result<Self, TableError> {
        if text.lines().next() != Some(TITLE) {
            return Err(TableError::Title);
        }
        let end = text.trim_end().rfind('\n').map_or(0, |end| end + 1);
        let sum = sum_line(&text[..end]);
        if text[end..].trim_end() != sum {
            return Err(TableError::Sum(sum));
        }
        let mut table = Self::default();
        let mut lines = Lines { lines: text[..end].lines(), line: 1 };
        lines.lines.next();
        table.each_line(|name, number, values| match values {
            Values::Whole(places, range) => lines.read(name, number, places, range),
            Values::Real(places) => lines.read(name, number, places, -1e6..=1e6),
        })?;
        match lines.lines.next() {
            None => Ok(table),
            Some(_) => Err(TableError::Line { line: lines.line + 1, expected: format!("`{sum}`") }),
        }
    }
}

/// The names of the two lines of forecasts.
const FORECASTS: [&str; 2] = ["made", "score"];

/// Whether the calls of a context can gain something.
const fn can_gain(context: usize) -> bool {
    !CallContext::of_weights(context).is_pass()
}

/// The most that a whole number of a table can be, tables of chances aside: no sum of such numbers comes near the
/// largest that there is.
const MOST: i32 = 30_000;

/// The values of a line: whole ones in a range, or others.
enum Values<'a> {
    Whole(&'a mut [i32], RangeInclusive<i32>),
    Real(&'a mut [f32]),
}

/// The lines that are still to be read.
struct Lines<'a> {
    lines: core::str::Lines<'a>,
    /// The number of the last line that was taken.
    line: usize,
}

impl Lines<'_> {
    /// Reads the next line: its name and number, and as many numbers in the range as there are places.
    fn read<T: FromStr + PartialOrd + Copy + Display>(
        &mut self,
        name: &str,
        number: usize,
        places: &mut [T],
        range: RangeInclusive<T>,
    ) -> Result<(), TableError> {
        self.line += 1;
        let error = |line| TableError::Line {
            line,
            expected: format!(
                "`{name} {number}:` and {} numbers from {} to {}",
                places.len(),
                range.start(),
                range.end()
            ),
        };
        let line = self.lines.next().unwrap_or_default();
        let rest = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(&format!(" {number}:")));
        let parsed = rest.ok_or_else(|| error(self.line))?.split_whitespace().map(str::parse);
        let values: Vec<T> = parsed.collect::<Result<_, _>>().map_err(|_| error(self.line))?;
        if values.len() != places.len() || !values.iter().all(|value| range.contains(value)) {
            return Err(error(self.line));
        }
        places.copy_from_slice(&values);
        Ok(())
    }
}

/// The last line of a table.
fn sum_line(text: &str) -> String {
    format!("sum {}", checksum(text.bytes()))
}
