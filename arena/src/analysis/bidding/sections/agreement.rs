//! How often two bidders come to the same contract.

use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{GridCell, grid};
use coinche_selfplay::document::model::{Block, Cell, Picture, Section, Table, percent};

use super::super::BiddingTotals;
use super::{shade, share, share_cell, title};
use crate::run::config::RunConfig;

/// Compares the contracts of every two bidders.
pub(super) fn section(config: &RunConfig, totals: &BiddingTotals) -> Section {
    let heads = [
        Column::text("bot_a").head("A"),
        Column::text("bot_b").head("B"),
        Column::count("deals"),
        Column::estimate("same_contract"),
        Column::estimate("same_strain").head("same side and strain"),
    ];
    let mut table = Table::new("agreement", "", &heads);
    let bidders = config.bots.len();
    let mut cells = vec![vec![GridCell::default(); bidders]; bidders];
    for (encounter, pair) in totals.duels.encounters.iter().zip(&totals.pairs) {
        let [a, b] = config.pair(*encounter).map(ToString::to_string);
        let [same, alike] = pair.same;
        if let [Some(strict), Some(loose)] = [same, alike].map(|part| share(part, pair.deals)) {
            let cell = GridCell {
                shade: shade(strict),
                text: percent(strict),
                below: percent(loose),
                tip: format!(
                    "{a} and {b}: {} the same contract, {} the same side and strain",
                    percent(strict),
                    percent(loose)
                ),
            };
            cells[encounter.a][encounter.b] = cell.clone();
            cells[encounter.b][encounter.a] = cell;
        }
        let mut row = vec![Cell::Text(a), Cell::Text(b), Cell::Count(pair.deals)];
        row.extend([same, alike].map(|part| share_cell(part, pair.deals)));
        table.rows.push(row);
    }
    let rows: Vec<_> = cells.into_iter().enumerate().map(|(n, cells)| (title(config, n), cells)).collect();
    let columns: Vec<_> = (1..=bidders).map(|bidder| bidder.to_string()).collect();
    let svg = grid("How often two bidders agree", &columns, &rows);
    let caption = "Share of deals in which two bidders, each bidding all four hands, reach the same contract (side, strain and \
                   level, or passed out); below it, the same side and strain.";
    let blocks = vec![Block::Picture(Picture::new(svg, caption, table))];
    Section { id: "agreement".to_owned(), title: "Agreement".to_owned(), blocks }
}
