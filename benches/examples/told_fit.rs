//! Fits the line by which a bidder corrects the chances that it tells (`coinche_bots::IsmctsBidder`) to contracts of four such bidders.
//!
//! `cargo run --release -p coinche-benches --example told_fit -- [BIDDER [DEALS [SEED [PRESET ...]]]]`
//!
//! Four bidders of a kind bid, and four `rules` players play the contracts. The logarithm of the odds that a contract is made is fitted to
//! the odds that were told, by a line: once for the bids that became contracts, once for the other calls after which the standing contract
//! was that of the deal. A bidder that corrects its chances already is fitted on top of that: a shift near 0 and a factor near 1 say
//! that nothing is left to correct.
#![allow(clippy::disallowed_methods, reason = "figures of one machine, rounded before they are used")]
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "small numbers")]

use coinche_benches::{interval, play_by_rules};
use coinche_bots::{Agent as _, Bot, Choice, Registry};
use coinche_engine::{Call, Contract, Deal, DealState, Deck, Key, RuleSet, Seat, Stake, Turn};

/// A call with the chance that was told: whether it is a bid, the logarithm of the odds, whether the contract was made.
type Told = (bool, f64, bool);

/// The presets whose contracts the network bids.
const PRESETS: [&str; 6] = ["bga", "bga-ja", "contree", "coinche", "coinche-melds", "coinchee"];

/// Bids and plays a deal, and collects what was told of its contract.
fn play(rules: &RuleSet, bot: &mut Bot, seed: u64, index: u64, told: &mut Vec<Told>) {
    let deal = Deal::new(&rules.deal, Deck::shuffled(seed, index), Seat::from_index(index as usize % 4));
    let mut state = DealState::new(rules, &deal);
    let mut calls = Vec::new();
    bot.start();
    while let Turn::Call(seat) = state.turn() {
        let key = Key::decisions(seed, index, seat).and(state.auction().calls().len() as u64);
        let call = bot.bidder.call(&state.view(seat), &state.legal_calls(), key);
        let thought =
            bot.bidder.thought().and_then(|it| it.options.iter().find(|it| it.choice == Choice::Call(call)));
        let chance = thought.and_then(|it| it.chance);
        state.call(call).expect("a legal call");
        calls.extend(chance.map(|chance| (matches!(call, Call::Bid(_)), chance, standing(&state))));
    }
    let end = standing(&state);
    let Some(score) = play_by_rules(&mut state) else { return };
    for (is_bid, chance, standing) in calls {
        if standing.is_some() && standing == end {
            let chance = chance.clamp(1e-4, 1.0 - 1e-4);
            told.push((is_bid, (chance / (1.0 - chance)).ln(), score.made));
        }
    }
}

/// The standing contract, whatever its stake.
fn standing(state: &DealState) -> Option<Contract> {
    state.auction().state().contract().map(|contract| Contract { stake: Stake::Plain, ..contract })
}

/// The shift and the factor of the line that is the likeliest, with their standard errors.
fn fit(told: &[Told]) -> [[f64; 2]; 2] {
    let mut line = [0.0, 1.0];
    let mut errors = [f64::NAN; 2];
    for _ in 0..30 {
        // Newton's step: the gradient, and the second derivatives.
        let ([mut g0, mut g1], [mut h00, mut h01, mut h11]) = ([0.0; 2], [1e-9, 0.0, 1e-9]);
        for (_, odds, made) in told {
            let p = 1.0 / (1.0 + (-line[0] - line[1] * odds).exp());
            let (error, weight) = (f64::from(u8::from(*made)) - p, p * (1.0 - p));
            g0 += error;
            g1 += error * odds;
            h00 += weight;
            h01 += weight * odds;
            h11 += weight * odds * odds;
        }
        let determinant = h00 * h11 - h01 * h01;
        line[0] += (h11 * g0 - h01 * g1) / determinant;
        line[1] += (h00 * g1 - h01 * g0) / determinant;
        errors = [(h11 / determinant).sqrt(), (h00 / determinant).sqrt()];
    }
    [[line[0], errors[0]], [line[1], errors[1]]]
}

/// How many there are, the mean chance, and the share made with its 95 % interval (Wilson), in percent.
fn shares(told: &[Told]) -> String {
    let n = told.len() as f64;
    let mean = told.iter().map(|(_, odds, _)| 1.0 / (1.0 + (-odds).exp())).sum::<f64>() / n;
    let made = told.iter().filter(|(.., made)| *made).count() as f64;
    let [low, high] = interval(made, n);
    format!("{n:6}  told {:5.1} %  made {:5.1} % ({low:.1}–{high:.1})", 100.0 * mean, 100.0 * made / n)
}

fn say(what: &str, told: &[Told]) {
    let [[shift, its], [factor, other]] = fit(told);
    let errors = [1.96 * its, 1.96 * other];
    println!(
        "{what:24} {}  shift {shift:+.3} ± {:.3}  factor {factor:.3} ± {:.3}",
        shares(told),
        errors[0],
        errors[1]
    );
}

/// The bids by tenths of the chance.
fn say_tenths(told: &[Told]) {
    for tenth in 0..10 {
        let is_in = |odds: f64| ((10.0 / (1.0 + (-odds).exp())) as i32).min(9) == tenth;
        let of: Vec<Told> = told.iter().filter(|it| it.0 && is_in(it.1)).copied().collect();
        if !of.is_empty() {
            println!("  from {:2} %               {}", 10 * tenth, shares(&of));
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let bidder = arguments.next().unwrap_or_else(|| "mc".to_owned());
    let deals: u64 = arguments.next().map_or(300, |text| text.parse().expect("a number of deals"));
    let seed: u64 = arguments.next().map_or(888, |text| text.parse().expect("a number as seed"));
    let mut presets: Vec<String> = arguments.collect();
    if presets.is_empty() {
        presets = PRESETS.map(str::to_owned).to_vec();
    }
    let mut bot = Registry::builtin().parse(&format!("{bidder}+rules")).expect("a bidder").build();
    let mut all: Vec<Told> = Vec::new();
    println!("{bidder}, {deals} deals of each preset, seed {seed}; intervals of 95 %");
    for preset in presets {
        let rules = RuleSet::preset(&preset).expect("a preset");
        let mut told = Vec::new();
        for index in 0..deals {
            play(&rules, &mut bot, seed, index, &mut told);
        }
        say_all(&preset, &told);
        all.extend(told);
    }
    say_all("all", &all);
}

/// Both kinds of calls, and the tenths.
fn say_all(what: &str, told: &[Told]) {
    for (kind, is_bid) in [("bids", true), ("others", false)] {
        let of: Vec<Told> = told.iter().filter(|it| it.0 == is_bid).copied().collect();
        say(&format!("{what}, {kind}"), &of);
    }
    say_tenths(told);
}
