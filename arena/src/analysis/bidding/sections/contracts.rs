//! What the bidders declare, and how it comes out.

use coinche_engine::rules::DealMethod;
use coinche_engine::{Ladder, Strain};
use coinche_selfplay::document::model::{Block, Cell, Section, Table};

use super::super::BiddingTotals;
use super::super::totals::{Declared, OwnTotals};
use super::{share, share_cells};
use crate::run::config::RunConfig;

const HEADS: [&str; 10] = [
    "bidder",
    "kind",
    "contracts",
    "share",
    "made",
    "low",
    "high",
    "coinched",
    "coinched ones made",
    "points",
];

/// Tells of the contracts of every bidder.
pub(super) fn section(config: &RunConfig, totals: &BiddingTotals) -> Section {
    let caption = "Contracts of each bidder bidding all four hands: share of deals, share made, share coinched (including \
                   surcoinched) and share of those made. Points: declarers' score minus defenders' score.";
    let mut all = Table::new("contracts", caption, &HEADS);
    let mut levels = Table::new("levels", "The same by level.", &HEADS);
    let mut strains = Table::new("strains", "The same by strain.", &HEADS);
    for (bidder, own) in config.bots.iter().zip(&totals.own) {
        let name = bidder.to_string();
        let row = |table: &mut Table, kind: &str, sum: &Declared| {
            if sum.all.played > 0 {
                table.rows.push(cells(&name, kind, sum, own));
            }
        };
        row(&mut all, "all", &sum(own.contracts.iter()));
        for (level, contracts) in own.contracts.chunks(Strain::ALL.len()).enumerate() {
            row(&mut levels, &level_name(config, level), &sum(contracts.iter()));
        }
        for strain in Strain::ALL {
            let contracts = own.contracts.iter().skip(strain.index()).step_by(Strain::ALL.len());
            row(&mut strains, strain.symbol(), &sum(contracts));
        }
        let mut thrown_in = vec![Cell::text(name), Cell::text("passed out"), Cell::Count(own.thrown_in)];
        thrown_in.push(Cell::maybe(share(own.thrown_in, own.deals), Cell::Share));
        thrown_in.resize(HEADS.len(), Cell::Empty);
        all.rows.push(thrown_in);
    }
    let blocks = [all, levels, strains].map(Block::Table).to_vec();
    Section { id: "contracts".to_owned(), title: "Contracts".to_owned(), blocks }
}

fn sum<'a>(contracts: impl Iterator<Item = &'a Declared>) -> Declared {
    contracts.fold(Declared::default(), |mut sum, contracts| {
        sum.merge(contracts);
        sum
    })
}

fn level_name(config: &RunConfig, level: usize) -> String {
    if config.rules.deal.method == DealMethod::TurnUp {
        return "TAKE".to_owned();
    }
    Ladder::new(&config.rules).value(level).map_or_else(String::new, |value| value.to_string())
}

#[expect(clippy::cast_precision_loss, reason = "averages are rounded once, here")]
fn cells(name: &str, kind: &str, sum: &Declared, own: &OwnTotals) -> Vec<Cell> {
    let Declared { all, coinched } = sum;
    let mut cells = vec![Cell::text(name), Cell::text(kind), Cell::Count(all.played)];
    cells.push(Cell::maybe(share(all.played, own.deals), Cell::Share));
    cells.extend(share_cells(all.made, all.played));
    cells.push(Cell::maybe(share(coinched.played, all.played), Cell::Share));
    cells.push(Cell::maybe(share(coinched.made, coinched.played), Cell::Share));
    cells.push(Cell::Signed(all.difference as f64 / all.played as f64));
    cells
}
