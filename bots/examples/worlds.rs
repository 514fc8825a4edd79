//! Deals that fit what a seat knows: how many there are, and who holds a card how often.
//!
//! `cargo run -p coinche-bots --example worlds`

use std::error::Error;

use coinche_bots::worlds::Worlds;
use coinche_bots::{CardPlayer as _, RulesPlayer};
use coinche_engine::{Card, Deal, DealState, Deck, Key, RuleSet, Seat, Turn};

fn main() -> Result<(), Box<dyn Error>> {
    let rules = RuleSet::BGA;
    let deal = Deal::new(&rules.deal, Deck::shuffled(4, 0), Seat::S3);
    let mut state = DealState::new(&rules, &deal);
    for call in ["82H", "P", "P", "P"] {
        state.call(call.parse()?)?;
    }
    // Two tricks, played by the rules of thumb of `rules`, which uses no randomness.
    let key = Key::decisions(4, 0, Seat::S0);
    while let Turn::Play(seat) = state.turn()
        && state.tricks().len() < 2
    {
        let card = RulesPlayer.play(&state.view(seat), state.legal_plays(), key);
        state.play(card)?;
    }

    let Turn::Play(seat) = state.turn() else { return Ok(()) };
    // What this seat may know: nothing here leads to another hand.
    let view = state.view(seat);
    let worlds = Worlds::of(&view);
    println!("seat {} holds {}; {} deals fit", seat.index(), view.hand(), worlds.total());

    let card: Card = view.unseen().first().ok_or("all cards are known")?;
    let (mut rng, draws) = (key.rng(), 10_000);
    let mut holders = [0_u32; 4];
    for _ in 0..draws {
        // All deals that fit are equally likely; `OpponentModel` weighs them by what the others did.
        let hands = worlds.hands(&mut rng);
        for (seat, hand) in hands.iter() {
            holders[seat.index()] += u32::from(hand.contains(card));
        }
    }
    for (seat, times) in holders.iter().enumerate() {
        println!("seat {seat} holds {card} in {:.1} %", 100.0 * f64::from(*times) / f64::from(draws));
    }
    Ok(())
}
