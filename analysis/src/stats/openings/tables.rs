//! The first calls of bots as tables and pictures.

use std::collections::{BTreeMap, BTreeSet};

use coinche_engine::Rank;
use coinche_inference::Merge;
use coinche_selfplay::document::columns::{ACES as SIDE_ACES, BOT, HANDS, HOLDING, POSITION, TRIALS, VOIDS};
use coinche_selfplay::document::draw::{GridCell, grid, shade};
use coinche_selfplay::{Block, Column, Picture, Table, measured, named, thousands};

use super::{ANY, Class, Opened, Openings};
use crate::stats::contracts::position_name;

/// A table to memorise: holdings by rows, aces by columns.
type Sums = BTreeMap<(usize, String), BTreeMap<u8, Class>>;

/// Adds up classes that differ in their voids alone; the strongest trumps come first.
fn by_holding(openings: &Openings) -> Sums {
    let mut sums = Sums::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for ((_, class), cell) in openings.classes.iter().rev().filter(|((position, _), _)| *position == ANY) {
        let next = places.len();
        let place = *places.entry(class.holding()).or_insert(next);
        let [_, _, aces, _] = class.numbers();
        sums.entry((place, class.holding())).or_default().entry(aces).or_default().merge(cell);
    }
    sums
}

const ACES: [&str; 4] = ["no ace", "1 ace", "2 aces", "3 aces"];
/// A cell with fewer hands is drawn pale.
const FEW: u64 = 30;
/// Holdings with fewer hands are left out of the short table.
const RARE: u64 = 20;

/// Formats the most frequent call with its share.
fn in_short(class: &Class) -> Option<String> {
    let (call, count) = class.most()?;
    let [share, ..] = class.passed.of_part(count)?;
    Some(format!("{call} {:.0} %", 100.0 * share))
}

/// Returns the table for memorising.
fn memory(bots: &[(&str, &Openings)]) -> Option<Block> {
    let caption = format!(
        "Opening calls by holding in the best suit and number of side aces: the most frequent call and its share; holdings \
         with at least {RARE} hands"
    );
    let rows = bots.iter().flat_map(|(bot, openings)| {
        by_holding(openings).into_iter().map(|((_, holding), by_aces)| {
            let all = by_aces.values().fold(Class::default(), Class::merged);
            (*bot, holding, by_aces, all.passed)
        })
    });
    let mut table = Table::of("openings", caption, rows.filter(|(.., passed)| passed.count() >= RARE))
        .text("bot", |(bot, ..)| *bot)
        .text("best suit", |(_, holding, ..)| holding.clone())
        .count("hands", |(.., passed)| passed.count())
        .rate("passes", |(.., passed)| *passed);
    for (aces, head) in (0..).zip(ACES) {
        table = table.text(head, move |(_, _, by_aces, _)| by_aces.get(&aces).and_then(in_short));
    }
    let table = table.build();
    (!table.rows.is_empty()).then_some(Block::Display(table))
}

const PASSED: Column = named("passed", "share of the hands that pass");
const MOST: Column = named("call", "the most frequent first call");
const SHARE: Column = named("share", "share of the hands that say it");

/// Returns the table of all classes in all positions, with the most frequent calls.
fn classes(bots: &[(&str, &Openings)]) -> Block {
    let caption = "Opening calls by hand class and position in the auction";
    let rows = bots.iter().flat_map(|(bot, openings)| {
        openings.classes.iter().map(|((position, class), cell)| (*bot, *position, *class, cell, cell.most()))
    });
    Table::of("opening-classes", caption, rows)
        .text(BOT, |(bot, ..)| *bot)
        .text(POSITION, |(_, position, ..)| position_name(*position))
        .text(HOLDING.head("best suit"), |(_, _, class, ..)| class.holding())
        .count(named("trumps", "trumps"), |(_, _, class, ..)| class.numbers()[1])
        .count(SIDE_ACES, |(_, _, class, ..)| class.numbers()[2])
        .count(VOIDS, |(_, _, class, ..)| class.numbers()[3])
        .count(HANDS, |(.., cell, _)| cell.passed.count())
        .rate(PASSED.head("passes"), |(.., cell, _)| &cell.passed)
        .text(MOST.head("says"), |(.., most)| most.map(|(call, _)| call.to_string()))
        .rate(SHARE, |(.., cell, most)| most.and_then(|(_, count)| cell.passed.of_part(count)))
        .plain(TRIALS, |(.., cell, _)| cell.passed.trials())
        .folded()
}

/// Returns the table of all calls of all classes.
fn calls(bots: &[(&str, &Openings)]) -> Block {
    let rows = bots.iter().flat_map(|(bot, openings)| {
        openings.classes.iter().flat_map(move |((position, class), cell)| {
            cell.calls.iter().map(move |(call, count)| (*bot, *position, *class, *call, *count, cell))
        })
    });
    Table::of("opening-calls", "Every opening call by hand class", rows)
        .text(BOT, |(bot, ..)| *bot)
        .text(POSITION, |(_, position, ..)| position_name(*position))
        .text(HOLDING.head("best suit"), |(_, _, class, ..)| class.holding())
        .count(SIDE_ACES, |(_, _, class, ..)| class.numbers()[2])
        .count(VOIDS, |(_, _, class, ..)| class.numbers()[3])
        .text(named("call", "the first call"), |(_, _, _, call, ..)| call.to_string())
        .count(HANDS, |(.., count, _)| *count)
        .rate(SHARE, |(.., count, cell)| cell.passed.of_part(*count))
        .folded()
}

/// Returns the table of opening frequencies by bidding position.
fn positions(bots: &[(&str, &Openings)]) -> Block {
    let caption = "Openings by position in the auction (nobody has bid yet)";
    let rows = bots.iter().flat_map(|(bot, openings)| {
        let mut sums: BTreeMap<u8, Class> = BTreeMap::new();
        for ((position, _), class) in &openings.classes {
            sums.entry(*position).or_default().merge(class);
        }
        sums.into_iter().map(|(position, sum)| (*bot, position, sum))
    });
    let opened = named("opened", "share of the hands that bid").head("opens");
    Table::of("opening-seats", caption, rows)
        .text(BOT, |(bot, ..)| *bot)
        .text(POSITION, |(_, position, _)| position_name(*position))
        .count(HANDS, |(.., sum)| sum.passed.count())
        .rate(PASSED.head("passes"), |(.., sum)| sum.passed)
        .share(opened, |(.., sum)| sum.passed.share().map(|share| 1.0 - share))
        .text(named("call", "the most frequent bid").head("most"), |(.., sum)| {
            let bids = sum.calls.iter().filter(|(call, _)| !matches!(call, Opened::Pass | Opened::Wait));
            bids.rev().max_by_key(|(_, count)| **count).map(|(call, _)| call.to_string())
        })
        .block()
}

/// A cell of the grid of a bot: holding, aces, and the calls.
type Opens<'a> = (&'a str, &'a str, u8, &'a Class);

fn share_of_most(class: &Class) -> Option<f64> {
    let (_, count) = class.most()?;
    class.passed.of_part(count).map(|[share, ..]| share)
}

fn most_said(class: &Class) -> String {
    class.most().map(|(call, _)| call.to_string()).unwrap_or_default()
}

fn opens(name: impl Into<String>, cells: Vec<Opens<'_>>) -> Table {
    Table::of(name, "", cells)
        .text(BOT.only_in_files(), |(bot, ..)| *bot)
        .text(HOLDING.head("best suit"), |(_, holding, ..)| *holding)
        .count(SIDE_ACES, |(_, _, aces, _)| *aces)
        .count(HANDS, |(.., class)| class.passed.count())
        .share(PASSED.head("passes"), |(.., class)| &class.passed)
        .text(MOST.head("says"), |(.., class)| most_said(class))
        .share(SHARE, |(.., class)| share_of_most(class))
        .build()
}

fn picture(number: usize, bot: &str, openings: &Openings) -> Option<Block> {
    let name = if number == 0 { "opens".to_owned() } else { format!("opens-{}", number + 1) };
    let mut numbers = Vec::new();
    let sums = by_holding(openings);
    let used: BTreeSet<u8> = sums.values().flat_map(BTreeMap::keys).copied().collect();
    let mut rows = Vec::new();
    for ((_, holding), by_aces) in &sums {
        let cells = used.iter().map(|aces| {
            let Some(class) = by_aces.get(aces) else { return GridCell::default() };
            let (count, opens) = (class.passed.count(), 1.0 - class.passed.share().unwrap_or_default());
            let (said, share) = (most_said(class), share_of_most(class));
            numbers.push((bot, holding.as_str(), *aces, class));
            let hands = thousands(count);
            GridCell {
                shade: shade(opens, count < FEW),
                below: share.map_or_else(String::new, |share| format!("{:.0} %", 100.0 * share)),
                tip: format!("{holding}, {aces} aces: {said}, {hands} hands, opens {:.0} %", 100.0 * opens),
                text: said.replace(" elsewhere", "*"),
            }
        });
        let cells = cells.collect();
        rows.push((holding.clone(), cells));
    }
    if rows.is_empty() {
        return None;
    }
    let head = |aces: &u8| ACES.get(usize::from(*aces)).copied().unwrap_or("4 aces").to_owned();
    let columns: Vec<_> = used.iter().map(head).collect();
    let svg = grid(&format!("Openings of {bot}"), &columns, &rows);
    let caption = format!(
        "{bot}: most frequent opening call by holding in the best suit (rows: J, 9, A held + other cards of it) and number of \
         side aces; below, its share. Darker: bids more often; *: in another suit. Dashed outline: fewer than {FEW} hands."
    );
    Some(Block::Picture(Picture::new(svg, caption, opens(name, numbers))))
}

fn takes(bots: &[(&str, &Openings)]) -> Block {
    let caption = "Taking by turned-up card (nobody has taken yet)";
    let rows = bots.iter().flat_map(|(bot, openings)| {
        openings.takes.iter().map(|((round, position, rank), share)| (*bot, *round, *position, *rank, share))
    });
    let turned = named("turned", "rank of the turned card").head("turned card");
    Table::of("takes", caption, rows)
        .text(BOT, |(bot, ..)| *bot)
        .count(measured("round", "1, 2", "round of the auction"), |(_, round, ..)| *round)
        .text(POSITION, |(_, _, position, ..)| position_name(*position))
        .text(turned, |(.., rank, _)| Rank::NATURAL[*rank].letter())
        .count(HANDS.about("turns to speak"), |(.., share)| share.count())
        .rate(named("taken", "share of the hands that take").head("takes"), |(.., share)| *share)
        .block()
}

/// Returns tables and pictures.
pub(in crate::stats) fn blocks(bots: &[(&str, &Openings)]) -> Vec<Block> {
    let mut blocks = vec![takes(bots)];
    if bots.iter().all(|(_, openings)| openings.classes.is_empty()) {
        blocks.push(Block::Table(opens("opens", Vec::new())));
    }
    blocks.extend(bots.iter().enumerate().filter_map(|(n, (bot, openings))| picture(n, bot, openings)));
    blocks.push(positions(bots));
    blocks.extend(memory(bots));
    blocks.push(classes(bots));
    blocks.push(calls(bots));
    blocks
}
