//! What the auctions lost against the best contracts that existed.

use coinche_engine::rules::DealMethod;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{GridCell, Ink, Mark, forest, grid};
use coinche_selfplay::document::model::{Block, Cell, Picture, Section, Table, percent, plain, with_half};

use super::super::BiddingTotals;
use super::{mean_cell, shade, share, share_cell, title};
use crate::analysis::judge::CAUSES;
use crate::run::config::RunConfig;

const HINDSIGHT: &str = "Each bidder bid all four hands of every deal. The contract it reached is compared with the best contract \
    of either side, double dummy. Nobody who sees one hand can find that contract every time, so no bidder reaches a loss of 0. \
    Compare the bidders with each other: they all had the same cards.";

/// Holds the auctions against the cards.
pub(super) fn section(config: &RunConfig, totals: &BiddingTotals) -> Section {
    let mut blocks = vec![Block::Text(HINDSIGHT.to_owned())];
    if config.rules.deal.method == DealMethod::TurnUp {
        blocks.push(Block::Text(
            "In the turn-up game the contract is to take; the best contract of a side is the better of its partners in any suit."
                .to_owned(),
        ));
    }
    blocks.push(Block::Picture(all(config, totals)));
    blocks.push(Block::Table(differences(config, totals)));
    blocks.push(Block::Picture(causes(config, totals)));
    blocks.push(Block::Table(slams(config, totals)));
    Section { id: "losses".to_owned(), title: "Loss against the best contract".to_owned(), blocks }
}

fn all(config: &RunConfig, totals: &BiddingTotals) -> Picture {
    let heads = [
        Column::text("bot").head("bidder"),
        Column::count("deals"),
        Column::estimate("score_lost").head("lost"),
        Column::count("not_judged"),
        Column::count("forfeited"),
    ];
    let mut table = Table::new("losses", "", &heads);
    let mut marks = Vec::new();
    for (bidder, own) in config.bots.iter().zip(&totals.own) {
        let lost = own.lost.mean();
        let name = bidder.to_string();
        if let Some(lost) = lost {
            marks.push(Mark {
                label: name.clone(),
                shown: with_half(lost.mean, lost.half_width),
                mean: lost.mean,
                interval: lost.half_width.map(|half| [lost.mean - half, lost.mean + half]),
                ink: Ink::Grey,
            });
        }
        let mut row = vec![Cell::Text(name), Cell::Count(own.judged)];
        row.push(mean_cell(lost, false));
        row.push(Cell::Count(own.deals - own.judged - own.forfeited));
        row.push(Cell::Count(own.forfeited));
        table.rows.push(row);
    }
    let svg = forest("Loss of each bidder", "points lost per side and deal", &marks);
    let caption = "Points lost per side and deal against the best contract, all causes together, with 95 % confidence \
                   intervals. Not judged: deals with a générale, which the solver does not support.";
    Picture::new(svg, caption, table)
}

fn differences(config: &RunConfig, totals: &BiddingTotals) -> Table {
    let caption = "The same losses, paired on the same deals: negative if the first bidder loses less.";
    let mut table = Table::new(
        "loss-differences",
        caption,
        &[
            Column::text("bot_a").head("A"),
            Column::text("bot_b").head("B"),
            Column::count("deals"),
            Column::estimate("score_lost_difference").head("A − B"),
        ],
    );
    for (encounter, pair) in totals.duels.encounters.iter().zip(&totals.pairs) {
        let [a, b] = config.pair(*encounter).map(|bidder| Cell::text(bidder.to_string()));
        let mut row = vec![a, b, Cell::Count(pair.lost.a.deals)];
        row.push(mean_cell(pair.lost.difference(), true));
        table.rows.push(row);
    }
    table
}

fn causes(config: &RunConfig, totals: &BiddingTotals) -> Picture {
    let heads = [
        Column::text("bot").head("bidder"),
        Column::text("cause"),
        Column::count("deals"),
        Column::estimate("share"),
        Column::estimate("score_lost").head("lost"),
        Column::number("score_lost_each").head("lost each time"),
    ];
    let mut table = Table::new("causes", "", &heads);
    let points = |bidder: usize, cause: usize| totals.own[bidder].causes[cause].points.mean();
    let largest = (0..totals.own.len())
        .flat_map(|bidder| (0..CAUSES.len()).map(move |cause| points(bidder, cause)))
        .flatten()
        .fold(0.0, |most: f64, mean| most.max(mean.mean));
    let mut rows: Vec<(String, Vec<GridCell>)> = Vec::new();
    for (cause, name) in CAUSES.into_iter().enumerate() {
        // What cannot be, under the rules or by the bidders, needs no row in the picture.
        if totals.own.iter().any(|own| own.causes[cause].deals > 0) {
            rows.push((name.to_owned(), Vec::new()));
        }
    }
    for (bidder, own) in totals.own.iter().enumerate() {
        let mut drawn = rows.iter_mut();
        for (cause, name) in CAUSES.into_iter().enumerate() {
            let lost = &own.causes[cause];
            let mean = points(bidder, cause);
            if totals.own.iter().any(|own| own.causes[cause].deals > 0)
                && let (Some((_, cells)), Some(mean)) = (drawn.next(), mean)
            {
                let part = share(lost.deals, own.judged).unwrap_or_default();
                cells.push(GridCell {
                    shade: shade(if largest > 0.0 { mean.mean / largest } else { 0.0 }),
                    text: plain(mean.mean),
                    below: percent(part),
                    tip: format!(
                        "{}: {name}, {} in {}",
                        config.bots[bidder],
                        plain(mean.mean),
                        percent(part)
                    ),
                });
            }
            let mut row = vec![Cell::text(config.bots[bidder].to_string()), Cell::text(name)];
            row.push(Cell::Count(lost.deals));
            row.push(share_cell(lost.deals, own.judged));
            row.push(mean_cell(mean, false));
            row.push(Cell::maybe(each_time(lost.points.sum(), lost.deals), Cell::Plain));
            table.rows.push(row);
        }
    }
    let columns: Vec<_> = (0..config.bots.len()).map(|bidder| title(config, bidder)).collect();
    let svg = grid("Loss by cause", &columns, &rows);
    let caption = "Points lost per side and deal by cause; they add up to the total. Below: the share of deals in which either \
                   side lost that way. Lost each time: points of both sides in such a deal.";
    Picture::new(svg, caption, table)
}

#[expect(clippy::cast_precision_loss, reason = "averages are rounded once, here")]
fn each_time(sum: i64, deals: u64) -> Option<f64> {
    (deals > 0).then(|| sum as f64 / deals as f64)
}

/// How many capots were bid of those that were there; nothing where none may be bid.
fn slams(config: &RunConfig, totals: &BiddingTotals) -> Table {
    let known = config.rules.deal.method == DealMethod::Full && config.rules.auction.capot;
    let caption = "Sides that could take all eight tricks in some strain, double dummy, and how many of them bid capot.";
    let heads = [
        Column::text("bot").head("bidder"),
        Column::count("capots").head("there"),
        Column::count("capots_bid").head("bid"),
        Column::estimate("share"),
    ];
    let mut table = Table::new("capots", caption, &heads);
    for (bidder, own) in config.bots.iter().zip(&totals.own).filter(|_| known) {
        let [there, bid] = own.slams;
        let mut row = vec![Cell::text(bidder.to_string()), Cell::Count(there), Cell::Count(bid)];
        row.push(share_cell(bid, there));
        table.rows.push(row);
    }
    table
}
