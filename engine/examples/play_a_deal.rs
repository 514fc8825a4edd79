//! Deals the cards, bids and plays one whole deal with random legal choices, and prints what happened.
//!
//! `cargo run -p coinche-engine --example play_a_deal -- 7` plays another deal.

use std::error::Error;

use coinche_engine::{Deal, DealState, Deck, Key, Outcome, RuleSet, Seat, Turn, random_card};

fn main() -> Result<(), Box<dyn Error>> {
    let index: u64 = std::env::args().nth(1).map_or(Ok(1), |number| number.parse())?;

    // Rules are data: a preset, with anything changed that the rules allow.
    let rules = RuleSet::COINCHE.with_settings(["match.target=500"])?;

    // The cards follow from a seed and the number of the deal, and from nothing else.
    let deal = Deal::new(&rules.deal, Deck::shuffled(1, index), Seat::S0);
    for (seat, hand) in deal.hands().iter() {
        println!("seat {seat}: {hand}");
    }

    // The referee knows all hands and accepts legal calls and cards only.
    let mut state = DealState::new(&rules, &deal);
    let mut key = Key::decisions(1, index, Seat::S0);
    loop {
        key = key.and(1);
        match state.turn() {
            Turn::Call(seat) => {
                // A random bid every time would end at the top of the ladder: pass three times in four.
                let legal = state.legal_calls();
                let n = if key.below(4) == 0 { key.and(2).below(legal.len()) } else { 0 };
                let call = legal.nth(n).ok_or("no legal call")?;
                println!("seat {seat} calls {call}");
                state.call(call)?;
            }
            Turn::Play(_) => {
                // A bot would choose from what its seat may know: `state.view(seat)`.
                let card = random_card(state.legal_plays(), key).ok_or("no legal card")?;
                state.play(card)?;
            }
            Turn::Over => break,
        }
    }

    for trick in state.tricks() {
        let cards = trick.cards.map(|card| card.to_string()).join(" ");
        println!("seat {} leads {cards}: seat {} wins", trick.leader, trick.winner);
    }
    match state.outcome().ok_or("the deal is not over")? {
        Outcome::ThrownIn => println!("nobody bid: passed out"),
        Outcome::Played { result, score } => {
            let verdict = if score.made { "made" } else { "failed" };
            let [even, odd] = score.points.0;
            println!("{} by seat {}: {verdict}", result.contract.bid_code(), result.contract.declarer);
            println!("seats 0 and 2 score {even}, seats 1 and 3 score {odd}");
        }
    }
    Ok(())
}
