//! What the worlds that a search draws know of the hidden hands, and in what time.
//!
//! `cargo run --release -p coinche-benches --example draw_worth -- DEALS RULES WORLDS PARAMETERS[;PARAMETERS...] [BOT ...]`
//!
//! At a sample of the decisions in the play of these bots worlds are drawn by each of the models of the others, such as `read=net` or
//! `read=all,model=rules`: the share of the hidden cards, by weight, that lie where they truly do, and how many worlds of equal weight would tell as much
//! (Kong 1992).
#![allow(clippy::disallowed_methods, reason = "figures of one machine, rounded before they are used")]

use std::time::Instant;

use coinche_benches::with_worlds;
use coinche_bots::search::opponent_model;
use coinche_bots::worlds::{Draws, OpponentModel, Worlds};
use coinche_engine::{Key, RuleSet, Seat};

/// The most worlds sampled for one that is drawn: the default of a search.
const PATIENCE: u32 = 200;

/// A model with the sums over the decisions: of the shares of cards that lie right, of the worlds that count, and of seconds.
struct Tried {
    name: String,
    model: OpponentModel,
    sums: [f64; 3],
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = |what: &str| arguments.next().unwrap_or_else(|| panic!("give {what}"));
    let deals: u64 = next("a number of deals").parse().expect("a number of deals");
    let rules = RuleSet::preset(&next("a preset")).expect("a preset");
    let count: u32 = next("a number of worlds").parse().expect("a number of worlds");
    let tried = |name: &str| {
        let model = opponent_model(name).expect("parameters of a search").expect("something is read");
        Tried { name: name.to_owned(), model, sums: [0.0; 3] }
    };
    let mut all: Vec<Tried> = next("parameters").split(';').map(tried).collect();
    let mut bots: Vec<String> = arguments.collect();
    if bots.is_empty() {
        bots = vec!["champion".to_owned()];
    }
    let mut decisions = 0u32;
    with_worlds(&rules, &bots, deals, |view, truth, _| {
        decisions += 1;
        let hidden: Vec<Seat> = Seat::ALL.into_iter().filter(|seat| *seat != view.seat()).collect();
        for Tried { model, sums, .. } in &mut all {
            let start = Instant::now();
            let (worlds, mut rng) = (Worlds::of(view), Key::from_bits(5).and(decisions.into()).rng());
            let mut draws = Draws::new(&worlds, model, PATIENCE);
            let [mut sum, mut squares, mut right] = [0.0; 3];
            for _ in 0..count {
                let (hands, weight) = draws.next(&worlds, &mut rng);
                let cards = hidden.iter().map(|seat| hands[*seat].len()).sum::<usize>() as f64;
                let same = hidden.iter().map(|seat| (hands[*seat] & truth.hands()[*seat]).len());
                right += weight * same.sum::<usize>() as f64 / cards;
                sum += weight;
                squares += weight * weight;
            }
            let of_decision = [right / sum, sum * sum / squares, start.elapsed().as_secs_f64()];
            sums.iter_mut().zip(of_decision).for_each(|(sum, more)| *sum += more);
        }
    });
    for Tried { name, sums, .. } in &all {
        let [right, effective, seconds] = sums.map(|sum| sum / f64::from(decisions));
        let (right, ms) = (100.0 * right, 1000.0 * seconds);
        println!(
            "{name}: {right:.2} % right, {effective:.1} of {count} worlds count, {ms:.2} ms, in {decisions} decisions"
        );
    }
}
