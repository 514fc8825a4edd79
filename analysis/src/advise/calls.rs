//! Values calls by sampling: draws compatible deals, completes the auction in each, and solves its contract.
//!
//! This is the method of the bidder `dd`, with three differences. Every call that a person may consider is
//! evaluated, and always a pass, the reference for gains. Deals are weighted, and auctions completed, by the
//! bidding of `rules`, not of `table`. Sampled gains are blended in fixed shares ([`SHARE`]) with what `table`
//! or `net` expects.

use core::ops::Range;
use std::time::Instant;

use coinche_bots::table::Model;
use coinche_bots::worlds::{OpponentModel, Worlds, retell};
use coinche_bots::{Bidder, BotSpec, Choice, Pool, Solved, complete_auction};
use coinche_engine::solver::Solver;
use coinche_engine::{Call, DealState, Key, Strain, View};

use super::candidates::Candidate;
use super::holdings::Holdings;
use super::{Advice, Adviser, Budget, Models, Weighed, ask, weighed};
use coinche_inference::{Merge, merge};

/// The deals drawn for each one that is searched: so many that several are likely.
const POOL: Pool = Pool { least: 32, most: 1000, enough: 4.0 };
/// Number of worlds that a thread searches at a time.
const BLOCK: u32 = 8;
/// The weight of sampled gains; the expectation of the table or the network has the rest. Double-dummy results
/// show what is in the hands, but the table and the network predict better how bid contracts are played
/// (docs/strategy.md). They also supply the chances and the score from which gains are counted, since these are
/// calibrated.
const SHARE: f64 = 0.25;

/// Recommends a call.
pub(super) fn advise(view: &View<'_>, adviser: &Adviser<'_>, holdings: Holdings) -> Advice {
    let legal = view.auction().state().legal_calls();
    let said = adviser
        .by
        .map(|spec| ask(&mut *spec.build().bidder, |bidder| bidder.call(view, &legal, adviser.key)));
    let (choice, options, figures_of_others) = match said {
        Some((call, Some(thought))) => (call, weighed(&thought), false),
        Some((call, None)) => (call, weigh(view, adviser, Some(call)), true),
        None => {
            let options = weigh(view, adviser, None);
            (best(&options), options, false)
        }
    };
    let is_own = adviser.by.is_none() || figures_of_others;
    let calibrated = match adviser.by {
        Some(by) if !is_own => format!(" Chances and scores are those that {by} tells."),
        _ => adviser.models.calibrated(),
    };
    Advice {
        choice: choice.into(),
        by: adviser.by.map_or_else(|| "deals that fit, solved".to_owned(), BotSpec::to_string),
        figures_of_others,
        strains: strains(view, &options),
        options,
        holdings,
        agreed: Vec::new(),
        models: adviser.models.sentence(false) + &calibrated,
        expected_by: adviser.models.expected_by(),
    }
}

/// Returns the call that gains most over a pass.
fn best(options: &[Weighed]) -> Call {
    let gain = |option: &Weighed| option.gain.map_or(0.0, |[gain, _]| gain);
    let call = |option: &Weighed| match option.choice {
        Choice::Call(call) => call,
        Choice::Card(_) => Call::Pass,
    };
    // The first option is a pass.
    let best = options.iter().reduce(|best, option| if gain(option) > gain(best) { option } else { best });
    best.map_or(Call::Pass, call)
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

/// Sums of a call's results over some worlds.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    scores: f64,
    squares: f64,
    /// Gains over a pass.
    gains: f64,
    gain_squares: f64,
    /// Chances of the contract, and the number of worlds that have one.
    chances: f64,
    contracts: f64,
    best: f64,
}

merge! { Sums { scores, squares, gains, gain_squares, chances, contracts, best } }

impl Sums {
    fn count(&mut self, score: f64, of_pass: f64, most: f64, chance: Option<f64>) {
        self.merge(&Self {
            scores: score,
            squares: score * score,
            gains: score - of_pass,
            gain_squares: (score - of_pass) * (score - of_pass),
            chances: chance.unwrap_or_default(),
            contracts: f64::from(u8::from(chance.is_some())),
            best: f64::from(u8::from(score >= most)),
        });
    }

    /// Blends the sampled results of a call with its expectation; `of_pass` is the score of a pass.
    fn weighed(&self, candidate: &Candidate, worlds: u32, of_pass: f64) -> Weighed {
        let n = f64::from(worlds);
        let blend = |expected: f64, worlds: f64| (1.0 - SHARE) * expected + SHARE * worlds;
        // Half of the interval due to sampling; a single deal has none.
        let half = |sum: f64, squares: f64| {
            SHARE * 1.96 * ((squares - sum * sum / n).max(0.0) / (n - 1.0)).sqrt() / n.sqrt()
        };
        let is_pass = candidate.call == Call::Pass;
        let gain = if is_pass { 0.0 } else { blend(candidate.gain, self.gains / n) };
        let solved = (self.contracts > 0.0).then(|| self.chances / self.contracts);
        Weighed {
            choice: candidate.call.into(),
            chance: candidate.chance.or(solved),
            score: Some([of_pass + gain, half(self.scores, self.squares)]),
            gain: (!is_pass).then(|| [gain, half(self.gains, self.gain_squares)]),
            best: Some(self.best / n),
            worlds: worlds.into(),
        }
    }
}

/// Evaluates every call in sampled deals.
fn weigh(view: &View<'_>, adviser: &Adviser<'_>, also: Option<Call>) -> Vec<Weighed> {
    let mut model = Model::default();
    let candidates = Candidate::of(view, &mut model, adviser.models, also);
    let search = Search {
        view: *view,
        worlds: Worlds::of(view),
        candidates,
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
    let found = adviser.solvers.map(blocks, |solver, block| search.block(&model, solver, block, until));
    let mut sums = vec![Sums::default(); search.candidates.len()];
    let mut worlds = 0;
    for (count, block) in found {
        worlds += count;
        sums.merge(&block);
    }
    let worlds = worlds.max(1);
    let of_pass = search.candidates[0].score;
    let options = search.candidates.iter().zip(&sums);
    options.map(|(candidate, sums)| sums.weighed(candidate, worlds, of_pass)).collect()
}

/// A search for the values of calls.
struct Search<'a> {
    view: View<'a>,
    worlds: Worlds<'a>,
    candidates: Vec<Candidate>,
    models: &'a Models,
    key: Key,
}

impl Search<'_> {
    /// Evaluates the worlds of these numbers, at least one, and returns how many were evaluated and the sums by
    /// call.
    fn block(
        &self,
        model: &Model,
        solver: &mut Solver,
        numbers: Range<u32>,
        until: Option<Instant>,
    ) -> (u32, Vec<Sums>) {
        let mut opponents = self.models.read_by(&self.view);
        // The bidder of all further calls, including those of the own seat: by default one that is
        // deterministic and bids like people. (Among four `table` bidders 100 is often better than 90 and worse
        // than 110, because of how they answer it.)
        let mut next = self.models.bidder(self.view.seat());
        let mut sums = vec![Sums::default(); self.candidates.len()];
        let mut count = 0;
        for number in numbers {
            if let Some(state) = self.world(&mut opponents, self.key.and(2).and(number.into())) {
                self.look(model, &mut *next, solver, &state, &mut sums);
                count += 1;
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
        }
        (count, sums)
    }

    /// Draws deals and returns one of them, picked by the likelihood of the others' calls.
    fn world(&self, opponents: &mut OpponentModel, key: Key) -> Option<DealState> {
        let weigh = |deal| {
            let weight = opponents.weight(&self.view, &deal);
            Some((deal, weight))
        };
        let deal = POOL.draw(&self.view, &self.worlds, &mut key.rng(), weigh)?;
        retell(&self.view, &deal, |_, _, _| {})
    }

    /// Evaluates every call in one world.
    fn look(
        &self,
        mind: &Model,
        next: &mut dyn Bidder,
        solver: &mut Solver,
        state: &DealState,
        sums: &mut [Sums],
    ) {
        let team = self.view.seat().team();
        let mut of_world = Solved::default();
        let looked: Vec<(f64, Option<f64>)> = self
            .candidates
            .iter()
            .map(|candidate| {
                next.start();
                let end = complete_auction(state, candidate.call, |state, seat| {
                    next.call(&state.view(seat), &state.legal_calls(), self.key)
                });
                let score = end.map_or(0.0, |end| of_world.net(solver, mind.table(), &end, team));
                let stands = complete_auction(state, candidate.call, |_, _| Call::Pass);
                (score, stands.and_then(|end| of_world.chance(solver, mind.table(), &end)))
            })
            .collect();
        let most = looked.iter().fold(f64::NEG_INFINITY, |most, (score, _)| most.max(*score));
        for (sum, (score, chance)) in sums.iter_mut().zip(&looked) {
            sum.count(*score, looked[0].0, most, *chance);
        }
    }
}
