//! The calls that a simulation looks at, and what it finds of them.

use coinche_engine::{Call, LegalCalls, View};

use super::guide::Guide;
use crate::Thought;
use crate::bot::Considered;
use crate::table::{BiddingContext, CallContext};

/// How far below the best call, in points, one may be for the table to be worth a thought.
const REACH: f32 = 60.0;
/// How many calls are looked at most.
const MOST_CALLS: usize = 6;

/// A call that is looked at.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    call: Call,
    /// What the guide expects it to gain over the first, how far it is usually off there, and what it expects of the deal.
    expected: f64,
    deviation: f64,
    score: f64,
    /// The chance that the contract is made which this call leads to.
    chance: Option<f64>,
    /// Whether it is still looked at.
    is_in: bool,
    /// Sum and sum of squares of what it gained over the first, and the sum of its scores.
    gained: f64,
    squares: f64,
    scores: f64,
    /// In how many worlds it was looked at.
    worlds: f64,
}

impl Candidate {
    /// Mean and squared standard error of what it gained.
    fn found(&self) -> (f64, f64) {
        let mean = self.gained / self.worlds;
        // One deal more, off by 150 points, keeps a few equal deals from being taken for certainty.
        let variance = ((self.squares - self.worlds * mean * mean).max(0.0) + 150.0 * 150.0) / self.worlds;
        (mean, variance / self.worlds)
    }

    /// What it gains over the first by both the guide and the worlds, and the squared error of that.
    fn estimate(&self) -> (f64, f64) {
        let prior = self.deviation * self.deviation;
        if self.worlds <= 0.0 {
            return (self.expected, prior);
        }
        let (mean, error) = self.found();
        ((self.expected * error + mean * prior) / (error + prior), error * prior / (error + prior))
    }

    /// What it gains over the first.
    fn gain(&self) -> f64 {
        self.estimate().0
    }
}

/// The calls that are looked at in a decision.
#[derive(Debug, Default)]
pub struct Candidates {
    /// The best of the table first.
    all: Vec<Candidate>,
    /// What the first scored in the world at hand.
    of_first: f64,
}

impl Candidates {
    /// Finds the calls that are worth a thought by the guide. `chance` makes the chance that is told of the one that the guide forecasts,
    /// given as odds, for a bid or not.
    pub(super) fn of(
        guide: &mut Guide,
        view: &View<'_>,
        legal: &LegalCalls,
        least_slam: f32,
        chance: impl Fn(&Guide, f32, bool) -> f32,
    ) -> Self {
        let (best, considered) = guide.forecasts(&BiddingContext::from(view), legal);
        let deviation = guide.deviation();
        let Some(first) = considered.iter().find(|(option, _)| option.call == best) else {
            return Self::default();
        };
        let mut others: Vec<_> = considered
            .iter()
            .filter(|(option, _)| option.call != best && option.gain > first.0.gain - REACH)
            .filter(|(option, _)| option.context != CallContext::Slam || option.chance > least_slam)
            .collect();
        others.sort_by(|(a, _), (b, _)| b.gain.total_cmp(&a.gain));
        let all = core::iter::once(first).chain(others).take(MOST_CALLS);
        let all = all.map(|(option, told)| Candidate {
            call: option.call,
            expected: told.gain - first.1.gain,
            deviation,
            score: told.score,
            chance: told.odds.map(|odds| chance(guide, odds, option.context.is_bid()).into()),
            is_in: true,
            gained: 0.0,
            squares: 0.0,
            scores: 0.0,
            worlds: 0.0,
        });
        Self { all: all.collect(), of_first: 0.0 }
    }

    /// Returns the calls by number, those that are out excepted.
    pub(super) fn remaining(&self) -> impl Iterator<Item = (usize, Call)> + use<> {
        let remaining: Vec<_> = self.all.iter().enumerate().filter(|(_, it)| it.is_in).collect();
        remaining.into_iter().map(|(at, it)| (at, it.call)).collect::<Vec<_>>().into_iter()
    }

    /// Takes what a call scored in the world at hand; the first call comes first.
    pub(super) fn score(&mut self, at: usize, score: f64) {
        if at == 0 {
            self.of_first = score;
        }
        let gained = score - self.of_first;
        let it = &mut self.all[at];
        it.gained += gained;
        it.squares += gained * gained;
        it.scores += score;
        it.worlds += 1.0;
    }

    /// Puts out the calls that are so far behind that more worlds would hardly help them. The first, with which all are
    /// compared, stays.
    pub(super) fn prune(&mut self) {
        const CERTAIN: f64 = 2.5;
        // The first is the measure of the others: it gains nothing over itself, for certain.
        let of = |at: usize, it: &Candidate| if at == 0 { (0.0, 0.0) } else { it.estimate() };
        let all = self.all.iter().enumerate().filter(|(_, it)| it.is_in).map(|(at, it)| of(at, it));
        let Some((most, its)) = all.reduce(|best, other| if other.0 > best.0 { other } else { best }) else {
            return;
        };
        for it in self.all.iter_mut().skip(1) {
            let (gain, error) = it.estimate();
            it.is_in &= gain > most - CERTAIN * (error + its).sqrt();
        }
    }

    /// Returns how many are looked at.
    pub(super) fn len(&self) -> usize {
        self.all.iter().filter(|it| it.is_in).count()
    }

    /// Returns the call that gains most, the first of those that are best; `None` where there is none.
    pub(super) fn choice(&self) -> Option<Call> {
        let gain = |at: usize| if at == 0 { 0.0 } else { self.all[at].gain() };
        let at = (0..self.all.len())
            .filter(|at| *at == 0 || self.all[*at].worlds > 0.0)
            .reduce(|best, at| if gain(at) > gain(best) { at } else { best })?;
        Some(self.all[at].call)
    }

    /// Returns what is told; of a single call, which was not searched, what the table expects.
    pub(super) fn thought(&self, best: Call) -> Thought {
        let mut thought = Thought::default();
        for it in &self.all {
            let (mean, half_width) = if it.worlds > 0.0 {
                (it.scores / it.worlds, 1.96 * it.found().1.sqrt())
            } else {
                (it.score, 0.0)
            };
            let is_best = it.call == best;
            if is_best {
                (thought.points, thought.chance) = (Some(mean), it.chance);
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of worlds")]
            let worlds = it.worlds as u64;
            thought.options.push(Considered {
                choice: it.call.into(),
                mean,
                half_width,
                chance: it.chance,
                best: if is_best { 1.0 } else { 0.0 },
                worlds,
            });
        }
        thought
    }
}
