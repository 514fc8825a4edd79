//! What of the difference of two bots is due to bidding, and what to card play.

use coinche_selfplay::document::draw::{Mark, forest};
use coinche_selfplay::document::{Block, Picture, Section, Table, measured, named};

use super::Place;
use crate::report::source::Run;
use coinche_runs::figures::SplitFigures;

/// Reports the shares of bidding and card play.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let figures = run.form.split.as_ref();
    let rows = figures.map(SplitFigures::rows);
    let half = named("half", "half of the game: `bidding` or `cards`; `all`: both together");
    let points = measured("split_points", "points", "share of the difference A − B (Shapley value)");
    let table = Table::of(place.name("split"), "", rows.iter().flatten())
        .text(half, |(half, _)| *half)
        .estimate(points.head("points"), |(_, points)| *points)
        .build();
    let block = if let (Some(rows), [a, b, ..]) = (rows, &run.form.bots[..]) {
        let marks: Vec<_> = rows.iter().filter_map(|(half, points)| Mark::of(*half, *points)).collect();
        let svg = forest("Bidding and cards", &format!("{a} − {b}, points per {}", run.form.unit), &marks);
        let caption = "What each half adds on average, before or after the other is exchanged (Shapley value), against both \
                       bots. The shares add up to the difference of the two. 95 % confidence intervals, paired over deals.";
        Block::Picture(Picture::new(svg, caption, table))
    } else {
        Block::Table(table)
    };
    place.section("split", "Bidding and cards", vec![block])
}
