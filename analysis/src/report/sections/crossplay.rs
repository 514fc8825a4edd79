//! The value of partnerships, and the cost of playing with a stranger.

use coinche_selfplay::document::columns::{APART, BOT, COST, PARTNER, TOGETHER};
use coinche_selfplay::document::draw::{Mark, forest};
use coinche_selfplay::document::pairings::{self, drawn};
use coinche_selfplay::document::{Block, Picture, Section, Table, measured, plain, plus_minus};

use super::Place;
use crate::report::source::Run;
use coinche_runs::figures::{CrossplayFigures, Strangers};

/// Returns the sentence about the most costly partnership.
pub(super) fn verdict(figures: &CrossplayFigures, unit: &str) -> String {
    let clear: Vec<_> = figures.strangers.iter().filter(|pair| pair.cost.is_decided()).collect();
    let (number, of) = (clear.len(), figures.strangers.len());
    // Of equal ones the first.
    let dearest = clear.into_iter().rev().max_by(|a, b| a.cost.mean.total_cmp(&b.cost.mean));
    match dearest {
        Some(Strangers { a, b, cost, .. }) if cost.mean > 0.0 => {
            let [a, b] = [a, b].map(|bot| &figures.bots[*bot]);
            let half = cost.half_width.map_or_else(String::new, |half| plus_minus(half, 1));
            let mean = plain(cost.mean);
            format!(
                "{a} and {b} lose {mean}{half} points per {unit} as partners, compared with each partnering itself; \
                 {number} of {of} such costs are significant."
            )
        }
        _ => format!(
            "No pair of bots significantly loses as partners; {number} of {of} costs are significant."
        ),
    }
}

/// Returns the table of partnerships.
fn partnerships(figures: Option<&CrossplayFigures>, place: Place) -> Table {
    let rows = figures.into_iter().flat_map(|it| it.partnerships.iter().map(|pair| (&it.bots, pair)));
    let difference = "mean difference to the pair that they play against";
    let first = "with the bot at the lower seat of the side";
    let second = measured("difference_second", "points", "with the partner there").head("second partner");
    Table::of(place.name("partnerships"), "", rows)
        .text(BOT, |(bots, it)| bots[it.a].clone())
        .text(PARTNER, |(bots, it)| bots[it.b].clone())
        .estimate(measured("difference", "points", difference).head("points"), |(_, it)| it.points)
        .signed(measured("difference_first", "points", first).head("first partner"), |(_, it)| it.ways[0])
        .signed(second, |(_, it)| it.ways[1])
        .build()
}

/// Returns the table of the cost of strangers.
fn strangers(figures: Option<&CrossplayFigures>, place: Place) -> Table {
    let rows = figures.into_iter().flat_map(|it| it.strangers.iter().map(|pair| (&it.bots, pair)));
    Table::of(place.name("strangers"), "", rows)
        .text(BOT, |(bots, it)| bots[it.a].clone())
        .text(PARTNER, |(bots, it)| bots[it.b].clone())
        .signed(APART.head("each with itself"), |(_, it)| it.apart)
        .signed(TOGETHER, |(_, it)| it.together)
        .estimate(COST, |(_, it)| it.cost)
        .build()
}

fn matrix(figures: &CrossplayFigures, unit: &str, table: Table) -> Picture {
    let CrossplayFigures { bots, against, .. } = figures;
    let points = |a: usize, b: usize| figures.partnership(a, b).map(|it| it.points);
    let title = |bot: usize| format!("{} {}", bot + 1, bots[bot]);
    let shown = pairings::matrix("", "", [0..bots.len(), 0..bots.len()], title, points);
    let tip = |a: usize, b: usize| format!("{} with {}", bots[a], bots[b]);
    let svg = drawn("Points of the bot on the left with the bot above as its partner", &shown, tip, 1.0);
    let caption = format!(
        "Points per {unit} of the bot on the left with the bot above as its partner, against two of {against}, \
         averaged over both seatings. Blue: ahead; orange: behind; grey: the 95 % interval contains 0."
    );
    Picture::new(svg, caption, table)
}

fn costs(figures: &CrossplayFigures, unit: &str, table: Table) -> Picture {
    let CrossplayFigures { bots, strangers, .. } = figures;
    let mark = |it: &Strangers| Mark::of(format!("{} and {}", bots[it.a], bots[it.b]), it.cost);
    let marks: Vec<_> = strangers.iter().filter_map(mark).collect();
    let svg = forest("Cost of an unfamiliar partner", &format!("points per {unit}"), &marks);
    let caption = "Cost of an unfamiliar partner: the mean of both bots, each partnering itself, minus the two as partners. \
                   Right of 0 the partnership loses. 95 % confidence intervals, paired over deals.";
    Picture::new(svg, caption, table)
}

/// Reports the value of partnerships.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let unit = &run.form.unit;
    let figures = run.form.crossplay.as_ref();
    let (partnerships, strangers) = (partnerships(figures, place), strangers(figures, place));
    let blocks = match figures {
        Some(figures) => {
            [matrix(figures, unit, partnerships), costs(figures, unit, strangers)].map(Block::Picture)
        }
        None => [partnerships, strangers].map(Block::Table),
    };
    place.section("partnerships", "Partnerships", blocks.to_vec())
}
