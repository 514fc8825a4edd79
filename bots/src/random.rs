//! `random`: uniform over legal calls, with a bias that makes auctions end, and over legal cards.

use coinche_engine::{Call, Card, CardSet, Key, LegalCalls, View, random_card};

use crate::{Agent, Bidder, CardPlayer, ParamError, ParamInfo, Params};

/// Passes with a given probability, else makes a uniformly random legal call.
#[derive(Debug, Clone, Copy)]
pub struct RandomBidder {
    /// The probability of a pass before the uniform choice.
    pub pass: f64,
}

impl RandomBidder {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "pass" = "0.75", "0 to 1", "probability of a pass before the uniform choice among the legal calls";
    };

    /// Reads the parameters, and returns how to make the bidder.
    ///
    /// # Errors
    ///
    /// When `pass` is not a probability.
    pub fn maker(params: &Params) -> Result<impl Fn() -> Self + Send + Sync + use<>, ParamError> {
        let this = Self { pass: params.number("pass", 0.0..=1.0)? };
        Ok(move || this)
    }
}

impl Agent for RandomBidder {}

impl Bidder for RandomBidder {
    fn call(&mut self, _view: &View<'_>, legal: &LegalCalls, key: Key) -> Call {
        if key.happens(self.pass) && legal.contains(Call::Pass) {
            return Call::Pass;
        }
        legal.nth(key.below(legal.len())).unwrap_or(Call::Pass)
    }
}

/// Plays a uniformly random legal card.
#[derive(Debug, Clone, Copy)]
pub struct RandomPlayer;

impl Agent for RandomPlayer {}

impl CardPlayer for RandomPlayer {
    fn play(&mut self, _view: &View<'_>, legal: CardSet, key: Key) -> Card {
        random_card(legal, key).expect("there is a legal card")
    }
}
