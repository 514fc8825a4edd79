//! Whether contracts are made as often as bidders say.

use coinche_selfplay::document::model::{Block, Section};

use super::super::BiddingTotals;
use crate::analysis::report::forecasts_picture;
use crate::run::config::RunConfig;

const RULE: &str = "Of every contract the forecast is the last chance that its declarer told in the auction, each bidder at all \
    four seats. It is held against the card play of this run: a bidder that foresees other players can be right of them and \
    wrong here.";

/// Compares what bidders that think told with what came of it.
pub(super) fn section(config: &RunConfig, totals: &BiddingTotals) -> Section {
    let told: Vec<_> =
        config.bots.iter().zip(&totals.own).filter(|(_, own)| own.forecasts.count() > 0).collect();
    let mut blocks = vec![Block::Text(RULE.to_owned())];
    if told.is_empty() {
        blocks = vec![Block::Text("No bidder told a chance to make its contract.".to_owned())];
    }
    for (n, (bidder, own)) in told.iter().enumerate() {
        let file = if told.len() > 1 { format!("forecasts-{}", n + 1) } else { "forecasts".to_owned() };
        blocks.push(Block::Picture(forecasts_picture(&bidder.to_string(), file, &own.forecasts)));
    }
    Section { id: "forecasts".to_owned(), title: "Chances told and contracts made".to_owned(), blocks }
}
