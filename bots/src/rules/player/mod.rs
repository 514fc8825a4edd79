//! The card player of `rules`: what a club player was taught, one idea a function.
//!
//! A decision looks once around the table ([`PlayContext`]) and then asks two questions only: do I lead
//! ([`lead`]), or what do I do with the trick as it lies ([`follow`]).

mod context;
mod discard;
mod follow;
mod lead;

use coinche_engine::{Card, CardSet, Key, View};

use crate::{Agent, CardPlayer};
use context::PlayContext;

/// Plays by rules of thumb: draws trumps, cashes masters, gives points to the partner's tricks.
///
/// It has no memory and uses no randomness: the same view always gets the same card.
#[derive(Debug, Clone, Copy)]
pub struct RulesPlayer;

impl Agent for RulesPlayer {}

impl CardPlayer for RulesPlayer {
    fn play(&mut self, view: &View<'_>, legal: CardSet, _key: Key) -> Card {
        let only = legal.first().expect("there is a legal card");
        if legal.len() == 1 {
            return only;
        }
        let Some(contract) = view.contract() else { return only };
        let context = PlayContext::new(view, legal, contract);
        match view.winning() {
            None => lead::lead(&context),
            Some((winner, best)) => follow::follow(&context, winner, best),
        }
    }
}
