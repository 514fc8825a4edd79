//! What is printed of cross-play.

use std::fmt::Write as _;

use super::verdict::scope;
use crate::base::style::{finish, table};
use crate::run::config::RunConfig;
use crate::run::figures::{CrossplayFigures, Mean};
use crate::run::totals::Totals;

fn cell(mean: &Mean) -> String {
    format!("{:+.1} ± {:.1}", mean.mean, mean.half_width)
}

/// Returns what every partnership is worth, and what it costs to play with a stranger.
pub(super) fn verdict(config: &RunConfig, totals: &Totals) -> String {
    let scope = scope(config, totals.pairs());
    let Some(figures) = CrossplayFigures::new(config, totals) else {
        return format!("too little was played: {scope}\n");
    };
    let CrossplayFigures { bots, against, strangers, .. } = &figures;
    let unit = config.unit.singular();
    let title = |bot: usize| format!("{} {}", bot + 1, bots[bot]);
    let mut text =
        format!("partnerships of {} bots, each against {against} with {against}: {scope}\n\n", bots.len());
    let _ = writeln!(
        text,
        "Points a {unit} of the bot on the left with the bot above, ± 95 %, over both ways to sit"
    );
    let mut matrix = table();
    let mut header = vec![String::new()];
    header.extend((1..=bots.len()).map(|bot| bot.to_string()));
    matrix.set_header(header);
    for a in 0..bots.len() {
        let mut row = vec![title(a)];
        row.extend((0..bots.len()).map(|b| {
            figures.partnership(a, b).map_or_else(String::new, |partnership| cell(&partnership.points))
        }));
        matrix.add_row(row);
    }
    text.push_str(&finish(matrix));
    let _ = writeln!(text, "What playing with a stranger costs, in points a {unit}, ± 95 %");
    let mut costs = table();
    costs.set_header(["", "each with itself", "together", "cost"]);
    for pair in strangers {
        let pair_title = format!("{} and {}", title(pair.a), title(pair.b));
        let [apart, together] = [pair.apart, pair.together].map(|mean| format!("{mean:+.1}"));
        costs.add_row([pair_title, apart, together, cell(&pair.cost)]);
    }
    text.push_str(&finish(costs));
    text
}
