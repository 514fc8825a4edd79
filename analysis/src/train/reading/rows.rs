//! The training data of the networks: actions chosen among others.

use coinche_bots::net::reading::ChoiceTarget;

use crate::train::descent::Rows;

/// Actions, with their inputs concatenated.
#[derive(Debug, Default)]
pub(super) struct ChoiceRows {
    /// Where the inputs of a row end.
    ends: Vec<u32>,
    inputs: Vec<(u16, f32)>,
    targets: Vec<ChoiceTarget>,
}

impl ChoiceRows {
    pub(super) fn push(&mut self, input: &[(u16, f32)], target: ChoiceTarget) {
        self.inputs.extend(input);
        self.ends.push(u32::try_from(self.inputs.len()).expect("fewer inputs than fit in 32 bits"));
        self.targets.push(target);
    }
}

impl<const O: usize> Rows<O> for ChoiceRows {
    type Target = ChoiceTarget;

    fn len(&self) -> usize {
        self.targets.len()
    }

    fn get(&self, row: usize) -> (impl Iterator<Item = (usize, f32)> + Clone + '_, ChoiceTarget) {
        let from = row.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        let inputs = self.inputs[from..self.ends[row] as usize].iter();
        (inputs.map(|(at, value)| (usize::from(*at), *value)), self.targets[row])
    }
}
