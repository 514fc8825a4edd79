//! How the weights of a network must change so that its outputs come nearer to what was seen.

use super::layers::{Layers, add_row, dot};

/// Sums of losses, each with the number of what it is of; which is which is the network's business.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Loss(pub [(f64, f64); 3]);

impl Loss {
    /// Adds other sums.
    pub fn add(&mut self, other: Self) {
        for (sum, more) in self.0.iter_mut().zip(other.0) {
            sum.0 += more.0;
            sum.1 += more.1;
        }
    }

    /// Returns the mean of one of them; 0 of nothing.
    pub fn mean(&self, at: usize) -> f64 {
        self.0[at].0 / self.0[at].1.max(1.0)
    }
}

/// What came of something that a network was asked about.
pub trait Target<const O: usize> {
    /// Returns how what is minimised changes with each output, and the losses.
    fn off(&self, outputs: &[f32; O]) -> ([f32; O], Loss);
}

/// A target of layers of these sizes, whose slopes are added up by code that is compiled here.
///
/// Generic code is compiled where it is used, in as many units as the crate there has; this crate is one unit, and its inner loops are inlined.
pub trait Learnt<const I: usize, const A: usize, const B: usize, const O: usize>: Target<O> + Sized {
    /// Adds the slopes of some rows: [`Gradient::add_rows`].
    fn add_rows(gradient: &mut Gradient<I, A, B, O>, layers: &Layers<I, A, B, O>, rows: &InputRows<Self>);
}

/// Has the slopes of a target added up by code that is compiled here.
macro_rules! learnt {
    ($target:ident: $inputs:ident, $hidden:ident, $outputs:ident) => {
        impl Learnt<$inputs, { $hidden[0] }, { $hidden[1] }, $outputs> for $target {
            fn add_rows(
                gradient: &mut Gradient<$inputs, { $hidden[0] }, { $hidden[1] }, $outputs>,
                layers: &Layers<$inputs, { $hidden[0] }, { $hidden[1] }, $outputs>,
                rows: &InputRows<Self>,
            ) {
                gradient.add_rows(layers, rows);
            }
        }
    };
}

/// The sum of the slopes of some rows: how what is minimised changes with each weight.
#[derive(Debug, Clone)]
pub struct Gradient<const I: usize, const A: usize, const B: usize, const O: usize> {
    /// By weight.
    pub slopes: Layers<I, A, B, O>,
    /// What was minimised.
    pub loss: Loss,
}

impl<const I: usize, const A: usize, const B: usize, const O: usize> Default for Gradient<I, A, B, O> {
    fn default() -> Self {
        Self { slopes: Layers::default(), loss: Loss::default() }
    }
}

impl<const I: usize, const A: usize, const B: usize, const O: usize> Gradient<I, A, B, O> {
    /// Back to zero.
    pub fn clear(&mut self) {
        self.slopes.tensors_mut().into_iter().for_each(|numbers| numbers.fill(0.0));
        self.loss = Loss::default();
    }

    /// Adds the slopes of a row, given the inputs that are not zero and what came of it (Rumelhart, Hinton & Williams 1986).
    ///
    /// The literal form of [`Self::add_rows`], which has the same bits.
    pub fn add_row(
        &mut self,
        layers: &Layers<I, A, B, O>,
        input: impl Iterator<Item = (usize, f32)> + Clone,
        target: &impl Target<O>,
    ) {
        let mut first = layers.first_bias;
        for (at, value) in input.clone() {
            add_row(&mut first, &layers.first[at], value);
        }
        self.add_upper(layers, &mut first, target);
        for (at, value) in input {
            add_row(&mut self.slopes.first[at], &first, value);
        }
    }

    /// Adds the slopes of some rows, one after another.
    ///
    /// The weights of the first layer are most of the work: they are taken in blocks that stay in registers, over all rows for an input and over
    /// all inputs for a row. The order of each sum is that of [`Self::add_row`].
    pub fn add_rows<T: Target<O>>(&mut self, layers: &Layers<I, A, B, O>, rows: &InputRows<T>) {
        const { assert!(A.is_multiple_of(BLOCK), "the first layer is blocks of units") };
        let mut firsts = vec![layers.first_bias; rows.targets.len()];
        for block in 0..A / BLOCK {
            let mut from = 0;
            for (first, end) in firsts.iter_mut().zip(&rows.ends) {
                let sums = &mut first.as_chunks_mut::<BLOCK>().0[block];
                let mut sum = *sums;
                for (at, value) in &rows.inputs[from..*end] {
                    sum = plus(&sum, &layers.first[usize::from(*at)].as_chunks().0[block], *value);
                }
                *sums = sum;
                from = *end;
            }
        }
        for (first, target) in firsts.iter_mut().zip(&rows.targets) {
            self.add_upper(layers, first, target);
        }
        let by_input = rows.by_input::<I>();
        let mut from = 0;
        for (slopes, end) in self.slopes.first.iter_mut().zip(by_input.ends) {
            let rows = &by_input.rows[from..end];
            from = end;
            if rows.is_empty() {
                continue;
            }
            for (block, slopes) in slopes.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
                let mut sum = *slopes;
                for (row, value) in rows {
                    sum = plus(&sum, &firsts[usize::from(*row)].as_chunks().0[block], *value);
                }
                *slopes = sum;
            }
        }
    }

    /// Adds the slopes of all weights but those of the first layer; of the sums of its units it makes how what is minimised changes with
    /// them.
    fn add_upper(&mut self, layers: &Layers<I, A, B, O>, first: &mut [f32; A], target: &impl Target<O>) {
        let second = layers.second(first);
        let (off, loss) = target.off(&core::array::from_fn(|n| layers.output(&second, n)));
        self.loss.add(loss);
        let gradient = &mut self.slopes;
        let mut of_second = [0.0; B];
        for (n, off) in off.into_iter().enumerate().filter(|(_, off)| *off != 0.0) {
            add_row(&mut gradient.third[n], &second, off);
            gradient.third_bias[n] += off;
            add_row(&mut of_second, &layers.third[n], off);
        }
        for (slope, unit) in of_second.iter_mut().zip(&second) {
            // A unit that is zero does not change with its inputs.
            *slope *= if *unit > 0.0 { 1.0 } else { 0.0 };
        }
        add_row(&mut gradient.second_bias, &of_second, 1.0);
        for (n, unit) in first.iter_mut().enumerate() {
            if *unit > 0.0 {
                add_row(&mut gradient.second[n], &of_second, *unit);
                *unit = dot(&layers.second[n], &of_second);
            } else {
                *unit = 0.0;
            }
        }
        add_row(&mut gradient.first_bias, first, 1.0);
    }
}

/// How many units of the first layer are taken at a time: as many as fit in registers.
const BLOCK: usize = 64;

/// Returns the sum with `factor` times a row.
#[inline]
fn plus(sum: &[f32; BLOCK], row: &[f32; BLOCK], factor: f32) -> [f32; BLOCK] {
    core::array::from_fn(|n| sum[n] + factor * row[n])
}

/// Inputs of some rows that are not zero, end to end, and what came of them.
#[derive(Debug, Clone)]
pub struct InputRows<T> {
    inputs: Vec<(u16, f32)>,
    ends: Vec<usize>,
    targets: Vec<T>,
}

impl<T> Default for InputRows<T> {
    fn default() -> Self {
        Self { inputs: Vec::new(), ends: Vec::new(), targets: Vec::new() }
    }
}

/// The rows in which an input is not zero, with its values there, in the order of the inputs.
struct ByInput {
    rows: Vec<(u16, f32)>,
    ends: Vec<usize>,
}

impl<T> InputRows<T> {
    /// Returns how many rows there are.
    pub fn count(&self) -> usize {
        self.targets.len()
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.inputs.clear();
        self.ends.clear();
        self.targets.clear();
    }

    /// Adds a row.
    pub fn push(&mut self, input: impl Iterator<Item = (usize, f32)>, target: T) {
        let place = |at: usize| u16::try_from(at).expect("a network has fewer than 65,536 inputs");
        self.inputs.extend(input.map(|(at, value)| (place(at), value)));
        self.ends.push(self.inputs.len());
        self.targets.push(target);
    }

    /// Sorts by input; the rows of each are in their order.
    fn by_input<const I: usize>(&self) -> ByInput {
        let mut next = vec![0; I];
        self.inputs.iter().for_each(|(at, _)| next[usize::from(*at)] += 1);
        let mut sum = 0;
        for next in &mut next {
            sum += core::mem::replace(next, sum);
        }
        let mut rows = vec![(0, 0.0); self.inputs.len()];
        let mut from = 0;
        for (row, end) in self.ends.iter().enumerate() {
            for (at, value) in &self.inputs[from..*end] {
                let next = &mut next[usize::from(*at)];
                rows[*next] = (u16::try_from(row).expect("few rows at a time"), *value);
                *next += 1;
            }
            from = *end;
        }
        ByInput { rows, ends: next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coinche_engine::Key;

    /// Three values, of which some rows have two only.
    struct Values(Vec<f32>);

    impl Target<3> for Values {
        fn off(&self, outputs: &[f32; 3]) -> ([f32; 3], Loss) {
            let mut off = [0.0; 3];
            self.0.iter().zip(outputs).zip(&mut off).for_each(|((value, output), off)| *off = output - value);
            (off, Loss([(f64::from(off[0]), 1.0), (0.0, 0.0), (0.0, 0.0)]))
        }
    }

    #[test]
    fn many_rows_are_to_the_last_bit_one_after_another() {
        let mut key = Key::from_bits(3);
        let mut number = move |below: usize| {
            key = key.and(1);
            key.below(below)
        };
        let mut value = move || f32::from(u16::try_from(number(2001)).unwrap()) / 1000.0 - 1.0;
        let mut layers = Layers::<11, 128, 16, 3>::default();
        layers.tensors_mut().into_iter().flatten().for_each(|weight| *weight = value());
        // Slopes that were there before are added to.
        let mut before = Gradient::default();
        before.slopes.tensors_mut().into_iter().flatten().for_each(|slope| *slope = value());
        let (mut literal, mut rows) = (before.clone(), InputRows::default());
        for row in 0..200 {
            // One input is in no row, and one row has none.
            let ats = (0..10).filter(|at| (row * 7 + at * 13) % 5 < row % 4);
            let input: Vec<_> = ats.map(|at| (at, if at < 6 { 1.0 } else { value() })).collect();
            let target = || Values((0..2 + row % 2).map(|n| [0.5, -1.25, 2.0][n]).collect());
            literal.add_row(&layers, input.iter().copied(), &target());
            rows.push(input.into_iter(), target());
        }
        assert_eq!(rows.count(), 200);
        let mut gradient = before;
        gradient.add_rows(&layers, &rows);
        assert_eq!(gradient.loss, literal.loss);
        for (tensor, literal) in gradient.slopes.tensors().into_iter().zip(literal.slopes.tensors()) {
            assert!(tensor.iter().zip(literal).all(|(slope, literal)| slope.to_bits() == literal.to_bits()));
        }
        rows.clear();
        let whole = gradient.clone();
        gradient.add_rows(&layers, &rows);
        assert_eq!(gradient.slopes, whole.slopes);
    }
}
