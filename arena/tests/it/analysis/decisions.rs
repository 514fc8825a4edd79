//! `arena label --decisions`: the files, going on, shards, bad input. What is in a row is tested beside the code.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{Random, contents, fails, flipped, json, printed, records, run, stdout};
use coinche_engine::encoding::{ActionSpace, Encoder};
use coinche_engine::{Card, RuleSet};

/// The parts alone.
fn parts(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    contents(directory).into_iter().filter(|(name, _)| name.starts_with("part-")).collect()
}

#[test]
fn an_interrupted_command_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    for table in ["parquet", "npy"] {
        let words =
            format!("label --decisions --deals 23 --seed 9 --chunk 5 --table {table} --progress none --out");
        let assert = run(dir.path(), &format!("{words} {table} --threads 1")).success();
        let expected = format!("23 deals with their decisions labelled, seed 9, in {table}\n");
        assert_eq!(stdout(&assert), expected);
        let whole = contents(&dir.path().join(table));
        assert_eq!(whole.len(), 7);
        for threads in [2, 8] {
            let out = format!("{table}{threads}");
            run(dir.path(), &format!("{words} {out} --threads {threads}")).success();
            assert_eq!(contents(&dir.path().join(&out)), whole);
        }
        // Killed in the middle of part 3.
        let broken = dir.path().join(format!("{table}2"));
        fs::remove_file(broken.join(format!("part-000004.{table}"))).unwrap();
        fs::rename(
            broken.join(format!("part-000003.{table}")),
            broken.join(format!("part-000003.{table}.unfinished")),
        )
        .unwrap();
        let assert = run(dir.path(), &format!("{words} {table}2")).success();
        let expected = "8 deals with their decisions labelled (15 were there before), seed 9, in";
        assert!(stdout(&assert).starts_with(expected));
        assert_eq!(contents(&broken), whole);
        let text = stdout(&run(dir.path(), &format!("verify {table}2")).success());
        assert_eq!(text, "checksums.txt: 6 files are as they were written\n");
        // Other settings are not mixed in.
        for (other, field) in [
            ("--seed 8", "seed"),
            ("--set play.undertrump=free", "rules"),
            ("--stray 0.2", "stray"),
            ("--which all", "which"),
            ("--suits dealt", "suits"),
            ("--by rules", "bots"),
            ("--shard 1/2", "shard"),
        ] {
            let words =
                if other.starts_with("--seed") { words.replace("--seed 9 ", "") } else { words.clone() };
            fails(run(dir.path(), &format!("{words} {table}2 {other}")), 2, &["other settings", field]);
        }
        fails(run(dir.path(), &format!("label --deals 23 --seed 9 --out {table}2")), 3, &["already holds"]);
        assert_eq!(contents(&broken), whole);
    }
}

#[test]
fn shards_together_are_the_whole() {
    let dir = tempfile::tempdir().unwrap();
    let words = "label --decisions --deals 23 --seed 9 --chunk 5 --progress none --out";
    run(dir.path(), &format!("{words} whole")).success();
    let mut all = BTreeMap::new();
    for (shard, deals) in [("1/3", 5), ("2/3", 10), ("3/3", 8)] {
        let out = shard.replace('/', "of");
        let text = stdout(&run(dir.path(), &format!("{words} {out} --shard {shard}")).success());
        assert!(text.starts_with(&format!("{deals} deals")), "{text}");
        let verified = stdout(&run(dir.path(), &format!("verify {out}")).success());
        assert!(!verified.contains("not finished"), "{verified}");
        for (name, bytes) in parts(&dir.path().join(&out)) {
            assert_eq!(all.insert(name, bytes), None);
        }
    }
    assert_eq!(all, parts(&dir.path().join("whole")));
    fails(
        run(dir.path(), &format!("{words} x --shard 1/6")),
        2,
        &["shard 1/6 of 23 deals is empty", "--chunk"],
    );
}

#[test]
fn settings_say_what_the_numbers_mean() {
    let dir = tempfile::tempdir().unwrap();
    let words =
        "label --decisions --deals 2 --seed x --rules contree --by rules --by random:pass=0.9 --by rules";
    run(dir.path(), &format!("{words} --stray 0.5 --progress none --out d")).success();
    let state = json(&dir.path().join("d/part.json"));
    let table = toml::Table::try_from(&state["identity"]["settings"]).unwrap();
    let space = ActionSpace::new(&RuleSet::CONTREE);
    let number = |key: &str| usize::try_from(table[key].as_integer().unwrap()).unwrap();
    assert_eq!(number("schema"), 1);
    assert_eq!(number("encoder"), Encoder::VERSION as usize);
    assert_eq!(number("action_space"), ActionSpace::VERSION as usize);
    assert_eq!(number("actions"), space.len());
    let text = |key: &str| table[key].as_str().unwrap();
    assert_eq!(text("actions_fingerprint"), format!("{:016x}", space.fingerprint()));
    assert_eq!((text("kind"), text("which"), text("suits")), ("decisions", "cards", "canonical"));
    assert_eq!((text("seed"), text("deals"), text("chunk")), ("x", "2", "1000"));
    assert!(state["identity"]["commit"].as_str().unwrap().len() > 4);
    assert_eq!(table["stray"].as_float(), Some(0.5));
    let bots: Vec<_> = table["bots"].as_array().unwrap().iter().map(|bot| bot.as_str().unwrap()).collect();
    assert_eq!(bots, ["rules", "random:pass=0.9", "rules"]);
    assert_eq!(table["rules"].clone().try_into::<RuleSet>().unwrap(), RuleSet::CONTREE);
}

/// Without strays the bots play the deals of `arena run` as they play them there.
#[test]
fn deals_are_those_of_a_run() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run rules rules --deals 6 --seed 5 --records full --out r").success();
    let words = "label --decisions --deals 6 --seed 5 --by rules --stray 0 --suits dealt --table npy --out d";
    run(dir.path(), words).success();
    let bytes = fs::read(dir.path().join("d/part-000000.npy")).unwrap();
    let begin = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..begin]).unwrap();
    assert!(header.contains("('deal', '<u8'), ('seat', '|u1'), ('decision', '<u2'), ('dealer', '|u1'), "));
    // The action that was taken stands before the flag and the outcome at the end of a row.
    let rows =
        header.split_once("'shape': (").unwrap().1.split_once(',').unwrap().0.parse::<usize>().unwrap();
    let size = (bytes.len() - begin) / rows;
    let mut played: BTreeMap<u64, Vec<Card>> = BTreeMap::new();
    let mut scores = BTreeMap::new();
    for row in bytes[begin..].chunks(size) {
        let deal = u64::from_le_bytes(row[..8].try_into().unwrap());
        let card = u16::from_le_bytes(row[size - 7..size - 5].try_into().unwrap());
        played.entry(deal).or_default().push(Card::try_from_index(card.into()).unwrap());
        let outcome = i32::from_le_bytes(row[size - 4..].try_into().unwrap());
        scores.insert(deal, if row[8] % 2 == 0 { outcome } else { -outcome });
    }
    let mut compared = 0;
    for record in records(&dir.path().join("r")) {
        let tricks = record["tricks"].as_array().unwrap();
        let cards = tricks.iter().flat_map(|trick| trick["cards"].as_array().unwrap());
        let cards: Vec<Card> = cards.map(|card| card.as_str().unwrap().parse().unwrap()).collect();
        let deal = record["deal"].as_u64().unwrap();
        assert_eq!(played.get(&deal).cloned().unwrap_or_default(), cards, "deal {deal}");
        if let Some(score) = scores.get(&deal) {
            let [even, odd] = [0, 1].map(|team| record["score"][team].as_i64().unwrap());
            assert_eq!(i64::from(*score), even - odd);
            compared += 1;
        }
    }
    assert!(compared > 6);
}

#[test]
fn usage_errors_name_what_is_legal() {
    let dir = tempfile::tempdir().unwrap();
    for (words, parts) in [
        ("label --decisions --out d", &["--deals"] as &[&str]),
        ("label --games --deals 5 --by rules --out d", &["--games needs two bots, but --by names 1"]),
        ("label --games --deals 5 --rules belote --out d", &["deal all cards before the auction"]),
        ("label --games --decisions --deals 5 --out d", &["cannot be used with"]),
        ("label --games --deals 5 --by cmd:./x --by rules --out d", &["programs cannot play here"]),
        ("label --games --deals 5 --stray 0.1 --out d", &["cannot be used with", "--stray"]),
        ("label --decisions --deals 0 --out d", &["deals", "1 to"]),
        ("label --decisions --deals 5 --chunk 0 --out d", &["chunk", "1 to 100000"]),
        ("label --decisions --deals 5 --stray 1.5 --out d", &["--stray 1.5", "0 to 1"]),
        ("label --decisions --deals 5 --stray -1 --out d", &["--stray -1", "0 to 1"]),
        ("label --decisions --deals 5 --stray NaN --out d", &["--stray NaN", "0 to 1"]),
        ("label --decisions --deals 5 --by nobody --out d", &["nobody", "rules"]),
        ("label --decisions --deals 5 --by cmd:./x --out d", &["cmd:./x", "programs cannot play here"]),
        ("label --decisions --deals 5 --which hands --out d", &["cards", "calls", "all"]),
        ("label --decisions --deals 5 --suits sorted --out d", &["dealt", "canonical"]),
        ("label --decisions --deals 5 --shard 3/2 --out d", &["i/n", "2/7"]),
        ("label --decisions --deals 5 --table csv --out d", &["--table csv", "parquet or npy"]),
        ("label --decisions --deals 5 --table both --out d", &["--table both", "parquet or npy"]),
        ("label --deals 5 --table npy --out d", &["--table npy", "csv, parquet or both"]),
        ("label --deals 5 --by rules --out d", &["--decisions"]),
        ("label --decisions --deals 5 --strains H --out d", &["cannot be used with"]),
        ("label x.txt --decisions --out d", &["cannot be used with"]),
        (
            "label --decisions --deals 40 --seed 1 --by random --which all --stray 0.4 --set scoring.failed=10000 --out d",
            &["have room for -32767 to 32767", "deal "],
        ),
    ] {
        fails(run(dir.path(), words), 2, parts);
        if !words.contains("10000") {
            assert!(!dir.path().join("d").exists(), "{words}");
        }
    }
}

#[test]
fn decisions_are_vouched_for() {
    let dir = tempfile::tempdir().unwrap();
    for table in ["parquet", "npy"] {
        let words = format!(
            "label --decisions --deals 7 --seed 9 --chunk 3 --table {table} --progress none --out {table}"
        );
        run(dir.path(), &words).success();
        let mut random = Random::fresh();
        for (name, whole) in contents(&dir.path().join(table)) {
            let path = dir.path().join(table).join(&name);
            let bit = random.below(8 * whole.len());
            let flipped = flipped(&whole, bit);
            for bytes in [&flipped[..], &whole[..whole.len() / 2]] {
                fs::write(&path, bytes).unwrap();
                for command in [&format!("verify {table}"), &words] {
                    let assert = run(dir.path(), command);
                    let printed = printed(&assert);
                    assert!(!assert.get_output().status.success(), "{command}, bit {bit} of {name}");
                    assert!(printed.contains(&name), "{command}: {printed}");
                }
            }
            fs::write(&path, whole).unwrap();
        }
        let whole = contents(&dir.path().join(table));
        fs::remove_file(dir.path().join(format!("{table}/part-000001.{table}"))).unwrap();
        assert!(stdout(&run(dir.path(), &format!("verify {table}")).code(1)).contains("it is missing"));
        run(dir.path(), &words).success();
        assert_eq!(contents(&dir.path().join(table)), whole);
        // Others neither read them as something else nor write over them.
        fails(
            run(dir.path(), &format!("stats hands {table}")),
            2,
            &["has no points of deals", "without --decisions"],
        );
        fails(run(dir.path(), &format!("run random random --deals 5 --out {table}")), 3, &["already holds"]);
        run(dir.path(), &format!("run random random --deals 5 --seed 1 --out r-{table}")).success();
        let page = format!("report r-{table} --out {table}/part-000000.{table}");
        fails(run(dir.path(), &page), 2, &["is a data file"]);
    }
    fs::create_dir(dir.path().join("parts")).unwrap();
    fs::write(dir.path().join("parts/part-000000.npy"), "mine").unwrap();
    let words = "label --decisions --deals 7 --seed 9 --table npy --out parts";
    fails(run(dir.path(), words), 2, &["parts has files of a data set without part.json"]);
}
