//! How often two bidders reach the same contract.

use coinche_selfplay::document::columns::{BOT_A, BOT_B};
use coinche_selfplay::document::draw::{GridCell, grid, shade};
use coinche_selfplay::{Block, Picture, Section, Table, named, percent};

use super::super::BiddingTotals;
use super::{share, share_of, title};
use coinche_runs::RunConfig;

/// Compares the contracts of each two bidders.
pub(super) fn section(config: &RunConfig, totals: &BiddingTotals) -> Section {
    let bidders = config.bots.len();
    let mut cells = vec![vec![GridCell::default(); bidders]; bidders];
    for (encounter, pair) in totals.duels.encounters.iter().zip(&totals.pairs) {
        let [a, b] = config.pair(*encounter).map(ToString::to_string);
        let [same, alike] = pair.same;
        if let [Some(strict), Some(loose)] = [same, alike].map(|part| share(part, pair.deals)) {
            let [text, below] = [strict, loose].map(percent);
            let tip = format!("{a} and {b}: {text} the same contract, {below} the same side and strain");
            let cell = GridCell { shade: shade(strict, false), text, below, tip };
            cells[encounter.a][encounter.b] = cell.clone();
            cells[encounter.b][encounter.a] = cell;
        }
    }
    let same = named("same_strain", "share with the same side and strain").head("same side and strain");
    let pairs = totals.duels.encounters.iter().zip(&totals.pairs);
    let same_contract = named("same_contract", "share of the deals with the same side, strain and level");
    let table = Table::of("agreement", "", pairs)
        .text(BOT_A.head("A"), |(encounter, _)| config.pair(**encounter)[0].to_string())
        .text(BOT_B.head("B"), |(encounter, _)| config.pair(**encounter)[1].to_string())
        .count(named("deals", "deals compared"), |(_, pair)| pair.deals)
        .rate(same_contract, |(_, pair)| share_of(pair.same[0], pair.deals))
        .rate(same, |(_, pair)| share_of(pair.same[1], pair.deals))
        .build();
    let rows: Vec<_> = cells.into_iter().enumerate().map(|(n, cells)| (title(config, n), cells)).collect();
    let columns: Vec<_> = (1..=bidders).map(|bidder| bidder.to_string()).collect();
    let svg = grid("How often two bidders agree", &columns, &rows);
    let caption = "Share of deals in which two bidders, each bidding all four hands, reach the same contract (side, strain and \
                   level, or passed out); below it, the same side and strain.";
    let blocks = vec![Block::Picture(Picture::new(svg, caption, table))];
    Section::new("agreement", "Agreement", blocks)
}
