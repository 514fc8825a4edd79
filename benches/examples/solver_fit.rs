//! Fits the order in which the solver tries moves to which moves cut off, and at what cost.
//!
//! `cargo run --release -p coinche-benches --example solver_fit -- STRAIN [DEALS] > ordering.txt`
//!
//! At a sample of nodes every move is searched by itself. A node's moves get probabilities by the softmax of their
//! scores, and the scores are moved down the gradient of the expected number of nodes until a cutoff, when the
//! move drawn is tried first and the best next. What is printed is a file of `engine/data`.
//! A fit starts from scores of 0; the sample is of the search in the present order, so that a second
//! round may gain a little more.
#![allow(clippy::disallowed_methods, reason = "figures of one machine, rounded before they are used")]
#![allow(clippy::cast_possible_truncation, reason = "small numbers")]

use coinche_engine::solver::Solver;
use coinche_engine::solver::tuning::{Candidate, Ordering};
use coinche_engine::{Deal, Deck, PlayState, RuleSet, Seat, Strain};

/// Situations: leads, then replies; each has a score of its own and one by rank; the killer's comes last.
const SITUATIONS: usize = 188;
const SCORES: usize = SITUATIONS * 9 + 1;
/// One score of the table for this much of a softmax.
const SCALE: f64 = 100.0;
const ROUNDS: i32 = 400;

/// A node: for each move the scores that it has, and the nodes until a cutoff when it is tried first.
type Choice = Vec<([usize; 3], f64)>;

fn choice(candidates: &[Candidate]) -> Option<Choice> {
    let cost = |candidate: &Candidate| (candidate.nodes as f64 + 1.0).min(2000.0);
    let cheapest = candidates.iter().filter(|candidate| candidate.cuts).map(cost).min_by(f64::total_cmp)?;
    if candidates.iter().all(|candidate| candidate.cuts) {
        return None;
    }
    let moves = candidates.iter().map(|candidate| {
        let killer = if candidate.killer { SCORES - 1 } else { SCORES };
        let scores = [9 * candidate.situation, 9 * candidate.situation + 1 + candidate.rank, killer];
        (scores, cost(candidate) + if candidate.cuts { 0.0 } else { cheapest })
    });
    Some(moves.collect())
}

fn position(strain: Strain, index: u64) -> PlayState {
    let deal = Deal::new(&RuleSet::BGA.deal, Deck::shuffled(999, index), Seat::S0);
    PlayState::new(&RuleSet::BGA.play, strain, *deal.hands(), Seat::from_index((index % 4) as usize))
}

/// The sum of a move's scores; the last place of `scores` is always 0.
fn score(scores: &[f64], places: &[usize; 3]) -> f64 {
    places.iter().map(|place| scores[*place]).sum()
}

/// The mean cost of the moves with the highest score.
fn cost(scores: &[f64], choices: &[Choice]) -> f64 {
    let first = |choice: &Choice| {
        let best = choice.iter().max_by(|a, b| score(scores, &a.0).total_cmp(&score(scores, &b.0)));
        best.map_or(0.0, |(_, cost)| *cost)
    };
    choices.iter().map(first).sum::<f64>() / choices.len() as f64
}

/// Adam (Kingma & Ba 2015) on all choices at once.
fn fit(choices: &[Choice]) -> Vec<f64> {
    let mut scores = vec![0.0; SCORES + 1];
    let (mut first, mut second) = (vec![0.0; SCORES], vec![0.0; SCORES]);
    let costs: Vec<f64> = choices.iter().flatten().map(|(_, cost)| *cost).collect();
    let unit = costs.iter().sum::<f64>() / costs.len() as f64;
    for round in 1..=ROUNDS {
        let mut gradient = vec![0.0; SCORES + 1];
        for choice in choices {
            let values: Vec<f64> = choice.iter().map(|(places, _)| score(&scores, places)).collect();
            let top = values.iter().copied().fold(f64::MIN, f64::max);
            let weights: Vec<f64> = values.iter().map(|value| (value - top).exp()).collect();
            let all: f64 = weights.iter().sum();
            let expected: f64 = weights.iter().zip(choice).map(|(w, (_, cost))| w * cost).sum::<f64>() / all;
            for (weight, (places, cost)) in weights.iter().zip(choice) {
                for place in places {
                    gradient[*place] += weight / all * (cost - expected) / unit / choices.len() as f64;
                }
            }
        }
        for place in 0..SCORES {
            // Scores by rank stay near that of their situation where there is little to tell them apart.
            let pull = if place % 9 == 0 { 0.0 } else { 1e-4 * scores[place] };
            let slope: f64 = gradient[place] + pull;
            first[place] = 0.9 * first[place] + 0.1 * slope;
            second[place] = 0.99 * second[place] + 0.01 * slope * slope;
            let mean: f64 = first[place] / (1.0 - 0.9f64.powi(round));
            let size = (second[place] / (1.0 - 0.99f64.powi(round))).sqrt();
            scores[place] -= 0.1 * mean / (size + 1e-9);
        }
    }
    scores
}

fn ordering(scores: &[f64]) -> Ordering {
    let rounded = |score: f64| (SCALE * score).round().clamp(-3000.0, 3000.0) as i16;
    let row = |situation: usize| {
        core::array::from_fn(|rank| rounded(scores[9 * situation] + scores[9 * situation + 1 + rank]))
    };
    Ordering {
        lead: core::array::from_fn(row),
        reply: core::array::from_fn(|situation| row(48 + situation)),
        killer: rounded(scores[SCORES - 1]),
    }
}

/// The mean number of nodes of deals that were not fitted to.
fn nodes(ordering: &Ordering, strain: Strain) -> f64 {
    let mut solver = Solver::with_ordering(ordering.clone());
    for index in 0..1000 {
        solver.value(&RuleSet::BGA, &position(strain, 1_000_000 + index));
    }
    solver.nodes() as f64 / 1000.0
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let strain: Strain = arguments.next().ok_or("which strain? one of C D H S SA TA")?.parse()?;
    let deals: u64 = arguments.next().map_or(Ok(10_000), |deals| deals.parse())?;
    let mut choices = Vec::new();
    let mut solver = Solver::new();
    for index in 0..deals {
        let mut report = |candidates: &[Candidate]| choices.extend(choice(candidates));
        solver.watch(&RuleSet::BGA, &position(strain, index), 32, &mut report);
    }
    if choices.is_empty() {
        return Err("no node was seen: more deals are needed".into());
    }
    let scores = fit(&choices);
    let best = choices.iter().map(|choice| choice.iter().map(|(_, cost)| *cost).fold(f64::MAX, f64::min));
    let least = best.sum::<f64>() / choices.len() as f64;
    eprintln!(
        "{} nodes, the first move costs {:.2}, the best {least:.2}",
        choices.len(),
        cost(&scores, &choices)
    );
    let fitted = ordering(&scores);
    let before = nodes(Solver::ordering(strain), strain);
    eprintln!("nodes of other deals: {before:.0} before, {:.0} now", nodes(&fitted, strain));
    for row in fitted.lead.iter().chain(&fitted.reply) {
        println!("{}", row.map(|score| score.to_string()).join(" "));
    }
    println!("{}", fitted.killer);
    Ok(())
}
