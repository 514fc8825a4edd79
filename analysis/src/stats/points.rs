//! The points that declarers take.

use std::collections::BTreeMap;

use coinche_inference::{merge, quantile_of_counts};
use coinche_selfplay::document::columns::{BOT, CARD_POINTS, CONTRACTS, LEVEL, QUANTILE, STRAIN_KIND};
use coinche_selfplay::document::draw::{Bins, histogram};
use coinche_selfplay::records::read::record::Played;
use coinche_selfplay::{Block, Picture, Table, measured};
use serde::{Deserialize, Serialize};

use super::cells::{Average, Unit};
use super::level::{Level, or_any};
use crate::stats_hands::Kind;
use coinche_runs::job::pairs;

/// Card points of contracts of one level and kind of strain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Histogram {
    /// How often, by points.
    counts: Vec<u64>,
    mean: Average,
}

merge! { Histogram { counts, mean } }

impl Histogram {
    fn add(&mut self, unit: Unit, points: u16) {
        let at = usize::from(points);
        if self.counts.len() <= at {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] += 1;
        self.mean.add(unit, points.into());
    }

    /// Returns the smallest number of points that a share of the contracts does not exceed.
    fn quantile(&self, percent: u64) -> u64 {
        quantile_of_counts(&self.counts, percent).unwrap_or_default() as u64
    }
}

/// The points of one declarer's side; `None` stands for any level.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Points {
    #[serde(with = "pairs")]
    cells: BTreeMap<(Option<Level>, Option<Kind>), Histogram>,
}

merge! { Points { cells } }

impl Points {
    /// Adds a play of which the bot was the declarer.
    pub(super) fn add(&mut self, unit: Unit, played: &Played) {
        let points = played.card_points[played.declarers()];
        let (level, kind) = (Level::of(played.aim.value), Kind::of(played.aim.strain));
        for key in [(None, None), (Some(level), None), (None, Some(kind)), (Some(level), Some(kind))] {
            self.cells.entry(key).or_default().add(unit, points);
        }
    }
}

const PERCENTILES: [u64; 5] = [10, 25, 50, 75, 90];

/// The points of a bot's contracts of one level and kind of strain, where `None` stands for any.
type Row<'a> = (&'a str, Option<Level>, Option<Kind>, &'a Histogram);

fn rows<'a>(bots: &[(&'a str, &'a Points)]) -> impl Iterator<Item = Row<'a>> {
    bots.iter().flat_map(|(bot, points)| {
        points.cells.iter().map(|((level, kind), cell)| (*bot, *level, *kind, cell))
    })
}

fn kind_name(kind: Option<Kind>) -> &'static str {
    kind.map_or("any", Kind::name)
}

fn quantiles(bots: &[(&str, &Points)]) -> [Block; 2] {
    let caption = "Card points of the declarers by level: means and quantiles";
    let short = quantiles_of("points", caption, rows(bots).filter(|(_, _, kind, _)| kind.is_none()));
    let caption = "The same by level and kind of strain";
    let all = quantiles_of("points-strains", caption, rows(bots).filter(|(_, _, kind, _)| kind.is_some()));
    [Block::Table(short), Block::Folded(all)]
}

fn quantiles_of<'a>(name: &str, caption: &str, rows: impl Iterator<Item = Row<'a>>) -> Table {
    let mut table = Table::of(name, caption, rows)
        .text(BOT, |(bot, ..)| *bot)
        .text(LEVEL, |(_, level, ..)| or_any(*level))
        .text(STRAIN_KIND.head("strain"), |(_, _, kind, _)| kind_name(*kind))
        .count(CONTRACTS, |(.., cell)| cell.mean.count())
        .mean(CARD_POINTS.head("mean"), |(.., cell)| &cell.mean);
    for percent in PERCENTILES {
        let column = QUANTILE.called(format!("q{percent}")).head(format!("{percent} %"));
        table = table.count(column, move |(.., cell)| cell.quantile(percent));
    }
    table.build()
}

/// Returns the full distribution of points, by level and kind of strain.
fn in_full(bots: &[(&str, &Points)]) -> Block {
    let rows = rows(bots).filter(|(_, level, kind, _)| level.is_some() && kind.is_some());
    let rows = rows.flat_map(|(bot, level, kind, cell)| {
        let counts = (0u64..).zip(&cell.counts).filter(|(_, count)| **count > 0);
        counts.map(move |(points, count)| (bot, level, kind, points, *count))
    });
    let points = measured("card_points", "card points", "card points of the declarers").head("points");
    let caption = "Distribution of the declarers' card points";
    Table::of("points-histogram", caption, rows)
        .text(BOT, |(bot, ..)| *bot)
        .text(LEVEL, |(_, level, ..)| or_any(*level))
        .text(STRAIN_KIND.head("strain"), |(_, _, kind, ..)| kind_name(*kind))
        .count(points, |(.., points, _)| *points)
        .count(CONTRACTS, |(.., count)| *count)
        .folded()
}

/// Returns the table of a picture's bars: bot, middle, contracts.
fn bars<'a>(name: impl Into<String>, rows: impl IntoIterator<Item = (&'a str, u64, u64)>) -> Table {
    let middle = measured("card_points", "card points", "card points, the middle of the bar").head("points");
    Table::of(name, "", rows)
        .text(BOT.only_in_files(), |(bot, ..)| *bot)
        .count(middle, |(_, middle, _)| *middle)
        .count(CONTRACTS, |(.., count)| *count)
        .build()
}

fn picture(number: usize, bot: &str, points: &Points) -> Option<Block> {
    let cell = points.cells.get(&(None, None))?;
    let mean = cell.mean.mean()?.mean;
    let doubled: Vec<(i64, u64)> =
        (0..).step_by(2).zip(cell.counts.iter().copied()).filter(|(_, count)| *count > 0).collect();
    let bins = Bins::new(&doubled)?;
    let name = if number == 0 { "declared".to_owned() } else { format!("declared-{}", number + 1) };
    let numbers = bins.iter().map(|(middle, count)| (bot, middle.unsigned_abs(), count));
    let numbers = bars(name, numbers);
    let svg = histogram(&format!("Declarers' points, {bot}"), "card points of the declarers", &bins, mean);
    let caption = format!(
        "{bot}: distribution of card points its side takes as declarer, {} points per bar.",
        bins.width
    );
    Some(Block::Picture(Picture::new(svg, caption, numbers)))
}

/// Returns tables and pictures.
pub(super) fn blocks(bots: &[(&str, &Points)]) -> Vec<Block> {
    let mut blocks: Vec<_> =
        bots.iter().enumerate().filter_map(|(n, (bot, points))| picture(n, bot, points)).collect();
    if blocks.is_empty() {
        blocks.push(Block::Table(bars("declared", [])));
    }
    blocks.extend(quantiles(bots));
    blocks.push(in_full(bots));
    blocks
}
