//! Whether contracts are made as often as bidders predict.

use coinche_selfplay::document::{Block, Section};

use super::super::BiddingTotals;
use crate::report::{forecasts_picture, forecasts_table};
use coinche_runs::RunConfig;

const RULE: &str = "A contract's forecast is the chance of making it that its declarer reported with the bid that became the contract, \
    with each bidder bidding all four hands, the table for which it forecasts: of making it whether or not it is then coinched. It is compared with the card play of \
    this run, so a bidder calibrated to other players can look miscalibrated here.";

/// Compares the predictions of bidders that have thoughts with the outcomes.
pub(super) fn section(config: &RunConfig, totals: &BiddingTotals) -> Section {
    let told: Vec<_> =
        config.bots.iter().zip(&totals.own).filter(|(_, own)| own.forecasts.count() > 0).collect();
    let mut blocks = vec![Block::text(RULE)];
    if told.is_empty() {
        let none = "No bidder reported a chance of making its contract.".to_owned();
        blocks = vec![Block::Text(none), Block::Table(forecasts_table("forecasts", Vec::new()))];
    }
    for (n, (bidder, own)) in told.iter().enumerate() {
        let file = if told.len() > 1 { format!("forecasts-{}", n + 1) } else { "forecasts".to_owned() };
        blocks.push(Block::Picture(forecasts_picture(&bidder.to_string(), file, &own.forecasts)));
    }
    Section::new("forecasts", "Forecasts", blocks)
}
