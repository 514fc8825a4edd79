//! Small networks: sparse inputs, two hidden layers, some outputs.

/// Weights and biases of a network of `I` inputs, hidden layers of `A` and `B` units, and `O` outputs.
///
/// A row of weights is what an input adds to all units of the next layer; those of the outputs are by output. Sums are made in the order of
/// the inputs, unit by unit, so that they are the same on every machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers<const I: usize, const A: usize, const B: usize, const O: usize> {
    /// By input.
    pub first: Vec<[f32; A]>,
    /// The biases of the first hidden layer.
    pub first_bias: [f32; A],
    /// By unit of the first hidden layer.
    pub second: Vec<[f32; B]>,
    /// The biases of the second hidden layer.
    pub second_bias: [f32; B],
    /// By output.
    pub third: Vec<[f32; B]>,
    /// The biases of the outputs.
    pub third_bias: [f32; O],
}

impl<const I: usize, const A: usize, const B: usize, const O: usize> Default for Layers<I, A, B, O> {
    fn default() -> Self {
        Self {
            first: vec![[0.0; A]; I],
            first_bias: [0.0; A],
            second: vec![[0.0; B]; A],
            second_bias: [0.0; B],
            third: vec![[0.0; B]; O],
            third_bias: [0.0; O],
        }
    }
}

impl<const I: usize, const A: usize, const B: usize, const O: usize> Layers<I, A, B, O> {
    /// The numbers of the tensors, in order.
    pub fn tensors(&self) -> [&[f32]; 6] {
        [
            self.first.as_flattened(),
            &self.first_bias,
            self.second.as_flattened(),
            &self.second_bias,
            self.third.as_flattened(),
            &self.third_bias,
        ]
    }

    /// The numbers of the tensors, in order, to be changed.
    pub fn tensors_mut(&mut self) -> [&mut [f32]; 6] {
        [
            self.first.as_flattened_mut(),
            &mut self.first_bias,
            self.second.as_flattened_mut(),
            &mut self.second_bias,
            self.third.as_flattened_mut(),
            &mut self.third_bias,
        ]
    }

    /// Adds what some inputs with their values add to the first hidden layer.
    #[inline]
    pub fn add<'a>(&self, sums: &mut [f32; A], input: impl IntoIterator<Item = (usize, &'a f32)>) {
        for (at, value) in input {
            add_row(sums, &self.first[at], *value);
        }
    }

    /// Adds what some inputs of one add to the first hidden layer.
    #[inline]
    pub fn add_ones(&self, sums: &mut [f32; A], input: impl IntoIterator<Item = usize>) {
        for at in input {
            for (sum, weight) in sums.iter_mut().zip(&self.first[at]) {
                *sum += weight;
            }
        }
    }

    /// Returns the units of the second hidden layer, given the sums of the first.
    #[inline]
    pub fn second(&self, sums: &[f32; A]) -> [f32; B] {
        self.sums(sums).map(positive)
    }

    /// Returns the sums of the second hidden layer, of which its units are what is above zero, given those of the first.
    #[inline]
    pub fn sums(&self, sums: &[f32; A]) -> [f32; B] {
        // Half of the units are zero, in no order: they are looked for as bits of a word, so that no branch depends on one.
        let mut second = self.second_bias;
        let positive = sums.map(|sum| u8::from(sum > 0.0));
        for (number, positive) in positive.chunks(64).enumerate() {
            let mut units = bits(positive);
            while units != 0 {
                let at = 64 * number + units.trailing_zeros() as usize;
                add_row(&mut second, &self.second[at], sums[at]);
                units &= units - 1;
            }
        }
        second
    }

    /// Returns an output, given the units of the second hidden layer.
    #[inline]
    pub fn output(&self, second: &[f32; B], at: usize) -> f32 {
        self.third_bias[at] + dot(second, &self.third[at])
    }
}

/// The lowest bits of some bytes, up to sixty-four, in eights.
#[inline]
fn bits(bytes: &[u8]) -> u64 {
    let eights = bytes.as_chunks::<8>().0.iter().rev();
    // The product brings the lowest bit of byte n to bit 56 + n.
    eights.fold(0, |bits, eight| {
        bits << 8 | u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}

/// The number where it is above zero, else zero: unlike `max`, which of two zeros it gives is the same everywhere.
fn positive(sum: f32) -> f32 {
    if sum > 0.0 { sum } else { 0.0 }
}

/// Adds `factor` times a row.
#[inline]
pub(super) fn add_row<const N: usize>(to: &mut [f32; N], row: &[f32; N], factor: f32) {
    for (to, weight) in to.iter_mut().zip(row) {
        *to += factor * weight;
    }
}

/// The scalar product, in eight sums, so that it is quick and the same on every machine.
#[inline]
pub(super) fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut sums = [0.0; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for n in 0..8 {
            sums[n] += a[n] * b[n];
        }
    }
    let fours: [f32; 4] = core::array::from_fn(|n| sums[n] + sums[n + 4]);
    (fours[0] + fours[2]) + (fours[1] + fours[3])
}
