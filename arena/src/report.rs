//! The verdict and the tables that a person reads.

use coinche_engine::{DealMethod, Shuffle, Strain};
use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

use crate::config::{RunConfig, nearest_preset};
use crate::figures::level_name;
use crate::schedule::{Side, Unit};
use crate::stats::Estimate;
use crate::tally::{Contracts, FAULT_KINDS, Role, SideTally, Tally};

/// Writes a number with commas between the thousands.
///
/// ```
/// assert_eq!(coinche_arena::thousands(1_234_567), "1,234,567");
/// ```
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The names of the bots: their specifications, told apart when they are the same.
fn names(config: &RunConfig) -> [String; 2] {
    let [a, b] = [0, 1].map(|side| config.bots[side].to_string());
    if a == b { [format!("{a} (A)"), format!("{b} (B)")] } else { [a, b] }
}

/// What the figures are of: how much was played, under which seed and rules.
fn scope(config: &RunConfig, tally: &Tally) -> String {
    let (n, unit) = (tally.points.pairs, config.unit);
    let played =
        format!("{} {} in pairs", thousands(n), if n == 1 { unit.singular() } else { unit.plural() });
    let short = if n < config.deals {
        format!(" (stopped; {} asked for)", thousands(config.deals))
    } else {
        String::new()
    };
    let rules = match config.rules.preset_name() {
        Some(name) => format!("rules {name}"),
        None => {
            let (name, settings) = nearest_preset(&config.rules);
            format!(
                "rules {name} with {} changed",
                if settings.len() == 1 { "1 field".to_owned() } else { format!("{} fields", settings.len()) }
            )
        }
    };
    format!("{played}{short}, seed {}, {rules}", config.seed)
}

/// The sentence about a difference in points.
fn points_sentence(config: &RunConfig, estimate: &Estimate, scope: &str) -> String {
    let [a, b] = names(config);
    let unit = config.unit.singular();
    let Some(half) = estimate.half_width else {
        return format!(
            "no difference shown: A − B = {:+.1} points, and one {unit} proves nothing, {scope}",
            estimate.mean
        );
    };
    if estimate.is_decided() {
        let (winner, loser) = if estimate.mean > 0.0 { (a, b) } else { (b, a) };
        let mean = estimate.mean.abs();
        format!("{winner} beats {loser} by {mean:.1} ± {half:.1} points a {unit} (95 %), {scope}")
    } else {
        format!(
            "no difference shown: {a} against {b} is {:+.1} ± {half:.1} points a {unit} (95 %), {scope}",
            estimate.mean
        )
    }
}

/// The sentence about a difference in matches won.
fn wins_sentence(config: &RunConfig, tally: &Tally, estimate: &Estimate) -> String {
    let [a, b] = names(config);
    let won = [0, 1].map(|side| tally.sides[side].matches_won);
    let legs = 2 * tally.wins.pairs;
    // A leg is 1, 0 or −1: half of it is the share of wins over one half.
    let share = |mean: f64| 50.0 + 50.0 * mean;
    let half = estimate.half_width.map_or_else(String::new, |half| format!(" ± {:.1}", 50.0 * half));
    let drawn = if tally.drawn > 0 {
        format!(", {} without a winner", thousands(tally.drawn))
    } else {
        String::new()
    };
    let counts = format!(
        "{} to {}{drawn}, of {} played in both seatings",
        thousands(won[0]),
        thousands(won[1]),
        thousands(legs)
    );
    if estimate.is_decided() {
        let (winner, loser, mean) =
            if estimate.mean > 0.0 { (a, b, estimate.mean) } else { (b, a, -estimate.mean) };
        format!("{winner} beats {loser} in {:.1}{half} % of the matches (95 %): {counts}", share(mean))
    } else {
        format!(
            "no difference shown in matches won: {a} wins {:.1}{half} % (95 %): {counts}",
            share(estimate.mean)
        )
    }
}

/// Returns the verdict in words.
pub fn verdict(config: &RunConfig, tally: &Tally) -> String {
    let scope = scope(config, tally);
    let Some(points) = tally.points.estimate() else {
        return format!("nothing was played: {scope}\n");
    };
    let mut text = String::new();
    if let Some(wins) = tally.wins.estimate() {
        text.push_str(&wins_sentence(config, tally, &wins));
        text.push('\n');
    }
    text.push_str(&points_sentence(config, &points, &scope));
    text.push('\n');
    let [first, second] = points.leg_means;
    text.push_str(&format!(
        "  A − B: {first:+.1} with A at seats 0 and 2, {second:+.1} with A at seats 1 and 3\n"
    ));
    if let (Some(sd), Some(leg_sd)) = (points.sd, points.leg_sd) {
        text.push_str(&format!("  standard deviation: {sd:.1} of a pair, {leg_sd:.1} of a single leg\n"));
    }
    if config.unit == Unit::Deal && config.rules.deal.shuffle == Shuffle::Cut {
        text.push_str("  every deal is the first of its match: --match plays on with the deck only cut\n");
    }
    text
}

/// Starts a table of the house's style: a line below the head, nothing else drawn.
pub(crate) fn table() -> Table {
    const LINE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
    let mut table = Table::new();
    table.load_style(LINE);
    table
}

/// Aligns every column but the first to the right.
pub(crate) fn finish(mut table: Table) -> String {
    let narrow = table.column_count() > 7;
    for (n, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if narrow { 1 } else { 2 }));
        column.set_cell_alignment(if n == 0 { CellAlignment::Left } else { CellAlignment::Right });
    }
    let mut text: String =
        table.lines().flat_map(|line| [line.trim_end().to_owned(), "\n".to_owned()]).collect();
    text.push('\n');
    text
}

#[expect(clippy::cast_precision_loss, reason = "a share for people")]
fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

#[expect(clippy::cast_precision_loss, reason = "a mean for people")]
fn mean(sum: i64, count: u64) -> String {
    if count == 0 { "–".to_owned() } else { format!("{:+.1}", sum as f64 / count as f64) }
}

/// The rows of the table by bot: a title and what to say of each side.
type Row = (&'static str, fn(&SideTally) -> String);

fn played_made(contracts: &Contracts) -> String {
    if contracts.played == 0 {
        return "0".to_owned();
    }
    format!(
        "{}, {} made, {}",
        thousands(contracts.played),
        percent(contracts.made, contracts.played),
        mean(contracts.difference, contracts.played)
    )
}

fn role(role: &Role) -> String {
    format!("{} legs, {} points", thousands(role.legs), mean(role.points, role.legs))
}

const ROLES: [Row; 2] = [
    ("declaring: own points a leg", |side| role(&side.declaring)),
    ("defending: own points a leg", |side| role(&side.defending)),
];

const STAKES: [Row; 4] = [
    ("contracts not coinched", |side| played_made(&side.stakes[0])),
    ("own contracts coinched", |side| played_made(&side.stakes[1])),
    ("own contracts surcoinched", |side| played_made(&side.stakes[2])),
    ("coinches said (made: won)", |side| played_made(&side.coinches)),
];

/// Returns the table that compares the bots.
pub(crate) fn bots_table(config: &RunConfig, tally: &Tally) -> String {
    let mut table = table();
    let [a, b] = names(config);
    table.set_header(vec![String::new(), a, b]);
    let mut rows = ROLES.to_vec();
    if config.rules.deal.method == DealMethod::Full {
        rows.extend(STAKES);
        if config.rules.auction.capot {
            rows.push(("capots bid", |side| played_made(&side.capots)));
        }
        if config.rules.auction.generale {
            rows.push(("générales bid", |side| played_made(&side.generales)));
        }
    } else {
        rows.push(("contracts", |side| played_made(&side.stakes[0])));
    }
    rows.push(("all eight tricks taken", |side| thousands(side.slams)));
    rows.push(("belotes announced", |side| thousands(side.belotes)));
    if config.rules.melds.enabled {
        rows.push(("points of melds that counted", |side| side.meld_points.to_string()));
    }
    rows.push(("faults", faults));
    for (title, cell) in rows {
        let [a, b] = &tally.sides;
        table.add_row(vec![title.to_owned(), cell(a), cell(b)]);
    }
    let mut text = finish(table);
    text.push_str(&format!(
        "Of {} legs {} were thrown in ({}){}.\n",
        thousands(tally.deals),
        thousands(tally.thrown_in),
        percent(tally.thrown_in, tally.deals),
        if tally.forfeited > 0 {
            format!(", {} forfeited by a crash", thousands(tally.forfeited))
        } else {
            String::new()
        },
    ));
    text
}

fn faults(side: &SideTally) -> String {
    let by_kind: Vec<_> = FAULT_KINDS
        .iter()
        .zip(side.faults)
        .filter(|(_, count)| *count > 0)
        .map(|((_, name), count)| format!("{} {name}", thousands(count)))
        .collect();
    if by_kind.is_empty() { "0".to_owned() } else { by_kind.join(", ") }
}

/// Numbers above this one share a row of the table: some rules let bids go on to 990.
const LAST_ROW: usize = 12;

fn sum<'a>(cells: impl Iterator<Item = &'a Contracts>) -> Contracts {
    cells.fold(Contracts::default(), |mut sum, cell| {
        sum.played += cell.played;
        sum.made += cell.made;
        sum.difference += cell.difference;
        sum
    })
}

/// A cell of the table of contracts: share of all contracts, made, mean difference.
#[expect(clippy::cast_precision_loss, reason = "shares for people")]
fn contract_cell(cell: &Contracts, all: u64) -> String {
    if cell.played == 0 {
        return String::new();
    }
    let share = 100.0 * cell.played as f64 / all as f64;
    let share = if share >= 9.95 { format!("{share:.0}") } else { format!("{share:.1}") };
    let made = 100.0 * cell.made as f64 / cell.played as f64;
    // Adding zero makes −0 a 0.
    let difference = (cell.difference as f64 / cell.played as f64).round() + 0.0;
    format!("{share}/{made:.0}/{difference:+.0}")
}

/// Returns the table of a side's contracts by level and strain.
pub(crate) fn contracts_table(config: &RunConfig, tally: &Tally, side: Side) -> String {
    let contracts = &tally.sides[side.index()].contracts;
    let all = sum(contracts.iter());
    let name = &names(config)[side.index()];
    if all.played == 0 {
        return format!("{name} declared no contract.\n");
    }
    let strains: Vec<Strain> = Strain::ALL
        .into_iter()
        .filter(|strain| contracts.iter().skip(strain.index()).step_by(6).any(|cell| cell.played > 0))
        .collect();
    let mut table = table();
    let mut header = vec![String::new()];
    header.extend(strains.iter().map(|strain| strain.symbol().to_owned()));
    header.push("all".to_owned());
    table.set_header(header);
    for (name, levels) in rows_of_levels(config, tally) {
        let cells = |strain: Option<Strain>| {
            sum(levels
                .clone()
                .flat_map(|level| &contracts[6 * level..6 * level + 6])
                .enumerate()
                .filter_map(|(n, cell)| strain.is_none_or(|strain| n % 6 == strain.index()).then_some(cell)))
        };
        if cells(None).played > 0 {
            add_row(&mut table, name, &strains, cells, all.played);
        }
    }
    let cells = |strain: Option<Strain>| match strain {
        Some(strain) => sum(contracts.iter().skip(strain.index()).step_by(6)),
        None => all,
    };
    add_row(&mut table, "all".to_owned(), &strains, cells, all.played);
    format!(
        "Contracts of {name}: {}; in each cell share in % / made in % / mean difference\n{}",
        thousands(all.played),
        finish(table)
    )
}

fn add_row(
    table: &mut Table,
    name: String,
    strains: &[Strain],
    cells: impl Fn(Option<Strain>) -> Contracts,
    all: u64,
) {
    let mut row = vec![name];
    row.extend(strains.iter().map(|strain| contract_cell(&cells(Some(*strain)), all)));
    row.push(contract_cell(&cells(None), all));
    table.add_row(row);
}

/// The rows of the table of contracts: the levels of the ladder, a long upper part as one.
fn rows_of_levels(config: &RunConfig, tally: &Tally) -> Vec<(String, core::ops::Range<usize>)> {
    if config.rules.deal.method == DealMethod::TurnUp {
        return vec![(level_name(config, tally, 0), 0..1)];
    }
    let ladder = tally.ladder();
    let numbers = ladder.iter().filter(|value| value.as_points().is_some()).count();
    let single = if numbers > LAST_ROW + 1 { LAST_ROW } else { numbers };
    let name = |level| level_name(config, tally, level);
    let mut rows: Vec<_> = (0..single).map(|level| (name(level), level..level + 1)).collect();
    if single < numbers {
        rows.push((format!("{}–{}", name(single), name(numbers - 1)), single..numbers));
    }
    rows.extend((numbers..ladder.len()).map(|level| (name(level), level..level + 1)));
    rows
}

/// Returns all that is printed of a run, below its verdict.
pub(crate) fn tables(config: &RunConfig, tally: &Tally) -> String {
    let [a, b] = Side::ALL.map(|side| contracts_table(config, tally, side));
    format!("{}\n{a}{b}", bots_table(config, tally))
}
