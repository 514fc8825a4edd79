//! The deals with the largest differences, to be replayed.

use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::deal_view::DealView;
use coinche_selfplay::document::model::{Block, Cell, Section, Table, signed};

use super::{Place, cause, matches, replay};
use crate::analysis::report::source::{Cause, Run, Swing};

const fn word(cause: Cause) -> &'static str {
    match cause {
        Cause::Fault => "faults",
        Cause::Play => "play",
        Cause::Nothing => "nothing",
        _ => "bidding",
    }
}

/// Prints whole points with a sign.
fn whole(points: i64) -> String {
    format!("{points:+}").replace('-', "−")
}

fn heading(run: &Run, swing: &Swing) -> String {
    let met = run.form.met();
    let versus = met.get(swing.pairing).map_or_else(String::new, |met| run.form.versus(met.ends));
    let [first, second] = swing.legs;
    format!(
        "Deal {}: {versus} = {} ({} in leg 1, {} in leg 2)",
        swing.deal,
        signed(swing.difference()),
        whole(first),
        whole(second)
    )
}

/// Starts the table of the deals that differed most.
pub(super) fn table(place: Place) -> Table {
    let heads = [
        Column::count("deal"),
        Column::text("bot_a").head("A"),
        Column::text("bot_b").head("B"),
        Column::number("difference").head("A − B"),
        Column::number("difference_leg0").head("leg 1"),
        Column::number("difference_leg1").head("leg 2"),
        Column::text("part").head("attributed to"),
    ];
    Table::new(
        place.name("swings"),
        "The deals with the largest paired differences, to replay below.",
        &heads,
    )
}

/// Shows the deals that differed most.
#[expect(clippy::cast_precision_loss, reason = "points of a deal")]
pub(super) fn section(run: &Run, place: Place) -> Section {
    let title = "Largest swings";
    if let Some(scan) = &run.matches {
        return matches::swings(run, place, scan);
    }
    let mut table = table(place);
    let none = Block::Table(matches::swings_table(place));
    let Some(scan) = &run.scan else {
        let why = cause::missing(run, "the deals that differed most");
        return place.section("swings", title, vec![Block::Text(why), Block::Table(table), none]);
    };
    if scan.swings.is_empty() {
        let text = "No deal had a difference.".to_owned();
        return place.section("swings", title, vec![Block::Text(text), Block::Table(table), none]);
    }
    let (mut shown, mut again, mut unread) = (Vec::new(), 0u64, 0u64);
    let may = replay::may(run);
    let met = run.form.met();
    for swing in &scan.swings {
        let ends = met[swing.pairing].ends;
        let [a, b] = ends.map(|bot| Cell::Text(run.form.name(bot)));
        let [first, second] = swing.legs.map(|leg| Cell::Signed(leg as f64));
        let difference = Cell::Signed(swing.difference());
        table.rows.push(vec![
            Cell::Count(swing.deal),
            a,
            b,
            difference,
            first,
            second,
            Cell::text(word(swing.cause)),
        ]);
        let kept = run.seen.as_ref().and_then(|seen| seen.deals.get(&(swing.deal, swing.pairing)));
        let view = match kept {
            Some(records) => Some(DealView::new(heading(run, swing), records)),
            None if may => {
                let records = replay::play(run, swing);
                again += u64::from(records.is_some());
                records.map(|records| DealView::new(heading(run, swing), &records))
            }
            None => None,
        };
        match view {
            Some(view) => shown.push(view),
            None => unread += 1,
        }
    }
    let mut blocks = vec![Block::Table(table), none];
    if again > 0 {
        blocks.push(Block::Text(
            "The run kept no records of these deals. They were replayed from the seed, with the same scores."
                .to_owned(),
        ));
    }
    if unread > 0 {
        blocks.push(Block::Text(format!(
            "{unread} of these deals cannot be shown: the run kept no record of them, and replaying them from the seed was \
             not possible or gave other scores. --records swing:POINTS keeps the deals with the largest differences."
        )));
    }
    if !shown.is_empty() {
        blocks.push(Block::Deals(shown));
    }
    place.section("swings", title, blocks)
}
