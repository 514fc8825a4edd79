//! What a person reads.

use std::fmt::Write as _;

use coinche_inference::ratio::{Mean, Ratio};

use super::Settings;
use super::auction::CAUSES;
use super::decision::GROUPS;
use super::knowing::PARTS;
use super::totals::{BotTotals, CALLS, Totals, of_a_side};
use crate::base::style::{finish, table, thousands};

/// What the numbers mean, and what not.
pub(super) const NOTE: &str = "This judge sees all cards: a sound decision that the hidden cards happen to \
punish counts as a loss. Only differences between bots on the same deals mean something.";

/// What is compared, by [`super::totals::MEASURES`].
const COMPARED: [&str; 5] = [
    "card play, card points",
    "card play, score",
    "auction, score",
    "card play, score, as far as known",
    "calls, score, as far as known",
];

/// Returns the tables.
pub(crate) fn text(settings: &Settings, totals: &Totals) -> String {
    let mut text = String::new();
    let (deals, legs) = (thousands(totals.units), thousands(totals.legs));
    let sample = match settings.sample {
        1.0 => String::new(),
        sample => format!(", a sample of {sample} with seed {}", settings.seed),
    };
    let _ = writeln!(
        text,
        "{deals} deals, {legs} legs, {} thrown in{sample}. ± is a 95 % interval, the deal the unit.",
        thousands(totals.thrown_in)
    );
    for (count, what) in [
        (totals.forfeited, "forfeited and left out"),
        (totals.unscored, "without losses of score: no exact value, see docs/judge.md"),
        (totals.wrong_lines, "lines that are no right records, left out"),
    ] {
        if count > 0 {
            let _ = writeln!(text, "{}: {what}.", thousands(count));
        }
    }
    let _ = writeln!(text, "{NOTE}");
    if let Some(by) = &settings.by {
        let _ = writeln!(text, "\"As far as known\": what {by} thinks it lost, by what the seat could know.");
    }
    for bot in &totals.bots {
        let _ = write!(text, "\n{}", cards(bot));
    }
    for table in calls(totals).into_iter().chain([auctions(totals), comparisons(totals)]) {
        let _ = write!(text, "\n{table}");
    }
    text
}

/// The table of one bot's cards.
fn cards(bot: &BotTotals) -> String {
    let mut table = table();
    let asked = bot.cells[0].known.count() > 0;
    let mut head =
        vec![bot.name.as_str(), "decisions", "points lost", "losing", "each", "score lost", "losing", "each"];
    if asked {
        head.extend(["as far as known", "losing", "each"]);
    }
    table.set_header(head);
    for ((dimension, name), cell) in GROUPS.iter().zip(&bot.cells) {
        let title = match *dimension {
            "all" => "all cards".to_owned(),
            "trick" | "place" => format!("{dimension} {name}"),
            _ => (*name).to_owned(),
        };
        if cell.points.count() == 0 {
            continue;
        }
        let mut row = vec![title, thousands(cell.points.count())];
        row.extend(cells(&cell.points, cell.points_losing));
        row.extend(cells(&cell.score, cell.score_losing));
        if asked {
            row.extend(known(&cell.known, cell.known_losing));
        }
        table.add_row(row);
    }
    finish(table)
}

/// The table of the calls in the eyes of a bot, a column a bot; nothing where none was asked, or had no opinion.
fn calls(totals: &Totals) -> Option<String> {
    if totals.bots.iter().all(|bot| bot.calls[0].0.count() == 0) {
        return None;
    }
    let mut table = table();
    let mut head = vec!["call: score lost, as far as known"];
    head.extend(totals.bots.iter().map(|bot| bot.name.as_str()));
    table.set_header(head);
    for (n, kind) in CALLS.iter().enumerate() {
        let mut row = vec![(*kind).to_owned()];
        row.extend(totals.bots.iter().map(|bot| {
            let (ratio, losing) = &bot.calls[n];
            let [lost, losing, _] = known(ratio, *losing);
            format!("{lost} ({losing} of {})", thousands(ratio.count()))
        }));
        table.add_row(row);
    }
    Some(finish(table))
}

/// The table of the auctions, a column a bot.
fn auctions(totals: &Totals) -> String {
    let mut table = table();
    let mut head = vec!["auction: score lost a side".to_owned()];
    head.extend(totals.bots.iter().map(|bot| bot.name.clone()));
    table.set_header(head);
    for (n, cause) in CAUSES.iter().chain(&["all"]).enumerate() {
        if totals.bots.iter().all(|bot| bot.auction_losing[n] == 0) && *cause != "all" {
            continue;
        }
        let mut row = vec![cause.replace('-', " ")];
        row.extend(totals.bots.iter().map(|bot| {
            let [lost, losing, _] = cells(&bot.auction[n], bot.auction_losing[n]);
            format!("{lost} ({losing})")
        }));
        table.add_row(row);
    }
    finish(table)
}

/// The bots in pairs, on the deals in which both were.
fn comparisons(totals: &Totals) -> String {
    let mut table = table();
    let there: Vec<usize> = (0..COMPARED.len())
        .filter(|n| *n < 3 || totals.bots.iter().any(|bot| bot.measures[*n].count() > 0))
        .collect();
    let mut head = vec!["lost by a side in a leg"];
    head.extend(there.iter().map(|n| COMPARED[*n]));
    table.set_header(head);
    for bot in &totals.bots {
        let mut row = vec![bot.name.clone()];
        let mean = |n: usize| bot.measures[n].mean().map(|mean| mean.times(of_a_side(n)));
        row.extend(there.iter().map(|n| with_interval(mean(*n), false)));
        table.add_row(row);
    }
    for ((a, b), pair) in &totals.pairs {
        let [a, b] = [a, b].map(|bot| &totals.bots[*bot].name);
        let mut row = vec![format!("{a} − {b}, paired")];
        let difference = |n: usize| pair[n].difference().map(|mean| mean.times(of_a_side(n)));
        row.extend(there.iter().map(|n| with_interval(difference(*n), true)));
        table.add_row(row);
    }
    finish(table)
}

/// The mean, the share that loses, and the mean of those.
fn cells(ratio: &Ratio, losing: u64) -> [String; 3] {
    scaled(ratio, losing, 1.0)
}

/// The same of losses in the eyes of a bot.
fn known(ratio: &Ratio, losing: u64) -> [String; 3] {
    scaled(ratio, losing, 1.0 / f64::from(PARTS))
}

#[expect(clippy::cast_precision_loss, reason = "numbers for people")]
fn scaled(ratio: &Ratio, losing: u64, by: f64) -> [String; 3] {
    let Some(mean) = ratio.mean() else { return ["–", "–", "–"].map(str::to_owned) };
    let share = 100.0 * losing as f64 / ratio.count() as f64;
    let each = if losing == 0 {
        "–".to_owned()
    } else {
        format!("{:.1}", by * ratio.sum() as f64 / losing as f64)
    };
    [with_interval(Some(mean.times(by)), false), format!("{share:.1} %"), each]
}

fn with_interval(mean: Option<Mean>, signed: bool) -> String {
    let Some(Mean { mean, half_width }) = mean else { return "–".to_owned() };
    let mean = if signed { format!("{mean:+.2}") } else { format!("{mean:.2}") };
    half_width.map_or(mean.clone(), |half| format!("{mean} ± {half:.2}"))
}
