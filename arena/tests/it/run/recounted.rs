//! `arena verify` counts every number of the totals again, and names those that are not so.

use std::fs;
use std::path::Path;

use coinche_engine::RuleSet;
use serde_json::Value;

use crate::common::{Random, arena, fails, json, printed, program, run, sign, size, stdout};

/// The integers of a JSON value, by pointer.
fn numbers(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(path.to_owned()),
        Value::Array(values) => {
            for (at, value) in values.iter().enumerate() {
                numbers(value, &format!("{path}/{at}"), found);
            }
        }
        Value::Object(values) => {
            for (name, value) in values {
                numbers(value, &format!("{path}/{name}"), found);
            }
        }
        _ => {}
    }
}

/// Adds one to a number of the totals, and takes the sums away that would tell: what is left is the recount.
fn forge(directory: &Path, totals: &Value, pointer: &str) {
    let mut totals = totals.clone();
    let number = totals.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}"));
    *number = Value::from(number.as_i64().unwrap() + 1);
    fs::write(directory.join("part.json"), totals.to_string()).unwrap();
    sign(directory);
}

/// Returns what `verify` prints of a directory that is wrong.
fn wrong(root: &Path, directory: &str) -> String {
    let assert = run(root, &format!("verify {directory}")).code(1);
    let printed = printed(&assert);
    assert!(!printed.contains("panicked"), "{printed}");
    printed
}

#[test]
fn runs_of_every_preset_are_recounted() {
    let dir = tempfile::tempdir().unwrap();
    for (name, _) in RuleSet::ALL {
        for (n, unit) in ["--deals 40 --set melds.enabled=true", "--deals 2 --match"].into_iter().enumerate()
        {
            let out = format!("{name}{n}");
            let words = format!(
                "run random:pass=0.6 rules+random random --rules {name} {unit} --seed 3 --records full --out {out}"
            );
            run(dir.path(), &words).success();
            let text = stdout(&run(dir.path(), &format!("verify {out}")).success());
            for file in ["summary.csv", "records.jsonl"] {
                let told =
                    text.lines().any(|line| line.starts_with(file) && line.ends_with("the totals match"));
                assert!(told, "{out}: {text}");
            }
            assert!(!text.contains("not recounted"), "{text}");
        }
    }
}

/// Every number of a run of matches, by programs that fail in all ways.
#[test]
fn every_forged_number_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let engine = |fault: &str| {
        format!("cmd:name={fault},timeout=300ms,run={} engine random:pass=0.6 --inject {fault}/40", program())
    };
    let mut command = arena(dir.path());
    command.args(["run", &engine("illegal"), &engine("crash"), &engine("hang"), "--format", "gauntlet"]);
    command.args("--match --deals 2 --seed 5 --records full --set match.target=300 --out r".split(' '));
    command.args([
        "--set",
        "auction.all_trump=true",
        "--set",
        "belote.all_trump=each-suit",
        "--threads",
        "1",
    ]);
    command.args(["--forfeit", "--progress", "none"]).assert().code(11);
    let directory = dir.path().join("r");
    let text = stdout(&run(dir.path(), "verify r").success());
    assert!(text.contains("records.jsonl: ") && text.contains("the totals match"), "{text}");
    let totals = json(&directory.join("part.json"));
    let mut all = Vec::new();
    numbers(&totals["sums"], "/sums", &mut all);
    all.retain(|pointer| !pointer.contains("/encounters"));
    let mut random = Random::fresh();
    let of_contracts = |pointer: &str| pointer.contains("/contracts/") || pointer.contains("/blocks/");
    for pointer in &all {
        // Most numbers are those of contracts that nobody bid.
        if of_contracts(pointer) && random.below(size(100, 1)) > 0 {
            continue;
        }
        forge(&directory, &totals, pointer);
        let printed = wrong(dir.path(), "r");
        let is_named = ["the totals have", "part.json is damaged"].iter().any(|told| printed.contains(told));
        assert!(is_named, "{pointer}: {printed}");
    }
    assert!(all.len() > 400, "{}", all.len());
    for (pointer, told) in [
        ("/sums/tallies/0/sides/1/belotes", "pairing 0: belotes of B"),
        ("/sums/tallies/1/sides/0/faults/0", "pairing 1: faults (illegal) of A"),
        ("/sums/tallies/0/sides/1/faults/1", "pairing 0: faults (crash) of B"),
        ("/sums/tallies/1/sides/1/faults/2", "pairing 1: faults (timeout) of B"),
        ("/sums/tallies/0/thrown_in", "pairing 0: legs passed out"),
        ("/sums/tallies/0/forfeited", "pairing 0: legs forfeited"),
        ("/sums/tallies/0/drawn", "pairing 0: legs of matches without a winner"),
        ("/sums/tallies/1/sides/0/matches_won", "pairing 1: matches won of A"),
        ("/sums/tallies/1/points/sum", "pairing 1: sum of paired points"),
        ("/sums/tallies/1/wins/leg_squares/1", "pairing 1: sum of squares in leg 1 of paired wins"),
        ("/sums/joint/products/1", "products of pairings 0 and 1"),
        ("/sums/joint/blocks/0/won/0/0", "block 0 of the deals"),
    ] {
        forge(&directory, &totals, pointer);
        let printed = wrong(dir.path(), "r");
        let number = totals.pointer(pointer).unwrap().as_i64().unwrap();
        let told = if pointer.contains("blocks") {
            format!("records.jsonl: {told}: the totals have ")
        } else {
            format!("records.jsonl: {told}: the totals have {}, the recount {number}\n", number + 1)
        };
        assert!(printed.contains(&told), "`{told}` is not in: {printed}");
    }
}

/// Rows alone tell how many faults there were, and which deals were forfeited: not of which kind the faults were.
#[test]
fn what_rows_do_not_tell_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let bot = format!("cmd:{} engine random:pass=0.6 --inject crash/40", program());
    let mut command = arena(dir.path());
    command.args(["run", &bot, "random", "--forfeit", "--progress", "none"]);
    command
        .args("--deals 20 --seed 5 --rules coinche --records sample:0.2 --out r".split(' '))
        .assert()
        .code(11);
    let text = stdout(&run(dir.path(), "verify r").success());
    let told = "not recounted, since only `--records full` tells them: kinds of fault\n";
    assert!(text.contains(told), "{text}");
    let directory = dir.path().join("r");
    let totals = json(&directory.join("part.json"));
    assert_ne!(totals.pointer("/sums/tallies/0/forfeited").unwrap(), 0);
    for (pointer, told) in [
        ("/sums/tallies/0/sides/0/faults/1", "summary.csv: faults: the totals have"),
        ("/sums/tallies/0/sides/0/faults/1", "summary.csv: legs forfeited by faults of A: the totals have"),
        ("/sums/tallies/0/sides/0/belotes", "summary.csv: belotes of A: the totals have"),
        ("/sums/tallies/0/thrown_in", "summary.csv: legs passed out: the totals have"),
    ] {
        forge(&directory, &totals, pointer);
        let printed = wrong(dir.path(), "r");
        assert!(printed.contains(told), "`{told}` is not in: {printed}");
    }
    // Points that wait for the next deal are in no column.
    let words =
        "run random:pass=0.6 random --deals 3 --seed 1 --match --rules belote --set match.tie=held --out t";
    run(dir.path(), words).success();
    let text = stdout(&run(dir.path(), "verify t").success());
    assert!(text.contains("`--records full` tells them: results of matches\n"), "{text}");
    run(dir.path(), &words.replace("--out t", "--records full --out u")).success();
    let text = stdout(&run(dir.path(), "verify u").success());
    assert!(text.contains("records.jsonl: ") && !text.contains("not recounted"), "{text}");
}

/// A record's score may be any number: it is named, and nothing breaks.
#[test]
fn scores_out_of_all_range_are_named() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run random:pass=0.5 random --deals 2 --seed 1 --match --records full --out r").success();
    let records = fs::read_to_string(dir.path().join("r/records.jsonl")).unwrap();
    let lines: Vec<String> = records
        .lines()
        .map(|line| {
            let start = line.find("\"score\":[").unwrap();
            let end = start + line[start..].find(']').unwrap();
            format!("{}\"score\":[{},{}{}\n", &line[..start], i32::MAX, i32::MIN, &line[end..])
        })
        .collect();
    fs::write(dir.path().join("r.jsonl"), lines.concat()).unwrap();
    fails(run(dir.path(), "verify r.jsonl"), 1, &[]);
}

/// The looks of a test before the last cannot be counted again, but not every number is one of a look.
#[test]
fn looks_that_cannot_be_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let words =
        "sprt rules:caution=2 rules --lower -1 --upper 1 --first 64 --every 64 --max-deals 640 --seed 1";
    run(dir.path(), &format!("{words} --progress none --out t"));
    let path = dir.path().join("t/sprt.csv");
    let table = fs::read_to_string(&path).unwrap();
    let rows: Vec<Vec<String>> =
        table.lines().map(|row| row.split(',').map(str::to_owned).collect()).collect();
    assert_eq!(rows.len(), 11, "{table}");
    let text = stdout(&run(dir.path(), "verify t").success());
    let told = "sprt.csv: the last look is recounted; the 9 before it are possible, but their deals were not written\n";
    assert!(text.contains(told), "{text}");
    let written = |at: usize, column: usize, cell: &str| {
        let mut rows = rows.clone();
        cell.clone_into(&mut rows[at][column]);
        let text: String = rows.iter().map(|row| row.join(",") + "\n").collect();
        fs::write(&path, text).unwrap();
        sign(&dir.path().join("t"));
        wrong(dir.path(), "t")
    };
    let number = |at: usize, column: usize| rows[at][column].parse::<f64>().unwrap();
    for (at, column, cell, told) in [
        (3, 1, (number(3, 1) + 0.001).to_string(), "the look at 192: a mean of"),
        (3, 2, (number(3, 2) + 0.001).to_string(), "the look at 192: an sd of"),
        (3, 3, "7.5".to_owned(), "the look at 192: an llr of 7.5 ends the test"),
        (3, 3, (-number(3, 3)).to_string(), "llr does not fit its mean and sd"),
        (3, 4, "upper".to_owned(), "a look follows the one that ended the test"),
        // A mean of whole points, which the deals up to the next look cannot lead to.
        (3, 1, (number(3, 1) + 5000.0).to_string(), "do not fit the look before it"),
    ] {
        let printed = written(at, column, &cell);
        assert!(printed.contains(told), "`{told}` is not in: {printed}");
    }
}
