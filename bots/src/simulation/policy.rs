//! Who bids for all four seats while an auction goes on.

use coinche_engine::{Call, DealState, Key, Seat, Turn};

use super::guide::Guide;
use crate::families::untrained;
use crate::net::bidding::net_of;
use crate::table::{BiddingContext, BiddingTable, model_of};
use crate::{Bidder, ParamError, ParamInfo, Params, RulesBidder};

/// The parameter that says who bids while auctions go on.
pub(crate) const BIDS_PARAM: ParamInfo = params! {
    "bids" = "net", "net, table or rules", "who bids for all four while the auction goes on in a world";
}[0];

/// The parameter that names a file for who bids.
pub(crate) const FILE_PARAM: ParamInfo = params! {
    "file" = "built-in", "a file that `arena train bidding` (with bids=net) or `arena fit` has made, or built-in",
        "the network, or the table of what hands make and what calls gain";
}[0];

/// Bids for all four seats.
#[derive(Debug)]
pub(crate) struct BiddingPolicy {
    guide: Guide,
    /// Bids in the place of the guide.
    rules: Option<RulesBidder>,
}

impl BiddingPolicy {
    pub(crate) fn of(guide: Guide) -> Self {
        Self { guide, rules: None }
    }

    /// Reads the parameter: the policy, and who finds the calls that are looked at.
    pub(crate) fn from_params(params: &Params) -> Result<impl Fn() -> (Self, Guide) + use<>, ParamError> {
        let (guide, is_rules) = match params.text("bids") {
            "net" => (Guide::Net(Box::new(net_of(params)?)), false),
            bids @ ("table" | "rules") => (Guide::table(&model_of(params)?), bids == "rules"),
            _ => return Err(params.illegal("bids")),
        };
        Ok(move || (Self { guide: guide.clone(), rules: is_rules.then(RulesBidder::default) }, guide.clone()))
    }

    /// Returns the table.
    pub(super) fn bidding_table(&self) -> &BiddingTable {
        self.guide.bidding_table()
    }

    /// Returns who finds the calls that are looked at.
    pub(super) const fn guide(&mut self) -> &mut Guide {
        &mut self.guide
    }

    /// Returns the call of a seat.
    pub(super) fn call(&mut self, state: &DealState, seat: Seat) -> Call {
        let (view, legal) = (state.view(seat), state.legal_calls());
        match &mut self.rules {
            None if untrained(view.rules()).is_some() => {
                RulesBidder::default().call(&view, &legal, Key::from_bits(0))
            }
            Some(rules) => rules.call(&view, &legal, Key::from_bits(0)),
            None => self.guide.best(&BiddingContext::from(&view), &legal),
        }
    }
}

/// Makes a call in a world and completes the auction by `next`; `None` if a call is not legal.
pub fn complete_auction(
    state: &DealState,
    call: Call,
    mut next: impl FnMut(&DealState, Seat) -> Call,
) -> Option<DealState> {
    let mut state = state.clone();
    state.call(call).ok()?;
    while let Turn::Call(seat) = state.turn() {
        let call = next(&state, seat);
        state.call(call).ok()?;
    }
    Some(state)
}
