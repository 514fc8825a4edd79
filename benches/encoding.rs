//! Masks and observations for programs that learn, over all decisions of random deals.

use coinche_benches::{SEED, new_deal};
use coinche_engine::encoding::{ActionSpace, Encoder, Memory, ObservationForm, Suits};
use coinche_engine::{DealState, Key, RuleSet, Seat, Turn};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const DEALS: u64 = 100;

/// The states of all decisions of random deals, with the seats that decide.
fn positions(rules: &RuleSet, space: &ActionSpace) -> Vec<(DealState, Seat)> {
    let mut positions = Vec::new();
    for index in 0..DEALS {
        let mut state = new_deal(rules, SEED, index);
        let key = Key::decisions(SEED, index, Seat::S0);
        for decision in 0.. {
            let (Turn::Call(seat) | Turn::Play(seat)) = state.turn() else { break };
            positions.push((state.clone(), seat));
            let mut mask = vec![0; space.len()];
            space.mask(&state, &mut mask);
            let legal: Vec<usize> = (0..mask.len()).filter(|index| mask[*index] != 0).collect();
            let choice = key.and(decision).below(legal.len());
            space.apply(&mut state, legal[choice]).expect("a legal action");
        }
    }
    positions
}

fn encoding(c: &mut Criterion) {
    let mut group = c.benchmark_group("encoding");
    for preset in ["bga", "coinche-melds"] {
        let rules = RuleSet::preset(preset).expect("a preset");
        let space = ActionSpace::new(&rules);
        let positions = positions(&rules, &space);
        group.throughput(Throughput::Elements(positions.len() as u64));
        let mut mask = vec![0; space.len()];
        group.bench_function(format!("mask {preset}"), |b| {
            b.iter(|| {
                for (state, _) in &positions {
                    space.mask(state, &mut mask);
                    std::hint::black_box(&mask);
                }
            });
        });
        for (name, suits) in [("", Suits::AsDealt), ("canonical ", Suits::Canonical)] {
            let encoder = Encoder::new(&rules, suits);
            let (mut words, mut bytes) = ([0; Encoder::WORDS], vec![0; Encoder::BITS]);
            group.bench_function(format!("{name}bits {preset}"), |b| {
                b.iter(|| {
                    for (state, seat) in &positions {
                        encoder.encode(&state.view(*seat), &mut words);
                        std::hint::black_box(&words);
                    }
                });
            });
            group.bench_function(format!("{name}bits with a memory {preset}"), |b| {
                b.iter(|| {
                    let mut memory = Memory::new();
                    for (state, seat) in &positions {
                        if state.auction().calls().is_empty() {
                            memory.clear();
                        }
                        encoder.encode_with(&mut memory, &state.view(*seat), &mut words);
                        std::hint::black_box(&words);
                    }
                });
            });
            group.bench_function(format!("{name}bytes {preset}"), |b| {
                b.iter(|| {
                    for (state, seat) in &positions {
                        ObservationForm::Bytes.write(
                            &encoder,
                            &mut Memory::new(),
                            &state.view(*seat),
                            &mut bytes,
                        );
                        std::hint::black_box(&bytes);
                    }
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, encoding);
criterion_main!(benches);
