//! The first calls of bots as tables and pictures.

use std::collections::{BTreeMap, BTreeSet};

use coinche_engine::Rank;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{GridCell, grid};
use coinche_selfplay::document::model::{Block, Cell, Picture, Table};

use super::{ANY, Class, Opened, Openings};
use crate::analysis::stats::cells::Merge;
use crate::analysis::stats::columns;
use crate::analysis::stats::contracts::position_name;

/// A table to learn by heart: holdings by rows, aces by columns.
type Sums = BTreeMap<(usize, String), BTreeMap<u8, Class>>;

/// Adds classes that differ in their voids alone; the strongest trumps come first.
fn by_holding(openings: &Openings) -> Sums {
    let mut sums = Sums::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for ((_, class), cell) in openings.classes.iter().rev().filter(|((position, _), _)| *position == ANY) {
        let next = places.len();
        let place = *places.entry(class.holding()).or_insert(next);
        let [_, _, aces, _] = class.numbers();
        sums.entry((place, class.holding())).or_default().entry(aces).or_default().absorb(cell);
    }
    sums
}

const ACES: [&str; 4] = ["no ace", "1 ace", "2 aces", "3 aces"];
/// Below so many hands a cell is drawn pale.
const FEW: u64 = 30;
/// Of holdings with fewer hands the short table says nothing.
const RARE: u64 = 20;

/// What is said most often with how often, in few letters.
fn in_short(class: &Class) -> Option<String> {
    let (call, count) = class.most()?;
    let [share, ..] = class.passed.of_part(count)?;
    Some(format!("{call} {:.0} %", 100.0 * share))
}

/// The table that a person can learn.
fn memory(bots: &[(&str, &Openings)]) -> Option<Block> {
    let heads: Vec<_> = ["bot", "best suit", "hands", "passes"].into_iter().chain(ACES).collect();
    let caption = format!(
        "Opening calls by holding in the best suit and number of side aces: the most frequent call and its share; holdings \
         with at least {RARE} hands"
    );
    let mut table = Table::new("openings", caption, &heads);
    for (bot, openings) in bots {
        for ((_, holding), by_aces) in by_holding(openings) {
            let mut all = Class::default();
            for class in by_aces.values() {
                all.absorb(class);
            }
            if all.passed.count() < RARE {
                continue;
            }
            let mut row = vec![Cell::text(*bot), Cell::text(holding), Cell::Count(all.passed.count())];
            row.push(columns::share(&all.passed));
            for aces in 0u8..4 {
                row.push(Cell::maybe(by_aces.get(&aces).and_then(in_short), Cell::text));
            }
            table.rows.push(row);
        }
    }
    (!table.rows.is_empty()).then_some(Block::Display(table))
}

/// Every class at every place, with what is said most.
fn classes(bots: &[(&str, &Openings)]) -> Block {
    let heads = [
        Column::text("bot"),
        Column::text("position"),
        Column::text("holding").head("best suit"),
        Column::count("trumps"),
        Column::count("aces"),
        Column::count("voids"),
        Column::count("hands"),
        Column::estimate("passed").head("passes"),
        Column::text("call").head("says"),
        Column::estimate("share"),
        Column::number("trials"),
    ];
    let caption = "Opening calls by hand class and position in the auction";
    let mut table = Table::new("opening-classes", caption, &heads);
    for (bot, openings) in bots {
        for ((position, class), cell) in &openings.classes {
            let [_, trumps, aces, voids] = class.numbers().map(|number| Cell::Count(number.into()));
            let mut row =
                vec![Cell::text(*bot), Cell::text(position_name(*position)), Cell::text(class.holding())];
            row.extend([trumps, aces, voids, Cell::Count(cell.passed.count())]);
            row.push(columns::share(&cell.passed));
            let most = cell.most();
            row.push(Cell::maybe(most, |(call, _)| Cell::text(call.to_string())));
            row.push(columns::shares(most.and_then(|(_, count)| cell.passed.of_part(count))));
            row.push(Cell::Plain(cell.passed.trials()));
            table.rows.push(row);
        }
    }
    Block::Folded(table)
}

/// Every call of every class.
fn calls(bots: &[(&str, &Openings)]) -> Block {
    let heads = [
        Column::text("bot"),
        Column::text("position"),
        Column::text("holding").head("best suit"),
        Column::count("aces"),
        Column::count("voids"),
        Column::text("call"),
        Column::count("hands"),
        Column::estimate("share"),
    ];
    let mut table = Table::new("opening-calls", "Every opening call by hand class", &heads);
    for (bot, openings) in bots {
        for ((position, class), cell) in &openings.classes {
            let [_, _, aces, voids] = class.numbers();
            for (call, count) in &cell.calls {
                let mut row =
                    vec![Cell::text(*bot), Cell::text(position_name(*position)), Cell::text(class.holding())];
                row.extend([
                    Cell::Count(aces.into()),
                    Cell::Count(voids.into()),
                    Cell::text(call.to_string()),
                ]);
                row.push(Cell::Count(*count));
                row.push(columns::shares(cell.passed.of_part(*count)));
                table.rows.push(row);
            }
        }
    }
    Block::Folded(table)
}

/// By the place in the order of speaking: how often one opens, and how.
fn positions(bots: &[(&str, &Openings)]) -> Block {
    let heads = [
        Column::text("bot"),
        Column::text("position"),
        Column::count("hands"),
        Column::estimate("passed").head("passes"),
        Column::number("opened").head("opens"),
        Column::text("call").head("most"),
    ];
    let caption = "Openings by position in the auction (nobody has bid yet)";
    let mut table = Table::new("opening-seats", caption, &heads);
    for (bot, openings) in bots {
        let mut sums: BTreeMap<u8, Class> = BTreeMap::new();
        for ((position, _), class) in &openings.classes {
            sums.entry(*position).or_default().absorb(class);
        }
        for (position, sum) in sums {
            let bids = sum.calls.iter().filter(|(call, _)| !matches!(call, Opened::Pass | Opened::Wait));
            let most = bids.rev().max_by_key(|(_, count)| **count);
            let mut row =
                vec![Cell::text(*bot), Cell::text(position_name(position)), Cell::Count(sum.passed.count())];
            row.push(columns::share(&sum.passed));
            row.push(Cell::maybe(sum.passed.share(), |share| Cell::Share(1.0 - share)));
            row.push(Cell::maybe(most, |(call, _)| Cell::text(call.to_string())));
            table.rows.push(row);
        }
    }
    Block::Table(table)
}

fn opens_columns() -> [Column; 7] {
    [
        Column::text("bot").only_in_files(),
        Column::text("holding").head("best suit"),
        Column::count("aces"),
        Column::count("hands"),
        Column::number("passed").head("passes"),
        Column::text("call").head("says"),
        Column::number("share"),
    ]
}

fn picture(number: usize, bot: &str, openings: &Openings) -> Option<Block> {
    let name = if number == 0 { "opens".to_owned() } else { format!("opens-{}", number + 1) };
    let mut numbers = Table::new(name, "", &opens_columns());
    let sums = by_holding(openings);
    let used: BTreeSet<u8> = sums.values().flat_map(BTreeMap::keys).copied().collect();
    let mut rows = Vec::new();
    for ((_, holding), by_aces) in &sums {
        let cells = used.iter().map(|aces| {
            let Some(class) = by_aces.get(aces) else { return GridCell::default() };
            let (count, opens) = (class.passed.count(), 1.0 - class.passed.share().unwrap_or_default());
            let most = class.most();
            let said = most.map(|(call, _)| call.to_string()).unwrap_or_default();
            let share = most.and_then(|(_, count)| class.passed.of_part(count)).map(|[share, ..]| share);
            numbers.rows.push(vec![
                Cell::text(bot),
                Cell::text(holding.clone()),
                Cell::Count((*aces).into()),
                Cell::Count(count),
                Cell::maybe(class.passed.share(), Cell::Share),
                Cell::text(said.clone()),
                Cell::maybe(share, Cell::Share),
            ]);
            GridCell {
                shade: columns::shade(opens, count < FEW),
                below: share.map_or_else(String::new, |share| format!("{:.0} %", 100.0 * share)),
                tip: format!(
                    "{holding}, {aces} aces: {said}, {} hands, opens {:.0} %",
                    thousands(count),
                    100.0 * opens
                ),
                text: said.replace(" elsewhere", "*"),
            }
        });
        let cells = cells.collect();
        rows.push((holding.clone(), cells));
    }
    if rows.is_empty() {
        return None;
    }
    let columns: Vec<_> = used
        .iter()
        .map(|aces| ACES.get(usize::from(*aces)).copied().unwrap_or("4 aces").to_owned())
        .collect();
    let svg = grid(&format!("Openings of {bot}"), &columns, &rows);
    let caption = format!(
        "{bot}: most frequent opening call by holding in the best suit (rows: J, 9, A held + other cards of it) and number of \
         side aces; below, its share. Darker: bids more often; *: in another suit. Dashed outline: fewer than {FEW} hands."
    );
    Some(Block::Picture(Picture::new(svg, caption, numbers)))
}

fn takes(bots: &[(&str, &Openings)]) -> Block {
    let heads = [
        Column::text("bot"),
        Column::count("round"),
        Column::text("position"),
        Column::text("turned").head("turned card"),
        Column::count("hands"),
        Column::estimate("taken").head("takes"),
    ];
    let caption = "Taking by turned-up card (nobody has taken yet)";
    let mut table = Table::new("takes", caption, &heads);
    for (bot, openings) in bots {
        for ((round, position, rank), share) in &openings.takes {
            let rank = Rank::NATURAL[*rank].letter().to_string();
            let mut row = vec![Cell::text(*bot), Cell::Count((*round).into())];
            row.extend([Cell::text(position_name(*position)), Cell::text(rank), Cell::Count(share.count())]);
            row.push(columns::share(share));
            table.rows.push(row);
        }
    }
    Block::Table(table)
}

/// Returns tables and pictures.
pub(in crate::analysis::stats) fn blocks(bots: &[(&str, &Openings)]) -> Vec<Block> {
    let mut blocks = vec![takes(bots)];
    if bots.iter().all(|(_, openings)| openings.classes.is_empty()) {
        blocks.push(Block::Table(Table::new("opens", "", &opens_columns())));
    }
    blocks.extend(bots.iter().enumerate().filter_map(|(n, (bot, openings))| picture(n, bot, openings)));
    blocks.push(positions(bots));
    blocks.extend(memory(bots));
    blocks.push(classes(bots));
    blocks.push(calls(bots));
    blocks
}
