//! How the weights of a network must change so that its outputs come nearer to what was seen.

use super::network::{HIDDEN, Layers, OUTPUTS, add_row, dot};
use crate::table::logistic;

/// How much the outputs count in what is minimised: gain, odds, score.
const WEIGHTS: [f32; OUTPUTS] = [1.0, 0.5, 0.1];

/// What came of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    /// What it gained over a pass, in hundreds of points; `None` of a pass.
    pub gain: Option<f32>,
    /// Whether its contract was made, if it became that of the deal.
    pub made: Option<bool>,
    /// The score of the deal, own side less other side, in hundreds of points.
    pub score: f32,
}

/// Sums of losses, each with the number of calls that it is of.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Loss {
    /// The squares of what gains are off by, in hundreds of points.
    pub gain: (f64, f64),
    /// The log loss of whether contracts are made.
    pub made: (f64, f64),
}

impl Loss {
    /// Adds other sums.
    pub fn add(&mut self, other: Self) {
        for (sum, more) in [(&mut self.gain, other.gain), (&mut self.made, other.made)] {
            sum.0 += more.0;
            sum.1 += more.1;
        }
    }
}

/// The sum of the slopes of some calls: how what is minimised changes with each weight.
///
/// What is minimised is half the squared error of gain and score and the log loss of the odds, weighted 1, 0.1 and 0.5.
#[derive(Debug, Clone, Default)]
pub struct Gradient {
    /// By weight.
    pub slopes: Layers,
    /// What was minimised.
    pub loss: Loss,
}

impl Gradient {
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

    /// Adds the slopes of a call, given the inputs that are not zero and what came of it (Rumelhart, Hinton & Williams 1986).
    pub fn add_call(
        &mut self,
        layers: &Layers,
        input: impl Iterator<Item = (usize, f32)> + Clone,
        target: Target,
    ) {
        let mut first = layers.first_bias;
        for (at, value) in input.clone() {
            add_row(&mut first, &layers.first[at], value);
        }
        let first = first.map(|sum| sum.max(0.0));
        let mut second = layers.second_bias;
        for (unit, row) in first.iter().zip(&layers.second) {
            add_row(&mut second, row, *unit);
        }
        let second = second.map(|sum| sum.max(0.0));
        let outputs = core::array::from_fn(|n| layers.third_bias[n] + dot(&second, &layers.third[n]));
        let (off, loss) = off(outputs, target);
        self.loss.add(loss);
        let gradient = &mut self.slopes;
        let mut of_second = [0.0; HIDDEN[1]];
        for (n, off) in off.into_iter().enumerate() {
            add_row(&mut gradient.third[n], &second, off);
            gradient.third_bias[n] += off;
            add_row(&mut of_second, &layers.third[n], off);
        }
        for (slope, unit) in of_second.iter_mut().zip(&second) {
            // A unit that is zero does not change with its inputs.
            *slope *= if *unit > 0.0 { 1.0 } else { 0.0 };
        }
        add_row(&mut gradient.second_bias, &of_second, 1.0);
        let mut of_first = [0.0; HIDDEN[0]];
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

/// How far the outputs are off for a row: the slopes of what is minimised, and the losses.
fn off(outputs: [f32; OUTPUTS], target: Target) -> ([f32; OUTPUTS], Loss) {
    let (mut off, mut loss) = ([0.0; OUTPUTS], Loss::default());
    if let Some(gain) = target.gain {
        off[0] = outputs[0] - gain;
        loss.gain = (f64::from(off[0] * off[0]), 1.0);
    }
    if let Some(made) = target.made {
        let chance = logistic(outputs[1]);
        off[1] = chance - if made { 1.0 } else { 0.0 };
        loss.made = (-f64::from(1.0 - off[1].abs()).max(1e-6).ln(), 1.0);
    }
    off[2] = outputs[2] - target.score;
    for (off, weight) in off.iter_mut().zip(WEIGHTS) {
        *off *= weight;
    }
    (off, loss)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Weights between −0.2 and 0.2.
    fn random() -> Layers {
        let (mut layers, mut key) = (Layers::default(), coinche_engine::Key::from_bits(8));
        for weight in layers.tensors_mut().into_iter().flatten() {
            key = key.and(1);
            *weight = f32::from(u8::try_from(key.below(256)).unwrap()) / 640.0 - 0.2;
        }
        layers
    }

    const INPUT: [(u8, f32); 4] = [(3, 1.0), (40, -0.5), (41, 2.0), (200, 1.0)];

    fn target(gain: Option<f32>, made: Option<bool>) -> Target {
        Target { gain, made, score: -1.5 }
    }

    fn input() -> impl Iterator<Item = (usize, f32)> + Clone {
        INPUT.into_iter().map(|(at, value)| (usize::from(at), value))
    }

    /// What is minimised, in the plainest way.
    fn loss(layers: &Layers, target: Target) -> f64 {
        let relu = |sum: f64| sum.max(0.0);
        let first: Vec<f64> = (0..HIDDEN[0])
            .map(|to| {
                let sum = input()
                    .map(|(at, value)| f64::from(layers.first[at][to]) * f64::from(value))
                    .sum::<f64>();
                relu(sum + f64::from(layers.first_bias[to]))
            })
            .collect();
        let second: Vec<f64> = (0..HIDDEN[1])
            .map(|to| {
                let sum =
                    (0..HIDDEN[0]).map(|from| first[from] * f64::from(layers.second[from][to])).sum::<f64>();
                relu(sum + f64::from(layers.second_bias[to]))
            })
            .collect();
        let output = |n: usize| -> f64 {
            (0..HIDDEN[1]).map(|from| second[from] * f64::from(layers.third[n][from])).sum::<f64>()
                + f64::from(layers.third_bias[n])
        };
        let mut loss = 0.05 * (output(2) - f64::from(target.score)).powi(2);
        if let Some(gain) = target.gain {
            loss += 0.5 * (output(0) - f64::from(gain)).powi(2);
        }
        if let Some(made) = target.made {
            let odds = if made { output(1) } else { -output(1) };
            loss += 0.5 * (1.0 + (-odds).exp()).ln();
        }
        loss
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        let layers = random();
        for target in [target(Some(0.7), Some(true)), target(None, Some(false)), target(Some(-3.0), None)] {
            let mut gradient = Gradient::default();
            gradient.add_call(&layers, input(), target);
            let mut seen = 0;
            for tensor in 0..6 {
                let slopes = gradient.slopes.tensors()[tensor].to_vec();
                // Every one that is not zero in small tensors, some of the large ones.
                for (at, slope) in slopes.iter().enumerate().filter(|(at, it)| **it != 0.0 && at % 7 == 0) {
                    let moved = |by: f32| {
                        let mut layers = layers.clone();
                        layers.tensors_mut()[tensor][at] += by;
                        loss(&layers, target)
                    };
                    let literal = (moved(1e-3) - moved(-1e-3)) / 2e-3;
                    let slope = f64::from(*slope);
                    assert!(
                        (literal - slope).abs() < 0.02 * slope.abs() + 2e-3,
                        "{tensor} {at}: {slope} {literal}"
                    );
                    seen += 1;
                }
            }
            assert!(seen > 100, "{seen}");
        }
    }
}
