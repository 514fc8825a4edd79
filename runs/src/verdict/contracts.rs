//! The table of a side's contracts.

use coinche_engine::Strain;
use coinche_engine::rules::DealMethod;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::model::{Block, Cell, Table};
use coinche_selfplay::play::schedule::{Encounter, Side};
use coinche_selfplay::play::tally::{Contracts, Tally};

use super::names;
use crate::config::RunConfig;
use crate::figures::level_name;

/// Levels above this one share a row of the table: some rules allow bids up to 990.
const LAST_ROW: usize = 12;

fn sum<'a>(cells: impl Iterator<Item = &'a Contracts>) -> Contracts {
    cells.fold(Contracts::default(), |mut sum, cell| {
        sum.played += cell.played;
        sum.made += cell.made;
        sum.difference += cell.difference;
        sum
    })
}

/// Formats a cell of the table of contracts: share of all contracts, made, mean difference.
#[expect(clippy::cast_precision_loss, reason = "shares for people")]
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
    let all = sum(contracts.iter());
    let name = &names(config, encounter)[side.index()];
    if all.played == 0 {
        return Block::Text(format!("{name} declared no contract."));
    }
    let strains: Vec<Strain> = Strain::ALL
        .into_iter()
        .filter(|strain| contracts.iter().skip(strain.index()).step_by(6).any(|cell| cell.played > 0))
        .collect();
    let mut heads = vec![""];
    heads.extend(strains.iter().map(|strain| strain.symbol()));
    heads.push("all");
    let caption = format!(
        "Contracts of {name} ({}): % of contracts / % made / mean score difference",
        thousands(all.played)
    );
    let mut table = Table::new(["contracts-a", "contracts-b"][side.index()], caption, &heads);
    for (name, levels) in rows_of_levels(config, tally) {
        let cells = |strain: Option<Strain>| {
            sum(levels
                .clone()
                .flat_map(|level| &contracts[6 * level..6 * level + 6])
                .enumerate()
                .filter_map(|(n, cell)| strain.is_none_or(|strain| n % 6 == strain.index()).then_some(cell)))
        };
        if cells(None).played > 0 {
            table.rows.push(row(name, &strains, cells, all.played));
        }
    }
    let cells = |strain: Option<Strain>| match strain {
        Some(strain) => sum(contracts.iter().skip(strain.index()).step_by(6)),
        None => all,
    };
    table.rows.push(row("all".to_owned(), &strains, cells, all.played));
    Block::Table(table)
}

fn row(name: String, strains: &[Strain], cells: impl Fn(Option<Strain>) -> Contracts, all: u64) -> Vec<Cell> {
    let mut row = vec![Cell::Text(name)];
    row.extend(strains.iter().map(|strain| contract_cell(&cells(Some(*strain)), all)));
    row.push(contract_cell(&cells(None), all));
    row
}

/// Returns the rows of the table of contracts: the levels of the ladder, with a long upper part in one row.
fn rows_of_levels(config: &RunConfig, tally: &Tally) -> Vec<(String, core::ops::Range<usize>)> {
    if config.rules.deal.method == DealMethod::TurnUp {
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
