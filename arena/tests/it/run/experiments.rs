//! Experiments of more than two bots: the same deals for all, and figures that are those of the records.

use std::collections::HashMap;
use std::fs;

use crate::common::{json, mean, records, run, run_json, standard_error, stdout};
use serde_json::Value;

const BOTS: [&str; 3] = ["random", "random:pass=0.6", "rules+random"];

/// Paired differences by pairing, in the order of the deals.
fn differences(records: &[Value], pairings: usize) -> Vec<Vec<f64>> {
    let mut by_pairing = vec![Vec::new(); pairings];
    for pair in records.chunks(2) {
        let difference =
            |record: &Value| record["score"][0].as_f64().unwrap() - record["score"][1].as_f64().unwrap();
        assert_eq!((&pair[0]["leg"], &pair[1]["leg"]), (&0.into(), &1.into()));
        let pairing = usize::try_from(pair[0]["pairing"].as_u64().unwrap()).unwrap();
        by_pairing[pairing].push((difference(&pair[0]) - difference(&pair[1])) / 2.0);
    }
    by_pairing
}

#[test]
fn a_round_robin_plays_the_same_deals_in_every_pairing() {
    let dir = tempfile::tempdir().unwrap();
    let words = format!("run {} --deals 60 --seed 7 --records full --out r", BOTS.join(" "));
    let text = stdout(&run(dir.path(), &words).success());
    assert!(text.contains("3 bots, each against every other: 60 deals in pairs"), "{text}");
    let records = records(&dir.path().join("r"));
    assert_eq!(records.len(), 60 * 3 * 2);
    for (n, record) in records.iter().enumerate() {
        let (deal, pairing, leg) = (n / 6, n / 2 % 3, n % 2);
        assert_eq!(
            (&record["deal"], &record["pairing"], &record["leg"]),
            (&deal.into(), &pairing.into(), &leg.into())
        );
        let (a, b) = [(0, 1), (0, 2), (1, 2)][pairing];
        let (a, b) = if leg == 0 { (a, b) } else { (b, a) };
        assert_eq!(record["bots"], serde_json::json!([BOTS[a], BOTS[b], BOTS[a], BOTS[b]]));
        assert_eq!(record["hands"], records[6 * deal]["hands"]);
    }
    let run_json = run_json(&dir.path().join("r"));
    assert_eq!((&run_json["format"], &run_json["done"]), (&"round-robin".into(), &60.into()));
    let by_pairing = differences(&records, 3);
    for (n, differences) in by_pairing.iter().enumerate() {
        let figures = &run_json["pairings"][n]["figures"];
        assert!((figures["points"]["mean"].as_f64().unwrap() - mean(differences)).abs() < 1e-9);
        assert_eq!(figures["legs"], 120);
    }
    // What is printed of bot 3 against both others: the mean of the means, with an interval by deal.
    let against: Vec<f64> =
        by_pairing[1].iter().zip(&by_pairing[2]).map(|(first, second)| -(first + second) / 2.0).collect();
    let row = text.lines().rfind(|line| line.starts_with("3 ")).unwrap();
    let leg_square = |n: usize| {
        let legs = records.iter().filter(|record| record["pairing"] == n);
        let square = |record: &Value| {
            (record["score"][0].as_f64().unwrap() - record["score"][1].as_f64().unwrap()).powi(2)
        };
        legs.map(square).sum::<f64>() / 120.0
    };
    // Student's quantile for 59 degrees of freedom.
    let half = 2.000_995 * standard_error(&[1, 2].map(|n: usize| (-0.5, &*by_pairing[n], leg_square(n))));
    let expected = format!("{:+.1} ± {half:.1}", mean(&against));
    assert!(row.contains(&expected), "{expected} is not in {row}");
    let csv = fs::read_to_string(dir.path().join("r/summary.csv")).unwrap();
    assert!(csv.lines().next().unwrap().ends_with("calls,faults,pairing"));
    assert!(csv.lines().nth(6).unwrap().ends_with(",0,2"));
    run(dir.path(), "verify r/records.jsonl").success();
}

#[test]
fn all_bots_have_one_rating() {
    let dir = tempfile::tempdir().unwrap();
    let text = stdout(
        &run(dir.path(), "run rules random random:pass=0.6 rules+random --deals 600 --seed 2 --out r")
            .success(),
    );
    let run_json = run_json(&dir.path().join("r"));
    let joint = &run_json["joint"];
    let bots = joint["bots"].as_array().unwrap();
    let numbers = |key: &str| -> Vec<f64> { bots.iter().map(|bot| bot[key].as_f64().unwrap()).collect() };
    let ratings = numbers("rating");
    assert!(ratings.iter().sum::<f64>().abs() < 1e-6, "{ratings:?}");
    assert!((numbers("best").iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert_eq!(numbers("nash_weight"), [1.0, 0.0, 0.0, 0.0]);
    assert!(numbers("nash_skill")[0] == 0.0 && numbers("nash_skill")[1] < -100.0);
    // The rules beat all, and one rating says about what the pairings say.
    for (n, pairing) in run_json["pairings"].as_array().unwrap().iter().enumerate() {
        let [a, b] = ["a", "b"].map(|key| usize::try_from(pairing[key].as_u64().unwrap()).unwrap());
        let points = &pairing["figures"]["points"];
        let difference = ratings[a] - ratings[b];
        assert!(
            (difference - points["mean"].as_f64().unwrap()).abs() < 40.0,
            "{a} {b} {difference} {points}"
        );
        let [p, holm] = ["p", "holm"].map(|key| joint["pairings"][n][key].as_f64().unwrap());
        assert!(p <= holm && holm <= 1.0 && (a > 0 || holm < 1e-9), "{p} {holm}");
    }
    assert_eq!(joint["bootstrap"], serde_json::json!([600, 1000]));
    assert_eq!(joint["intransitive"], serde_json::json!([]));
    assert!(text.contains("rating ") && text.contains("1 rules"), "{text}");
    // A gauntlet says nothing of the others among themselves; matches have Elo.
    let words = "run rules random random:pass=0.6 --format gauntlet --match --deals 25 --seed 2 --out g";
    let text = stdout(&run(dir.path(), words).success());
    assert!(text.contains("Elo of matches"), "{text}");
    assert!(crate::common::run_json(&dir.path().join("g"))["joint"]["bots"][0]["nash_weight"].is_null());
}

#[test]
fn a_pairing_is_played_as_in_a_match_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    for unit in ["", "--match"] {
        let deals = if unit.is_empty() { 50 } else { 3 };
        let flags = format!("--deals {deals} --seed 9 --records full {unit}");
        run(dir.path(), &format!("run {} {flags} --format gauntlet --out g{deals}", BOTS.join(" ")))
            .success();
        run(dir.path(), &format!("run {} {} {flags} --out m{deals}", BOTS[0], BOTS[2])).success();
        let [gauntlet, single] = ["g", "m"].map(|name| dir.path().join(format!("{name}{deals}")));
        let mut second: Vec<Value> = records(&gauntlet);
        second.retain(|record| record["pairing"] == 1);
        for record in &mut second {
            record.as_object_mut().unwrap().remove("pairing");
        }
        assert_eq!(second, records(&single));
        let [gauntlet, single] = [gauntlet, single].map(|path| run_json(&path));
        assert_eq!(gauntlet["pairings"][1]["figures"], single["figures"]);
        assert_eq!(gauntlet["pairings"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn records_are_kept_of_a_sample_or_of_swings() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run random random:pass=0.6 rules --deals 400 --seed 3";
    run(dir.path(), &format!("{words} --records full --out full")).success();
    let full = records(&dir.path().join("full"));
    let mut swings: HashMap<u64, f64> = HashMap::new();
    for (n, differences) in differences(&full, 3).into_iter().enumerate() {
        assert_eq!(differences.len(), 400, "{n}");
        for (deal, difference) in (0..).zip(differences) {
            let largest = swings.entry(deal).or_default();
            *largest = largest.max(difference.abs());
        }
    }
    run(dir.path(), &format!("{words} --records swing:450 --out swing")).success();
    let kept = records(&dir.path().join("swing"));
    let expected: Vec<_> =
        full.iter().filter(|record| swings[&record["deal"].as_u64().unwrap()] >= 450.0).cloned().collect();
    assert_eq!(kept, expected);
    assert!(kept.len() > 60 && kept.len() < 2000, "{}", kept.len());

    let mut last: Vec<Value> = Vec::new();
    for share in ["0.1", "0.3", "1"] {
        run(dir.path(), &format!("{words} --records sample:{share} --out s{share}")).success();
        let sample = records(&dir.path().join(format!("s{share}")));
        assert_eq!(sample.len() % 6, 0);
        let share: f64 = share.parse().unwrap();
        let deals = f64::from(u32::try_from(sample.len() / 6).unwrap());
        assert!((deals - 400.0 * share).abs() <= 4.0 * (400.0 * share * (1.0 - share)).sqrt(), "{deals}");
        // A larger sample holds the smaller one.
        assert!(last.iter().all(|record| sample.contains(record)));
        last = sample;
    }
    assert_eq!(last, full);
    // The table has every deal all the same.
    let [full, swing] =
        ["full", "swing"].map(|name| fs::read(dir.path().join(name).join("summary.csv")).unwrap());
    assert!(full == swing);
}

#[test]
fn decisions_are_timed_without_a_trace_in_the_results() {
    let dir = tempfile::tempdir().unwrap();
    for times in ["none", "some", "all"] {
        let words = format!("run rules random --deals 300 --seed 1 --times {times} --out {times}");
        run(dir.path(), &words).success();
        let run: Value = json(&dir.path().join(times).join("run.json"));
        let decisions = run["timing"]["decisions"].as_array().unwrap();
        assert_eq!(decisions.len(), if times == "none" { 0 } else { 2 });
        for decision in decisions {
            let [p50, p95, max] = ["p50", "p95", "max"].map(|key| decision[key].as_f64().unwrap());
            // The clock of a processor may be too coarse to see a decision of these bots at all.
            assert!(0.0 <= p50 && p50 <= p95 && p95 <= max, "{decision}");
            let timed = decision["timed"].as_u64().unwrap();
            // 300 deals, two legs, two seats, more than five decisions of each.
            assert_eq!(timed > 300 * 2 * 2 * 5, times == "all", "{timed}");
        }
        assert_eq!(run_json(&dir.path().join(times)), run_json(&dir.path().join("none")));
    }
}
