//! Selects the calls to evaluate, with the expectation for each before sampling.

use coinche_bots::table::{BiddingContext, CallContext, Company, Model};
use coinche_bots::{Choice, Thought};
use coinche_engine::{Call, Key, LegalCalls, View};

use super::models::{Models, Teller};

/// Calls expected to score at most this many points less than the best one are evaluated.
const REACH: f64 = 100.0;
/// The maximum number of bids evaluated.
const MOST: usize = 8;
/// The minimum expected chance of a slam that is evaluated.
const LEAST_SLAM: f64 = 0.2;

/// A call to evaluate, with the expectation of the table or the network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate {
    pub(super) call: Call,
    /// Expected gain over a pass.
    pub(super) gain: f64,
    /// Expected score of a pass.
    pub(super) score: f64,
    /// The chance of making the contract, if there is one.
    pub(super) chance: Option<f64>,
}

impl Candidate {
    /// Finds the calls to evaluate, a pass first; `also` is always included.
    pub(super) fn of(view: &View<'_>, model: &mut Model, models: &Models, also: Option<Call>) -> Vec<Self> {
        let legal = view.auction().state().legal_calls();
        let told = expected(view, &legal, model, models);
        let find = |call: Call| told.iter().find(|told| told.call == call).copied();
        let most = told.iter().fold(0.0, |most: f64, told| most.max(told.gain));
        let is_double = |call: Call| matches!(call, Call::Coinche | Call::Surcoinche);
        let considered = model.considered();
        let is_wild_slam = |call: Call| {
            considered.iter().any(|it| {
                it.call == call && it.context == CallContext::Slam && f64::from(it.chance) <= LEAST_SLAM
            })
        };
        let mut sensible: Vec<Self> = told
            .iter()
            .filter(|told| !told.call.is_pass() && !is_wild_slam(told.call))
            .filter(|told| told.gain > most - REACH || is_double(told.call))
            .copied()
            .collect();
        sensible.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        let (doubles, bids): (Vec<Self>, Vec<_>) =
            sensible.into_iter().partition(|told| is_double(told.call));
        let pass = find(Call::Pass).unwrap_or(Self { call: Call::Pass, gain: 0.0, score: 0.0, chance: None });
        let mut candidates = vec![pass];
        if legal.contains(Call::Wait) {
            candidates.push(Self { call: Call::Wait, ..pass });
        }
        candidates.extend(doubles.into_iter().chain(bids.into_iter().take(MOST)));
        if let Some(call) = also.filter(|call| !candidates.iter().any(|it| it.call == *call)) {
            // Calls that the bidder did not consider are assumed to be bad.
            let bad = Self { call, gain: -REACH, score: pass.score, chance: None };
            candidates.push(find(call).unwrap_or(bad));
        }
        candidates
    }
}

/// Returns the expectation for the calls that the table considers, from the table or from the opponents'
/// network.
fn expected(view: &View<'_>, legal: &LegalCalls, model: &mut Model, models: &Models) -> Vec<Candidate> {
    let chosen = model.best(&BiddingContext::from(view), legal);
    let company = match models.teller() {
        Teller::Table(company) => company,
        Teller::Net => {
            let mut bidder = models.opponents_bidder();
            bidder.start();
            // The key is not used: the bidder is deterministic.
            bidder.call(view, legal, Key::from_bits(0));
            if let Some(thought) = bidder.thought() {
                return of_thought(thought);
            }
            // Only a pass was considered. The table stands in for the network.
            Company::Table
        }
    };
    let told = model.forecasts(view.rules(), chosen, company);
    told.map(|it| Candidate { call: it.call, gain: it.gain, score: it.score, chance: it.chance() }).collect()
}

/// Returns the expectations from a bidder's thought.
fn of_thought(thought: &Thought) -> Vec<Candidate> {
    let call = |choice| match choice {
        Choice::Call(call) => Some(call),
        Choice::Card(_) => None,
    };
    let pass = thought.options.iter().find(|it| call(it.choice) == Some(Call::Pass));
    let of_pass = pass.map_or(0.0, |pass| pass.mean);
    let candidate = |it: &coinche_bots::Considered| {
        let call = call(it.choice)?;
        Some(Candidate { call, gain: it.mean - of_pass, score: it.mean, chance: it.chance })
    };
    thought.options.iter().filter_map(candidate).collect()
}
