//! What is said while nobody has bid: the opening bids by the hand, and who takes the turned card.
//!
//! A hand is told by its class in its *best suit*: the one in which the trumps weigh most, a trump counting 3, and
//! jack 4, nine 3, ace 1 more; of equal ones the suit with the higher tops, then with more aces and voids beside it.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

use coinche_engine::{Bid, Call, CardSet, Rank, Seat, Strain, Suit};

use super::cells::{Merge, Share, Unit};
use super::contracts::position_name;
use super::level::Level;
use super::record::{End, Leg};
use super::tell;
use crate::hands::HandClass;
use crate::page::document::{Block, Cell, Picture, Table};
use crate::page::draw::{GridCell, grid};
use crate::report::thousands;

/// Any place in the order of speaking.
const ANY: u8 = 0;

/// What was said, seen from the best suit of the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Opened {
    Pass,
    Wait,
    Best(Level),
    Other(Level),
    NoTrump(Level),
    AllTrump(Level),
}

impl fmt::Display for Opened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.write_str("pass"),
            Self::Wait => f.write_str("wait"),
            Self::Best(level) => level.fmt(f),
            Self::Other(level) => write!(f, "{level} elsewhere"),
            Self::NoTrump(level) => write!(f, "{level} SA"),
            Self::AllTrump(level) => write!(f, "{level} TA"),
        }
    }
}

/// Returns the best suit of a hand.
fn best_suit(hand: CardSet) -> Suit {
    let weight = |suit: Suit| {
        let trumps = hand.of(suit);
        let extra = [(Rank::Jack, 4), (Rank::Nine, 3), (Rank::Ace, 1)];
        let held = extra.iter().filter(|(rank, _)| !(trumps & CardSet::rank(*rank)).is_empty());
        3 * trumps.len() + held.map(|(_, extra)| extra).sum::<usize>()
    };
    let value = |suit: &Suit| (weight(*suit), HandClass::of(hand, Strain::of(*suit)));
    Suit::ALL.into_iter().max_by_key(value).unwrap_or(Suit::Clubs)
}

/// Hands of one class at one place.
#[derive(Debug, Clone, Default)]
struct Class {
    passed: Share,
    calls: BTreeMap<Opened, u64>,
}

impl Class {
    /// Returns what is said most often, and how often.
    fn most(&self) -> Option<(Opened, u64)> {
        // Of equal numbers the lower call.
        self.calls.iter().rev().max_by_key(|(_, count)| **count).map(|(call, count)| (*call, *count))
    }
}

impl Merge for Class {
    fn absorb(&mut self, other: &Self) {
        self.passed.absorb(&other.passed);
        self.calls.absorb(&other.calls);
    }
}

/// The first calls of one bot.
#[derive(Debug, Clone, Default)]
pub(super) struct Openings {
    classes: BTreeMap<(u8, HandClass), Class>,
    /// Of the turn-up game, by round, place and turned card's rank: who takes.
    takes: BTreeMap<(u8, u8, usize), Share>,
}

impl Openings {
    /// Adds a call of a seat before which nobody had bid; `round` counts from 1.
    pub(super) fn add(&mut self, unit: Unit, leg: &Leg<'_>, seat: Seat, call: Call, round: u8) {
        let position = leg.position(seat);
        if let Some(turned) = leg.turned {
            let taken = matches!(call, Call::Take | Call::TakeIn(_));
            self.takes.entry((round, position, turned.rank().natural_index())).or_default().add(unit, taken);
            return;
        }
        let hand = leg.hands[seat];
        let best = best_suit(hand);
        let opened = match call {
            Call::Pass => Opened::Pass,
            Call::Wait => Opened::Wait,
            Call::Bid(Bid { value, strain }) => {
                let level = Level::of(Some(value));
                match strain {
                    Strain::NoTrump => Opened::NoTrump(level),
                    Strain::AllTrump => Opened::AllTrump(level),
                    strain if strain == Strain::of(best) => Opened::Best(level),
                    _ => Opened::Other(level),
                }
            }
            Call::Coinche | Call::Surcoinche | Call::Take | Call::TakeIn(_) => return,
        };
        let class = HandClass::of(hand, Strain::of(best));
        for position in [ANY, position] {
            let class = self.classes.entry((position, class)).or_default();
            class.passed.add(unit, call.is_pass());
            *class.calls.entry(opened).or_default() += 1;
        }
    }
}

impl Merge for Openings {
    fn absorb(&mut self, other: &Self) {
        self.classes.absorb(&other.classes);
        self.takes.absorb(&other.takes);
    }
}

/// Returns the calls of a record before which nobody had bid, with that of who bid first: seat, call and round.
pub(super) fn first_calls<'a>(leg: &'a Leg<'_>) -> impl Iterator<Item = (Seat, Call, u8)> + 'a {
    let passes = leg.auction.iter().take_while(|(_, call)| call.is_pass()).count();
    // A forfeit may end anywhere; its calls are left out with it.
    let calls = if leg.end == End::Forfeit { 0 } else { passes + 1 };
    leg.auction.iter().take(calls).zip(0u8..).map(|((seat, call), n)| (*seat, *call, n / 4 + 1))
}

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
    let heads: Vec<_> =
        ["bot", "best suit", "hands", "passes", "from", "to"].into_iter().chain(ACES).collect();
    let caption = format!(
        "Openings by the trumps in the best suit: the most frequent call with its share, by aces beside; holdings of {RARE} \
         hands and more"
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
            row.extend(tell::share(&all.passed));
            for aces in 0u8..4 {
                row.push(Cell::maybe(by_aces.get(&aces).and_then(in_short), Cell::text));
            }
            table.rows.push(row);
        }
    }
    (!table.rows.is_empty()).then_some(Block::Table(table))
}

/// Every class at every place, with what is said most.
fn classes(bots: &[(&str, &Openings)]) -> Block {
    const HEADS: [&str; 15] = [
        "bot",
        "seat",
        "best suit",
        "trumps",
        "aces",
        "voids",
        "hands",
        "passes",
        "passes low",
        "passes high",
        "says",
        "share",
        "share low",
        "share high",
        "trials",
    ];
    let caption = "What every class of hands says first, by the place in the order of speaking";
    let mut table = Table::new("opening-classes", caption, &HEADS);
    for (bot, openings) in bots {
        for ((position, class), cell) in &openings.classes {
            let [_, trumps, aces, voids] = class.numbers().map(|number| Cell::Count(number.into()));
            let mut row =
                vec![Cell::text(*bot), Cell::text(position_name(*position)), Cell::text(class.holding())];
            row.extend([trumps, aces, voids, Cell::Count(cell.passed.count())]);
            row.extend(tell::share(&cell.passed));
            let most = cell.most();
            row.push(Cell::maybe(most, |(call, _)| Cell::text(call.to_string())));
            row.extend(tell::shares(most.and_then(|(_, count)| cell.passed.of_part(count))));
            row.push(Cell::Plain(cell.passed.trials()));
            table.rows.push(row);
        }
    }
    Block::Folded(table)
}

/// Every call of every class.
fn calls(bots: &[(&str, &Openings)]) -> Block {
    const HEADS: [&str; 10] =
        ["bot", "seat", "best suit", "aces", "voids", "call", "hands", "share", "share low", "share high"];
    let mut table = Table::new("opening-calls", "Every first call of every class of hands", &HEADS);
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
                row.extend(tell::shares(cell.passed.of_part(*count)));
                table.rows.push(row);
            }
        }
    }
    Block::Folded(table)
}

/// By the place in the order of speaking: how often one opens, and how.
fn positions(bots: &[(&str, &Openings)]) -> Block {
    let heads = ["bot", "seat", "hands", "passes", "from", "to", "opens", "most"];
    let caption = "Openings by the place in the order of speaking, while nobody has bid";
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
            row.extend(tell::share(&sum.passed));
            row.push(Cell::maybe(sum.passed.share(), |share| Cell::Share(1.0 - share)));
            row.push(Cell::maybe(most, |(call, _)| Cell::text(call.to_string())));
            table.rows.push(row);
        }
    }
    Block::Table(table)
}

fn picture(number: usize, bot: &str, openings: &Openings) -> Option<Block> {
    let name = if number == 0 { "opens".to_owned() } else { format!("opens-{}", number + 1) };
    let mut numbers = Table::new(name, "", &["bot", "best suit", "aces", "hands", "passes", "says", "share"]);
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
                shade: tell::shade(opens, count < FEW),
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
        "{bot}: what it says most often while nobody has bid, by the trumps in its best suit and the aces beside, and below \
         how often. The darker, the more often it bids; with * in another suit. Pale: fewer than {FEW} hands."
    );
    Some(Block::Picture(Picture::new(svg, caption, numbers)))
}

fn takes(bots: &[(&str, &Openings)]) -> Option<Block> {
    let heads = ["bot", "round", "seat", "turned card", "hands", "takes", "from", "to"];
    let caption = "Who takes, by the turned card, while nobody has";
    let mut table = Table::new("takes", caption, &heads);
    for (bot, openings) in bots {
        for ((round, position, rank), share) in &openings.takes {
            let rank = Rank::NATURAL[*rank].letter().to_string();
            let mut row = vec![Cell::text(*bot), Cell::Count((*round).into())];
            row.extend([Cell::text(position_name(*position)), Cell::text(rank), Cell::Count(share.count())]);
            row.extend(tell::share(share));
            table.rows.push(row);
        }
    }
    (!table.rows.is_empty()).then_some(Block::Table(table))
}

/// Returns tables and pictures.
pub(super) fn blocks(bots: &[(&str, &Openings)]) -> Vec<Block> {
    let mut blocks: Vec<_> = takes(bots).into_iter().collect();
    if bots.iter().all(|(_, openings)| openings.classes.is_empty()) {
        return blocks;
    }
    blocks.extend(bots.iter().enumerate().filter_map(|(n, (bot, openings))| picture(n, bot, openings)));
    blocks.push(positions(bots));
    blocks.extend(memory(bots));
    blocks.push(classes(bots));
    blocks.push(calls(bots));
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_suit_does_not_depend_on_its_name() {
        for (hand, suit) in [
            ("JS 9S 7S AH KH QH TH 8H", Suit::Spades),
            ("7S 8S QS KS TS JH 9H 7C", Suit::Spades),
            ("7S 8S QS KS JH 9H 7C 8C", Suit::Hearts),
            ("AC AD AH AS 7C 7D 7H 8H", Suit::Hearts),
        ] {
            assert_eq!(best_suit(hand.parse().unwrap()), suit, "{hand}");
            let renamed: String = hand
                .chars()
                .map(|c| match c {
                    'S' => 'D',
                    'D' => 'S',
                    'H' => 'C',
                    'C' => 'H',
                    c => c,
                })
                .collect();
            let other: CardSet = renamed.parse().unwrap();
            let class = HandClass::of(other, Strain::of(best_suit(other)));
            assert_eq!(class, HandClass::of(hand.parse().unwrap(), Strain::of(suit)), "{hand}");
        }
    }
}
