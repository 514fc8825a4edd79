//! The differences in score between bidders.

use coinche_inference::Estimate;
use coinche_selfplay::document::columns::{
    BEST, BOT, BOT_A, BOT_B, DEALS, DIFFERENCE, P_VALUE, RANK, RATING, SD,
};
use coinche_selfplay::document::draw::{Mark, forest};
use coinche_selfplay::document::pairings::{self, drawn};
use coinche_selfplay::{Block, Picture, Section, Table};

use super::super::BiddingTotals;
use super::title;
use coinche_runs::RunConfig;
use coinche_runs::figures::{JointBot, JointFigures};

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
    Section::new("score", "Points", blocks)
}

fn differences(config: &RunConfig, totals: &BiddingTotals) -> Picture {
    let mut rows = Vec::new();
    let mut marks = Vec::new();
    for (encounter, tally) in totals.duels.encounters.iter().zip(&totals.duels.tallies) {
        let Some(points) = tally.points.estimate() else { continue };
        let [a, b] = config.pair(*encounter).map(ToString::to_string);
        // Who is ahead comes first.
        marks.extend(if points.mean < 0.0 {
            Mark::of(format!("{b} − {a}"), points.reversed())
        } else {
            Mark::of(format!("{a} − {b}"), points)
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
    let bidders = if config.bots.len() < 3 { 0 } else { config.bots.len() };
    let name = |bidder: usize| config.bots[bidder].to_string();
    let between = |bidder, other| totals.duels.between(bidder, other);
    let every_two = (0..bidders).flat_map(|bidder| (0..bidders).map(move |other| (bidder, other)));
    let rows =
        every_two.filter_map(|(bidder, other)| Some((name(bidder), name(other), between(bidder, other)?)));
    let table = Table::of("matrix", "", rows)
        .text(BOT_A.head("bidder"), |(bidder, ..)| bidder.clone())
        .text(BOT_B.head("against"), |(_, against, _)| against.clone())
        .estimate(DIFFERENCE.head("points"), |(.., points)| *points)
        .build();
    if bidders == 0 {
        return Block::Table(table);
    }
    let shown = pairings::matrix("", "", [0..bidders, 0..bidders], |bidder| title(config, bidder), between);
    let tip = |bidder, other| format!("{} against {}", name(bidder), name(other));
    let svg = drawn("Points of the bidder on the left against the bidder above", &shown, tip, 1.0);
    let caption = "Points per deal of the bidder on the left against the bidder above. Blue: ahead; orange: behind; grey: \
                   the 95 % interval contains 0.";
    Block::Picture(Picture::new(svg, caption, table))
}

/// Returns one rating of all bidders; empty for fewer than two deals.
fn ranking(config: &RunConfig, totals: &BiddingTotals) -> Block {
    let joint = JointFigures::new(config, &totals.duels).filter(|_| config.bots.len() > 2);
    let mut order: Vec<_> = joint.iter().flat_map(|joint| &joint.bots).collect();
    order.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    let table = Table::of("ranking", "", (1_u64..).zip(&order))
        .count(RANK, |(rank, _)| *rank)
        .text(BOT.head("bidder"), |(_, figures)| figures.bot.clone())
        .estimate(RATING.head("points"), |(_, figures)| (figures.rating, figures.half_width))
        .share(BEST.head("best in"), |(_, figures)| figures.best)
        .build();
    if joint.is_none() {
        return Block::Table(table);
    }
    let mark = |it: &JointBot| Mark::of(&it.bot, (it.rating, it.half_width));
    let marks: Vec<_> = order.into_iter().filter_map(mark).collect();
    let svg = forest("Ranking of bidders", "points per deal above the mean of all bidders", &marks);
    let caption = "One rating per bidder, fitted to all paired differences by least squares; the mean is 0. “Best in” is the \
                   share of bootstrap resamples (blocks of deals) in which the bidder ranks first, given enough deals.";
    Block::Picture(Picture::new(svg, caption, table))
}
