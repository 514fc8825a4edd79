//! What the auctions lost against the best available contracts.

use coinche_bots::TeamSpec;
use coinche_engine::rules::DealMethod;
use coinche_selfplay::document::columns::{
    BOT, BOT_A, BOT_B, CAUSE, DEALS, DEALS_OF_CAUSE, SCORE_LOST_EACH, SHARE_OF_DEALS,
};
use coinche_selfplay::document::draw::{GridCell, Ink, Mark, forest, grid, shade};
use coinche_selfplay::{Block, Column, Picture, Section, Table, measured, named, percent, plain};

use super::super::BiddingTotals;
use super::super::totals::OwnTotals;
use super::{share, share_of, title};
use crate::judge::CAUSES;
use coinche_runs::RunConfig;

const HINDSIGHT: &str = "Each bidder bid all four hands of every deal. The contract it reached is compared with the best contract \
    of either side, double dummy. Nobody who sees one hand can find that contract every time, so no bidder reaches a loss of 0. \
    Compare the bidders with each other: they all had the same cards.";

/// Compares the auctions with the cards.
pub(super) fn section(config: &RunConfig, totals: &BiddingTotals) -> Section {
    let mut blocks = vec![Block::text(HINDSIGHT)];
    if config.rules.deal.method == DealMethod::TurnUp {
        blocks.push(Block::text("In the turn-up game the contract is to take; the best contract of a side is the better of its partners in any strain."));
    }
    // Side by side.
    blocks.push(Block::Picture(all(config, totals)));
    blocks.push(Block::Picture(causes(config, totals)));
    blocks.push(Block::Table(differences(config, totals)));
    blocks.push(Block::Table(slams(config, totals)));
    Section::new("losses", "Loss against the best contract", blocks)
}

const SCORE_LOST: Column = measured("score_lost", "points", "mean score lost per side and deal");

fn all(config: &RunConfig, totals: &BiddingTotals) -> Picture {
    let mark = |(bidder, own): (&TeamSpec, &OwnTotals)| {
        let mark = Mark::of(bidder.to_string(), own.lost.mean_of(totals.size()))?;
        Some(Mark { ink: Ink::Grey, ..mark })
    };
    let marks: Vec<_> = config.bots.iter().zip(&totals.own).filter_map(mark).collect();
    let not_judged = named("not_judged", "deals without a judgement: a générale");
    let table = Table::of("losses", "", config.bots.iter().zip(&totals.own))
        .text(BOT.head("bidder"), |(bidder, _)| bidder.to_string())
        .count(named("deals", "deals judged"), |(_, own)| own.judged)
        .mean(SCORE_LOST.head("lost"), |(_, own)| own.lost.mean_of(totals.size()))
        .count(not_judged, |(_, own)| own.deals - own.judged - own.forfeited)
        .count(named("forfeited", "deals forfeited"), |(_, own)| own.forfeited)
        .build();
    let svg = forest("Loss of each bidder", "points lost per side and deal", &marks);
    let caption = "Points lost per side and deal against the best contract, all causes together, with 95 % confidence \
                   intervals. Not judged: deals with a générale, which the solver does not support.";
    Picture::new(svg, caption, table)
}

fn differences(config: &RunConfig, totals: &BiddingTotals) -> Table {
    let caption = "The losses against the best contract, paired on the same deals: negative if the first bidder loses less.";
    let lost =
        measured("score_lost_difference", "points", "score lost by A less that of B, on the same deals");
    Table::of("loss-differences", caption, totals.duels.encounters.iter().zip(&totals.pairs))
        .text(BOT_A.head("A"), |(encounter, _)| config.pair(**encounter)[0].to_string())
        .text(BOT_B.head("B"), |(encounter, _)| config.pair(**encounter)[1].to_string())
        .count(DEALS, |(_, pair)| pair.lost.deals())
        .estimate(lost.head("A − B"), |(_, pair)| pair.lost.difference(totals.size()))
        .build()
}

fn causes(config: &RunConfig, totals: &BiddingTotals) -> Picture {
    let points = |bidder: usize, cause: usize| totals.own[bidder].causes[cause].points.mean_of(totals.size());
    let largest = (0..totals.own.len())
        .flat_map(|bidder| (0..CAUSES.len()).map(move |cause| points(bidder, cause)))
        .flatten()
        .fold(0.0, |most: f64, mean| most.max(mean.mean));
    // Causes that cannot occur under the rules or with these bidders get no row in the picture.
    let occurring = |cause: &usize| totals.own.iter().any(|own| own.causes[*cause].deals > 0);
    let cell = |bidder: usize, cause: usize| {
        let (mean, own) = (points(bidder, cause)?.mean, &totals.own[bidder]);
        let part = share(own.causes[cause].deals, own.judged).unwrap_or_default();
        let tip = format!("{}: {}, {} in {}", config.bots[bidder], CAUSES[cause], plain(mean), percent(part));
        let shade = shade(if largest > 0.0 { mean / largest } else { 0.0 }, false);
        Some(GridCell { shade, text: plain(mean), below: percent(part), tip })
    };
    let row = |cause: usize| {
        let cells = (0..totals.own.len()).filter_map(|bidder| cell(bidder, cause));
        (CAUSES[cause].to_owned(), cells.collect())
    };
    let rows: Vec<(String, Vec<GridCell>)> = (0..CAUSES.len()).filter(occurring).map(row).collect();
    let cases = config.bots.iter().zip(&totals.own).flat_map(|(bidder, own)| {
        CAUSES.into_iter().zip(&own.causes).map(move |(name, lost)| (bidder, own, name, lost))
    });
    let table = Table::of("causes", "", cases)
        .text(BOT.head("bidder"), |(bidder, ..)| bidder.to_string())
        .text(CAUSE, |(_, _, name, _)| *name)
        .count(DEALS_OF_CAUSE, |(.., lost)| lost.deals)
        .rate(SHARE_OF_DEALS, |(_, own, _, lost)| share_of(lost.deals, own.judged))
        .mean(SCORE_LOST.head("lost"), |(.., lost)| lost.points.mean_of(totals.size()))
        .plain(SCORE_LOST_EACH.head("lost each time"), |(.., lost)| each_time(lost.points.sum(), lost.deals))
        .build();
    let columns: Vec<_> = (0..config.bots.len()).map(|bidder| title(config, bidder)).collect();
    let svg = grid("Loss by cause", &columns, &rows);
    let caption = "Points lost per side and deal by cause; they add up to the total. Below: the share of deals in which either \
                   side lost that way. Lost each time: points of both sides in such a deal.";
    Picture::new(svg, caption, table)
}

fn each_time(sum: i64, deals: u64) -> Option<f64> {
    (deals > 0).then(|| sum as f64 / deals as f64)
}

/// Counts the makeable capots and how many were bid; none if capot cannot be bid.
fn slams(config: &RunConfig, totals: &BiddingTotals) -> Table {
    let known = config.rules.deal.method == DealMethod::Full && config.rules.auction.capot;
    let caption = "Sides that could take all eight tricks in some strain, double dummy, and how many of them bid capot.";
    Table::of("capots", caption, config.bots.iter().zip(&totals.own).filter(|_| known))
        .text(BOT.head("bidder"), |(bidder, _)| bidder.to_string())
        .count(named("capots", "sides that could take all tricks").head("there"), |(_, own)| own.slams[0])
        .count(named("capots_bid", "how many of them bid it").head("bid"), |(_, own)| own.slams[1])
        .rate(named("share", "share of the cases"), |(_, own)| share_of(own.slams[1], own.slams[0]))
        .build()
}
