//! What was declared, and how often it was made.

use std::collections::BTreeMap;

use coinche_engine::Strain;
use coinche_inference::wilson;
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::draw::{GridCell, grid};
use coinche_selfplay::document::model::{Block, Cell, Picture, Section, Table, percent};

use super::{Place, numbered, picture_or_table};
use crate::analysis::report::source::Run;

/// Contracts of one kind, added up over pairings.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    played: u64,
    made: u64,
    /// Of (own score − the other side's).
    points: f64,
}

impl Sum {
    #[expect(clippy::cast_precision_loss, reason = "counts of legs are below 2^53")]
    fn add(&mut self, played: u64, made: u64, mean: Option<f64>) {
        self.played += played;
        self.made += made;
        self.points += mean.unwrap_or(0.0) * played as f64;
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of legs are below 2^53")]
    fn share(self) -> Option<f64> {
        (self.played > 0).then(|| self.made as f64 / self.played as f64)
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of legs are below 2^53")]
    fn cells(self) -> [Cell; 3] {
        let interval = wilson(self.made, self.played, 0.95);
        [
            Cell::Count(self.played),
            Cell::maybe(self.share(), |share| Cell::Rate(share, interval)),
            Cell::maybe((self.played > 0).then(|| self.points / self.played as f64), Cell::Signed),
        ]
    }
}

/// What one bot did in all its pairings.
#[derive(Debug, Default)]
struct Declared {
    /// By the place of the level in the order of levels, and the strain.
    contracts: BTreeMap<(usize, usize), Sum>,
    kinds: [Sum; 4],
    roles: [Sum; 2],
}

const KINDS: [&str; 4] = ["not coinched", "coinched", "surcoinched", "coinches called (won)"];

/// Levels from the lowest; words come behind numbers, in the order of the game.
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
    let mut levels: Vec<String> = kinds.map(|kind| kind.level.clone()).collect();
    levels.sort_by_key(|level| level_key(level));
    levels.dedup();
    let mut declared: Vec<_> = run.form.bots.iter().map(|_| Declared::default()).collect();
    for met in &met {
        for (bot, figures) in met.ends.into_iter().zip(&met.figures.by_bot) {
            let of_bot = &mut declared[bot];
            for kind in &figures.contracts {
                let level = levels.iter().position(|level| *level == kind.level);
                let strain = Strain::ALL.iter().position(|strain| strain.code() == kind.strain);
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

fn shade(share: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 8")]
    let step = (share * 9.0).floor().clamp(0.0, 8.0) as u32;
    format!("s{step}")
}

/// Below so many contracts a cell is drawn in outline.
const FEW: u64 = 20;

/// The columns of contracts by level and strain.
fn by_level() -> [Column; 6] {
    [
        Column::text("bot").only_in_files(),
        Column::text("level"),
        Column::text("strain"),
        Column::count("contracts"),
        Column::estimate("made"),
        Column::number("score_difference").head("points"),
    ]
}

fn picture(name: &str, file: String, levels: &[String], declared: &Declared) -> Picture {
    let mut table = Table::new(file, "", &by_level());
    let mut rows = Vec::new();
    for (level, text) in levels.iter().enumerate() {
        let mut cells = vec![GridCell::default(); Strain::ALL.len()];
        for (strain, cell) in cells.iter_mut().enumerate() {
            let Some(sum) = declared.contracts.get(&(level, strain)) else { continue };
            let (Some(share), Some([low, high])) = (sum.share(), wilson(sum.made, sum.played, 0.95)) else {
                continue;
            };
            let symbol = Strain::ALL[strain].symbol();
            let few = if sum.played < FEW { " few" } else { "" };
            *cell = GridCell {
                shade: format!("{}{few}", shade(share)),
                text: format!("{:.0} %", 100.0 * share),
                below: thousands(sum.played),
                tip: format!(
                    "{text} {symbol}: {} of {} made, {} to {}",
                    thousands(sum.made),
                    thousands(sum.played),
                    percent(low),
                    percent(high)
                ),
            };
            let mut row =
                vec![Cell::text(name), Cell::text(text.clone()), Cell::text(Strain::ALL[strain].code())];
            row.extend(sum.cells());
            table.rows.push(row);
        }
        rows.push((text.clone(), cells));
    }
    let columns: Vec<_> = Strain::ALL.iter().map(|strain| strain.symbol().to_owned()).collect();
    let svg = grid(&format!("Contracts of {name}"), &columns, &rows);
    let caption = format!(
        "Contracts of {name} by level and strain: share made, and below it the number played. Dashed outline: fewer \
         than {FEW}."
    );
    Picture::new(svg, caption, table)
}

/// Tells what was declared.
pub(super) fn section(run: &Run, place: Place) -> Section {
    let (levels, declared) = gather(run);
    let names: Vec<_> = (0..declared.len()).map(|bot| run.form.name(bot)).collect();
    let heads = [
        Column::text("bot"),
        Column::text("stake"),
        Column::count("contracts"),
        Column::estimate("made"),
        Column::number("score_difference").head("points"),
    ];
    let mut kinds = Table::new(
        place.name("declaring"),
        "Contracts by stake. Intervals of shares are 95 % Wilson intervals; points: mean score of the bot's side \
                    minus that of the other side.",
        &heads,
    );
    let mut roles = Table::new(
        place.name("roles"),
        "Legs in each role, and the mean score of the bot's side.",
        &[
            Column::text("bot"),
            Column::text("role"),
            Column::count("legs"),
            Column::number("score").head("points"),
        ],
    );
    for (name, declared) in names.iter().zip(&declared) {
        for (kind, sum) in KINDS.iter().zip(&declared.kinds).filter(|(_, sum)| sum.played > 0) {
            let mut row = vec![Cell::text(name.clone()), Cell::text(*kind)];
            row.extend(sum.cells());
            kinds.rows.push(row);
        }
        for (role, sum) in ["declaring", "defending"].iter().zip(&declared.roles) {
            let [legs, .., points] = sum.cells();
            roles.rows.push(vec![Cell::text(name.clone()), Cell::text(*role), legs, points]);
        }
    }
    let mut blocks = vec![Block::Table(kinds), Block::Table(roles)];
    if declared.iter().all(|declared| declared.contracts.is_empty()) {
        blocks.push(Block::Table(Table::new(place.name("contracts"), "", &by_level())));
    }
    for (n, declared) in declared.iter().enumerate().filter(|(_, declared)| !declared.contracts.is_empty()) {
        let file = place.name(&numbered("contracts", n, names.len()));
        blocks.push(picture_or_table(picture(&names[n], file, &levels, declared), n));
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

    #[test]
    fn shades_go_from_light_to_dark() {
        assert_eq!([0.0, 0.5, 1.0].map(shade), ["s0", "s4", "s8"]);
    }
}
