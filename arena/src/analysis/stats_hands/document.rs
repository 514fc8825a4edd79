//! What is told of the classes: pictures and tables for a page, and short tables for a terminal.

use std::collections::{BTreeMap, BTreeSet};

use coinche_inference::wilson;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{GridCell, Ink, Mark, forest, grid};
use coinche_selfplay::document::model::{Block, Cell, Document, Picture, Section, Table, with_half};

use super::class::{self, HANDS, HandClass, Kind};
use super::marginal::Estimate;
use super::totals::{ALL_TRICKS, Lead, Points, Totals};

const TITLE: &str = "Hand evaluation";

/// The contracts whose chances are told: at least so many points.
const LEVELS: [usize; 9] = [80, 90, 100, 110, 120, 130, 140, 150, 160];
const PERCENTILES: [u64; 5] = [10, 25, 50, 75, 90];

/// What the figures are of.
#[derive(Debug, Clone)]
pub(crate) struct Scope {
    /// Where the deals come from, in words.
    pub(crate) deals: String,
    pub(crate) rules: String,
}

impl Scope {
    fn sentence(&self, totals: &Totals) -> String {
        format!(
            "{} deals {}, rules {}, solved {} times double dummy. Points are card points of the hand's side, including the \
             last trick.",
            thousands(totals.deals),
            self.deals,
            self.rules,
            thousands(totals.rows)
        )
    }
}

/// A share with its interval, where the deals are what is independent.
fn chance(points: &Points, least: usize) -> Option<[f64; 3]> {
    #[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
    let share = points.at_least(least) as f64 / points.count() as f64;
    let deals = points.mean.deals;
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count"
    )]
    let part = (share * deals as f64).round() as u64;
    let [low, high] = wilson(part, deals, 0.95)?;
    Some([share, low.min(share), high.max(share)])
}

/// The table of all classes: a row for each class and lead.
fn classes(totals: &Totals) -> Table {
    let mut columns = vec![
        Column::text("strain_kind").head("strain"),
        Column::text("holding").head("trumps or tops"),
        Column::text("rest"),
        Column::count("tops"),
        Column::count("behind"),
        Column::count("third"),
        Column::count("voids"),
        Column::count("class_hands"),
        Column::text("lead"),
        Column::count("hands"),
        Column::count("deals"),
        Column::estimate("card_points").head("points"),
    ];
    columns.extend(PERCENTILES.map(|percent| Column::count(&format!("q{percent}"))));
    columns.extend(LEVELS.map(|level| Column::estimate(&format!("p{level}"))));
    columns.push(Column::estimate("capot"));
    let caption = format!(
        "Hand classes. Class hands: how many of the {} possible hands are in the class; hands: those seen, in that many deals; q: quantiles of the points; p: chance of at least that many points, or of all tricks, with 95 % confidence \
         intervals (the deal is the unit).",
        thousands(HANDS)
    );
    let mut table = Table::new("hands", caption, &columns);
    for kind in Kind::ALL {
        for (class, hands) in class::count_hands(kind) {
            let Some(cells) = totals.classes.get(&class) else { continue };
            for lead in Lead::ALL {
                let points = &cells[lead as usize];
                let Some(mean) = points.mean.mean() else { continue };
                let mut row =
                    vec![Cell::text(kind.name()), Cell::text(class.holding()), Cell::text(class.rest())];
                row.extend(class.numbers().map(|number| Cell::Count(number.into())));
                row.extend([Cell::Count(hands), Cell::text(lead.name())]);
                row.extend([
                    Cell::Count(points.count()),
                    Cell::Count(points.mean.deals),
                    Cell::mean(mean.mean, mean.half_width, 1),
                ]);
                for percent in PERCENTILES {
                    let points = points.quantile(percent).min(totals.all_points());
                    row.push(Cell::Count(points as u64));
                }
                let levels = LEVELS.into_iter().chain([ALL_TRICKS]);
                row.extend(levels.map(|level| Cell::maybe(chance(points, level), Cell::rate)));
                table.rows.push(row);
            }
        }
    }
    table
}

/// Some classes added up, for a picture.
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

    #[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
    fn mean(&self) -> f64 {
        self.points as f64 / self.count as f64
    }

    #[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
    fn share(&self, level: usize) -> f64 {
        self.reached[level] as f64 / self.count as f64
    }
}

/// Rows for people, by the trumps or tops with their place, and columns, by the aces aside or the longest suit.
type Rows = BTreeMap<(usize, String), BTreeMap<String, Sum>>;

/// Adds classes up to rows and columns for people; the columns come first.
fn by_two(totals: &Totals, kind: Kind) -> (Vec<String>, Rows) {
    let mut columns = BTreeSet::new();
    let mut rows = Rows::new();
    // The classes in order; a holding has the place of its first class.
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

/// Below so many hands a cell is drawn pale.
const FEW: u64 = 100;
/// The level whose chances the pictures show.
const SHOWN: usize = 1;

fn picture(totals: &Totals, kind: Kind) -> Block {
    let (columns, rows) = by_two(totals, kind);
    let heads = [
        Column::text("strain_kind").only_in_files(),
        Column::text("holding").head("trumps or tops"),
        Column::text("rest").head("beside"),
        Column::count("hands"),
        Column::number("card_points").head("mean"),
        Column::number("p80"),
        Column::number("p90"),
        Column::number("p100"),
        Column::number("p120"),
    ];
    let mut numbers = Table::new(format!("hands-{}", kind.name().to_lowercase()), "", &heads);
    if rows.is_empty() {
        return Block::Table(numbers);
    }
    let mut drawn = Vec::new();
    for ((_, holding), sums) in &rows {
        let mut cells = vec![GridCell::default(); columns.len()];
        for (column, cell) in columns.iter().zip(&mut cells) {
            let Some(sum) = sums.get(column).filter(|sum| sum.count > 0) else { continue };
            let share = sum.share(SHOWN);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 8")]
            let step = (share * 9.0).floor().clamp(0.0, 8.0) as u8;
            *cell = GridCell {
                shade: format!("s{step}{}", if sum.count < FEW { " few" } else { "" }),
                text: format!("{:.0} %", 100.0 * share),
                below: format!("{:.0}", sum.mean()),
                tip: format!("{holding}, {column}: {} hands, mean {:.1}", thousands(sum.count), sum.mean()),
            };
            let mut row =
                vec![Cell::text(kind.name()), Cell::text(holding.clone()), Cell::text(column.clone())];
            row.extend([Cell::Count(sum.count), Cell::Plain(sum.mean())]);
            row.extend([0, 1, 2, 4].map(|level| Cell::Share(sum.share(level))));
            numbers.rows.push(row);
        }
        drawn.push((holding.clone(), cells));
    }
    let svg = grid(&format!("Hands in {}", kind.name()), &columns, &drawn);
    let caption = format!(
        "Chance that the side takes at least {} points, double dummy; below, its mean points, whoever leads. {}. Dashed \
         outline: fewer than {FEW} hands.",
        LEVELS[SHOWN],
        match kind {
            Kind::Suit => "Rows: jack, nine and ace of trumps held + other trumps; columns: side aces",
            Kind::NoTrump => "Rows: aces, and tens with their ace; columns: cards of the longest suit",
            Kind::AllTrump => "Rows: jacks, and nines with their jack; columns: cards of the longest suit",
        }
    );
    Block::Picture(Picture::new(svg, caption, numbers))
}

/// What single cards are worth.
fn cards(totals: &Totals, kind: Kind) -> Block {
    let name = format!("cards-{}", kind.name().to_lowercase());
    let heads = [
        Column::text("strain_kind").only_in_files(),
        Column::text("what"),
        Column::estimate("card_points").head("points"),
    ];
    let mut numbers = Table::new(name, "", &heads);
    let Some(estimates) = totals.marginals.get(&kind).and_then(super::marginal::Marginal::estimates) else {
        return Block::Table(numbers);
    };
    let mut marks = Vec::new();
    for (at, estimate) in estimates.iter().enumerate() {
        let half = estimate.half_width;
        let row = [Cell::text(kind.name()), Cell::text(estimate.name.clone())];
        let points = Cell::estimate(estimate.points, Some(half), 1);
        numbers.rows.push(row.into_iter().chain([points]).collect());
        // The constant is of another size.
        if at > 0 {
            marks.push(Mark {
                label: estimate.name.clone(),
                shown: with_half(estimate.points, Some(half)),
                mean: estimate.points,
                interval: Some([estimate.points - half, estimate.points + half]),
                ink: Ink::of(estimate.points, Some(half)),
            });
        }
    }
    let svg = forest(&format!("Worth of cards in {}", kind.name()), "points", &marks);
    let caption = format!(
        "Points each card or feature adds to the side when it replaces {} (least squares over all hands), with 95 % jackknife \
         confidence intervals.",
        if kind == Kind::Suit { "the seven of another suit" } else { "a seven" }
    );
    Block::Picture(Picture::new(svg, caption, numbers))
}

const fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::Suit => "Suit contracts",
        Kind::NoTrump => "No trump (SA)",
        Kind::AllTrump => "All trump (TA)",
    }
}

/// Returns everything as sections of pictures and tables.
pub(crate) fn document(scope: &Scope, totals: &Totals) -> Document {
    let mut sections = Vec::new();
    for kind in Kind::ALL {
        let blocks = vec![picture(totals, kind), cards(totals, kind)];
        let id = kind.name().to_lowercase();
        sections.push(Section { id, title: title(kind).to_owned(), blocks });
    }
    let blocks = vec![Block::Table(classes(totals))];
    sections.push(Section { id: "classes".to_owned(), title: "All hand classes".to_owned(), blocks });
    Document {
        title: TITLE.to_owned(),
        command: "stats hands",
        verdicts: vec!["What hands take, double dummy.".to_owned()],
        scope: vec![scope.sentence(totals)],
        sections,
    }
}

/// Returns what a person reads at a terminal: for each kind the classes in short, and what single cards are worth.
pub(crate) fn brief(scope: &Scope, totals: &Totals) -> Document {
    let mut blocks = Vec::new();
    for kind in Kind::ALL {
        let (columns, rows) = by_two(totals, kind);
        if rows.is_empty() {
            continue;
        }
        let mut heads = vec![format!("{}: chance of {}, mean", kind.name(), LEVELS[SHOWN])];
        heads.extend(columns.iter().cloned());
        let mut table = Table::new(format!("hands-{}", kind.name().to_lowercase()), "", &heads);
        for ((_, holding), sums) in &rows {
            let cell = |column: &String| match sums.get(column).filter(|sum| sum.count > 0) {
                Some(sum) => Cell::Figures(format!("{:.0} % {:.0}", 100.0 * sum.share(SHOWN), sum.mean())),
                None => Cell::Empty,
            };
            let name = Cell::text(holding.clone());
            table.rows.push(std::iter::once(name).chain(columns.iter().map(cell)).collect());
        }
        blocks.push(Block::Table(table));
        if let Some(estimates) = totals.marginals.get(&kind).and_then(super::marginal::Marginal::estimates) {
            let line = |it: &Estimate| format!("{:+6.1} ± {:.1}  {}", it.points, it.half_width, it.name);
            blocks.push(Block::Items(estimates.iter().map(line).collect()));
        }
    }
    Document { scope: vec![scope.sentence(totals)], ..Document::of_blocks(TITLE, blocks) }
}
