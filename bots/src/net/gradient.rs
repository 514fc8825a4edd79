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
    /// Adds another sum.
    pub fn add(&mut self, other: &Self) {
        for (sum, more) in self.slopes.tensors_mut().into_iter().zip(other.slopes.tensors()) {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        self.loss.add(other.loss);
    }

    /// Back to zero.
    pub fn clear(&mut self) {
        self.slopes.tensors_mut().into_iter().for_each(|numbers| numbers.fill(0.0));
        self.loss = Loss::default();
    }

    /// Adds the slopes of a row, given the inputs that are not zero and what came of it (Rumelhart, Hinton & Williams 1986).
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
        let second = layers.second(&first);
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
        let mut of_first = [0.0; A];
        for (n, unit) in first.iter().enumerate().filter(|(_, unit)| **unit > 0.0) {
            add_row(&mut gradient.second[n], &of_second, *unit);
            of_first[n] = dot(&layers.second[n], &of_second);
        }
        add_row(&mut gradient.first_bias, &of_first, 1.0);
        for (at, value) in input {
            add_row(&mut gradient.first[at], &of_first, value);
        }
    }
}
