//! How long bots think.

use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{Range, ranges};
use coinche_selfplay::document::model::{Block, Cell, Picture, Section, Table};

use super::Place;
use crate::analysis::report::source::Run;

/// Tells the times of decisions.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let decisions = &run.form.timing.decisions;
    let title = "Decision times";
    let heads = [
        Column::text("bot"),
        Column::count("decisions").head("timed"),
        Column::number("mean_us").head("mean"),
        Column::number("p50_us").head("half within"),
        Column::number("p95_us").head("95 % within"),
        Column::number("max_us").head("longest"),
    ];
    let mut table = Table::new(place.name("times"), "", &heads);
    if decisions.is_empty() {
        let text = "Not available: the run measured no decision times (--times).".to_owned();
        return place.section("times", title, vec![Block::Text(text), Block::Table(table)]);
    }
    let mut marks = Vec::new();
    for times in decisions {
        let cells = [times.mean, times.p50, times.p95, times.max].map(Cell::Micros);
        table
            .rows
            .push([vec![Cell::text(times.bot.clone()), Cell::Count(times.timed)], cells.to_vec()].concat());
        marks.push(Range { label: times.bot.clone(), p50: times.p50, p95: times.p95, max: times.max });
    }
    let caption = "Processor time per decision on a logarithmic axis. Dot: median; thick line: up to the 95th percentile; \
                   thin line: up to the longest. Files have the times in microseconds.";
    let picture = Picture::new(ranges("Decision times", &marks), caption, table);
    place.section("times", title, vec![Block::Picture(picture)])
}
