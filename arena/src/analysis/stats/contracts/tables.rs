//! The contracts of bots as tables and pictures.

use coinche_engine::Strain;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{GridCell, grid};
use coinche_selfplay::document::model::{Block, Cell, Picture, Table};

use super::{Contracts, Group, Outcome, position_name};
use crate::analysis::stats::columns;
use crate::analysis::stats::columns::short;
use crate::analysis::stats::level::Level;

fn strain_name(index: usize) -> &'static str {
    Strain::ALL[index].code()
}

fn short_row(contracts: &Contracts, outcome: &Outcome) -> Vec<Cell> {
    let count = outcome.made.count();
    let mut cells = vec![Cell::Count(count)];
    cells.push(Cell::maybe(contracts.share_of(count), |[share, ..]| Cell::Share(share)));
    cells.push(columns::share(&outcome.made));
    cells.push(Cell::maybe(outcome.coinched.share(), Cell::Share));
    cells.push(columns::signed(outcome.score.mean()));
    cells.push(Cell::maybe(outcome.points.mean(), |points| Cell::Plain(points.mean)));
    cells
}

/// A short table by one key.
fn by_key(
    bots: &[(&str, &Contracts)],
    [name, key_name, caption]: [&'static str; 3],
    key: impl Fn(Group) -> Option<String>,
) -> Block {
    let columns = [
        Column::text("bot"),
        Column::text(key_name),
        Column::count("contracts"),
        Column::number("share"),
        Column::estimate("made"),
        Column::number("coinched"),
        Column::estimate("score"),
        Column::number("card_points"),
    ];
    let mut table = Table::new(name, caption, &columns);
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

/// The table of all groups with all figures.
fn all(bots: &[(&str, &Contracts)]) -> Block {
    let caption = "Contracts by level, strain, declarer's position and hand class, with all figures";
    let columns = [
        Column::text("bot"),
        Column::text("by"),
        Column::text("level"),
        Column::text("strain"),
        Column::text("position"),
        Column::text("holding").head("trumps or tops"),
        Column::text("rest"),
        Column::count("bids"),
        Column::count("contracts"),
        Column::estimate("share"),
        Column::estimate("made"),
        Column::estimate("coinched"),
        Column::estimate("surcoinched"),
        Column::estimate("made_when_coinched"),
        Column::estimate("score"),
        Column::estimate("score_difference"),
        Column::estimate("card_points"),
        Column::number("trials"),
    ];
    let mut table = Table::new("contracts", caption, &columns);
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
                    [text(&"position"), none(), none(), text(&position_name(at)), none(), none(), none()]
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
            row.push(columns::shares(contracts.share_of(outcome.made.count())));
            for share in [&outcome.made, &outcome.coinched, &outcome.surcoinched, &outcome.made_when_coinched]
            {
                row.push(columns::share(share));
            }
            row.extend([&outcome.score, &outcome.difference].map(|mean| columns::signed(mean.mean())));
            row.push(columns::mean(&outcome.points));
            row.push(Cell::maybe(outcome.made.share(), |_| Cell::Plain(outcome.made.trials())));
            table.rows.push(row);
        }
    }
    Block::Folded(table)
}

/// Below so many contracts a cell is drawn pale.
const FEW: u64 = 30;

fn made_columns() -> [Column; 5] {
    [
        Column::text("bot").only_in_files(),
        Column::text("level"),
        Column::text("strain"),
        Column::count("contracts"),
        Column::estimate("made"),
    ]
}

/// The heat map of one bot: how often contracts are made, by level and strain.
fn picture(number: usize, bot: &str, contracts: &Contracts) -> Option<Block> {
    let strains: Vec<usize> = (0..Strain::ALL.len())
        .filter(|strain| contracts.groups.contains_key(&Group::Strain(*strain)))
        .collect();
    let name = if number == 0 { "made".to_owned() } else { format!("made-{}", number + 1) };
    let mut numbers = Table::new(name, "", &made_columns());
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
            row.push(columns::share(&outcome.made));
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
    let pictures = bots.iter().enumerate().filter_map(|(n, (bot, contracts))| picture(n, bot, contracts));
    let mut pictures: Vec<_> = pictures.collect();
    if pictures.is_empty() {
        pictures.push(Block::Table(Table::new("made", "", &made_columns())));
    }
    let mut blocks = vec![overview(bots)];
    blocks.extend(pictures);
    blocks.push(by_key(bots, ["levels", "level", "Contracts by level"], |group| match group {
        Group::Level(level) => Some(level.to_string()),
        _ => None,
    }));
    blocks.push(by_key(bots, ["strains", "strain", "Contracts by strain"], |group| match group {
        Group::Strain(strain) => Some(strain_name(strain).to_owned()),
        _ => None,
    }));
    let caption = "Contracts by the declarer's position in the auction";
    blocks.push(by_key(bots, ["seats", "position", caption], |group| match group {
        Group::Position(position) => Some(position_name(position).to_owned()),
        _ => None,
    }));
    blocks.push(all(bots));
    blocks
}

/// A row for each bot.
fn overview(bots: &[(&str, &Contracts)]) -> Block {
    let heads = [
        Column::text("bot"),
        Column::count("legs"),
        Column::number("passed_out"),
        Column::number("declared").head("declares"),
        Column::estimate("made"),
        Column::number("coinched"),
        Column::number("surcoinched"),
        Column::number("points_bid").head("bid"),
        Column::estimate("score"),
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
        row.push(columns::share(&all.made));
        row.push(Cell::maybe(all.coinched.share(), Cell::Share));
        row.push(Cell::maybe(all.surcoinched.share(), Cell::Share));
        row.push(Cell::maybe(contracts.height.mean(), |height| Cell::Plain(height.mean)));
        row.push(columns::signed(all.score.mean()));
        table.rows.push(row);
    }
    Block::Table(table)
}
