//! Dealing, legal plays and random playouts, one thread.

use std::hint::black_box;

use coinche_benches::{SEED, positions};
use coinche_engine::perft::perft_play;
use coinche_engine::playout::{LaneRng, playout, playout_lanes};
use coinche_engine::{Deal, Deck, Key, PlayState, RuleSet, Seat, Strain};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// A multiple of the lanes.
const BATCH: u64 = 1024;

fn dealing(c: &mut Criterion) {
    let rules = RuleSet::BGA;
    let mut group = c.benchmark_group("deal");
    group.throughput(Throughput::Elements(BATCH));
    group.bench_function("shuffle", |b| {
        b.iter(|| {
            for index in 0..BATCH {
                black_box(Deck::shuffled(SEED, index));
            }
        });
    });
    group.bench_function("shuffle and deal", |b| {
        b.iter(|| {
            for index in 0..BATCH {
                black_box(Deal::new(&rules.deal, Deck::shuffled(SEED, index), Seat::S3));
            }
        });
    });
    group.finish();
}

fn playouts(c: &mut Criterion) {
    let rules = RuleSet::BGA;
    let mut group = c.benchmark_group("playout");
    group.throughput(Throughput::Elements(BATCH));
    for strain in [Strain::Hearts, Strain::NoTrump, Strain::AllTrump] {
        let position = positions(strain, 1)[0];
        group.bench_function(format!("fixed deal {strain}"), |b| {
            let mut rng = Key::decisions(SEED, 0, Seat::S0).rng();
            b.iter(|| {
                let mut sum = 0u32;
                for _ in 0..BATCH {
                    sum += u32::from(playout(&rules, black_box(&position), &mut rng).0[0]);
                }
                sum
            });
        });
        group.bench_function(format!("fixed deal, 16 lanes {strain}"), |b| {
            let mut rng = LaneRng::new(Key::decisions(SEED, 0, Seat::S0));
            b.iter(|| {
                let mut sum = 0u32;
                for _ in 0..BATCH / 16 {
                    for points in playout_lanes(&rules, black_box(&[position; 16]), &mut rng) {
                        sum += u32::from(points.0[0]);
                    }
                }
                sum
            });
        });
        group.bench_function(format!("random deals, 16 lanes {strain}"), |b| {
            let mut rng = Key::decisions(SEED, 0, Seat::S0).rng();
            let mut lane_rng = LaneRng::new(Key::decisions(SEED, 0, Seat::S0));
            b.iter(|| {
                let mut sum = 0u32;
                for _ in 0..BATCH / 16 {
                    let states = std::array::from_fn(|_| {
                        let deal = Deal::new(&rules.deal, Deck::shuffled_by(&mut rng), Seat::S3);
                        PlayState::new(&rules.play, strain, *deal.hands(), Seat::S0)
                    });
                    for points in playout_lanes(&rules, &states, &mut lane_rng) {
                        sum += u32::from(points.0[0]);
                    }
                }
                sum
            });
        });
        group.bench_function(format!("random deals {strain}"), |b| {
            let mut rng = Key::decisions(SEED, 0, Seat::S0).rng();
            b.iter(|| {
                let mut sum = 0u32;
                for _ in 0..BATCH {
                    let deal = Deal::new(&rules.deal, Deck::shuffled_by(&mut rng), Seat::S3);
                    let state = PlayState::new(&rules.play, strain, *deal.hands(), Seat::S0);
                    sum += u32::from(playout(&rules, &state, &mut rng).0[0]);
                }
                sum
            });
        });
    }
    group.finish();
}

fn legality(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    let position = positions(Strain::Hearts, 1)[0];
    let nodes = perft_play(&position, 7);
    group.throughput(Throughput::Elements(nodes));
    group.bench_function("play 7", |b| {
        b.iter(|| assert_eq!(perft_play(black_box(&position), 7), nodes));
    });
    group.finish();
}

criterion_group!(benches, dealing, playouts, legality);
criterion_main!(benches);
