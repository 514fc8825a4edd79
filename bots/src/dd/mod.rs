//! `dd`: bids by deals that fit what the seat knows, solved double dummy.
//!
//! What it has in common with other bidders that simulate is in [`simulation`](crate::simulation). Solved points are turned into
//! played ones by what the table says of the difference.

use coinche_engine::RuleSet;

use crate::search::{Limits, TIME_PARAM};
use crate::simulation::{
    AuctionSearch, BiddingPolicy, Guide, READING_PARAMS, Sampling, SimulatingBidder, Simulation, Value,
};
use crate::table::{Model, dd_rows, logistic, model_of};
use crate::{ParamError, ParamInfo, Params};

/// Bids by solving deals that fit.
pub type DdBidder = SimulatingBidder<DoubleDummy>;

/// Solves the contracts that come out.
#[derive(Debug)]
pub enum DoubleDummy {}

impl DdBidder {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "worlds" = "30", "1 to 1000000", "worlds searched per decision, unless only time is given";
        TIME_PARAM;
        READING_PARAMS[0 1 2 3 4];
        crate::TableBidder::PARAMS[0];
    };

    /// Reads the parameters, and returns how to make the bidder.
    ///
    /// # Errors
    ///
    /// When one of them is not legal.
    pub fn maker(params: &Params) -> Result<impl Fn() -> Self + Send + Sync + use<>, ParamError> {
        let model = model_of(params)?;
        let sampling = Sampling::from_params(params)?;
        let limits = Limits::from_params(params, "worlds")?;
        Ok(move || Self::searching(&model, &sampling, limits))
    }

    /// Makes a bidder that looks at so many worlds, and reads the calls.
    pub fn new(model: &Model, worlds: usize) -> Self {
        Self::searching(model, &Sampling::default(), Limits::of_count(worlds))
    }

    fn searching(model: &Model, sampling: &Sampling, limits: Limits) -> Self {
        let (guide, value) = (Guide::table(model), Value::solved());
        let (policy, sampler) = (BiddingPolicy::of(guide.clone()), sampling.sampler());
        Self::with(guide, Simulation { policy, sampler, value, limits, prunes: false, tree: None })
    }
}

impl AuctionSearch for DoubleDummy {
    const NAME: &'static str = "dd";
    const LEAST_SLAM: f32 = 0.3;

    /// It makes other calls than the table, so the chances are others.
    fn chance(guide: &Guide, rules: &RuleSet, odds: f32, is_bid: bool) -> f32 {
        let row = dd_rows(rules, is_bid).next();
        let [shift, factor] = row.map_or([0.0, 1.0], |row| guide.bidding_table().dd[row]);
        logistic(shift + factor * odds)
    }
}
