//! `arena train`: the same network for any number of threads, one to bid by, bad input.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{contents, fails, run, size, stdout};
use coinche_bots::net::bidding::BiddingNetwork;
use coinche_bots::net::cards::{CardNetwork, FINGERPRINT};

#[test]
fn a_network_depends_on_what_is_said_alone() {
    let dir = tempfile::tempdir().unwrap();
    let rounds = size(1, 2);
    let train = |name: &str, more: &str| {
        let words = format!("train bidding --deals 1k --progress none --out {name} {more}");
        let report = stdout(&run(dir.path(), &words).success());
        assert!(report.contains(&format!("written to {name}")), "{report}");
        fs::read(dir.path().join(name)).unwrap()
    };
    let among = format!("--rounds {rounds} --against rules table --seed");
    let network = train("one", &format!("{among} 1 --threads 1"));
    assert_eq!(network, train("three", &format!("{among} 1 --threads 3")));
    assert_ne!(network, train("other", &format!("{among} 2")));
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
    assert!(text.contains(r#""against":"rules table","cards":""#), "{text}");
    assert!(text.contains(r#""deals":"1000""#) && text.contains(r#""seed":"1""#), "{text}");
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
    let deals = size(100, 200);
    let cards = format!("cards --deals {deals} --rounds 2 --bidders rules table --seed");
    let network = train("cards", &format!("{cards} 1 --threads 1"));
    assert_eq!(network, train("three", &format!("{cards} 1 --threads 3")));
    assert_ne!(network, train("other", &format!("{cards} 2")));
    let from = format!("cards --deals {deals} --rounds 1 --seed 1 --bidders rules --from cards");
    assert_ne!(network, train("more", &from));
    let reading = format!("reading --deals {deals} --seed 1 --bidders rules net");
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

/// The parts of a directory of rows.
fn parts(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    contents(directory).into_iter().filter(|(name, _)| name.starts_with("part-")).collect()
}

const ROWS: &str = "train cards --rows --deals 110 --seed 1 --bidders rules table --chunk 20 --progress none";

#[test]
fn rows_are_written_once_in_shards_and_go_on() {
    let dir = tempfile::tempdir().unwrap();
    let told = stdout(&run(dir.path(), &format!("{ROWS} --out whole --threads 1")).success());
    assert_eq!(told, "rows of 110 deals written, seed 1, in whole\n");
    let whole = parts(&dir.path().join("whole"));
    assert_eq!(whole.len(), 6);
    run(dir.path(), &format!("{ROWS} --out three --threads 3")).success();
    assert_eq!(parts(&dir.path().join("three")), whole);
    // All shards together: a file is the same whichever shard it is of.
    run(dir.path(), &format!("{ROWS} --out one --shard 1/2")).success();
    run(dir.path(), &format!("{ROWS} --out two --shard 2/2")).success();
    let [one, two] = ["one", "two"].map(|directory| parts(&dir.path().join(directory)));
    assert!(one.into_iter().chain(two).eq(whole.clone()));
    let learn = |from: &str, name: &str| {
        let words =
            format!("train cards --from-rows {from} --epochs 1 --seed 7 --progress none --out {name}");
        let told = stdout(&run(dir.path(), &words).success());
        (told.replace(name, "NAME"), CardNetwork::read(dir.path().join(name).to_str().unwrap()).unwrap())
    };
    assert_eq!(learn("whole", "a.net"), learn("one two", "b.net"));
    // Interrupted, and without the seed.
    fs::remove_file(dir.path().join("three/part-000003.parquet")).unwrap();
    let again = ROWS.replace("--seed 1 ", "");
    let told = stdout(&run(dir.path(), &format!("{again} --out three")).success());
    assert_eq!(told, "rows of 20 deals written (90 were there before), seed 1, in three\n");
    assert_eq!(parts(&dir.path().join("three")), whole);
    let told = stdout(&run(dir.path(), "verify whole").success());
    assert_eq!(told, "checksums.txt: 7 files are as they were written\n");
}

#[test]
fn a_pass_over_rows_is_a_round() {
    let dir = tempfile::tempdir().unwrap();
    let weights = |name: &str| CardNetwork::read(dir.path().join(name).to_str().unwrap()).unwrap();
    let common = "--seed 1 --progress none";
    run(dir.path(), &format!("{ROWS} --held-out 0 --out rows")).success();
    run(
        dir.path(),
        &format!("train cards --deals 110 --rounds 1 --bidders rules table {common} --out once.net"),
    )
    .success();
    let words = format!("train cards --from-rows rows {common}");
    run(dir.path(), &format!("{words} --epochs 1 --out rows.net --threads 2")).success();
    assert_eq!(weights("once.net"), weights("rows.net"));
    // A round that starts from a network has it play, and goes on learning from its weights.
    run(dir.path(), &format!("{ROWS} --held-out 0.4 --from once.net --out more")).success();
    assert_ne!(parts(&dir.path().join("rows")), parts(&dir.path().join("more")));
    let words = format!("train cards --from-rows more {common} --from once.net --epochs 2");
    let told = stdout(&run(dir.path(), &format!("{words} --out more.net --threads 1")).success());
    let first = told.lines().next().unwrap();
    assert!(
        first.contains(" held out, seed 1, written to more.net") && !first.contains(" 0 held out"),
        "{told}"
    );
    assert_eq!(told.matches("learning").count() + told.matches("held out  ").count(), 4, "{told}");
    assert_ne!(weights("once.net"), weights("more.net"));
    run(dir.path(), &format!("{words} --out other.net --threads 3")).success();
    assert_eq!(
        fs::read(dir.path().join("more.net")).unwrap(),
        fs::read(dir.path().join("other.net")).unwrap()
    );
    let text = String::from_utf8_lossy(&fs::read(dir.path().join("more.net")).unwrap()[8..1000]).into_owned();
    for said in [
        &*format!(r#""inputs":"{FINGERPRINT}""#),
        r#""rows_seed":"1""#,
        r#""bidders":"rules table""#,
        r#""epochs":"2 of 2""#,
        r#""rules":"bga contree bga contree coinchee"#,
        r#""commit":""#,
        &format!(r#""rows_network":"{}""#, weights("once.net").layers().sum()),
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn rows_of_something_else_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    run(dir.path(), &format!("{ROWS} --out rows")).success();
    run(dir.path(), "label --decisions --deals 3 --seed 1 --progress none --out labels").success();
    let copy = |name: &str| {
        fs::create_dir(at(name)).unwrap();
        for entry in fs::read_dir(at("rows")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), at(name).join(entry.file_name())).unwrap();
        }
    };
    let learn = |from: &str, code: i32, parts: &[&str]| {
        let words = format!("train cards --from-rows {from} --seed 1 --epochs 1 --progress none --out new");
        fails(run(dir.path(), &words), code, parts);
        assert!(!at("new").exists());
    };
    learn("nowhere", 2, &["nowhere has no rows", "`arena train cards --rows --out DIR` writes them"]);
    learn("labels", 2, &["labels has no rows"]);
    learn("rows rows", 2, &["rows has the same deals as rows: give it once"]);
    // Some of its deals, and others of its seed that are held out otherwise.
    run(dir.path(), &format!("{} --out some", ROWS.replace("110", "60"))).success();
    learn("rows some", 2, &["some has the same deals as rows: give it once"]);
    run(dir.path(), &format!("{ROWS} --shard 2/3 --out share")).success();
    learn("rows share", 2, &["share has the same deals as rows: give it once"]);
    run(dir.path(), &format!("{} --held-out 0.5 --out half", ROWS.replace("rules table", "rules"))).success();
    learn("rows half", 2, &["half and rows are of one seed", "the same --held-out"]);
    run(dir.path(), &format!("{ROWS} --held-out 1 --out none")).success();
    learn("none", 2, &["there is no row to learn from in none"]);
    // Rows of a program with other inputs.
    copy("other");
    let settings = fs::read_to_string(at("other/part.json")).unwrap();
    fs::write(at("other/part.json"), settings.replace(FINGERPRINT, "0123456789abcdef")).unwrap();
    crate::common::sign(&at("other"));
    learn(
        "other",
        2,
        &["other: its rows have other inputs than this program (0123456789abcdef, not", "of the commit"],
    );
    // Interrupted, cut off, changed.
    copy("begun");
    fs::remove_file(at("begun/checksums.txt")).unwrap();
    learn("begun", 2, &["begun is not finished: 6 of 6 parts are there; repeat the command"]);
    copy("short");
    let part = fs::read(at("short/part-000002.parquet")).unwrap();
    fs::write(at("short/part-000002.parquet"), &part[..part.len() - 1]).unwrap();
    learn("short", 1, &["short/part-000002.parquet is damaged", "repeat the command that made it"]);
    fs::remove_file(at("short/part-000002.parquet")).unwrap();
    learn("short", 1, &["short/part-000002.parquet is damaged: it is missing"]);
    // Flags.
    let cases = [
        ("--rows --held-out 1.5", "held-out: 1.5 is not in 0 to 1"),
        ("--rows --chunk 0", "chunk: 0 is not in 1 to 100000"),
        ("--rows --shard 5/9", "shard 5/9 of 3000 deals is empty"),
        ("--rows --rounds 2", "cannot be used with"),
        ("--chunk 5", "--rows"),
        ("--epochs 5", "--from-rows"),
        ("--from-rows rows --deals 100", "cannot be used with"),
        ("--from-rows rows --rows", "cannot be used with"),
        ("--from-rows rows --epochs 0", "epochs: 0 is not in 1 to 1000"),
    ];
    for (flags, message) in cases {
        let words = format!("train cards {flags} --seed 1 --progress none --out new");
        let words = if flags.contains("shard") { format!("{words} --deals 3000") } else { words };
        fails(run(dir.path(), &words), 2, &[message]);
        assert!(!at("new").exists(), "{flags}");
    }
    let words = ROWS.replace("--seed 1", "--seed 2");
    fails(
        run(dir.path(), &format!("{words} --out rows")),
        2,
        &["rows holds a part with other settings: seed: 1 there, 2 now"],
    );
}
