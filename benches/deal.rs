//! Whole deals with auction and score through the referee's state, as the arena plays them.

use coinche_benches::SEED;
use coinche_bots::{Bot, Registry};
use coinche_engine::{Deal, DealState, Deck, Key, Outcome, RuleSet, Seat, Turn};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const BATCH: u64 = 500;

/// Plays a deal with the same bot at every seat and returns the score of seats 0 and 2.
fn play(state: &mut DealState, bots: &mut [Bot; 4], index: u64) -> i32 {
    let dealer = Seat::from_index((index & 3) as usize);
    state.restart(&Deal::new(&state.rules().deal, Deck::shuffled(SEED, index), dealer));
    let keys = Seat::ALL.map(|seat| Key::decisions(SEED, index, seat));
    for decision in 0.. {
        match state.turn() {
            Turn::Call(seat) => {
                let (legal, key) = (state.legal_calls(), keys[seat.index()].and(decision));
                let call = bots[seat.index()].bidder.call(&state.view(seat), &legal, key);
                state.call(call).expect("bots make legal calls");
            }
            Turn::Play(seat) => {
                let (legal, key) = (state.legal_plays(), keys[seat.index()].and(decision));
                let card = bots[seat.index()].player.play(state, seat, legal, key);
                state.play(card).expect("bots play legal cards");
            }
            Turn::Over => break,
        }
    }
    match state.outcome() {
        Some(Outcome::Played { score, .. }) => score.points.0[0],
        _ => 0,
    }
}

fn deals(c: &mut Criterion) {
    let mut group = c.benchmark_group("deal state");
    group.throughput(Throughput::Elements(BATCH));
    for (preset, bot) in
        [("bga", "random"), ("coinche-melds", "random"), ("bga", "rules"), ("belote", "rules")]
    {
        let rules = RuleSet::preset(preset).expect("a preset");
        let spec = Registry::builtin().parse(bot).expect("a bot");
        let mut bots: [Bot; 4] = std::array::from_fn(|_| spec.build());
        let deal = Deal::new(&rules.deal, Deck::shuffled(SEED, 0), Seat::S0);
        let mut state = DealState::new(&rules, &deal);
        group.bench_function(format!("{bot} {preset}"), |b| {
            b.iter(|| (0..BATCH).map(|index| play(&mut state, &mut bots, index)).sum::<i32>());
        });
    }
    group.finish();
}

criterion_group!(benches, deals);
criterion_main!(benches);
