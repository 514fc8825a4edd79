//! `arena leaderboard`: stopped and resumed, entries that come later, and its figures against a literal computation.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use assert_cmd::assert::Assert;
use coinche_inference::student_t;
use serde_json::Value;

use crate::common::{
    arena, csv_rows, fails, json, mean, program, run, run_json, sign as resign, signal, standard_error,
    start, stderr, stdout,
};

/// A class of 20 deals and one of 12, which has a bot that takes its time.
const HEAD: &str = r#"anchor = "rules"
rules = ["bga", "contree"]

[[class]]
name = "fast"
limit = "20us"
deals = 20
seed = 1

[[class]]
name = "slow"
limit = "100ms"
deals = 12
seed = "two"

[crossplay]
against = "random"
entries = ["rules", "table", "cautious"]
deals = 20
seed = 3
"#;

const ENTRIES: [[&str; 3]; 5] = [
    ["random", "random", r#""fast""#],
    ["rules", "rules", r#""fast", "slow""#],
    ["table", "table+rules", r#""fast""#],
    ["cautious", "rules:caution=5", r#""fast""#],
    ["worlds", "rules+pimc:worlds=20", r#""slow""#],
];

fn entry([name, bot, classes]: [&str; 3]) -> String {
    format!("\n[[entry]]\nname = \"{name}\"\nbot = \"{bot}\"\nabout = \"it plays\"\nclasses = [{classes}]\n")
}

fn write(directory: &Path, entries: &[[&str; 3]]) {
    let text: String = entries.iter().map(|it| entry(*it)).collect();
    fs::write(directory.join("board.toml"), format!("{HEAD}{text}")).unwrap();
}

fn play(directory: &Path, words: &str) -> Assert {
    run(directory, &format!("leaderboard board.toml --progress none {words}"))
}

fn board(out: &Path) -> Value {
    json(&out.join("leaderboard.json"))
}

/// `leaderboard.json` without the times.
fn figures(out: &Path) -> Value {
    let mut json = board(out);
    for key in ["times", "decisions", "crc"] {
        assert!(json.as_object_mut().unwrap().remove(key).is_some());
    }
    json
}

/// The directories of the runs, with the modification times of their totals.
fn runs(out: &Path) -> BTreeMap<String, std::time::SystemTime> {
    let mut found = BTreeMap::new();
    let Ok(rules) = fs::read_dir(out.join("runs")) else { return found };
    for rules in rules {
        for class in fs::read_dir(rules.unwrap().path()).unwrap() {
            for run in fs::read_dir(class.unwrap().path()).unwrap() {
                let path = run.unwrap().path();
                let state = path.join("part.json").metadata().unwrap().modified().unwrap();
                found.insert(path.strip_prefix(out).unwrap().to_str().unwrap().to_owned(), state);
            }
        }
    }
    found
}

/// By run, the table of its legs: twice the paired differences of its deals, and all differences of legs.
fn differences(directory: &Path, out: &str, run_name: &str) -> (Vec<f64>, Vec<f64>) {
    let words = format!("export {out}/{run_name}/summary.csv.zst --to csv --out legs.csv");
    run(directory, &words).success();
    let (mut doubled, mut legs) = (BTreeMap::<u64, f64>::new(), Vec::new());
    for row in csv_rows(&directory.join("legs.csv")) {
        let score = |name: &str| row[name].parse::<f64>().unwrap();
        let ahead = (score("score0") - score("score1")) * if row["leg"] == "0" { 1.0 } else { -1.0 };
        *doubled.entry(row["deal"].parse().unwrap()).or_default() += ahead;
        legs.push(ahead);
    }
    (doubled.into_values().collect(), legs)
}

/// Solves a system of linear equations for several right-hand sides.
fn solve(mut matrix: Vec<Vec<f64>>, mut sides: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    for column in 0..size {
        let by_size = |a: &usize, b: &usize| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs());
        let pivot = (column..size).max_by(by_size).unwrap();
        matrix.swap(column, pivot);
        sides.swap(column, pivot);
        let (pivot, right) = (matrix[column].clone(), sides[column].clone());
        for row in (0..size).filter(|row| *row != column) {
            let factor = matrix[row][column] / pivot[column];
            matrix[row].iter_mut().zip(&pivot).for_each(|(cell, other)| *cell -= factor * other);
            sides[row].iter_mut().zip(&right).for_each(|(cell, other)| *cell -= factor * other);
        }
    }
    let scaled = sides.into_iter().zip(&matrix).enumerate();
    scaled.map(|(n, (side, row))| side.into_iter().map(|value| value / row[n]).collect()).collect()
}

fn near(found: &Value, expected: f64, what: &str) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-6 * expected.abs().max(1.0), "{what}: {found}, not {expected}");
}

/// Ratings above `rules` by weighted least squares with the anchor at 0, from the tables of the runs.
#[test]
fn ratings_are_those_of_a_literal_computation() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &ENTRIES);
    play(dir.path(), "--out o").success();
    let board = board(&dir.path().join("o"));
    let names = ["random", "table", "cautious"];
    for rules in ["bga", "contree"] {
        let mut pairings = Vec::new();
        for run in
            runs(&dir.path().join("o")).keys().filter(|run| run.starts_with(&format!("runs/{rules}/fast")))
        {
            let (pair, _) = run.rsplit_once('-').unwrap();
            let (a, b) = pair.rsplit_once('/').unwrap().1.split_once(".vs.").unwrap();
            let (doubled, legs) = differences(dir.path(), "o", run);
            let points: Vec<f64> = doubled.into_iter().map(|sum| sum / 2.0).collect();
            let square = mean(&legs.iter().map(|leg| leg * leg).collect::<Vec<_>>());
            pairings.push((a.to_owned(), b.to_owned(), points, square));
        }
        assert_eq!(pairings.len(), 6);
        let deals = 20.0;
        let sign = |p: usize, name: &str| {
            f64::from(u8::from(pairings[p].0 == name)) - f64::from(u8::from(pairings[p].1 == name))
        };
        let weight = |p: usize| standard_error(&[(1.0, &pairings[p].2, pairings[p].3)]).powi(-2);
        let all = 0..pairings.len();
        let normal = |a: &str, b: &str| all.clone().map(|p| weight(p) * sign(p, a) * sign(p, b)).sum::<f64>();
        let matrix = names.iter().map(|a| names.iter().map(|b| normal(a, b)).collect()).collect();
        let sides = names.iter().map(|a| all.clone().map(|p| weight(p) * sign(p, a)).collect()).collect();
        let estimator = solve(matrix, sides);
        for (n, name) in names.iter().enumerate() {
            let rating: f64 = all.clone().map(|p| estimator[n][p] * mean(&pairings[p].2)).sum();
            // All pairings seen from the side on which they count.
            let turned: Vec<_> =
                all.clone().map(|p| (estimator[n][p].abs(), estimator[n][p].signum())).collect();
            let points: Vec<Vec<f64>> =
                all.clone().map(|p| pairings[p].2.iter().map(|x| turned[p].1 * x).collect()).collect();
            let terms: Vec<_> = all.clone().map(|p| (turned[p].0, &points[p][..], pairings[p].3)).collect();
            let half = student_t(0.95, deals - 1.0) * standard_error(&terms);
            let rows = board["standings"].as_array().unwrap().iter();
            let is_it =
                |row: &&Value| row["rules"] == rules && row["class"] == "fast" && row["entry"] == *name;
            let row = rows.clone().find(is_it).unwrap();
            near(&row["rating"]["mean"], rating, name);
            near(&row["rating"]["half_width"], half, name);
            // The worst opponent, by hand.
            let met = all.clone().filter(|p| sign(*p, name) != 0.0);
            let worst = met.map(|p| sign(p, name) * mean(&pairings[p].2)).fold(f64::INFINITY, f64::min);
            near(&row["worst"]["points"]["mean"], worst, name);
        }
    }
    // The same pairings in one run of all have the same means above all.
    let words = "run random rules table+rules rules:caution=5 --deals 20 --seed 1 --records none --out whole";
    run(dir.path(), words).success();
    let whole = run_json(&dir.path().join("whole"));
    for bot in whole["joint"]["bots"].as_array().unwrap() {
        let mut rows = board["standings"].as_array().unwrap().iter();
        let row = rows
            .find(|row| row["rules"] == "bga" && row["class"] == "fast" && row["bot"] == bot["bot"])
            .unwrap();
        near(&row["above_mean"]["mean"], bot["rating"].as_f64().unwrap(), "rating");
        near(&row["above_mean"]["half_width"], bot["half_width"].as_f64().unwrap(), "half width");
        near(&row["nash_share"], bot["nash_weight"].as_f64().unwrap(), "Nash share");
    }
    let page = fs::read_to_string(dir.path().join("o/README.md")).unwrap();
    assert!(page.contains("No cycles: ") || page.contains("Cycles, which "), "{page}");
    let anchor = board["standings"].as_array().unwrap().iter().find(|row| row["entry"] == "rules").unwrap();
    assert_eq!((&anchor["rating"]["mean"], &anchor["rating"]["half_width"]), (&0.0.into(), &0.0.into()));
    // Every run is one that `verify` takes.
    for name in runs(&dir.path().join("o")).keys() {
        run(dir.path(), &format!("verify o/{name}")).success();
    }
}

/// Of many deals the sums are kept by block: means stay exact, and intervals are nearly as wide.
#[test]
fn blocks_of_many_deals_are_few() {
    let dir = tempfile::tempdir().unwrap();
    let head =
        HEAD.split("[[class]]").take(2).collect::<Vec<_>>().join("[[class]]").replace("= 20\n", "= 300\n");
    let text: String = [ENTRIES[0], ["rules", "rules", "\"fast\""], ENTRIES[3]].map(entry).concat();
    fs::write(dir.path().join("board.toml"), format!("{head}{text}")).unwrap();
    play(dir.path(), "--out o").success();
    let board = board(&dir.path().join("o"));
    let sums = board["runs"].as_array().unwrap();
    assert_eq!(sums.len(), 6);
    assert!(sums.iter().all(|run| run["blocks"] == serde_json::json!(vec![4; 75])), "{}", sums[0]["blocks"]);
    for rules in ["bga", "contree"] {
        let words = "run random rules rules:caution=5 --deals 300 --seed 1 --records none";
        run(dir.path(), &format!("{words} --rules {rules} --out {rules}")).success();
        for bot in run_json(&dir.path().join(rules))["joint"]["bots"].as_array().unwrap() {
            let mut rows = board["standings"].as_array().unwrap().iter();
            let row = rows.find(|row| row["rules"] == rules && row["bot"] == bot["bot"]).unwrap();
            near(&row["above_mean"]["mean"], bot["rating"].as_f64().unwrap(), "rating");
            let [found, exact] = [&row["above_mean"], bot].map(|of| of["half_width"].as_f64().unwrap());
            assert!((found / exact - 1.0).abs() < 0.2, "{found} for {exact}");
        }
    }
}

/// What two lose as partners is what the run says, and the mean of it is that over deals of all of them.
#[test]
fn costs_of_strangers_are_those_of_the_runs() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &ENTRIES[..4]);
    fails(play(dir.path(), "--out o"), 2, &["board.toml, line 11", "`slow` has 1 entries"]);
    write(dir.path(), &ENTRIES);
    play(dir.path(), "--out o").success();
    let out = dir.path().join("o");
    let board = board(&out);
    let costs = board["crossplay"].as_array().unwrap();
    for rules in ["bga", "contree"] {
        let mut of_rules = Vec::new();
        for name in runs(&out).keys().filter(|name| name.starts_with(&format!("runs/{rules}/crossplay"))) {
            let (a, b) =
                name.rsplit_once('/').unwrap().1.rsplit_once('-').unwrap().0.split_once(".vs.").unwrap();
            let told = &run_json(&out.join(name))["crossplay"]["strangers"][0];
            let is_pair = |row: &&Value| row["rules"] == rules && row["entries"] == serde_json::json!([a, b]);
            let row = costs.iter().find(is_pair).unwrap();
            for key in ["apart", "together"] {
                near(&row[key], told[key].as_f64().unwrap(), key);
            }
            for key in ["mean", "half_width"] {
                near(&row["cost"][key], told["cost"][key].as_f64().unwrap(), key);
            }
            of_rules.push(([a.to_owned(), b.to_owned()], row["cost"]["mean"].as_f64().unwrap()));
        }
        assert_eq!(of_rules.len(), 3);
        for entry in ["rules", "table", "cautious"] {
            let own =
                of_rules.iter().filter(|(ends, _)| ends.contains(&entry.to_owned())).map(|(_, cost)| cost);
            let expected = own.clone().sum::<f64>() / own.count() as f64;
            let row = costs.iter().find(|row| row["rules"] == rules && row["entry"] == entry).unwrap();
            near(&row["cost"]["mean"], expected, entry);
            assert!(row["cost"]["half_width"].as_f64().unwrap() > 0.0);
        }
    }
}

#[cfg(unix)]
#[test]
fn it_is_resumed_where_it_was_stopped() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &ENTRIES);
    play(dir.path(), "--out whole --threads 2").success();
    let part = dir.path().join("part");
    let mut stops = 0;
    // Signals come at other moments: as often as it takes, until nothing is left to stop.
    for n in 0u64.. {
        let child = start(dir.path(), "leaderboard board.toml --out part --threads 1 --progress plain");
        std::thread::sleep(Duration::from_millis(60 + 40 * n));
        signal(&child, "-INT");
        let output = child.wait_with_output().unwrap();
        if output.status.success() {
            break;
        }
        stops += 1;
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.code() == Some(130) {
            assert!(said.contains("resume with: arena leaderboard board.toml --out part"), "{said}");
        }
        assert!(!part.join("leaderboard.json").exists());
    }
    assert!(stops > 0);
    assert_eq!(figures(&part), figures(&dir.path().join("whole")));
    let [part, whole] =
        ["part", "whole"].map(|out| runs(&dir.path().join(out)).into_keys().collect::<Vec<_>>());
    assert_eq!(part, whole);
    // Nothing is left to do: the same files again, times and all, in which commands have another directory.
    let read = |name: &str| fs::read(dir.path().join("whole").join(name)).unwrap();
    let files = ["index.html", "README.md", "leaderboard.csv", "leaderboard.json"];
    let before = files.map(read);
    play(dir.path(), "--out whole --threads 1").success();
    assert!(before == files.map(read));
}

#[test]
fn an_entry_that_comes_later_plays_its_own_pairings() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("o");
    let fewer: Vec<_> = ENTRIES.into_iter().filter(|entry| entry[0] != "random").collect();
    let text: String = fewer.iter().map(|it| entry(*it)).collect();
    fs::write(
        dir.path().join("board.toml"),
        format!("{}{text}", HEAD.replace("against = \"random\"", "against = \"rules\"")),
    )
    .unwrap();
    play(dir.path(), "--out o").success();
    let before = runs(&out);
    let page = fs::read(out.join("README.md")).unwrap();
    // First to see where it would stand.
    let tried = play(dir.path(), "--out o --enter random --name random --class fast");
    let tried = stdout(&tried.success());
    assert!(tried.contains("bga, fast: random is rated 4 of 4, -"), "{tried}");
    assert!(tried.contains("contree, fast: random is rated 4 of 4, -"), "{tried}");
    assert!(fs::read(out.join("README.md")).unwrap() == page);
    let entered = runs(&out);
    let new: BTreeSet<_> = entered.keys().filter(|run| !before.contains_key(*run)).collect();
    assert_eq!(new.len(), 6, "{new:?}");
    assert!(new.iter().all(|run| run.contains("/fast/") && run.contains("random")));
    // Then for good: of the class all was played.
    let head = HEAD.replace("against = \"random\"", "against = \"rules\"");
    let all: String = [ENTRIES[1], ENTRIES[2], ENTRIES[0], ENTRIES[3], ENTRIES[4]].map(entry).concat();
    fs::write(dir.path().join("board.toml"), format!("{head}{all}")).unwrap();
    play(dir.path(), "--out o").success();
    assert_eq!(runs(&out), entered);
    let rows = board(&out)["standings"].as_array().unwrap().clone();
    let row = rows.iter().find(|row| row["rules"] == "bga" && row["entry"] == "random").unwrap();
    let told = row["rating"]["mean"].as_f64().unwrap();
    assert!(tried.contains(&format!("rated 4 of 4, {told:+.1} ± ")), "{told}: {tried}");
    // Without the runs the sums in the file are enough, and give the same figures; a new entry plays alone.
    let figures_before = figures(&out);
    fs::remove_dir_all(out.join("runs")).unwrap();
    play(dir.path(), "--out o").success();
    assert!(runs(&out).is_empty());
    assert_eq!(figures(&out), figures_before);
    play(dir.path(), "--out o --enter rules:caution=9 --class fast --rules bga").success();
    assert_eq!(runs(&out).len(), 4);
    // With --fresh nothing is taken from the file, and all is as it was.
    play(dir.path(), "--out o --fresh").success();
    assert_eq!(figures(&out), figures_before);
    assert_eq!(runs(&out).len(), entered.len() + 4);
    // A program plays as well; of it there is no time.
    let engine = format!("cmd:{} engine rules:caution=9", program());
    let words = [
        "leaderboard",
        "board.toml",
        "--out",
        "o",
        "--progress",
        "none",
        "--class",
        "fast",
        "--name",
        "mine",
    ];
    let told = stdout(&arena(dir.path()).args(words).args(["--enter", &engine]).assert().success());
    assert!(told.contains("mine against each:"), "{told}");
    let row = told.lines().find(|line| line.contains("  mine ")).unwrap();
    assert!(row.contains("  - ") || row.contains("–"), "{row}");
    // One that answers nothing stops the command, which can be repeated.
    let broken = format!("{engine} --inject crash/1");
    let words =
        ["leaderboard", "board.toml", "--out", "o", "--progress", "none", "--class", "fast", "--enter"];
    let assert = arena(dir.path()).args(words).arg(&broken).assert();
    fails(assert, 4, &["failed in 3 deals in a row", "repeat the command"]);
}

#[test]
fn a_damaged_file_of_sums_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), &ENTRIES);
    play(dir.path(), "--out o").success();
    fs::remove_dir_all(dir.path().join("o/runs")).unwrap();
    let path = dir.path().join("o/leaderboard.json");
    let text = fs::read_to_string(&path).unwrap();
    let ours = text.split("\"commit\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    fs::write(&path, text.replacen(ours, "0123abc", 1)).unwrap();
    resign(&dir.path().join("o"));
    let said = play(dir.path(), "--out o").success().get_output().stderr.clone();
    let said = String::from_utf8(said).unwrap();
    assert!(
        said.contains("note: 1 of ") && said.contains("played by commit 0123abc, this program is of"),
        "{said}"
    );
    let other = text.replacen("\"deals\":20,\"faults\"", "\"deals\":21,\"faults\"", 1);
    assert!(other != text);
    fs::write(&path, other).unwrap();
    fails(play(dir.path(), "--out o"), 1, &["leaderboard.json is damaged: its CRC-32"]);
    resign(&dir.path().join("o"));
    fails(play(dir.path(), "--out o"), 2, &["leaderboard.json: ", "does not fit together: remove the file"]);
    fs::write(&path, text.replacen("\"v\": 1", "\"v\": 2", 1)).unwrap();
    resign(&dir.path().join("o"));
    fails(play(dir.path(), "--out o"), 2, &["leaderboard.json: version 2"]);
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    fails(play(dir.path(), "--out o"), 1, &["leaderboard.json is damaged"]);
}

#[test]
fn what_is_wrong_with_the_file_is_named_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    let text: String = ENTRIES.into_iter().map(entry).collect();
    let whole = format!("{HEAD}{text}");
    for (from, to, parts) in [
        ("\"contree\"]", "\"contre\"]", &["line 2", "no preset `contre`", "bga-ja, belote"] as &[&str]),
        ("\"contree\"]", "\"bga\"]", &["line 2", "`bga` is given twice"]),
        ("\"100ms\"", "\"20us\"", &["line 12", "class `slow`", "20µs", "order the classes"]),
        ("\"100ms\"", "\"soon\"", &["line 12", "`soon` is no time", "20us"]),
        ("\"slow\"\nlimit", "\"fast\"\nlimit", &["line 11", "`fast` is given twice"]),
        ("deals = 12", "deals = 1", &["line 13", "deals: 1 is not in 2"]),
        ("name = \"table\"", "name = \"rules\"", &["two entries have the name `rules`"]),
        ("name = \"table\"", "name = \"ta/ble\"", &["`ta/ble` is no name"]),
        ("table+rules", "tabel+rules", &["line 36", "entry `table`", "tabel", "table"]),
        ("pimc:worlds=20", "pimc:time=5ms", &["line 48", "entry `worlds`", "worlds=N"]),
        ("[\"fast\", \"slow\"]", "[\"fast\", \"slwo\"]", &["no class `slwo`", "fast, slow"]),
        ("[\"fast\", \"slow\"]", "[]", &["entry `rules` is in no class"]),
        ("anchor = \"rules\"", "anchor = \"rulez\"", &["line 1", "no entry `rulez`"]),
        ("anchor = \"rules\"", "anchor = \"table\"", &["line 11", "`table` is the anchor", "class `slow`"]),
        ("\"table\", \"cautious\"]", "\"rules\"]", &["line 18", "`rules` is given twice"]),
        (", \"table\", \"cautious\"]", "]", &["line 18", "two entries or more"]),
        ("seed = 3", "seed = 3\nsed = 4", &["unknown field `sed`"]),
    ] {
        let wrong = whole.replacen(from, to, 1);
        assert!(wrong != whole, "{from}");
        fs::write(dir.path().join("board.toml"), wrong).unwrap();
        fails(play(dir.path(), "--out o"), 2, &[&["board.toml"], parts].concat());
    }
    fs::write(dir.path().join("board.toml"), &whole).unwrap();
    for (words, parts) in [
        ("--enter random", &["--class"] as &[&str]),
        ("--enter random --class quick", &["--class: there is no class `quick`", "fast, slow"]),
        ("--enter random --class fast --name rules", &["`rules` is that of an entry", "--name"]),
        ("--enter rnadom --class fast", &["--enter: entry `entrant`", "random"]),
        (
            "--enter random --class fast --rules coinche",
            &["--rules: the file has no rules `coinche`", "bga, contree"],
        ),
        ("--enter rules:caution=9 --class fast", &["was not played yet", "without --enter"]),
    ] {
        fails(play(dir.path(), &format!("--out o {words}")), 2, parts);
    }
    assert!(!dir.path().join("o").exists());
    let missing = run(dir.path(), "leaderboard nowhere.toml");
    assert!(stderr(&missing.code(2)).contains("cannot read nowhere.toml"));
}
