//! What the bidder's network learns from a call that was tried.

use super::input::INPUTS;
use super::network::{HIDDEN, OUTPUTS};
use crate::net::gradient::{Gradient, InputRows, Learnt, Loss, Target};
use crate::net::layers::Layers;
use crate::table::logistic;

/// How much the outputs count in what is minimised: gain, odds, score.
const WEIGHTS: [f32; OUTPUTS] = [1.0, 0.5, 0.1];

/// What came of a call.
///
/// What is minimised is half the squared error of gain and score and the log loss of the odds, weighted 1, 0.1 and 0.5. The losses are that of
/// the gain, squared, in hundreds of points, and that of the odds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CallTarget {
    /// What it gained over a pass, in hundreds of points; `None` of a pass.
    pub gain: Option<f32>,
    /// Whether its contract was made, if it became that of the deal.
    pub made: Option<bool>,
    /// The score of the deal, own side less other side, in hundreds of points.
    pub score: f32,
}

learnt!(CallTarget: INPUTS, HIDDEN, OUTPUTS);

impl Target<OUTPUTS> for CallTarget {
    fn off(&self, outputs: &[f32; OUTPUTS]) -> ([f32; OUTPUTS], Loss) {
        let (mut off, mut loss) = ([0.0; OUTPUTS], Loss::default());
        if let Some(gain) = self.gain {
            off[0] = outputs[0] - gain;
            loss.0[0] = (f64::from(off[0] * off[0]), 1.0);
        }
        if let Some(made) = self.made {
            let chance = logistic(outputs[1]);
            off[1] = chance - if made { 1.0 } else { 0.0 };
            loss.0[1] = (-libm::log(f64::from(1.0 - off[1].abs()).max(1e-6)), 1.0);
        }
        off[2] = outputs[2] - self.score;
        for (off, weight) in off.iter_mut().zip(WEIGHTS) {
            *off *= weight;
        }
        (off, loss)
    }
}

#[cfg(test)]
mod tests {
    use super::super::network::{BiddingLayers, HIDDEN};
    use super::*;
    use crate::net::gradient::Gradient;

    /// Weights between −0.2 and 0.2.
    fn random() -> BiddingLayers {
        let (mut layers, mut key) = (BiddingLayers::default(), coinche_engine::Key::from_bits(8));
        for weight in layers.tensors_mut().into_iter().flatten() {
            key = key.and(1);
            *weight = f32::from(u8::try_from(key.below(256)).unwrap()) / 640.0 - 0.2;
        }
        layers
    }

    const INPUT: [(u8, f32); 4] = [(3, 1.0), (40, -0.5), (41, 2.0), (200, 1.0)];

    fn target(gain: Option<f32>, made: Option<bool>) -> CallTarget {
        CallTarget { gain, made, score: -1.5 }
    }

    fn input() -> impl Iterator<Item = (usize, f32)> + Clone {
        INPUT.into_iter().map(|(at, value)| (usize::from(at), value))
    }

    /// What is minimised, in the plainest way.
    fn loss(layers: &BiddingLayers, target: CallTarget) -> f64 {
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
            loss += 0.5 * libm::log(1.0 + libm::exp(-odds));
        }
        loss
    }

    #[test]
    fn slopes_are_those_of_the_loss() {
        let layers = random();
        for target in [target(Some(0.7), Some(true)), target(None, Some(false)), target(Some(-3.0), None)] {
            let mut gradient = Gradient::default();
            gradient.add_row(&layers, input(), &target);
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
