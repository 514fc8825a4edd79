//! The course of a sequential test.

use coinche_selfplay::document::columns::{BOT_A, BOT_B, DEALS, DIFFERENCE, SD};
use coinche_selfplay::document::draw::{Curve, Ink, curve};
use coinche_selfplay::{Block, Picture, Section, Table, TableOf, bound, named, with_half};

use super::Place;
use crate::report::source::{Look, TestForm};

/// Starts the table of the looks.
fn looks(test: &TestForm, name: String) -> TableOf<'_, &Vec<Look>> {
    Table::of(name, "", &test.looks)
        .text(BOT_A.only_in_files(), |_| &test.bots[0])
        .text(BOT_B.only_in_files(), |_| &test.bots[1])
        .count(DEALS, |look| look.deals)
}

/// Draws the looks of a test.
pub(super) fn section(test: &TestForm, place: Place) -> Section {
    let [low, high] = test.bounds;
    let (lower, upper) = (test.plan.lower, test.plan.upper);
    let of = |value: fn(&Look) -> f64| -> Vec<[f64; 2]> {
        test.looks.iter().map(|look| [look.deals as f64, value(look)]).collect()
    };
    let llr = named("llr", "log-likelihood ratio of the upper bound against the lower one")
        .head("log-likelihood ratio");
    let ratios = looks(test, place.name("sprt-llr")).signed(llr, |look| look.llr).build();
    // As for a look at a place chosen beforehand.
    let half = |look: &Look| look.half_width.unwrap_or(0.0);
    let means = looks(test, place.name("sprt-mean"))
        .estimate(DIFFERENCE.head("mean"), |look| (look.mean, look.half_width))
        .plain(SD, |look| look.sd)
        .build();
    let ends = |look: &Look| [look.mean - half(look), look.mean + half(look)];
    let band: Vec<_> = test.looks.iter().map(ends).collect();
    let ratio = curve(&Curve {
        title: "Log-likelihood ratio",
        what: "log-likelihood ratio",
        across: "deals",
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
        across: "deals",
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
