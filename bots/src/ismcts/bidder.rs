//! `ismcts` as a bidder: as `mc`, with a tree of the seat's own later calls.

use coinche_engine::RuleSet;

use crate::search::{Limits, TIME_PARAM};
use crate::simulation::{
    AuctionSearch, BIDS_PARAM, BiddingPolicy, CallTree, FILE_PARAM, Guide, READING_PARAMS, Sampling,
    SimulatingBidder, Simulation, Value,
};
use crate::table::logistic;
use crate::{ParamError, ParamInfo, Params};

/// The lines by which it corrects the odds of the network, of bids second: fitted by `told_fit` (benches/examples) to 2,191 contracts of four
/// such bidders. docs/bidders.md has the figures.
const LINES: [[f32; 2]; 2] = [[0.25, 0.8], [0.15, 0.85]];

/// Bids by a tree of information sets over deals that fit.
pub type IsmctsBidder = SimulatingBidder<InformationSets>;

/// Plays the contracts that come out, and chooses the seat's own later calls by what came of them.
#[derive(Debug)]
pub enum InformationSets {}

impl IsmctsBidder {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "iterations" = "60", "1 to 1000000", "worlds played out per call, unless only time is given";
        TIME_PARAM;
        "exploration" = "150", "0 to 10000", "constant of UCB1, in points";
        BIDS_PARAM;
        READING_PARAMS[0 1 2 3 4];
        FILE_PARAM;
    };

    /// Reads the parameters, and returns how to make the bidder.
    ///
    /// # Errors
    ///
    /// When one of them is not legal.
    pub fn maker(params: &Params) -> Result<impl Fn() -> Self + Send + Sync + use<>, ParamError> {
        let (sampling, policy) = (Sampling::from_params(params)?, BiddingPolicy::from_params(params)?);
        let limits = Limits::from_params(params, "iterations")?;
        let exploration = params.number("exploration", 0.0..=10_000.0)?;
        Ok(move || {
            let ((policy, guide), sampler, value) = (policy(), sampling.sampler(), Value::Played);
            let tree = Some(CallTree::new(guide.clone(), exploration));
            Self::with(guide, Simulation { policy, sampler, value, limits, prunes: true, tree })
        })
    }
}

impl AuctionSearch for InformationSets {
    const NAME: &'static str = "ismcts";

    /// It makes other calls than the network, so the chances are others.
    fn chance(guide: &Guide, rules: &RuleSet, odds: f32, is_bid: bool) -> f32 {
        let [shift, factor] = if guide.is_net(rules) { LINES[usize::from(is_bid)] } else { [0.0, 1.0] };
        logistic(shift + factor * odds)
    }
}
