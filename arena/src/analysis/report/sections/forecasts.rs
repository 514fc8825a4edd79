//! Did contracts come true as often as their declarers said?

use coinche_inference::wilson;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{Reliability, reliability};
use coinche_selfplay::document::model::{Block, Cell, Picture, Section, Table};

use super::{Place, numbered, picture_or_table};
use crate::analysis::report::source::{Forecasts, Run, TENTHS, Tenth, Tenths};

const RULE: &str = "A contract's forecast is the chance of success that its declarer reported with the bid that became the contract, or \
    else the first it reported during play. Only recorded deals count; if they were selected by swing, they are not \
    representative.";

/// Starts the table of the forecasts of a bot.
pub(crate) fn table(file: impl Into<String>) -> Table {
    let columns = [
        Column::text("bot").only_in_files(),
        Column::text("which").head("contracts"),
        Column::number("forecast_from"),
        Column::number("forecast_to"),
        Column::count("contracts").head("number"),
        Column::number("forecast").head("mean forecast"),
        Column::estimate("made"),
    ];
    Table::new(file, "", &columns)
}

/// Adds rows to the table, and returns their points: forecast against made.
#[expect(clippy::cast_precision_loss, reason = "counts of contracts are below 2^53")]
fn rows(table: &mut Table, bot: &str, which: &str, tenths: &Tenths) -> Vec<Reliability> {
    let mut points = Vec::new();
    for (tenth, Tenth { contracts, made, told }) in tenths.iter().enumerate() {
        let Some(interval) = wilson(*made, *contracts, 0.95) else { continue };
        let [forecast, share] = [told.sum() / *contracts as f64, *made as f64 / *contracts as f64];
        points.push(Reliability { forecast, made: share, interval, count: *contracts });
        let edge = |tenth: usize| Cell::Share(tenth as f64 / TENTHS as f64);
        table.rows.push(vec![
            Cell::text(bot),
            Cell::text(which),
            edge(tenth),
            edge(tenth + 1),
            Cell::Count(*contracts),
            Cell::Share(forecast),
            Cell::Rate(share, Some(interval)),
        ]);
    }
    points
}

/// Draws the forecasts of a bot, with the numbers in a table of the name of the file.
#[expect(clippy::cast_precision_loss, reason = "counts of contracts are below 2^53")]
pub(crate) fn picture(bot: &str, file: String, forecasts: &Forecasts) -> Picture {
    let mut table = table(file);
    let points = rows(&mut table, bot, "all", &forecasts.all);
    rows(&mut table, bot, "not coinched", &forecasts.plain);
    let brier = forecasts.squares.sum() / forecasts.count().max(1) as f64;
    let caption = format!(
        "{bot}: forecast chance against share made, in ten bins, with 95 % Wilson intervals; the bars show how many. {} \
         contracts, Brier score {brier:.4} (0 is perfect; always forecasting 50 % gives 0.25). The table also has the contracts \
         that were not coinched: these are the better ones, since the defenders chose which to coinche.",
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
