//! The bidder in the registry.

use std::sync::Arc;

use coinche_engine::{Call, Key, LegalCalls, View};

use super::model::NetModel;
use super::network::BiddingNetwork;
use crate::table::{BiddingContext, tell};
use crate::{Agent, Bidder, ParamError, ParamInfo, Params, Thought};

/// Bids by a network.
///
/// Without randomness, and in some microseconds. In its [`Thought`] the means are what the network expects of the deal after each call, in
/// the auctions that it was trained on. Nothing is sampled, so that no world is counted and no interval is given.
#[derive(Debug, Clone, Default)]
pub struct NetBidder {
    model: NetModel,
    thought: Thought,
}

impl NetBidder {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "file" = "built-in", "a file that `arena train bidding` has made, or built-in", "the network of the bidder";
        "coinche" = "0", "0 to 1000", "points that a coinche must gain to be called, by the network";
    };

    /// Makes a bidder that uses this model.
    pub const fn new(model: NetModel) -> Self {
        Self { model, thought: Thought { points: None, chance: None, options: Vec::new() } }
    }

    /// Reads the parameters, and returns how to make the bidder.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is no network.
    pub fn maker(params: &Params) -> Result<impl Fn() -> Self + Send + Sync + use<>, ParamError> {
        let coinche = params.number("coinche", 0.0..=1000.0)?;
        let this = Self::new(model(params)?.with_coinche(coinche));
        Ok(move || this.clone())
    }
}

/// Makes the model of the parameter `file`.
pub(crate) fn model(params: &Params) -> Result<NetModel, ParamError> {
    match params.text("file") {
        "built-in" => Ok(NetModel::default()),
        path => {
            let bytes = params.file("file").map_err(|error| BiddingNetwork::kind().unreadable(path, &error));
            let network = bytes.and_then(|bytes| BiddingNetwork::from_bytes(path, &bytes));
            let network = network.map_err(|error| params.illegal_file("file", &error))?;
            Ok(NetModel::new(Some(Arc::new(network))))
        }
    }
}

impl Agent for NetBidder {
    fn start(&mut self) {
        self.thought.options.clear();
    }

    fn thinks(&self) -> bool {
        true
    }

    fn thought(&self) -> Option<&Thought> {
        (self.thought.options.len() > 1).then_some(&self.thought)
    }
}

impl Bidder for NetBidder {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, _key: Key) -> Call {
        let (call, forecasts) = self.model.forecasts(&BiddingContext::from(view), legal);
        tell(&mut self.thought, call, forecasts.into_iter());
        call
    }
}
