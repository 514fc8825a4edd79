//! The way of a sequential test.

use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{Curve, Ink, curve};
use coinche_selfplay::document::model::{Block, Cell, Picture, Section, Table, bound, with_half};

use super::{Place, bot_columns};
use crate::analysis::report::source::TestForm;

/// Draws the looks of a test.
#[expect(clippy::cast_precision_loss, reason = "counts of deals are below 2^53")]
pub(super) fn section(test: &TestForm, place: Place) -> Section {
    let [low, high] = test.bounds;
    let (lower, upper) = (test.plan.lower, test.plan.upper);
    let of = |value: fn(&crate::analysis::report::source::Look) -> f64| -> Vec<[f64; 2]> {
        test.looks.iter().map(|look| [look.deals as f64, value(look)]).collect()
    };
    let of_look = |more: &[Column]| [&bot_columns()[..], &[Column::count("deals")], more].concat();
    let llr = [Column::number("llr").head("log-likelihood ratio")];
    let mut ratios = Table::new(place.name("sprt-llr"), "", &of_look(&llr));
    let mean = [Column::estimate("difference").head("mean"), Column::number("sd")];
    let mut means = Table::new(place.name("sprt-mean"), "", &of_look(&mean));
    let bots = || test.bots.iter().take(2).map(|bot| Cell::text(bot.clone()));
    let mut band = Vec::new();
    for look in &test.looks {
        ratios.rows.push(bots().chain([Cell::Count(look.deals), Cell::Signed(look.llr)]).collect());
        // As of a look at a place chosen beforehand.
        let half =
            test.estimate.and_then(|estimate| estimate.half_width_at(look.deals, look.sd)).unwrap_or(0.0);
        let ends = [look.mean - half, look.mean + half];
        band.push(ends);
        let mean = Cell::estimate(look.mean, Some(half), 1);
        means.rows.push(bots().chain([Cell::Count(look.deals), mean, Cell::Plain(look.sd)]).collect());
    }
    let ratio = curve(&Curve {
        title: "Log-likelihood ratio",
        what: "log-likelihood ratio",
        points: &of(|look| look.llr),
        band: &[],
        levels: &[
            (high, format!("accept {} points", bound(upper)), Ink::A),
            (low, format!("accept {} points", bound(lower)), Ink::B),
        ],
    });
    let mean = curve(&Curve {
        title: "Mean paired difference",
        what: &format!("mean of A − B, {}", test.unit()),
        points: &of(|look| look.mean),
        band: &band,
        levels: &[
            (upper, format!("upper bound {}", bound(upper)), Ink::A),
            (lower, format!("lower bound {}", bound(lower)), Ink::B),
        ],
    });
    let mut blocks = vec![
        Block::Picture(Picture::new(
            ratio,
            "Log-likelihood ratio of the upper bound against the lower bound at each look. The test ends when it \
             crosses a dashed line.",
            ratios,
        )),
        Block::Picture(Picture::new(
            mean,
            "Mean paired difference at each look, with the 95 % interval that a single look at that point would \
             have. Dashed: the two bounds.",
            means,
        )),
    ];
    if let Some(estimate) = test.estimate {
        blocks.push(Block::Text(format!(
            "Estimate at the end: {} {}. An early stop biases it away from the middle of the bounds; for an unbiased \
             estimate, use arena run with another seed.",
            with_half(estimate.mean, estimate.half_width),
            test.unit()
        )));
    }
    let [a, b] = test.faults;
    blocks.push(Block::Text(if a + b == 0 {
        "Faults: none.".to_owned()
    } else {
        format!("Faults: {a} of {}, {b} of {}.", test.bots[0], test.bots[1])
    }));
    place.section("sprt", "Sequential test", blocks)
}
