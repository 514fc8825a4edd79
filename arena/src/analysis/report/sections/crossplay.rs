//! What partnerships are worth, and what it costs to play with a stranger.

use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{GridCell, Ink, Mark, forest, grid};
use coinche_selfplay::document::model::{Block, Cell, Picture, Section, Table, plain, signed, with_half};

use super::{Place, compare};
use crate::analysis::report::source::Run;
use crate::run::figures::{CrossplayFigures, Mean};

/// The sentence about the dearest partnership.
pub(super) fn verdict(figures: &CrossplayFigures, unit: &str) -> String {
    let clear = figures.strangers.iter().filter(|pair| pair.cost.is_decided());
    let (mut dearest, mut number) = (None, 0);
    for pair in clear {
        number += 1;
        if dearest.is_none_or(|other: &crate::run::figures::Strangers| pair.cost.mean > other.cost.mean) {
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

/// Starts the tables of partnerships and of what strangers cost.
fn empty_tables(place: Place) -> [Table; 2] {
    let partnerships = [
        Column::text("bot"),
        Column::text("partner"),
        Column::estimate("difference").head("points"),
        Column::number("difference_first").head("first partner"),
        Column::number("difference_second").head("second partner"),
    ];
    let strangers = [
        Column::text("bot"),
        Column::text("partner"),
        Column::number("apart").head("each with itself"),
        Column::number("together"),
        Column::estimate("cost"),
    ];
    [
        Table::new(place.name("partnerships"), "", &partnerships),
        Table::new(place.name("strangers"), "", &strangers),
    ]
}

fn matrix(figures: &CrossplayFigures, unit: &str, mut table: Table) -> Picture {
    let CrossplayFigures { bots, against, partnerships, .. } = figures;
    let largest = partnerships.iter().fold(0.0, |most: f64, it| most.max(it.points.mean.abs()));
    for it in partnerships {
        let [first, second] = it.ways.map(Cell::Signed);
        let names = [it.a, it.b].map(|bot| Cell::text(bots[bot].clone()));
        let [a, b] = names;
        table.rows.push(vec![
            a,
            b,
            Cell::estimate(it.points.mean, Some(it.points.half_width), 1),
            first,
            second,
        ]);
    }
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

fn costs(figures: &CrossplayFigures, unit: &str, mut table: Table) -> Picture {
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
        table.rows.push(vec![
            Cell::Text(a),
            Cell::Text(b),
            Cell::Signed(pair.apart),
            Cell::Signed(pair.together),
            Cell::estimate(mean, Some(half_width), 1),
        ]);
    }
    let svg = forest("Cost of an unfamiliar partner", &format!("points per {unit}"), &marks);
    let caption = "Cost of an unfamiliar partner: the mean of both bots, each partnering itself, minus the two as partners. \
                   Right of 0 the partnership loses. 95 % confidence intervals, paired over deals.";
    Picture::new(svg, caption, table)
}

/// Tells what partnerships are worth.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let [partnerships, strangers] = empty_tables(place);
    let unit = &run.form.unit;
    let blocks = match &run.form.crossplay {
        Some(figures) => {
            [matrix(figures, unit, partnerships), costs(figures, unit, strangers)].map(Block::Picture)
        }
        None => [partnerships, strangers].map(Block::Table),
    };
    place.section("partnerships", "Partnerships", blocks.to_vec())
}
