//! The contracts of bots as tables and pictures.

use coinche_engine::Strain;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::draw::{GridCell, grid};
use coinche_selfplay::document::model::{Block, Cell, Picture, Table};

use super::{Contracts, Group, Outcome, position_name};
use crate::analysis::stats::columns;
use crate::analysis::stats::columns::short;
use crate::analysis::stats::level::Level;

fn strain_name(index: usize) -> &'static str {
    Strain::ALL[index].code()
}

const SHORT: [&str; 9] = ["contracts", "share", "made", "from", "to", "coinched", "score", "±", "points"];

fn short_row(contracts: &Contracts, outcome: &Outcome) -> Vec<Cell> {
    let count = outcome.made.count();
    let mut cells = vec![Cell::Count(count)];
    cells.push(Cell::maybe(contracts.share_of(count), |[share, ..]| Cell::Share(share)));
    cells.extend(columns::share(&outcome.made));
    cells.push(Cell::maybe(outcome.coinched.share(), Cell::Share));
    cells.extend(columns::mean(&outcome.score, Cell::Signed));
    cells.push(Cell::maybe(outcome.points.mean(), |points| Cell::Plain(points.mean)));
    cells
}

/// A short table by one key.
fn by_key(
    bots: &[(&str, &Contracts)],
    [name, head, caption]: [&'static str; 3],
    key: impl Fn(Group) -> Option<String>,
) -> Block {
    let heads: Vec<_> = ["bot", head].into_iter().chain(SHORT).collect();
    let mut table = Table::new(name, caption, &heads);
    for (bot, contracts) in bots {
        for (group, outcome) in &contracts.groups {
            if let Some(key) = key(*group).filter(|_| outcome.made.count() > 0) {
                let mut row = vec![Cell::text(*bot), Cell::text(key)];
                row.extend(short_row(contracts, outcome));
                table.rows.push(row);
            }
        }
    }
    Block::Table(table)
}

/// The heads of the table of all groups.
const HEADS: [&str; 34] = [
    "bot",
    "by",
    "level",
    "strain",
    "seat",
    "trumps or tops",
    "rest",
    "bids",
    "contracts",
    "share",
    "share low",
    "share high",
    "made",
    "made low",
    "made high",
    "coinched",
    "coinched low",
    "coinched high",
    "surcoinched",
    "surcoinched low",
    "surcoinched high",
    "made when coinched",
    "made when coinched low",
    "made when coinched high",
    "score",
    "score low",
    "score high",
    "difference",
    "difference low",
    "difference high",
    "points",
    "points low",
    "points high",
    "trials",
];

/// The table of all groups with all figures.
fn all(bots: &[(&str, &Contracts)]) -> Block {
    let caption = "Contracts by level, strain, declarer's position and hand class, with all figures";
    let mut table = Table::new("contracts", caption, &HEADS);
    for (bot, contracts) in bots {
        for (group, outcome) in &contracts.groups {
            let said = |fits: &dyn Fn(&(Level, usize)) -> bool| {
                let bids = contracts.said.iter().filter(|(bid, _)| fits(bid)).map(|(_, count)| count).sum();
                Cell::Count(bids)
            };
            let none = || Cell::Empty;
            let text = |text: &dyn ToString| Cell::text(text.to_string());
            let key = match *group {
                Group::All => [text(&"all"), none(), none(), none(), none(), none(), said(&|_| true)],
                Group::Level(level) => [
                    text(&"level"),
                    text(&level),
                    none(),
                    none(),
                    none(),
                    none(),
                    said(&|bid| bid.0 == level),
                ],
                Group::Strain(at) => {
                    let bids = said(&|bid| bid.1 == at);
                    [text(&"strain"), none(), text(&strain_name(at)), none(), none(), none(), bids]
                }
                Group::Both(level, at) => {
                    let bids = said(&|bid| *bid == (level, at));
                    [
                        text(&"level and strain"),
                        text(&level),
                        text(&strain_name(at)),
                        none(),
                        none(),
                        none(),
                        bids,
                    ]
                }
                Group::Position(at) => {
                    [text(&"seat"), none(), none(), text(&position_name(at)), none(), none(), none()]
                }
                Group::Hand(class) => [
                    text(&"hand"),
                    none(),
                    none(),
                    none(),
                    text(&class.holding()),
                    text(&class.rest()),
                    none(),
                ],
            };
            let mut row = vec![Cell::text(*bot)];
            row.extend(key);
            row.push(Cell::Count(outcome.made.count()));
            row.extend(columns::shares(contracts.share_of(outcome.made.count())));
            for share in [&outcome.made, &outcome.coinched, &outcome.surcoinched, &outcome.made_when_coinched]
            {
                row.extend(columns::share(share));
            }
            for mean in [&outcome.score, &outcome.difference, &outcome.points] {
                row.extend(columns::mean_in_full(mean));
            }
            row.push(Cell::maybe(outcome.made.share(), |_| Cell::Plain(outcome.made.trials())));
            table.rows.push(row);
        }
    }
    Block::Folded(table)
}

/// Below so many contracts a cell is drawn pale.
const FEW: u64 = 30;

/// The heat map of one bot: how often contracts are made, by level and strain.
fn picture(number: usize, bot: &str, contracts: &Contracts) -> Option<Block> {
    let strains: Vec<usize> = (0..Strain::ALL.len())
        .filter(|strain| contracts.groups.contains_key(&Group::Strain(*strain)))
        .collect();
    let name = if number == 0 { "made".to_owned() } else { format!("made-{}", number + 1) };
    let heads = ["bot", "level", "strain", "contracts", "made", "made low", "made high"];
    let mut numbers = Table::new(name, "", &heads);
    let mut rows = Vec::new();
    for (level, _) in contracts.levels() {
        let cells = strains.iter().map(|strain| {
            let outcome = contracts.groups.get(&Group::Both(level, *strain));
            let Some((outcome, made)) = outcome.and_then(|outcome| Some((outcome, outcome.made.share()?)))
            else {
                return GridCell::default();
            };
            let count = outcome.made.count();
            let mut row =
                vec![Cell::text(bot), Cell::text(level.to_string()), Cell::text(strain_name(*strain))];
            row.push(Cell::Count(count));
            row.extend(columns::share(&outcome.made));
            numbers.rows.push(row);
            GridCell {
                shade: columns::shade(made, count < FEW),
                text: format!("{:.0} %", 100.0 * made),
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
    Some(Block::Picture(Picture::new(svg, caption, numbers)))
}

/// Returns tables and pictures.
pub(in crate::analysis::stats) fn blocks(bots: &[(&str, &Contracts)]) -> Vec<Block> {
    let mut blocks = vec![overview(bots)];
    blocks.extend(bots.iter().enumerate().filter_map(|(n, (bot, contracts))| picture(n, bot, contracts)));
    blocks.push(by_key(bots, ["levels", "level", "Contracts by level"], |group| match group {
        Group::Level(level) => Some(level.to_string()),
        _ => None,
    }));
    blocks.push(by_key(bots, ["strains", "strain", "Contracts by strain"], |group| match group {
        Group::Strain(strain) => Some(strain_name(strain).to_owned()),
        _ => None,
    }));
    let caption = "Contracts by the declarer's position in the auction";
    blocks.push(by_key(bots, ["seats", "seat", caption], |group| match group {
        Group::Position(position) => Some(position_name(position).to_owned()),
        _ => None,
    }));
    blocks.push(all(bots));
    blocks
}

/// A row for each bot.
fn overview(bots: &[(&str, &Contracts)]) -> Block {
    let heads = [
        "bot",
        "legs",
        "thrown in",
        "declares",
        "made",
        "from",
        "to",
        "coinched",
        "surcoinched",
        "bid",
        "score",
        "±",
    ];
    let caption = "What each bot bids: its legs, how many were passed out and how many it declared; how many of its contracts \
                   were made and coinched, the mean of the points bid, and the mean score of its side";
    let mut table = Table::new("bots", caption, &heads);
    for (bot, contracts) in bots {
        let mut row = vec![Cell::text(*bot), Cell::Count(contracts.declared.count())];
        row.push(Cell::maybe(contracts.thrown_in.share(), Cell::Share));
        row.push(Cell::maybe(contracts.declared.share(), Cell::Share));
        let none = Outcome::default();
        let all = contracts.groups.get(&Group::All).unwrap_or(&none);
        row.extend(columns::share(&all.made));
        row.push(Cell::maybe(all.coinched.share(), Cell::Share));
        row.push(Cell::maybe(all.surcoinched.share(), Cell::Share));
        row.push(Cell::maybe(contracts.height.mean(), |height| Cell::Plain(height.mean)));
        row.extend(columns::mean(&all.score, Cell::Signed));
        table.rows.push(row);
    }
    Block::Table(table)
}
