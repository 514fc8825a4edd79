//! How the paired differences are spread.

use std::collections::BTreeMap;

use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{Bins, histogram};
use coinche_selfplay::document::model::{Block, Cell, Picture, Section, Table};

use super::{Place, bot_columns, cause, matches, numbered, picture_or_table};
use crate::analysis::report::source::Run;

/// Draws the distribution of the paired differences.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let title = "Distribution of differences";
    if let Some(scan) = &run.matches {
        return matches::spread(run, place, scan);
    }
    let none = Block::Table(matches::ended_table(place));
    let Some(scan) = &run.scan else {
        let why = cause::missing(run, "the distribution of the paired differences");
        let empty = Block::Table(Table::new(place.name("spread"), "", &columns("deals")));
        return place.section("spread", title, vec![Block::Text(why), none, empty]);
    };
    let mut blocks = pictures(run, place, scan.pairings.iter().map(|pairing| &pairing.doubled));
    if blocks.is_empty() {
        blocks.push(Block::Text("No deals were played.".to_owned()));
        blocks.push(Block::Table(Table::new(place.name("spread"), "", &columns("deals"))));
    }
    blocks.push(none);
    place.section("spread", title, blocks)
}

/// The columns of a distribution over so many of these.
fn columns(several: &str) -> Vec<Column> {
    let mut columns = bot_columns().to_vec();
    columns.extend([
        Column::number("difference_from").head("from"),
        Column::number("difference_to").head("to"),
        Column::count("deals").head(several),
    ]);
    columns
}

/// Draws the distributions of all pairings, given how often twice the paired difference was what.
#[expect(clippy::cast_precision_loss, reason = "points and counts of deals")]
pub(super) fn pictures<'a>(
    run: &Run,
    place: Place,
    all: impl Iterator<Item = &'a BTreeMap<i64, u64>>,
) -> Vec<Block> {
    let met = run.form.met();
    let [one, several] = if run.form.of_matches() { ["match", "matches"] } else { ["deal", "deals"] };
    let mut blocks = Vec::new();
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
        let mut table = Table::new(place.name(&numbered("spread", n, met.len())), "", &columns(several));
        let half = bins.width as f64 / 2.0;
        for (middle, count) in bins.iter() {
            let [from, to] = [middle as f64 - half, middle as f64 + half].map(Cell::Signed);
            let [a, b] = met_here.ends.map(|bot| Cell::Text(run.form.name(bot)));
            table.rows.push(vec![a, b, from, to, Cell::Count(count)]);
        }
        let unit = format!("{versus}, points per {one}");
        let svg = histogram("Paired differences", &unit, &bins, points.mean);
        blocks.push(picture_or_table(Picture::new(svg, caption, table), n));
    }
    blocks
}
