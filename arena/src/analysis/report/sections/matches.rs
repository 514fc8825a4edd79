//! What is told of whole matches in place of single deals: how they ended, and which differed most.

use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::model::{Block, Cell, Section, Table};

use super::{Place, spread};
use crate::analysis::report::source::{MatchLeg, MatchScan, Run};

/// Starts the table of how matches ended.
pub(super) fn ended_table(place: Place) -> Table {
    let heads = [
        Column::text("bot_a").head("A"),
        Column::text("bot_b").head("B"),
        Column::count("a_won_both").head("A won both legs"),
        Column::count("a_won_one").head("one, the other had no winner"),
        Column::count("even"),
        Column::count("b_won_one").head("one, the other had no winner"),
        Column::count("b_won_both").head("B won both legs"),
        Column::number("deals_per_leg").head("deals per leg"),
    ];
    let caption =
        "Matches by who won their two legs; even: each bot won one leg, or neither leg had a winner.";
    Table::new(place.name("matches"), caption, &heads)
}

/// Starts the table of the matches that differed most.
pub(super) fn swings_table(place: Place) -> Table {
    let heads = [
        Column::count("match"),
        Column::text("bot_a").head("A"),
        Column::text("bot_b").head("B"),
        Column::number("difference").head("A − B"),
        Column::number("difference_leg0").head("leg 1"),
        Column::number("difference_leg1").head("leg 2"),
        Column::count("deals_leg0").head("deals in leg 1"),
        Column::count("deals_leg1").head("deals in leg 2"),
    ];
    Table::new(place.name("match-swings"), "The matches with the largest paired differences.", &heads)
}

/// Says how many matches each won, and draws how far they were apart.
#[expect(clippy::cast_precision_loss, reason = "counts of deals")]
pub(super) fn spread(run: &Run, place: Place, scan: &MatchScan) -> Section {
    let mut ended = ended_table(place);
    for (met, pairing) in run.form.met().iter().zip(&scan.pairings) {
        let matches: u64 = pairing.ended.iter().sum();
        let mut row = met.ends.map(|bot| Cell::Text(run.form.name(bot))).to_vec();
        row.extend(pairing.ended.iter().rev().map(|count| Cell::Count(*count)));
        row.push(Cell::Plain(pairing.deals as f64 / (2 * matches).max(1) as f64));
        ended.rows.push(row);
    }
    let mut blocks = vec![Block::Table(ended)];
    blocks.extend(spread::pictures(run, place, scan.pairings.iter().map(|pairing| &pairing.doubled)));
    place.section("spread", "Distribution of differences", blocks)
}

/// Lists the matches that differed most.
#[expect(clippy::cast_precision_loss, reason = "points of a match")]
pub(super) fn swings(run: &Run, place: Place, scan: &MatchScan) -> Section {
    let mut table = swings_table(place);
    let met = run.form.met();
    for swing in &scan.swings {
        let mut row = vec![Cell::Count(swing.number)];
        row.extend(met[swing.pairing].ends.map(|bot| Cell::Text(run.form.name(bot))));
        row.push(Cell::Signed(swing.difference()));
        row.extend(swing.legs.map(|leg: MatchLeg| Cell::Signed(leg.difference() as f64)));
        row.extend(swing.legs.map(|leg: MatchLeg| Cell::Count(leg.deals)));
        table.rows.push(row);
    }
    let how = "If the run kept records, arena show RUN --match M --deal D shows a deal of a match.";
    place.section(
        "swings",
        "Largest swings",
        vec![Block::Table(table), Block::Table(super::swings::table(place)), Block::Text(how.to_owned())],
    )
}
