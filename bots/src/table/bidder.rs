//! The bidder in the registry.

use std::borrow::Cow;

use coinche_engine::{Call, Key, LegalCalls, View};

use super::forecast::tell;
use super::{BiddingContext, BiddingTable, Company, Model};
use crate::{Agent, Bidder, ParamError, ParamInfo, Params, Thought};

/// Bids by a table of what hands make.
///
/// Without randomness, and in about two microseconds. In its [`Thought`] the means are what the table expects of the
/// deal after each call, among four bidders like itself: [`Model::score`] of the best call, the others by how much less they
/// gain. Nothing is sampled, so that no world is counted and no interval is given.
#[derive(Debug, Clone, Default)]
pub struct TableBidder {
    model: Model,
    thought: Thought,
}

impl TableBidder {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "file" = "built-in", "a file that `arena fit` has made, or built-in",
            "the table of what hands make and what calls gain";
    };

    /// Makes a bidder that uses this model.
    pub const fn new(model: Model) -> Self {
        Self { model, thought: Thought { points: None, chance: None, options: Vec::new() } }
    }

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
    let name = "file";
    match params.text(name) {
        "built-in" => Ok(Model::default()),
        path => {
            let table = params.file(name).map_err(|error| BiddingTable::unreadable(path, &error));
            match table.and_then(|bytes| BiddingTable::from_bytes(path, &bytes)) {
                Ok(table) => Ok(Model::new(Cow::Owned(table))),
                Err(error) => Err(params.illegal_file(name, &error)),
            }
        }
    }
}

impl Agent for TableBidder {
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

impl Bidder for TableBidder {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, _key: Key) -> Call {
        let call = self.model.best(&BiddingContext::from(view), legal);
        tell(&mut self.thought, call, self.model.forecasts(view.rules(), call, Company::Table));
        call
    }
}
