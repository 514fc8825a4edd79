//! The table of a side's contracts.

use coinche_inference::Merge;
use core::ops::Range;

use coinche_engine::Strain;
use coinche_selfplay::play::tally::Contracts;
use coinche_selfplay::{Block, Cell, Encounter, Side, Table, Tally, thousands};

use super::names;
use crate::config::RunConfig;
use crate::figures::level_name;

/// Levels above this one share a row of the table: some rules allow bids up to 990.
const LAST_ROW: usize = 12;

/// Returns the sum of some counts of contracts.
pub(super) fn sum_of<'a>(counts: impl IntoIterator<Item = &'a Contracts>) -> Contracts {
    counts.into_iter().fold(Contracts::default(), |mut sum, count| {
        sum.merge(count);
        sum
    })
}

/// Formats a cell of the table of contracts: share of all contracts, made, mean difference.
fn contract_cell(cell: &Contracts, all: u64) -> Cell {
    if cell.played == 0 {
        return Cell::Blank;
    }
    let share = 100.0 * cell.played as f64 / all as f64;
    let share = Cell::Number(share, usize::from(share < 9.95)).shown();
    let made = 100.0 * cell.made as f64 / cell.played as f64;
    let difference = (cell.difference as f64 / cell.played as f64).round();
    // A sign distinguishes it from the shares, even for 0.
    let difference =
        if difference == 0.0 { "+0".to_owned() } else { Cell::estimate(difference, None, 0).shown() };
    Cell::Figures(format!("{share}/{made:.0}/{difference}"))
}

/// Returns the table of a side's contracts by level and strain.
pub(super) fn block(config: &RunConfig, encounter: Encounter, tally: &Tally, side: Side) -> Block {
    let contracts = &tally.sides[side.index()].contracts;
    let all = sum_of(contracts).played;
    let name = &names(config, encounter)[side.index()];
    if all == 0 {
        return Block::Text(format!("{name} declared no contract."));
    }
    // The contracts of some levels, in one strain or in all.
    let sum = |levels: &Range<usize>, strain: Option<Strain>| {
        let cells = contracts[6 * levels.start..6 * levels.end].iter().enumerate();
        sum_of(cells.filter(|(n, _)| strain.is_none_or(|it| n % 6 == it.index())).map(|(_, cell)| cell))
    };
    let every = 0..contracts.len() / 6;
    let mut rows = rows_of_levels(config, tally);
    rows.push(("all".to_owned(), every.clone()));
    rows.retain(|(_, levels)| sum(levels, None).played > 0);
    let caption =
        format!("Contracts of {name} ({}): % of contracts / % made / mean score difference", thousands(all));
    let strains = Strain::ALL.into_iter().filter(|strain| sum(&every, Some(*strain)).played > 0);
    let columns = strains.map(|strain| (strain.symbol(), Some(strain))).chain([("all", None)]);
    let table = Table::of(["contracts-a", "contracts-b"][side.index()], caption, rows)
        .text("", |(name, _)| name.clone());
    let table = columns.fold(table, |table, (head, strain)| {
        table.shown(head, move |(_, levels)| contract_cell(&sum(levels, strain), all))
    });
    Block::Table(table.build())
}

/// Returns the rows of the table of contracts: the levels of the ladder, with a long upper part in one row.
fn rows_of_levels(config: &RunConfig, tally: &Tally) -> Vec<(String, Range<usize>)> {
    if !config.rules.has_values() {
        return vec![(level_name(config, tally, 0), 0..1)];
    }
    let ladder = tally.ladder();
    let numbers = ladder.iter().filter(|value| value.as_points().is_some()).count();
    let single = if numbers > LAST_ROW + 1 { LAST_ROW } else { numbers };
    let name = |level| level_name(config, tally, level);
    let mut rows: Vec<_> = (0..single).map(|level| (name(level), level..level + 1)).collect();
    if single < numbers {
        rows.push((format!("{}–{}", name(single), name(numbers - 1)), single..numbers));
    }
    rows.extend((numbers..ladder.len()).map(|level| (name(level), level..level + 1)));
    rows
}
