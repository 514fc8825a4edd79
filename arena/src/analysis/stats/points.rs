//! How many points the declarers take.

use std::collections::BTreeMap;

use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{Bins, histogram};
use coinche_selfplay::document::model::{Block, Cell, Picture, Table};
use coinche_selfplay::records::read::record::Played;
use serde::{Deserialize, Serialize};

use super::cells::{Average, Merge, Unit};
use super::columns;
use super::level::Level;
use crate::analysis::stats_hands::Kind;
use crate::run::part::pairs;

/// Card points of contracts of one level and kind of strain.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Histogram {
    /// How often, by points.
    counts: Vec<u64>,
    mean: Average,
}

impl Histogram {
    fn add(&mut self, unit: Unit, points: u16) {
        let at = usize::from(points);
        if self.counts.len() <= at {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] += 1;
        self.mean.add(unit, points.into());
    }

    /// Returns the least number of points that a share of the contracts does not exceed.
    fn quantile(&self, percent: u64) -> u64 {
        let wanted = (self.counts.iter().sum::<u64>() * percent).div_ceil(100).max(1);
        let mut sum = 0;
        let reached = self.counts.iter().position(|count| {
            sum += count;
            sum >= wanted
        });
        reached.unwrap_or_default() as u64
    }
}

impl Merge for Histogram {
    fn absorb(&mut self, other: &Self) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        self.counts.iter_mut().zip(&other.counts).for_each(|(own, other)| own.absorb(other));
        self.mean.absorb(&other.mean);
    }
}

/// The points of one declarer's side; of any level at `None`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Points {
    #[serde(with = "pairs")]
    cells: BTreeMap<(Option<Level>, Option<Kind>), Histogram>,
}

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

impl Merge for Points {
    fn absorb(&mut self, other: &Self) {
        self.cells.absorb(&other.cells);
    }
}

const PERCENTILES: [u64; 5] = [10, 25, 50, 75, 90];

fn names(level: Option<Level>, kind: Option<Kind>) -> [Cell; 2] {
    let level = level.map_or_else(|| "any".to_owned(), |level| level.to_string());
    [Cell::text(level), Cell::text(kind.map_or("any", Kind::name))]
}

fn quantiles(bots: &[(&str, &Points)]) -> [Block; 2] {
    let mut heads = vec![
        Column::text("bot"),
        Column::text("level"),
        Column::text("strain_kind").head("strain"),
        Column::count("contracts"),
        Column::estimate("card_points").head("mean"),
    ];
    heads.extend(
        PERCENTILES.map(|percent| Column::count(&format!("q{percent}")).head(format!("{percent} %"))),
    );
    let caption = "Card points of the declarers by level: means and quantiles";
    let mut short = Table::new("points", caption, &heads);
    let mut all = Table::new("points-strains", "The same by level and kind of strain", &heads);
    for (bot, points) in bots {
        for ((level, kind), cell) in &points.cells {
            let mut row = vec![Cell::text(*bot)];
            row.extend(names(*level, *kind));
            row.push(Cell::Count(cell.mean.count()));
            row.push(columns::mean(&cell.mean));
            row.extend(PERCENTILES.map(|percent| Cell::Count(cell.quantile(percent))));
            if kind.is_none() { &mut short } else { &mut all }.rows.push(row);
        }
    }
    [Block::Table(short), Block::Folded(all)]
}

/// How often which number of points, by level and kind of strain.
fn in_full(bots: &[(&str, &Points)]) -> Block {
    let heads = [
        Column::text("bot"),
        Column::text("level"),
        Column::text("strain_kind").head("strain"),
        Column::count("card_points").head("points"),
        Column::count("contracts"),
    ];
    let mut table = Table::new("points-histogram", "Distribution of the declarers' card points", &heads);
    for (bot, points) in bots {
        for ((level, kind), cell) in
            points.cells.iter().filter(|((level, kind), _)| level.is_some() && kind.is_some())
        {
            for (points, count) in (0..).zip(&cell.counts).filter(|(_, count)| **count > 0) {
                let mut row = vec![Cell::text(*bot)];
                row.extend(names(*level, *kind));
                row.extend([Cell::Count(points), Cell::Count(*count)]);
                table.rows.push(row);
            }
        }
    }
    Block::Folded(table)
}

fn declared_columns() -> [Column; 3] {
    [
        Column::text("bot").only_in_files(),
        Column::count("card_points").head("points"),
        Column::count("contracts"),
    ]
}

fn picture(number: usize, bot: &str, points: &Points) -> Option<Block> {
    let cell = points.cells.get(&(None, None))?;
    let mean = cell.mean.mean()?.mean;
    let doubled: Vec<(i64, u64)> =
        (0..).step_by(2).zip(cell.counts.iter().copied()).filter(|(_, count)| *count > 0).collect();
    let bins = Bins::new(&doubled)?;
    let name = if number == 0 { "declared".to_owned() } else { format!("declared-{}", number + 1) };
    let mut numbers = Table::new(name, "", &declared_columns());
    for (middle, count) in bins.iter() {
        numbers.rows.push(vec![Cell::text(bot), Cell::Count(middle.unsigned_abs()), Cell::Count(count)]);
    }
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
        blocks.push(Block::Table(Table::new("declared", "", &declared_columns())));
    }
    blocks.extend(quantiles(bots));
    blocks.push(in_full(bots));
    blocks
}
