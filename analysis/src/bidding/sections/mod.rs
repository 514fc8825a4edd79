//! The result of a benchmark of bidders: a document for people, tables for programs.

mod agreement;
mod contracts;
mod forecasts;
mod losses;
mod score;
mod swings;

use coinche_inference::wilson;
use coinche_selfplay::{Block, Document, Section, VERSION};

use super::BiddingTotals;
use coinche_runs::{COMMIT, RunConfig, verdict};

/// Returns the complete document: pictures, tables and deals.
pub fn document(config: &RunConfig, command: &str, totals: &BiddingTotals) -> Document {
    let (a_verdict, scope) = verdicts(config, totals);
    let mut sections = vec![score::section(config, totals), losses::section(config, totals)];
    sections.push(agreement::section(config, totals));
    sections.push(contracts::section(config, totals));
    sections.push(forecasts::section(config, totals));
    sections.push(swings::section(config, totals));
    sections.push(reproduce(command));
    let names: Vec<_> = config.bots.iter().map(ToString::to_string).collect();
    let faults = faults(config, totals);
    Document {
        title: format!("Bidders: {}", names.join(", ")),
        command: "bidding",
        verdicts: vec![a_verdict],
        scope: scope.into_iter().chain(verdict::seen_lines(config)).chain(faults).collect(),
        sections,
        ..Document::default()
    }
}

/// Returns who is ahead, and what the verdict is based on.
fn verdicts(config: &RunConfig, totals: &BiddingTotals) -> (String, Vec<String>) {
    let scope = format!(
        "All bidders had the same {} deals and the same card play. Intervals are 95 % confidence intervals with the \
         deal, in both seatings, as the unit.",
        coinche_selfplay::base::style::thousands(totals.deals())
    );
    if config.bots.len() == 2 {
        let [verdict, played] = verdict::of_points(config, &totals.duels);
        return (verdict, vec![played, scope]);
    }
    let first = verdict::document(config, &totals.duels).verdicts.into_iter().next().unwrap_or_default();
    if verdict::is_void(config, &totals.duels) {
        return (first, vec![scope]);
    }
    let best = score::best(config, totals).map_or_else(
        || "No bidder is ahead of all the others".to_owned(),
        |best| format!("{} is ahead of every other bidder", config.bots[best]),
    );
    (best, vec![first, scope])
}

/// Reports the faults of bidders, if any.
fn faults(config: &RunConfig, totals: &BiddingTotals) -> Option<String> {
    let faulty = config.bots.iter().enumerate().filter_map(|(n, bot)| {
        let faults = totals.duels.of_bot(n)?.all_faults();
        (faults > 0).then(|| format!("{bot} {faults}"))
    });
    let faulty: Vec<_> = faulty.collect();
    (!faulty.is_empty())
        .then(|| format!("Faults (illegal, late or unreadable answers): {}.", faulty.join(", ")))
}

fn reproduce(command: &str) -> Section {
    let blocks = vec![
        Block::text(
            "The same command at the same commit gives byte-identical results, with any number of threads:",
        ),
        Block::Code(command.to_owned()),
        Block::Items(vec![format!("commit {COMMIT}, version {VERSION}")]),
    ];
    Section::new("reproduce", "How to reproduce", blocks)
}

/// Returns a share with its interval.
fn share_of(part: u64, whole: u64) -> Option<(f64, Option<[f64; 2]>)> {
    Some((share(part, whole)?, wilson(part, whole, 0.95)))
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// Returns a bidder with its number in tables, counted from 1.
fn title(config: &RunConfig, bidder: usize) -> String {
    format!("{} {}", bidder + 1, config.bots[bidder])
}
