//! What reading is worth: how much better than chance a model of the others knows the hidden hands.
//!
//! `cargo run --release -p coinche-benches --example reading_worth -- DEALS RULES MODEL,MODEL... [BOT ...]`
//!
//! The bots sit at the table in turn, so that each meets all others as partners and opponents. At a sample of the decisions in the play the hands
//! that are hidden are drawn many times, and the true ones are compared with them: the mean logarithm of the weight of the truth over the mean
//! weight of the draws is the information that the model has, in nats. Below zero a model knows less than one that reads nothing.
#![allow(clippy::disallowed_methods, reason = "figures of one machine, rounded before they are used")]
#![allow(clippy::cast_possible_truncation, reason = "small numbers")]

use std::sync::Arc;

use coinche_benches::with_worlds;
use coinche_bots::net::reading::{Population, Reader};
use coinche_bots::worlds::{CallReader, Component, OpponentModel};
use coinche_bots::{CardPlayer, NetPlayer, Registry, RulesBidder, RulesPlayer};
use coinche_engine::RuleSet;

fn population() -> Arc<Population> {
    match std::env::var("READING") {
        Ok(path) => Population::read(&path).expect("a network").into(),
        Err(_) => Population::built_in(),
    }
}

/// A model of the others by its name: a bidder, `population` (what `model=population` is) or `network` (that without `rules`); mixtures with weights, as
/// `rules*0.3|network*0.7`; followed by `-calls` where cards are not read, by `-values` where they are read as with `read=net`.
fn model(name: &str) -> OpponentModel {
    let (name, values) = name.strip_suffix("-values").map_or((name, false), |name| (name, true));
    let (bidders, cards) = name.strip_suffix("-calls").map_or((name, true), |bidders| (bidders, false));
    let share = |part: &str| {
        let (name, share) = part.split_once('*').unwrap_or((part, "1"));
        let reader = match name {
            "network" => CallReader::Population(Reader::new(population())),
            name => CallReader::Bot(Registry::builtin().parse_bidder(name).expect("a bidder").build().bidder),
        };
        Component { weight: share.parse().expect("a share"), reader }
    };
    let cards: Option<Box<dyn CardPlayer>> = if cards { Some(Box::new(RulesPlayer)) } else { None };
    let calls = match bidders {
        "population" => Component::unknown_bidder(Box::new(RulesBidder::default()), population()),
        _ => bidders.split('|').map(share).collect(),
    };
    let model = OpponentModel::of(calls, cards);
    if values { model.with_values(NetPlayer::default()) } else { model }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let deals: u64 = arguments.next().map_or(200, |text| text.parse().expect("a number of deals"));
    let rules = arguments.next().unwrap_or_else(|| "bga".to_owned());
    let rules = RuleSet::preset(&rules).expect("a preset");
    let names = arguments.next().unwrap_or_else(|| "rules,population".to_owned());
    let mut models: Vec<(&str, OpponentModel)> = names.split(',').map(|name| (name, model(name))).collect();
    let mut bots: Vec<String> = arguments.collect();
    if bots.is_empty() {
        bots = vec!["rules".to_owned()];
    }
    let mut gained: Vec<Vec<f64>> = vec![Vec::new(); models.len()];
    with_worlds(&rules, &bots, deals, |view, truth, drawn| {
        let draws = drawn.len() as f64;
        for ((_, model), gained) in models.iter_mut().zip(&mut gained) {
            let mean = drawn.iter().map(|deal| model.weight(view, deal)).sum::<f64>() / draws;
            let truth = model.weight(view, truth);
            // What all draws exclude is worth no more than the draws can tell.
            gained.push((truth / mean.max(truth / draws)).ln());
        }
    });
    for ((name, _), gained) in models.iter().zip(&gained) {
        let n = gained.len() as f64;
        let mean = gained.iter().sum::<f64>() / n;
        let square = gained.iter().map(|gain| (gain - mean).powi(2)).sum::<f64>() / n;
        println!("{name}: {mean:.3} ± {:.3} nats in {n} decisions", 1.96 * (square / n).sqrt());
    }
}
