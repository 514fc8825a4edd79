//! The verdict of cross-play: the value of every partnership, and the cost of playing with a stranger.

use coinche_selfplay::document::pairings::matrix;
use coinche_selfplay::{Block, Table};

use super::pairs::scope;
use crate::config::RunConfig;
use crate::figures::CrossplayFigures;
use crate::totals::Totals;

/// Returns the scope and the tables of the results.
pub(super) fn verdict(config: &RunConfig, totals: &Totals) -> (String, Vec<Block>) {
    let scope = scope(config, totals.pairs());
    let Some(figures) = CrossplayFigures::new(config, totals) else {
        return (format!("not enough deals: {scope}"), Vec::new());
    };
    let CrossplayFigures { bots, against, strangers, .. } = &figures;
    let unit = config.unit.singular();
    let title = |bot: usize| format!("{} {}", bot + 1, bots[bot]);
    let verdict = format!("partnerships of {} bots, each against two of {against}: {scope}", bots.len());
    let caption = format!(
        "Points per {unit} of the bot on the left with the bot above as partner, ± 95 %, over both seatings"
    );
    let points = |a, b| figures.partnership(a, b).map(|it| it.points);
    let partnerships = matrix("partnerships", &caption, [0..bots.len(), 0..bots.len()], title, points);
    let caption = format!("Cost of an unfamiliar partner, in points per {unit}, ± 95 %");
    let costs = Table::of("strangers", caption, strangers)
        .text("", |pair| format!("{} and {}", title(pair.a), title(pair.b)))
        .signed("each with itself", |pair| pair.apart)
        .signed("together", |pair| pair.together)
        .estimate("cost", |pair| pair.cost)
        .build();
    (verdict, vec![Block::Table(partnerships), Block::Table(costs)])
}
