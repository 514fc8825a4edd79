//! Solves a position double dummy: what each legal card is worth when all hands are known and both sides play
//! their best.
//!
//! `cargo run --release -p coinche-engine --example solve_a_position -- "H 2 | 7C AS | QH 8C | 9H TS | 8H 7S"`

use std::error::Error;

use coinche_engine::RuleSet;
use coinche_engine::solver::{Position, Solver, points_to_come};

fn main() -> Result<(), Box<dyn Error>> {
    // Trump, who leads, then the hands of seats 0 to 3.
    let text = std::env::args().nth(1).unwrap_or_else(|| "H 2 | 7C AS | QH 8C | 9H TS | 8H 7S".to_owned());
    let position: Position = text.parse()?;
    let rules = RuleSet::BGA;
    let state = position.to_state(&rules.play)?;

    // A solver keeps its table: use one for many positions.
    let mut solver = Solver::new();
    let value = solver.value(&rules, &state);
    println!(
        "seat {} is to play, and its side takes {value} of the {} points to come",
        state.to_play(),
        points_to_come(&rules, &state)
    );

    solver.values(&rules, &state, |card, value| println!("  {card}: {value}"));

    print!("best play:");
    solver.line(&rules, &state, |seat, card| print!(" {seat}:{card}"));
    println!();
    Ok(())
}
