//! Why something cannot be computed, and the checks that say so.

/// Why something cannot be computed: the input is named with what is legal there.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StatsError {
    /// A number is out of its range.
    #[error("{name}: {value} is not {range}")]
    Range {
        /// What it is.
        name: &'static str,
        /// The number.
        value: f64,
        /// What is legal.
        range: &'static str,
    },
    /// Things that must be of one size are not, or an index is too large.
    #[error("expected {expected} {what}, found {found}")]
    Size {
        /// What is counted.
        what: &'static str,
        /// How many are needed.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// There is too little to compute from.
    #[error("at least {least} {what} are needed, found {found}")]
    TooFew {
        /// What is counted.
        what: &'static str,
        /// How many are needed.
        least: usize,
        /// How many there are.
        found: usize,
    },
    /// Nobody among these has met anybody of the others, so that there is no common scale.
    #[error("bots {0:?} have not met the others: play a pairing that joins them")]
    Apart(Vec<usize>),
    /// A pairing is of a bot with itself or of one that is not there.
    #[error("pairing {index}: bots {a} and {b} are not two different ones of {bots}")]
    Pairing {
        /// The number of the pairing, from 0.
        index: usize,
        /// The first bot.
        a: usize,
        /// The second bot.
        b: usize,
        /// How many bots there are.
        bots: usize,
    },
    /// The matrix is not antisymmetric, or has something that is no number.
    #[error("row {row}, column {column}: the differences must be numbers and the negatives of each other")]
    NotAntisymmetric {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
    },
}

/// Checks that a probability lies strictly between 0 and 1.
pub(crate) fn check_probability(name: &'static str, value: f64) -> Result<(), StatsError> {
    check(value > 0.0 && value < 1.0, name, value, "between 0 and 1")
}

/// Checks that a number is finite and above 0.
pub(crate) fn check_positive(name: &'static str, value: f64) -> Result<(), StatsError> {
    check(value > 0.0 && value.is_finite(), name, value, "a number above 0")
}

pub(crate) const fn check(
    holds: bool,
    name: &'static str,
    value: f64,
    range: &'static str,
) -> Result<(), StatsError> {
    if holds { Ok(()) } else { Err(StatsError::Range { name, value, range }) }
}

/// Checks pairings of bots: two different ones each, all of them joined. `ends` gives the bots.
pub(crate) fn check_pairings(bots: usize, ends: impl Iterator<Item = [usize; 2]>) -> Result<(), StatsError> {
    if bots < 2 {
        return Err(StatsError::TooFew { what: "bots", least: 2, found: bots });
    }
    let mut group: Vec<usize> = (0..bots).collect();
    for (index, [a, b]) in ends.enumerate() {
        if a == b || a >= bots || b >= bots {
            return Err(StatsError::Pairing { index, a, b, bots });
        }
        let [from, to] = [group[a], group[b]];
        group.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
    }
    let apart: Vec<usize> = (0..bots).filter(|bot| group[*bot] != group[0]).collect();
    if apart.is_empty() { Ok(()) } else { Err(StatsError::Apart(apart)) }
}
