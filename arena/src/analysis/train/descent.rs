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

/// Rows of a batch, and of a part of it that one thread takes.
const BATCH: usize = 2048;
const PART: usize = 256;
/// The rate of learning at the start of a round, after so many steps in which it rises, and at its end.
const RATES: [f32; 2] = [1e-3, 5e-5];
const WARM: f32 = 50.0;
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
pub(super) fn fit(layers: &mut Layers, rows: &[Rows], key: Key, pool: &ThreadPool) -> Round {
    let order = shuffled(rows, key);
    let steps = (order.len() / BATCH).max(1);
    let mut parts: Vec<Gradient> = (0..BATCH / PART).map(|_| Gradient::default()).collect();
    let mut adam = Adam::default();
    let mut loss = Loss::default();
    for step in 0..steps {
        pool.install(|| {
            parts.par_iter_mut().enumerate().for_each(|(number, part)| {
                part.clear();
                for n in 0..PART {
                    let (of, row) = order[(step * BATCH + number * PART + n) % order.len()];
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
        let rate = RATES[0] + (RATES[1] - RATES[0]) * (float(step) / float(steps));
        adam.step(layers, &sum.slopes, rate * (float(step) / WARM).min(1.0));
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
    fn step(&mut self, layers: &mut Layers, gradient: &Layers, rate: f32) {
        self.left = [self.left[0] * DECAY[0], self.left[1] * DECAY[1]];
        let known = self.left.map(|left| 1.0 - left);
        let tensors = layers.tensors_mut().into_iter().zip(gradient.tensors());
        let moments = self.mean.tensors_mut().into_iter().zip(self.square.tensors_mut());
        for ((weights, slopes), (means, squares)) in tensors.zip(moments) {
            let moments = means.iter_mut().zip(squares);
            for ((weight, slope), (mean, square)) in weights.iter_mut().zip(slopes).zip(moments) {
                let slope = slope / float(BATCH);
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
        for n in 0..20_000u16 {
            let (on, high) = (n % 2 == 1, n % 3 == 0);
            let input = [(5, f32::from(u8::from(on))), (9, f32::from(u8::from(high)))];
            let gain = if on && high { 2.0 } else { -1.0 };
            rows.push(&input, Target { gain: Some(gain), made: Some(on), score: gain });
        }
        let mut learnt = Vec::new();
        for threads in [1, 3] {
            let mut layers = random(Secrets::from(&Seed::from(8)));
            let pool = threads::pool(threads).unwrap();
            let rows = core::slice::from_ref(&rows);
            let first = fit(&mut layers, rows, Key::from_bits(1), &pool);
            let rounds = (2..24).map(|n| fit(&mut layers, rows, Key::from_bits(n), &pool));
            let last = rounds.last().unwrap();
            assert!(last.gain < 20.0 && last.gain < first.gain / 3.0, "{first:?} {last:?}");
            assert!(last.made < 0.2, "{last:?}");
            learnt.push(layers);
        }
        assert_eq!(learnt[0], learnt[1]);
    }
}
