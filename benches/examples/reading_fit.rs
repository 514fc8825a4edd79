//! Fits how far the calls and cards of others are trusted (`coinche_bots::worlds::Trust`) to played deals.
//!
//! `cargo run --release -p coinche-benches --example reading_fit -- [DEALS [BOT ...]]`
//!
//! The bots sit at the table in turn. At a sample of their decisions the hands that are hidden are drawn many times,
//! and the true ones are compared with them: what is fitted is the mean logarithm of the weight of the truth over
//! the mean weight of the draws, the information that reading gives, in nats. Coordinates are searched in turn on
//! one half of the decisions; the other half says what the fit is worth.
#![allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "small numbers")]

use coinche_bots::worlds::{Likeness, Reading, Sign, Trust, Worlds};
use coinche_bots::{Bot, BotSpec};
use coinche_engine::{Deal, DealState, Deck, Key, RuleSet, Seat, Turn, View};

/// How many worlds the truth is compared with.
const DRAWS: usize = 400;
/// How many signs there are: of calls, and of cards by place the same or another kind.
const SIGNS: usize = 11;

/// What counts of a world: how often each sign was given, and the logarithm of the choices among other cards.
#[derive(Clone, Copy, Default)]
struct Counts {
    signs: [u8; SIGNS],
    others: f32,
}

/// A decision: the truth first, then the worlds.
type Case = Vec<Counts>;

fn counts(reading: &mut Reading, view: &View<'_>, deal: &Deal) -> Counts {
    let mut counts = Counts::default();
    let fits = reading.signs(view, deal, |sign| {
        match sign {
            Sign::Call(Likeness::Same) => {}
            Sign::Call(likeness) => counts.signs[likeness as usize - 1] += 1,
            Sign::Card { place, same: true, .. } => counts.signs[5 + place as usize] += 1,
            Sign::Card { place, kinds, .. } => {
                counts.signs[8 + place as usize] += 1;
                counts.others += f32::from(kinds - 1).ln();
            }
        }
        true
    });
    assert!(fits, "a world fits");
    counts
}

fn logarithms(trust: &Trust) -> [f32; SIGNS] {
    let mut logarithms = [0.0; SIGNS];
    for (n, call) in trust.calls.iter().enumerate() {
        logarithms[n] = call.ln() as f32;
    }
    for (n, other) in trust.cards.iter().enumerate() {
        logarithms[5 + n] = (1.0 - other).ln() as f32;
        logarithms[8 + n] = other.ln() as f32;
    }
    logarithms
}

/// The information in nats, the mean over cases, and the effective share of worlds.
fn worth<'a>(trust: &Trust, cases: impl Iterator<Item = &'a Case>) -> (f64, f64) {
    let logarithms = logarithms(trust);
    let weight = |counts: &Counts| {
        let signs = counts.signs.iter().zip(logarithms);
        f64::from((signs.map(|(n, log)| f32::from(*n) * log).sum::<f32>() - counts.others).exp())
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

/// Plays a deal and looks at one decision in the play in five.
fn play(rules: &RuleSet, bots: &mut [Bot], index: u64, reading: &mut Reading, cases: &mut Vec<Case>) {
    let deal = Deal::new(&rules.deal, Deck::shuffled(777, index), Seat::from_index(index as usize % 4));
    let mut state = DealState::new(rules, &deal);
    bots.iter_mut().for_each(Bot::start);
    let mut step = 0;
    loop {
        step += 1;
        match state.turn() {
            Turn::Over => break,
            Turn::Call(seat) => {
                let bot = &mut bots[seat.index()];
                let key = Key::decisions(777, index, 0, seat).and(step);
                let call = bot.bidder.call(&state.view(seat), &state.legal_calls(), key);
                state.call(call).expect("a legal call");
            }
            Turn::Play(seat) => {
                let (view, key) = (state.view(seat), Key::decisions(777, index, 0, seat).and(step));
                let worlds = Worlds::of(&view);
                let mut rng = key.and(1).rng();
                if (step + index).is_multiple_of(5) && worlds.total() > 50 {
                    let truth = worlds.deal_of(&hands(&state), &mut rng);
                    let deals = (0..DRAWS).map(|_| worlds.deal(&mut rng));
                    let all = std::iter::once(truth).chain(deals);
                    cases.push(all.map(|deal| counts(reading, &view, &deal)).collect());
                }
                let card = bots[seat.index()].player.play(&state, seat, state.legal_plays(), key);
                state.play(card).expect("a legal card");
            }
        }
    }
}

fn hands(state: &DealState) -> coinche_engine::BySeat<coinche_engine::CardSet> {
    coinche_engine::BySeat::from_fn(|seat| state.view(seat).hand())
}

fn places(trust: &mut Trust) -> impl Iterator<Item = &mut f64> {
    trust.calls.iter_mut().chain(&mut trust.cards)
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let deals: u64 = arguments.next().map_or(400, |text| text.parse().expect("a number of deals"));
    let mut names: Vec<String> = arguments.collect();
    if names.is_empty() {
        names = vec!["rules+pimc:worlds=20".to_owned()];
    }
    let specs: Vec<BotSpec> = names.iter().map(|name| name.parse().expect("a bot")).collect();
    let model = "rules".parse::<BotSpec>().expect("a bot").build();
    let mut reading = Reading::new(model.bidder, model.player.into_fair());
    let mut cases = Vec::new();
    for index in 0..deals {
        let mut bots: Vec<Bot> =
            (0..4).map(|seat| specs[(seat + index as usize) % specs.len()].build()).collect();
        play(&RuleSet::BGA, &mut bots, index, &mut reading, &mut cases);
    }
    let half = |odd: usize| cases.iter().skip(odd).step_by(2);
    let say = |name: &str, trust: &Trust| {
        let ((fitted, _), (other, effective)) = (worth(trust, half(0)), worth(trust, half(1)));
        println!("{name}: {fitted:.3} nats, on the other half {other:.3}, effective worlds {effective:.3}");
    };
    println!("{} decisions, {}", cases.len(), names.join(" "));
    say("in use", &Trust::FITTED);
    let mut calls_only = Trust::FITTED;
    // Another card is as likely as the expected one, as far as that goes: nearly nothing is read.
    calls_only.cards = [0.7; 3];
    say("calls", &calls_only);
    let mut trust = Trust::FITTED;
    let mut best = worth(&trust, half(0)).0;
    for step in [2.0, 1.4, 1.15, 1.05] {
        for _ in 0..3 {
            for place in 0..8 {
                for factor in [step, 1.0 / step] {
                    let mut other = trust;
                    let value = places(&mut other).nth(place).expect("a place");
                    *value = (*value * factor).clamp(0.001, 0.95);
                    let worth = worth(&other, half(0)).0;
                    if worth > best {
                        (trust, best) = (other, worth);
                    }
                }
            }
        }
    }
    say("fitted", &trust);
    println!("{trust:.3?}");
}
