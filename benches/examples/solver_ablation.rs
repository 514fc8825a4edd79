//! What each technique of the solver is worth: nodes and time of a full deal's value without it.
//!
//! `cargo run --release -p coinche-benches --example solver_ablation -- [DEALS] [STRAIN…]`
//!
//! The techniques are measured in turn for each slice of the deals, so that whatever else the machine does falls on
//! all of them alike; of three rounds the fastest counts.

use std::time::{Duration, Instant};

use coinche_benches::positions;
use coinche_engine::solver::Solver;
use coinche_engine::solver::tuning::Techniques;
use coinche_engine::{PlayState, RuleSet, Strain};

fn techniques() -> Vec<(&'static str, Techniques)> {
    let all = Techniques::ALL;
    vec![
        ("all", all),
        ("ordering", Techniques { ordering: false, ..all }),
        ("killer", Techniques { killer: false, ..all }),
        ("scout", Techniques { scout: false, ..all }),
        ("shapes", Techniques { shapes: false, ..all }),
        ("settled", Techniques { settled: false, ..all }),
        ("neighbours", Techniques { neighbours: false, ..all }),
        ("sure tricks", Techniques { sure_tricks: false, ..all }),
        ("endings", Techniques { endings: false, ..all }),
    ]
}

/// The time of the values of some positions, each with an empty table: the fastest of three rounds.
fn measure(solver: &mut Solver, positions: &[PlayState]) -> Duration {
    let round = |solver: &mut Solver| {
        let start = Instant::now();
        for position in positions {
            solver.forget();
            solver.value(&RuleSet::BGA, position);
        }
        start.elapsed()
    };
    (0..3).map(|_| round(solver)).min().unwrap_or_default()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let deals: u64 = arguments.next().map_or(Ok(300), |deals| deals.parse())?;
    let named: Vec<Strain> = arguments.map(|strain| strain.parse()).collect::<Result<_, _>>()?;
    let strains =
        if named.is_empty() { vec![Strain::Hearts, Strain::NoTrump, Strain::AllTrump] } else { named };
    println!("{:14}{:>8}{:>10}{:>12}{:>8}", "without", "strain", "nodes", "us a deal", "times");
    for strain in strains {
        let positions = positions(strain, deals);
        let mut rows: Vec<_> = techniques()
            .into_iter()
            .map(|(name, techniques)| (name, Solver::with_techniques(techniques), Duration::ZERO))
            .collect();
        for slice in positions.chunks(20) {
            for (_, solver, time) in &mut rows {
                *time += measure(solver, slice);
            }
        }
        let all = rows[0].2;
        for (name, solver, time) in rows {
            // Each value was found three times.
            let nodes = solver.nodes() / (3 * deals);
            let microseconds = time.as_secs_f64() * 1e6 / deals as f64;
            let times = time.as_secs_f64() / all.as_secs_f64();
            println!("{name:14}{strain:>8}{nodes:>10}{microseconds:>12.0}{times:>8.2}");
        }
    }
    Ok(())
}
