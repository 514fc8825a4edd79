//! The standings as a table: that of a class on the page, and all of them in `leaderboard.csv`.

use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::model::{Cell, Table};
use coinche_selfplay::document::{csv_head, push_csv};

use super::Leaderboard;
use super::standings::{Standing, Standings};
use crate::run::figures::Mean;

/// The columns of the standings.
fn columns() -> [Column; 13] {
    [
        Column::text("rules").only_in_files(),
        Column::text("class").only_in_files(),
        Column::count("rank"),
        Column::text("entry"),
        Column::text("bot").only_in_files(),
        Column::estimate("rating"),
        Column::estimate("above_mean").head("above the mean"),
        Column::text("worst").head("worst against"),
        Column::estimate("worst_points").head("points there"),
        Column::number("time_us").head("time"),
        Column::number("limit_us").only_in_files(),
        Column::flag("over").head("over the limit"),
        Column::count("faults"),
    ]
}

pub(super) fn estimate(mean: Mean) -> Cell {
    Cell::estimate(mean.mean, Some(mean.half_width), 1)
}

fn row(board: &Leaderboard, of: &Standings, rank: usize, row: &Standing) -> Vec<Cell> {
    let entry = &board.plan.entries[row.entry];
    let class = &board.plan.classes[of.class];
    vec![
        Cell::text(board.plan.rules[of.rules].0.clone()),
        Cell::text(class.name.clone()),
        Cell::Count(rank as u64),
        Cell::text(entry.name.clone()),
        Cell::text(entry.bot.as_str()),
        estimate(row.rating),
        estimate(row.above_mean),
        Cell::text(board.plan.entries[row.worst.0].name.clone()),
        estimate(row.worst.1),
        Cell::maybe((row.time.timed > 0).then_some(row.time.mean), Cell::Micros),
        Cell::Micros(class.limit.as_secs_f64() * 1e6),
        Cell::Flag(row.time.is_over(class.limit)),
        Cell::Count(row.faults),
    ]
}

/// Returns the standings of a class as a table of this name.
pub(super) fn standings(board: &Leaderboard, of: &Standings, name: &str) -> Table {
    let mut table = Table::new(name, "", &columns());
    table.rows = of.rows.iter().enumerate().map(|(n, it)| row(board, of, n + 1, it)).collect();
    table
}

/// Returns all standings as comma-separated values.
pub(super) fn to_csv(board: &Leaderboard) -> Vec<u8> {
    let empty = Table::new("leaderboard", "", &columns());
    let mut bytes = csv_head(&empty.for_files().columns);
    for of in &board.standings {
        let table = standings(board, of, "leaderboard").for_files();
        push_csv(&mut bytes, &table.columns, &table.rows);
    }
    bytes
}
