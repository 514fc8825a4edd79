//! The contracts of bots as tables and pictures.

use coinche_engine::Strain;
use coinche_selfplay::document::columns::{
    BOT, CARD_POINTS, COINCHED, CONTRACTS, DECLARED, HOLDING, LEVEL, MADE, MADE_WHEN_COINCHED, PASSED_OUT,
    POSITION, REST, SCORE, SCORE_DIFFERENCE, STRAIN, SURCOINCHED, TRIALS,
};
use coinche_selfplay::document::draw::{GridCell, grid, shade};
use coinche_selfplay::{Block, Column, Picture, Table, measured, named, thousands};

use super::{Contracts, Group, Outcome, position_name};
use crate::stats::columns::short;
use crate::stats::level::Level;
use crate::stats_hands::HandClass;

const SHARE: Column = named("share", "share of all contracts of the bot");

fn strain_name(index: usize) -> &'static str {
    Strain::ALL[index].code()
}

/// The columns that name a group.
struct Keys {
    by: &'static str,
    level: Option<Level>,
    strain: Option<usize>,
    position: Option<u8>,
    hand: Option<HandClass>,
}

impl Group {
    const fn keys(self) -> Keys {
        let all = Keys { by: "all", level: None, strain: None, position: None, hand: None };
        match self {
            Self::All => all,
            Self::Level(level) => Keys { by: "level", level: Some(level), ..all },
            Self::Strain(strain) => Keys { by: "strain", strain: Some(strain), ..all },
            Self::Both(level, strain) => {
                Keys { by: "level and strain", level: Some(level), strain: Some(strain), ..all }
            }
            Self::Position(position) => Keys { by: "position", position: Some(position), ..all },
            Self::Hand(hand) => Keys { by: "hand", hand: Some(hand), ..all },
        }
    }

    /// Returns how often it was bid; for positions and hands only contracts are counted.
    fn bids(self, contracts: &Contracts) -> Option<u64> {
        let keys = self.keys();
        let fits = |(level, strain): &(Level, usize)| {
            keys.level.is_none_or(|own| own == *level) && keys.strain.is_none_or(|own| own == *strain)
        };
        let bids = contracts.said.iter().filter(|(bid, _)| fits(bid)).map(|(_, count)| count);
        (keys.position.is_none() && keys.hand.is_none()).then(|| bids.sum())
    }
}

/// A row for each group of a bot's contracts.
type Row<'a> = (&'a str, &'a Contracts, Group, &'a Outcome);

fn rows<'a>(bots: &[(&'a str, &'a Contracts)]) -> impl Iterator<Item = Row<'a>> {
    let groups = |(bot, contracts): &(&'a str, &'a Contracts)| {
        let (bot, contracts) = (*bot, *contracts);
        contracts.groups.iter().map(move |(group, outcome)| (bot, contracts, *group, outcome))
    };
    bots.iter().flat_map(groups)
}

/// Returns a short table by one key.
fn by_key(
    bots: &[(&str, &Contracts)],
    [name, caption, by]: [&'static str; 3],
    column: Column,
    key: impl Fn(Keys) -> Option<String>,
) -> Block {
    let fits = |(_, _, group, outcome): &Row<'_>| group.keys().by == by && outcome.made.count() > 0;
    Table::of(name, caption, rows(bots).filter(fits))
        .text(BOT, |(bot, ..)| *bot)
        .text(column, |(_, _, group, _)| key(group.keys()))
        .count(CONTRACTS, |(.., outcome)| outcome.made.count())
        .share(SHARE, |(_, contracts, _, outcome)| contracts.share_of(outcome.made.count()))
        .rate(MADE, |(.., outcome)| &outcome.made)
        .share(COINCHED, |(.., outcome)| &outcome.coinched)
        .estimate(SCORE, |(.., outcome)| &outcome.score)
        .plain(CARD_POINTS, |(.., outcome)| &outcome.points)
        .block()
}

/// Returns the table of all groups with all figures.
fn all(bots: &[(&str, &Contracts)]) -> Block {
    let caption = "Contracts by level, strain, declarer's position and hand class, with all figures";
    let by = "`all`, `level`, `strain`, `level and strain`, `position` or `hand`";
    let bids = named("bids", "how often it was bid, contract or not");
    Table::of("contracts", caption, rows(bots))
        .text(BOT, |(bot, ..)| *bot)
        .text(named("by", by), |(_, _, group, _)| group.keys().by)
        .text(LEVEL, |(_, _, group, _)| group.keys().level)
        .text(STRAIN, |(_, _, group, _)| group.keys().strain.map(strain_name))
        .text(POSITION, |(_, _, group, _)| group.keys().position.map(position_name))
        .text(HOLDING.head("trumps or tops"), |(_, _, group, _)| group.keys().hand.map(HandClass::holding))
        .text(REST, |(_, _, group, _)| group.keys().hand.map(HandClass::rest))
        .count(bids, |(_, contracts, group, _)| group.bids(contracts))
        .count(CONTRACTS, |(.., outcome)| outcome.made.count())
        .rate(SHARE, |(_, contracts, _, outcome)| contracts.share_of(outcome.made.count()))
        .rate(MADE, |(.., outcome)| &outcome.made)
        .rate(COINCHED, |(.., outcome)| &outcome.coinched)
        .rate(SURCOINCHED, |(.., outcome)| &outcome.surcoinched)
        .rate(MADE_WHEN_COINCHED, |(.., outcome)| &outcome.made_when_coinched)
        .estimate(SCORE, |(.., outcome)| &outcome.score)
        .estimate(SCORE_DIFFERENCE, |(.., outcome)| &outcome.difference)
        .mean(CARD_POINTS, |(.., outcome)| &outcome.points)
        .plain(TRIALS, |(.., outcome)| outcome.made.share().map(|_| outcome.made.trials()))
        .folded()
}

/// A cell with fewer contracts is drawn pale.
const FEW: u64 = 30;

/// A cell of the heat map of a bot.
type Made<'a> = (&'a str, Level, usize, &'a Outcome);

fn made(name: impl Into<String>, cells: Vec<Made<'_>>) -> Table {
    Table::of(name, "", cells)
        .text(BOT.only_in_files(), |(bot, ..)| *bot)
        .text(LEVEL, |(_, level, ..)| *level)
        .text(STRAIN, |(_, _, strain, _)| strain_name(*strain))
        .count(CONTRACTS, |(.., outcome)| outcome.made.count())
        .rate(MADE, |(.., outcome)| &outcome.made)
        .build()
}

/// Draws the heat map of one bot: how often contracts are made, by level and strain.
fn picture(number: usize, bot: &str, contracts: &Contracts) -> Option<Block> {
    let strains: Vec<usize> = (0..Strain::ALL.len())
        .filter(|strain| contracts.groups.contains_key(&Group::Strain(*strain)))
        .collect();
    let name = if number == 0 { "made".to_owned() } else { format!("made-{}", number + 1) };
    let (mut numbers, mut rows) = (Vec::new(), Vec::new());
    for (level, _) in contracts.levels() {
        let cells = strains.iter().map(|strain| {
            let outcome = contracts.groups.get(&Group::Both(level, *strain));
            let Some((outcome, share)) = outcome.and_then(|outcome| Some((outcome, outcome.made.share()?)))
            else {
                return GridCell::default();
            };
            let count = outcome.made.count();
            numbers.push((bot, level, *strain, outcome));
            GridCell {
                shade: shade(share, count < FEW),
                text: format!("{:.0} %", 100.0 * share),
                below: short(count),
                tip: format!("{level} {}: {} contracts", Strain::ALL[*strain].symbol(), thousands(count)),
            }
        });
        let cells = cells.collect();
        rows.push((level.to_string(), cells));
    }
    if rows.is_empty() {
        return None;
    }
    let columns: Vec<_> = strains.iter().map(|strain| Strain::ALL[*strain].symbol().to_owned()).collect();
    let svg = grid(&format!("Contracts made by {bot}"), &columns, &rows);
    let caption = format!(
        "{bot}: share of contracts made by level and strain; below, how many there were. Dashed outline: fewer than {FEW}."
    );
    Some(Block::Picture(Picture::new(svg, caption, made(name, numbers))))
}

/// Returns tables and pictures.
pub(in crate::stats) fn blocks(bots: &[(&str, &Contracts)]) -> Vec<Block> {
    let pictures = bots.iter().enumerate().filter_map(|(n, (bot, contracts))| picture(n, bot, contracts));
    let mut pictures: Vec<_> = pictures.collect();
    if pictures.is_empty() {
        pictures.push(Block::Table(made("made", Vec::new())));
    }
    let mut blocks = vec![overview(bots)];
    blocks.extend(pictures);
    let level = |keys: Keys| keys.level.map(|level| level.to_string());
    blocks.push(by_key(bots, ["levels", "Contracts by level", "level"], LEVEL, level));
    let strain = |keys: Keys| keys.strain.map(|strain| strain_name(strain).to_owned());
    blocks.push(by_key(bots, ["strains", "Contracts by strain", "strain"], STRAIN, strain));
    let caption = "Contracts by the declarer's position in the auction";
    let position = |keys: Keys| keys.position.map(|position| position_name(position).to_owned());
    blocks.push(by_key(bots, ["seats", caption, "position"], POSITION, position));
    blocks.push(all(bots));
    blocks
}

/// A row for each bot.
fn overview(bots: &[(&str, &Contracts)]) -> Block {
    let caption = "What each bot bids: its legs, how many were passed out and how many it declared; how many of its contracts \
                   were made and coinched, the mean of the points bid, and the mean score of its side";
    let none = Outcome::default();
    let rows = bots
        .iter()
        .map(|(bot, contracts)| (*bot, *contracts, contracts.groups.get(&Group::All).unwrap_or(&none)));
    let bid = measured("points_bid", "points", "mean of the points bid").head("bid");
    Table::of("bots", caption, rows)
        .text(BOT, |(bot, ..)| *bot)
        .count(named("legs", "legs in which the bot sat"), |(_, contracts, _)| contracts.declared.count())
        .share(PASSED_OUT, |(_, contracts, _)| &contracts.thrown_in)
        .share(DECLARED.head("declares"), |(_, contracts, _)| &contracts.declared)
        .rate(MADE, |(.., all)| &all.made)
        .share(COINCHED, |(.., all)| &all.coinched)
        .share(SURCOINCHED, |(.., all)| &all.surcoinched)
        .plain(bid, |(_, contracts, _)| &contracts.height)
        .estimate(SCORE, |(.., all)| &all.score)
        .block()
}
