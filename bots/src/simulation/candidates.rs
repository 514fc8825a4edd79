//! The calls that a simulation looks at, and what it finds of them.

use coinche_engine::rules::Rounding;
use coinche_engine::{Call, Key, LegalCalls, View};

use super::bidder::LEAST_SLAM;
use super::guide::Guide;
use super::value::Worth;
use crate::bot::{Considered, Z_95};
use crate::families::untrained;
use crate::table::{BiddingContext, CallContext, ConsideredCall};
use crate::{Bidder, RulesBidder, Thought};

/// How far below the best call, in points, one may be for the table to be worth a thought.
const REACH: f32 = 60.0;
/// The same of the slam that gains most, and how far what is expected of a slam is usually off: they are so rare that little is known of them.
const SLAM_REACH: f32 = 300.0;
const SLAM_DEVIATION: f64 = 300.0;
/// In which share of the worlds a slam must be made. One that fails in most of them may yet gain there, where the others go on and do not
/// coinche it, but that is how they bid in these worlds: it need not be how they do.
const SLAM_MADE: f64 = 0.5;
/// How many calls are looked at most.
const MOST_CALLS: usize = 6;

/// Returns the calls that `mc` would look at, the best by the network first.
pub fn promising_calls(view: &View<'_>, legal: &LegalCalls) -> Vec<Call> {
    let mut guide = Guide::Net(Box::default());
    let candidates = CallCandidates::of(&mut guide, view, legal, LEAST_SLAM, |_, odds, _| odds);
    candidates.all.iter().map(|it| it.call).collect()
}

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
    /// In how many a slam became the contract, and in how many of these it was made.
    slams: [f64; 2],
}

impl Candidate {
    const fn new(call: Call, expected: f64, deviation: f64, score: f64, chance: Option<f64>) -> Self {
        Self {
            call,
            expected,
            deviation,
            score,
            chance,
            is_in: true,
            gained: 0.0,
            squares: 0.0,
            scores: 0.0,
            worlds: 0.0,
            slams: [0.0; 2],
        }
    }

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

    /// Whether it leads to a slam that fails too often.
    fn fails(&self) -> bool {
        let [bid, made] = self.slams;
        made < SLAM_MADE * bid
    }

    /// What it gains over the first.
    fn gain(&self) -> f64 {
        self.estimate().0
    }
}

/// The calls that are looked at in a decision.
#[derive(Debug, Default)]
pub(super) struct CallCandidates {
    /// The best of the table first.
    all: Vec<Candidate>,
    /// What the first scored in the world at hand.
    of_first: f64,
}

impl CallCandidates {
    /// Finds the calls that are worth a thought by the guide. `chance` makes the chance that is told of the one that the guide forecasts,
    /// given as odds, for a bid or not.
    pub(super) fn of(
        guide: &mut Guide,
        view: &View<'_>,
        legal: &LegalCalls,
        least_slam: f32,
        chance: impl Fn(&Guide, f32, bool) -> f32,
    ) -> Self {
        if untrained(view.rules()).is_some() {
            return Self::any_of(view, legal);
        }
        let (best, considered) = guide.forecasts(&BiddingContext::from(view), legal);
        let deviation = guide.deviation();
        let Some(first) = considered.iter().find(|(option, _)| option.call == best) else {
            return Self::default();
        };
        let less = |option: &ConsideredCall| first.0.gain - option.gain;
        let is_slam = |option: &ConsideredCall| option.context == CallContext::Slam;
        let (slams, mut others): (Vec<&_>, Vec<&_>) = considered
            .iter()
            .filter(|(option, _)| option.call != best)
            .partition(|(option, _)| is_slam(option));
        // A slam that is best by the guide is held against the other calls, however little they are to gain.
        let of_slam = is_slam(&first.0);
        others.retain(|(option, _)| of_slam || less(option) < REACH);
        others.sort_by(|(a, _), (b, _)| b.gain.total_cmp(&a.gain));
        others.truncate(MOST_CALLS - 1);
        let slams = slams.into_iter().filter(|(it, _)| less(it) < SLAM_REACH && it.chance > least_slam);
        let slam = slams.max_by(|(a, _), (b, _)| a.gain.total_cmp(&b.gain));
        let all = core::iter::once(first).chain(others).chain(slam);
        let all = all.map(|(option, told)| {
            let deviation = if of_slam || is_slam(option) { SLAM_DEVIATION } else { deviation };
            let chance = told.odds.map(|odds| chance(guide, odds, option.context.is_bid()).into());
            Candidate::new(option.call, told.gain - first.1.gain, deviation, told.score, chance)
        });
        Self { all: all.collect(), of_first: 0.0 }
    }

    /// Looks at every call, the one of `rules` first, under rules that the guide has not met: the others are taken to be two
    /// tens worse, and that to be uncertain.
    fn any_of(view: &View<'_>, legal: &LegalCalls) -> Self {
        let first = RulesBidder::default().call(view, legal, Key::from_bits(0));
        let calls = core::iter::once(first).chain(legal.iter().filter(|call| *call != first));
        let point = if view.rules().scoring.rounding == Rounding::Tenths { 1.0 } else { 10.0 };
        let expected = |call| if call == first { 0.0 } else { -2.0 * point };
        let all = calls.map(|call| Candidate::new(call, expected(call), 10.0 * point, 0.0, None));
        Self { all: all.collect(), of_first: 0.0 }
    }

    /// Returns the calls by number, those that are out excepted.
    pub(super) fn remaining(&self) -> Vec<(usize, Call)> {
        let remaining = self.all.iter().enumerate().filter(|(_, it)| it.is_in);
        remaining.map(|(at, it)| (at, it.call)).collect()
    }

    /// Takes what a call came to in the world at hand; the first call comes first.
    pub(super) fn score(&mut self, at: usize, worth: Worth) {
        if at == 0 {
            self.of_first = worth.net;
        }
        let gained = worth.net - self.of_first;
        let it = &mut self.all[at];
        it.gained += gained;
        it.squares += gained * gained;
        it.scores += worth.net;
        it.worlds += 1.0;
        if let Some(made) = worth.slam {
            it.slams[0] += 1.0;
            it.slams[1] += made;
        }
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

    /// Returns the call that gains most, the first of those that are best, and no slam that fails in most worlds if there is another;
    /// `None` where there is none.
    pub(super) fn choice(&self) -> Option<Call> {
        let gain = |at: usize| if at == 0 { 0.0 } else { self.all[at].gain() };
        let better = |best, at| if gain(at) > gain(best) { at } else { best };
        let looked_at = |at: &usize| *at == 0 || self.all[*at].worlds > 0.0;
        let holds = |at: &usize| looked_at(at) && !self.all[*at].fails();
        let all = 0..self.all.len();
        let at = all.clone().filter(holds).reduce(better).or_else(|| all.filter(looked_at).reduce(better))?;
        Some(self.all[at].call)
    }

    /// Returns what is told; of a single call, which was not searched, what the table expects.
    pub(super) fn thought(&self, best: Call) -> Thought {
        let mut thought = Thought::default();
        for it in &self.all {
            let (mean, half_width) = if it.worlds > 0.0 {
                (it.scores / it.worlds, Z_95 * it.found().1.sqrt())
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

#[cfg(test)]
mod tests {
    use super::*;
    use coinche_engine::{Bid, BidValue, Deal, DealState, Deck, RuleSet, Seat, Strain, Turn};

    /// The choice between a pass and a capot that scores 600 more than it in each of 60 worlds, and is made in so many.
    fn choice(made: usize) -> Option<Call> {
        let capot = Call::Bid(Bid { value: BidValue::CAPOT, strain: Strain::Clubs });
        let pass = Candidate::new(Call::Pass, 0.0, 25.0, 0.0, None);
        let all = vec![pass, Candidate::new(capot, -200.0, SLAM_DEVIATION, 0.0, None)];
        let mut candidates = CallCandidates { all, of_first: 0.0 };
        for n in 0..60 {
            candidates.score(0, Worth { net: -500.0, slam: None });
            candidates.score(1, Worth { net: 100.0, slam: Some(if n < made { 1.0 } else { 0.0 }) });
        }
        candidates.choice().filter(|call| *call == capot)
    }

    #[test]
    fn a_slam_is_chosen_that_gains_and_is_made_more_often_than_not() {
        assert!(choice(60).is_some() && choice(30).is_some());
        assert!(choice(29).is_none() && choice(0).is_none());
    }

    #[test]
    fn the_slam_that_gains_most_is_looked_at_and_no_other() {
        let mut guide = Guide::Net(Box::default());
        let (mut beyond, mut first) = (0, 0);
        for index in 0..2500 {
            let deal = Deal::new(&RuleSet::BGA.deal, Deck::shuffled(7, index), Seat::S0);
            let mut state = DealState::new(&RuleSet::BGA, &deal);
            while let Turn::Call(seat) = state.turn() {
                let (view, legal) = (state.view(seat), state.legal_calls());
                let candidates = CallCandidates::of(&mut guide, &view, &legal, 0.1, |_, odds, _| odds);
                let considered = guide.consider(&BiddingContext::from(&view), &legal).to_vec();
                let of = |call: Call| considered.iter().find(|it| it.call == call).unwrap();
                let is_slam = |it: &&ConsideredCall| it.context == CallContext::Slam;
                let best = of(candidates.all[0].call);
                if is_slam(&best) {
                    // It is held against another call.
                    assert!(candidates.all[1].deviation >= SLAM_DEVIATION, "{index}");
                    first += 1;
                } else {
                    let looked_at = candidates.all.iter().skip(1).map(|it| of(it.call));
                    let those: Vec<f32> = looked_at.filter(is_slam).map(|it| it.gain).collect();
                    let likely = considered.iter().filter(is_slam).filter(|it| it.chance > 0.1);
                    let most = likely.map(|it| it.gain).fold(f32::MIN, f32::max);
                    let expected = if most > best.gain - SLAM_REACH { vec![most] } else { vec![] };
                    assert_eq!(those, expected, "{index}");
                    beyond += usize::from(most < best.gain - REACH && !those.is_empty());
                }
                let call = best.call;
                state.call(call).unwrap();
            }
        }
        assert!(beyond > 0 && first > 0, "{beyond} {first}");
    }
}
