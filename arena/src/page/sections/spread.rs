//! How the paired differences are spread.

use super::{MOST_PICTURES, Place, cause, numbered};
use crate::page::document::{Block, Cell, Picture, Section, Table};
use crate::page::draw::{Bins, histogram};
use crate::page::source::Run;

/// Draws the distribution of the paired differences.
#[expect(clippy::cast_precision_loss, reason = "points and counts of deals")]
pub(super) fn section(run: &Run, place: Place) -> Section {
    let title = "All differences";
    let Some(scan) = &run.scan else {
        let why = cause::missing(run, "the distribution of the paired differences");
        return place.section("spread", title, vec![Block::Text(why)]);
    };
    let met = run.form.met();
    let mut blocks = Vec::new();
    for (n, (met, scan)) in met.iter().zip(&scan.pairings).enumerate().take(MOST_PICTURES) {
        let doubled: Vec<_> = scan.doubled.iter().map(|(doubled, count)| (*doubled, *count)).collect();
        let (Some(bins), Some(points)) = (Bins::new(&doubled), met.points) else { continue };
        let versus = run.form.versus(met.ends);
        let mut table = Table::new(
            place.name(&numbered("spread", n, run.form.met().len())),
            "",
            &["from", "to", "deals"],
        );
        let half = bins.width as f64 / 2.0;
        for (middle, count) in bins.iter() {
            let [from, to] = [middle as f64 - half, middle as f64 + half].map(Cell::Signed);
            table.rows.push(vec![from, to, Cell::Count(count)]);
        }
        let even = scan.doubled.get(&0).copied().unwrap_or(0);
        let even = Cell::Share(even as f64 / points.pairs.max(1) as f64).shown();
        let svg =
            histogram("Paired differences", &format!("points of {versus} in a deal"), &bins, points.mean);
        let caption = format!(
            "{versus}: how often which paired difference came about, in steps of {} points. {even} of the deals came \
             out even.",
            bins.width
        );
        blocks.push(Block::Picture(Picture::new(svg, caption, table)));
    }
    if blocks.is_empty() {
        blocks.push(Block::Text("Nothing was played.".to_owned()));
    }
    place.section("spread", title, blocks)
}
