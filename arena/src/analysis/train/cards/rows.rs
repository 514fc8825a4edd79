//! What the network learns from: positions with what every card was worth.

use coinche_bots::net::cards::{CardInput, CardTarget, NUMBERS, OUTPUTS, inputs};

use crate::analysis::train::descent::Rows;

/// Positions, with their inputs end to end.
#[derive(Debug, Default)]
pub(super) struct CardRows {
    /// Where the inputs of a row end.
    ends: Vec<u32>,
    ones: Vec<u16>,
    numbers: Vec<[f32; NUMBERS]>,
    targets: Vec<CardTarget>,
}

impl CardRows {
    pub(super) fn push(&mut self, input: &CardInput, target: CardTarget) {
        self.ones.extend(&input.ones);
        self.ends.push(u32::try_from(self.ones.len()).expect("fewer inputs than fit in 32 bits"));
        self.numbers.push(input.numbers);
        self.targets.push(target);
    }

    pub(super) fn concat(parts: Vec<Self>) -> Self {
        let mut all = Self::default();
        for part in parts {
            let from = u32::try_from(all.ones.len()).expect("fewer inputs than fit in 32 bits");
            all.ends.extend(part.ends.iter().map(|end| from + end));
            all.ones.extend(part.ones);
            all.numbers.extend(part.numbers);
            all.targets.extend(part.targets);
        }
        all
    }
}

impl Rows<OUTPUTS> for CardRows {
    type Target = CardTarget;

    fn len(&self) -> usize {
        self.targets.len()
    }

    fn get(&self, row: usize) -> (impl Iterator<Item = (usize, f32)> + Clone + '_, CardTarget) {
        let from = row.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        let ones = &self.ones[from..self.ends[row] as usize];
        (inputs(ones, &self.numbers[row]), self.targets[row])
    }
}
