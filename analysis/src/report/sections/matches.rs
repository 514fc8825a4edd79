//! The sections that replace those of single deals for matches: how they ended, and which differed most.

use coinche_selfplay::document::columns::{
    BOT_A, BOT_B, DEAL_DIFFERENCE, DIFFERENCE_LEG0, DIFFERENCE_LEG1, MATCH,
};
use coinche_selfplay::document::{Block, Section, Table, named};

use super::{Place, spread};
use crate::report::source::{MatchScan, Run};

/// The table of how matches ended.
pub(super) fn ended_table(run: &Run, place: Place) -> Table {
    let caption =
        "Matches by who won their two legs; even: each bot won one leg, or neither leg had a winner.";
    let met = run.form.met().into_iter();
    let pairings = run.matches.iter().flat_map(|scan| &scan.pairings);
    let rows = met.zip(pairings).map(|(met, pairing)| (met.ends, pairing));
    let one = "one, the other had no winner";
    // By the legs that A won less those that B won, from 2 to −2.
    let ends = [
        named("a_won_both", "matches of which A won both legs").head("A won both legs"),
        named("a_won_one", "A won one leg, the other had no winner").head(one),
        named("even", "each won a leg, or nobody won any"),
        named("b_won_one", "B won one leg, the other had no winner").head(one),
        named("b_won_both", "B won both legs").head("B won both legs"),
    ];
    let mut table = Table::of(place.name("matches"), caption, rows)
        .text(BOT_A.head("A"), |([a, _], _)| run.form.name(*a))
        .text(BOT_B.head("B"), |([_, b], _)| run.form.name(*b));
    for (column, at) in ends.into_iter().zip([4, 3, 2, 1, 0]) {
        table = table.count(column, move |(_, pairing)| pairing.ended[at]);
    }
    table
        .plain(named("deals_per_leg", "mean number of deals in a leg"), |(_, pairing)| {
            pairing.deals as f64 / (2 * pairing.ended.iter().sum::<u64>()).max(1) as f64
        })
        .build()
}

/// The table of the matches that differed most.
pub(super) fn swings_table(run: &Run, place: Place) -> Table {
    let met = run.form.met();
    let swings = run.matches.iter().flat_map(|scan| &scan.swings);
    let name = |pairing: usize, side: usize| run.form.name(met[pairing].ends[side]);
    Table::of(place.name("match-swings"), "The matches with the largest paired differences.", swings)
        .count(MATCH, |swing| swing.number)
        .text(BOT_A.head("A"), |swing| name(swing.pairing, 0))
        .text(BOT_B.head("B"), |swing| name(swing.pairing, 1))
        .signed(DEAL_DIFFERENCE.head("A − B"), |swing| swing.difference())
        .signed(DIFFERENCE_LEG0.head("leg 1"), |swing| swing.legs[0].difference() as f64)
        .signed(DIFFERENCE_LEG1.head("leg 2"), |swing| swing.legs[1].difference() as f64)
        .count(named("deals_leg0", "deals in the leg").head("deals in leg 1"), |swing| swing.legs[0].deals)
        .count(named("deals_leg1", "deals in the leg").head("deals in leg 2"), |swing| swing.legs[1].deals)
        .build()
}

/// Reports how many matches each bot won, and draws the distribution of the margins.
pub(super) fn spread(run: &Run, place: Place, scan: &MatchScan) -> Section {
    let mut blocks = vec![Block::Table(ended_table(run, place))];
    blocks.extend(spread::pictures(run, place, scan.pairings.iter().map(|pairing| &pairing.doubled)));
    place.section("spread", "Distribution of differences", blocks)
}

/// Lists the matches that differed most.
pub(super) fn swings(run: &Run, place: Place) -> Section {
    let how = "If the run kept records, arena show RUN --match M --deal D shows a deal of a match.";
    place.section(
        "swings",
        "Largest swings",
        vec![
            Block::Table(swings_table(run, place)),
            Block::Table(super::swings::table(run, place)),
            Block::text(how),
        ],
    )
}
