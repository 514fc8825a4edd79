//! Worlds that are weighed as they are drawn, seat by seat.

use coinche_engine::{BySeat, CardSet};
use rand_xoshiro::rand_core::Rng;

use super::weigher::{Kind, above};
use super::{OpponentModel, Weigher, Worlds, unit};

/// How many hands of the first seat are weighed before any is dropped, and how many worlds; fewer where patience is short.
const CALIBRATION: [u32; 2] = [64, 8];
/// The same where the network reads cards, which takes longest.
const FEW: [u32; 2] = [16, 4];
/// How often the other cards are dealt for a hand of the first seat.
const OTHERS: u32 = 3;

/// Draws worlds with weights, and drops most of the unlikely ones.
///
/// The hand of the seat whose actions tell most is drawn first. A hand whose weight is below a floor survives with probability weight / floor
/// and then counts as much as the floor (rejection control; Liu, Chen & Wong 1998), so that its mean weight is right. For a hand that survives,
/// the other cards are dealt several times; one of these worlds is chosen by its weight, counts as their mean, and meets a second floor. A
/// floor is half the mean weight of what is drawn by weight, so that the searched worlds have similar weights.
pub struct Draws<'a, 's> {
    weigher: Weigher<'a, 's>,
    /// The floors are lowered after so many draws without a world.
    patience: u32,
    in_vain: u32,
    /// What the floors are multiplied with.
    lowered: f64,
    /// Worlds weighed by the actions of the first seat, and by all.
    halves: Floored,
    wholes: Floored,
}

/// Weights of what was drawn, which tell where the floor lies.
#[derive(Default)]
struct Floored {
    sum: f64,
    squares: f64,
    /// The first draws, to which the floor is still to be applied.
    first: Vec<(BySeat<CardSet>, f64)>,
}

impl Floored {
    fn count(&mut self, weight: f64) {
        self.sum += weight;
        self.squares += weight * weight;
    }

    fn floor(&self, lowered: f64) -> f64 {
        0.5 * lowered * self.squares / self.sum
    }
}

impl<'a, 's> Draws<'a, 's> {
    /// Prepares to draw.
    pub fn new(worlds: &Worlds<'a>, model: &'s mut OpponentModel, patience: u32) -> Self {
        let [halves, wholes] = [(); 2].map(|()| Floored::default());
        Self { weigher: Weigher::new(worlds, model), patience, in_vain: 0, lowered: 1.0, halves, wholes }
    }

    /// Draws a world, with its weight.
    pub fn next(&mut self, worlds: &Worlds<'a>, rng: &mut impl Rng) -> (BySeat<CardSet>, f64) {
        if self.wholes.sum == 0.0 {
            let [halves, wholes] = if self.weigher.reads_values() { FEW } else { CALIBRATION };
            // Where patience is short calibration is, too: a world is some eight times the work of a hand.
            let calibration = self.patience.saturating_mul(4);
            for _ in 0..calibration.min(halves) {
                let half = self.half(worlds, 0.0, rng);
                self.halves.first.push(half);
            }
            for _ in 0..calibration.div_ceil(8).min(wholes) {
                let whole = self.whole(worlds, 0.0, rng);
                self.wholes.first.push(whole);
            }
        }
        loop {
            let floor = self.wholes.floor(self.lowered);
            let (hands, weight) = match self.wholes.first.pop() {
                Some((hands, weight)) => (hands, above(weight, floor, rng)),
                None => self.whole(worlds, floor, rng),
            };
            if weight > 0.0 {
                self.in_vain = 0;
                return (hands, weight);
            }
            self.fail();
        }
    }

    fn fail(&mut self) {
        self.in_vain += 1;
        if self.in_vain == self.patience {
            (self.in_vain, self.lowered) = (0, self.lowered / 4.0);
        }
    }

    /// Draws a world, and weighs it by the actions of the first seat.
    fn half(&mut self, worlds: &Worlds<'a>, floor: f64, rng: &mut impl Rng) -> (BySeat<CardSet>, f64) {
        let (hands, first) = (worlds.hands(rng), self.weigher.most_telling());
        let weight = first
            .map_or(1.0, |first| self.weigher.weight_of(|seat, _| seat == first, &hands, (1.0, floor), rng));
        self.halves.count(weight);
        (hands, weight)
    }

    /// Draws a world by the actions of the first seat, and weighs it by those of all.
    fn whole(&mut self, worlds: &Worlds<'a>, floor: f64, rng: &mut impl Rng) -> (BySeat<CardSet>, f64) {
        let (hands, half) = loop {
            let floor = self.halves.floor(self.lowered);
            let (hands, weight) = match self.halves.first.pop() {
                Some((hands, weight)) => (hands, above(weight, floor, rng)),
                None => self.half(worlds, floor, rng),
            };
            if weight > 0.0 {
                break (hands, weight);
            }
            self.fail();
        };
        let Some(first) = self.weigher.most_telling() else {
            let weight = self.weigher.weight(worlds, &hands, floor, rng);
            self.wholes.count(weight);
            return (hands, weight);
        };
        // Where the network reads cards, it reads those of one world of the several.
        let by_net = self.weigher.reads_values();
        let is_last = move |kind| kind == Kind::Cards && by_net;
        let (mut chosen, mut sum) = (hands, 0.0);
        for number in 0..OTHERS {
            let drawn = if number == 0 { hands } else { worlds.draw_others(&hands, first, rng) };
            let weight =
                self.weigher.weight_of(|seat, kind| seat != first && !is_last(kind), &drawn, (1.0, 0.0), rng);
            sum += weight;
            if unit(rng) * sum < weight {
                chosen = drawn;
            }
        }
        let mut weight = above(half * sum / f64::from(OTHERS), floor, rng);
        if by_net && weight > 0.0 {
            weight = self.weigher.weight_of(
                |seat, kind| seat != first && is_last(kind),
                &chosen,
                (weight, floor),
                rng,
            );
        }
        self.wholes.count(weight);
        (chosen, weight)
    }
}

impl core::fmt::Debug for Draws<'_, '_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Draws").field("weigher", &self.weigher).finish_non_exhaustive()
    }
}
