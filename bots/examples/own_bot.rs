//! A bidder and a card player of one's own in a registry, and a deal played by them and three others.
//!
//! `cargo run -p coinche-bots --example own_bot`

use std::error::Error;

use coinche_bots::{Agent, Bidder, Bot, BotInfo, CardPlayer, Registry};
use coinche_engine::{
    Call, Card, CardSet, Deal, DealState, Deck, Key, LegalCalls, RuleSet, Seat, Turn, View,
};

/// Always passes, and plays its first legal card.
struct Humble;

impl Agent for Humble {}

impl Bidder for Humble {
    fn call(&mut self, _view: &View<'_>, _legal: &LegalCalls, _key: Key) -> Call {
        Call::Pass
    }
}

impl CardPlayer for Humble {
    fn play(&mut self, _view: &View<'_>, legal: CardSet, _key: Key) -> Card {
        legal.first().expect("there is a legal card")
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let humble = BotInfo::new("humble", "always passes, and plays its first legal card")
        .bidder(&[], |_| Ok(|| Humble))
        .player(&[], |_| Ok(|| Humble));
    let registry = Registry::builtin().with(humble)?;

    // Seats 0 and 2 are partners.
    let names = ["rules", "humble", "rules+pimc:worlds=20", "humble+rules"];
    let specs = names.map(|name| registry.parse(name));
    let mut bots: Vec<Bot> =
        specs.into_iter().map(|spec| Ok(spec?.build())).collect::<Result<_, Box<dyn Error>>>()?;

    let rules = RuleSet::BGA;
    let deal = Deal::new(&rules.deal, Deck::shuffled(1, 0), Seat::S3);
    let mut state = DealState::new(&rules, &deal);
    for step in 0.. {
        match state.turn() {
            Turn::Call(seat) => {
                // All the randomness of a decision comes from its key.
                let key = Key::decisions(1, 0, seat).and(step);
                let bot = &mut bots[seat.index()];
                let call = bot.bidder.call(&state.view(seat), &state.legal_calls(), key);
                println!("{} ({}): {call}", seat.index(), bot.name());
                state.call(call)?;
            }
            Turn::Play(seat) => {
                let key = Key::decisions(1, 0, seat).and(step);
                let card = bots[seat.index()].player.play(&state, seat, state.legal_plays(), key);
                state.play(card)?;
            }
            Turn::Over => break,
        }
    }
    println!("{:?}", state.outcome());
    Ok(())
}
