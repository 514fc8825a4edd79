//! The bidder in the registry.

use std::borrow::Cow;
use std::path::Path;

use coinche_engine::{Call, Key, LegalCalls, View};

use super::{Hearing, Model, Table};
use crate::{Bidder, ParamInfo, Params, ParseBotError};

/// Bids by a table of what hands make.
#[derive(Debug, Clone, Default)]
pub struct TableBidder {
    model: Model,
}

impl TableBidder {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = &[ParamInfo {
        name: "file",
        default: "built-in",
        legal: "a file that `arena fit` has made, or built-in",
        about: "the table of what hands make and what calls gain",
    }];

    /// Makes a bidder that goes by this model.
    pub const fn new(model: Model) -> Self {
        Self { model }
    }

    /// Builds the bidder from the registry's parameters.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is no table.
    pub fn from_params(params: &Params) -> Result<Self, ParseBotError> {
        Ok(Self { model: model(params)? })
    }
}

/// Makes the model of the parameter `file`.
pub(crate) fn model(params: &Params) -> Result<Model, ParseBotError> {
    match params.text("file") {
        "built-in" => Ok(Model::default()),
        path => match Table::read(Path::new(path)) {
            Ok(table) => Ok(Model::new(Cow::Owned(table))),
            Err(error) => Err(params.illegal_file("file", &error)),
        },
    }
}

impl Bidder for TableBidder {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, _key: Key) -> Call {
        self.model.best(&Hearing::from(view), legal)
    }
}
