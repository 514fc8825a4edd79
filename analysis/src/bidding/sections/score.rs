//! The differences in score between bidders.

use coinche_inference::Estimate;
use coinche_selfplay::document::columns::{
    BEST, BOT, BOT_A, BOT_B, DEALS, DIFFERENCE, P_VALUE, RANK, RATING, SD,
};
use coinche_selfplay::document::draw::{GridCell, Ink, Mark, forest, grid};
use coinche_selfplay::document::model::{Block, Picture, Section, Table, plain, signed, with_half};

use super::super::BiddingTotals;
use super::title;
use crate::report::shade;
use coinche_runs::config::RunConfig;
use coinche_runs::figures::JointFigures;

/// Returns the bidder ahead of every other one with the entire interval.
pub(super) fn best(config: &RunConfig, totals: &BiddingTotals) -> Option<usize> {
    let ahead = |estimate: Estimate| estimate.is_decided() && estimate.mean > 0.0;
    let bidders = 0..config.bots.len();
    bidders.clone().find(|bidder| {
        let mut others = bidders.clone().filter(|other| other != bidder);
        others.all(|other| totals.duels.between(*bidder, other).is_some_and(ahead))
    })
}

/// Compares the bidders.
pub(super) fn section(config: &RunConfig, totals: &BiddingTotals) -> Section {
    let mut blocks = vec![Block::Picture(differences(config, totals))];
    blocks.extend([matrix(config, totals), ranking(config, totals)]);
    Section { id: "score".to_owned(), title: "Points".to_owned(), blocks }
}

fn differences(config: &RunConfig, totals: &BiddingTotals) -> Picture {
    let mut rows = Vec::new();
    let mut marks = Vec::new();
    for (encounter, tally) in totals.duels.encounters.iter().zip(&totals.duels.tallies) {
        let Some(points) = tally.points.estimate() else { continue };
        let [a, b] = config.pair(*encounter).map(ToString::to_string);
        marks.push(Mark {
            label: format!("{a} − {b}"),
            shown: with_half(points.mean, points.half_width),
            mean: points.mean,
            interval: points.interval,
            ink: Ink::of(points.mean, points.half_width),
        });
        rows.push((a, b, points));
    }
    let table = Table::of("differences", "", rows)
        .text(BOT_A.head("A"), |(a, ..)| a.clone())
        .text(BOT_B.head("B"), |(_, b, _)| b.clone())
        .count(DEALS, |(.., points)| points.pairs)
        .estimate(DIFFERENCE.head("A − B"), |(.., points)| *points)
        .plain(SD.head("sd of a deal"), |(.., points)| points.sd)
        .chance(P_VALUE.head("p"), |(.., points)| points.p_value())
        .build();
    let svg = forest("Paired differences of bidders", "points per deal", &marks);
    let caption = "Points per deal of the first bidder against the second, over both seatings, with 95 % confidence \
                   intervals. Right of 0 the first is ahead, left of 0 the second; grey intervals contain 0.";
    Picture::new(svg, caption, table)
}

fn matrix(config: &RunConfig, totals: &BiddingTotals) -> Block {
    let bidders = 0..config.bots.len();
    let estimates = totals.duels.tallies.iter().filter_map(|tally| tally.points.estimate());
    let largest = estimates.map(|points| points.mean.abs()).fold(0.0, f64::max);
    if config.bots.len() < 3 {
        return Block::Table(matrix_table(Vec::new()));
    }
    let mut numbers = Vec::new();
    let mut rows = Vec::new();
    for bidder in bidders.clone() {
        let mut cells = vec![GridCell::default(); config.bots.len()];
        for other in bidders.clone() {
            let Some(points) = totals.duels.between(bidder, other) else { continue };
            let [name, against] = [bidder, other].map(|bidder| config.bots[bidder].to_string());
            cells[other] = GridCell {
                shade: shade(points.mean, largest, points.is_decided()),
                text: signed(points.mean),
                below: points.half_width.map_or_else(String::new, |half| format!("± {}", plain(half))),
                tip: format!("{name} against {against}: {}", with_half(points.mean, points.half_width)),
            };
            numbers.push((name, against, points));
        }
        rows.push((title(config, bidder), cells));
    }
    let columns: Vec<_> = bidders.map(|bidder| (bidder + 1).to_string()).collect();
    let svg = grid("Points of the bidder on the left against the bidder above", &columns, &rows);
    let caption = "Points per deal of the bidder on the left against the bidder above. Blue: ahead; orange: behind; grey: \
                   the 95 % interval contains 0.";
    Block::Picture(Picture::new(svg, caption, matrix_table(numbers)))
}

fn matrix_table(rows: Vec<(String, String, Estimate)>) -> Table {
    Table::of("matrix", "", rows)
        .text(BOT_A.head("bidder"), |(bidder, ..)| bidder.clone())
        .text(BOT_B.head("against"), |(_, against, _)| against.clone())
        .estimate(DIFFERENCE.head("points"), |(.., points)| *points)
        .build()
}

/// Returns one rating of all bidders; empty for fewer than two deals.
fn ranking(config: &RunConfig, totals: &BiddingTotals) -> Block {
    let joint = JointFigures::new(config, &totals.duels).filter(|_| config.bots.len() > 2);
    let mut order: Vec<_> = joint.iter().flat_map(|joint| &joint.bots).collect();
    order.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    let table = Table::of("ranking", "", (1_u64..).zip(&order))
        .count(RANK, |(rank, _)| *rank)
        .text(BOT.head("bidder"), |(_, figures)| figures.bot.clone())
        .estimate(RATING.head("points"), |(_, figures)| (figures.rating, Some(figures.half_width)))
        .share(BEST.head("best in"), |(_, figures)| figures.best)
        .build();
    if joint.is_none() {
        return Block::Table(table);
    }
    let mut marks = Vec::new();
    for figures in order {
        let half = figures.half_width;
        marks.push(Mark {
            label: figures.bot.clone(),
            shown: with_half(figures.rating, Some(half)),
            mean: figures.rating,
            interval: Some([figures.rating - half, figures.rating + half]),
            ink: Ink::of(figures.rating, Some(half)),
        });
    }
    let svg = forest("Ranking of bidders", "points per deal above the mean of all bidders", &marks);
    let caption = "One rating per bidder, fitted to all paired differences by least squares; the mean is 0. “Best in” is the \
                   share of bootstrap resamples (blocks of deals) in which the bidder ranks first, given enough deals.";
    Block::Picture(Picture::new(svg, caption, table))
}
