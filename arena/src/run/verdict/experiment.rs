//! What is printed of more than two bots.

use std::fmt::Write as _;

use coinche_inference::Estimate;

use super::bots::{faults, played_made};
use super::verdict::scope;
use crate::base::style::{finish, table, thousands};
use crate::play::schedule::Format;
use crate::play::tally::Contracts;
use crate::run::config::RunConfig;
use crate::run::figures::JointFigures;
use crate::run::totals::Totals;

/// A bot with its number in the tables, from 1.
fn title(config: &RunConfig, bot: usize) -> String {
    format!("{} {}", bot + 1, config.bots[bot])
}

fn difference(estimate: &Estimate) -> String {
    match estimate.half_width {
        Some(half) => format!("{:+.1} ± {half:.1}", estimate.mean),
        None => format!("{:+.1}", estimate.mean),
    }
}

/// Returns who is how far ahead of whom.
pub(super) fn verdict(config: &RunConfig, totals: &Totals) -> String {
    let scope = scope(config, totals.pairs());
    if totals.pairs() == 0 {
        return format!("nothing was played: {scope}\n");
    }
    let bots = config.bots.len();
    let who = match config.format {
        Format::Gauntlet => format!("{} against each of {} bots", config.bots[0], bots - 1),
        _ => format!("{bots} bots, each against every other"),
    };
    let unit = config.unit.singular();
    let mut text = format!("{who}: {scope}\n\n");
    let _ = writeln!(text, "Points a {unit} of the bot on the left against the bot above, ± 95 %");
    let mut matrix = table();
    let rows = if config.format == Format::Gauntlet { 1 } else { bots };
    let mut header = vec![String::new()];
    header.extend((0..bots).map(|bot| (bot + 1).to_string()));
    matrix.set_header(header);
    for bot in 0..rows {
        let mut row = vec![title(config, bot)];
        row.extend((0..bots).map(|other| {
            totals.between(bot, other).map_or_else(|| "–".to_owned(), |estimate| difference(&estimate))
        }));
        matrix.add_row(row);
    }
    text.push_str(&finish(matrix));
    text
}

/// Returns the joint rating, what is not clear, and cycles; nothing of fewer than two deals.
fn ratings(config: &RunConfig, totals: &Totals) -> String {
    let Some(joint) = JointFigures::new(config, totals) else { return String::new() };
    let share =
        |share: Option<f64>| share.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", 100.0 * share));
    let has_elo = joint.bots.iter().any(|bot| bot.elo.is_some());
    let mut table = table();
    let mut header = vec!["one rating of all", "points above the mean, ± 95 %", "rated best", "Nash average"];
    if has_elo {
        header.push("Elo of matches, ± 95 %");
    }
    table.set_header(header);
    for (n, bot) in joint.bots.iter().enumerate() {
        let rating = format!("{:+.1} ± {:.1}", bot.rating, bot.half_width);
        let mut row = vec![title(config, n), rating, share(bot.best), share(bot.nash_weight)];
        if has_elo {
            let elo = bot.elo.map(|[elo, half]| format!("{elo:+.0} ± {half:.0}"));
            row.push(elo.unwrap_or_else(|| "–".to_owned()));
        }
        table.add_row(row);
    }
    let mut text = format!("\n{}", finish(table));
    let unclear: Vec<_> = joint.pairings.iter().filter(|pairing| pairing.holm > 0.05).collect();
    let of = joint.pairings.len();
    if unclear.is_empty() {
        let _ = writeln!(text, "All {of} differences are clear, corrected for their number (Holm, 5 %).");
    } else {
        let names: Vec<_> =
            unclear.iter().map(|pairing| format!("{} and {}", pairing.a + 1, pairing.b + 1)).collect();
        let names = names.join(", ");
        let _ =
            writeln!(text, "Not clear of {of} differences, corrected for their number (Holm, 5 %): {names}.");
    }
    for [a, b, c] in &joint.intransitive {
        let [a, b, c] = [a, b, c].map(|bot| bot + 1);
        let _ = writeln!(text, "A cycle: {a} beats {b}, {b} beats {c}, {c} beats {a}.");
    }
    text
}

/// Returns the table that compares the bots.
pub(super) fn bots_table(config: &RunConfig, totals: &Totals) -> String {
    let unit = config.unit.singular();
    let mut table = table();
    let mean = format!("points a {unit}, ± 95 %");
    table.set_header(["against all met", &mean, "own contracts", "faults"]);
    for bot in 0..config.bots.len() {
        let Some(side) = totals.of_bot(bot) else { continue };
        let mean = match totals.against_all(bot) {
            Some([mean, half]) => format!("{mean:+.1} ± {half:.1}"),
            None => "–".to_owned(),
        };
        let contracts = side.stakes.iter().fold(Contracts::default(), |mut all, stake| {
            all.merge(stake);
            all
        });
        table.add_row([title(config, bot), mean, played_made(&contracts), faults(&side)]);
    }
    let mut text = match config.format {
        // Strength is not the question there.
        Format::Crossplay => String::new(),
        _ => ratings(config, totals),
    };
    let _ = write!(text, "\n{}", finish(table));
    let thrown_in: u64 = totals.tallies.iter().map(|tally| tally.thrown_in).sum();
    let forfeited: u64 = totals.tallies.iter().map(|tally| tally.forfeited).sum();
    let (legs, thrown_in) = (thousands(totals.legs()), thousands(thrown_in));
    let _ =
        writeln!(text, "Of {legs} legs {thrown_in} were thrown in and {} forfeited.", thousands(forfeited));
    text
}
