//! Bots that answer wrongly or break down.

use std::fs;

use coinche_arena::Unit;
use coinche_bots::{Agent, Bidder, Bot, CardPlayer, Player, RandomBidder, RandomPlayer};
use coinche_engine::record::{FaultKind, Record, replay};
use coinche_engine::{Call, Card, CardSet, Key, LegalCalls, Melds, RuleSet, Team, View};
use coinche_selfplay::play::played::forfeit;
use coinche_selfplay::play::table::Table;
use coinche_selfplay::{Ending, JsonLines, LegResult, PlayedDeal, Schedule, Scribe, Side, Tally};

/// What a bad bot does.
#[derive(Clone, Copy, PartialEq)]
enum Defect {
    WrongCall,
    WrongCard,
    WrongMelds,
    PanicInCall,
    PanicInPlay,
    PanicAtStart,
}

struct Bad(Defect);

impl Agent for Bad {
    fn start(&mut self) {
        assert!(self.0 != Defect::PanicAtStart, "no start today");
    }
}

impl Bidder for Bad {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, key: Key) -> Call {
        match self.0 {
            Defect::WrongCall => Call::Surcoinche,
            Defect::PanicInCall => panic!("no \"call\" today"),
            _ => RandomBidder { pass: 0.5 }.call(view, legal, key),
        }
    }
}

impl CardPlayer for Bad {
    fn play(&mut self, _view: &View<'_>, legal: CardSet, _key: Key) -> Card {
        match self.0 {
            Defect::WrongCard => (!legal).first().unwrap(),
            Defect::PanicInPlay if legal.len() == 1 => panic!("no card {}", legal.len()),
            _ => legal.first().unwrap(),
        }
    }

    fn choose_melds(&mut self, _view: &View<'_>, options: &[Melds], _key: Key) -> usize {
        if self.0 == Defect::WrongMelds { options.len() } else { 0 }
    }
}

struct Collector {
    form: JsonLines,
    tally: Tally,
    lines: Vec<u8>,
    forfeits: u64,
}

impl Scribe for Collector {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.form.push(&mut self.lines, deal);
        self.tally.add_deal(deal);
        self.forfeits += u64::from(matches!(deal.ending, Ending::Forfeit(_)));
    }
}

fn play(
    rules: &RuleSet,
    unit: Unit,
    pairs: u64,
    defect: Defect,
) -> (Collector, Vec<Record>, Vec<[LegResult; 2]>) {
    let schedule = Schedule { secrets: 3.into(), unit, pairs };
    let mut table = Table::with_bots(rules, schedule, move |side| match side {
        Side::A => Bot::new("bad", Box::new(Bad(defect)), Player::fair(Bad(defect))),
        Side::B => Bot::new("good", Box::new(RandomBidder { pass: 0.7 }), Player::fair(RandomPlayer)),
    });
    let mut collector = Collector {
        form: JsonLines::new(rules, ["bad", "good"], None),
        tally: Tally::new(rules, unit),
        lines: Vec::new(),
        forfeits: 0,
    };
    let results = (0..pairs).map(|index| table.play_pair(index, &mut collector)).collect();
    let text = String::from_utf8(collector.lines.clone()).unwrap();
    let records = text.lines().map(|line| Record::from_json(line).unwrap()).collect();
    (collector, records, results)
}

#[test]
fn illegal_answers_are_replaced_and_recorded() {
    for defect in [Defect::WrongCall, Defect::WrongCard] {
        let (collector, records, _) = play(&RuleSet::BGA, Unit::Deal, 100, defect);
        let mut faults = 0;
        for record in &records {
            assert!(replay(record).is_empty());
            let mut by_bad = record.auction.iter().filter(|(seat, _)| seat.team() == bad_team(record));
            if defect == Defect::WrongCall {
                assert!(by_bad.all(|(_, call)| *call == Call::Pass));
            }
            for fault in &record.faults {
                assert_eq!(fault.kind, FaultKind::Illegal);
                assert_eq!(fault.seat.team(), bad_team(record));
                assert!(fault.detail.starts_with("the ca"), "{}", fault.detail);
            }
            faults += record.faults.len() as u64;
        }
        assert!(faults > 200);
        assert_eq!(collector.tally.sides[0].faults, [faults, 0, 0, 0, 0]);
        assert_eq!(collector.tally.sides[1].all_faults(), 0);
    }
}

/// The team of the bad bot.
fn bad_team(record: &Record) -> Team {
    Team::ALL[usize::try_from(record.leg).unwrap()]
}

#[test]
fn an_announcement_that_is_none_is_the_best_one() {
    let (_, records, _) = play(&RuleSet::COINCHE_MELDS, Unit::Deal, 4000, Defect::WrongMelds);
    let with_fault: Vec<_> = records.iter().filter(|record| !record.faults.is_empty()).collect();
    assert!(!with_fault.is_empty(), "a carré and a run share a card now and then");
    for record in with_fault {
        assert!(record.faults[0].detail.contains("announcement"));
        assert!(replay(record).is_empty());
    }
}

#[test]
fn a_crash_forfeits_the_deal_and_the_run_goes_on() {
    for defect in [Defect::PanicInCall, Defect::PanicInPlay, Defect::PanicAtStart] {
        let (collector, records, results) = play(&RuleSet::BGA, Unit::Deal, 50, defect);
        assert_eq!(records.len(), 100);
        assert!(collector.forfeits > 20);
        assert_eq!(collector.tally.forfeited, collector.forfeits);
        assert_eq!(collector.tally.sides[0].faults[1], collector.forfeits);
        for record in &records {
            let Some(fault) = record.faults.first() else {
                assert!(replay(record).is_empty());
                continue;
            };
            assert_eq!(fault.kind, FaultKind::Crash);
            let what = match defect {
                Defect::PanicInCall => "no \"call\" today",
                Defect::PanicInPlay => "no card 1",
                _ => "no start today",
            };
            assert_eq!(fault.detail, what);
            assert_eq!(fault.seat.team(), bad_team(record));
            let team = fault.seat.team();
            assert_eq!(record.score[team.other()], forfeit(&RuleSet::BGA));
            assert_eq!(record.score[team], 0);
            assert!(record.contract.is_none() && record.made.is_none());
        }
        let scores: i32 = results.iter().flatten().map(|leg| leg.score.0.iter().sum::<i32>()).sum();
        assert!(scores >= 20 * 410);
    }
    assert_eq!(forfeit(&RuleSet::BGA), 160 + 250);
}

#[test]
fn forfeited_deals_are_verified_by_their_own_rule() {
    let dir = tempfile::tempdir().unwrap();
    for (unit, rules) in [(Unit::Deal, RuleSet::BGA), (Unit::Match, RuleSet::COINCHEE)] {
        let (collector, _, _) = play(&rules, unit, 6, Defect::PanicInPlay);
        let text = String::from_utf8(collector.lines).unwrap();
        let verify = |text: &str| {
            fs::write(dir.path().join("f.jsonl"), text).unwrap();
            crate::common::run(dir.path(), "verify f.jsonl")
        };
        verify(&text).success();
        let crash = text.find("\"kind\":\"crash\"").unwrap();
        let score = text[..crash].rfind("\"score\":[").unwrap() + 9;
        let wrong = format!("{}1{}", &text[..score], &text[score..]);
        let found = crate::common::stdout(&verify(&wrong).code(1));
        assert!(found.contains("score of a forfeit"), "{found}");
        let deal = text[..crash].lines().count() / 2;
        let shown = crate::common::run(dir.path(), &format!("show f.jsonl --deal {deal}"));
        if unit == Unit::Deal {
            assert!(crate::common::stdout(&shown.success()).contains("Crash: no card 1"));
        }
    }
}

#[test]
fn matches_with_crashes_end() {
    for rules in [RuleSet::BGA, RuleSet::COINCHEE, RuleSet::BELOTE] {
        let (_, records, results) = play(&rules, Unit::Match, 3, Defect::PanicInPlay);
        assert!(records.iter().any(|record| !record.faults.is_empty()));
        assert!(results.iter().flatten().all(|leg| leg.winner.is_some()));
    }
}
