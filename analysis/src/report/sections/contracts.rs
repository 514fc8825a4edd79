//! The declared contracts, and how often they were made.

use std::collections::BTreeMap;

use coinche_engine::Strain;
use coinche_inference::wilson;
use coinche_selfplay::document::columns::{BOT, CONTRACTS, LEVEL, MADE, SCORE, SCORE_DIFFERENCE, STRAIN};
use coinche_selfplay::document::draw::{GridCell, grid, shade};
use coinche_selfplay::{Block, Picture, Section, Table, TableOf, named, percent, thousands};

use super::{Place, numbered, picture_or_table};
use crate::report::source::Run;

/// Contracts of one kind, summed over pairings.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    played: u64,
    made: u64,
    /// Sum of (own score − the other side's).
    points: f64,
}

impl Sum {
    fn add(&mut self, played: u64, made: u64, mean: Option<f64>) {
        self.played += played;
        self.made += made;
        self.points += mean.unwrap_or(0.0) * played as f64;
    }

    fn share(self) -> Option<f64> {
        (self.played > 0).then(|| self.made as f64 / self.played as f64)
    }

    fn rate(self) -> Option<(f64, Option<[f64; 2]>)> {
        Some((self.share()?, wilson(self.made, self.played, 0.95)))
    }

    fn mean(self) -> Option<f64> {
        (self.played > 0).then(|| self.points / self.played as f64)
    }
}

/// The contracts of one bot in all its pairings.
#[derive(Debug, Default)]
struct Declared {
    /// By the index of the level in the order of levels, and the strain.
    contracts: BTreeMap<(usize, usize), Sum>,
    kinds: [Sum; 4],
    roles: [Sum; 2],
}

const KINDS: [&str; 4] = ["not coinched", "coinched", "surcoinched", "coinches called (won)"];

/// Returns the sort key of a level: numbers first, then words in game order.
fn level_key(level: &str) -> (u32, u32) {
    match (level.parse(), level) {
        (Ok(value), _) => (0, value),
        (_, "CAPOT") => (1, 0),
        _ => (1, 1),
    }
}

fn gather(run: &Run) -> (Vec<String>, Vec<Declared>) {
    let met = run.form.met();
    let kinds = met.iter().flat_map(|met| met.figures.by_bot.iter().flat_map(|bot| &bot.contracts));
    let mut levels: Vec<String> = kinds.filter_map(|kind| kind.level.clone()).collect();
    levels.sort_by_key(|level| level_key(level));
    levels.dedup();
    let mut declared: Vec<_> = run.form.bots.iter().map(|_| Declared::default()).collect();
    for met in &met {
        for (bot, figures) in met.ends.into_iter().zip(&met.figures.by_bot) {
            let of_bot = &mut declared[bot];
            for kind in &figures.contracts {
                let level = levels.iter().position(|level| Some(level) == kind.level.as_ref());
                let strain =
                    Strain::ALL.iter().position(|strain| Some(strain.code()) == kind.strain.as_deref());
                if let (Some(level), Some(strain)) = (level, strain) {
                    let sum = of_bot.contracts.entry((level, strain)).or_default();
                    sum.add(kind.played, kind.made, kind.mean_difference);
                }
            }
            let kinds = [&figures.plain, &figures.coinched, &figures.surcoinched, &figures.coinches_said];
            for (sum, kind) in of_bot.kinds.iter_mut().zip(kinds) {
                sum.add(kind.played, kind.made, kind.mean_difference);
            }
            for (sum, role) in of_bot.roles.iter_mut().zip([figures.declaring, figures.defending]) {
                sum.add(role.legs, 0, role.mean_points);
            }
        }
    }
    (levels, declared)
}

/// A cell with fewer contracts is drawn in outline.
const FEW: u64 = 20;

/// Contracts of a bot by some key.
type Row<K> = (String, K, Sum);

/// Adds the outcome columns of contracts.
fn outcome<K>(table: TableOf<'_, Vec<Row<K>>>) -> Table {
    table
        .count(CONTRACTS, |(.., sum)| sum.played)
        .rate(MADE, |(.., sum)| sum.rate())
        .signed(SCORE_DIFFERENCE.head("points"), |(.., sum)| sum.mean())
        .build()
}

/// The table of contracts by level and strain.
fn by_level(file: String, rows: Vec<Row<(String, usize)>>) -> Table {
    let table = Table::of(file, "", rows)
        .text(BOT.only_in_files(), |(bot, ..)| bot.clone())
        .text(LEVEL, |(_, (level, _), _)| level.clone())
        .text(STRAIN, |(_, (_, strain), _)| Strain::ALL[*strain].code());
    outcome(table)
}

fn picture(name: &str, file: String, levels: &[String], declared: &Declared) -> Picture {
    let (mut numbers, mut rows) = (Vec::new(), Vec::new());
    for (level, text) in levels.iter().enumerate() {
        let mut cells = vec![GridCell::default(); Strain::ALL.len()];
        for (strain, cell) in cells.iter_mut().enumerate() {
            let Some(sum) = declared.contracts.get(&(level, strain)) else { continue };
            let Some((share, Some([low, high]))) = sum.rate() else { continue };
            let symbol = Strain::ALL[strain].symbol();
            let ([made, below], [low, high]) =
                ([sum.made, sum.played].map(thousands), [low, high].map(percent));
            *cell = GridCell {
                shade: shade(share, sum.played < FEW),
                text: format!("{:.0} %", 100.0 * share),
                tip: format!("{text} {symbol}: {made} of {below} made, {low} to {high}"),
                below,
            };
            numbers.push((name.to_owned(), (text.clone(), strain), *sum));
        }
        rows.push((text.clone(), cells));
    }
    let columns: Vec<_> = Strain::ALL.iter().map(|strain| strain.symbol().to_owned()).collect();
    let svg = grid(&format!("Contracts of {name}"), &columns, &rows);
    let caption = format!(
        "Contracts of {name} by level and strain: share made, and below it the number played. Dashed outline: fewer \
         than {FEW}."
    );
    Picture::new(svg, caption, by_level(file, numbers))
}

/// Reports the declared contracts.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let (levels, declared) = gather(run);
    let names: Vec<_> = (0..declared.len()).map(|bot| run.form.name(bot)).collect();
    let rows = names.iter().zip(&declared).flat_map(|(name, declared)| {
        let kinds = KINDS.iter().zip(&declared.kinds).filter(|(_, sum)| sum.played > 0);
        kinds.map(|(kind, sum)| (name.clone(), *kind, *sum))
    });
    let caption = "Contracts by stake. Intervals of shares are 95 % Wilson intervals; points: mean score of the bot's side \
                    minus that of the other side.";
    let stake = named("stake", "whether the contract was coinched, or whose coinche it was");
    let kinds = Table::of(place.name("declaring"), caption, rows.collect::<Vec<_>>())
        .text(BOT, |(bot, ..)| bot.clone())
        .text(stake, |(_, kind, _)| *kind);
    let kinds = outcome(kinds);
    let rows = names.iter().zip(&declared).flat_map(|(name, declared)| {
        ["declaring", "defending"].into_iter().zip(&declared.roles).map(move |(role, sum)| (name, role, sum))
    });
    let caption = "Legs in each role, and the mean score of the bot's side.";
    let roles = Table::of(place.name("roles"), caption, rows)
        .text(BOT, |(bot, ..)| *bot)
        .text(named("role", "`declaring` or `defending`"), |(_, role, _)| *role)
        .count(named("legs", "legs in which the bot sat, in this role"), |(.., sum)| sum.played)
        .signed(SCORE.head("points"), |(.., sum)| sum.mean())
        .build();
    let mut blocks = vec![Block::Table(kinds), Block::Table(roles)];
    if declared.iter().all(|declared| declared.contracts.is_empty()) {
        blocks.push(Block::Table(by_level(place.name("contracts"), Vec::new())));
    }
    let [mut legs, mut thrown_in, mut forfeited] = [0; 3];
    for met in run.form.met() {
        legs += met.figures.legs;
        thrown_in += met.figures.thrown_in;
        forfeited += met.figures.forfeited;
    }
    let [legs, thrown_in, forfeited] = [legs, thrown_in, forfeited].map(thousands);
    blocks.push(Block::Text(format!(
        "{thrown_in} of {legs} legs were passed out, {forfeited} were forfeited."
    )));
    if names.len() > 2 {
        blocks.push(Block::Fold("By level and strain".to_owned()));
    }
    for (n, declared) in declared.iter().enumerate().filter(|(_, declared)| !declared.contracts.is_empty()) {
        let file = place.name(&numbered("contracts", n, names.len()));
        blocks.push(picture_or_table(picture(&names[n], file, &levels, declared), n));
    }
    place.section("contracts", "Contracts", blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_go_up() {
        let mut levels = ["CAPOT", "90", "GENERALE", "160", "82"];
        levels.sort_by_key(|level| level_key(level));
        assert_eq!(levels, ["82", "90", "160", "CAPOT", "GENERALE"]);
    }
}
