//! What is told of the losses.

use coinche_inference::ratio::{Mean, Ratio};
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::model::{Block, Cell, Document, Estimate, Table};

use super::Settings;
use super::auction::CAUSES;
use super::decision::GROUPS;
use super::knowing::PARTS;
use super::totals::{BotTotals, CALLS, Totals, of_a_side};

/// What the numbers mean, and what not.
pub(super) const NOTE: &str = "Losses are double dummy: a sound decision that the hidden cards happen to \
punish counts as a loss. Only differences between bots on the same deals are meaningful.";

/// What is compared, by [`super::totals::MEASURES`]: the name in files, and the head.
const COMPARED: [(&str, &str); 5] = [
    ("cards_card_points_lost", "card play, card points"),
    ("cards_score_lost", "card play, score"),
    ("auction_score_lost", "auction, score"),
    ("cards_score_lost_known", "card play, score, as far as known"),
    ("calls_score_lost_known", "calls, score, as far as known"),
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
    let mut blocks = Vec::new();
    for (n, bot) in totals.bots.iter().enumerate() {
        let name = if totals.bots.len() > 1 { format!("cards-{}", n + 1) } else { "cards".to_owned() };
        blocks.extend([Block::Heading(format!("Cards of {}", bot.name)), Block::Table(cards(name, bot))]);
    }
    if totals.bots.is_empty() {
        blocks.push(Block::Table(Table::new("cards", "", &card_columns(false))));
    }
    let titled = [
        ("Calls, as far as known", calls(totals)),
        ("Losses in the auction, by cause", auctions(totals)),
        ("", lost(totals)),
        ("", comparisons(totals)),
    ];
    for (title, table) in titled {
        if !title.is_empty() && !table.rows.is_empty() {
            blocks.push(Block::Heading(title.to_owned()));
        }
        blocks.push(Block::Table(table));
    }
    Document { scope, command: "judge", ..Document::of_blocks("Cost of each decision", blocks) }
}

/// The columns of cards; what a bot thought of them is for people only where one was asked.
fn card_columns(asked: bool) -> Vec<Column> {
    let mut columns = vec![
        Column::text("bot").only_in_files(),
        Column::text("by").only_in_files(),
        Column::text("group").head("cards"),
        Column::count("decisions"),
        Column::estimate("card_points_lost").head("points lost"),
        Column::number("card_points_losing").head("losing"),
        Column::number("card_points_lost_each").head("each"),
        Column::estimate("score_lost"),
        Column::number("score_losing").head("losing"),
        Column::number("score_lost_each").head("each"),
    ];
    let known = [
        Column::estimate("score_lost_known").head("as far as known"),
        Column::number("known_losing").head("losing"),
        Column::number("score_lost_known_each").head("each"),
    ];
    columns.extend(known.map(|column| if asked { column } else { column.only_in_files() }));
    columns
}

/// The table of one bot's cards.
fn cards(name: String, bot: &BotTotals) -> Table {
    let asked = bot.cells[0].known.count() > 0;
    let mut table = Table::new(name, "", &card_columns(asked));
    for ((dimension, name), cell) in GROUPS.iter().zip(&bot.cells) {
        let title = match *dimension {
            "all" => "all cards".to_owned(),
            "trick" | "place" => format!("{dimension} {name}"),
            _ => (*name).to_owned(),
        };
        if cell.points.count() == 0 {
            continue;
        }
        let mut row = vec![Cell::text(bot.name.clone()), Cell::text(*dimension), Cell::Text(title)];
        row.push(Cell::Count(cell.points.count()));
        row.extend(cells(&cell.points, cell.points_losing));
        row.extend(cells(&cell.score, cell.score_losing));
        row.extend(known(&cell.known, cell.known_losing));
        table.rows.push(row);
    }
    table
}

/// The table of the calls according to a bot; without rows where none was asked, or had no opinion.
fn calls(totals: &Totals) -> Table {
    let columns = [
        Column::text("bot"),
        Column::text("call"),
        Column::count("calls"),
        Column::estimate("score_lost_known").head("score lost, as far as known"),
        Column::number("known_losing").head("losing"),
        Column::number("score_lost_known_each").head("each"),
    ];
    let mut table = Table::new("calls", "", &columns);
    for bot in totals.bots.iter().filter(|bot| bot.calls[0].0.count() > 0) {
        for (kind, (ratio, losing)) in CALLS.iter().zip(&bot.calls) {
            let mut row = vec![Cell::text(bot.name.clone()), Cell::text(*kind), Cell::Count(ratio.count())];
            row.extend(known(ratio, *losing));
            table.rows.push(row);
        }
    }
    table
}

/// The table of the auctions, by cause; what cost nobody anything is left out.
fn auctions(totals: &Totals) -> Table {
    let columns = [
        Column::text("bot"),
        Column::text("cause").head("auction"),
        Column::count("auctions"),
        Column::estimate("score_lost").head("score lost per side"),
        Column::number("score_losing").head("losing"),
        Column::number("score_lost_each").head("each"),
    ];
    let mut table = Table::new("auctions", "", &columns);
    for bot in &totals.bots {
        for (n, cause) in CAUSES.iter().chain(&["all"]).enumerate() {
            if totals.bots.iter().all(|bot| bot.auction_losing[n] == 0) && *cause != "all" {
                continue;
            }
            let (ratio, losing) = (&bot.auction[n], bot.auction_losing[n]);
            let mut row = vec![Cell::text(bot.name.clone()), Cell::text(*cause), Cell::Count(ratio.count())];
            row.extend(cells(ratio, losing));
            table.rows.push(row);
        }
    }
    table
}

/// The columns of what a side lost in a leg, by measure.
fn measure_columns(totals: &Totals, first: &[Column]) -> Vec<Column> {
    let measures = COMPARED.iter().enumerate().map(|(n, (name, head))| {
        let is_there = n < 3 || totals.bots.iter().any(|bot| bot.measures[n].count() > 0);
        let column = Column::estimate(name).head(*head);
        if is_there { column } else { column.only_in_files() }
    });
    first.iter().cloned().chain(measures).collect()
}

/// What a side of each bot lost in a leg.
fn lost(totals: &Totals) -> Table {
    let columns = measure_columns(totals, &[Column::text("bot").head("loss per side and leg")]);
    let mut table = Table::new("lost", "", &columns);
    for bot in &totals.bots {
        let mut row = vec![Cell::text(bot.name.clone())];
        let mean = |n: usize| bot.measures[n].mean().map(|mean| mean.times(of_a_side(n)));
        row.extend((0..COMPARED.len()).map(|n| with_interval(mean(n), false)));
        table.rows.push(row);
    }
    table
}

/// The bots in pairs, on the deals in which both were.
fn comparisons(totals: &Totals) -> Table {
    let bots = [Column::text("bot_a").head("A"), Column::text("bot_b").head("B")];
    let caption = "Loss per side and leg, A − B, paired:";
    let mut table = Table::new("comparisons", caption, &measure_columns(totals, &bots));
    for ((a, b), pair) in &totals.pairs {
        let mut row = [a, b].map(|bot| Cell::text(totals.bots[*bot].name.clone())).to_vec();
        let difference = |n: usize| pair[n].difference().map(|mean| mean.times(of_a_side(n)));
        row.extend((0..COMPARED.len()).map(|n| with_interval(difference(n), true)));
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
