//! The bidder in the registry.

use std::sync::Arc;

use coinche_engine::{Call, LegalCalls, View};

use super::model::NetModel;
use super::network::BiddingNetwork;
use crate::table::{BidderModel, BiddingContext, ModelBidder, tell};
use crate::{BidStyle, ParamError, ParamInfo, Params, Thought};

/// Bids by a network.
///
/// Without randomness, and in some microseconds. In its [`Thought`] the means are what the network expects of the deal after each call, in
/// the auctions that it was trained on. Nothing is sampled, so that no world is counted and no interval is given.
pub type NetBidder = ModelBidder<NetModel>;

impl NetBidder {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "file" = "built-in", "a file that `arena train bidding` has made, or built-in", "the network of the bidder";
        "coinche" = "0", "0 to 1000", "points that a coinche must gain to be called, by the network";
        STYLE;
    };

    /// Makes the bidder of the bot `champion`, whose bids have a style.
    pub fn champion(style: Option<Arc<dyn BidStyle>>) -> Self {
        Self::new(NetModel::champion(style))
    }

    /// Reads the parameters but for the style of its bids, and returns how to make the bidder.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is no network.
    pub fn maker(
        params: &Params,
        style: Option<Arc<dyn BidStyle>>,
    ) -> Result<impl Fn() -> Self + Send + Sync + use<>, ParamError> {
        let coinche = params.number("coinche", 0.0..=1000.0)?;
        let this = Self::new(model(params)?.with_coinche(coinche).with_style(style));
        Ok(move || this.clone())
    }
}

/// The parameter `style`.
pub(crate) const STYLE: ParamInfo = ParamInfo {
    name: "style",
    default: "free",
    legal: "free, natural, or the file of a system with promises",
    about: "what its bids must show; natural: a suit is named with its jack or nine (`arena system show natural`)",
};

/// Makes the model of the parameter `file`.
pub(crate) fn model(params: &Params) -> Result<NetModel, ParamError> {
    Ok(NetModel::new(Some(BiddingNetwork::of_param(params, "file")?)))
}

impl BidderModel for NetModel {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, thought: &mut Thought) -> Call {
        let (call, forecasts) = self.forecasts(&BiddingContext::from(view), &self.allowed(view, *legal));
        tell(thought, (self.told_as(view.rules()), view.rules()), call, forecasts.into_iter());
        call
    }
}
