//! Who bids for all four seats while an auction goes on.

use coinche_engine::{Call, DealState, Key, Seat, Turn};

use crate::table::{BiddingContext, BiddingTable, Model};
use crate::{Bidder, ParamError, ParamInfo, Params, RulesBidder};

/// The parameter that says who bids while auctions go on.
pub(crate) const BIDS_PARAM: ParamInfo = ParamInfo {
    name: "bids",
    default: "table",
    legal: "table or rules",
    about: "who bids for all four while the auction goes on in a world",
};

/// Bids for all four seats. The calls that were made are read as those of `table` in any case.
#[derive(Debug)]
pub(crate) struct Policy {
    model: Model,
    /// Bids in the place of the table.
    rules: Option<RulesBidder>,
}

impl Policy {
    pub(crate) fn table(model: &Model) -> Self {
        Self { model: model.clone(), rules: None }
    }

    /// Reads the parameter.
    ///
    /// # Errors
    ///
    /// When it is not legal.
    pub(crate) fn from_params(params: &Params) -> Result<impl Fn(&Model) -> Self + Copy + use<>, ParamError> {
        let is_rules = params.either("bids", ["rules", "table"])?;
        Ok(move |model: &Model| Self { rules: is_rules.then(RulesBidder::default), ..Self::table(model) })
    }

    /// Returns the table.
    pub(super) fn bidding_table(&self) -> &BiddingTable {
        self.model.table()
    }

    /// Returns how likely a call of a seat is, up to a factor.
    pub(super) fn likelihood(&mut self, state: &DealState, seat: Seat, call: Call, softness: f32) -> f32 {
        let bidding = BiddingContext::from(&state.view(seat));
        self.model.likelihood(&bidding, &state.legal_calls(), call, softness)
    }

    /// Returns the call of a seat.
    pub(super) fn call(&mut self, state: &DealState, seat: Seat) -> Call {
        let (view, legal) = (state.view(seat), state.legal_calls());
        match &mut self.rules {
            Some(rules) => rules.call(&view, &legal, Key::from_bits(0)),
            None => self.model.best(&BiddingContext::from(&view), &legal),
        }
    }

    /// Lets the auction go on to its end; `None` where a call is not legal.
    pub(super) fn finish(&mut self, state: &mut DealState) -> Option<()> {
        while let Turn::Call(seat) = state.turn() {
            let call = self.call(state, seat);
            state.call(call).ok()?;
        }
        Some(())
    }
}
