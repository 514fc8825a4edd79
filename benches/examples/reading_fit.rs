//! Fits how far the calls and cards of others are trusted (`coinche_bots::worlds::ActionLikelihood`) to played deals.
//!
//! `cargo run --release -p coinche-benches --example reading_fit -- [DEALS [BOT ...]]`
//!
//! The bots sit at the table in turn. At a sample of their decisions the hands that are hidden are drawn many times,
//! and the true ones are compared with them: what is fitted is the mean logarithm of the weight of the truth over
//! the mean weight of the draws, the information that the evidence gives, in nats. Coordinates are searched in turn on
//! one half of the decisions; the other half says what the fit is worth.
#![allow(clippy::disallowed_methods, reason = "figures of one machine, rounded before they are used")]
#![allow(clippy::cast_possible_truncation, reason = "small numbers")]

use coinche_benches::with_worlds;
use coinche_bots::Registry;
use coinche_bots::worlds::{ActionLikelihood, CallMatch, Evidence, OpponentModel};
use coinche_engine::{Deal, RuleSet, View};

/// How many kinds of evidence there are: of calls, and of cards by position the same or another kind.
const KINDS: usize = 11;

/// What counts of a world: how often each sign was given, and the logarithm of the choices among other cards.
#[derive(Clone, Copy, Default)]
struct Counts {
    evidence: [u8; KINDS],
    others: f32,
}

/// A decision: the truth first, then the worlds.
type Case = Vec<Counts>;

fn counts(opponents: &mut OpponentModel, view: &View<'_>, deal: &Deal) -> Counts {
    let mut counts = Counts::default();
    let fits = opponents.evidence(view, deal, |evidence| {
        match evidence {
            Evidence::Call(CallMatch::Same) | Evidence::Agreed(CallMatch::Same) => {}
            Evidence::Call(call) | Evidence::Agreed(call) => counts.evidence[call as usize - 1] += 1,
            Evidence::Card { position, same: true, .. } => counts.evidence[5 + position as usize] += 1,
            Evidence::Card { position, kinds, .. } => {
                counts.evidence[8 + position as usize] += 1;
                counts.others += f32::from(kinds - 1).ln();
            }
        }
        true
    });
    assert!(fits, "a world fits");
    counts
}

fn logarithms(likelihood: &ActionLikelihood) -> [f32; KINDS] {
    let mut logarithms = [0.0; KINDS];
    for (n, call) in likelihood.calls.iter().enumerate() {
        logarithms[n] = call.ln() as f32;
    }
    for (n, other) in likelihood.cards.iter().enumerate() {
        logarithms[5 + n] = (1.0 - other).ln() as f32;
        logarithms[8 + n] = other.ln() as f32;
    }
    logarithms
}

/// The information in nats, the mean over cases, and the effective share of worlds.
fn worth<'a>(likelihood: &ActionLikelihood, cases: impl Iterator<Item = &'a Case>) -> (f64, f64) {
    let logarithms = logarithms(likelihood);
    let weight = |counts: &Counts| {
        let evidence = counts.evidence.iter().zip(logarithms);
        f64::from((evidence.map(|(n, log)| f32::from(*n) * log).sum::<f32>() - counts.others).exp())
    };
    let (mut sum, mut effective, mut n) = (0.0, 0.0, 0.0);
    for case in cases {
        let weights = case[1..].iter().map(weight);
        let (total, squares) =
            weights.fold((0.0, 0.0), |(total, squares), weight| (total + weight, squares + weight * weight));
        sum += (weight(&case[0]) / (total / (case.len() - 1) as f64)).ln();
        effective += total * total / squares / (case.len() - 1) as f64;
        n += 1.0;
    }
    (sum / n, effective / n)
}

fn places(likelihood: &mut ActionLikelihood) -> impl Iterator<Item = &mut f64> {
    likelihood.calls.iter_mut().chain(&mut likelihood.cards)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let deals: u64 = arguments.next().map_or(400, |text| text.parse().expect("a number of deals"));
    let mut names: Vec<String> = arguments.collect();
    if names.is_empty() {
        names = vec!["rules+pimc:worlds=20".to_owned()];
    }
    let model = Registry::builtin().parse("rules").expect("a bot").build();
    let mut opponents = OpponentModel::new(model.bidder, model.player.into_fair());
    let mut cases: Vec<Case> = Vec::new();
    with_worlds(&RuleSet::BGA, &names, deals, |view, truth, drawn| {
        let all = std::iter::once(truth).chain(drawn);
        cases.push(all.map(|deal| counts(&mut opponents, view, deal)).collect());
    });
    let half = |odd: usize| cases.iter().skip(odd).step_by(2);
    let say = |name: &str, likelihood: &ActionLikelihood| {
        let ((fitted, _), (other, effective)) = (worth(likelihood, half(0)), worth(likelihood, half(1)));
        println!("{name}: {fitted:.3} nats, on the other half {other:.3}, effective worlds {effective:.3}");
    };
    println!("{} decisions, {}", cases.len(), names.join(" "));
    say("in use", &ActionLikelihood::FITTED);
    let mut calls_only = ActionLikelihood::FITTED;
    // Another card is as likely as the expected one, as far as that goes: nearly nothing is read.
    calls_only.cards = [0.7; 3];
    say("calls", &calls_only);
    let mut likelihood = ActionLikelihood::FITTED;
    let mut best = worth(&likelihood, half(0)).0;
    for step in [2.0, 1.4, 1.15, 1.05] {
        for _ in 0..3 {
            for place in 0..8 {
                for factor in [step, 1.0 / step] {
                    let mut other = likelihood;
                    let value = places(&mut other).nth(place).expect("a place");
                    *value = (*value * factor).clamp(0.001, 0.95);
                    let worth = worth(&other, half(0)).0;
                    if worth > best {
                        (likelihood, best) = (other, worth);
                    }
                }
            }
        }
    }
    say("fitted", &likelihood);
    println!("{likelihood:.3?}");
}
