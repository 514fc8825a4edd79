//! The decision times of bots.

use coinche_selfplay::document::columns::BOT;
use coinche_selfplay::document::draw::{Range, ranges};
use coinche_selfplay::document::{Block, Picture, Section, Table, measured, named};

use super::Place;
use crate::report::source::Run;

/// Reports the decision times.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let decisions = &run.form.timing.decisions;
    let title = "Decision times";
    let mean = measured("mean_us", "µs", "mean processor time of a decision").head("mean");
    let table = Table::of(place.name("times"), "", decisions)
        .text(BOT, |times| &times.bot)
        .count(named("decisions", "decisions timed").head("timed"), |times| times.timed)
        .micros(mean, |times| times.mean)
        .micros(measured("p50_us", "µs", "median").head("half within"), |times| times.p50)
        .micros(measured("p95_us", "µs", "95 % take no longer").head("95 % within"), |times| times.p95)
        .micros(measured("max_us", "µs", "longest").head("longest"), |times| times.max)
        .build();
    if decisions.is_empty() {
        let text = "Not available: the run measured no decision times (--times).".to_owned();
        return place.section("times", title, vec![Block::Text(text), Block::Table(table)]);
    }
    let marks: Vec<_> = decisions
        .iter()
        .map(|it| Range { label: it.bot.clone(), p50: it.p50, p95: it.p95, max: it.max })
        .collect();
    let caption = "Processor time per decision on a logarithmic axis. Dot: median; thick line: up to the 95th percentile; \
                   thin line: up to the longest. Files have the times in microseconds.";
    let picture = Picture::new(ranges("Decision times", &marks), caption, table);
    place.section("times", title, vec![Block::Picture(picture)])
}
