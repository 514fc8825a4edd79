//! The cards to decide between, and what each scored, world by world.

use core::ops::Range;

use coinche_engine::Card;

use crate::{Considered, Thought, Z_95};

/// The cards that a search decides between, with what each scored in the worlds so far; bad ones are pruned early.
///
/// A card may have a prior: what it is taken to be worth before any world is seen. The choice is that of the posterior mean, where worlds differ
/// by chance as much as the prior errs times its strength; what is told of a card is what it scored.
///
/// Worlds have weights. Differences between two cards are compared world by world, since what one world is
/// worth differs far more than what two cards are worth in it. Of cards with equal means, the one is chosen whose side
/// makes most card points.
#[derive(Debug)]
pub(crate) struct CardCandidates {
    cards: Vec<Card>,
    /// By card: what it scored, by world; pruned cards have fewer.
    scores: Vec<Vec<f32>>,
    /// Likewise: whether the contract was made.
    made: Vec<Vec<bool>>,
    /// Likewise: the own side's card points at the end of the deal, where they are known.
    points: Vec<Vec<Option<i32>>>,
    /// By card: what is taken from its mean.
    losses: Vec<f64>,
    /// By card: whether it is still searched.
    remaining: Vec<bool>,
    weights: Vec<f64>,
    /// By card: what it is worth before any world is seen, up to what all have in common.
    prior: Vec<f64>,
    /// For how many worlds the prior counts.
    strength: f64,
}

/// A card is pruned when its posterior mean lies so many standard errors below the best.
const PRUNED_BELOW: f64 = 2.6;
/// What two cards differ by from world to world is taken to be this share of what the deal scores, until some worlds more than these show that it
/// is less: a contract that one card loses in one world of ten is often lost in none of the first eight.
const USUAL_SPREAD: f64 = 0.3;
const USUAL_WORLDS: f64 = 8.0;
/// From so many worlds on, and then at each multiple of it.
const ROUND: usize = 8;
/// Means that differ by no more are equal: it is less than what a world can change, and more than rounding errors.
const EQUAL: f64 = 1e-9;

impl CardCandidates {
    /// Starts without a world; of cards that are equal in points, too, the first is the choice.
    pub(crate) fn new(cards: Vec<Card>) -> Self {
        let n = cards.len();
        Self {
            cards,
            scores: vec![Vec::new(); n],
            made: vec![Vec::new(); n],
            points: vec![Vec::new(); n],
            losses: vec![0.0; n],
            remaining: vec![true; n],
            weights: Vec::new(),
            prior: vec![0.0; n],
            strength: 0.0,
        }
    }

    /// Says what the cards are worth before any world is seen, up to what they have in common, and for how many worlds that counts.
    pub(crate) fn set_prior(&mut self, strength: f64, values: &[(Card, f64)]) {
        self.strength = strength;
        let value =
            |card: &Card| values.iter().find(|(other, _)| other == card).map_or(0.0, |(_, value)| *value);
        self.prior = self.cards.iter().map(value).collect();
    }

    /// Returns the cards that were not pruned, with their numbers.
    pub(crate) fn remaining(&self) -> impl Iterator<Item = (usize, Card)> {
        self.cards.iter().copied().enumerate().filter(|(index, _)| self.remaining[*index])
    }

    /// Tests if one card only is left.
    pub(crate) fn is_decided(&self) -> bool {
        self.remaining().nth(1).is_none()
    }

    /// Begins the next world.
    pub(crate) fn begin_world(&mut self, weight: f64) {
        self.weights.push(weight);
    }

    /// Notes what a card scores in the world begun last, and the card points that the own side makes if they are known.
    pub(crate) fn score(&mut self, index: usize, score: i32, made: bool, points: Option<i32>) {
        debug_assert_eq!(self.scores[index].len() + 1, self.weights.len());
        self.scores[index].push(score as f32);
        self.made[index].push(made);
        self.points[index].push(points);
    }

    /// Returns the card points that the own side makes with a card in a world, if they are known.
    pub(crate) fn points(&self, index: usize, world: usize) -> Option<i32> {
        self.points[index][world]
    }

    /// Notes the card points that the own side makes with a card in a world that was scored before.
    pub(crate) fn note_points(&mut self, index: usize, world: usize, points: i32) {
        self.points[index][world] = Some(points);
    }

    /// Prunes the cards that are not the best, as far as one can tell; to be called after each world.
    pub(crate) fn prune(&mut self) {
        if !self.weights.len().is_multiple_of(ROUND) {
            return;
        }
        let best = self.best();
        let worlds = self.effective_worlds();
        // What the worlds say of the posterior mean; the rest is what the prior says.
        let share = worlds / (worlds + self.strength);
        let usual = (USUAL_SPREAD * self.size(best)).powi(2) / worlds;
        let doubt = USUAL_WORLDS / (worlds + USUAL_WORLDS);
        for index in 0..self.cards.len() {
            if index == best || !self.remaining[index] {
                continue;
            }
            let (mean, error) = self.difference(best, index);
            let variance = error * error;
            let error = (variance + doubt * (usual - variance).max(0.0)).sqrt();
            let mean = share * mean + (1.0 - share) * (self.prior[best] - self.prior[index]);
            if mean > PRUNED_BELOW * share.sqrt() * error && mean > 0.0 {
                self.remaining[index] = false;
            }
        }
    }

    /// Returns the number of the card with the best mean, the first of equals.
    fn best(&self) -> usize {
        let worlds = self.effective_worlds();
        let mut best: Option<(usize, f64)> = None;
        for (index, _) in self.remaining() {
            // Where all have been searched in the same worlds, the posterior mean up to a factor.
            let value = self.mean(index) + self.strength * self.prior[index] / worlds;
            if best.is_none_or(|(_, other)| value > other + EQUAL) {
                best = Some((index, value));
            }
        }
        best.map_or(0, |(index, _)| index)
    }

    /// Returns the weighted mean of what a card scored, whatever its sign.
    fn size(&self, index: usize) -> f64 {
        let sizes = self.scores[index].iter().map(|score| f64::from(score.abs()));
        moments(sizes.zip(self.weights.iter().copied())).0
    }

    /// How many worlds of equal weight would tell as much as those so far; at least a little.
    fn effective_worlds(&self) -> f64 {
        let sums = |(sum, squares), weight: &f64| (sum + weight, squares + weight * weight);
        let (sum, squares) = self.weights.iter().fold((0.0, 0.0), sums);
        if squares > 0.0 { sum * sum / squares } else { f64::MIN_POSITIVE.sqrt() }
    }

    /// Returns the numbers of the cards that have the best mean: one, or those that are tied.
    pub(crate) fn tied(&self) -> Vec<usize> {
        let best = self.mean(self.best());
        let remaining = self.remaining().map(|(index, _)| index);
        remaining.filter(|index| (self.mean(*index) - best).abs() < EQUAL).collect()
    }

    /// Tests if several cards are tied and the points of one of them are not known in the first world.
    pub(crate) fn lacks_points(&self) -> bool {
        let tied = self.tied();
        tied.len() > 1 && tied.iter().any(|index| self.points[*index].first().is_some_and(Option::is_none))
    }

    /// Returns the number of the card to choose: of those with the best mean the one with the best mean of card points, over
    /// the worlds in which the points of all of them are known; the first of equals.
    fn chosen(&self) -> usize {
        let tied = self.tied();
        let known = |world: &usize| tied.iter().all(|index| self.points[*index][*world].is_some());
        let worlds: Vec<usize> = (0..self.weights.len()).filter(known).collect();
        let sum = |index: usize| -> f64 {
            let points = |world: &usize| f64::from(self.points[index][*world].unwrap_or_default());
            worlds.iter().map(|world| points(world) * self.weights[*world]).sum()
        };
        let total: f64 = worlds.iter().map(|world| self.weights[*world]).sum();
        let mut chosen = (self.best(), sum(self.best()));
        for index in tied {
            let sum = sum(index);
            if sum > chosen.1 + EQUAL * total {
                chosen = (index, sum);
            }
        }
        chosen.0
    }

    /// Returns the card with the best mean; of equals, the one with the best mean of card points.
    pub(crate) fn choice(&self) -> Card {
        self.cards[self.chosen()]
    }

    /// Returns a card.
    pub(crate) fn card(&self, index: usize) -> Card {
        self.cards[index]
    }

    /// Returns the weight of a world.
    pub(crate) fn weight(&self, world: usize) -> f64 {
        self.weights[world]
    }

    /// Says what is to be taken from the mean of a card.
    pub(crate) fn lose(&mut self, index: usize, loss: f64) {
        self.losses[index] = loss;
    }

    /// Returns what is taken from the mean of a card.
    pub(crate) fn loss(&self, index: usize) -> f64 {
        self.losses[index]
    }

    /// Returns the weighted mean of what a card scored, less its loss.
    pub(crate) fn mean(&self, index: usize) -> f64 {
        self.mean_over(index, 0..self.scores[index].len()) - self.losses[index]
    }

    /// Returns the weighted mean of what a card scored in some worlds.
    pub(crate) fn mean_over(&self, index: usize, worlds: Range<usize>) -> f64 {
        let (scores, weights) = (&self.scores[index][worlds.clone()], &self.weights[worlds]);
        let sum: f64 = scores.iter().zip(weights).map(|(score, weight)| f64::from(*score) * weight).sum();
        sum / weights.iter().sum::<f64>().max(f64::MIN_POSITIVE)
    }

    /// The mean by which one card is ahead of another, with its standard error.
    fn difference(&self, a: usize, b: usize) -> (f64, f64) {
        let pairs = self.scores[a].iter().zip(&self.scores[b]);
        moments(pairs.map(|(a, b)| f64::from(*a) - f64::from(*b)).zip(self.weights.iter().copied()))
    }

    /// Returns what was thought of the cards; `chance` is that of the contract with the card chosen.
    pub(crate) fn thought(&self) -> Thought {
        let chosen = self.chosen();
        let mut firsts = vec![0.0; self.cards.len()];
        for (world, weight) in self.weights.iter().enumerate() {
            let score = |index: usize| self.scores[index].get(world).copied().unwrap_or(f32::MIN);
            let top = (0..self.cards.len()).map(score).fold(f32::MIN, f32::max);
            for (index, first) in firsts.iter_mut().enumerate() {
                *first += if score(index) >= top { *weight } else { 0.0 };
            }
        }
        let total = self.weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let made = |index: usize| {
            let made = self.made[index].iter().map(|made| f64::from(u8::from(*made)));
            moments(made.zip(self.weights.iter().copied())).0
        };
        let options = (0..self.cards.len()).map(|index| {
            let scores = self.scores[index].iter().map(|score| f64::from(*score));
            let (mean, error) = moments(scores.zip(self.weights.iter().copied()));
            Considered {
                choice: self.cards[index].into(),
                mean: mean - self.losses[index],
                half_width: Z_95 * error,
                chance: (!self.made[index].is_empty()).then(|| made(index)),
                best: firsts[index] / total,
                worlds: self.scores[index].len() as u64,
            }
        });
        Thought { points: Some(self.mean(chosen)), chance: Some(made(chosen)), options: options.collect() }
    }
}

/// The weighted mean of values, with its standard error by the effective number of them.
fn moments(values: impl Iterator<Item = (f64, f64)> + Clone) -> (f64, f64) {
    let (mut sum, mut weights, mut squares) = (0.0, 0.0, 0.0);
    for (value, weight) in values.clone() {
        sum += value * weight;
        weights += weight;
        squares += weight * weight;
    }
    if weights <= 0.0 {
        return (0.0, f64::INFINITY);
    }
    let mean = sum / weights;
    let spread: f64 = values.map(|(value, weight)| weight * (value - mean).powi(2)).sum::<f64>() / weights;
    let number = weights * weights / squares;
    (mean, (spread / (number - 1.0).max(0.5)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two cards, the candidates.
    fn two() -> (Vec<Card>, CardCandidates) {
        let cards: Vec<Card> = coinche_engine::CardSet::FULL.into_iter().take(2).collect();
        (cards.clone(), CardCandidates::new(cards))
    }

    /// Adds a world in which they score this.
    fn add(candidates: &mut CardCandidates, weight: f64, scores: [i32; 2]) {
        candidates.begin_world(weight);
        candidates.score(0, scores[0], true, None);
        candidates.score(1, scores[1], true, None);
    }

    /// The choice of two cards by what each scored and, where they are known, its points, world by world.
    fn choice(worlds: &[[(i32, Option<i32>); 2]]) -> usize {
        let (cards, mut candidates) = two();
        for world in worlds {
            candidates.begin_world(0.3);
            for (index, (score, points)) in world.iter().enumerate() {
                candidates.score(index, *score, true, *points);
            }
        }
        let chosen = candidates.choice();
        assert_eq!(candidates.thought().points, Some(candidates.mean(candidates.chosen())));
        cards.iter().position(|card| *card == chosen).unwrap()
    }

    #[test]
    fn points_decide_between_cards_of_the_same_score_only() {
        assert_eq!(choice(&[[(-250, Some(40)), (-250, Some(51))]]), 1);
        assert_eq!(choice(&[[(-250, Some(51)), (-250, Some(40))]]), 0);
        assert_eq!(choice(&[[(-250, Some(51)), (-250, Some(51))]]), 0);
        assert_eq!(choice(&[[(-249, Some(40)), (-250, Some(51))]]), 0);
        // The means are equal, and the worlds are not.
        assert_eq!(choice(&[[(100, Some(9)), (200, Some(9))], [(200, Some(8)), (100, Some(9))]]), 1);
    }

    #[test]
    fn a_prior_counts_for_as_many_worlds_as_it_is_strong() {
        let (cards, mut candidates) = two();
        // Four worlds for it, against ten points by which the other is ahead.
        candidates.set_prior(4.0, &[(cards[1], 0.0), (cards[0], 10.0)]);
        for n in 1..=12 {
            add(&mut candidates, 0.7, [0, 5]);
            let expected = usize::from(f64::from(n) * 5.0 > 4.0 * 10.0);
            if n != 8 {
                assert_eq!(candidates.choice(), cards[expected], "{n}");
            }
        }
        // What is told is what it scored.
        assert_eq!(candidates.thought().points, Some(5.0));
        assert_eq!(candidates.thought().options[0].mean.to_bits(), 0.0f64.to_bits());
    }

    #[test]
    fn what_the_prior_puts_behind_is_pruned_unless_the_worlds_say_more() {
        let left = |strength: f64, behind: f64| {
            let (cards, mut candidates) = two();
            candidates.set_prior(strength, &[(cards[0], 0.0), (cards[1], -behind)]);
            for n in 0..8 {
                add(&mut candidates, 1.0, [0, if n % 2 == 0 { 24 } else { -16 }]);
                candidates.prune();
            }
            candidates.remaining().map(|(index, _)| index).collect::<Vec<_>>()
        };
        // Ahead by 4 ± 7.6 in eight worlds; what is behind by so many standard errors of the posterior mean is pruned.
        assert_eq!(left(0.0, 1000.0), [0, 1]);
        assert_eq!(left(8.0, 30.0), [0, 1]);
        assert_eq!(left(8.0, 34.0), [0]);
        assert_eq!(left(72.0, 6.0), [0, 1]);
        assert_eq!(left(72.0, 9.0), [0]);
    }

    #[test]
    fn a_few_worlds_that_agree_do_not_prune_what_is_a_little_behind() {
        let left = |size: i32, behind: i32, worlds: usize| {
            let (_, mut candidates) = two();
            for _ in 0..worlds {
                add(&mut candidates, 1.0, [size, size - behind]);
                candidates.prune();
            }
            candidates.remaining().count()
        };
        // 0.3 of 200 points, by half after eight worlds: 2.6 standard errors are 39 points, and 2.3 after 192.
        assert_eq!(left(200, 38, 8), 2);
        assert_eq!(left(200, 40, 8), 1);
        assert_eq!(left(-200, 38, 8), 2);
        assert_eq!(left(200, 1, 192), 2);
        assert_eq!(left(200, 2, 192), 2);
        assert_eq!(left(200, 3, 192), 1);
        // What the deal scores is the measure.
        assert_eq!(left(20, 5, 8), 1);
    }

    #[test]
    fn worlds_in_which_the_points_of_one_are_not_known_are_left_out() {
        let known = [(-250, Some(40)), (-250, Some(51))];
        assert_eq!(choice(&[[(-250, Some(90)), (-250, None)], known]), 1);
        assert_eq!(choice(&[[(-250, None), (-250, Some(90))]]), 0);
        assert_eq!(choice(&[]), 0);
    }
}
