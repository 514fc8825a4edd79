//! The verdict of cross-play: the value of every partnership, and the cost of playing with a stranger.

use coinche_selfplay::document::model::{Block, Cell, Table};

use super::pairs::scope;
use crate::config::RunConfig;
use crate::figures::{CrossplayFigures, Mean};
use crate::totals::Totals;

fn cell(mean: &Mean) -> Cell {
    Cell::estimate(mean.mean, Some(mean.half_width), 1)
}

/// Returns the scope and the tables of the results.
pub(super) fn verdict(config: &RunConfig, totals: &Totals) -> (String, Vec<Block>) {
    let scope = scope(config, totals.pairs());
    let Some(figures) = CrossplayFigures::new(config, totals) else {
        return (format!("not enough deals: {scope}"), Vec::new());
    };
    let CrossplayFigures { bots, against, strangers, .. } = &figures;
    let unit = config.unit.singular();
    let title = |bot: usize| Cell::Text(format!("{} {}", bot + 1, bots[bot]));
    let verdict = format!("partnerships of {} bots, each against two of {against}: {scope}", bots.len());
    let caption = format!(
        "Points per {unit} of the bot on the left with the bot above as partner, ± 95 %, over both seatings"
    );
    let mut heads = vec![String::new()];
    heads.extend((1..=bots.len()).map(|bot| bot.to_string()));
    let mut partnerships = Table::new("partnerships", caption, &heads);
    for a in 0..bots.len() {
        let mut row = vec![title(a)];
        row.extend(
            (0..bots.len()).map(|b| {
                figures.partnership(a, b).map_or(Cell::Blank, |partnership| cell(&partnership.points))
            }),
        );
        partnerships.rows.push(row);
    }
    let caption = format!("Cost of an unfamiliar partner, in points per {unit}, ± 95 %");
    let mut costs = Table::new("strangers", caption, &["", "each with itself", "together", "cost"]);
    for pair in strangers {
        let names = Cell::Text(format!("{} and {}", title(pair.a).shown(), title(pair.b).shown()));
        let [apart, together] = [pair.apart, pair.together].map(Cell::Signed);
        costs.rows.push(vec![names, apart, together, cell(&pair.cost)]);
    }
    (verdict, vec![Block::Table(partnerships), Block::Table(costs)])
}
