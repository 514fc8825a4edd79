//! Stochastic gradient descent: Adam (Kingma & Ba 2015) on batches, the parts of a batch on all threads.
//!
//! Nothing here depends on the machine or on the number of threads: sums are made in one order, and no function is used whose last bit a
//! library may choose.

use coinche_bots::net::{Gradient, HIDDEN, INPUTS, Layers, Loss};
use coinche_engine::{Key, Purpose, Secrets};
use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::Round;
use super::rows::Rows;

/// How fast it goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// Rows of a batch, and of a part of it that one thread takes.
    batch: usize,
    part: usize,
    /// The rate of learning at the start of a round, after so many steps in which it rises, and at its end.
    rates: [f32; 2],
    warm: usize,
}

/// The pace of training.
pub(super) const PACE: Pace = Pace { batch: 2048, part: 256, rates: [1e-3, 5e-5], warm: 50 };
/// How fast Adam forgets the mean and the mean square of slopes.
const DECAY: [f32; 2] = [0.9, 0.999];

/// Returns a network with random weights (He et al. 2015).
pub(super) fn random(secrets: Secrets) -> Layers {
    let mut layers = Layers::default();
    let mut key = secrets.key(Purpose::Experiment, 0, 2);
    // About a fifth of the inputs have a value.
    let most = [6.0 / (float(INPUTS) / 5.0), 6.0 / float(HIDDEN[0]), 0.01].map(f32::sqrt);
    for (most, weights) in most.into_iter().zip(layers.tensors_mut().into_iter().step_by(2)) {
        for weight in weights {
            key = key.and(1);
            *weight = most * (float(key.below(65_536)) / 32_768.0 - 1.0);
        }
    }
    layers
}

/// A number below 2^24, exactly.
#[expect(clippy::cast_precision_loss, reason = "counts of steps and of units are small")]
const fn float(n: usize) -> f32 {
    n as f32
}

/// Lets the layers learn from the rows, each once, in random order.
pub(super) fn fit(layers: &mut Layers, rows: &[Rows], pace: Pace, key: Key, pool: &ThreadPool) -> Round {
    let order = shuffled(rows, key);
    let steps = (order.len() / pace.batch).max(1);
    let mut parts: Vec<Gradient> = (0..pace.batch / pace.part).map(|_| Gradient::default()).collect();
    let mut adam = Adam::default();
    let mut loss = Loss::default();
    for step in 0..steps {
        pool.install(|| {
            parts.par_iter_mut().enumerate().for_each(|(number, part)| {
                part.clear();
                for n in 0..pace.part {
                    let (of, row) = order[(step * pace.batch + number * pace.part + n) % order.len()];
                    let (input, target) = rows[of].get(row);
                    part.add_call(layers, input, target);
                }
            });
        });
        let Some((sum, others)) = parts.split_first_mut() else { break };
        for part in others {
            sum.add(part);
        }
        loss.add(sum.loss);
        let [first, last] = pace.rates;
        let rate = first + (last - first) * (float(step) / float(steps));
        let warm = float(step) / float(pace.warm);
        adam.step(layers, &sum.slopes, pace.batch, rate * warm.min(1.0));
    }
    let mean = |(sum, count): (f64, f64)| sum / count.max(1.0);
    Round { calls: order.len(), gain: 100.0 * mean(loss.gain).sqrt(), made: mean(loss.made) }
}

/// All rows in random order (Fisher & Yates).
fn shuffled(rows: &[Rows], key: Key) -> Vec<(usize, usize)> {
    let all = rows.iter().enumerate();
    let mut order: Vec<_> = all.flat_map(|(of, rows)| (0..rows.len()).map(move |row| (of, row))).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, key.and(at as u64).below(at + 1));
    }
    order
}

/// What Adam remembers.
#[derive(Debug)]
struct Adam {
    mean: Layers,
    square: Layers,
    /// What is left of the zeros that it began with.
    left: [f32; 2],
}

impl Default for Adam {
    fn default() -> Self {
        Self { mean: Layers::default(), square: Layers::default(), left: [1.0; 2] }
    }
}

impl Adam {
    /// Takes a step, by the sum of the slopes of a batch.
    fn step(&mut self, layers: &mut Layers, gradient: &Layers, batch: usize, rate: f32) {
        self.left = [self.left[0] * DECAY[0], self.left[1] * DECAY[1]];
        let known = self.left.map(|left| 1.0 - left);
        let tensors = layers.tensors_mut().into_iter().zip(gradient.tensors());
        let moments = self.mean.tensors_mut().into_iter().zip(self.square.tensors_mut());
        for ((weights, slopes), (means, squares)) in tensors.zip(moments) {
            let moments = means.iter_mut().zip(squares);
            for ((weight, slope), (mean, square)) in weights.iter_mut().zip(slopes).zip(moments) {
                let slope = slope / float(batch);
                *mean = DECAY[0] * *mean + (1.0 - DECAY[0]) * slope;
                *square = DECAY[1] * *square + (1.0 - DECAY[1]) * slope * slope;
                *weight -= rate * (*mean / known[0]) / ((*square / known[1]).sqrt() + 1e-8);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coinche_bots::net::Target;
    use coinche_engine::Seed;
    use coinche_selfplay::base::threads;

    #[test]
    fn what_is_shown_is_learnt_on_any_number_of_threads() {
        let mut rows = Rows::default();
        for n in 0..30_000u16 {
            let (on, high) = (n % 2 == 1, n % 3 == 0);
            let input = [(5, if on { 1.0 } else { 0.0 }), (9, if high { 1.0 } else { 0.0 })];
            let gain = if on && high { 2.0 } else { -1.0 };
            rows.push(&input, Target { gain: Some(gain), made: Some(on), score: gain });
        }
        let mut learnt = Vec::new();
        for threads in [1, 3] {
            let mut layers = random(Secrets::from(&Seed::from(8)));
            let pool = threads::pool(threads).unwrap();
            let rows = core::slice::from_ref(&rows);
            // Small batches, so that a few thousand rows do.
            let pace = Pace { batch: 64, part: 16, rates: [1e-2, 1e-3], warm: 5 };
            let first = fit(&mut layers, rows, pace, Key::from_bits(1), &pool);
            let last = fit(&mut layers, rows, pace, Key::from_bits(2), &pool);
            assert!(last.gain < first.gain / 3.0 && last.made < first.made / 1.5, "{first:?} {last:?}");
            learnt.push(layers);
        }
        assert_eq!(learnt[0], learnt[1]);
    }
}
