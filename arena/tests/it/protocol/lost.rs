//! Programs that fail for good: the run stops instead of counting what they forfeit as weakness.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use assert_cmd::assert::Assert;
use serde_json::Value;

use crate::common::{arena, fails, files, json, program as arena_file, run_json, stderr, stdout};

/// Writes a program that behaves by how often it was started: the n-th start (0: the one before the run) does what the
/// n-th script says, and later ones what the last one does. `GOOD` and `BAD` are an engine and one that dies at a
/// question.
fn program(directory: &Path, scripts: &[&str]) {
    let mut text = "n=$(cat starts 2>/dev/null || echo 0); echo $((n + 1)) > starts\ncase $n in\n".to_owned();
    for (n, script) in scripts.iter().enumerate() {
        let pattern = if n + 1 == scripts.len() { "*".to_owned() } else { n.to_string() };
        let good = format!("exec '{}' engine rules", arena_file());
        let script = script.replace("GOOD", &good).replace("BAD", &format!("{good} --inject crash/300"));
        text += &[&pattern, ") ", &script, " ;;\n"].concat();
    }
    fs::write(directory.join("bot.sh"), text + "esac\n").unwrap();
    let _ = fs::remove_file(directory.join("starts"));
}

const BOT: &str = "cmd:name=isdd,batch=1,processes=1,start=2s,run=sh bot.sh";

/// Plays it against `rules`, with these flags more.
fn run(directory: &Path, more: &str) -> Assert {
    let words = format!("--deals 60 --seed 4 --records full --threads 1 {more}");
    arena(directory).args(["run", BOT, "rules"]).args(words.split(' ')).assert()
}

fn forfeited(directory: &Path) -> Value {
    run_json(directory)["figures"]["forfeited"].clone()
}

#[test]
fn a_program_that_is_started_again_costs_one_deal() {
    let dir = tempfile::tempdir().unwrap();
    for (out, scripts) in [
        ("once", &["GOOD", "BAD", "GOOD"] as &[&str]),
        ("twice", &["GOOD", "BAD", "exit 5", "exit 6", "GOOD"]),
        ("slow", &["GOOD", "BAD", "sleep 60", "GOOD"]),
    ] {
        program(dir.path(), scripts);
        let assert = run(dir.path(), &format!("--out {out}")).success();
        assert_eq!(forfeited(&dir.path().join(out)), 1, "{out}");
        // One leg in 120 is less than 1 %.
        assert!(!stdout(&assert).contains("not played"), "{}", stdout(&assert));
    }
    // A first start in the run that is slow costs nothing.
    program(dir.path(), &["GOOD", "sleep 60", "GOOD"]);
    run(dir.path(), "--out first").success();
    assert_eq!(forfeited(&dir.path().join("first")), 0);
}

#[test]
fn a_run_without_its_program_stops_and_resumes() {
    let dir = tempfile::tempdir().unwrap();
    program(dir.path(), &["GOOD"]);
    run(dir.path(), "--out whole").success();
    let broken = ["GOOD", "BAD", "echo no memory is left >&2; exit 5"];
    program(dir.path(), &broken);
    let assert = run(dir.path(), "--out part");
    fails(
        assert,
        4,
        &[
            "isdd cannot be restarted (deal ",
            "): ended with exit code 5\n",
            "    no memory is left",
            "arena check-bot",
            "repeat the command",
            "--forfeit",
            "resume with: arena run --config part/config.toml --out part",
        ],
    );
    // What it could not play is not in the run.
    let part = run_json(&dir.path().join("part"));
    assert_eq!((&part["interrupted"], &part["figures"]["forfeited"]), (&true.into(), &0.into()));
    assert!(part["done"].as_u64().unwrap() < 60);
    // Nothing is lost by trying in vain.
    let before = files(&dir.path().join("part"));
    fails(run(dir.path(), "--out part"), 2, &["isdd", "no memory is left"]);
    assert!(files(&dir.path().join("part")) == before);
    fails(run(dir.path(), "--out part --forfeit"), 2, &["isdd"]);
    program(dir.path(), &["GOOD"]);
    fails(
        run(dir.path(), "--out part --forfeit"),
        2,
        &["other settings", "forfeit: not set there, true now"],
    );
    run(dir.path(), "--out part").success();
    assert!(files(&dir.path().join("part")) == files(&dir.path().join("whole")));
    crate::common::run(dir.path(), "verify part").success();
}

#[test]
fn with_forfeits_the_headline_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let broken = ["GOOD", "BAD", "exit 5"];
    for shard in ["1/2", "2/2"] {
        program(dir.path(), &broken);
        let out = &shard[..1];
        let assert = run(dir.path(), &format!("--forfeit --shard {shard} --out {out}")).success();
        assert!(stdout(&assert).contains("--forfeit"), "{}", stdout(&assert));
        let config = fs::read_to_string(dir.path().join(out).join("config.toml")).unwrap();
        assert!(config.contains("forfeit = true\n"), "{config}");
    }
    let note = "% of the legs were forfeited (isdd ";
    let merged = arena(dir.path()).args(["merge", "1", "2", "--out", "all"]).assert().code(11);
    let report = arena(dir.path()).args(["report", "all"]).assert().success();
    for text in [stdout(&merged), stdout(&report)] {
        let head = text.lines().next().unwrap();
        assert!(head.contains("undecided: ") && head.contains(note) && !text.contains(" beats "), "{text}");
    }
    let page = fs::read_to_string(dir.path().join("all/report.html")).unwrap();
    assert!(page.contains(note));
    // A gauntlet names the bot as well.
    program(dir.path(), &broken);
    let words =
        ["run", "rules", BOT, "random", "--deals", "20", "--seed", "4", "--forfeit", "--out", "three"];
    let text = stdout(&arena(dir.path()).args(words).assert().code(11));
    assert!(text.contains(note) && text.contains("undecided: "), "{text}");
}

#[test]
fn a_program_that_answers_nothing_stops_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let engine = format!("'{}' engine rules", arena_file());
    for (injected, seen) in [("crash/1", "ended with exit code 3"), ("mute/1", "no answer within 200ms")] {
        for options in ["timeout=200ms", "timeout=200ms,batch=1", "timeout=200ms,processes=1"] {
            let bot = format!("cmd:{options},run={engine} --inject {injected}");
            let words = ["--deals", "500", "--seed", "1", "--threads", "2", "--out"];
            let out = format!("{}-{options}", &injected[..4]);
            let began = Instant::now();
            let assert = arena(dir.path()).args(["run", &bot, "rules"]).args(words).arg(&out).assert();
            fails(assert, 4, &["rules-2 failed in 3 deals in a row (deal ", seen]);
            assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
            assert_eq!(run_json(&dir.path().join(out))["done"], 0, "{bot}");
        }
    }
}

#[test]
fn two_deals_are_no_reason_to_give_a_program_up() {
    let dir = tempfile::tempdir().unwrap();
    let engine = format!("'{}' engine rules", arena_file());
    for options in ["batch=1,processes=1", "processes=1"] {
        let bot = format!("cmd:name=isdd,{options},run={engine} --inject crash/1");
        let play = |deals: &str| {
            let words = ["--seed", "1", "--threads", "1", "--deals", deals, "--out"];
            let out = format!("{deals}-{options}");
            let assert = arena(dir.path()).args(["run", &bot, "rules"]).args(words).arg(&out).assert();
            (assert, dir.path().join(out))
        };
        // At the first question of each of four legs in a row.
        let (two, out) = play("2");
        // All four: the result is no verdict.
        let text = stdout(&two.code(11));
        assert!(
            text.contains("undecided: 100.0 % of the legs were forfeited (isdd 4), not played"),
            "{text}"
        );
        assert!(!text.contains("beats"), "{text}");
        assert_eq!(forfeited(&out), 4, "{bot}");
        let (three, out) = play("3");
        fails(three, 4, &["isdd failed in 3 deals in a row (deal 2): ended with exit code 3"]);
        assert_eq!(forfeited(&out), 0, "{bot}");
    }
}

#[test]
fn faults_decide_no_test() {
    let dir = tempfile::tempdir().unwrap();
    let engine = format!("'{}' engine rules", arena_file());
    let words =
        ["--lower", "0", "--upper", "5", "--seed", "2", "--first", "60", "--every", "20", "--out", "test"];
    let bot = format!("cmd:name=isdd,run={engine} --inject crash/160");
    let sprt = || arena(dir.path()).args(["sprt", "rules", &bot]).args(words).assert();
    let first = sprt().code(11);
    let text = stdout(&first);
    assert!(text.contains("undecided: 10.3 % of the legs were forfeited (isdd "), "{text}");
    assert!(text.contains("repair the program"), "{text}");
    let json = json(&dir.path().join("test/sprt.json"));
    assert_eq!((&json["decision"], &json["interrupted"]), (&"undecided".into(), &false.into()));
    assert!(json["forfeited"][1].as_u64().unwrap() * 100 > json["legs"].as_u64().unwrap(), "{json}");
    // Without them it would have been accepted, and it stays undecided.
    assert!(fs::read_to_string(dir.path().join("test/sprt.csv")).unwrap().contains(",upper,"));
    assert_eq!(stdout(&sprt().code(11)), text);
    let report = arena(dir.path()).args(["report", "test"]).assert().success();
    assert!(stdout(&report).contains("undecided: 10.3 % of the legs were forfeited"), "{}", stdout(&report));
}

#[test]
fn a_test_without_its_program_stops_and_resumes() {
    let dir = tempfile::tempdir().unwrap();
    let test = |out: &str| {
        let words = "--lower -9 --upper 9 --seed 2 --first 20 --every 20 --max-deals 60 --threads 1 --out";
        arena(dir.path()).args(["sprt", BOT, "rules"]).args(words.split(' ')).arg(out).assert()
    };
    program(dir.path(), &["GOOD"]);
    let whole = test("whole").get_output().status.code();
    program(dir.path(), &["GOOD", "BAD", "exit 5"]);
    let stopped = test("part").code(4);
    assert!(stderr(&stopped).contains("resume with: arena sprt "), "{}", stderr(&stopped));
    program(dir.path(), &["GOOD"]);
    assert_eq!(test("part").get_output().status.code(), whole);
    for file in ["sprt.csv", "part.json"] {
        let [part, whole] = ["part", "whole"].map(|out| fs::read(dir.path().join(out).join(file)).unwrap());
        assert!(part == whole, "{file}");
    }
}

#[test]
fn a_run_that_was_forfeited_is_not_compared() {
    let dir = tempfile::tempdir().unwrap();
    program(dir.path(), &["GOOD", "GOOD --inject crash/40"]);
    run(dir.path(), "--forfeit --out lost").code(11);
    let words = "run rules:caution=5 rules --deals 60 --seed 4 --out whole";
    arena(dir.path()).args(words.split(' ')).assert().success();
    let text = stdout(&arena(dir.path()).args(["compare", "lost", "whole"]).assert().success());
    assert!(text.contains("undecided: ") && text.contains("of the legs were forfeited"), "{text}");
    assert!(!text.contains("more than"), "{text}");
    assert!(text.contains("Programs ran unconfined"), "{text}");
}

#[test]
fn a_tuning_that_was_forfeited_is_no_verdict() {
    let dir = tempfile::tempdir().unwrap();
    let engine = format!("'{}' engine rules", arena_file());
    let words = "tune rules --param caution=-40..40:20:10 --gain 5 --batch 4 --deals 8 --verify 40 --seed 1 --out t --against";
    let bot = format!("cmd:name=isdd,run={engine} --inject crash/160");
    let tuned = arena(dir.path()).args(words.split(' ')).arg(&bot).assert().code(11);
    assert!(
        stdout(&tuned).contains("undecided: ") && stdout(&tuned).contains("were forfeited"),
        "{}",
        stdout(&tuned)
    );
    let json = json(&dir.path().join("t/tune.json"));
    assert_eq!(json["verification"]["is_void"], true, "{json}");
}
