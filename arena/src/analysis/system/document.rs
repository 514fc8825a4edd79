//! The findings of a check: tables for a terminal, pages and files.

use coinche_bots::system::{Rule, System};
use coinche_selfplay::base::style::thousands;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::model::{Block, Cell, Document, Section, Table, percent};

use super::promise::{Counted, Kind, Promise, Spread};
use super::scene::Scene;
use super::{Findings, Settings};

/// The most rows of the table of rules that overlap.
const OVERLAPS: usize = 20;
/// How many uncovered auctions are listed.
const UNCOVERED: usize = 10;

#[expect(clippy::cast_precision_loss, reason = "counts are below 2^53")]
fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// The names of rules.
fn names(system: &System, rules: &[usize]) -> String {
    rules.iter().map(|rule| system.rules()[*rule].name.as_str()).collect::<Vec<_>>().join("; ")
}

/// A range of numbers with its mean.
fn spread_text(spread: &Spread, hands: u64) -> String {
    let mean = spread.mean(hands);
    if spread.least == spread.most {
        format!("{}", spread.least)
    } else {
        format!("{}–{} ({mean:.1})", spread.least, spread.most)
    }
}

/// The columns of promises; the scene is a column of its own where several are in one table.
pub(super) fn promise_table(name: &str, caption: &str) -> Table {
    let columns = [
        Column::text("auction").only_in_files(),
        Column::text("call"),
        Column::text("rules"),
        Column::count("hands"),
        Column::number("share"),
        Column::text("trumps"),
        Column::number("jack").head("J"),
        Column::number("nine").head("9"),
        Column::number("ace").head("A"),
        Column::number("belote").head("K Q"),
        Column::text("aces"),
        Column::count("trumps_least").only_in_files(),
        Column::count("trumps_most").only_in_files(),
        Column::number("trumps_mean").only_in_files(),
        Column::count("aces_least").only_in_files(),
        Column::count("aces_most").only_in_files(),
        Column::number("aces_mean").only_in_files(),
    ];
    Table::new(name, caption, &columns)
}

pub(super) fn promise_row(
    system: &System,
    scene: &Scene,
    kind: Kind,
    promise: &Promise,
    all: u64,
) -> Vec<Cell> {
    let suit = |cell: Cell| if kind.has_suit() { cell } else { Cell::Blank };
    let with = |n: usize| suit(Cell::Share(share(promise.with[n], promise.hands)));
    vec![
        Cell::text(scene.calls.clone()),
        Cell::text(kind.text()),
        Cell::text(names(system, &promise.rules)),
        Cell::Count(promise.hands),
        Cell::Share(share(promise.hands, all)),
        suit(Cell::text(spread_text(&promise.trumps, promise.hands))),
        with(0),
        with(1),
        with(2),
        with(3),
        Cell::text(spread_text(&promise.aces, promise.hands)),
        suit(Cell::Count(promise.trumps.least.into())),
        suit(Cell::Count(promise.trumps.most.into())),
        suit(Cell::Number(promise.trumps.mean(promise.hands), 4)),
        Cell::Count(promise.aces.least.into()),
        Cell::Count(promise.aces.most.into()),
        Cell::Number(promise.aces.mean(promise.hands), 4),
    ]
}

fn promises(system: &System, number: usize, scene: &Scene, counted: &Counted) -> Table {
    let calls = if scene.calls.is_empty() { String::new() } else { format!(" (after {})", scene.calls) };
    let caption = format!("{}{calls}: {} hands.", capital(&scene.title), thousands(counted.hands));
    let mut table = promise_table(&format!("promises-{}", number + 1), &caption);
    for (kind, promise) in &counted.promises {
        table.rows.push(promise_row(system, scene, *kind, promise, counted.hands));
    }
    table
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The table of rules: how often each makes the call.
fn rules(settings: &Settings, findings: &Findings) -> Table {
    let columns = [
        Column::count("number").head("#"),
        Column::text("rule"),
        Column::count("line"),
        Column::text("call"),
        Column::count("applied"),
        Column::count("claimed"),
        Column::text("remark"),
    ];
    let coverage = &findings.coverage;
    let caption = format!(
        "Rules in order, in {} random deals bid by four of the system. Applied: calls that the rule made; claimed: turns at which \
         it would have, had it been the first.",
        thousands(coverage.deals)
    );
    let mut table = Table::new("rules", caption, &columns);
    for (number, rule) in settings.file.system.rules().iter().enumerate() {
        table.rows.push(vec![
            Cell::Count(number as u64 + 1),
            Cell::text(rule.name.clone()),
            Cell::Count(rule.place.line as u64),
            Cell::text(rule.call.clone()),
            Cell::Count(coverage.applied[number]),
            Cell::Count(coverage.claimed[number]),
            Cell::text(remark(findings, number)),
        ]);
    }
    table
}

fn remark(findings: &Findings, rule: usize) -> &'static str {
    if findings.left_out.contains(&rule) {
        "left out under these rules"
    } else if findings.never.contains(&rule) && findings.coverage.claimed[rule] > 0 {
        "never first: earlier rules take its hands"
    } else if findings.never.contains(&rule) {
        "never applied"
    } else {
        ""
    }
}

/// The table of hands that two rules claim with different calls.
fn overlaps(settings: &Settings, findings: &Findings) -> Table {
    let columns = [
        Column::text("auction"),
        Column::text("first").head("the rule that calls"),
        Column::text("other").head("another that would"),
        Column::count("hands"),
        Column::number("share"),
    ];
    let caption = "Hands that two rules claim with different calls: the first one in the file decides.";
    let mut rows: Vec<(u64, Vec<Cell>)> = Vec::new();
    let name = |rule: usize| Cell::text(settings.file.system.rules()[rule].name.clone());
    for (scene, counted) in &findings.scenes {
        for ((first, other), hands) in &counted.overlaps {
            let auction = if scene.calls.is_empty() { scene.title.clone() } else { scene.calls.clone() };
            let cells = vec![
                Cell::text(auction),
                name(*first),
                name(*other),
                Cell::Count(*hands),
                Cell::Share(share(*hands, counted.hands)),
            ];
            rows.push((*hands, cells));
        }
    }
    rows.sort_by_key(|(hands, _)| std::cmp::Reverse(*hands));
    let mut table = Table::new("overlaps", caption, &columns);
    table.rows = rows.into_iter().take(OVERLAPS).map(|(_, cells)| cells).collect();
    table
}

/// The table of auctions that the floor met most often.
fn uncovered(settings: &Settings, findings: &Findings) -> Table {
    let columns = [
        Column::text("auction"),
        Column::count("turns"),
        Column::number("share"),
        Column::count("bids").head("not passed"),
    ];
    let caption = format!(
        "The auctions in which the floor ({}) called most often, with suits named a, b, … in the order in which they were bid; \
         share of all its turns.",
        settings.file.system.floor().name()
    );
    let mut table = Table::new("uncovered", caption, &columns);
    let coverage = &findings.coverage;
    for (auction, [turns, bids]) in coverage.most_uncovered(UNCOVERED) {
        table.rows.push(vec![
            Cell::text(auction),
            Cell::Count(turns),
            Cell::Share(share(turns, coverage.floor_turns)),
            Cell::Count(bids),
        ]);
    }
    table
}

/// What stands first.
fn verdicts(settings: &Settings, findings: &Findings) -> Vec<String> {
    let (system, coverage) = (&settings.file.system, &findings.coverage);
    let used = system.rules().len() - findings.left_out.len();
    let mut verdicts = vec![format!(
        "{}: {used} of {} rules are for these rules; {} numbers; floor: {}.",
        system.name(),
        system.rules().len(),
        system.numbers().len(),
        system.floor().name()
    )];
    verdicts.push(format!(
        "In {} deals the floor makes {} of the calls, at least one for {} of the hands and in {} of the auctions.",
        thousands(coverage.deals),
        percent(share(coverage.floor_turns, coverage.turns)),
        percent(share(coverage.floor_hands, 4 * coverage.deals)),
        percent(share(coverage.floor_deals, coverage.deals)),
    ));
    if findings.never.is_empty() {
        verdicts.push("Every rule applies somewhere.".to_owned());
    } else {
        let list = |rule: &usize| {
            let Rule { name, place, .. } = &system.rules()[*rule];
            format!("`{name}` (line {})", place.line)
        };
        let list = findings.never.iter().map(list).collect::<Vec<_>>().join(", ");
        verdicts.push(format!("{} never made a call: {list}.", rules_in_words(findings.never.len())));
    }
    verdicts
}

fn rules_in_words(count: usize) -> String {
    if count == 1 { "One rule".to_owned() } else { format!("{count} rules") }
}

fn scope(settings: &Settings) -> Vec<String> {
    let rules = settings.rules.preset_name().unwrap_or("of one's own");
    vec![format!("{}, rules {rules}, seed {}.", settings.file.bot(), settings.seed)]
}

fn sections(settings: &Settings, findings: &Findings) -> Vec<Section> {
    let system = &settings.file.system;
    let section = |id: &str, title: &str, blocks: Vec<Block>| Section {
        id: id.to_owned(),
        title: title.to_owned(),
        blocks,
    };
    let tables = findings.scenes.iter().enumerate();
    let promised = tables.map(|(n, (scene, counted))| Block::Table(promises(system, n, scene, counted)));
    let promised = section("promises", "What each call promises", promised.collect());
    vec![
        promised,
        section("rules", "Rules", vec![Block::Table(rules(settings, findings))]),
        section("overlaps", "Rules that overlap", vec![Block::Table(overlaps(settings, findings))]),
        section("uncovered", "What is left to the floor", vec![Block::Table(uncovered(settings, findings))]),
    ]
}

/// Makes the whole report.
pub(crate) fn document(settings: &Settings, findings: &Findings) -> Document {
    Document {
        title: format!("Bidding system: {}", settings.file.system.name()),
        command: "system check",
        verdicts: verdicts(settings, findings),
        scope: scope(settings),
        sections: sections(settings, findings),
    }
}

/// Makes the report for a terminal.
pub(crate) fn brief(settings: &Settings, findings: &Findings) -> Document {
    document(settings, findings)
}
