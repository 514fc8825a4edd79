//! The exact solver on random full deals, one thread; each iteration is a deal with an empty table.

use coinche_benches::positions;
use coinche_engine::solver::Solver;
use coinche_engine::{RuleSet, Strain};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const DEALS: u64 = 200;

fn solve(c: &mut Criterion) {
    let rules = RuleSet::BGA;
    let mut group = c.benchmark_group("solve");
    group.throughput(Throughput::Elements(DEALS)).sample_size(10);
    for strain in [Strain::Hearts, Strain::NoTrump, Strain::AllTrump] {
        let deals = positions(strain, DEALS);
        let mut solver = Solver::new();
        group.bench_function(format!("value {strain}"), |b| {
            b.iter(|| {
                deals.iter().fold(0, |sum, deal| {
                    solver.forget();
                    sum + solver.value(&rules, deal)
                })
            });
        });
        group.bench_function(format!("every lead {strain}"), |b| {
            b.iter(|| {
                let mut sum = 0;
                for deal in &deals {
                    solver.forget();
                    solver.values(&rules, deal, |_, value| sum += value);
                }
                sum
            });
        });
        group.bench_function(format!("82 or more {strain}"), |b| {
            b.iter(|| {
                deals
                    .iter()
                    .filter(|deal| {
                        solver.forget();
                        solver.reaches(&rules, deal, 82)
                    })
                    .count()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, solve);
criterion_main!(benches);
