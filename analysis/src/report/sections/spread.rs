//! The distribution of the paired differences.

use std::collections::BTreeMap;

use coinche_selfplay::document::columns::{BOT_A, BOT_B};
use coinche_selfplay::document::draw::{Bins, histogram};
use coinche_selfplay::document::{Block, Cell, Picture, Section, Table, measured, named};

use super::{Place, cause, matches, numbered, picture_or_table};
use crate::report::source::Run;

/// Draws the distribution of the paired differences.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let title = "Distribution of differences";
    if let Some(scan) = &run.matches {
        return matches::spread(run, place, scan);
    }
    let none = Block::Table(matches::ended_table(run, place));
    let empty = || Block::Table(bars(place.name("spread"), "deals", ["", ""], []));
    let Some(scan) = &run.scan else {
        let why = cause::missing(run, "the distribution of the paired differences");
        return place.section("spread", title, vec![Block::Text(why), none, empty()]);
    };
    let mut blocks = pictures(run, place, scan.pairings.iter().map(|pairing| &pairing.doubled));
    if blocks.is_empty() {
        blocks.extend([Block::text("No deals were played."), empty()]);
    }
    blocks.push(none);
    place.section("spread", title, blocks)
}

/// Returns the table of a distribution: a row for each bar, with its ends.
fn bars(
    name: String,
    several: &'static str,
    [a, b]: [&str; 2],
    rows: impl IntoIterator<Item = ([f64; 2], u64)>,
) -> Table {
    Table::of(name, "", rows)
        .text(BOT_A.only_in_files(), move |_| a.to_owned())
        .text(BOT_B.only_in_files(), move |_| b.to_owned())
        .signed(measured("difference_from", "points", "ends of the bar").head("from"), |(ends, _)| ends[0])
        .signed(measured("difference_to", "points", "ends of the bar").head("to"), |(ends, _)| ends[1])
        .count(named("deals", "deals (matches) in the bar").head(several), |(_, count)| *count)
        .build()
}

/// Draws the distributions of all pairings, given how often each doubled paired difference occurred.
pub(super) fn pictures<'a>(
    run: &Run,
    place: Place,
    all: impl Iterator<Item = &'a BTreeMap<i64, u64>>,
) -> Vec<Block> {
    let met = run.form.met();
    let [one, several] = if run.form.of_matches() { ["match", "matches"] } else { ["deal", "deals"] };
    let mut blocks = Vec::new();
    if met.len() > 1 {
        blocks.push(Block::Fold("By pairing".to_owned()));
    }
    for (n, (met_here, counts)) in met.iter().zip(all).enumerate() {
        let doubled: Vec<_> = counts.iter().map(|(doubled, count)| (*doubled, *count)).collect();
        let (Some(bins), Some(points)) = (Bins::new(&doubled), met_here.points) else { continue };
        let versus = run.form.versus(met_here.ends);
        let even = counts.get(&0).copied().unwrap_or(0);
        let even = Cell::Share(even as f64 / points.pairs.max(1) as f64).shown();
        let caption = format!(
            "{versus}: distribution of the paired differences, in bins of {} points. {even} of the {several} \
             came out even.",
            bins.width
        );
        let half = bins.width as f64 / 2.0;
        let rows = bins.iter().map(|(middle, count)| ([middle as f64 - half, middle as f64 + half], count));
        let [a, b] = met_here.ends.map(|bot| run.form.name(bot));
        let table = bars(place.name(&numbered("spread", n, met.len())), several, [&a, &b], rows);
        let unit = format!("{versus}, points per {one}");
        let svg = histogram("Paired differences", &unit, &bins, points.mean);
        blocks.push(picture_or_table(Picture::new(svg, caption, table), n));
    }
    blocks
}
