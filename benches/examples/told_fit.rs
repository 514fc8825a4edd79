//! Fits the lines by which a bidder corrects the chances (`coinche_bots::IsmctsBidder`) and the scores that it reports, and what is added to chances
//! by tenths (both `bots/data/scores.txt`), to what came at tables of four such bidders.
//!
//! `cargo run --release -p coinche-benches --example told_fit -- [BIDDER [DEALS [SEED [PRESET ...]]]]`
//!
//! Four bidders of a kind bid, and four `rules` players play the contracts. The logarithm of the odds that a contract is made is fitted to
//! the odds that were told, by a line: once for the bids that became contracts, once for the other calls after which the standing contract
//! was that of the deal. The score of the deal is fitted to that told, by a line for passes, bids and coinches; in each deal one other call is
//! made at one turn, for what such a call scores less. The rows of scores are those of the file; few calls leave a line near 0 and 1. A bidder
//! that corrects already is fitted on top of that: a shift near 0 and a factor near 1 say that nothing is left to correct.
#![allow(clippy::disallowed_methods, reason = "figures of one machine, rounded before they are used")]
#![allow(clippy::cast_possible_truncation, reason = "small numbers")]

use coinche_benches::{interval, net, new_deal, play_out};
use coinche_bots::{Agent as _, Bot, Choice, Considered, Registry, RulesPlayer};
use coinche_engine::{Call, Contract, DealState, Key, RuleSet, Seat, Stake, Turn};

/// A call with the chance that was told: whether it is a bid, the logarithm of the odds, whether the contract was made.
type Told = (bool, f64, bool);

/// The presets whose contracts the network bids.
const PRESETS: [&str; 6] = ["bga", "bga-ja", "contree", "coinche", "coinche-melds", "coinchee"];

/// What is told of scores and what came.
#[derive(Default)]
struct Scores {
    /// By kind of call: pass, bid, coinche.
    made: [Vec<[f64; 2]>; 3],
    /// Of other calls: the kind of the best, the score told of it, how much less was told, what came.
    others: Vec<(usize, [f64; 3])>,
}

/// The kind of a call.
const fn kind(call: Call) -> usize {
    match call {
        Call::Pass | Call::Wait => 0,
        Call::Bid(_) | Call::Take | Call::TakeIn(_) => 1,
        Call::Coinche | Call::Surcoinche => 2,
    }
}

/// A decision: who called what after which calls, and what was told of all calls.
struct Decision {
    state: DealState,
    seat: Seat,
    call: Call,
    options: Vec<Considered>,
}

/// Completes the auction with four such bidders; decisions are collected.
fn bid(state: &mut DealState, bot: &mut Bot, seed: u64, index: u64, mut report: impl FnMut(Decision)) {
    while let Turn::Call(seat) = state.turn() {
        let key = Key::decisions(seed, index, seat).and(state.auction().calls().len() as u64);
        let call = bot.bidder.call(&state.view(seat), &state.legal_calls(), key);
        let options = bot.bidder.thought().map(|it| it.options.clone()).unwrap_or_default();
        report(Decision { state: state.clone(), seat, call, options });
        state.call(call).expect("a legal call");
    }
}

/// Bids and plays a deal, and collects what was told of its contract and its score.
fn play(rules: &RuleSet, bot: &mut Bot, [seed, index]: [u64; 2], told: &mut Vec<Told>, scores: &mut Scores) {
    let mut end = new_deal(rules, seed, index);
    let mut decisions = Vec::new();
    bot.start();
    bid(&mut end, bot, seed, index, |decision| decisions.push(decision));
    let contract = standing(&end);
    let score = play_out(&mut RulesPlayer, &mut end);
    let searches = ["dd", "mc", "ismcts"].iter().any(|name| bot.name().starts_with(name));
    let mut turns = Vec::new();
    for it in decisions {
        let Some(made) = it.options.iter().find(|option| option.choice == it.call.into()).copied() else {
            continue;
        };
        let mut after = it.state.clone();
        after.call(it.call).expect("a legal call");
        if let (Some(chance), Some(score), true) =
            (made.chance, &score, standing(&after).is_some() && standing(&after) == contract)
        {
            let chance = chance.clamp(1e-4, 1.0 - 1e-4);
            told.push((matches!(it.call, Call::Bid(_)), (chance / (1.0 - chance)).ln(), score.made));
        }
        // What is not searched is told by another bidder.
        if searches && it.options.iter().all(|option| option.worlds == 0) {
            continue;
        }
        scores.made[kind(it.call)].push([made.mean, net(score, it.seat)]);
        let others = it.options.iter().filter(|option| option.choice != it.call.into());
        turns.extend(others.map(|other| (it.state.clone(), it.seat, kind(it.call), made.mean, *other)));
    }
    if turns.is_empty() {
        return;
    }
    let at = Key::decisions(seed, index, Seat::S0).and(u64::MAX).below(turns.len());
    let (mut state, seat, kind, best, other) = turns.swap_remove(at);
    let Choice::Call(call) = other.choice else { return };
    state.call(call).expect("a legal call");
    bot.start();
    bid(&mut state, bot, seed, index, |_| {});
    scores.others.push((kind, [best, best - other.mean, net(play_out(&mut RulesPlayer, &mut state), seat)]));
}

/// How far a line is expected from 0 and 1, where nothing is known.
const PRIOR: [f64; 2] = [20.0, 0.2];
/// So many calls of a tenth say half of what is to be added to its chances.
const FEW: f64 = 100.0;
/// The deviation of a score from what is told.
const DEVIATION: f64 = 250.0;

/// The line from scores told to those that came: least squares, with the prior.
fn line(told: &[[f64; 2]]) -> [f64; 2] {
    let [w0, w1] = PRIOR.map(|sd| DEVIATION * DEVIATION / (sd * sd));
    let ([mut g0, mut g1], [mut h00, mut h01, mut h11]) = ([0.0, w1], [w0, 0.0, w1]);
    for [x, y] in told {
        g0 += y;
        g1 += x * y;
        h00 += 1.0;
        h01 += x;
        h11 += x * x;
    }
    let factor = ((h00 * g1 - h01 * g0) / (h00 * h11 - h01 * h01)).max(0.0);
    [(g0 - factor * h01) / h00, factor]
}

/// Prints the row of the file, and how far what came is from what was told.
fn say_scores(bidder: &str, preset: &str, scores: &Scores) {
    let lines = scores.made.each_ref().map(|told| line(told));
    let weight = DEVIATION * DEVIATION / (PRIOR[1] * PRIOR[1]);
    let (mut up, mut down) = (weight, weight);
    for (kind, [best, less, came]) in &scores.others {
        up += less * (lines[*kind][0] + lines[*kind][1] * best - came);
        down += less * less;
    }
    for (kind, told) in ["passes", "bids", "coinches"].into_iter().zip(&scores.made) {
        let mut told = told.clone();
        told.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let n = told.len();
        for of in [0..n, 0..n / 5, n / 5..2 * n / 5, 2 * n / 5..3 * n / 5, 3 * n / 5..4 * n / 5, 4 * n / 5..n]
        {
            let n = of.len() as f64;
            let [told, came] = [0, 1].map(|at| told[of.clone()].iter().map(|it| it[at]).sum::<f64>() / n);
            println!("{preset}, {kind}: {n}  told {told:+.1}  came {came:+.1}");
        }
    }
    let bidder = bidder.split([':', '+']).next().unwrap_or_default();
    let words: Vec<String> = lines.iter().map(|[a, b]| format!("{a:.1} {b:.3}")).collect();
    println!("{bidder} {preset} {} {:.3}", words.join(" "), up / down);
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

/// The calls of a kind by tenths of the chance, and what is to be added to these in per cent.
fn say_tenths(told: &[Told], is_bid: bool) -> String {
    let mut add = Vec::new();
    for tenth in 0..10 {
        let is_in = |odds: f64| ((10.0 / (1.0 + (-odds).exp())) as i32).min(9) == tenth;
        let of: Vec<Told> = told.iter().filter(|it| it.0 == is_bid && is_in(it.1)).copied().collect();
        if !of.is_empty() {
            println!("  from {:2} %               {}", 10 * tenth, shares(&of));
        }
        let off = of.iter().map(|(_, odds, made)| f64::from(u8::from(*made)) - 1.0 / (1.0 + (-odds).exp()));
        add.push(format!("{:.1}", 100.0 * off.sum::<f64>() / (of.len() as f64 + FEW)));
    }
    add.join(" ")
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
        let (mut told, mut scores) = (Vec::new(), Scores::default());
        for index in 0..deals {
            play(&rules, &mut bot, [seed, index], &mut told, &mut scores);
        }
        say_all(&preset, &told);
        say_scores(&bidder, &preset, &scores);
        all.extend(told);
    }
    say_all("all", &all);
}

/// Both kinds of calls, with their tenths.
fn say_all(what: &str, told: &[Told]) {
    for (kind, is_bid) in [("bids", true), ("others", false)] {
        let of: Vec<Told> = told.iter().filter(|it| it.0 == is_bid).copied().collect();
        say(&format!("{what}, {kind}"), &of);
        let add = say_tenths(told, is_bid);
        println!("{what}, {kind}: chances {add}");
    }
}
