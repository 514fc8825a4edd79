//! The faults of bots.

use coinche_selfplay::document::columns::BOT;
use coinche_selfplay::document::{Block, Section, Table, named};

use super::Place;
use crate::report::source::Run;

const KINDS: [&str; 5] = ["illegal", "crash", "timeout", "protocol", "inconsistent"];

/// The maximum number of letters shown of an excerpt.
const MOST_LETTERS: usize = 300;

/// Reports the faults.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let mut counts = vec![[0u64; KINDS.len()]; run.form.bots.len()];
    for met in run.form.met() {
        for (bot, figures) in met.ends.into_iter().zip(&met.figures.by_bot) {
            for (count, kind) in counts[bot].iter_mut().zip(KINDS) {
                *count += figures.faults.get(kind).copied().unwrap_or(0);
            }
        }
    }
    let title = "Faults";
    let any = counts.iter().flatten().any(|count| *count > 0);
    let table = Table::of(place.name("faults"), "Faults by kind.", counts.iter().enumerate().filter(|_| any))
        .text(BOT, |(bot, _)| run.form.name(*bot))
        .count(named("illegal", "illegal answers"), |(_, counts)| counts[0])
        .count(named("crash", "crashes"), |(_, counts)| counts[1])
        .count(named("timeout", "late answers"), |(_, counts)| counts[2])
        .count(named("protocol", "unreadable answers"), |(_, counts)| counts[3])
        .count(named("inconsistent", "other answers when asked again"), |(_, counts)| counts[4])
        .build();
    if !any {
        return place.section("faults", title, vec![Block::text("None."), Block::Table(table)]);
    }
    let mut blocks = vec![Block::Table(table)];
    let seen = run.seen.as_ref().map(|seen| &seen.faults).filter(|faults| !faults.is_empty());
    match seen {
        Some(faults) => {
            let lines = faults.iter().flat_map(|((bot, kind), examples)| {
                examples.iter().map(move |(deal, leg, detail)| {
                    let short: String = detail.chars().take(MOST_LETTERS).collect();
                    let more = if short.len() < detail.len() { "…" } else { "" };
                    format!("{bot}, {kind}, deal {deal}, leg {}: {short}{more}", leg + 1)
                })
            });
            blocks.push(Block::text("The first faults of each kind among the recorded deals:"));
            blocks.push(Block::Items(lines.collect()));
        }
        None => blocks.push(Block::text(
            "No recorded deal has a fault; --records full records every deal with its faults.",
        )),
    }
    place.section("faults", title, blocks)
}
