//! What is told of whole matches in place of single deals: how they ended, and which differed most.

use coinche_selfplay::document::model::{Block, Cell, Section, Table};

use super::{Place, spread};
use crate::analysis::report::source::{MatchLeg, MatchScan, Run};

/// Says how many matches each won, and draws how far they were apart.
#[expect(clippy::cast_precision_loss, reason = "counts of deals")]
pub(super) fn spread(run: &Run, place: Place, scan: &MatchScan) -> Section {
    let heads = [
        "A",
        "B",
        "A won both legs",
        "one, the other had no winner",
        "even",
        "one, the other had no winner ",
        "B won both legs",
        "deals a leg",
    ];
    let caption =
        "Matches by who won their two legs; even: each bot won one leg, or neither leg had a winner.";
    let mut ended = Table::new(place.name("matches"), caption, &heads);
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
    let heads = ["match", "A", "B", "A − B", "leg 1", "leg 2", "deals in leg 1", "deals in leg 2"];
    let mut table =
        Table::new(place.name("swings"), "The matches with the largest paired differences.", &heads);
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
    place.section("swings", "Largest swings", vec![Block::Table(table), Block::Text(how.to_owned())])
}
