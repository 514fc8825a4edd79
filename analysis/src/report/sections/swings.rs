//! The deals with the largest differences, for replay.

use std::borrow::Cow;

use coinche_engine::record::Record;
use coinche_selfplay::document::columns::{
    BOT_A, BOT_B, DEAL, DEAL_DIFFERENCE, DIFFERENCE_LEG0, DIFFERENCE_LEG1, PART,
};
use coinche_selfplay::document::deal_view::DealView;
use coinche_selfplay::document::words::Language;
use coinche_selfplay::document::{Block, Section, Table, signed};

use super::{Place, cause, matches, replay};
use crate::report::source::{Run, Swing};

/// Formats whole points with a sign.
fn whole(points: i64) -> String {
    format!("{points:+}").replace('-', "−")
}

fn heading(run: &Run, swing: &Swing) -> String {
    let met = run.form.met();
    let versus = met.get(swing.pairing).map_or_else(String::new, |met| run.form.versus(met.ends));
    let ([first, second], deal) = (swing.legs.map(whole), swing.deal);
    format!("Deal {deal}: {versus} = {} ({first} in leg 1, {second} in leg 2)", signed(swing.difference()))
}

/// The table of the deals that differed most.
pub(super) fn table(run: &Run, place: Place) -> Table {
    let met = run.form.met();
    let scan = run.scan.as_ref().filter(|_| run.matches.is_none());
    let name = |pairing: usize, side: usize| run.form.name(met[pairing].ends[side]);
    let caption = "The deals with the largest paired differences, to replay below.";
    Table::of(place.name("swings"), caption, scan.into_iter().flat_map(|scan| &scan.swings))
        .count(DEAL, |swing| swing.deal)
        .text(BOT_A.head("A"), |swing| name(swing.pairing, 0))
        .text(BOT_B.head("B"), |swing| name(swing.pairing, 1))
        .signed(DEAL_DIFFERENCE.head("A − B"), |swing| swing.difference())
        .signed(DIFFERENCE_LEG0.head("leg 1"), |swing| swing.legs[0] as f64)
        .signed(DIFFERENCE_LEG1.head("leg 2"), |swing| swing.legs[1] as f64)
        .text(PART, |swing| swing.cause.part())
        .build()
}

/// Returns the records of both legs, and whether they were played again.
pub(crate) fn records<'a>(run: &'a Run, swing: &Swing) -> Option<(Cow<'a, [Record]>, bool)> {
    let kept = run.seen.as_ref().and_then(|seen| seen.deals.get(&(swing.deal, swing.pairing)));
    match kept {
        Some(records) => Some((Cow::Borrowed(records), false)),
        None if replay::may(run) => Some((Cow::Owned(replay::play(run, swing)?), true)),
        None => None,
    }
}

/// Shows the deals that differed most.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let title = "Largest swings";
    if run.matches.is_some() {
        return matches::swings(run, place);
    }
    let mut blocks = match &run.scan {
        None => vec![Block::Text(cause::missing(run, "the deals that differed most"))],
        Some(scan) if scan.swings.is_empty() => vec![Block::text("No deal had a difference.")],
        Some(_) => Vec::new(),
    };
    blocks.extend([table(run, place), matches::swings_table(run, place)].map(Block::Table));
    let (mut shown, mut again, mut unread) = (Vec::new(), 0u64, 0u64);
    for swing in run.scan.iter().flat_map(|scan| &scan.swings) {
        match records(run, swing) {
            Some((records, is_replayed)) => {
                again += u64::from(is_replayed);
                shown.push(DealView::new(heading(run, swing), &records, Language::English));
            }
            None => unread += 1,
        }
    }
    if again > 0 {
        blocks.push(Block::text(
            "The run kept no records of these deals. They were replayed from the seed, with the same scores.",
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
