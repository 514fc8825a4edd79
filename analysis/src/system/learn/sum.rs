//! Sums with small whole weights, and the search for the one that gains most.

use core::fmt::Write as _;
use std::collections::BTreeMap;

/// The most words of a sum, and the largest weight.
const MOST: usize = 5;
const LARGEST: i32 = 8;
/// The steps by which a weight changes.
const STEPS: [i32; 6] = [-3, -2, -1, 1, 2, 3];

/// A sum of words, and the least that it must be. Without words it is too little everywhere.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sum {
    /// Words by number, with their weights.
    pub(super) terms: Vec<(usize, i32)>,
    pub(super) least: i32,
}

impl Sum {
    /// Tests if it is enough, given what the words are.
    pub(super) fn holds(&self, word: impl Fn(usize) -> i16) -> bool {
        !self.terms.is_empty()
            && self.terms.iter().map(|(n, weight)| weight * i32::from(word(*n))).sum::<i32>() >= self.least
    }

    pub(super) fn text(&self, words: &[String]) -> String {
        let mut terms = self.terms.clone();
        terms.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
        let mut text = String::new();
        for (n, (word, weight)) in terms.iter().enumerate() {
            text += match (n, *weight < 0) {
                (0, true) => "0 - ",
                (0, false) => "",
                (_, true) => " - ",
                (_, false) => " + ",
            };
            if weight.abs() > 1 {
                let _ = write!(text, "{} * ", weight.abs());
            }
            text += &words[*word];
        }
        format!("{text} >= {}", self.least)
    }
}

/// A search for the sum that gains most: it takes the change of a weight that gains most, as long as one does.
pub(super) struct Climb {
    /// By word and turn.
    pub(super) columns: Vec<Vec<i16>>,
    /// What a turn gains where the sum is enough.
    pub(super) gains: Vec<i32>,
    /// What a word must gain.
    pub(super) price: f64,
}

/// A sum on its way: all weights, the sum at each turn, and what it gains.
#[derive(Clone)]
struct Step {
    weights: Vec<i32>,
    sums: Vec<i32>,
    value: f64,
}

impl Climb {
    /// Returns what a sum gains with its best threshold, and the threshold, after a word is counted so many times more.
    fn threshold(&self, sums: &[i32], word: usize, more: i32) -> (i64, i32) {
        let column = &self.columns[word];
        let sum = |(sum, word): (&i32, &i16)| sum + more * i32::from(*word);
        let all = || sums.iter().zip(column).map(sum);
        let range = all().fold(None, |range: Option<(i32, i32)>, sum| {
            Some(range.map_or((sum, sum), |(low, high)| (low.min(sum), high.max(sum))))
        });
        let Some((low, high)) = range else { return (0, 0) };
        let mut of_sum = vec![0_i64; usize::try_from(high - low).unwrap_or_default() + 1];
        for (sum, gain) in all().zip(&self.gains) {
            of_sum[usize::try_from(sum - low).unwrap_or_default()] += i64::from(*gain);
        }
        let (mut gain, mut best) = (0, (0, high + 1));
        for (least, more) in (low..=high).rev().zip(of_sum.into_iter().rev()) {
            gain += more;
            if gain > best.0 {
                best = (gain, least);
            }
        }
        best
    }

    fn value(&self, gain: i64, words: usize) -> f64 {
        gain as f64 - self.price * words as f64
    }

    /// Takes the best change of the weights of some words, if one gains.
    fn climb(&self, from: &Step, changes: impl Iterator<Item = (usize, i32)>) -> Option<Step> {
        let words = from.weights.iter().filter(|weight| **weight != 0).count();
        let mut best: Option<(f64, usize, i32)> = None;
        for (word, more) in changes {
            let [was, is] = [from.weights[word], from.weights[word] + more];
            let words = words + usize::from(is != 0) - usize::from(was != 0);
            if words > MOST || is.abs() > LARGEST {
                continue;
            }
            let value = self.value(self.threshold(&from.sums, word, more).0, words);
            if value > best.map_or(from.value, |best| best.0) {
                best = Some((value, word, more));
            }
        }
        let (value, word, more) = best?;
        let mut step = Step { value, ..from.clone() };
        step.weights[word] += more;
        step.sums.iter_mut().zip(&self.columns[word]).for_each(|(sum, word)| *sum += more * i32::from(*word));
        Some(step)
    }

    /// All weights twice, so that they change by less.
    fn finer(from: &Step) -> Option<Step> {
        let is_small = from.weights.iter().all(|weight| 2 * weight.abs() <= LARGEST);
        is_small.then(|| {
            let twice = |of: &[i32]| of.iter().map(|it| 2 * it).collect();
            Step { weights: twice(&from.weights), sums: twice(&from.sums), value: from.value }
        })
    }

    /// One word in the place of another.
    fn exchanged(&self, from: &Step) -> Option<Step> {
        let used = (0..from.weights.len()).filter(|word| from.weights[*word] != 0);
        let free: Vec<usize> = (0..from.weights.len()).filter(|word| from.weights[*word] == 0).collect();
        let exchanged = used.filter_map(|word| {
            let weight = from.weights[word];
            let mut without = from.clone();
            without.weights[word] = 0;
            let column = &self.columns[word];
            without.sums.iter_mut().zip(column).for_each(|(sum, word)| *sum -= weight * i32::from(*word));
            let weights = [weight, -weight, 1, -1, 2, -2];
            self.climb(&without, free.iter().flat_map(|word| weights.map(|weight| (*word, weight))))
        });
        exchanged.reduce(|a, b| if b.value > a.value { b } else { a })
    }

    /// Returns what a sum gains at some of the turns, with the best threshold there.
    pub(super) fn bounded(&self, sum: &Sum, holds: impl Fn(usize) -> bool) -> i64 {
        let mut of_sum = BTreeMap::<i32, i64>::new();
        for row in (0..self.gains.len()).filter(|row| holds(*row)) {
            let sum =
                sum.terms.iter().map(|(word, weight)| weight * i32::from(self.columns[*word][row])).sum();
            *of_sum.entry(sum).or_default() += i64::from(self.gains[row]);
        }
        let sums = of_sum.into_values().rev().scan(0, |gain, more| {
            *gain += more;
            Some(*gain)
        });
        sums.max().unwrap_or_default()
    }

    /// Climbs from a sum; returns where it ends, and what that gains less what its words cost.
    pub(super) fn from(&self, sum: &Sum) -> (Sum, f64) {
        let mut weights = vec![0; self.columns.len()];
        sum.terms.iter().for_each(|(word, weight)| weights[*word] = *weight);
        let of_row = |row: usize| {
            sum.terms.iter().map(|(word, weight)| weight * i32::from(self.columns[*word][row])).sum()
        };
        let sums: Vec<i32> = (0..self.gains.len()).map(of_row).collect();
        let value = self.value(self.threshold(&sums, 0, 0).0, sum.terms.len());
        let mut step = Step { weights, sums, value };
        let all = |steps: &'static [i32]| {
            (0..self.columns.len()).flat_map(move |word| steps.iter().map(move |more| (word, *more)))
        };
        while let Some(next) = self
            .climb(&step, all(&STEPS))
            .or_else(|| self.climb(&Self::finer(&step)?, all(&[-1, 1])))
            .or_else(|| self.exchanged(&step))
        {
            step = next;
        }
        let (_, least) = self.threshold(&step.sums, 0, 0);
        let common = step.weights.iter().fold(0, |common, weight| gcd(common, weight.abs()));
        if common == 0 {
            return (Sum::default(), 0.0);
        }
        let terms = step.weights.iter().enumerate().filter(|(_, weight)| **weight != 0);
        let terms = terms.map(|(word, weight)| (word, weight / common)).collect();
        (Sum { terms, least: -(-least).div_euclid(common) }, step.value)
    }
}

fn gcd(a: i32, b: i32) -> i32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
