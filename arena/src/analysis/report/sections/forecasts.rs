//! Did contracts come true as often as their declarers said?

use coinche_inference::wilson;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{Reliability, reliability};
use coinche_selfplay::document::model::{Block, Cell, Picture, Section, Table};

use super::{Place, numbered, picture_or_table};
use crate::analysis::report::source::{Forecasts, Run, TENTHS};

const RULE: &str = "A contract's forecast is the last chance of success that the declarer reported in the auction, or else the \
    first it reported during play. Only recorded deals count; if they were selected by swing, they are not \
    representative.";

/// Starts the table of the forecasts of a bot.
pub(crate) fn table(file: impl Into<String>) -> Table {
    let columns = [
        Column::text("bot").only_in_files(),
        Column::number("told_from"),
        Column::number("told_to"),
        Column::count("contracts"),
        Column::number("forecast").head("mean told"),
        Column::estimate("made"),
    ];
    Table::new(file, "", &columns)
}

#[expect(clippy::cast_precision_loss, reason = "counts of contracts are below 2^53")]
/// Draws the forecasts of a bot, with the numbers in a table of the name of the file.
pub(crate) fn picture(bot: &str, file: String, forecasts: &Forecasts) -> Picture {
    let mut table = table(file);
    let mut points = Vec::new();
    for (tenth, (count, made, sum)) in forecasts.tenths.iter().enumerate() {
        let Some(interval) = wilson(*made, *count, 0.95) else { continue };
        let [forecast, share] = [sum / *count as f64, *made as f64 / *count as f64];
        points.push(Reliability { forecast, made: share, interval, count: *count });
        let edge = |tenth: usize| Cell::Share(tenth as f64 / TENTHS as f64);
        table.rows.push(vec![
            Cell::text(bot),
            edge(tenth),
            edge(tenth + 1),
            Cell::Count(*count),
            Cell::Share(forecast),
            Cell::Rate(share, Some(interval)),
        ]);
    }
    let brier = forecasts.squares / forecasts.count().max(1) as f64;
    let caption = format!(
        "{bot}: forecast chance against share made, in ten bins, with 95 % Wilson intervals; the bars show how many. {} \
         contracts, Brier score {brier:.4} (0 is perfect; always forecasting 50 % gives 0.25).",
        thousands(forecasts.count())
    );
    Picture::new(reliability(&format!("Forecasts of {bot}"), &points), caption, table)
}

/// Compares forecasts with what came of them.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let title = "Forecasts";
    let by_bot = run.seen.as_ref().map(|seen| &seen.forecasts).filter(|by_bot| !by_bot.is_empty());
    let Some(by_bot) = by_bot else {
        let why = if run.seen.is_some() {
            "no bot in the records reported a chance of making its contract"
        } else {
            "the run has no deal records; --records full or sample:P keeps them"
        };
        let blocks =
            vec![Block::Text(format!("Not available: {why}.")), Block::Table(table(place.name("forecasts")))];
        return place.section("forecasts", title, blocks);
    };
    let mut blocks = vec![Block::Text(RULE.to_owned())];
    for (n, (bot, forecasts)) in by_bot.iter().enumerate() {
        let file = place.name(&numbered("forecasts", n, by_bot.len()));
        blocks.push(picture_or_table(picture(bot, file, forecasts), n));
    }
    place.section("forecasts", title, blocks)
}
