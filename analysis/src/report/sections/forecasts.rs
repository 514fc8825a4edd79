//! Compares the predicted and actual frequency of made contracts.

use coinche_inference::wilson;
use coinche_selfplay::document::columns::{BOT, CONTRACTS, MADE};
use coinche_selfplay::document::draw::{Reliability, reliability};
use coinche_selfplay::{Block, Picture, Section, Table, named, thousands};

use super::{Place, numbered, picture_or_table};
use crate::report::source::{Forecasts, Run, TENTHS, Tenth, Tenths};

const RULE: &str = "A contract's forecast is the chance of success that its declarer reported with the bid that became the contract, or \
    else the first it reported during play: it holds at a table of its own kind, and the share made is that of the table at hand. Only recorded deals count; if they were selected by swing, they are not \
    representative.";

/// The forecasts of a bot in a tenth: which contracts, the number of the tenth, and the outcomes.
type Row<'a> = (&'a str, &'static str, usize, Reliability);

/// Returns the table of a bot's forecasts.
pub fn table(file: impl Into<String>, rows: Vec<Row<'_>>) -> Table {
    let edge = |tenth: usize| tenth as f64 / TENTHS as f64;
    let which = named("which", "`all` contracts, or those `not coinched`").head("contracts");
    Table::of(file, "", rows)
        .text(BOT.only_in_files(), |(bot, ..)| *bot)
        .text(which, |(_, which, ..)| *which)
        .share(named("forecast_from", "ends of the tenth of forecasts"), move |row| edge(row.2))
        .share(named("forecast_to", "ends of the tenth of forecasts"), move |row| edge(row.2 + 1))
        .count(CONTRACTS.head("number"), |(.., point)| point.count)
        .share(named("forecast", "mean forecast").head("mean forecast"), |(.., point)| point.forecast)
        .rate(MADE, |(.., point)| (point.made, Some(point.interval)))
        .build()
}

/// Returns the tenths that have contracts, forecast against made.
fn rows<'a>(bot: &'a str, which: &'static str, tenths: &Tenths) -> Vec<Row<'a>> {
    let point = |(tenth, Tenth { contracts, made, told }): (usize, &Tenth)| {
        let interval = wilson(*made, *contracts, 0.95)?;
        let [forecast, share] = [told.sum() / *contracts as f64, *made as f64 / *contracts as f64];
        Some((bot, which, tenth, Reliability { forecast, made: share, interval, count: *contracts }))
    };
    tenths.iter().enumerate().filter_map(point).collect()
}

/// Draws the forecasts of a bot; the numbers are in a table with the name of the file.
pub fn picture(bot: &str, file: String, forecasts: &Forecasts) -> Picture {
    let all = rows(bot, "all", &forecasts.all);
    let points: Vec<_> = all.iter().map(|(.., point)| point.clone()).collect();
    let table = table(file, [all, rows(bot, "not coinched", &forecasts.plain)].concat());
    let brier = forecasts.squares.sum() / forecasts.count().max(1) as f64;
    let caption = format!(
        "{bot}: forecast chance against share made, in ten bins, with 95 % Wilson intervals; the bars show how many. {} \
         contracts, Brier score {brier:.4} (0 is perfect; always forecasting 50 % gives 0.25). The table also has the contracts \
         that were not coinched: these are the better ones, since the defenders chose which to coinche.",
        thousands(forecasts.count())
    );
    Picture::new(reliability(&format!("Forecasts of {bot}"), &points), caption, table)
}

/// Compares forecasts with outcomes.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let title = "Forecasts";
    let by_bot = run.seen.as_ref().map(|seen| &seen.forecasts).filter(|by_bot| !by_bot.is_empty());
    let Some(by_bot) = by_bot else {
        let why = if run.seen.is_some() {
            "no bot in the records reported a chance of making its contract"
        } else {
            "the run has no deal records; --records full or sample:P keeps them"
        };
        let blocks = vec![
            Block::Text(format!("Not available: {why}.")),
            Block::Table(table(place.name("forecasts"), Vec::new())),
        ];
        return place.section("forecasts", title, blocks);
    };
    let mut blocks = vec![Block::text(RULE)];
    for (n, (bot, forecasts)) in by_bot.iter().enumerate() {
        let file = place.name(&numbered("forecasts", n, by_bot.len()));
        blocks.push(picture_or_table(picture(bot, file, forecasts), n));
    }
    place.section("forecasts", title, blocks)
}
