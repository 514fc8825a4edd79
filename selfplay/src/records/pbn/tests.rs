//! Round trips of print and read, under all rules.

use coinche_engine::record::{Fault, FaultKind, Record};
use coinche_engine::{RuleSet, Seat};

use super::{Kept, Reader, print};
use crate::play::played::{PlayedDeal, Scribe};
use crate::play::schedule::{Schedule, Unit};
use crate::play::table::Table;
use crate::records::write::JsonLines;

struct Lines(JsonLines, Vec<u8>);

impl Scribe for Lines {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.0.push(&mut self.1, deal);
    }
}

fn records(rules: &RuleSet, unit: Unit, pairs: u64) -> Vec<Kept> {
    let bots = ["random:pass=0.6", "random"];
    let schedule = Schedule { secrets: 21.into(), unit, pairs };
    let mut table =
        Table::new(rules, schedule, bots.map(|bot| coinche_bots::Registry::builtin().parse(bot).unwrap()));
    let mut lines = Lines(JsonLines::new(rules, bots, Some(3)), Vec::new());
    for index in 0..pairs {
        table.play_pair(index, &mut lines);
    }
    lines
        .1
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| Kept::from_json(line).unwrap())
        .collect()
}

fn read(text: &str) -> Result<Vec<Kept>, String> {
    let mut reader = Reader::new(text.as_bytes());
    let mut all = Vec::new();
    while let Some(kept) = reader.next_record().map_err(|error| format!("line {}: {error}", reader.line()))? {
        all.push(kept);
    }
    Ok(all)
}

#[test]
fn records_of_every_preset_are_read_as_they_were_printed() {
    let mut all: Vec<RuleSet> = RuleSet::ALL.iter().map(|(_, rules)| *rules).collect();
    all.push(RuleSet::BGA_JA.with_settings(["belote.all_trump=each-suit"]).unwrap());
    all.push(RuleSet::BELOTE.with_settings(["match.tie=held"]).unwrap());
    for rules in all {
        for (unit, pairs) in [(Unit::Deal, 200), (Unit::Match, 2)] {
            let kept = records(&rules, unit, pairs);
            assert!(kept.len() >= 4 && kept.iter().all(|kept| kept.pairing == Some(3)));
            let text: Vec<_> = kept.iter().map(print).collect();
            assert_eq!(read(&text.join("\n")).unwrap(), kept);
            for kept in &kept {
                assert_eq!(Kept::from_json(kept.to_json().as_bytes()).unwrap(), *kept);
            }
        }
    }
}

#[test]
fn names_and_faults_of_any_text_are_kept() {
    let mut kept = records(&RuleSet::BGA, Unit::Deal, 1).remove(0);
    kept.pairing = None;
    kept.record.bots[Seat::S2] = "a \"b\" \\ c\nd]\r | e".to_owned();
    for kind in [FaultKind::Timeout, FaultKind::Illegal, FaultKind::Crash, FaultKind::Protocol] {
        kept.record.faults.push(Fault { seat: Seat::S3, kind, detail: "  two  blanks \"\n\\".to_owned() });
    }
    // Out of turn, as with an any-time coinche.
    kept.record.auction = [(1, "P"), (2, "80H"), (0, "X"), (2, "XX"), (3, "TAKE H"), (0, "TAKE"), (1, "P")]
        .map(|(seat, call)| (Seat::ALL[seat], call.parse().unwrap()))
        .to_vec();
    let mut other: Record = kept.record.clone();
    other.auction.clear();
    other.misdeals = 2;
    let other = Kept { record: other, pairing: None };
    let text = format!("% a remark\n\n\n{}\n\n{}", print(&kept), print(&other));
    assert_eq!(read(&text).unwrap(), [kept, other]);
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let text = print(&records(&RuleSet::COINCHE_MELDS, Unit::Deal, 1)[0]);
    for (from, to, parts) in [
        ("[Deal \"0\"]", "[Deal \"x\"]", ["line 1", "Deal: expected a number"]),
        ("[Deal \"0\"]", "Deal 0", ["line 1", "expected a tag"]),
        ("[Deal \"0\"]\n", "", ["line", "no tag Deal"]),
        ("[Dealer \"0\"]", "[Dealer \"4\"]", ["line 4", "seat from 0 to 3"]),
        ("[Leg \"0\"]", "[Leg \"0\"]\n[Leg \"0\"]", ["line 3", "Leg is given twice"]),
        (" | ", " / ", ["line 9", "Hands: expected four"]),
        ("[Bot1 \"random\"]", "[Bot1 \"a\\x\"]", ["line 6", "backslash"]),
        ("[Score \"", "[Score \"z", ["line", "Score: expected a number"]),
        (" > ", " = ", ["line", "expected a trick"]),
    ] {
        assert!(text.contains(from), "{from} is not in {text}");
        let error = read(&text.replace(from, to)).unwrap_err();
        assert!(parts.iter().all(|part| error.contains(part)), "{parts:?} is not in {error}");
    }
}
