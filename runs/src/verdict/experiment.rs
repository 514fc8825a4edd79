//! The verdict on more than two bots.

use coinche_selfplay::document::pairings::matrix;
use coinche_selfplay::{Block, Cell, Column, Format, Table, thousands};

use super::bots::{faults, played_made};
use super::contracts::sum_of;
use super::pairs::scope;
use crate::config::RunConfig;
use crate::figures::{JointFigures, Mean, Opponents, SplitFigures};
use crate::totals::Totals;

/// Formats a bot with its number in the tables, from 1.
fn title(config: &RunConfig, bot: usize) -> String {
    format!("{} {}", bot + 1, config.bots[bot])
}

/// Returns the scope and the tables of the differences.
pub(super) fn verdict(config: &RunConfig, totals: &Totals) -> (String, Vec<Block>) {
    let scope = scope(config, totals.pairs());
    if totals.pairs() == 0 {
        return (format!("no deals were played: {scope}"), Vec::new());
    }
    let bots = config.bots.len();
    let who = match config.format {
        Format::Gauntlet => format!("{} against each of {} bots", config.bots[0], bots - 1),
        _ => format!("{bots} bots, each against every other"),
    };
    let unit = config.unit.singular();
    let caption = format!("Points per {unit} of the bot on the left against the bot above, ± 95 %");
    let rows = if config.format == Format::Gauntlet { 1 } else { bots };
    let between = |bot, other| totals.between(bot, other);
    let matrix = matrix("matrix", &caption, [0..rows, 0..bots], |bot| title(config, bot), between);
    let blocks = [split(config, totals), Some(matrix), opponents(config, totals)];
    let blocks = blocks.into_iter().flatten().map(Block::Table);
    (format!("{who}: {scope}"), blocks.collect())
}

/// Splits the difference of two bots into bidding and card play.
fn split(config: &RunConfig, totals: &Totals) -> Option<Table> {
    let figures = SplitFigures::new(config, totals)?;
    let [a, b] = [0, 1].map(|bot| &config.bots[bot]);
    let caption = format!(
        "{a} − {b} in points per {}, ± 95 %: the shares of bidding and of card play (Shapley values)",
        config.unit.singular()
    );
    let rows = figures.rows();
    let table = Table::of("split", caption, &rows);
    Some(table.text("", |(half, _)| *half).estimate("points", |(_, points)| *points).build())
}

/// Compares every two opponents of a gauntlet: both have played the same deals against the same bot.
fn opponents(config: &RunConfig, totals: &Totals) -> Option<Table> {
    let found = Opponents::of(config, totals);
    if found.is_empty() {
        return None;
    }
    let caption = format!(
        "Points per {} of the bot on the left less those of the bot above, both against {}, ± 95 %",
        config.unit.singular(),
        config.bots[0]
    );
    let of = |a, b| found.iter().find(|found| (found.a, found.b) == (a, b)).map(|found| found.points);
    let points = |bot, other| of(bot, other).or_else(|| of(other, bot).map(Mean::reversed));
    let bots = 1..config.bots.len();
    Some(matrix("opponents", &caption, [bots.clone(), bots], |bot| title(config, bot), points))
}

/// Returns the joint rating, with notes on undecided differences and cycles; empty for fewer than two deals.
pub(super) fn ratings(config: &RunConfig, totals: &Totals) -> Vec<Block> {
    let Some(joint) = JointFigures::new(config, totals) else { return Vec::new() };
    let has_elo = joint.bots.iter().any(|bot| bot.elo.is_some());
    let elo = Column::from("Elo of matches, ± 95 %").shown_if(has_elo);
    let table = Table::of("ratings", "", joint.bots.iter().enumerate())
        .text("rating", |(n, _)| title(config, *n))
        .estimate("points above the mean, ± 95 %", |(_, bot)| (bot.rating, bot.half_width))
        .share("rated best", |(_, bot)| bot.best)
        .share("Nash average", |(_, bot)| bot.nash_weight)
        .interval(elo, |(_, bot)| bot.elo.map(|[elo, half]| Cell::estimate(elo, Some(half), 0)))
        .build();
    let unclear: Vec<_> = joint.pairings.iter().filter(|pairing| pairing.holm > 0.05).collect();
    let of = joint.pairings.len();
    let clear = if unclear.is_empty() {
        format!("All {of} differences are significant at 5 % (Holm correction).")
    } else {
        let names: Vec<_> =
            unclear.iter().map(|pairing| format!("{} and {}", pairing.a + 1, pairing.b + 1)).collect();
        let names = names.join(", ");
        format!("Not significant at 5 % (Holm correction), of {of} differences: {names}.")
    };
    let mut blocks = vec![Block::Table(table), Block::Text(clear)];
    for [a, b, c] in &joint.intransitive {
        let [a, b, c] = [a, b, c].map(|bot| bot + 1);
        blocks.push(Block::Text(format!("Cycle: {a} beats {b}, {b} beats {c}, {c} beats {a}.")));
    }
    blocks
}

/// Returns the sentence on how many pairs of each encounter differ.
fn differing(totals: &Totals) -> String {
    let each = totals.encounters.iter().zip(&totals.tallies).map(|(encounter, tally)| {
        format!("{} ({}–{})", thousands(tally.points.differing), encounter.a + 1, encounter.b + 1)
    });
    let each: Vec<_> = each.collect();
    format!("Pairs that differ, of {} each: {}.", thousands(totals.pairs()), each.join(", "))
}

/// Returns the tables that compare the bots.
pub(super) fn blocks(config: &RunConfig, totals: &Totals) -> [Block; 2] {
    let mean = format!("points per {}, ± 95 %", config.unit.singular());
    let rows = (0..config.bots.len()).filter_map(|bot| Some((bot, totals.of_bot(bot)?)));
    let table = Table::of("bots", "", rows)
        .text("against all opponents", |(bot, _)| title(config, *bot))
        .estimate(mean, |(bot, _)| totals.against_all(*bot))
        .shown("own contracts", |(_, side)| played_made(&sum_of(&side.stakes)))
        .shown("faults", |(_, side)| faults(side))
        .build();
    let thrown_in: u64 = totals.tallies.iter().map(|tally| tally.thrown_in).sum();
    let forfeited: u64 = totals.tallies.iter().map(|tally| tally.forfeited).sum();
    let (legs, thrown_in) = (thousands(totals.legs()), thousands(thrown_in));
    let legs =
        format!("{thrown_in} of {legs} legs were passed out, {} were forfeited.", thousands(forfeited));
    [Block::Table(table), Block::Text(format!("{legs} {}", differing(totals)))]
}
