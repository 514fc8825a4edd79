//! The standings as a table: those of a class on the page, and all of them in `leaderboard.csv`.

use coinche_selfplay::document::columns::{BOT, RANK, RATING};
use coinche_selfplay::{Column, Table, document, measured, named};

use super::Leaderboard;
use super::standings::Standings;

/// The preset of a class.
pub(super) const RULES: Column = named("rules", "the preset");
/// The class that a row is of.
pub(super) const CLASS: Column = named("class", "the class");
/// An entry.
pub(super) const ENTRY: Column = named("entry", "name of the entry");

/// Returns the standings of some classes as a table with this name.
pub(super) fn standings(board: &Leaderboard, some: &[Standings], name: &str) -> Table {
    let rows = some.iter().flat_map(|of| {
        let class = &board.plan.classes[of.class];
        let rows = of.rows.iter().enumerate();
        rows.map(move |(n, row)| (of, class, n + 1, row, &board.plan.entries[row.entry]))
    });
    let above_mean = measured("above_mean", "points", "per deal above the mean of the class");
    let alone = "paired difference against the anchor alone, where `rating` counts all pairings";
    let direct = measured("direct", "points", alone);
    let worst = named("worst", "the entry against which it scores least");
    let worst_points = measured("worst_points", "points", "paired difference there");
    let share = named("nash_share", "share of the entry in the Nash average of the class");
    let time = measured("time_us", "µs", "mean processor time of a decision; empty for programs");
    let limit = measured("limit_us", "µs", "the limit of the class").only_in_files();
    let over = named("over", "whether `time_us` is more than `limit_us`").head("over the limit");
    Table::of(name, "", rows)
        .text(RULES.only_in_files(), |(of, ..)| &board.plan.rules[of.rules].0)
        .text(CLASS.only_in_files(), |(_, class, ..)| &class.name)
        .count(RANK.about("by `rating`"), |(_, _, rank, ..)| *rank)
        .text(ENTRY, |(.., entry)| &entry.name)
        .text(BOT.only_in_files(), |(.., entry)| entry.bot.as_str())
        .estimate(RATING.about("per deal above the anchor"), |(.., row, _)| row.rating)
        .estimate(direct.head("direct"), |(of, .., row, _)| of.direct(row.entry, board.plan.anchor))
        .estimate(above_mean.head("above the mean"), |(.., row, _)| row.above_mean)
        .text(worst.head("worst against"), |(.., row, _)| &board.plan.entries[row.worst.0].name)
        .estimate(worst_points.head("points there"), |(.., row, _)| row.worst.1)
        .share(share.head("Nash share"), |(.., row, _)| row.nash_share)
        .micros(time.head("time"), |(.., row, _)| (row.time.timed > 0).then_some(row.time.mean))
        .micros(limit, |(_, class, ..)| class.limit.as_secs_f64() * 1e6)
        .flag(over, |(_, class, _, row, _)| row.time.is_over(class.limit))
        .count(named("faults", "faults in all runs of the class"), |(.., row, _)| row.faults)
        .build()
}

/// Returns all standings as comma-separated values.
pub(super) fn to_csv(board: &Leaderboard) -> Vec<u8> {
    document::to_csv(&standings(board, &board.standings, "leaderboard").for_files())
}
