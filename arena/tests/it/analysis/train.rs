//! `arena train`: the same network for any number of threads, one to bid by, bad input.

use std::fs;

use crate::common::{fails, run, stdout};
use coinche_bots::net::bidding::BiddingNetwork;

#[test]
fn a_network_depends_on_what_is_said_alone() {
    let dir = tempfile::tempdir().unwrap();
    let train = |name: &str, more: &str| {
        let words = format!("train bidding --deals 1k --progress none --out {name} {more}");
        let report = stdout(&run(dir.path(), &words).success());
        assert!(report.contains(&format!("written to {name}")), "{report}");
        fs::read(dir.path().join(name)).unwrap()
    };
    let network = train("one", "--seed 1 --rounds 2 --threads 1 --against rules table");
    assert_eq!(network, train("three", "--seed 1 --rounds 2 --threads 3 --against rules table"));
    assert_ne!(network, train("other", "--seed 2 --rounds 2 --against rules table"));
    // Another population, other rules, another beginning.
    let weights = |bytes: &[u8]| BiddingNetwork::from_bytes("it", bytes).unwrap();
    for more in [
        "--rounds 1 --against random",
        "--rounds 1 --rules contree --against rules",
        "--rounds 1 --from one --against rules",
        "--rounds 1 --from one --best-response rules",
    ] {
        assert_ne!(weights(&network), weights(&train("more", &format!("--seed 1 {more}"))), "{more}");
    }
    let text = String::from_utf8_lossy(&network[8..800]).into_owned();
    assert!(text.contains(r#""against":"rules table","deals":"1000""#), "{text}");
    assert!(text.contains(r#""seed":"1""#), "{text}");
    // It is one to bid by.
    let verdict = stdout(&run(dir.path(), "run net:file=one+rules rules --deals 10 --seed 1").success());
    assert!(verdict.contains("of 10 pairs differ"), "{verdict}");
}

#[test]
fn what_cannot_be_trained_is_named() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("text"), "no network").unwrap();
    fs::write(dir.path().join("suits.toml"), "name = \"suits\"\nrules = \"contree\"\n").unwrap();
    let cases = [
        ("--rules belote", "rules: there is no preset `belote` to train for"),
        ("--rules contre", "did you mean `contree`?"),
        ("--against rulez", "bidders: there is no bot `rulez`"),
        ("--against rules:caution=x", "bidders: "),
        ("--against cmd:cat", "`cmd:cat` plays outside the arena"),
        ("--against rules python:mine", "`python:mine` plays outside the arena"),
        ("--best-response tabel", "bidders: there is no bot `tabel`"),
        ("--deals 10", "deals: 10 is not in 1000 to 10000000"),
        ("--rounds 0", "rounds: 0 is not in 1 to 1000"),
        ("--from text", "text is no bidding network: "),
        ("--from nowhere", "cannot read the network nowhere"),
        ("--threads 0", "threads: 0"),
    ];
    for (flags, message) in cases {
        let words = format!("train bidding --out net --deals 1k --rounds 1 --seed 1 --progress none {flags}");
        // Of two flags of one name the last would be wrong for another reason.
        let words = match flags.split(' ').next() {
            Some("--deals") => words.replacen("--deals 1k ", "", 1),
            Some("--rounds") => words.replacen("--rounds 1 ", "", 1),
            _ => words,
        };
        fails(run(dir.path(), &words), 2, &[message]);
        assert!(!dir.path().join("net").exists());
    }
    fails(
        run(dir.path(), "train bidding --out nowhere/net --deals 1k --rounds 1 --seed 1 --progress none"),
        3,
        &["nowhere/net"],
    );
}

#[test]
fn card_players_and_readers_are_trained_to_the_same_bytes_on_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    let train = |name: &str, words: &str| {
        stdout(&run(dir.path(), &format!("train {words} --progress none --out {name}")).success());
        fs::read(dir.path().join(name)).unwrap()
    };
    let cards = "cards --deals 200 --rounds 2 --seed 1 --bidders rules table";
    let network = train("cards", &format!("{cards} --threads 1"));
    assert_eq!(network, train("three", &format!("{cards} --threads 3")));
    assert_ne!(network, train("other", "cards --deals 200 --rounds 2 --seed 2 --bidders rules table"));
    assert_ne!(network, train("more", "cards --deals 200 --rounds 1 --seed 1 --bidders rules --from cards"));
    let reading = "reading --deals 200 --seed 1 --bidders rules net";
    let read = train("reading", &format!("{reading} --threads 1"));
    assert_eq!(read, train("twice", &format!("{reading} --threads 2")));
    // They are played by.
    let words = "run rules+net:cards=cards rules+pimc:worlds=2,model=population,population=reading --deals 4 --seed 1";
    assert!(stdout(&run(dir.path(), words).success()).contains("of 4 pairs differ"));
    let cases = [
        ("cards --bidders cmd:cat", "`cmd:cat` plays outside the arena"),
        ("cards --from reading", "reading is no cards network: its `format` is not"),
        ("cards --rules contre", "did you mean `contree`?"),
        ("reading --bidders rulez", "bidders: there is no bot `rulez`"),
        ("reading --deals 10", "deals: 10 is not in 100 to 10000000"),
    ];
    for (words, message) in cases {
        let words = format!("train {words} --out new --seed 1 --progress none");
        fails(run(dir.path(), &words), 2, &[message]);
        assert!(!dir.path().join("new").exists());
    }
}
