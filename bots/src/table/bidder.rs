//! The bidder in the registry, and what it has in common with the network's.

use std::borrow::Cow;

use coinche_engine::{Call, Key, LegalCalls, View};

use super::forecast::tell;
use super::{BiddingContext, BiddingTable, Company, Model};
use crate::{Agent, Bidder, ParamError, ParamInfo, Params, Thought};

/// A model that chooses a call, and forecasts what comes after each.
pub trait BidderModel: Send + 'static {
    /// Chooses a call, and puts the forecasts into a thought.
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, thought: &mut Thought) -> Call;
}

/// Bids by a model.
#[derive(Debug, Clone, Default)]
pub struct ModelBidder<M> {
    model: M,
    thought: Thought,
}

impl<M> ModelBidder<M> {
    /// Makes a bidder that uses this model.
    pub const fn new(model: M) -> Self {
        Self { model, thought: Thought { points: None, chance: None, options: Vec::new() } }
    }
}

impl<M: BidderModel> Agent for ModelBidder<M> {
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

impl<M: BidderModel> Bidder for ModelBidder<M> {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, _key: Key) -> Call {
        self.model.call(view, legal, &mut self.thought)
    }
}

/// Bids by a table of what hands make.
///
/// Without randomness, and in about two microseconds. In its [`Thought`] the means are what the table expects of the
/// deal after each call, among four bidders like itself: [`Model::score`] of the best call, the others by how much less they
/// gain. Nothing is sampled, so that no world is counted and no interval is given.
pub type TableBidder = ModelBidder<Model>;

impl TableBidder {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "file" = "built-in", "a file that `arena fit` has made, or built-in",
            "the table of what hands make and what calls gain";
    };

    /// Reads the parameters, and returns how to make the bidder.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is no table.
    pub fn maker(params: &Params) -> Result<impl Fn() -> Self + Send + Sync + use<>, ParamError> {
        let this = Self::new(model(params)?);
        Ok(move || this.clone())
    }
}

/// Makes the model of the parameter `file`.
pub(crate) fn model(params: &Params) -> Result<Model, ParamError> {
    let read = |path: &str, bytes: &[u8]| {
        BiddingTable::from_bytes(path, bytes).map(|table| Model::new(Cow::Owned(table)))
    };
    params.built_in_or("file", Model::default, BiddingTable::unreadable, read)
}

impl BidderModel for Model {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, thought: &mut Thought) -> Call {
        let call = self.best(&BiddingContext::from(view), legal);
        tell(thought, ("table", view.rules()), call, self.forecasts(view.rules(), call, Company::Table));
        call
    }
}
