//! `arena system diff`: the deals on which two systems call differently, and what each difference is worth.

use std::collections::BTreeMap;

use coinche_bots::system::{System, SystemError};
use coinche_engine::{Call, Seat};
use coinche_inference::PairedSums;
use coinche_selfplay::document::columns::DEAL;
use coinche_selfplay::{Block, Document, Section, Table, amount, measured, named};

use super::SystemFile;
use super::learn::Change;
use super::meeting::{Meeting, points};
use crate::typed::Language;

/// The number of examples, one of each of the differences that decide most.
const EXAMPLES: usize = 12;

/// A kind of difference: what the systems have in common of it, with the gain of the second system over all deals.
struct Kind {
    /// What A and B do.
    of: [String; 2],
    sums: PairedSums,
    /// The changes.
    changes: Vec<usize>,
}

/// The differences of two systems.
pub struct Diff {
    gain: PairedSums,
    changes: Vec<Change>,
    by_rule: Vec<Kind>,
    by_call: Vec<Kind>,
}

/// Compares two systems: the first is replaced by the second at both seats of a side.
///
/// # Errors
///
/// When a system is not for the rules.
pub fn diff(files: &[SystemFile; 2], meeting: &Meeting) -> Result<Diff, (usize, SystemError)> {
    let [a, b] = files.each_ref().map(|file| &file.system);
    a.check(&meeting.rules).map_err(|error| (0, error))?;
    b.check(&meeting.rules).map_err(|error| (1, error))?;
    let mut ground = meeting.ground(0, meeting.deals);
    ground.set(a);
    let changes = ground.changes(b);
    let rule = |system: &System, rule: Option<usize>| {
        rule.map_or_else(|| "(no rule)".to_owned(), |rule| system.rules()[rule].name.clone())
    };
    let by_rule = kinds(&changes, meeting.deals, |change| [rule(a, change.own.rule), rule(b, change.rule)]);
    let by_call = kinds(&changes, meeting.deals, |change| [kind_of(change.own.call), kind_of(change.call)]);
    let all = kinds(&changes, meeting.deals, |_| [String::new(), String::new()]);
    let none = || sums(&[], &[], meeting.deals);
    let gain = all.first().map_or_else(none, |kind| kind.sums);
    Ok(Diff { gain, changes, by_rule, by_call })
}

/// A call without its strain.
fn kind_of(call: Call) -> String {
    match call {
        Call::Bid(bid) => {
            format!("{}{}", bid.value, if bid.strain.trump().is_some() { "" } else { bid.strain.code() })
        }
        other => other.to_string(),
    }
}

/// Adds up some of the changes, over all deals.
fn sums(changes: &[Change], of: &[usize], deals: u64) -> PairedSums {
    let mut legs: BTreeMap<u64, [i64; 2]> = BTreeMap::new();
    for change in of.iter().map(|n| &changes[*n]) {
        legs.entry(change.deal).or_default()[change.leg] += i64::from(change.gain);
    }
    let mut sums = PairedSums::default();
    let idle = deals - legs.len() as u64;
    (0..idle).for_each(|_| sums.add([0; 2]));
    for legs in legs.into_values() {
        sums.add(legs);
    }
    sums
}

/// Groups changes; the kinds that decide most come first.
fn kinds(changes: &[Change], deals: u64, of: impl Fn(&Change) -> [String; 2]) -> Vec<Kind> {
    let mut groups: BTreeMap<[String; 2], Vec<usize>> = BTreeMap::new();
    for (n, change) in changes.iter().enumerate() {
        groups.entry(of(change)).or_default().push(n);
    }
    let kind = |(of, numbers): ([String; 2], Vec<usize>)| {
        let sums = sums(changes, &numbers, deals);
        Kind { of, sums, changes: numbers }
    };
    let mut kinds: Vec<Kind> = groups.into_iter().map(kind).collect();
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.sums.total().abs()));
    kinds
}

fn table(name: &str, caption: &str, what: [&'static str; 2], kinds: &[Kind], changes: &[Change]) -> Table {
    let mean = |kind: &&Kind| {
        let sum: i64 = kind.changes.iter().map(|n| i64::from(changes[*n].gain)).sum();
        sum as f64 / kind.changes.len().max(1) as f64
    };
    Table::of(name, caption, kinds)
        .text(named("a", what[0]).head("A"), |kind| kind.of[0].clone())
        .text(named("b", what[1]).head("B"), |kind| kind.of[1].clone())
        .count(named("times", "auctions in which it is the first difference"), |kind| kind.changes.len())
        .signed(
            measured("each", "points", "mean gain of B each time, on both sides").head("each"),
            move |kind| mean(kind),
        )
        .estimate(measured("gain", "points", "gain of B in points per deal, over all deals"), |kind| {
            points(&kind.sums)
        })
        .build()
}

/// The calls before a turn, the dealer's left first.
fn calls(calls: &[(Seat, Call)]) -> String {
    calls.iter().map(|(_, call)| call.to_string()).collect::<Vec<_>>().join(" ")
}

/// Creates the report.
pub fn document(files: &[SystemFile; 2], meeting: &Meeting, diff: &Diff) -> Document {
    let [a, b] = files.each_ref().map(|file| file.system.name());
    let (mean, half) = points(&diff.gain);
    let is_clear = half.is_some_and(|half| mean.abs() > half);
    let [more, less] = if mean >= 0.0 { [b, a] } else { [a, b] };
    let by = amount(mean.abs(), half);
    let verdict = if is_clear {
        format!("{more} scores {by} points per deal more than {less} against the same opponents.")
    } else {
        format!("No significant difference: {more} scores {by} points per deal more than {less}.")
    };
    let scope = format!("A: {}; B: {}. {}", files[0].name, files[1].name, meeting.scope(Language::English));
    let rules = "Which rules call where the systems first differ: what B gains each time, and in all.";
    let by_rule = table("rules", rules, ["the rule of A", "the rule of B"], &diff.by_rule, &diff.changes);
    let called = "The same by the calls: bids of suits by their level.";
    let by_call = table("calls", called, ["the call of A", "the call of B"], &diff.by_call, &diff.changes);
    let examples = diff.by_rule.iter().take(EXAMPLES).filter_map(|kind| {
        // The one that differs most, in the direction of all of them.
        let sign = kind.sums.total().signum();
        let most = kind.changes.iter().max_by_key(|n| i128::from(diff.changes[**n].gain) * sign)?;
        Some(&diff.changes[*most])
    });
    let caption = "An example of each of the differences that decide most. `arena system explain` and `arena advise` take the hand \
                   and the auction.";
    let examples = Table::of("examples", caption, examples)
        .count(DEAL, |change| change.deal)
        .text(named("hand", "the hand"), |change| change.own.hand.to_string())
        .text(named("auction", "the calls before the turn"), |change| calls(&change.calls))
        .text(named("a", "the call of A").head("A"), |change| change.own.call.to_string())
        .text(named("b", "the call of B").head("B"), |change| change.call.to_string())
        .signed(measured("gain", "points", "what B gains in this deal"), |change| f64::from(change.gain))
        .build();
    let section = |id: &str, title: &str, table| Section::new(id, title, vec![Block::Table(table)]);
    Document {
        title: format!("{a} and {b}"),
        command: "system diff",
        verdicts: vec![verdict],
        scope: vec![scope],
        sections: vec![
            section("rules", "By rule", by_rule),
            section("calls", "By call", by_call),
            section("examples", "Examples", examples),
        ],
        ..Document::default()
    }
}
