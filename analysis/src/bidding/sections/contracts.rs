//! What the bidders declare, and the results.

use coinche_engine::{Ladder, Strain};
use coinche_inference::Merge;
use coinche_selfplay::document::columns::{
    BOT, COINCHED, CONTRACTS, LEVEL, MADE, MADE_WHEN_COINCHED, PASSED_OUT, SCORE_DIFFERENCE, STRAIN,
};
use coinche_selfplay::{Block, Column, Section, Table, TableOf, named};

use super::super::BiddingTotals;
use super::super::totals::{Declared, OwnTotals};
use super::{share, share_of};
use coinche_runs::RunConfig;

/// A bidder's contracts for some key, with the bidder's totals.
type Row<'a, K> = (String, K, Declared, &'a OwnTotals);

fn difference(Declared { all, .. }: &Declared) -> Option<f64> {
    (all.played > 0).then(|| all.difference as f64 / all.played as f64)
}

/// Starts a table with the key as second column.
fn table<'a, K>(
    name: &str,
    caption: &str,
    rows: Vec<Row<'a, K>>,
    key: impl FnOnce(TableOf<'a, Vec<Row<'a, K>>>) -> TableOf<'a, Vec<Row<'a, K>>>,
) -> Block {
    let start = Table::of(name, caption, rows).text(BOT.head("bidder"), |(bot, ..)| bot.clone());
    key(start)
        .count(CONTRACTS, |(_, _, sum, _)| sum.all.played)
        .share(named("share", "share of the bidder’s deals"), |(_, _, sum, own)| {
            share(sum.all.played, own.deals)
        })
        .rate(MADE, |(_, _, sum, _)| share_of(sum.all.made, sum.all.played))
        .share(COINCHED, |(_, _, sum, _)| share(sum.coinched.played, sum.all.played))
        .share(MADE_WHEN_COINCHED, |(_, _, sum, _)| share(sum.coinched.made, sum.coinched.played))
        .signed(SCORE_DIFFERENCE.head("points"), |(_, _, sum, _)| difference(sum))
        .block()
}

fn by_key(name: &str, caption: &str, column: Column, rows: Vec<Row<'_, String>>) -> Block {
    let rows = rows.into_iter().filter(|(_, _, sum, _)| sum.all.played > 0).collect();
    table(name, caption, rows, |start| start.text(column, |(_, key, ..)| key.clone()))
}

/// Reports the contracts of each bidder.
pub(super) fn section(config: &RunConfig, totals: &BiddingTotals) -> Section {
    let caption = "Contracts of each bidder bidding all four hands: share of deals passed out and of contracts, share made, share coinched (including \
                   surcoinched) and share of those made. Points: declarers' score minus defenders' score.";
    let (mut all, mut levels, mut strains) = (Vec::new(), Vec::new(), Vec::new());
    for (bidder, own) in config.bots.iter().zip(&totals.own) {
        let name = bidder.to_string();
        all.push((name.clone(), share(own.thrown_in, own.deals), sum(own.contracts.iter()), own));
        for (level, contracts) in own.contracts.chunks(Strain::ALL.len()).enumerate() {
            levels.push((name.clone(), level_name(config, level), sum(contracts.iter()), own));
        }
        for strain in Strain::ALL {
            let contracts = own.contracts.iter().skip(strain.index()).step_by(Strain::ALL.len());
            strains.push((name.clone(), strain.code().to_owned(), sum(contracts), own));
        }
    }
    let blocks = vec![
        table("contracts", caption, all, |start| start.share(PASSED_OUT, |(_, passed_out, ..)| *passed_out)),
        by_key("levels", "The same by level.", LEVEL, levels),
        by_key("strains", "The same by strain.", STRAIN, strains),
    ];
    Section::new("contracts", "Contracts", blocks)
}

fn sum<'a>(contracts: impl Iterator<Item = &'a Declared>) -> Declared {
    contracts.fold(Declared::default(), Declared::merged)
}

fn level_name(config: &RunConfig, level: usize) -> String {
    if !config.rules.has_values() {
        return "TAKE".to_owned();
    }
    Ladder::new(&config.rules).value(level).map_or_else(String::new, |value| value.to_string())
}
