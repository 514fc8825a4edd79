//! The training data of the network: calls with their outcomes.

use coinche_bots::net::bidding::{CallTarget, OUTPUTS};

use crate::train::descent::Rows;

/// Tried calls, with their inputs concatenated.
#[derive(Debug, Default)]
pub(in super::super) struct CallRows {
    /// Where the inputs of a row end.
    ends: Vec<u32>,
    inputs: Vec<u8>,
    values: Vec<f32>,
    targets: Vec<CallTarget>,
}

impl CallRows {
    pub(in super::super) fn push(&mut self, input: &[(u8, f32)], target: CallTarget) {
        self.inputs.extend(input.iter().map(|(at, _)| at));
        self.values.extend(input.iter().map(|(_, value)| value));
        self.ends.push(u32::try_from(self.inputs.len()).expect("fewer inputs than fit in 32 bits"));
        self.targets.push(target);
    }

    pub(super) fn concat(parts: Vec<Self>) -> Self {
        let mut all = Self::default();
        for part in parts {
            let from = u32::try_from(all.inputs.len()).expect("fewer inputs than fit in 32 bits");
            all.ends.extend(part.ends.iter().map(|end| from + end));
            all.inputs.extend(part.inputs);
            all.values.extend(part.values);
            all.targets.extend(part.targets);
        }
        all
    }
}

impl Rows<OUTPUTS> for CallRows {
    type Target = CallTarget;

    fn len(&self) -> usize {
        self.targets.len()
    }

    fn get(&self, row: usize) -> (impl Iterator<Item = (usize, f32)> + Clone + '_, CallTarget) {
        let from = row.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        let range = from..self.ends[row] as usize;
        let inputs = self.inputs[range.clone()].iter().map(|at| usize::from(*at));
        (inputs.zip(self.values[range].iter().copied()), self.targets[row])
    }
}
