//! `dd`: bids by deals that fit what the seat knows.
//!
//! A decision draws deals that fit the hand, preferring those in which the others would have called what they
//! called. In each it makes every call that `table` finds worth a thought, lets the auction go on with four
//! `table` bidders, and solves the contract that comes out. Solved points are turned into played ones by what
//! the table says of the difference ([`played`]). What the deals say is weighed against what the table expects,
//! by how certain each is.

mod played;

use coinche_engine::solver::Solver;
use coinche_engine::{Call, DealState, Key, LegalCalls, Seat, Turn, View};
use rand_xoshiro::rand_core::Rng;

use crate::bot::Considered;
use crate::search::{Limits, Stopwatch, TIME_PARAM};
use crate::table::{BiddingContext, CallContext, Company, Model, dd_row, logistic, model_of};
use crate::worlds::{Worlds, retell};
use crate::{Agent, Bidder, Choice, ParamError, ParamInfo, Params, Thought};
pub use played::Solved;

/// How far below the best call, in points, one may be for the table to be worth a thought.
const REACH: f32 = 60.0;
/// How many calls are looked at most.
const MOST_CALLS: usize = 6;
/// How far the table is usually off in what calls gain, in points.
const TABLE_DEVIATION: f64 = 40.0;
/// How soft the calls of the others are, in points.
const SOFTNESS: f32 = 30.0;

/// How many deals are drawn for one that is searched, where nothing else is said.
const POOL: usize = 12;

/// Bids by solving deals that fit.
#[derive(Debug)]
pub struct DdBidder {
    model: Model,
    /// Bids for all four while the auctions go on.
    rollout: Model,
    solver: Solver,
    limits: Limits,
    /// How many deals are drawn for one that is searched.
    pool: usize,
    thought: Option<Thought>,
}

/// A call that is looked at.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    call: Call,
    /// What the table expects it to gain over the first, and of the deal.
    expected: f64,
    score: f64,
    chance: Option<f64>,
    /// Sum and sum of squares of what it gained over the first, and the sum of its scores.
    gained: f64,
    squares: f64,
    scores: f64,
}

impl DdBidder {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = &[
        ParamInfo {
            name: "worlds",
            default: "30",
            legal: "1 to 1000000",
            about: "worlds searched per decision, unless only time is given",
        },
        TIME_PARAM,
        ParamInfo {
            name: "read",
            default: "calls",
            legal: "none or calls",
            about: "evidence about the hidden cards: none, or the calls as `table` makes them",
        },
        ParamInfo {
            name: "pool",
            default: "12",
            legal: "1 to 1000",
            about: "worlds sampled for each one searched; likely ones are taken more often",
        },
        crate::TableBidder::PARAMS[0],
    ];

    /// Reads the parameters, and returns how to make the bidder.
    ///
    /// # Errors
    ///
    /// When one of them is not legal.
    pub fn maker(params: &Params) -> Result<impl Fn() -> Self + Send + Sync + use<>, ParamError> {
        let model = model_of(params)?;
        let pool = params.number("pool", 1..=1000)?;
        let pool = if params.either("read", ["calls", "none"])? { pool } else { 1 };
        let limits = Limits::from_params(params, "worlds")?;
        Ok(move || Self::with(&model, pool, limits))
    }

    /// Makes a bidder that looks at so many worlds, and reads the calls.
    pub fn new(model: &Model, worlds: usize) -> Self {
        Self::with(model, POOL, Limits::of_count(worlds))
    }

    fn with(model: &Model, pool: usize, limits: Limits) -> Self {
        let (rollout, model) = (model.clone(), model.clone());
        Self { model, rollout, solver: Solver::new(), limits, pool, thought: None }
    }

    /// The calls that are worth a thought, the best first.
    fn options(&mut self, view: &View<'_>, legal: &LegalCalls) -> Vec<Candidate> {
        let best = self.model.best(&BiddingContext::from(view), legal);
        let told = self.model.forecasts(view.rules(), best, Company::Table);
        let considered: Vec<_> = self.model.considered().iter().zip(told).collect();
        let Some(first) = considered.iter().find(|(option, _)| option.call == best) else {
            return Vec::new();
        };
        let mut others: Vec<_> = considered
            .iter()
            .filter(|(option, _)| option.call != best && option.gain > first.0.gain - REACH)
            .filter(|(option, _)| option.context != CallContext::Slam || option.chance > 0.3)
            .collect();
        others.sort_by(|(a, _), (b, _)| b.gain.total_cmp(&a.gain));
        core::iter::once(first)
            .chain(others)
            .take(MOST_CALLS)
            .map(|(option, told)| Candidate {
                call: option.call,
                expected: told.gain - first.1.gain,
                score: told.score,
                chance: told.odds.map(|odds| {
                    let [shift, factor] =
                        self.model.table().dd[dd_row(view.rules(), option.context.is_bid())];
                    logistic(shift + factor * odds).into()
                }),
                gained: 0.0,
                squares: 0.0,
                scores: 0.0,
            })
            .collect()
    }

    /// Draws a few deals that fit, and returns the state of one of them: the likelier the calls of the others
    /// are in it, the more often.
    fn world(&mut self, view: &View<'_>, worlds: &Worlds<'_>, rng: &mut impl Rng) -> Option<DealState> {
        let mut chosen = None;
        let mut sum = 0.0;
        let own = view.seat();
        let silent = view.auction().calls().iter().all(|(seat, _)| *seat == own);
        for _ in 0..if silent { 1 } else { self.pool } {
            let deal = worlds.deal(rng);
            let mut weight = 1.0;
            let rollout = &mut self.rollout;
            let state = retell(view, &deal, |state, seat, decision| {
                if let (true, Choice::Call(call)) = (seat != own, decision) {
                    let bidding = BiddingContext::from(&state.view(seat));
                    weight *= f64::from(rollout.likelihood(&bidding, &state.legal_calls(), call, SOFTNESS));
                }
            });
            let Some(state) = state else { continue };
            sum += weight;
            #[expect(clippy::cast_precision_loss, reason = "a number of 53 bits")]
            let draw = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            if draw * sum < weight || chosen.is_none() {
                chosen = Some(state);
            }
        }
        chosen
    }

    /// Looks at the options in worlds, and returns in how many.
    fn search(
        &mut self,
        view: &View<'_>,
        options: &mut [Candidate],
        mut rng: impl Rng,
        watch: Stopwatch,
    ) -> u32 {
        let (worlds, mut count) = (Worlds::of(view), 0);
        for _ in 0..self.limits.count() {
            if let Some(state) = self.world(view, &worlds, &mut rng) {
                let (mut solved, mut of_first) = (Solved::default(), 0.0);
                for (at, option) in options.iter_mut().enumerate() {
                    let Some(score) = self.score(&state, option.call, view.seat(), &mut solved) else {
                        continue;
                    };
                    if at == 0 {
                        of_first = score;
                    }
                    option.count(score - of_first, score);
                }
                count += 1;
            }
            if self.limits.is_over(watch, 1.0) {
                break;
            }
        }
        count
    }

    /// Lets the auction go on after a call, and returns what the seat's side scores.
    fn score(&mut self, state: &DealState, call: Call, seat: Seat, solved: &mut Solved) -> Option<f64> {
        let mut state = state.clone();
        state.call(call).ok()?;
        while let Turn::Call(next) = state.turn() {
            let call = self.rollout.best(&BiddingContext::from(&state.view(next)), &state.legal_calls());
            state.call(call).ok()?;
        }
        Some(solved.net(&mut self.solver, self.rollout.table(), &state, seat.team()))
    }
}

impl Candidate {
    fn count(&mut self, gained: f64, score: f64) {
        self.gained += gained;
        self.squares += gained * gained;
        self.scores += score;
    }

    /// Mean and squared standard error of what it gained in so many worlds.
    fn found(&self, worlds: f64) -> (f64, f64) {
        let mean = self.gained / worlds;
        // One deal more, off by 150 points, keeps a few equal deals from being taken for certainty.
        let variance = ((self.squares - worlds * mean * mean).max(0.0) + 150.0 * 150.0) / worlds;
        (mean, variance / worlds)
    }

    /// What it gains over the first, by both the table and the worlds.
    fn gain(&self, worlds: f64) -> f64 {
        let (mean, error) = self.found(worlds);
        let prior = TABLE_DEVIATION * TABLE_DEVIATION;
        (self.expected * error + mean * prior) / (error + prior)
    }
}

impl Agent for DdBidder {
    fn start(&mut self) {
        self.thought = None;
    }

    fn thinks(&self) -> bool {
        true
    }

    fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }
}

impl Bidder for DdBidder {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, key: Key) -> Call {
        self.thought = None;
        let watch = Stopwatch::start();
        let mut options = self.options(view, legal);
        let Some(first) = options.first().map(|option| option.call) else { return Call::Pass };
        let count = if options.len() > 1 { self.search(view, &mut options, key.rng(), watch) } else { 0 };
        let worlds = f64::from(count);
        let gain =
            |option: &Candidate| if option.call == first || count == 0 { 0.0 } else { option.gain(worlds) };
        // The first of those that are best.
        let best =
            options.iter().reduce(|best, option| if gain(option) > gain(best) { option } else { best });
        let call = best.map_or(first, |best| best.call);
        self.thought = Some(thought(&options, call, count));
        call
    }
}

/// What is told of the options; of a single one, which was not searched, what the table expects.
fn thought(options: &[Candidate], best: Call, count: u32) -> Thought {
    let worlds = f64::from(count);
    let mut thought = Thought::default();
    for option in options {
        let (mean, half_width) = match count {
            0 => (option.score, 0.0),
            _ => (option.scores / worlds, 1.96 * option.found(worlds).1.sqrt()),
        };
        let is_best = option.call == best;
        if is_best {
            (thought.points, thought.chance) = (Some(mean), option.chance);
        }
        thought.options.push(Considered {
            choice: option.call.into(),
            mean,
            half_width,
            chance: option.chance,
            best: if is_best { 1.0 } else { 0.0 },
            worlds: count.into(),
        });
    }
    thought
}
