//! Deals and matches of every preset agree with the engine's replay and with the independent referee.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::common::{records, run, run_json, stdout};
use coinche_conformance::referee;
use coinche_engine::RuleSet;
use coinche_engine::record::Record;
use serde_json::Value;

/// The records of a run, each found right by the referee.
fn refereed(directory: &Path) -> Vec<Value> {
    let records = records(directory);
    for record in &records {
        let found = referee(record);
        assert!(found.is_empty(), "{found:?}: {record}");
    }
    records
}

#[test]
fn every_preset_is_played_by_its_rules() {
    let dir = tempfile::tempdir().unwrap();
    for (name, _) in RuleSet::ALL {
        for bots in ["random:pass=0.6 random", "random rules+random"] {
            let out = dir.path().join(format!("{name} {bots}").replace(' ', "-"));
            let flags = format!(
                "run {bots} --deals 150 --seed 8 --rules {name} --records full --out {}",
                out.display()
            );
            let assert = run(dir.path(), &flags).success();
            assert!(stdout(&assert).contains(&format!("rules {name}\n")));
            let records = refereed(&out);
            assert_eq!(records.len(), 300);
            let verified =
                run(dir.path(), &format!("verify {}", out.join("records.jsonl").display())).success();
            assert_eq!(stdout(&verified), "300 records, all agree with their rules\n");
            check_figures(&run_json(&out), &records);
        }
    }
}

/// The figures of a run are those of its records.
fn check_figures(run: &Value, records: &[Value]) {
    let figures = &run["figures"];
    assert_eq!(figures["legs"], records.len());
    let thrown_in = records.iter().filter(|record| record["contract"].is_null()).count();
    assert_eq!(figures["thrown_in"], thrown_in);
    let difference = |record: &Value| {
        let [even, odd] = [0, 1].map(|team| record["score"][team].as_f64().unwrap());
        if record["leg"] == 0 { even - odd } else { odd - even }
    };
    let mean = records.iter().map(difference).sum::<f64>() / f64::from(u32::try_from(records.len()).unwrap());
    assert!((figures["points"]["mean"].as_f64().unwrap() - mean).abs() < 1e-9);
    for side in 0..2u64 {
        let own = |record: &&Value| {
            record["contract"]["declarer"]
                .as_u64()
                .is_some_and(|seat| (seat + record["leg"].as_u64().unwrap()) % 2 == side)
        };
        let declared: Vec<_> = records.iter().filter(own).collect();
        let bot = &figures["by_bot"][usize::try_from(side).unwrap()];
        assert_eq!(bot["declaring"]["legs"], declared.len());
        let total = |key: &str| -> u64 {
            bot["contracts"].as_array().unwrap().iter().map(|cell| cell[key].as_u64().unwrap()).sum()
        };
        assert_eq!(total("played"), declared.len() as u64);
        assert_eq!(total("made"), declared.iter().filter(|record| record["made"] == true).count() as u64);
    }
}

#[test]
fn matches_of_every_preset_go_on_to_their_end() {
    let dir = tempfile::tempdir().unwrap();
    for (name, rules) in RuleSet::ALL {
        let out = dir.path().join(name);
        let flags = format!(
            "run rules random:pass=0.7 --match --deals 5 --seed 2 --rules {name} --records full --out {}",
            out.display()
        );
        run(dir.path(), &flags).success();
        let records = refereed(&out);
        let verified = run(dir.path(), &format!("verify {}", out.join("records.jsonl").display())).success();
        assert!(stdout(&verified).contains("all agree"));
        let mut hands: HashMap<(u64, u64), Vec<&Value>> = HashMap::new();
        for record in &records {
            let place = (record["match"].as_u64().unwrap(), record["deal_in_match"].as_u64().unwrap());
            hands.entry(place).or_default().push(&record["hands"]);
        }
        let wins = run_json(&out)["figures"]["by_bot"]
            .as_array()
            .unwrap()
            .iter()
            .map(|bot| bot["matches_won"].as_u64().unwrap())
            .sum::<u64>();
        assert_eq!(wins, 10);
        // With a uniform shuffle both legs have the same cards; the cut deck goes its own way after the
        // first deal.
        let same = |place: &(u64, u64)| hands[place].windows(2).all(|pair| pair[0] == pair[1]);
        let full = rules.deal.method == coinche_engine::rules::DealMethod::Full;
        if name == "coinchee" {
            assert!((0..5).all(|number| same(&(number, 0))));
            assert!(hands.keys().any(|place| !same(place)));
        } else if full {
            assert!(hands.keys().all(same));
        }
    }
}

#[test]
fn a_cut_deck_is_gathered_from_the_tricks() {
    // Rebuilt from the records alone: the deck of a deal is the gathered one, cut somewhere.
    let dir = tempfile::tempdir().unwrap();
    let flags = "run random:pass=0.9 random:pass=0.9 --match --deals 20 --seed 4 --rules coinchee --records full --out cut";
    run(dir.path(), flags).success();
    let text = fs::read_to_string(dir.path().join("cut/records.jsonl")).unwrap();
    let records: Vec<Record> = text.lines().map(|line| Record::from_json(line).unwrap()).collect();
    let mut checked = 0;
    for pair in records.windows(2) {
        let [before, after] = pair else { continue };
        if after.deal_in_match == Some(0) || before.tricks.is_empty() {
            continue;
        }
        let top = before.tricks[7].winner.team();
        // From the bottom: the pile of the side without the last trick, then the other.
        let mut pile = Vec::new();
        for side in [top.other(), top] {
            for trick in before.tricks.iter().filter(|trick| trick.winner.team() == side) {
                pile.extend(trick.cards);
            }
        }
        pile.reverse();
        let fits = (2..=30).any(|cut| {
            let mut deck = pile.clone();
            deck.rotate_left(cut);
            let mut cards = deck.into_iter();
            [3, 3, 2].into_iter().all(|packet| {
                (1..=4).all(|step| {
                    let hand = after.hands[after.dealer.plus(step)];
                    cards.by_ref().take(packet).all(|card| hand.contains(card))
                })
            })
        });
        assert!(fits, "deal {}", after.deal);
        checked += 1;
    }
    assert!(checked > 5);
}

#[test]
fn a_match_that_nobody_bids_in_ends_without_a_winner() {
    let dir = tempfile::tempdir().unwrap();
    let assert = run(
        dir.path(),
        "run random:pass=1 random:pass=1 --match --deals 2 --seed 1 --out x --rules coinchee",
    )
    .success();
    assert!(stdout(&assert).contains("4 without a winner"));
    let figures = run_json(&dir.path().join("x"))["figures"].clone();
    assert_eq!((&figures["drawn"], &figures["thrown_in"]), (&4.into(), &4000.into()));
}
