//! The findings of a check: tables for a terminal, pages and files.

use coinche_bots::system::{Rule, System};
use coinche_engine::Rank;
use coinche_selfplay::document::columns::HANDS;
use coinche_selfplay::document::field::OrBlank;
use coinche_selfplay::{Block, Cell, Column, Document, Section, Table, measured, named, percent, thousands};

use super::promise::{Counted, Kind, Promise, Spread};
use super::scene::Scene;
use super::{Findings, Settings};
use crate::texts::{capital, texts};
use crate::typed::Language;

/// The maximum number of rows in the table of overlapping rules.
const OVERLAPS: usize = 20;
/// The number of uncovered auctions listed.
const UNCOVERED: usize = 10;

pub(super) fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

/// Returns the names of rules.
fn names(system: &System, rules: &[usize]) -> String {
    rules.iter().map(|rule| system.rules()[*rule].name.as_str()).collect::<Vec<_>>().join("; ")
}

/// Formats a range of numbers with its mean.
fn spread_text(language: Language, spread: &Spread, hands: u64) -> String {
    let mean = spread.mean(hands);
    if spread.least == spread.most {
        format!("{}", spread.least)
    } else {
        language.number(&format!("{}–{} ({mean:.1})", spread.least, spread.most))
    }
}

const SHARE: Column = named("share", "share of the hands");

/// Returns the table of promises in a scene; the scene is a column if a table has several.
pub(super) fn promise_table<'a>(
    name: &str,
    caption: &str,
    system: &System,
    language: Language,
    promises: impl IntoIterator<Item = (&'a Scene, Kind, &'a Promise, u64)>,
) -> Table {
    let texts = texts(language);
    let call = named("call", "the call, or `(no rule)` where the floor calls").head(texts.call_head);
    let rules = named("rules", "the rules that make it").head(texts.rules_head);
    let trumps = named("trumps", "least, most and mean number of trumps").head(texts.trumps);
    let mut table = Table::of(name, caption, promises)
        .text(named("auction", "the calls before the turn").only_in_files(), |(scene, ..)| &*scene.calls)
        .text(call, move |(_, kind, ..)| kind.text(language))
        .text(rules, |(_, _, promise, _)| names(system, &promise.rules))
        .count(HANDS.head(texts.hands_head), |(_, _, promise, _)| promise.hands)
        .share(SHARE.head(texts.share_head), |(_, _, promise, all)| share(promise.hands, *all))
        .text(trumps, move |(_, kind, promise, _)| {
            of_suit(*kind, || spread_text(language, &promise.trumps, promise.hands))
        });
    let with = "share of these hands with the card of the trump suit, or its king and queen";
    for (n, (name, cards)) in WITH.into_iter().enumerate() {
        let head = ranks(cards, language);
        table = table.share(named(name, with).head(head), move |(_, kind, promise, _)| {
            of_suit(*kind, || share(promise.with[n], promise.hands))
        });
    }
    let mean = "mean number of trumps";
    let mean_aces = "mean number of aces beside";
    let (least, most) = ("fewest trumps", "most trumps");
    let (least_aces, most_aces) = ("fewest aces beside the trump suit", "most aces beside it");
    table
        .text(
            named("aces", "least, most and mean number of aces beside").head(texts.aces),
            move |(_, _, promise, _)| spread_text(language, &promise.aces, promise.hands),
        )
        .count(measured("trumps_least", "0–8", least).only_in_files(), |(_, kind, promise, _)| {
            of_suit(*kind, || promise.trumps.least)
        })
        .count(measured("trumps_most", "0–8", most).only_in_files(), |(_, kind, promise, _)| {
            of_suit(*kind, || promise.trumps.most)
        })
        .number(named("trumps_mean", mean).only_in_files(), |(_, kind, promise, _)| {
            of_suit(*kind, || Cell::Number(promise.trumps.mean(promise.hands), 4))
        })
        .count(measured("aces_least", "0–4", least_aces).only_in_files(), |(_, _, promise, _)| {
            promise.aces.least
        })
        .count(measured("aces_most", "0–4", most_aces).only_in_files(), |(_, _, promise, _)| {
            promise.aces.most
        })
        .number(named("aces_mean", mean_aces).only_in_files(), |(_, _, promise, _)| {
            Cell::Number(promise.aces.mean(promise.hands), 4)
        })
        .build()
}

/// The trumps whose frequency is reported: name and head.
pub(super) const WITH: [(&str, &[Rank]); 4] = [
    ("jack", &[Rank::Jack]),
    ("nine", &[Rank::Nine]),
    ("ace", &[Rank::Ace]),
    ("belote", &[Rank::King, Rank::Queen]),
];

/// The head of their columns.
pub(super) fn ranks(cards: &[Rank], language: Language) -> String {
    cards.iter().map(|rank| language.rank(*rank)).collect::<Vec<_>>().join(" ")
}

/// Returns a value that only exists for calls with a suit.
fn of_suit<V>(kind: Kind, value: impl FnOnce() -> V) -> OrBlank<V> {
    OrBlank(kind.has_suit().then(value))
}

fn promises(system: &System, number: usize, scene: &Scene, counted: &Counted) -> Table {
    let calls = if scene.calls.is_empty() { String::new() } else { format!(" (after {})", scene.calls) };
    let caption = format!("{}{calls}: {} hands.", capital(&scene.title), thousands(counted.hands));
    let rows = counted.promises.iter().map(|(kind, promise)| (scene, *kind, promise, counted.hands));
    promise_table(&format!("promises-{}", number + 1), &caption, system, Language::English, rows)
}

/// Returns the table of rules: how often each makes the call.
fn rules(settings: &Settings, findings: &Findings) -> Table {
    let coverage = &findings.coverage;
    let caption = format!(
        "Rules in order, in {} random deals bid by four of the system. Applied: calls that the rule made; claimed: turns at which \
         it would have, had it been the first.",
        thousands(coverage.deals)
    );
    let remarks = "whether it never applied, or is left out under the rules";
    Table::of("rules", caption, settings.file.system.rules().iter().enumerate())
        .count(measured("number", "from 1", "place in the file").head("#"), |(number, _)| number + 1)
        .text(named("rule", "its name"), |(_, rule)| &*rule.name)
        .count(measured("line", "from 1", "its line in the file"), |(_, rule)| rule.place.line)
        .text(named("call", "what it calls, as it is written"), |(_, rule)| &*rule.call)
        .count(named("applied", "calls that it made in the deals"), |(number, _)| coverage.applied[*number])
        .count(named("claimed", "turns at which it would have, had it been the first"), |(number, _)| {
            coverage.claimed[*number]
        })
        .text(named("remark", remarks), |(number, _)| remark(findings, *number))
        .build()
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

/// Returns the table of hands to which two rules with different calls apply.
fn overlaps(settings: &Settings, findings: &Findings) -> Table {
    let caption = "Hands that two rules claim with different calls: the first one in the file decides.";
    let rules = settings.file.system.rules();
    let overlaps = findings.scenes.iter().flat_map(|(scene, counted)| {
        counted.overlaps.iter().map(move |(pair, hands)| (scene, *pair, *hands, counted.hands))
    });
    let mut overlaps: Vec<_> = overlaps.collect();
    overlaps.sort_by_key(|(_, _, hands, _)| std::cmp::Reverse(*hands));
    Table::of("overlaps", caption, overlaps.into_iter().take(OVERLAPS))
        .text(named("auction", "the turn"), |(scene, ..)| {
            if scene.calls.is_empty() { scene.title.clone() } else { scene.calls.clone() }
        })
        .text(named("first", "the rule that calls").head("the rule that calls"), |(_, (first, _), ..)| {
            rules[*first].name.clone()
        })
        .text(
            named("other", "a later one that would call something else").head("another that would"),
            |(_, (_, other), ..)| rules[*other].name.clone(),
        )
        .count(HANDS, |(_, _, hands, _)| *hands)
        .share(SHARE, |(.., hands, all)| share(*hands, *all))
        .build()
}

/// Returns the table of the most frequent auctions at a turn of the fallback.
fn uncovered(settings: &Settings, findings: &Findings) -> Table {
    let caption = format!(
        "The auctions in which the floor ({}) called most often, with suits named a, b, … in the order in which they were bid; \
         share of all its turns.",
        settings.file.system.floor().name()
    );
    let coverage = &findings.coverage;
    let auction = "the calls before the turn, suits named a, b, c, d in the order in which they were bid";
    Table::of("uncovered", caption, coverage.most_uncovered(UNCOVERED))
        .text(named("auction", auction), |(auction, _)| *auction)
        .count(named("turns", "turns of the floor"), |(_, [turns, _])| *turns)
        .share(named("share", "share of all turns of the floor"), |(_, [turns, _])| {
            share(*turns, coverage.floor_turns)
        })
        .count(named("bids", "turns at which it did not pass").head("not passed"), |(_, [_, bids])| *bids)
        .build()
}

/// Returns the headline.
fn verdict(settings: &Settings, findings: &Findings) -> String {
    let (system, coverage) = (&settings.file.system, &findings.coverage);
    let by_floor = share(coverage.floor_turns, coverage.turns);
    format!(
        "{}: its rules made {} of the calls, the floor ({}) the rest",
        system.name(),
        percent(1.0 - by_floor),
        system.floor().name()
    )
}

/// Returns what the figures are of, and which rules made no call.
fn scope(settings: &Settings, findings: &Findings) -> Vec<String> {
    let (system, coverage) = (&settings.file.system, &findings.coverage);
    let rules = settings.rules.preset_name().unwrap_or("rules of one's own");
    let all = system.rules().len();
    let apply = match all - findings.left_out.len() {
        1 if all == 1 => format!("The rule applies under {rules}"),
        used if used == all => format!("All {all} rules apply under {rules}"),
        used => format!("{used} of {all} rules apply under {rules}"),
    };
    let floor = format!(
        "In {} deals {} made at least one call for {} of the hands and in {} of the auctions.",
        thousands(coverage.deals),
        system.floor().name(),
        percent(share(coverage.floor_hands, 4 * coverage.deals)),
        percent(share(coverage.floor_deals, coverage.deals)),
    );
    let list = |rule: &usize| {
        let Rule { name, place, .. } = &system.rules()[*rule];
        format!("`{name}` (line {})", place.line)
    };
    let list = findings.never.iter().map(list).collect::<Vec<_>>().join(", ");
    let never = match findings.never.len() {
        0 => "Every rule made a call.".to_owned(),
        1 => format!("One rule never made a call: {list}."),
        count => format!("{count} rules never made a call: {list}."),
    };
    let of = format!(
        "{apply}; {} numbers. {}, seed {}.",
        system.numbers().len(),
        settings.file.bot(),
        settings.seed
    );
    vec![of, floor, never]
}

fn sections(settings: &Settings, findings: &Findings) -> Vec<Section> {
    let system = &settings.file.system;
    let tables = findings.scenes.iter().enumerate();
    let promised = tables.map(|(n, (scene, counted))| Block::Table(promises(system, n, scene, counted)));
    let section = |id: &str, title: &str, table| Section::new(id, title, vec![Block::Table(table)]);
    vec![
        Section::new("promises", "What each call promises", promised.collect()),
        section("rules", "Rules", rules(settings, findings)),
        section("overlaps", "Rules that overlap", overlaps(settings, findings)),
        section("uncovered", "What is left to the floor", uncovered(settings, findings)),
    ]
}

/// Creates the report.
pub fn document(settings: &Settings, findings: &Findings) -> Document {
    Document {
        title: format!("Bidding system: {}", settings.file.system.name()),
        command: "system check",
        verdicts: vec![verdict(settings, findings)],
        scope: scope(settings, findings),
        sections: sections(settings, findings),
        ..Document::default()
    }
}
