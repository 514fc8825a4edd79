//! Values calls by sampling: draws compatible deals, and in each lets the assumed bots finish the auction and the play after every call.
//!
//! The calls are those that `mc` would look at, a pass, and the call of the assumed bidder. What a call gains over that is shrunk by how
//! uncertain it is (empirical Bayes), so that the best call is not the one that luck favoured, and the gain comes true.

use core::ops::Range;
use std::time::Instant;

use coinche_bots::worlds::{OpponentModel, Weigher, Worlds, retell};
use coinche_bots::{BotSpec, Choice, Pool, Z_95, promising_calls};
use coinche_engine::{BidValue, BySeat, Call, CardSet, DealState, Key, Strain, View};

use super::holdings::Holdings;
use super::models::{AssumedTable, Basis, Played};
use super::{Advice, Adviser, Assumed, Budget, Models, Weighed, ask, weighed};
use coinche_inference::{Merge, merge, student_t};

/// The most deals drawn for each one that is played; of how many exchanges of cards the walk to one is if none of these is accepted, and at most
/// until all is as expected; and, where there is no walk, among how many it is chosen by likelihood.
const DRAWS: u32 = 500;
const EXCHANGES: [u32; 2] = [1000, 4000];
/// Of how many exchanges walks from one deal to the next are where nobody bids so.
const FURTHER: u32 = 300;
const POOL: Pool = Pool(500);
/// What calls that are looked at gain over that of the assumed bidder, and the deviation: of passes and bids, and of coinches and slams. Fitted
/// to what came of 21,000 of them (2,500 deals of `bga` and of `contree`).
const GAINS: [[f64; 2]; 2] = [[-25.0, 50.0], [-160.0, 140.0]];
/// Number of worlds that a thread plays at a time.
const BLOCK: u32 = 8;
/// A chance is told of a contract that came about in so many deals.
const ENOUGH: f64 = 10.0;

/// Recommends a call.
pub(super) fn advise(view: &View<'_>, adviser: &Adviser<'_>, holdings: Holdings) -> Advice {
    let legal = view.auction().state().legal_calls();
    let said = adviser
        .by
        .map(|spec| ask(&mut *spec.build().bidder, |bidder| bidder.call(view, &legal, adviser.key)));
    let figures_of_others = matches!(said, Some((_, None)));
    let (choice, options, assumed) = match said {
        Some((call, Some(thought))) => (call, weighed(&thought), None),
        Some((call, None)) => (call, weigh(view, adviser, Some(call)).1, None),
        None => {
            let (choice, options, assumed) = weigh(view, adviser, None);
            (choice, options, Some(assumed))
        }
    };
    let basis = match adviser.by {
        Some(by) if !figures_of_others => Basis::Bot(by.to_string()),
        _ => adviser.models.basis(),
    };
    Advice {
        choice: choice.into(),
        by: adviser.by.map_or_else(|| "deals that fit, played".to_owned(), BotSpec::to_string),
        figures_of_others,
        strains: strains(view, &options),
        options,
        assumed,
        holdings,
        agreed: Vec::new(),
        basis,
    }
}

/// Returns the strains of all calls made or considered, and of the turned card.
fn strains(view: &View<'_>, options: &[Weighed]) -> Vec<Strain> {
    let strain = |call: Call| match call {
        Call::Bid(bid) => Some(bid.strain),
        Call::TakeIn(suit) => Some(Strain::of(suit)),
        Call::Take => view.turned().map(|turned| Strain::of(turned.suit())),
        _ => None,
    };
    let considered = options.iter().filter_map(|option| match option.choice {
        Choice::Call(call) => strain(call),
        Choice::Card(_) => None,
    });
    let met: Vec<Strain> = considered
        .chain(view.auction().calls().iter().filter_map(|(_, call)| strain(*call)))
        .chain(strain(Call::Take))
        .collect();
    Strain::ALL.into_iter().filter(|strain| met.contains(strain)).collect()
}

/// By how much a deal is off, in points.
const OFF: f64 = 150.0;

/// Sums of a call's results over some worlds.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    worlds: f64,
    scores: [f64; 2],
    /// Gains over a pass, and over the call of the assumed bidder, with their squares.
    over_pass: [f64; 2],
    over_assumed: [f64; 2],
    /// Worlds in which the contract is that of the call, and of these where it is made.
    contract: [f64; 2],
    best: f64,
}

merge! { Sums { worlds, scores, over_pass, over_assumed, contract, best } }

impl Sums {
    fn count(&mut self, played: &Played, [of_pass, of_assumed, most]: [f64; 3]) {
        let with_square = |x: f64| [x, x * x];
        let flag = |holds: bool| f64::from(u8::from(holds));
        self.merge(&Self {
            worlds: 1.0,
            scores: with_square(played.score),
            over_pass: with_square(played.score - of_pass),
            over_assumed: with_square(played.score - of_assumed),
            contract: [flag(played.contract[0]), flag(played.contract[0] && played.contract[1])],
            best: flag(played.score >= most),
        });
    }

    /// Returns a mean with half of its 95 % interval; a single deal has none. One deal more, off by as much as is common,
    /// keeps equal deals from being taken for certainty.
    fn mean(&self, [sum, squares]: [f64; 2]) -> [f64; 2] {
        let n = self.worlds.max(1.0);
        let variance = ((squares - sum * sum / n).max(0.0) + OFF * OFF) / (n - 1.0);
        [sum / n, if n > 1.0 { student_t(0.95, n - 1.0) * (variance / n).sqrt() } else { f64::INFINITY }]
    }

    /// Returns what the call gains over that of the assumed bidder with half of its 95 % interval, by the deals and what such calls gain.
    fn gain(&self, call: Call) -> [f64; 2] {
        let is_rare = match call {
            Call::Bid(bid) => bid.value >= BidValue::CAPOT,
            call => matches!(call, Call::Coinche | Call::Surcoinche),
        };
        let [gain, deviation] = GAINS[usize::from(is_rare)];
        let [mean, _] = self.mean(self.over_assumed);
        let n = self.worlds.max(1.0);
        let squares = (self.over_assumed[1] - n * mean * mean).max(0.0) + OFF * OFF;
        let (error, prior) = (squares / (n * n), deviation * deviation);
        let trust = prior / (prior + error);
        [gain + trust * (mean - gain), Z_95 * (trust * error).sqrt()]
    }
}

/// Evaluates every call in sampled deals: returns the best, all with their figures, and that of the assumed bidder.
fn weigh(view: &View<'_>, adviser: &Adviser<'_>, also: Option<Call>) -> (Call, Vec<Weighed>, Assumed) {
    let legal = view.auction().state().legal_calls();
    let assumed = adviser.models.table(view.seat()).call(view, &legal, adviser.key);
    let doubles =
        [Call::Wait, Call::Coinche, Call::Surcoinche].into_iter().filter(|call| legal.contains(*call));
    let mut calls = vec![Call::Pass];
    let others = doubles.chain([assumed]).chain(promising_calls(view, &legal)).chain(also);
    for call in others {
        if !calls.contains(&call) {
            calls.push(call);
        }
    }
    let search = Search {
        view: *view,
        worlds: Worlds::of(view),
        assumed: calls.iter().position(|call| *call == assumed).unwrap_or(0),
        calls,
        models: adviser.models,
        key: adviser.key,
    };
    let (blocks, until): (Vec<Range<u32>>, _) = match adviser.budget {
        Budget::Worlds(most) => {
            let starts = (0..most).step_by(BLOCK as usize);
            (starts.map(|from| from..most.min(from.saturating_add(BLOCK))).collect(), None)
        }
        Budget::Time(time) => {
            // One block for each thread, as long as the budget allows.
            let share = u32::MAX / u32::try_from(adviser.solvers.threads()).unwrap_or(u32::MAX);
            let threads = 0..u32::MAX / share;
            (threads.map(|n| n * share..(n + 1) * share).collect(), Some(Instant::now() + time))
        }
    };
    let found = adviser.solvers.map(blocks, |_, block| search.block(block, until));
    let mut sums = search.nothing();
    for block in found {
        sums.merge(&block);
    }
    search.answer(&sums)
}

/// What was found.
#[derive(Debug, Clone)]
struct Found {
    calls: Vec<Sums>,
    /// Of the standing contract.
    standing: Sums,
}

merge! { Found { calls, standing } }

/// A search for the values of calls.
struct Search<'a> {
    view: View<'a>,
    worlds: Worlds<'a>,
    /// A pass first.
    calls: Vec<Call>,
    /// The number of the assumed bidder's call.
    assumed: usize,
    models: &'a Models,
    key: Key,
}

impl Search<'_> {
    fn nothing(&self) -> Found {
        Found { calls: vec![Sums::default(); self.calls.len()], standing: Sums::default() }
    }

    /// Evaluates the worlds of these numbers, at least one.
    fn block(&self, numbers: Range<u32>, until: Option<Instant>) -> Found {
        let mut opponents = self.models.read_by(&self.view);
        let mut table = self.models.table(self.view.seat());
        let mut found = self.nothing();
        let mut ended = None;
        for number in numbers {
            let key = self.key.and(2).and(number.into());
            if let Some(state) = self.world(&mut opponents, key, &mut ended) {
                self.look(&mut table, &state, key, &mut found);
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
        }
        found
    }

    /// Draws deals until the assumed bidders make the others' calls in one of them; if they do in none, walks to such a deal.
    ///
    /// Where no walk gets there, since nobody bids so, the next ones go on from where it `ended`.
    fn world(
        &self,
        opponents: &mut OpponentModel,
        key: Key,
        ended: &mut Option<BySeat<CardSet>>,
    ) -> Option<DealState> {
        let mut rng = key.rng();
        let (draws, exchanges) = if ended.is_none() { (DRAWS, EXCHANGES) } else { (0, [FURTHER; 2]) };
        let mut accepted = (0..draws).find_map(|_| {
            let deal = self.worlds.deal(&mut rng);
            opponents.accepts(&self.view, &deal, 1.0).then_some(deal)
        });
        if accepted.is_none() {
            let mut weigher = Weigher::new(&self.worlds, opponents);
            let walked = weigher.walk(&self.worlds, ended.take(), exchanges, &mut rng);
            accepted = walked.map(|(hands, is_as_expected)| {
                *ended = (!is_as_expected).then_some(hands);
                self.worlds.deal_of(&hands, &mut rng)
            });
        }
        if accepted.is_none() {
            let weigh = |deal| {
                let weight = opponents.weight(&self.view, &deal);
                Some((deal, weight))
            };
            accepted = POOL.draw(&self.view, &self.worlds, &mut rng, weigh);
        }
        retell(&self.view, &accepted?, |_, _, _| {})
    }

    /// Makes every call in one world.
    fn look(&self, table: &mut AssumedTable, state: &DealState, key: Key, found: &mut Found) {
        let own = self.view.seat().team();
        let played: Vec<Played> =
            self.calls.iter().map(|call| table.finish(state, *call, own, key)).collect();
        let most = played.iter().fold(f64::NEG_INFINITY, |most, it| most.max(it.score));
        let measures = [played[0].score, played[self.assumed].score, most];
        for (sums, it) in found.calls.iter_mut().zip(&played) {
            sums.count(it, measures);
        }
        if let Some(score) = table.as_it_stands(state) {
            found.standing.count(&Played { score: 0.0, contract: [true, score] }, measures);
        }
    }

    /// Chooses the call that gains most over that of the assumed bidder, where its interval says that it gains, else that.
    fn answer(&self, found: &Found) -> (Call, Vec<Weighed>, Assumed) {
        let nothing = [0.0; 2];
        let gains: Vec<_> = self.calls.iter().zip(&found.calls).map(|(call, it)| it.gain(*call)).collect();
        let gain = |at: usize| if at == self.assumed { nothing } else { gains[at] };
        let better = |best, at| if gain(at)[0] > gain(best)[0] { at } else { best };
        let is_clear = |at: &usize| gain(*at)[0] > gain(*at)[1];
        let best = (0..self.calls.len()).filter(is_clear).fold(self.assumed, better);
        let stands = self.view.auction().state().contract().is_some();
        let [of_assumed, _] = found.calls[self.assumed].mean(found.calls[self.assumed].scores);
        let option = |(at, (call, sums)): (usize, (&Call, &Sums))| {
            let bids = matches!(call, Call::Bid(_) | Call::Take | Call::TakeIn(_));
            let [of, made] = if bids { sums.contract } else { found.standing.contract };
            let is_known = sums.worlds > 0.0;
            Weighed {
                choice: (*call).into(),
                // Half a contract made and half a one failed more: a few deals do not make certainty.
                chance: (of >= ENOUGH).then(|| (made + 0.5) / (of + 1.0)),
                is_final: (is_known && (bids || stands)).then(|| sums.contract[0] / sums.worlds),
                score: is_known.then(|| [of_assumed + gain(at)[0], sums.mean(sums.scores)[1]]),
                gain: (is_known && *call != Call::Pass)
                    .then(|| [gain(at)[0] - gain(0)[0], sums.mean(sums.over_pass)[1]]),
                best: is_known.then(|| sums.best / sums.worlds),
                worlds: count(sums.worlds),
            }
        };
        let options = self.calls.iter().zip(&found.calls).enumerate().map(option).collect();
        (self.calls[best], options, Assumed { call: self.calls[self.assumed], gain: gain(best) })
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of worlds")]
fn count(worlds: f64) -> u64 {
    worlds as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gain(worlds: u32, gain: f64, spread: f64, call: Call) -> [f64; 2] {
        let mut sums = Sums::default();
        for world in 0..worlds {
            let score = gain + if world % 2 == 0 { spread } else { -spread };
            sums.count(&Played { score, contract: [false; 2] }, [0.0; 3]);
        }
        sums.gain(call)
    }

    #[test]
    fn a_gain_is_believed_as_far_as_the_deals_show_it() {
        let (pass, coinche) = (Call::Pass, Call::Coinche);
        // Few deals that agree are no certainty; many are.
        let [few, half] = gain(4, 40.0, 300.0, pass);
        assert!(few < 20.0 && few < half, "{few} ± {half}");
        let [many, half] = gain(40_000, 40.0, 300.0, pass);
        assert!((many - 40.0).abs() < 1.0 && half < 5.0, "{many} ± {half}");
        let [equal, half] = gain(2, 40.0, 0.0, pass);
        assert!(equal < half, "{equal} ± {half}");
        // With few deals a coinche is taken to lose more; more deals never widen the interval.
        assert!(gain(4, 40.0, 300.0, coinche)[0] < few - 20.0);
        assert!(gain(400, 40.0, 300.0, pass)[1] < gain(40, 40.0, 300.0, pass)[1]);
        // Without a deal it is what such calls gain.
        let [none, half] = gain(0, 0.0, 0.0, pass);
        assert!(none < 0.0 && half > none.abs(), "{none} ± {half}");
    }
}
