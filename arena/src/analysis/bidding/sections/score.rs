//! Who scores how much more than whom.

use coinche_inference::Estimate;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{GridCell, Ink, Mark, forest, grid};
use coinche_selfplay::document::model::{Block, Cell, Picture, Section, Table, plain, signed, with_half};

use super::super::BiddingTotals;
use super::title;
use crate::analysis::report::shade;
use crate::run::config::RunConfig;
use crate::run::figures::JointFigures;

/// Returns the bidder that is ahead of every other with all of the interval.
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
    let heads = [
        Column::text("bot_a").head("A"),
        Column::text("bot_b").head("B"),
        Column::count("deals"),
        Column::estimate("difference").head("A − B"),
        Column::number("sd").head("sd of a deal"),
        Column::number("p_value").head("p"),
    ];
    let mut table = Table::new("differences", "", &heads);
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
        table.rows.push(vec![
            Cell::Text(a),
            Cell::Text(b),
            Cell::Count(points.pairs),
            Cell::estimate(points.mean, points.half_width, 1),
            Cell::maybe(points.sd, Cell::Plain),
            Cell::maybe(points.p_value(), Cell::Chance),
        ]);
    }
    let svg = forest("Paired differences of bidders", "points per deal", &marks);
    let caption = "Points per deal of the first bidder against the second, over both seatings, with 95 % confidence \
                   intervals. Right of 0 the first is ahead, left of 0 the second; grey intervals contain 0.";
    Picture::new(svg, caption, table)
}

fn matrix(config: &RunConfig, totals: &BiddingTotals) -> Block {
    let bidders = 0..config.bots.len();
    let estimates = totals.duels.tallies.iter().filter_map(|tally| tally.points.estimate());
    let largest = estimates.map(|points| points.mean.abs()).fold(0.0, f64::max);
    let heads = [
        Column::text("bot_a").head("bidder"),
        Column::text("bot_b").head("against"),
        Column::estimate("difference").head("points"),
    ];
    let mut table = Table::new("matrix", "", &heads);
    if config.bots.len() < 3 {
        return Block::Table(table);
    }
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
            table.rows.push(vec![
                Cell::Text(name),
                Cell::Text(against),
                Cell::estimate(points.mean, points.half_width, 1),
            ]);
        }
        rows.push((title(config, bidder), cells));
    }
    let columns: Vec<_> = bidders.map(|bidder| (bidder + 1).to_string()).collect();
    let svg = grid("Points of the bidder on the left against the bidder above", &columns, &rows);
    let caption = "Points per deal of the bidder on the left against the bidder above. Blue: ahead; orange: behind; grey: \
                   the 95 % interval contains 0.";
    Block::Picture(Picture::new(svg, caption, table))
}

/// One rating of all; nothing of fewer than two deals.
fn ranking(config: &RunConfig, totals: &BiddingTotals) -> Block {
    let heads = [
        Column::count("rank"),
        Column::text("bot").head("bidder"),
        Column::estimate("rating").head("points"),
        Column::number("best").head("best in"),
    ];
    let mut table = Table::new("ranking", "", &heads);
    let several = config.bots.len() > 2;
    let Some(joint) = JointFigures::new(config, &totals.duels).filter(|_| several) else {
        return Block::Table(table);
    };
    let mut order: Vec<usize> = (0..joint.bots.len()).collect();
    order.sort_by(|a, b| joint.bots[*b].rating.total_cmp(&joint.bots[*a].rating));
    let mut marks = Vec::new();
    for (rank, bidder) in (1..).zip(order) {
        let figures = &joint.bots[bidder];
        let half = figures.half_width;
        marks.push(Mark {
            label: figures.bot.clone(),
            shown: with_half(figures.rating, Some(half)),
            mean: figures.rating,
            interval: Some([figures.rating - half, figures.rating + half]),
            ink: Ink::of(figures.rating, Some(half)),
        });
        table.rows.push(vec![
            Cell::Count(rank),
            Cell::text(figures.bot.clone()),
            Cell::estimate(figures.rating, Some(half), 1),
            Cell::maybe(figures.best, Cell::Share),
        ]);
    }
    let svg = forest("Ranking of bidders", "points per deal above the mean of all bidders", &marks);
    let caption = "One rating per bidder, fitted to all paired differences by least squares; the mean is 0. “Best in” is the \
                   share of bootstrap resamples (blocks of deals) in which the bidder ranks first, given enough deals.";
    Block::Picture(Picture::new(svg, caption, table))
}
