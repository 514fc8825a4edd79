//! The same command gives the same bytes, whatever the threads; a bot is as good as itself.

use std::fs;

use serde_json::Value;

use crate::common::{run, run_json, stdout};

const FILES: [&str; 4] = ["config.toml", "part.json", "summary.csv", "records.jsonl"];

#[test]
fn threads_change_no_byte() {
    let dir = tempfile::tempdir().unwrap();
    for (name, flags) in [
        ("deals", "run random rules+random --deals 3000 --seed 5 --rules bga-ja --records full"),
        ("matches", "run random:pass=0.6 random --match --deals 60 --seed 5 --rules coinchee --records full"),
    ] {
        let mut first: Option<(String, Vec<Vec<u8>>, serde_json::Value)> = None;
        for threads in [1, 2, 8] {
            let out = format!("{name}-{threads}");
            let assert = run(dir.path(), &format!("{flags} --threads {threads} --out {out}")).success();
            let out = dir.path().join(out);
            let files = FILES.map(|file| fs::read(out.join(file)).unwrap()).to_vec();
            let this = (stdout(&assert), files, run_json(&out));
            match &first {
                None => first = Some(this),
                Some(first) => assert!(*first == this, "{name} with {threads} threads"),
            }
        }
    }
}

#[test]
fn the_saved_configuration_plays_the_same_run() {
    let dir = tempfile::tempdir().unwrap();
    let flags = "run random:pass=0.7 random --deals 300 --seed 18446744073709551615 --rules coinche \
                 --set scoring.failed=170 --set auction.lowest=90 --records full --out one";
    let first = run(dir.path(), flags).success();
    let second = run(dir.path(), "run --config one/config.toml --out two").success();
    assert_eq!(stdout(&first), stdout(&second));
    for file in FILES {
        let [one, two] = ["one", "two"].map(|run| fs::read(dir.path().join(run).join(file)).unwrap());
        assert!(one == two, "{file}");
    }
    let [one, two] = ["one", "two"].map(|run| run_json(&dir.path().join(run)));
    assert_eq!(one, two);
    assert_eq!(one["rules"]["scoring"]["failed"], 170);
    // The command in run.json too; a flag wins over the file.
    let command = one["command"].as_str().unwrap();
    assert!(
        command.contains("--rules coinche --set 'auction.lowest=90' --set 'scoring.failed=170'"),
        "{command}"
    );
    let third = run(dir.path(), "run --config one/config.toml --out three --deals 10").success();
    assert!(stdout(&third).contains("10 deals in pairs"));
}

#[test]
fn a_longer_run_begins_with_the_shorter() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run random random --deals 100 --seed 9 --out short --records full").success();
    run(dir.path(), "run random random --deals 1000 --seed 9 --out long --records full").success();
    for file in ["summary.csv", "records.jsonl"] {
        let [short, long] = ["short", "long"].map(|run| fs::read(dir.path().join(run).join(file)).unwrap());
        assert!(long.starts_with(&short) && long.len() > 9 * short.len(), "{file}");
    }
}

#[test]
fn a_bot_against_itself_is_exactly_zero() {
    let dir = tempfile::tempdir().unwrap();
    for (n, words) in [
        "rules rules",
        "rules rules --rules belote-melds",
        "rules rules --rules coinchee --match",
        // With chance of their own too: both legs share it.
        "random random",
        "random random --rules contree --match",
        "rules+pimc:worlds=2 rules+pimc:worlds=2",
        "random+ismcts:iterations=20 random+ismcts:iterations=20 --freeze auction",
    ]
    .into_iter()
    .enumerate()
    {
        let command = format!("run {words} --deals 20 --seed 3 --out {n}");
        run(dir.path(), &command).success();
        let points = &run_json(&dir.path().join(n.to_string()))["figures"]["points"];
        assert_eq!((points["mean"].as_f64(), points["sd"].as_f64()), (Some(0.0), Some(0.0)));
    }
}

#[test]
fn the_bots_the_other_way_round_play_the_same_game() {
    let dir = tempfile::tempdir().unwrap();
    for (n, [a, b]) in [["random", "rules+random"], ["rules+pimc:worlds=2", "rules"]].into_iter().enumerate()
    {
        let [there, back] = [[a, b], [b, a]].map(|[a, b]| {
            let out = format!("{n}-{}", a.replace([':', '+', '='], "-"));
            run(dir.path(), &format!("run {a} {b} --deals 60 --seed 5 --out {out} --records none")).success();
            run_json(&dir.path().join(out))["figures"]["points"].clone()
        });
        let number = |points: &Value, key: &str| points[key].as_f64().unwrap();
        assert!((number(&there, "mean") + number(&back, "mean")).abs() < 1e-9, "{there} {back}");
        assert!((number(&there, "sd") - number(&back, "sd")).abs() < 1e-9, "{there} {back}");
    }
}

#[test]
fn a_seed_is_drawn_and_printed() {
    let dir = tempfile::tempdir().unwrap();
    let seeds: Vec<_> = [1, 2]
        .into_iter()
        .map(|n| {
            let assert = run(dir.path(), &format!("run random random --deals 5 --out {n}")).success();
            let seed = run_json(&dir.path().join(n.to_string()))["seed"].clone();
            assert!(stdout(&assert).contains(&format!("--seed {} ", seed.as_str().unwrap())));
            seed
        })
        .collect();
    assert_ne!(seeds[0], seeds[1]);
}
