//! `arena fit`: the same table for any number of threads, a check that adds up, bad input.

use std::fs;

use crate::common::{arena, fails, run, stdout};
use coinche_bots::table::BiddingTable;

/// The table that comes with the program.
const BUILT_IN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../bots/data/bidding.txt");

#[test]
fn a_table_depends_on_seed_deals_and_rounds_alone() {
    let dir = tempfile::tempdir().unwrap();
    let fit = |name: &str, more: &str| {
        let seed = if more.contains("--seed") { "" } else { "--seed 1" };
        let words = format!("fit --deals 1k {seed} --rounds 2 --progress none --out {name} {more}");
        run(dir.path(), &words).success();
        fs::read_to_string(dir.path().join(name)).unwrap()
    };
    let table = fit("one", "--threads 1");
    assert_eq!(table, fit("three", "--threads 3"));
    assert_ne!(table, fit("other", "--seed 2"));
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

#[test]
fn chances_are_compared_with_what_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let check = |more: &str| {
        let words = format!("fit --check {BUILT_IN} --deals 2000 --seed 9 --progress none {more}");
        stdout(&run(dir.path(), &words).success())
    };
    let text = check("--threads 1");
    assert_eq!(text, check("--threads 3"));
    let last = text.lines().rfind(|line| !line.is_empty()).unwrap().replace([',', '%'], " ");
    let numbers: Vec<f64> = last.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [.., contracts, expected, made, low, high] = numbers[..] else { panic!("{text}") };
    assert!(low < made && made < high, "{text}");
    // The last tenth is the fullest: what is certain is mostly bid, and made.
    assert!(contracts > 100.0 && expected > 92.0 && (made - expected).abs() < 5.0, "{text}");
    assert_ne!(text, check("--rules contree"));
}

#[test]
fn bad_input_is_named() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bad"), "coinche bidding table 1\nsum 0\n").unwrap();
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
