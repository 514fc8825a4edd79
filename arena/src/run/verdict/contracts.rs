//! The table of a side's contracts.

use coinche_engine::{DealMethod, Strain};
use comfy_table::Table;

use super::names;
use crate::base::style::{finish, table, thousands};
use crate::play::schedule::{Encounter, Side};
use crate::play::tally::{Contracts, Tally};
use crate::run::config::RunConfig;
use crate::run::figures::level_name;

/// Numbers above this one share a row of the table: some rules let bids go on to 990.
const LAST_ROW: usize = 12;

fn sum<'a>(cells: impl Iterator<Item = &'a Contracts>) -> Contracts {
    cells.fold(Contracts::default(), |mut sum, cell| {
        sum.played += cell.played;
        sum.made += cell.made;
        sum.difference += cell.difference;
        sum
    })
}

/// A cell of the table of contracts: share of all contracts, made, mean difference.
#[expect(clippy::cast_precision_loss, reason = "shares for people")]
fn contract_cell(cell: &Contracts, all: u64) -> String {
    if cell.played == 0 {
        return String::new();
    }
    let share = 100.0 * cell.played as f64 / all as f64;
    let share = if share >= 9.95 { format!("{share:.0}") } else { format!("{share:.1}") };
    let made = 100.0 * cell.made as f64 / cell.played as f64;
    // Adding zero makes −0 a 0.
    let difference = (cell.difference as f64 / cell.played as f64).round() + 0.0;
    format!("{share}/{made:.0}/{difference:+.0}")
}

/// Returns the table of a side's contracts by level and strain.
pub(crate) fn contracts_table(config: &RunConfig, encounter: Encounter, tally: &Tally, side: Side) -> String {
    let contracts = &tally.sides[side.index()].contracts;
    let all = sum(contracts.iter());
    let name = &names(config, encounter)[side.index()];
    if all.played == 0 {
        return format!("{name} declared no contract.\n");
    }
    let strains: Vec<Strain> = Strain::ALL
        .into_iter()
        .filter(|strain| contracts.iter().skip(strain.index()).step_by(6).any(|cell| cell.played > 0))
        .collect();
    let mut table = table();
    let mut header = vec![String::new()];
    header.extend(strains.iter().map(|strain| strain.symbol().to_owned()));
    header.push("all".to_owned());
    table.set_header(header);
    for (name, levels) in rows_of_levels(config, tally) {
        let cells = |strain: Option<Strain>| {
            sum(levels
                .clone()
                .flat_map(|level| &contracts[6 * level..6 * level + 6])
                .enumerate()
                .filter_map(|(n, cell)| strain.is_none_or(|strain| n % 6 == strain.index()).then_some(cell)))
        };
        if cells(None).played > 0 {
            add_row(&mut table, name, &strains, cells, all.played);
        }
    }
    let cells = |strain: Option<Strain>| match strain {
        Some(strain) => sum(contracts.iter().skip(strain.index()).step_by(6)),
        None => all,
    };
    add_row(&mut table, "all".to_owned(), &strains, cells, all.played);
    format!(
        "Contracts of {name}: {}; in each cell share in % / made in % / mean difference\n{}",
        thousands(all.played),
        finish(table)
    )
}

fn add_row(
    table: &mut Table,
    name: String,
    strains: &[Strain],
    cells: impl Fn(Option<Strain>) -> Contracts,
    all: u64,
) {
    let mut row = vec![name];
    row.extend(strains.iter().map(|strain| contract_cell(&cells(Some(*strain)), all)));
    row.push(contract_cell(&cells(None), all));
    table.add_row(row);
}

/// The rows of the table of contracts: the levels of the ladder, a long upper part as one.
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
