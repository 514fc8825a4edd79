//! What is told of the losses.

use coinche_inference::ratio::{Mean, Ratio};
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::model::{Block, Cell, Document, Estimate, Table};

use super::Settings;
use super::auction::CAUSES;
use super::decision::GROUPS;
use super::knowing::PARTS;
use super::totals::{BotTotals, CALLS, Totals, of_a_side};

/// What the numbers mean, and what not.
pub(super) const NOTE: &str = "Losses are double dummy: a sound decision that the hidden cards happen to \
punish counts as a loss. Only differences between bots on the same deals are meaningful.";

/// What is compared, by [`super::totals::MEASURES`].
const COMPARED: [&str; 5] = [
    "card play, card points",
    "card play, score",
    "auction, score",
    "card play, score, as far as known",
    "calls, score, as far as known",
];

/// Returns the tables, and what they are of.
pub(crate) fn document(settings: &Settings, totals: &Totals) -> Document {
    let (deals, legs) = (thousands(totals.units), thousands(totals.legs));
    let sample = match settings.sample {
        1.0 => String::new(),
        sample => format!(", a sample of {sample} with seed {}", settings.seed),
    };
    let mut scope = vec![format!(
        "{deals} deals, {legs} legs, {} passed out{sample}. ± is a 95 % confidence interval with the deal as the unit.",
        thousands(totals.thrown_in)
    )];
    for (count, what) in [
        (totals.forfeited, "forfeited, omitted"),
        (totals.unscored, "without score losses: no exact value, see docs/judge.md"),
        (totals.wrong_lines, "invalid records, omitted"),
    ] {
        if count > 0 {
            scope.push(format!("{}: {what}.", thousands(count)));
        }
    }
    scope.push(NOTE.to_owned());
    if let Some(by) = &settings.by {
        scope.push(format!("\"As far as known\": the loss estimated by {by} from what the seat could know."));
    }
    let number =
        |n: usize| if totals.bots.len() > 1 { format!("cards-{}", n + 1) } else { "cards".to_owned() };
    let cards = totals.bots.iter().enumerate().map(|(n, bot)| cards(number(n), bot));
    let tables = cards.chain(calls(totals)).chain([auctions(totals), comparisons(totals)]);
    let blocks = tables.map(Block::Table).collect();
    Document { scope, command: "judge", ..Document::of_blocks("Cost of each decision", blocks) }
}

/// The table of one bot's cards.
fn cards(name: String, bot: &BotTotals) -> Table {
    let asked = bot.cells[0].known.count() > 0;
    let mut heads =
        vec![bot.name.as_str(), "decisions", "points lost", "losing", "each", "score lost", "losing", "each"];
    if asked {
        heads.extend(["as far as known", "losing", "each"]);
    }
    let mut table = Table::new(name, "", &heads);
    for ((dimension, name), cell) in GROUPS.iter().zip(&bot.cells) {
        let title = match *dimension {
            "all" => "all cards".to_owned(),
            "trick" | "place" => format!("{dimension} {name}"),
            _ => (*name).to_owned(),
        };
        if cell.points.count() == 0 {
            continue;
        }
        let mut row = vec![Cell::Text(title), Cell::Count(cell.points.count())];
        row.extend(cells(&cell.points, cell.points_losing));
        row.extend(cells(&cell.score, cell.score_losing));
        if asked {
            row.extend(known(&cell.known, cell.known_losing));
        }
        table.rows.push(row);
    }
    table
}

/// The table of the calls according to a bot, a column a bot; nothing where none was asked, or had no opinion.
fn calls(totals: &Totals) -> Option<Table> {
    if totals.bots.iter().all(|bot| bot.calls[0].0.count() == 0) {
        return None;
    }
    let mut heads = vec!["call: score lost, as far as known"];
    heads.extend(totals.bots.iter().map(|bot| bot.name.as_str()));
    let mut table = Table::new("calls", "", &heads);
    for (n, kind) in CALLS.iter().enumerate() {
        let mut row = vec![Cell::text(*kind)];
        row.extend(totals.bots.iter().map(|bot| {
            let (ratio, losing) = &bot.calls[n];
            let [lost, losing, _] = known(ratio, *losing).map(|cell| cell.shown());
            Cell::Figures(format!("{lost} ({losing} of {})", thousands(ratio.count())))
        }));
        table.rows.push(row);
    }
    Some(table)
}

/// The table of the auctions, a column a bot.
fn auctions(totals: &Totals) -> Table {
    let mut heads = vec!["auction: score lost a side"];
    heads.extend(totals.bots.iter().map(|bot| bot.name.as_str()));
    let mut table = Table::new("auctions", "", &heads);
    for (n, cause) in CAUSES.iter().chain(&["all"]).enumerate() {
        if totals.bots.iter().all(|bot| bot.auction_losing[n] == 0) && *cause != "all" {
            continue;
        }
        let mut row = vec![Cell::Text(cause.replace('-', " "))];
        row.extend(totals.bots.iter().map(|bot| {
            let [lost, losing, _] = cells(&bot.auction[n], bot.auction_losing[n]).map(|cell| cell.shown());
            Cell::Figures(format!("{lost} ({losing})"))
        }));
        table.rows.push(row);
    }
    table
}

/// The bots in pairs, on the deals in which both were.
fn comparisons(totals: &Totals) -> Table {
    let there: Vec<usize> = (0..COMPARED.len())
        .filter(|n| *n < 3 || totals.bots.iter().any(|bot| bot.measures[*n].count() > 0))
        .collect();
    let mut heads = vec!["lost by a side in a leg"];
    heads.extend(there.iter().map(|n| COMPARED[*n]));
    let mut table = Table::new("comparisons", "", &heads);
    for bot in &totals.bots {
        let mut row = vec![Cell::text(bot.name.clone())];
        let mean = |n: usize| bot.measures[n].mean().map(|mean| mean.times(of_a_side(n)));
        row.extend(there.iter().map(|n| with_interval(mean(*n), false)));
        table.rows.push(row);
    }
    for ((a, b), pair) in &totals.pairs {
        let [a, b] = [a, b].map(|bot| &totals.bots[*bot].name);
        let mut row = vec![Cell::Text(format!("{a} − {b}, paired"))];
        let difference = |n: usize| pair[n].difference().map(|mean| mean.times(of_a_side(n)));
        row.extend(there.iter().map(|n| with_interval(difference(*n), true)));
        table.rows.push(row);
    }
    table
}

/// The mean, the share that loses, and the mean of those.
fn cells(ratio: &Ratio, losing: u64) -> [Cell; 3] {
    scaled(ratio, losing, 1.0)
}

/// The same of losses according to a bot.
fn known(ratio: &Ratio, losing: u64) -> [Cell; 3] {
    scaled(ratio, losing, 1.0 / f64::from(PARTS))
}

#[expect(clippy::cast_precision_loss, reason = "numbers for people")]
fn scaled(ratio: &Ratio, losing: u64, by: f64) -> [Cell; 3] {
    let Some(mean) = ratio.mean() else { return [Cell::Empty, Cell::Empty, Cell::Empty] };
    let share = losing as f64 / ratio.count() as f64;
    let each = (losing > 0).then(|| by * ratio.sum() as f64 / losing as f64);
    [with_interval(Some(mean.times(by)), false), Cell::Share(share), Cell::maybe(each, Cell::Plain)]
}

fn with_interval(mean: Option<Mean>, signed: bool) -> Cell {
    Cell::maybe(mean, |Mean { mean, half_width }| {
        Cell::Estimate(Estimate { mean, half_width, digits: 2, signed })
    })
}
