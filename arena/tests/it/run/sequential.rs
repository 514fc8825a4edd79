//! `arena sprt` and `arena power` as programs.

use std::fs;
use std::path::Path;

use crate::common::{
    arena, error_of_test, fails, files, json, printed_json, run, run_json, sign, signal, start, stderr,
    stdout, untimed,
};
use serde_json::Value;

/// Runs `arena sprt` into a directory and returns its exit code and `sprt.json` without its timing.
pub(super) fn sprt(directory: &Path, out: &str, words: &str) -> (i32, Value) {
    let mut command = arena(directory);
    command.arg("sprt").args(words.split_whitespace());
    let assert = command.args(["--progress", "none", "--out", out]).assert();
    assert_eq!(stderr(&assert), "");
    let code = assert.get_output().status.code().unwrap();
    (code, untimed(&directory.join(out).join("sprt.json")))
}

/// Two bots that differ by some six points, and bounds that take far more than 700 deals.
pub(super) const CLOSE: &str = "rules:caution=5 rules --lower -1 --upper 1 --every 100 --first 150 --seed 5";

#[test]
fn the_verdict_is_the_same_for_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let mut seen = Vec::new();
    for threads in [1, 2, 8] {
        let out = threads.to_string();
        let (code, json) = sprt(dir.path(), &out, &format!("{CLOSE} --max-deals 700 --threads {threads}"));
        let csv = fs::read_to_string(dir.path().join(out).join("sprt.csv")).unwrap();
        seen.push((code, json, csv));
    }
    assert!(seen[0] == seen[1] && seen[0] == seen[2]);
    let (code, json, csv) = &seen[0];
    assert_eq!((*code, &json["decision"]), (11, &"undecided".into()));
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["deals", "difference", "sd", "llr", "decision", "half_width", "crc"]);
    for (row, deals) in rows[1..].iter().zip(["200", "300", "400", "500", "600", "700"]) {
        let decision = if deals == "700" { "undecided" } else { "go-on" };
        assert_eq!((row[0], row[4]), (deals, decision));
    }
    assert_eq!(rows.len(), 7);
    // More deals may follow: up to there the test is the same.
    sprt(dir.path(), "longer", &format!("{CLOSE} --max-deals 1000"));
    let longer = fs::read_to_string(dir.path().join("longer/sprt.csv")).unwrap();
    assert!(longer.starts_with(csv.split("undecided").next().unwrap()));
    assert_eq!(longer.lines().count(), 10);
}

#[test]
fn the_sums_are_those_of_a_run() {
    // The deals of the test are those of `arena run` under the same seed, and the ratio follows from them.
    let dir = tempfile::tempdir().unwrap();
    let (_, json) = sprt(dir.path(), "test", &format!("{CLOSE} --max-deals 300"));
    let last = &json["last"];
    let deals = last["pairs"].as_u64().unwrap();
    run(dir.path(), &format!("run rules:caution=5 rules --seed 5 --deals {deals} --out run")).success();
    assert_eq!(json["estimate"], run_json(&dir.path().join("run"))["figures"]["points"]);
    let number = |value: &Value| value.as_f64().unwrap();
    let n = deals as f64;
    let mean = number(&last["mean"]);
    let variance = n * error_of_test(number(&last["sd"]).powi(2) / n, &json["estimate"]).powi(2);
    let ratio = (variance + (mean + 1.0).powi(2)) / (variance + (mean - 1.0).powi(2));
    let llr = n / 2.0 * ratio.ln();
    assert!((llr - number(&last["llr"])).abs() < 1e-9);
    assert!((number(&json["bounds"][1]) - 19f64.ln()).abs() < 1e-12);
}

#[test]
fn the_verdict_is_in_the_exit_code() {
    let dir = tempfile::tempdir().unwrap();
    for (out, words, code, decision, verdict) in [
        (
            "up",
            "rules random --lower 0 --upper 20",
            0,
            "upper",
            "upper bound accepted: A − B is more than +0",
        ),
        (
            "down",
            "random rules --lower 0 --upper 20",
            10,
            "lower",
            "lower bound accepted: A − B is less than +20",
        ),
        ("same", "rules rules --lower 0 --upper 20", 10, "lower", "lower bound accepted"),
        ("none", "rules rules --lower -9 --upper 9 --max-deals 600", 11, "undecided", "undecided between -9"),
    ] {
        let words = format!("{words} --seed 3 --rules coinche --set scoring.failed=150");
        let (found, json) = sprt(dir.path(), out, &words);
        assert_eq!((found, &json["decision"]), (code, &decision.into()));
        let command = json["command"].as_str().unwrap();
        assert!(command.ends_with("--seed 3 --rules coinche --set 'scoring.failed=150'"), "{command}");
        let assert = run(dir.path(), &format!("sprt {words} --progress none --out {out}2")).code(code);
        assert!(stdout(&assert).contains(verdict), "{}", stdout(&assert));
    }
}

#[test]
fn live_lines_and_what_is_there_already() {
    let dir = tempfile::tempdir().unwrap();
    let words = "sprt random rules --lower 0 --upper 5 --seed 1 --out mine";
    let assert = run(dir.path(), &format!("{words} --progress json")).code(10);
    let line: Value = serde_json::from_str(stderr(&assert).lines().next().unwrap()).unwrap();
    assert_eq!(line["look"]["decision"], "lower");
    let before = fs::read(dir.path().join("mine/sprt.csv")).unwrap();
    // Given again, it says the same again.
    let again = run(dir.path(), words).code(10);
    assert!(stderr(&again).contains("512 deals are already in mine"), "{}", stderr(&again));
    assert_eq!(stdout(&again), stdout(&assert));
    assert_eq!(fs::read(dir.path().join("mine/sprt.csv")).unwrap(), before);
    // Without --out every seed has a directory of its own.
    for _ in 0..2 {
        let words = "sprt random rules --lower 0 --upper 5 --progress plain";
        let assert = run(dir.path(), words).code(10);
        assert!(stderr(&assert).contains("512 of at most 1,000,000 deals, LLR -"), "{}", stderr(&assert));
        assert!(stderr(&assert).contains("written to results/runs/"));
    }
    assert_eq!(fs::read_dir(dir.path().join("results/runs")).unwrap().count(), 2);
}

/// What a process leaves that is killed behind some deals: their state, and looks up to there or further.
#[test]
fn a_test_that_was_killed_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let words = format!("{CLOSE} --max-deals 700");
    let (code, json) = sprt(dir.path(), "whole", &words);
    let whole = files(&dir.path().join("whole"));
    let names: Vec<_> = whole.keys().map(String::as_str).collect();
    assert_eq!(names, ["config.toml", "part.json", "run.json", "sprt.csv", "sprt.json"]);
    let csv = String::from_utf8(whole["sprt.csv"].clone()).unwrap();
    let ends: Vec<usize> = (0..csv.len()).filter(|n| csv.as_bytes()[*n] == b'\n').map(|n| n + 1).collect();
    // Deals 200, 300, …, 700 have rows 1 to 6. Deals played, and the bytes of the table that were written.
    for (n, (deals, bytes)) in [
        (150, 0),
        (200, ends[0]),
        (200, ends[1]),
        (299, ends[1]),
        (450, ends[3]),
        (450, ends[3] + 9),
        (500, ends[6]),
        (700, ends[5]),
        (700, ends[6]),
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("killed-{n}");
        let path = dir.path().join(&out);
        // A run of as many deals has the same state.
        let to = format!("run rules:caution=5 rules --seed 5 --records none --deals {deals} --out {out}");
        run(dir.path(), &to).success();
        fs::remove_file(path.join("checksums.txt")).unwrap();
        fs::write(path.join("sprt.csv"), &csv[..bytes]).unwrap();
        fs::copy(dir.path().join("whole/sprt.json"), path.join("sprt.json")).unwrap();
        assert_eq!(sprt(dir.path(), &out, &words), (code, json.clone()), "{deals} deals");
        assert_eq!(files(&path), whole, "{deals} deals, {bytes} bytes");
    }
    // More deals: the look that was only for the end goes, since the plan has none there.
    let (_, longer) = sprt(dir.path(), "longer", &format!("{CLOSE} --max-deals 650"));
    assert_eq!(longer["last"]["pairs"], 650);
    assert_eq!(sprt(dir.path(), "longer", &words), (code, json));
    assert_eq!(files(&dir.path().join("longer")), whole);
}

/// With more deals allowed a test goes on as if they had been allowed from the start: an end between two looks decides
/// nothing, and leaves nothing.
#[test]
fn a_longer_test_is_that_of_one_go() {
    let dir = tempfile::tempdir().unwrap();
    for seed in [5, 17] {
        let words =
            format!("rules:caution=5 rules --lower -4 --upper 0 --every 100 --first 200 --seed {seed}");
        let whole = sprt(dir.path(), &format!("whole-{seed}"), &words);
        let deals = whole.1["last"]["pairs"].as_u64().unwrap();
        let out = format!("long-{seed}");
        for end in [150, 350, 420, 421, 650, 777, 1100].into_iter().filter(|end| *end < deals) {
            let (code, json) = sprt(dir.path(), &out, &format!("{words} --max-deals {end}"));
            assert_eq!((code, &json["decision"]), (11, &"undecided".into()), "{end} deals");
        }
        assert_eq!(sprt(dir.path(), &out, &words), whole);
        assert_eq!(files(&dir.path().join(out)), files(&dir.path().join(format!("whole-{seed}"))));
    }
}

#[test]
fn equal_pairs_end_no_test_at_once() {
    // None of 512 pairs differs, or a few: a bound a point away is not accepted for that.
    let dir = tempfile::tempdir().unwrap();
    let words = "rules:capot=3 rules --lower 0 --upper 1 --seed 1 --max-deals 512";
    let (code, json) = sprt(dir.path(), "test", words);
    assert_eq!((code, &json["decision"]), (11, &"undecided".into()));
    assert_eq!(json["estimate"]["differing"], 0);
    assert!(json["last"]["llr"].as_f64().unwrap().abs() < 1.0, "{json}");
    let text = stdout(&run(dir.path(), &format!("sprt {words} --out test")).code(11));
    assert!(text.contains("0 of 512 pairs differ (0.0 %)"), "{text}");
}

#[test]
fn other_tests_and_damage_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let words = format!("sprt {CLOSE} --max-deals 300 --out mine");
    run(dir.path(), &words).code(11);
    let before = files(&dir.path().join("mine"));
    for (from, to, parts) in [
        (
            "--seed 5",
            "--seed 6",
            &["mine holds a run with other settings", "seed: 5 there, 6 now"] as &[&str],
        ),
        ("--upper 1", "--upper 2", &["mine holds a run with other settings", "upper: 1.0 there, 2.0 now"]),
        ("--every 100", "--every 50", &["every: 100 there, 50 now"]),
        ("--max-deals 300", "--max-deals 200", &["already has 300 deals"]),
        ("--max-deals", "--match --max-deals", &["match: false there, true now"]),
    ] {
        fails(run(dir.path(), &words.replace(from, to)), 2, parts);
    }
    assert_eq!(files(&dir.path().join("mine")), before);
    // A run is no test, and a test no run.
    run(dir.path(), "run rules:caution=5 rules --seed 5 --records none --deals 10 --out run").success();
    fails(run(dir.path(), &words.replace("mine", "run")), 3, &["run already holds a run"]);
    fails(
        run(dir.path(), "run rules:caution=5 rules --seed 5 --records none --deals 400 --out mine"),
        3,
        &["mine already holds a run", "sprt.json"],
    );
    let path = dir.path().join("mine/sprt.csv");
    let csv = fs::read_to_string(&path).unwrap();
    let rows: Vec<&str> = csv.split_inclusive('\n').collect();
    for (text, why) in [
        (csv.replace("deals", "pairs"), "does not name the columns"),
        (csv.replace("go-on", "maybe"), "a line is not a look"),
        ([rows[0], rows[2]].concat(), "looks do not match --first and --every"),
        (rows[0].to_owned(), "looks are missing"),
        ([rows[0], rows[1], "300,1,2,3,undecided,4,\n"].concat(), "does not match the pairs played"),
    ] {
        fs::write(&path, text).unwrap();
        sign(&dir.path().join("mine"));
        fails(run(dir.path(), &words), 1, &["sprt.csv is damaged", why]);
    }
}

#[test]
fn matches_are_tested_by_who_wins_them() {
    let dir = tempfile::tempdir().unwrap();
    let words = "rules:caution=3 rules --match --lower -2 --upper 2 --every 20 --first 40 --max-deals 60 --seed 4 --rules \
                 coinche";
    let (code, json) = sprt(dir.path(), "test", words);
    assert_eq!((code, &json["unit"]), (11, &"match".into()));
    let to = "run rules:caution=3 rules --match --deals 60 --seed 4 --rules coinche --out run";
    run(dir.path(), to).success();
    // A leg is 1, 0 or −1 in the run: 50 percentage points over or under half.
    let wins = &run_json(&dir.path().join("run"))["figures"]["wins"];
    let number = |value: &Value| value.as_f64().unwrap();
    for (test, run) in [(&json["estimate"]["mean"], &wins["mean"]), (&json["estimate"]["sd"], &wins["sd"])] {
        assert!((number(test) - 50.0 * number(run)).abs() < 1e-9, "{json}");
    }
    assert!((number(&json["last"]["mean"]) - 50.0 * number(&wins["mean"])).abs() < 1e-9);
    let words = "sprt rules random --match --lower 0 --upper 5 --every 20 --first 40 --seed 1 --progress plain --out won";
    let assert = run(dir.path(), words).success();
    assert!(stdout(&assert).contains("A wins more than 50 % of the matches (error probability 5 %)"));
    assert!(stdout(&assert).contains("40 matches in pairs"), "{}", stdout(&assert));
    assert!(stderr(&assert).contains("40 of at most 1,000,000 matches, LLR +"), "{}", stderr(&assert));
    fails(
        run(dir.path(), "sprt rules random --match --lower 0 --upper 60"),
        2,
        &["-50 to 50", "percentage points"],
    );
}

#[test]
fn a_part_of_the_game_can_be_the_same_for_both() {
    let dir = tempfile::tempdir().unwrap();
    for (n, (bots, freeze, given)) in [
        ("rules:caution=15 rules", "play=random", ", all cards by random"),
        ("rules rules+random", "auction=rules:caution=-5", ", all calls by rules:caution=-5"),
    ]
    .into_iter()
    .enumerate()
    {
        let words = format!("{bots} --freeze {freeze} --lower -1 --upper 1 --every 40 --first 40 --seed 5");
        let (_, json) = sprt(dir.path(), &format!("test{n}"), &format!("{words} --max-deals 80"));
        assert_eq!(json["freeze"], freeze);
        // The deals are those of a run under the same regime, and differ from those of the whole game.
        let deals = json["last"]["pairs"].as_u64().unwrap();
        let of = |freeze: &str, out: &str| {
            let words = format!("run {bots}{freeze} --seed 5 --deals {deals} --records none --out {out}{n}");
            run(dir.path(), &words).success();
            run_json(&dir.path().join(format!("{out}{n}")))["figures"]["points"].clone()
        };
        assert_eq!(json["estimate"], of(&format!(" --freeze {freeze}"), "frozen"));
        assert_ne!(json["estimate"], of("", "whole"));
        // The command that is printed is the same test.
        let command = json["command"].as_str().unwrap().strip_prefix("arena sprt ").unwrap();
        assert!(command.contains(&format!(" --freeze {freeze} --rules bga")), "{command}");
        assert_eq!(sprt(dir.path(), &format!("again{n}"), command).1, json);
        let text = stdout(&run(dir.path(), &format!("sprt {command} --out test{n}")));
        assert!(text.contains(given), "{text}");
        // Another regime is another test.
        let other = command.replace(freeze, "play=rules");
        fails(run(dir.path(), &format!("sprt {other} --out test{n}")), 2, &["freeze", "play=rules now"]);
        run(dir.path(), &format!("report test{n} --markdown page.md")).success();
        let page = fs::read_to_string(dir.path().join("page.md")).unwrap();
        assert!(page.contains(given), "{page}");
    }
    let words = "sprt rules random --freeze auction --match --lower 0 --upper 2";
    fails(run(dir.path(), words), 2, &["an auction cannot be frozen", "leave out --match"]);
    fails(run(dir.path(), "sprt rules random --freeze bids --lower 0 --upper 2"), 2, &["auction[=BIDDER]"]);
}

#[test]
fn wrong_arguments_are_named() {
    let dir = tempfile::tempdir().unwrap();
    for (words, parts) in [
        ("sprt rules random", &["--lower", "--upper"] as &[&str]),
        ("sprt rules --lower 0 --upper 5", &["expected two bots", "got 1"]),
        ("sprt rules wizard --lower 0 --upper 5", &["`wizard`"]),
        ("sprt rules random --lower 5 --upper 5", &["upper: 5", "above the lower"]),
        ("sprt rules random --lower 0 --upper nan", &["upper: NaN"]),
        ("sprt rules random --lower 0 --upper 5 --alpha 0", &["alpha: 0", "between 0 and 1"]),
        ("sprt rules random --lower 0 --upper 5 --alpha 0.5 --beta 0.6", &["alpha + beta"]),
        ("sprt rules random --lower 0 --upper 5 --every 0", &["every: 0", "from 1"]),
        ("sprt rules random --lower 0 --upper 5 --max-deals 0", &["max-deals: 0", "from 1"]),
        ("sprt rules random --lower 0 --upper 5 --threads 0", &["threads", "1 to 1024"]),
        ("power --effect 0", &["effect: 0", "above 0"]),
        ("power --effect 5 --sd 0", &["sd: 0", "above 0"]),
        ("power --effect 5 --power 1", &["power: 1", "between 0 and 1"]),
        ("power --effect 5 --power 0.01", &["power: 0.01", "at least alpha"]),
        ("power --effect 5 --deals 100", &["--effect", "--deals"]),
        ("power --pairs 3", &["deals: 3", "from 4"]),
        ("power --from nowhere", &["cannot read", "nowhere"]),
    ] {
        fails(run(dir.path(), words), 2, parts);
    }
    // The standard deviation of one pair of deals is none.
    run(dir.path(), "run rules random --deals 1 --seed 1 --out one").success();
    fails(run(dir.path(), "power --from one"), 2, &["run.json", "figures.points.sd", "--sd"]);
    fs::remove_dir_all(dir.path().join("one")).unwrap();
    fs::write(dir.path().join("run.json"), "{\"figures\":{}}").unwrap();
    fails(run(dir.path(), "power --from ."), 1, &["run.json is damaged: it has no CRC-32 at its end"]);
    sign(dir.path());
    fs::remove_file(dir.path().join("checksums.txt")).unwrap();
    fails(run(dir.path(), "power --from run.json"), 2, &["run.json", "missing field"]);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn power_is_told_as_a_table_and_as_json() {
    let dir = tempfile::tempdir().unwrap();
    let text = stdout(&run(dir.path(), "power").success());
    let row = |first: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.starts_with(&format!("{first} "))).unwrap();
        line.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(row("5")[1], "8,654");
    assert_eq!(row("10")[1], "2,165");
    // The sequential test takes fewer when the effect is there or is not, and is never below its first look.
    assert_eq!(row("50")[1..], ["89", "512", "512", "512"]);
    let json = |words: &str| printed_json(&run(dir.path(), words).success());
    let value = json("power --effect 5,10 --json");
    assert_eq!(value["rows"][0]["pairs"], 8654);
    assert!(value["rows"][0]["sequential"][2].as_u64() < Some(8654));
    // The inverse, and the deviation of a run.
    let value = json("power --deals 8654 --json");
    assert!((value["rows"][0]["effect"].as_f64().unwrap() - 5.0).abs() < 1e-3);
    run(dir.path(), "run rules random --deals 100 --seed 1 --out mine").success();
    let sd = &run_json(&dir.path().join("mine"))["figures"]["points"]["sd"];
    for from in ["mine", "mine/run.json"] {
        assert_eq!(&json(&format!("power --from {from} --effect 5 --json"))["sd"], sd);
    }
}

/// Ctrl-C ends the test at its last look.
#[cfg(unix)]
#[test]
fn an_interrupted_test_is_that_of_its_last_look() {
    let dir = tempfile::tempdir().unwrap();
    let words = "sprt rules+random random+rules --lower -100000 --upper 100000 --max-deals 100000000 --seed 2 --out mine \
                 --alpha 1e-300 --beta 1e-300 --progress json";
    let child = start(dir.path(), words);
    std::thread::sleep(std::time::Duration::from_millis(700));
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8(output.stdout).unwrap().contains("stopped early, between"));
    let value = json(&dir.path().join("mine/sprt.json"));
    assert_eq!((&value["interrupted"], &value["decision"]), (&true.into(), &"go-on".into()));
    let csv = fs::read_to_string(dir.path().join("mine/sprt.csv")).unwrap();
    let last = csv.lines().last().unwrap();
    assert_eq!(value["last"]["pairs"].to_string(), last.split(',').next().unwrap());
}
