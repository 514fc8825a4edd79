//! What the network learns from: positions with what every card was worth.

use coinche_bots::net::cards::{CardInput, CardTarget, HIDDEN, INPUTS, NUMBERS, OUTPUTS, inputs};

use crate::train::descent::{Rows, range};
use crate::train::{clamped, hundreds};

/// The most cards of a hand.
pub(super) const HAND: usize = 8;
/// No card, behind the last.
pub(super) const NO_CARD: u8 = 255;
/// The score of each card where they were not solved.
pub(super) const NOT_SOLVED: i16 = i16::MIN;

/// A choice among cards, without its inputs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Choice {
    /// The number of the deal.
    pub(super) deal: u64,
    /// The rules, by their place among the presets.
    pub(super) rules: u8,
    pub(super) seat: u8,
    /// How many tricks were finished.
    pub(super) trick: u8,
    /// The cards that could be played, suits in the order of the input; then [`NO_CARD`].
    pub(super) cards: [u8; HAND],
    /// The score of the deal after each, the own side's less the other's: by the solver, or [`NOT_SOLVED`] for all.
    pub(super) solved: [i16; HAND],
    /// The same, as played out.
    pub(super) played_out: [i16; HAND],
    /// The card that was played.
    pub(super) played: u8,
    /// Which of the cards do the same as that one.
    pub(super) same: u8,
    /// Whether it was chance that played it.
    pub(super) stray: bool,
    /// Whether nothing is learnt from the deal.
    pub(super) held_out: bool,
}

impl Choice {
    /// Returns how many cards could be played.
    pub(super) fn count(&self) -> usize {
        self.cards.iter().position(|card| *card == NO_CARD).unwrap_or(HAND)
    }

    /// What the network is to say.
    fn target(&self) -> CardTarget {
        let mut target = CardTarget {
            count: u8::try_from(self.count()).unwrap_or_default(),
            cards: self.cards,
            is_solved: self.solved[0] != NOT_SOLVED,
            chosen: if self.stray { 0 } else { self.same },
            ..CardTarget::default()
        };
        for (to, points, known) in [
            (&mut target.solved, &self.solved, target.is_solved),
            (&mut target.played_out, &self.played_out, true),
        ] {
            if !known {
                continue;
            }
            let values = &mut to[..usize::from(target.count)];
            for (value, points) in values.iter_mut().zip(points) {
                *value = hundreds(clamped((*points).into()));
            }
            let mean = values.iter().sum::<f32>() / f32::from(target.count);
            for value in values {
                *value -= mean;
            }
        }
        target
    }
}

/// Positions, with their inputs end to end.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CardRows {
    /// Where the inputs of a row end.
    pub(super) ends: Vec<u32>,
    pub(super) ones: Vec<u16>,
    pub(super) numbers: Vec<[f32; NUMBERS]>,
    pub(super) choices: Vec<Choice>,
}

impl CardRows {
    pub(super) fn push(&mut self, ones: &[u16], numbers: [f32; NUMBERS], choice: Choice) {
        self.ones.extend(ones);
        self.ends.push(u32::try_from(self.ones.len()).expect("fewer inputs than fit in 32 bits"));
        self.numbers.push(numbers);
        self.choices.push(choice);
    }

    pub(super) fn add(&mut self, input: &CardInput, choice: Choice) {
        self.push(&input.ones, input.numbers, choice);
    }

    /// The inputs of a row that are one.
    pub(super) fn ones(&self, row: usize) -> &[u16] {
        &self.ones[range(&self.ends, row)]
    }

    /// Returns the rows of deals from which something is learnt, and the others.
    pub(super) fn split(self) -> [Self; 2] {
        let mut parts = [Self::default(), Self::default()];
        for (row, choice) in self.choices.iter().enumerate() {
            parts[usize::from(choice.held_out)].push(self.ones(row), self.numbers[row], *choice);
        }
        parts
    }
}

impl Rows<INPUTS, { HIDDEN[0] }, { HIDDEN[1] }, OUTPUTS> for CardRows {
    type Target = CardTarget;

    fn len(&self) -> usize {
        self.choices.len()
    }

    fn get(&self, row: usize) -> (impl Iterator<Item = (usize, f32)> + Clone + '_, CardTarget) {
        (inputs(self.ones(row), &self.numbers[row]), self.choices[row].target())
    }
}
