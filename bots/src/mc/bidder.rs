//! `mc` as a bidder: every call in sampled deals, the auction gone on with and the cards played out by policies.

use crate::search::{Limits, TIME_PARAM};
use crate::simulation::{
    AuctionSearch, BIDS_PARAM, BiddingPolicy, FILE_PARAM, READING_PARAMS, Sampling, SimulatingBidder,
    Simulation, Value,
};
use crate::{ParamError, ParamInfo, Params};

/// Bids by deals that fit, played out.
pub type McBidder = SimulatingBidder<PlayedOut>;

/// Plays the contracts that come out.
#[derive(Debug)]
pub enum PlayedOut {}

impl McBidder {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "worlds" = "60", "1 to 1000000", "worlds played out per call, unless only time is given";
        TIME_PARAM;
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
        let limits = Limits::from_params(params, "worlds")?;
        Ok(move || {
            let ((policy, guide), sampler, value) = (policy(), sampling.sampler(), Value::Played);
            Self::with(guide, Simulation { policy, sampler, value, limits, prunes: true, tree: None })
        })
    }
}

impl AuctionSearch for PlayedOut {
    const NAME: &'static str = "mc";
}
