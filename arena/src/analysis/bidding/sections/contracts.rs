//! What the bidders declare, and how it comes out.

use coinche_engine::rules::DealMethod;
use coinche_engine::{Ladder, Strain};
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::model::{Block, Cell, Section, Table};

use super::super::BiddingTotals;
use super::super::totals::{Declared, OwnTotals};
use super::{share, share_cell};
use crate::run::config::RunConfig;

/// The columns of a table by some key.
fn columns(key: &str) -> [Column; 8] {
    [
        Column::text("bot").head("bidder"),
        Column::text(key),
        Column::count("contracts"),
        Column::number("share"),
        Column::estimate("made"),
        Column::number("coinched"),
        Column::number("made_when_coinched"),
        Column::number("score_difference").head("points"),
    ]
}

/// Tells of the contracts of every bidder.
pub(super) fn section(config: &RunConfig, totals: &BiddingTotals) -> Section {
    let caption = "Contracts of each bidder bidding all four hands: share of deals passed out and of contracts, share made, share coinched (including \
                   surcoinched) and share of those made. Points: declarers' score minus defenders' score.";
    let of_all = |column: Column| if column.name == "by" { Column::number("passed_out") } else { column };
    let mut all = Table::new("contracts", caption, &columns("by").map(of_all));
    let mut levels = Table::new("levels", "The same by level.", &columns("level"));
    let mut strains = Table::new("strains", "The same by strain.", &columns("strain"));
    for (bidder, own) in config.bots.iter().zip(&totals.own) {
        let name = bidder.to_string();
        let row = |table: &mut Table, key: &str, sum: &Declared| {
            if sum.all.played > 0 {
                table.rows.push(cells(&name, Cell::text(key), sum, own));
            }
        };
        let passed_out = Cell::maybe(share(own.thrown_in, own.deals), Cell::Share);
        all.rows.push(cells(&name, passed_out, &sum(own.contracts.iter()), own));
        for (level, contracts) in own.contracts.chunks(Strain::ALL.len()).enumerate() {
            row(&mut levels, &level_name(config, level), &sum(contracts.iter()));
        }
        for strain in Strain::ALL {
            let contracts = own.contracts.iter().skip(strain.index()).step_by(Strain::ALL.len());
            row(&mut strains, strain.code(), &sum(contracts));
        }
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
fn cells(name: &str, key: Cell, sum: &Declared, own: &OwnTotals) -> Vec<Cell> {
    let Declared { all, coinched } = sum;
    let mut cells = vec![Cell::text(name), key, Cell::Count(all.played)];
    cells.push(Cell::maybe(share(all.played, own.deals), Cell::Share));
    cells.push(share_cell(all.made, all.played));
    cells.push(Cell::maybe(share(coinched.played, all.played), Cell::Share));
    cells.push(Cell::maybe(share(coinched.made, coinched.played), Cell::Share));
    let difference = (all.played > 0).then(|| all.difference as f64 / all.played as f64);
    cells.push(Cell::maybe(difference, Cell::Signed));
    cells
}
