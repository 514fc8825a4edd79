//! Whether contracts are made as often as bidders predict.

use coinche_selfplay::document::columns::{BOT, CONTRACTS, MADE};
use coinche_selfplay::document::{Block, Section, Table, named};

use super::super::BiddingTotals;
use super::share_of;
use crate::report::{forecasts_picture, forecasts_table};
use coinche_runs::RunConfig;

const RULE: &str = "A contract's forecast is the chance of making it that its declarer reported with the bid that became the contract, \
    with each bidder bidding all four hands, the table for which it forecasts: of making it whether or not it is then coinched. It is compared with the card play of \
    this run, so a bidder calibrated to other players can look miscalibrated here.";

/// Compares the predictions of bidders that have thoughts with the outcomes.
pub(super) fn section(config: &RunConfig, totals: &BiddingTotals) -> Section {
    let told: Vec<_> =
        config.bots.iter().zip(&totals.own).filter(|(_, own)| own.forecasts.count() > 0).collect();
    if told.is_empty() {
        let none = Block::text("No bidder reported a chance of making its contract.");
        let blocks = vec![none, Block::Table(forecasts_table("forecasts", Vec::new()))];
        return Section::new("forecasts", "Forecasts", blocks);
    }
    let mut blocks = vec![Block::text(RULE)];
    for (n, (bidder, own)) in told.iter().enumerate() {
        let file = if told.len() > 1 { format!("forecasts-{}", n + 1) } else { "forecasts".to_owned() };
        blocks.push(Block::Picture(forecasts_picture(&bidder.to_string(), file, &own.forecasts)));
    }
    blocks.push(Block::Table(at_tables(config, totals)));
    Section::new("forecasts", "Forecasts", blocks)
}

/// How often a bidder makes its contracts at a table.
struct AtTable {
    bidder: usize,
    /// The opponents, or `None` where it bids all four hands.
    against: Option<usize>,
    told: Option<f64>,
    /// The number of contracts, and how many of them were made.
    contracts: [u64; 2],
}

/// Returns how often bidders that report chances make their contracts, at their own table and against each other bidder.
#[expect(clippy::cast_precision_loss, reason = "counts of contracts are below 2^53")]
fn at_tables(config: &RunConfig, totals: &BiddingTotals) -> Table {
    let mut rows = Vec::new();
    for (bidder, own) in totals.own.iter().enumerate().filter(|(_, own)| own.forecasts.count() > 0) {
        let tenths = &own.forecasts.all;
        let contracts = [own.forecasts.count(), tenths.iter().map(|tenth| tenth.made).sum()];
        let told = tenths.iter().map(|tenth| tenth.told.sum()).sum::<f64>() / contracts[0] as f64;
        rows.push(AtTable { bidder, against: None, told: Some(told), contracts });
        for (encounter, tally) in totals.duels.encounters.iter().zip(&totals.duels.tallies) {
            let Some(side) = [encounter.a, encounter.b].iter().position(|it| *it == bidder) else { continue };
            let stakes = tally.sides[side].stakes.iter();
            let contracts = stakes.fold([0, 0], |[all, made], it| [all + it.played, made + it.made]);
            let against = Some([encounter.b, encounter.a][side]);
            rows.push(AtTable { bidder, against, told: None, contracts });
        }
    }
    let caption = "How often contracts are made at each table. The chance reported holds where the bidder bids all four hands; \
                   against other bidders it meets other contracts and coinches.";
    let against = named("against", "the opponents; `itself`: the bidder at all seats").head("against");
    let told = named("forecast", "mean forecast").head("mean forecast");
    Table::of("forecasts-against", caption, rows)
        .text(BOT, |row| config.bots[row.bidder].to_string())
        .text(against, |row| {
            row.against.map_or_else(|| "itself".to_owned(), |it| config.bots[it].to_string())
        })
        .count(CONTRACTS.head("number"), |row| row.contracts[0])
        .share(told, |row| row.told)
        .rate(MADE, |row| share_of(row.contracts[1], row.contracts[0]))
        .build()
}
