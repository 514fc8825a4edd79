//! The value of partnerships, and the cost of playing with a stranger.

use coinche_selfplay::document::column::measured;
use coinche_selfplay::document::columns::{APART, BOT, COST, PARTNER, TOGETHER};
use coinche_selfplay::document::draw::{GridCell, Ink, Mark, forest, grid};
use coinche_selfplay::document::model::{Block, Picture, Section, Table, plain, signed, with_half};

use super::{Place, compare};
use crate::report::source::Run;
use coinche_runs::figures::{CrossplayFigures, Mean};

/// Returns the sentence about the most costly partnership.
pub(super) fn verdict(figures: &CrossplayFigures, unit: &str) -> String {
    let clear = figures.strangers.iter().filter(|pair| pair.cost.is_decided());
    let (mut dearest, mut number) = (None, 0);
    for pair in clear {
        number += 1;
        if dearest.is_none_or(|other: &coinche_runs::figures::Strangers| pair.cost.mean > other.cost.mean) {
            dearest = Some(pair);
        }
    }
    let of = figures.strangers.len();
    match dearest {
        Some(pair) if pair.cost.mean > 0.0 => {
            let [a, b] = [pair.a, pair.b].map(|bot| &figures.bots[bot]);
            let (mean, half) = (plain(pair.cost.mean), plain(pair.cost.half_width));
            format!(
                "{a} and {b} lose {mean} ± {half} points per {unit} as partners, compared with each partnering itself; \
                 {number} of {of} such costs are significant."
            )
        }
        _ => {
            format!(
                "No pair of bots significantly loses as partners; {number} of {of} costs are significant."
            )
        }
    }
}

/// Returns the table of partnerships.
fn partnerships(figures: Option<&CrossplayFigures>, place: Place) -> Table {
    let rows = figures.into_iter().flat_map(|it| it.partnerships.iter().map(|pair| (&it.bots, pair)));
    let difference = "mean difference to the pair that they play against";
    let first = "with the bot at the lower seat of the side";
    Table::of(place.name("partnerships"), "", rows)
        .text(BOT, |(bots, it)| bots[it.a].clone())
        .text(PARTNER, |(bots, it)| bots[it.b].clone())
        .estimate(measured("difference", "points", difference).head("points"), |(_, it)| it.points)
        .signed(measured("difference_first", "points", first).head("first partner"), |(_, it)| it.ways[0])
        .signed(
            measured("difference_second", "points", "with the partner there").head("second partner"),
            |(_, it)| it.ways[1],
        )
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
    let CrossplayFigures { bots, against, partnerships, .. } = figures;
    let largest = partnerships.iter().fold(0.0, |most: f64, it| most.max(it.points.mean.abs()));
    let cell = |a: usize, b: usize| {
        let Some(it) = figures.partnership(a, b) else { return GridCell::default() };
        let Mean { mean, half_width } = it.points;
        GridCell {
            shade: compare::shade(mean, largest, it.points.is_decided()),
            text: signed(mean),
            below: format!("± {}", plain(half_width)),
            tip: format!("{} with {}: {}", bots[a], bots[b], with_half(mean, Some(half_width))),
        }
    };
    let row = |a: usize| (format!("{} {}", a + 1, bots[a]), (0..bots.len()).map(|b| cell(a, b)).collect());
    let rows: Vec<_> = (0..bots.len()).map(row).collect();
    let columns: Vec<_> = (1..=bots.len()).map(|bot| bot.to_string()).collect();
    let svg = grid("Points of the bot on the left with the bot above as its partner", &columns, &rows);
    let caption = format!(
        "Points per {unit} of the bot on the left with the bot above as its partner, against two of {against}, \
         averaged over both seatings. Blue: ahead; orange: behind; grey: the 95 % interval contains 0."
    );
    Picture::new(svg, caption, table)
}

fn costs(figures: &CrossplayFigures, unit: &str, table: Table) -> Picture {
    let mut marks = Vec::new();
    for pair in &figures.strangers {
        let [a, b] = [pair.a, pair.b].map(|bot| figures.bots[bot].clone());
        let Mean { mean, half_width } = pair.cost;
        marks.push(Mark {
            label: format!("{a} and {b}"),
            shown: with_half(mean, Some(half_width)),
            mean,
            interval: Some([mean - half_width, mean + half_width]),
            ink: Ink::of(mean, Some(half_width)),
        });
    }
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
