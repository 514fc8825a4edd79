//! Sums with small whole weights, and the search for the one that gains most.

use core::fmt::Write as _;
use core::ops::RangeInclusive;

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

/// What turns gain, by the sum there and the value of a word: a row for each sum.
struct Joint {
    sums: RangeInclusive<i32>,
    values: RangeInclusive<i32>,
    gains: Vec<i64>,
}

impl Joint {
    /// Returns what a sum gains with its best threshold after the word is counted so many times more.
    fn best(&self, more: i32) -> i64 {
        let ends = [self.values.start(), self.values.end()].map(|value| more * value);
        let low = self.sums.start() + ends[0].min(ends[1]);
        let high = self.sums.end() + ends[0].max(ends[1]);
        let mut of_sum = vec![0; width(&(low..=high))];
        for (row, sum) in self.gains.chunks(width(&self.values)).zip(self.sums.clone()) {
            for (gain, value) in row.iter().zip(self.values.clone()) {
                of_sum[place(sum + more * value, low)] += gain;
            }
        }
        best_threshold(&of_sum, low).0
    }
}

/// The place of a number in a list that begins with `low`.
fn place(number: i32, low: i32) -> usize {
    usize::try_from(number - low).unwrap_or_default()
}

fn width(range: &RangeInclusive<i32>) -> usize {
    place(*range.end(), *range.start()) + 1
}

/// Returns the range of some numbers; `None` if there are none.
fn range<T: Copy + Into<i32>>(numbers: &[T]) -> Option<RangeInclusive<i32>> {
    let (mut low, mut high) = (i32::MAX, i32::MIN);
    for number in numbers {
        let number = (*number).into();
        (low, high) = (number.min(low), number.max(high));
    }
    (low <= high).then_some(low..=high)
}

/// Returns what a sum gains with its best threshold, and the threshold, given what each sum from `low` on gains.
fn best_threshold(of_sum: &[i64], low: i32) -> (i64, i32) {
    let mut best = (0, low + i32::try_from(of_sum.len()).unwrap_or(i32::MAX));
    let mut gain = 0;
    for (least, more) in (low..best.1).rev().zip(of_sum.iter().rev()) {
        gain += more;
        if gain > best.0 {
            best = (gain, least);
        }
    }
    best
}

/// Returns the different numbers among some, in order, and the place of each one there.
fn places<T: Copy + Ord>(numbers: &[T]) -> (Vec<T>, Vec<usize>) {
    let mut different = numbers.to_vec();
    different.sort_unstable();
    different.dedup();
    let places = numbers.iter().map(|number| different.partition_point(|other| other < number)).collect();
    (different, places)
}

impl Climb {
    /// Returns what a sum gains with its best threshold, and the threshold.
    fn threshold(&self, sums: &[i32]) -> (i64, i32) {
        let Some(range) = range(sums) else { return (0, 0) };
        let mut of_sum = vec![0; width(&range)];
        for (sum, gain) in sums.iter().zip(&self.gains) {
            of_sum[place(*sum, *range.start())] += i64::from(*gain);
        }
        best_threshold(&of_sum, *range.start())
    }

    /// Adds up the gains by sum and value of a word; `None` if there are no turns, or so many sums and values that it does not pay.
    fn joint(&self, sums: &[i32], word: usize) -> Option<Joint> {
        let column = &self.columns[word];
        let (rows, values) = (range(sums)?, range(column)?);
        let (across, low, least) = (width(&values), *rows.start(), *values.start());
        let cells = across * width(&rows);
        if cells > sums.len() {
            return None;
        }
        let mut gains = vec![0; cells];
        for ((sum, value), gain) in sums.iter().zip(column).zip(&self.gains) {
            gains[across * place(*sum, low) + place((*value).into(), least)] += i64::from(*gain);
        }
        Some(Joint { sums: rows, values, gains })
    }

    /// The sums after a word is counted so many times more.
    fn changed(&self, sums: &[i32], word: usize, more: i32) -> Vec<i32> {
        sums.iter().zip(&self.columns[word]).map(|(sum, value)| sum + more * i32::from(*value)).collect()
    }

    fn value(&self, gain: i64, words: usize) -> f64 {
        gain as f64 - self.price * words as f64
    }

    /// Takes the best change of the weights of some words, if one gains.
    fn climb(&self, from: &Step, changes: impl Iterator<Item = (usize, i32)>) -> Option<Step> {
        let words = from.weights.iter().filter(|weight| **weight != 0).count();
        let mut best: Option<(f64, usize, i32)> = None;
        // All changes of a word follow each other.
        let mut joint: Option<(usize, Option<Joint>)> = None;
        for (word, more) in changes {
            let [was, is] = [from.weights[word], from.weights[word] + more];
            let words = words + usize::from(is != 0) - usize::from(was != 0);
            if words > MOST || is.abs() > LARGEST {
                continue;
            }
            let known = joint.take().filter(|(of, _)| *of == word);
            let (_, known) = joint.insert(known.unwrap_or_else(|| (word, self.joint(&from.sums, word))));
            let gain = known.as_ref().map(|joint| joint.best(more));
            let gain = gain.unwrap_or_else(|| self.threshold(&self.changed(&from.sums, word, more)).0);
            let value = self.value(gain, words);
            if value > best.map_or(from.value, |best| best.0) {
                best = Some((value, word, more));
            }
        }
        let (value, word, more) = best?;
        let mut weights = from.weights.clone();
        weights[word] += more;
        Some(Step { weights, sums: self.changed(&from.sums, word, more), value })
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
            let sums = self.changed(&from.sums, word, -weight);
            let mut without = Step { sums, ..from.clone() };
            without.weights[word] = 0;
            let weights = [weight, -weight, 1, -1, 2, -2];
            self.climb(&without, free.iter().flat_map(|word| weights.map(|weight| (*word, weight))))
        });
        exchanged.reduce(|a, b| if b.value > a.value { b } else { a })
    }

    /// The value of a sum at each turn.
    fn sums(&self, sum: &Sum) -> Vec<i32> {
        let none = vec![0; self.gains.len()];
        sum.terms.iter().fold(none, |sums, (word, weight)| self.changed(&sums, *word, *weight))
    }

    /// Returns what a sum gains, with the best threshold there, at the turns where a word is at most or at least a value: whether it is
    /// the least, the value, and the gain, for every value that parts the turns.
    pub(super) fn bounds(&self, sum: &Sum, word: usize) -> Vec<(bool, i16, i64)> {
        let (sums, of_row) = places(&self.sums(sum));
        let (values, columns) = places(&self.columns[word]);
        // By value and sum, the turns and what they gain.
        let mut cells = vec![vec![(0_u32, 0_i64); sums.len()]; values.len()];
        for ((sum, value), gain) in of_row.into_iter().zip(columns).zip(&self.gains) {
            let (turns, gains) = &mut cells[value][sum];
            *turns += 1;
            *gains += i64::from(*gain);
        }
        let add = |to: &mut Vec<(u32, i64)>, more: &[(u32, i64)]| {
            to.iter_mut().zip(more).for_each(|(to, more)| *to = (to.0 + more.0, to.1 + more.1));
        };
        let mut all = vec![(0, 0); sums.len()];
        for more in &cells {
            add(&mut all, more);
        }
        let mut below = vec![(0, 0); sums.len()];
        let best = |turns: &mut dyn Iterator<Item = (u32, i64)>| {
            let sums = turns.filter(|(turns, _)| *turns > 0).scan(0, |gain, (_, more)| {
                *gain += more;
                Some(*gain)
            });
            sums.max().unwrap_or_default()
        };
        let mut bounds = Vec::new();
        for (cells, cut) in cells.iter().zip(values.windows(2)) {
            add(&mut below, cells);
            let above = all.iter().zip(&below).map(|(all, below)| (all.0 - below.0, all.1 - below.1));
            let gains = [best(&mut below.iter().copied().rev()), best(&mut above.rev())];
            bounds.extend([(false, cut[0], gains[0]), (true, cut[1], gains[1])]);
        }
        bounds
    }

    /// Climbs from a sum; returns where it ends, and what that gains less what its words cost.
    pub(super) fn from(&self, sum: &Sum) -> (Sum, f64) {
        let mut weights = vec![0; self.columns.len()];
        sum.terms.iter().for_each(|(word, weight)| weights[*word] = *weight);
        let sums = self.sums(sum);
        let value = self.value(self.threshold(&sums).0, sum.terms.len());
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
        let (_, least) = self.threshold(&step.sums);
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
