//! The card player of `rules`: what a club player was taught, one idea a function.
//!
//! A decision looks once around the table ([`Table`]) and then asks two questions only: do I lead
//! ([`lead`]), or what do I do with the trick as it lies ([`follow`]).

mod discard;
mod follow;
mod lead;
mod table;

use coinche_engine::{Card, CardSet, Key, View};

use crate::{CardPlayer, ParamInfo, Params, ParseBotError};
use table::Table;

/// Plays by rules of thumb: draws trumps, cashes masters, gives points to the partner's tricks.
///
/// It has no memory and uses no randomness: the same view always gets the same card.
#[derive(Debug, Clone, Copy)]
pub struct RulesPlayer;

impl RulesPlayer {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = &[];

    /// Builds the player from the registry's parameters.
    ///
    /// # Errors
    ///
    /// Never: there are no parameters.
    pub fn from_params(_params: &Params) -> Result<Self, ParseBotError> {
        Ok(Self)
    }
}

impl CardPlayer for RulesPlayer {
    fn play(&mut self, view: &View<'_>, legal: CardSet, _key: Key) -> Card {
        let only = legal.first().expect("there is a legal card");
        if legal.len() == 1 {
            return only;
        }
        let Some(contract) = view.contract() else { return only };
        let table = Table::new(view, legal, contract);
        match view.winning() {
            None => lead::lead(&table),
            Some((winner, best)) => follow::follow(&table, winner, best),
        }
    }
}
