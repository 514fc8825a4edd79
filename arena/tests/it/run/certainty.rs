//! How certain a verdict is: bots that are nearly alike, and the two sides of one match.

use serde_json::{Value, json};

use crate::common::{run, run_json, stdout};

/// Plays into a directory; returns the verdict and `run.json`.
fn play(directory: &std::path::Path, out: &str, words: &str) -> (String, Value) {
    let text = stdout(&run(directory, &format!("run {words} --records none --out {out}")).success());
    (text, run_json(&directory.join(out)))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// A number with its sign turned, as JSON has it.
fn turned(value: &Value) -> Value {
    json!(0.0 - number(value))
}

/// An estimate from the other side.
fn reversed(estimate: &Value) -> Value {
    let mut other = estimate.clone();
    other["mean"] = turned(&estimate["mean"]);
    other["interval"] = json!([turned(&estimate["interval"][1]), turned(&estimate["interval"][0])]);
    other["leg_means"] = json!([turned(&estimate["leg_means"][1]), turned(&estimate["leg_means"][0])]);
    other
}

#[test]
fn both_sides_see_the_same_match() {
    let dir = tempfile::tempdir().unwrap();
    for (n, (a, b, more)) in [
        ("rules:caution=5", "rules", "--deals 600"),
        ("rules:capot=5", "rules", "--deals 300"),
        ("rules:coinche=20", "rules", "--deals 80 --match"),
        // Chance is shared too.
        ("rules+random", "random", "--deals 60"),
        ("random:pass=0.6", "random", "--deals 20 --match"),
        ("rules:caution=15", "rules", "--deals 300 --freeze play=rules"),
    ]
    .into_iter()
    .enumerate()
    {
        let (ours, forth) = play(dir.path(), &format!("forth{n}"), &format!("{a} {b} --seed 4 {more}"));
        let (theirs, back) = play(dir.path(), &format!("back{n}"), &format!("{b} {a} --seed 4 {more}"));
        for what in ["points", "wins"] {
            let [ours, theirs] = [&forth, &back].map(|run| &run["figures"][what]);
            if !ours.is_null() {
                assert_eq!(*theirs, reversed(ours), "{a} against {b}: {what}");
            }
        }
        // Who wins is named first, whoever was named first in the command.
        let said = |text: &str| text.lines().find(|line| line.contains(" beats ")).map(str::to_owned);
        assert_eq!(said(&ours), said(&theirs));
    }
}

#[test]
fn a_bot_does_not_differ_from_itself() {
    let dir = tempfile::tempdir().unwrap();
    let (text, json) = play(dir.path(), "same", "random random --deals 50 --seed 1");
    let points = &json["figures"]["points"];
    assert_eq!((&points["differing"], &points["mean"]), (&0.into(), &0.0.into()));
    assert!(text.contains("No difference: A and B are both random, and none of 50 pairs differs"), "{text}");
}

#[test]
fn few_pairs_that_differ_say_so() {
    let dir = tempfile::tempdir().unwrap();
    let (text, json) = play(dir.path(), "few", "rules:capot=3 rules --deals 200 --seed 1");
    let points = &json["figures"]["points"];
    assert_eq!((&points["differing"], &points["sd"]), (&0.into(), &0.0.into()));
    // 17 times the size of a leg, over the number of pairs.
    let half = number(&points["half_width"]);
    let expected = 17.0 * number(&points["leg_sd"]) / 200.0;
    assert!((half / expected - 1.0).abs() < 0.02, "{half} {expected}");
    assert!(text.contains("No significant difference: none of 200 pairs differs; rules:capot=3"), "{text}");
    assert!(text.contains("\n  0 of 200 pairs differ (0.0 %)"), "{text}");
    run(dir.path(), "report few --markdown page.md").success();
    let page = std::fs::read_to_string(dir.path().join("page.md")).unwrap();
    assert!(page.contains("none of 200 pairs differs; rules:capot=3 scored 0.0 ± "), "{page}");
    assert!(page.contains("0 of 200 pairs differ (0.0 %)."), "{page}");
}

#[test]
fn alike_bots_have_intervals_as_wide_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let words = "rules rules:capot=5 rules:capot=4 --match --deals 60 --seed 2";
    let (text, json) = play(dir.path(), "alike", words);
    let joint = &json["joint"];
    for bot in joint["bots"].as_array().unwrap() {
        let low_high = |value: &Value| [0, 1].map(|end: usize| number(&value[end]));
        let [low, high] = low_high(&bot["bootstrap"]);
        assert!(number(&bot["half_width"]) > 0.0 && high > low, "{bot}");
        // Independent matches, two for each of 60 deals and two opponents, would have ± 33 Elo.
        let [_, half] = low_high(&bot["elo"]);
        assert!(half > 1.0 && half < 20.0, "{bot}");
    }
    for pairing in json["pairings"].as_array().unwrap() {
        let points = &pairing["figures"]["points"];
        assert!(number(&points["half_width"]) > 0.0, "{points}");
        assert!(points["differing"].as_u64().unwrap() <= 60);
    }
    assert!(text.contains("Pairs that differ, of 60 each: "), "{text}");
    run(dir.path(), "report alike --markdown page.md").success();
}

/// A bot has the same interval against all others wherever it stands in the command.
#[test]
fn a_mean_against_all_does_not_depend_on_the_place_of_a_bot() {
    let dir = tempfile::tempdir().unwrap();
    let mut told = Vec::new();
    for (out, bots) in [
        ("first", "rules:capot=5 rules random"),
        ("second", "rules rules:capot=5 random"),
        ("third", "rules random rules:capot=5"),
    ] {
        let (text, _) = play(dir.path(), out, &format!("{bots} --deals 40 --seed 3"));
        let table = text.split_once("against all opponents").unwrap().1;
        let row = table.lines().find(|line| line.contains("rules:capot=5")).unwrap();
        told.push(row.split_once("capot=5").unwrap().1.split_once(',').unwrap().0.trim().to_owned());
    }
    assert!(told[0].contains('±') && told.iter().all(|row| *row == told[0]), "{told:?}");
}
