//! The results by class: pictures and tables for a page, and short tables for a terminal.

use std::collections::{BTreeMap, BTreeSet};

use coinche_inference::ratio::Mean;
use coinche_inference::wilson;
use coinche_selfplay::document::columns::{HANDS as SEEN, HOLDING, QUANTILE, REST, STRAIN_KIND, VOIDS};
use coinche_selfplay::document::draw::{GridCell, Mark, forest, grid, shade};
use coinche_selfplay::{
    Block, Cell, Column, Document, Picture, Section, Table, measured, named, plus_minus, thousands,
};

use super::class::{self, HANDS, HandClass, Kind};
use super::marginal::Estimate;
use super::totals::{ALL_TRICKS, LEADS, Points, Totals};

const TITLE: &str = "Hand evaluation";

/// The contracts whose chances are reported, in points.
const LEVELS: [usize; 9] = [80, 90, 100, 110, 120, 130, 140, 150, 160];
const PERCENTILES: [u64; 5] = [10, 25, 50, 75, 90];

/// The source of the figures.
#[derive(Debug, Clone)]
pub struct Scope {
    /// The source of the deals, in words.
    pub deals: String,
    /// The rules in words.
    pub rules: String,
}

impl Scope {
    fn sentence(&self, totals: &Totals) -> String {
        let (Self { deals, rules }, [number, rows]) = (self, [totals.deals, totals.rows].map(thousands));
        format!(
            "{number} deals {deals}, rules {rules}, solved {rows} times double dummy. Points are card points of the hand's \
             side, including the last trick."
        )
    }
}

/// Returns a share with its interval, with the deal as the unit.
fn chance(points: &Points, least: usize) -> Option<[f64; 3]> {
    let share = points.at_least(least) as f64 / points.count() as f64;
    let deals = points.mean.deals;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    let part = (share * deals as f64).round() as u64;
    let [low, high] = wilson(part, deals, 0.95)?;
    Some([share, low.min(share), high.max(share)])
}

const BEST_PLAY: Column =
    measured("card_points", "card points", "mean card points of the side with best play of all");
const CHANCE: Column = named("p", "chance of so many card points or more with best play of all");

/// The hands of one class and lead.
struct Row<'a> {
    class: HandClass,
    hands: u64,
    lead: &'static str,
    points: &'a Points,
    mean: Mean,
}

/// Returns the table of all classes: a row for each class and lead.
fn classes(totals: &Totals) -> Table {
    let caption = format!(
        "Hand classes. Class hands: how many of the {} possible hands are in the class; hands: those seen, in that many deals; q: quantiles of the points; p: chance of at least that many points, or of all tricks, with 95 % confidence \
         intervals (the deal is the unit).",
        thousands(HANDS)
    );
    let classes = Kind::ALL.into_iter().flat_map(class::count_hands);
    let rows = classes.filter_map(|(class, hands)| Some((class, hands, totals.classes.get(&class)?)));
    let rows = rows.flat_map(|(class, hands, cells)| {
        LEADS.into_iter().zip(cells).filter_map(move |(lead, points)| {
            Some(Row { class, hands, lead, points, mean: points.mean.mean()? })
        })
    });
    let tops = named("tops", "trumps: jack 4, nine 2, ace 1, added up; SA: aces; TA: jacks");
    let behind = named("behind", "all trumps; SA: tens behind an ace; TA: nines behind a jack");
    let third = named("third", "aces of other suits; SA, TA: cards of the longest suit");
    let mut table = Table::of("hands", caption, rows)
        .text(STRAIN_KIND.head("strain"), |row| row.class.kind().name())
        .text(HOLDING.head("trumps or tops"), |row| row.class.holding())
        .text(REST, |row| row.class.rest())
        .count(tops, |row| row.class.numbers()[0])
        .count(behind, |row| row.class.numbers()[1])
        .count(third, |row| row.class.numbers()[2])
        .count(VOIDS, |row| row.class.numbers()[3])
        .count(named("class_hands", "hands of the class among all 10,518,300"), |row| row.hands)
        .text(named("lead", "who leads first: `own` hand or `other`"), |row| row.lead)
        .count(SEEN, |row| row.points.count())
        .count(named("deals", "deals in which the hands were"), |row| row.points.mean.deals)
        .mean(BEST_PLAY.head("points"), |row| row.mean);
    for percent in PERCENTILES {
        table = table.count(QUANTILE.called(format!("q{percent}")), move |row| {
            row.points.quantile(percent).unwrap_or_else(|| totals.all_points())
        });
    }
    for level in LEVELS {
        table = table.rate(CHANCE.called(format!("p{level}")), move |row| chance(row.points, level));
    }
    table.rate(named("capot", "chance to take all tricks"), |row| chance(row.points, ALL_TRICKS)).build()
}

/// The sum of some classes, for a picture.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    count: u64,
    points: i64,
    /// By [`LEVELS`].
    reached: [u64; LEVELS.len()],
}

impl Sum {
    fn add(&mut self, points: &Points) {
        self.count += points.count();
        self.points += points.mean.sum();
        for (reached, level) in self.reached.iter_mut().zip(LEVELS) {
            *reached += points.at_least(level);
        }
    }

    fn mean(&self) -> f64 {
        self.points as f64 / self.count as f64
    }

    fn share(&self, level: usize) -> f64 {
        self.reached[level] as f64 / self.count as f64
    }
}

/// Rows by trumps or tops, with their sort position, and columns by side aces or the longest suit.
type Rows = BTreeMap<(usize, String), BTreeMap<String, Sum>>;

/// Adds up classes to rows and columns for people; the columns come first.
fn by_two(totals: &Totals, kind: Kind) -> (Vec<String>, Rows) {
    let mut columns = BTreeSet::new();
    let mut rows = Rows::new();
    // The classes in order; a holding is placed at its first class.
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (class, cells) in totals.classes.iter().rev().filter(|(class, _)| class.kind() == kind) {
        let next = places.len();
        let place = *places.entry(class.holding()).or_insert(next);
        let column = column_of(*class);
        columns.insert(column.clone());
        let sum = rows.entry((place, class.holding())).or_default().entry(column).or_default();
        cells.iter().filter(|points| points.count() > 0).for_each(|points| sum.add(points));
    }
    (columns.into_iter().collect(), rows)
}

fn column_of(class: HandClass) -> String {
    let [.., third, _] = class.numbers();
    match class.kind() {
        Kind::Suit if third == 1 => "1 ace".to_owned(),
        Kind::Suit => format!("{third} aces"),
        _ => format!("longest {third}"),
    }
}

/// A cell with fewer hands is drawn pale.
const FEW: u64 = 100;
/// The level whose chances the pictures show.
const SHOWN: usize = 1;

fn picture(totals: &Totals, kind: Kind) -> Block {
    let (columns, rows) = by_two(totals, kind);
    let name = format!("hands-{}", kind.name().to_lowercase());
    if rows.is_empty() {
        return Block::Table(sums_table(name, kind, Vec::new()));
    }
    let (mut numbers, mut drawn) = (Vec::new(), Vec::new());
    for ((_, holding), sums) in &rows {
        let mut cells = vec![GridCell::default(); columns.len()];
        for (column, cell) in columns.iter().zip(&mut cells) {
            let Some(sum) = sums.get(column).filter(|sum| sum.count > 0) else { continue };
            let share = sum.share(SHOWN);
            *cell = GridCell {
                shade: shade(share, sum.count < FEW),
                text: format!("{:.0} %", 100.0 * share),
                below: format!("{:.0}", sum.mean()),
                tip: format!("{holding}, {column}: {} hands, mean {:.1}", thousands(sum.count), sum.mean()),
            };
            numbers.push((holding.clone(), column.clone(), *sum));
        }
        drawn.push((holding.clone(), cells));
    }
    let svg = grid(&format!("Hands in {}", kind.name()), &columns, &drawn);
    let sides = match kind {
        Kind::Suit => "Rows: jack, nine and ace of trumps held + other trumps; columns: side aces",
        Kind::NoTrump => "Rows: aces, and tens with their ace; columns: cards of the longest suit",
        Kind::AllTrump => "Rows: jacks, and nines with their jack; columns: cards of the longest suit",
    };
    let caption = format!(
        "Chance that the side takes at least {} points, double dummy; below, its mean points, whoever leads. {sides}. Dashed \
         outline: fewer than {FEW} hands.",
        LEVELS[SHOWN]
    );
    Block::Picture(Picture::new(svg, caption, sums_table(name, kind, numbers)))
}

/// Returns the numbers of a picture.
fn sums_table(name: String, kind: Kind, rows: Vec<(String, String, Sum)>) -> Table {
    let mut table = Table::of(name, "", rows)
        .text(STRAIN_KIND.only_in_files(), move |_| kind.name())
        .text(HOLDING.head("trumps or tops"), |(holding, ..)| holding.clone())
        .text(REST.head("beside"), |(_, rest, _)| rest.clone())
        .count(SEEN, |(.., sum)| sum.count)
        .plain(BEST_PLAY.head("mean"), |(.., sum)| sum.mean());
    for level in [0, 1, 2, 4] {
        table = table.share(CHANCE.called(format!("p{}", LEVELS[level])), move |(.., sum)| sum.share(level));
    }
    table.build()
}

/// Returns the value of single cards.
fn cards(totals: &Totals, kind: Kind) -> Block {
    let name = format!("cards-{}", kind.name().to_lowercase());
    let estimates = totals.marginals.get(&kind).and_then(super::marginal::Marginal::estimates);
    let worth = measured("card_points", "card points", "card points that it adds to the side").head("points");
    let numbers = Table::of(name, "", estimates.iter().flatten())
        .text(STRAIN_KIND.only_in_files(), |_| kind.name())
        .text(named("what", "the card, or what else counts"), |estimate| estimate.name.clone())
        .estimate(worth, |estimate| (estimate.points, Some(estimate.half_width)))
        .build();
    let Some(estimates) = estimates else {
        return Block::Table(numbers);
    };
    // The constant, which is first, is of another magnitude.
    let mark = |it: &Estimate| Mark::of(&it.name, (it.points, Some(it.half_width)));
    let marks: Vec<_> = estimates.iter().skip(1).filter_map(mark).collect();
    let svg = forest(&format!("Worth of cards in {}", kind.name()), "points", &marks);
    let caption = format!(
        "Points each card or feature adds to the side when it replaces {} (least squares over all hands), with 95 % jackknife \
         confidence intervals.",
        if kind == Kind::Suit { "the seven of another suit" } else { "a seven" }
    );
    Block::Picture(Picture::new(svg, caption, numbers))
}

const TITLES: [&str; 3] = ["Suit contracts", "No trump (SA)", "All trump (TA)"];

/// Returns everything as sections of pictures and tables.
pub fn document(scope: &Scope, totals: &Totals) -> Document {
    let mut sections = Vec::new();
    for (kind, title) in Kind::ALL.into_iter().zip(TITLES) {
        let blocks = vec![picture(totals, kind), cards(totals, kind)];
        sections.push(Section::new(kind.name().to_lowercase(), title, blocks));
    }
    let blocks = vec![Block::Table(classes(totals))];
    sections.push(Section::new("classes", "All hand classes", blocks));
    Document {
        title: TITLE.to_owned(),
        command: "stats hands",
        verdicts: vec!["What hands take, double dummy.".to_owned()],
        scope: vec![scope.sentence(totals)],
        sections,
        ..Document::default()
    }
}

/// Returns the terminal output: for each kind the classes in brief, and the value of single cards.
pub fn brief(scope: &Scope, totals: &Totals) -> Document {
    let mut blocks = Vec::new();
    for kind in Kind::ALL {
        let (columns, rows) = by_two(totals, kind);
        if rows.is_empty() {
            continue;
        }
        let head = format!("{}: chance of {}, mean", kind.name(), LEVELS[SHOWN]);
        let mut table = Table::of(format!("hands-{}", kind.name().to_lowercase()), "", &rows)
            .shown(head, |((_, holding), _)| Cell::text(holding.clone()));
        for column in &columns {
            table = table.shown(column.clone(), move |(_, sums)| {
                match sums.get(column).filter(|sum| sum.count > 0) {
                    Some(sum) => {
                        Cell::Figures(format!("{:.0} % {:.0}", 100.0 * sum.share(SHOWN), sum.mean()))
                    }
                    None => Cell::Empty,
                }
            });
        }
        let table = table.build();
        blocks.push(Block::Table(table));
        if let Some(estimates) = totals.marginals.get(&kind).and_then(super::marginal::Marginal::estimates) {
            let line =
                |it: &Estimate| format!("{:+6.1}{}  {}", it.points, plus_minus(it.half_width, 1), it.name);
            blocks.push(Block::Items(estimates.iter().map(line).collect()));
        }
    }
    Document { scope: vec![scope.sentence(totals)], ..Document::of_blocks(TITLE, blocks) }
}
