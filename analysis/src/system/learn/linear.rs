//! Scores with small whole weights: a sum of a few words that decides when a call gains.
//!
//! Words are added one by one, each the one with which a regression of the gain explains most; the weights are rounded to
//! a few whole numbers, and the least score is the one from which on the call gains most.

use core::fmt::Write as _;
use std::collections::BTreeMap;

use coinche_inference::linear::{Cholesky, Matrix};

/// The most words of a score.
const MOST: usize = 6;
/// The largest weights that are tried.
const LARGEST: [i32; 4] = [2, 3, 4, 6];

/// A sum of words, and the least that it must be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Score {
    /// Words by number, with their weights.
    pub(super) terms: Vec<(usize, i32)>,
    pub(super) least: i32,
}

impl Score {
    pub(super) fn text(&self, words: &[String]) -> String {
        let mut terms = self.terms.clone();
        terms.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
        let mut text = String::new();
        for (n, (word, weight)) in terms.iter().enumerate() {
            let sign = if *weight < 0 { " - " } else { " + " };
            text += match (n, *weight < 0) {
                (0, true) => "0 - ",
                (0, false) => "",
                _ => sign,
            };
            let word = &words[*word];
            let word = if word.contains(" + ") { format!("({word})") } else { word.clone() };
            if weight.abs() > 1 {
                let _ = write!(text, "{} * ", weight.abs());
            }
            text += &word;
        }
        format!("{text} >= {}", self.least)
    }

    fn of(&self, words: &[i16]) -> i32 {
        self.terms.iter().map(|(word, weight)| weight * i32::from(words[*word])).sum()
    }
}

/// Returns the best scores of each number of words, with what they are worth: `value` is given the sum of the gains, that of
/// their squares, and the number of words.
pub(super) fn scores(
    rows: &[(i32, &[i16])],
    words: &[usize],
    value: impl Fn(f64, f64, usize) -> f64,
) -> Vec<(Score, f64)> {
    let products = Products::of(rows, words);
    let mut chosen: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for _ in 0..MOST.min(words.len()) {
        let free = (0..words.len()).filter(|n| !chosen.contains(n));
        let with = free.filter_map(|n| {
            let with: Vec<usize> = chosen.iter().copied().chain([n]).collect();
            let (weights, explained) = products.regress(&with)?;
            Some((with, weights, explained))
        });
        let Some((with, weights, _)) = with.max_by(|a, b| a.2.total_cmp(&b.2)) else { break };
        chosen = with;
        let largest = weights.iter().fold(0.0_f64, |most, weight| most.max(weight.abs()));
        if largest <= 0.0 {
            break;
        }
        let best = LARGEST.into_iter().filter_map(|scale| {
            #[expect(clippy::cast_possible_truncation, reason = "it is at most the scale")]
            let rounded = weights.iter().map(|weight| (f64::from(scale) * weight / largest).round() as i32);
            let terms: Vec<_> =
                chosen.iter().map(|n| words[*n]).zip(rounded).filter(|(_, weight)| *weight != 0).collect();
            if terms.is_empty() { None } else { threshold(rows, Score { terms, least: 0 }, &value) }
        });
        found.extend(best.max_by(|a, b| a.1.total_cmp(&b.1)));
    }
    found
}

/// Sets the least score from which on the rows gain most.
fn threshold(
    rows: &[(i32, &[i16])],
    mut score: Score,
    value: &impl Fn(f64, f64, usize) -> f64,
) -> Option<(Score, f64)> {
    let mut by_score: BTreeMap<i32, [i64; 2]> = BTreeMap::new();
    for (gain, words) in rows {
        let gain = i64::from(*gain);
        let [sum, squares] = by_score.entry(score.of(words)).or_default();
        *sum += gain;
        *squares += gain * gain;
    }
    let (mut sum, mut squares, mut best) = (0, 0, None::<(i32, f64)>);
    for (least, [more, more_squares]) in by_score.into_iter().rev() {
        sum += more;
        squares += more_squares;
        let now = value(sum as f64, squares as f64, score.terms.len());
        if best.is_none_or(|(_, value)| now > value) {
            best = Some((least, now));
        }
    }
    let (least, value) = best?;
    let common = score.terms.iter().fold(0, |common, (_, weight)| gcd(common, weight.abs()));
    score.terms.iter_mut().for_each(|(_, weight)| *weight /= common);
    score.least = -(-least).div_euclid(common);
    Some((score, value))
}

fn gcd(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Sums of products of words, about their means, and with the gain.
struct Products {
    words: Matrix,
    gain: Vec<f64>,
}

impl Products {
    fn of(rows: &[(i32, &[i16])], words: &[usize]) -> Self {
        let n = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        let size = words.len();
        // Whole numbers, so that their order does not matter.
        let mut sums = vec![0_i64; size + 1];
        let mut squares = vec![0_i64; size * (size + 1)];
        let mut row = vec![0_i64; size + 1];
        for (gain, values) in rows {
            words.iter().zip(&mut row).for_each(|(word, value)| *value = values[*word].into());
            row[size] = (*gain).into();
            for i in 0..size {
                for j in i..=size {
                    squares[i * (size + 1) + j] += row[i] * row[j];
                }
            }
            sums.iter_mut().zip(&row).for_each(|(sum, value)| *sum += value);
        }
        let about = |i: usize, j: usize| {
            let [i, j] = [i.min(j), i.max(j)];
            (n * squares[i * (size + 1) + j] - sums[i] * sums[j]) as f64 / (n * n) as f64
        };
        let gain = (0..size).map(|i| about(i, size)).collect();
        Self { words: Matrix::from_fn(size, size, about), gain }
    }

    /// Regresses the gain on some words: weights, and how much they explain.
    fn regress(&self, of: &[usize]) -> Option<(Vec<f64>, f64)> {
        let matrix = Matrix::from_fn(of.len(), of.len(), |i, j| self.words[(of[i], of[j])]);
        // Words that say the same cannot be told apart.
        if of.iter().any(|n| self.words[(*n, *n)] < 1e-9) {
            return None;
        }
        let right: Vec<f64> = of.iter().map(|n| self.gain[*n]).collect();
        let weights = Cholesky::new(&matrix)?.solve(&right);
        let explained = weights.iter().zip(&right).map(|(a, b)| a * b).sum::<f64>();
        explained.is_finite().then_some((weights, explained))
    }
}
