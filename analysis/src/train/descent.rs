//! Stochastic gradient descent: Adam (Kingma & Ba 2015) on batches, each split over all threads.
//!
//! Results do not depend on the machine or on the number of threads: sums have a fixed order, and no function
//! is used whose last bit depends on a library.

use core::convert::Infallible;
use core::ops::Range;

use coinche_bots::net::{Gradient, InputRows, Layers, Learnt, Loss, Target};
use coinche_engine::{Key, Purpose, Secrets};
use rayon::ThreadPool;
use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
};
use rayon::slice::ParallelSliceMut;

/// The training data of a network of this shape.
pub(super) trait Rows<const I: usize, const A: usize, const B: usize, const O: usize>: Sync {
    /// The target of a row.
    type Target: Learnt<I, A, B, O>;

    /// Returns the number of rows.
    fn len(&self) -> usize;

    /// Returns the non-zero inputs of a row, and its target.
    fn get(&self, row: usize) -> (impl Iterator<Item = (usize, f32)> + Clone + '_, Self::Target);
}

/// Rows with their non-zero inputs end to end.
#[derive(Debug)]
pub(super) struct SparseRows<At, T> {
    /// Where the inputs of a row end.
    ends: Vec<u32>,
    inputs: Vec<At>,
    values: Vec<f32>,
    targets: Vec<T>,
}

impl<At, T> Default for SparseRows<At, T> {
    fn default() -> Self {
        Self { ends: Vec::new(), inputs: Vec::new(), values: Vec::new(), targets: Vec::new() }
    }
}

impl<At: Copy, T> SparseRows<At, T> {
    pub(super) fn push(&mut self, input: &[(At, f32)], target: T) {
        self.inputs.extend(input.iter().map(|(at, _)| *at));
        self.values.extend(input.iter().map(|(_, value)| value));
        self.ends.push(u32::try_from(self.inputs.len()).expect("fewer inputs than fit in 32 bits"));
        self.targets.push(target);
    }
}

impl<const I: usize, const A: usize, const B: usize, const O: usize, At, T> Rows<I, A, B, O>
    for SparseRows<At, T>
where
    At: Copy + Into<usize> + Sync,
    T: Learnt<I, A, B, O> + Copy + Sync,
{
    type Target = T;

    fn len(&self) -> usize {
        self.targets.len()
    }

    fn get(&self, row: usize) -> (impl Iterator<Item = (usize, f32)> + Clone + '_, T) {
        let range = range(&self.ends, row);
        let inputs = self.inputs[range.clone()].iter().map(|at| (*at).into());
        (inputs.zip(self.values[range].iter().copied()), self.targets[row])
    }
}

/// Returns where a row is among rows that end here.
pub(super) fn range(ends: &[u32], row: usize) -> Range<usize> {
    row.checked_sub(1).map_or(0, |before| ends[before] as usize)..ends[row] as usize
}

/// The training schedule.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// The number of passes over the rows.
    pub(super) times: usize,
    /// Rows of a batch, and of the part of it that one thread takes.
    pub(super) batch: usize,
    pub(super) part: usize,
    /// The learning rate at the start of a round, after a linear warm-up over `warm` steps, and at its end.
    pub(super) rates: [f32; 2],
    pub(super) warm: usize,
}

/// Number of rows that a thread evaluates at a time.
const CHUNK: usize = 1024;

/// Approximate number of rows used to initialise the biases.
const CENTRED: usize = 10_000;
/// Number of weights that a thread updates at a time.
const WEIGHTS: usize = 4096;
/// Number of rows whose gradients are added at once.
const AT_ONCE: usize = 256;
/// The training schedule.
pub(super) const PACE: Pace = Pace { times: 1, batch: 2048, part: 256, rates: [1e-3, 5e-5], warm: 50 };
/// Adam's decay rates of the first and second moments.
const DECAY: [f32; 2] = [0.9, 0.999];

/// Returns a network with random weights (He et al. 2015), for about this many non-zero inputs.
pub(super) fn random<const I: usize, const A: usize, const B: usize, const O: usize>(
    secrets: Secrets,
    inputs: f32,
) -> Layers<I, A, B, O> {
    let mut layers = Layers::default();
    let mut key = secrets.key(Purpose::Experiment, 0, 2);
    let most = [6.0 / inputs, 6.0 / float(A), 0.01].map(f32::sqrt);
    for (most, weights) in most.into_iter().zip(layers.tensors_mut().into_iter().step_by(2)) {
        for weight in weights {
            key = key.and(1);
            *weight = most * (float(key.below(65_536)) / 32_768.0 - 1.0);
        }
    }
    layers
}

/// Sets the biases of the hidden layers so that the pre-activations of their units have zero mean over some of
/// the rows: a unit that is inactive on all rows never learns.
pub(super) fn centre<const I: usize, const A: usize, const B: usize, const O: usize>(
    layers: &mut Layers<I, A, B, O>,
    rows: &[impl Rows<I, A, B, O>],
) {
    let all: Vec<_> = rows.iter().flat_map(|rows| (0..rows.len()).map(move |row| (rows, row))).collect();
    let some = all.iter().step_by((all.len() / CENTRED).max(1));
    let mut firsts: Vec<[f32; A]> = Vec::new();
    for (rows, row) in some {
        let mut first = [0.0; A];
        for (at, value) in rows.get(*row).0 {
            layers.add(&mut first, [(at, &value)]);
        }
        firsts.push(first);
    }
    layers.first_bias = mean(&firsts).map(|mean| -mean);
    layers.second_bias = [0.0; B];
    let mut seconds: Vec<[f32; B]> = Vec::new();
    for mut first in firsts {
        first.iter_mut().zip(layers.first_bias).for_each(|(sum, bias)| *sum += bias);
        seconds.push(layers.sums(&first));
    }
    layers.second_bias = mean(&seconds).map(|mean| -mean);
}

/// Returns the mean of each column; 0 without rows.
fn mean<const N: usize>(rows: &[[f32; N]]) -> [f32; N] {
    let mut sums = [0.0; N];
    for row in rows {
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    sums.map(|sum| sum / float(rows.len().max(1)))
}

/// Converts a number below 2^24, exactly.
pub(super) const fn float(n: usize) -> f32 {
    n as f32
}

/// Trains the layers on the rows, in random order; returns the number of rows, and the losses.
pub(super) fn fit<const I: usize, const A: usize, const B: usize, const O: usize>(
    layers: &mut Layers<I, A, B, O>,
    rows: &[impl Rows<I, A, B, O>],
    pace: Pace,
    key: Key,
    pool: &ThreadPool,
) -> (usize, Loss) {
    let Ok(learnt) = passes(layers, rows, pace, key, pool, |_, _, _| Ok::<_, Infallible>(()));
    learnt
}

/// Trains the layers as [`fit`] does; `after` gets the number of each pass, counted from 1, with its losses and
/// the updated layers.
pub(super) fn passes<
    const I: usize,
    const A: usize,
    const B: usize,
    const O: usize,
    R: Rows<I, A, B, O>,
    E,
>(
    layers: &mut Layers<I, A, B, O>,
    rows: &[R],
    pace: Pace,
    key: Key,
    pool: &ThreadPool,
    mut after: impl FnMut(usize, Loss, &Layers<I, A, B, O>) -> Result<(), E>,
) -> Result<(usize, Loss), E> {
    let order = shuffled(rows, key);
    let steps = (pace.times * order.len() / pace.batch).max(pace.times);
    let mut parts: Vec<Gradient<I, A, B, O>> =
        (0..pace.batch / pace.part).map(|_| Gradient::default()).collect();
    let mut adam = Adam::default();
    let (mut loss, mut of_pass) = (Loss::default(), Loss::default());
    for step in 0..steps {
        pool.install(|| {
            parts.par_iter_mut().enumerate().for_each(|(number, part)| {
                part.clear();
                let mut some = InputRows::default();
                for n in 0..pace.part {
                    let (of, row) = order[(step * pace.batch + number * pace.part + n) % order.len()];
                    let (input, target) = rows[of].get(row);
                    some.push(input, target);
                    if some.count() == AT_ONCE || n + 1 == pace.part {
                        R::Target::add_rows(part, layers, &some);
                        some.clear();
                    }
                }
            });
        });
        for part in &parts {
            loss.add(part.loss);
            of_pass.add(part.loss);
        }
        let [first, last] = pace.rates;
        let rate = first + (last - first) * (float(step) / float(steps));
        let warm = float(step) / float(pace.warm);
        pool.install(|| adam.step(layers, &parts, pace.batch, rate * warm.min(1.0)));
        let [before, pass] = [step, step + 1].map(|steps_done| steps_done * pace.times / steps);
        if pass > before {
            after(pass, core::mem::take(&mut of_pass), layers)?;
        }
    }
    Ok((order.len(), loss))
}

/// Returns the losses of the layers on held-out rows.
pub(super) fn losses<const I: usize, const A: usize, const B: usize, const O: usize>(
    layers: &Layers<I, A, B, O>,
    rows: &[impl Rows<I, A, B, O>],
    pool: &ThreadPool,
) -> Loss {
    fn sum(parts: impl IntoIterator<Item = Loss>) -> Loss {
        parts.into_iter().fold(Loss::default(), |mut sum, part| {
            sum.add(part);
            sum
        })
    }
    // In chunks, so that the sums are the same on any number of threads.
    sum(rows.iter().map(|rows| {
        let of_row = |row: usize| {
            let (input, target) = rows.get(row);
            let mut first = layers.first_bias;
            for (at, value) in input {
                layers.add(&mut first, [(at, &value)]);
            }
            let second = layers.second(&first);
            target.off(&core::array::from_fn(|n| layers.output(&second, n))).1
        };
        let chunks = (0..rows.len().div_ceil(CHUNK)).into_par_iter();
        let chunks =
            chunks.map(|chunk| sum((chunk * CHUNK..rows.len().min((chunk + 1) * CHUNK)).map(of_row)));
        sum(pool.install(|| chunks.collect::<Vec<_>>()))
    }))
}

/// Returns all rows in random order (Fisher & Yates).
fn shuffled<const I: usize, const A: usize, const B: usize, const O: usize>(
    rows: &[impl Rows<I, A, B, O>],
    key: Key,
) -> Vec<(usize, usize)> {
    let all = rows.iter().enumerate();
    let mut order: Vec<_> = all.flat_map(|(of, rows)| (0..rows.len()).map(move |row| (of, row))).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, key.and(at as u64).below(at + 1));
    }
    order
}

/// The state of Adam.
#[derive(Debug)]
struct Adam<const I: usize, const A: usize, const B: usize, const O: usize> {
    mean: Layers<I, A, B, O>,
    square: Layers<I, A, B, O>,
    /// The remaining weights of the zero initial moments.
    left: [f32; 2],
}

impl<const I: usize, const A: usize, const B: usize, const O: usize> Default for Adam<I, A, B, O> {
    fn default() -> Self {
        Self { mean: Layers::default(), square: Layers::default(), left: [1.0; 2] }
    }
}

impl<const I: usize, const A: usize, const B: usize, const O: usize> Adam<I, A, B, O> {
    /// Takes a step, with the gradient sums of the parts of a batch.
    fn step(
        &mut self,
        layers: &mut Layers<I, A, B, O>,
        parts: &[Gradient<I, A, B, O>],
        batch: usize,
        rate: f32,
    ) {
        self.left = [self.left[0] * DECAY[0], self.left[1] * DECAY[1]];
        let known = self.left.map(|left| 1.0 - left);
        let moments = self.mean.tensors_mut().into_iter().zip(self.square.tensors_mut());
        for (tensor, (weights, (means, squares))) in layers.tensors_mut().into_iter().zip(moments).enumerate()
        {
            let moments = means.par_chunks_mut(WEIGHTS).zip(squares.par_chunks_mut(WEIGHTS));
            let chunks = weights.par_chunks_mut(WEIGHTS).zip(moments).enumerate();
            chunks.for_each(|(n, (weights, (means, squares)))| {
                let mut slopes = [0.0; WEIGHTS];
                for part in parts {
                    let more = part.slopes.tensors()[tensor].iter().skip(n * WEIGHTS);
                    slopes.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
                }
                let moments = means.iter_mut().zip(squares);
                for ((weight, slope), (mean, square)) in weights.iter_mut().zip(slopes).zip(moments) {
                    let slope = slope / float(batch);
                    *mean = DECAY[0] * *mean + (1.0 - DECAY[0]) * slope;
                    *square = DECAY[1] * *square + (1.0 - DECAY[1]) * slope * slope;
                    *weight -= rate * (*mean / known[0]) / ((*square / known[1]).sqrt() + 1e-8);
                }
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::bidding::CallRows;
    use coinche_bots::net::bidding::{BiddingLayers, CallTarget};
    use coinche_engine::Seed;
    use coinche_selfplay::base::threads;

    #[test]
    fn what_is_shown_is_learnt_on_any_number_of_threads() {
        let mut rows = CallRows::default();
        for n in 0..30_000u16 {
            let (on, high) = (n % 2 == 1, n % 3 == 0);
            let input = [(5, if on { 1.0 } else { 0.0 }), (9, if high { 1.0 } else { 0.0 })];
            let gain = if on && high { 2.0 } else { -1.0 };
            rows.push(&input, CallTarget { gain: Some(gain), made: Some(on), score: gain });
        }
        let mut learnt = Vec::new();
        for threads in [1, 3] {
            let mut layers: BiddingLayers = random(Secrets::from(&Seed::from(8)), 40.0);
            let pool = threads::pool(threads).unwrap();
            let rows: &[CallRows] = core::slice::from_ref(&rows);
            // Small batches, so that a few thousand rows suffice.
            let pace = Pace { times: 1, batch: 64, part: 16, rates: [1e-2, 1e-3], warm: 5 };
            let (_, first) = fit(&mut layers, rows, pace, Key::from_bits(1), &pool);
            let (_, last) = fit(&mut layers, rows, pace, Key::from_bits(2), &pool);
            assert!(
                last.mean(0) < first.mean(0) / 9.0 && last.mean(1) < first.mean(1) / 1.5,
                "{first:?} {last:?}"
            );
            learnt.push(layers);
        }
        assert_eq!(learnt[0], learnt[1]);
    }
}
