//! `arena fit`: the same table for any number of threads, a check that adds up, bad input.

use std::fs;

use crate::common::{arena, fails, long, run, size, stdout};
use coinche_bots::table::BiddingTable;

/// The table that comes with the program.
const BUILT_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../bots/data/bidding.txt");

#[test]
fn a_table_depends_on_seed_deals_and_rounds_alone() {
    let dir = tempfile::tempdir().unwrap();
    let fit = |name: &str, more: &str| {
        let seed = if more.contains("--seed") { "" } else { "--seed 1" };
        let rounds = size(1, 2);
        let words = format!("fit --deals 1k {seed} --rounds {rounds} --progress none --out {name} {more}");
        run(dir.path(), &words).success();
        fs::read_to_string(dir.path().join(name)).unwrap()
    };
    let table = fit("one", "--threads 1");
    assert_eq!(table, fit("three", "--threads 3"));
    if long() {
        assert_ne!(table, fit("other", "--seed 2"));
    }
    BiddingTable::from_text(&table).unwrap();
    // It is one to bid by.
    let words = "run table:file=one+rules random --deals 40 --seed 1";
    let verdict = stdout(&run(dir.path(), words).success());
    assert!(verdict.contains("table:file=one+rules beats random"), "{verdict}");
}

/// A table that comes through a pipe is there once: whoever reads a specification twice fails.
#[cfg(unix)]
#[test]
fn a_table_is_read_once() {
    let dir = tempfile::tempdir().unwrap();
    let table = fs::read(BUILT_IN).unwrap();
    let words = [
        "run table:file=/dev/stdin+rules random --deals 20 --seed 1 --threads 2 --progress none",
        "run random rules --freeze auction=table:file=/dev/stdin+rules --deals 20 --seed 1 --progress none",
        "stats --deals 20 --bot table:file=/dev/stdin+rules --progress none",
        "bidding rules table:file=/dev/stdin --play rules --deals 20 --progress none",
    ];
    for words in words {
        arena(dir.path()).args(words.split(' ')).write_stdin(table.clone()).assert().success();
    }
    // Two different bots read it twice: the second finds nothing, and says so.
    let words = "run table:file=/dev/stdin+rules table:file=/dev/stdin+random --deals 20 --seed 1";
    let assert = arena(dir.path()).args(words.split(' ')).write_stdin(table).assert();
    fails(assert, 2, &["bot `table`: `file`: not a bidding table"]);
}

/// A row of the chances: which contracts, how many, told and made in per cent.
fn chances(text: &str) -> Vec<(&str, f64, f64, f64)> {
    let rows = text.lines().filter_map(|line| {
        let (which, rest) =
            ["all", "not coinched"].into_iter().find_map(|which| Some((which, line.strip_prefix(which)?)))?;
        let words = rest.replace(',', "").replace(['%', '≥', '≤', '(', ')'], " ");
        let numbers: Vec<f64> = words.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [_, _, number, told, made, ..] = numbers[..] else { return None };
        Some((which, number, told, made))
    });
    rows.collect()
}

#[test]
fn what_is_told_is_compared_with_what_comes_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let check = |more: &str| {
        let words = format!("fit --check {BUILT_IN} --seed 9 --progress none {more}");
        stdout(&run(dir.path(), &words).success())
    };
    let text = check("--threads 1 --deals 1000");
    assert_eq!(text, check("--threads 3 --deals 1000"));
    assert_ne!(text, check("--deals 1000 --rules contree"));
    // A chance told at a bid is that of all contracts, coinched or not: within 3 points and what chance may do.
    let text = check("--deals 8000");
    let rows = chances(&text);
    let mut seen = 0;
    for (which, number, told, made) in &rows {
        if *which == "all" && *told >= 30.0 {
            let error = (told * (100.0 - told) / number).sqrt();
            assert!((told - made).abs() < 3.0 + 2.0 * error, "{told} {made}: {text}");
            seen += 1;
        }
    }
    assert_eq!(seen, 7, "{text}");
    // Those not coinched are the better ones: defenders choose.
    let share = |which: &str| {
        let of = rows.iter().filter(|row| row.0 == which && (50.0..80.0).contains(&row.2));
        let [number, made] = of.fold([0.0; 2], |[all, of], row| [all + row.1, of + row.1 * row.3]);
        made / number
    };
    assert!(share("not coinched") > share("all") + 2.0, "{text}");
    // The scores told are those scored.
    let scores: Vec<Vec<f64>> = text
        .lines()
        .skip_while(|line| !line.starts_with("forecast "))
        .filter_map(|line| {
            let words = line.replace(',', "").replace('±', " ");
            let numbers: Vec<f64> = words.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            (numbers.len() >= 4).then(|| numbers[numbers.len() - 4..].to_vec())
        })
        .collect();
    assert_eq!(scores.len(), 7, "{text}");
    for row in scores {
        let [_, told, made, half] = row[..] else { panic!("{text}") };
        assert!((told - made).abs() < 8.0 + 1.6 * half, "{told} {made} ± {half}: {text}");
    }
}

#[test]
fn bad_input_is_named() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bad"), "coinche bidding table 3\nsum 0\n").unwrap();
    for (words, parts) in [
        ("fit --out new --deals 10", "deals: 10 is not in 1000 to 100000000"),
        ("fit --out new --rounds 0", "rounds: 0 is not in 1 to 100"),
        ("fit --check bad", "damaged: its last line should be `sum "),
        ("fit --check none", "cannot read the table none"),
        ("fit --check bad --rules bridge", "there is no preset `bridge`: expected bga,"),
        ("fit --out new --rules bridge", "there is no preset `bridge`: expected bga,"),
        ("fit --out new --check bad", "cannot be used with"),
        ("fit", "--out <FILE>"),
        ("run table:file=bad+rules rules --deals 1", "bot `table`: `file`: the bidding table is damaged"),
    ] {
        fails(run(dir.path(), words), 2, &[parts]);
    }
    // Before the minutes that a fit takes.
    fails(run(dir.path(), "fit --out no/such/table --deals 100000000"), 3, &["no/such/table"]);
    assert!(!dir.path().join("new").exists());
}
