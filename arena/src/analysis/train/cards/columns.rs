//! Rows as columns: those of docs/labels.md.

use coinche_bots::net::cards::{INPUTS, NUMBERS};
use coinche_engine::RuleSet;

use super::rows::{CardRows, Choice, HAND, NO_CARD, NOT_SOLVED};

/// What is in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// 64 bits without a sign.
    Long,
    Text,
    /// 8 bits without a sign.
    Number,
    Flag,
    /// As many numbers of 16 bits without a sign as there are.
    Numbers,
    /// So many bytes: numbers, the lowest byte first.
    Bytes(usize),
}

/// The columns, in their order.
pub(super) const COLUMNS: [(&str, Kind); 13] = [
    ("deal", Kind::Long),
    ("rules", Kind::Text),
    ("seat", Kind::Number),
    ("trick", Kind::Number),
    ("held_out", Kind::Flag),
    ("ones", Kind::Numbers),
    ("numbers", Kind::Bytes(4 * NUMBERS)),
    ("cards", Kind::Bytes(HAND)),
    ("solved", Kind::Bytes(2 * HAND)),
    ("played_out", Kind::Bytes(2 * HAND)),
    ("played", Kind::Number),
    ("same", Kind::Number),
    ("stray", Kind::Flag),
];

/// The columns of some rows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) deal: Vec<i64>,
    /// By their place among the presets.
    pub(super) rules: Vec<u8>,
    pub(super) seat: Vec<i32>,
    pub(super) trick: Vec<i32>,
    pub(super) held_out: Vec<bool>,
    /// All of them, and which are the first of a row: 0, the others 1.
    pub(super) ones: (Vec<i32>, Vec<i16>),
    pub(super) numbers: Vec<[u8; 4 * NUMBERS]>,
    pub(super) cards: Vec<[u8; HAND]>,
    pub(super) solved: Vec<[u8; 2 * HAND]>,
    pub(super) played_out: Vec<[u8; 2 * HAND]>,
    pub(super) played: Vec<i32>,
    pub(super) same: Vec<i32>,
    pub(super) stray: Vec<bool>,
}

/// A row has a value that it cannot have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` has a value that it cannot have")]
pub(crate) struct RowError(&'static str);

impl Columns {
    /// Returns those of the rows.
    pub(super) fn of(rows: &CardRows) -> Self {
        let mut columns = Self::default();
        for (row, choice) in rows.choices.iter().enumerate() {
            columns.deal.push(choice.deal.cast_signed());
            columns.rules.push(choice.rules);
            columns.seat.push(choice.seat.into());
            columns.trick.push(choice.trick.into());
            columns.held_out.push(choice.held_out);
            for (n, one) in rows.ones(row).iter().enumerate() {
                columns.ones.0.push((*one).into());
                columns.ones.1.push(i16::from(n > 0));
            }
            columns.numbers.push(bytes(rows.numbers[row].map(f32::to_le_bytes).as_flattened()));
            columns.cards.push(choice.cards);
            columns.solved.push(bytes(choice.solved.map(i16::to_le_bytes).as_flattened()));
            columns.played_out.push(bytes(choice.played_out.map(i16::to_le_bytes).as_flattened()));
            columns.played.push(choice.played.into());
            columns.same.push(choice.same.into());
            columns.stray.push(choice.stray);
        }
        columns
    }

    /// Adds their rows to others.
    ///
    /// # Errors
    ///
    /// Says which row is wrong, from 0, and what of it.
    pub(super) fn add_to(&self, rows: &mut CardRows) -> Result<(), (usize, RowError)> {
        let (values, firsts) = &self.ones;
        let mut at = 0;
        for row in 0..self.deal.len() {
            let more = firsts[at..].iter().skip(1).take_while(|first| **first != 0).count();
            let ones = values.get(at..=at + more).unwrap_or_default();
            at += 1 + more;
            self.row(row, ones, rows).map_err(|column| (row, RowError(column)))?;
        }
        Ok(())
    }

    /// Adds a row to others; says which column is wrong.
    fn row(&self, row: usize, ones: &[i32], rows: &mut CardRows) -> Result<(), &'static str> {
        let small = |column, value: i32, below: u8| {
            u8::try_from(value).ok().filter(|value| *value < below).ok_or(column)
        };
        let one = |one: &i32| u16::try_from(*one).ok().filter(|one| usize::from(*one) < INPUTS - NUMBERS);
        let ones: Option<Vec<u16>> = ones.iter().map(one).collect();
        // None stands there twice.
        let ones = ones.filter(|ones| (1..INPUTS).contains(&ones.len())).ok_or("ones")?;
        let numbers = self.numbers[row].as_chunks::<4>().0;
        let numbers: [f32; NUMBERS] = core::array::from_fn(|n| f32::from_le_bytes(numbers[n]));
        if !numbers.iter().all(|number| number.abs() <= MOST) {
            return Err("numbers");
        }
        let scores = |bytes: &[u8; 2 * HAND]| {
            let bytes = bytes.as_chunks::<2>().0;
            core::array::from_fn(|n| i16::from_le_bytes(bytes[n]))
        };
        let mut choice = Choice {
            deal: self.deal[row].cast_unsigned(),
            rules: small("rules", self.rules[row].into(), PRESETS)?,
            seat: small("seat", self.seat[row], 4)?,
            trick: small("trick", self.trick[row], 8)?,
            cards: self.cards[row],
            solved: scores(&self.solved[row]),
            played_out: scores(&self.played_out[row]),
            played: small("played", self.played[row], 32)?,
            same: 0,
            stray: self.stray[row],
            held_out: self.held_out[row],
        };
        let count = choice.count();
        let (cards, none) = choice.cards.split_at(count);
        let set = cards.iter().try_fold(0u32, |set, card| {
            let bit = 1u32.checked_shl((*card).into())?;
            (set & bit == 0).then_some(set | bit)
        });
        if count < 2 || set.is_none() || none.iter().any(|card| *card != NO_CARD) {
            return Err("cards");
        }
        // All cards were solved, or none.
        let unsolved = choice.solved.iter().filter(|score| **score == NOT_SOLVED).count();
        if unsolved != 0 && unsolved != HAND {
            return Err("solved");
        }
        let played = cards.iter().position(|card| *card == choice.played).ok_or("played")?;
        choice.same = u8::try_from(self.same[row])
            .ok()
            .filter(|same| same >> played & 1 == 1 && u16::from(*same) < 1 << count)
            .ok_or("same")?;
        rows.push(&ones, numbers, choice);
        Ok(())
    }
}

/// How many presets there are.
#[expect(clippy::cast_possible_truncation, reason = "there are not 256 presets")]
const PRESETS: u8 = RuleSet::PRESETS.len() as u8;

/// The largest of the inputs that are numbers: some times what a deal scores, in hundreds of points.
const MOST: f32 = 1000.0;

/// The same bytes, as many as there are.
fn bytes<const N: usize>(bytes: &[u8]) -> [u8; N] {
    core::array::from_fn(|n| bytes[n])
}
