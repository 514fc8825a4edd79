//! The table that compares two bots.

use coinche_engine::rules::{CoincheMode, DealMethod};
use coinche_selfplay::play::tally::{Contracts, FAULT_KINDS, Role};
use coinche_selfplay::{Block, Cell, Encounter, SideTally, Table, Tally, signed, thousands};

use super::names;
use crate::config::RunConfig;

/// A row of the table by bot: a title and the cell for each side.
type Row = (&'static str, fn(&SideTally) -> Cell);

/// Formats a share as a percentage.
pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

fn mean(sum: i64, count: u64) -> String {
    if count == 0 { "–".to_owned() } else { signed(sum as f64 / count as f64) }
}

/// Formats the number of contracts, the share made, and the mean gain.
pub(super) fn played_made(contracts: &Contracts) -> Cell {
    if contracts.played == 0 {
        return Cell::Count(0);
    }
    Cell::Figures(format!(
        "{}, {} made, {}",
        thousands(contracts.played),
        percent(contracts.made, contracts.played),
        mean(contracts.difference, contracts.played)
    ))
}

fn role(role: &Role) -> Cell {
    Cell::Figures(format!("{} legs, {} points", thousands(role.legs), mean(role.points, role.legs)))
}

fn meld_points(side: &SideTally) -> Cell {
    Cell::Number(side.meld_points as f64, 0)
}

/// Returns the tables that compare the two bots.
pub(super) fn blocks(config: &RunConfig, encounter: Encounter, tally: &Tally) -> [Block; 2] {
    let [a, b] = names(config, encounter);
    let (auction, melds) = (&config.rules.auction, config.rules.melds.enabled);
    let full = config.rules.deal.method != DealMethod::TurnUp || auction.coinche != CoincheMode::Off;
    let rows: [(bool, Row); 13] = [
        (true, ("declaring: mean score", |side| role(&side.declaring))),
        (true, ("defending: mean score", |side| role(&side.defending))),
        (full, ("contracts, not coinched", |side| played_made(&side.stakes[0]))),
        (full, ("contracts, coinched", |side| played_made(&side.stakes[1]))),
        (full, ("contracts, surcoinched", |side| played_made(&side.stakes[2]))),
        (full, ("coinches (won)", |side| played_made(&side.coinches))),
        (full && auction.capot, ("capots bid", |side| played_made(&side.capots))),
        (full && auction.generale, ("générales bid", |side| played_made(&side.generales))),
        (!full, ("contracts", |side| played_made(&side.stakes[0]))),
        (true, ("all tricks taken", |side| Cell::Count(side.slams))),
        (true, ("belotes announced", |side| Cell::Count(side.belotes))),
        (melds, ("meld points counted", meld_points)),
        (true, ("faults", faults)),
    ];
    let rows = rows.into_iter().filter_map(|(is_shown, row)| is_shown.then_some(row));
    let table = Table::of("bots", "", rows)
        .text("", |(title, _)| *title)
        .shown(a, |(_, cell)| cell(&tally.sides[0]))
        .shown(b, |(_, cell)| cell(&tally.sides[1]))
        .build();
    let forfeited = match tally.forfeited {
        0 => String::new(),
        n => format!(", {} forfeited", thousands(n)),
    };
    if tally.deals == 0 {
        return [Block::Table(table), Block::text("No leg was played.")];
    }
    let (legs, thrown_in) = (thousands(tally.deals), thousands(tally.thrown_in));
    let share = percent(tally.thrown_in, tally.deals);
    let legs = format!("{thrown_in} of {legs} legs were passed out ({share}){forfeited}.");
    [Block::Table(table), Block::Text(legs)]
}

/// Formats the faults of a bot, by kind.
pub(super) fn faults(side: &SideTally) -> Cell {
    let by_kind: Vec<_> = FAULT_KINDS
        .iter()
        .zip(side.faults)
        .filter(|(_, count)| *count > 0)
        .map(|((_, name), count)| format!("{} {name}", thousands(count)))
        .collect();
    if by_kind.is_empty() { Cell::Count(0) } else { Cell::Figures(by_kind.join(", ")) }
}
