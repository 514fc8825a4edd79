//! What people are told whose program dies, is silent or is named wrongly, and what programs are called.

use std::fs;
use std::path::Path;

use crate::common::{arena, fails, json, stderr, stdout};
use assert_cmd::assert::Assert;
use serde_json::Value;

/// A bot that dies of the first question, with something to say that no terminal should get as it is.
const MORTAL: &str = r#"
read line; echo '{"type":"hello","protocol":1,"name":"Mortal, v2"}'
read line; echo '{"type":"ready"}'
read line; printf 'Traceback\n  line 9\n\033[31mValueError: no card\n' >&2; exit 3
"#;

fn write(directory: &Path, name: &str, text: &str) {
    fs::write(directory.join(name), text).unwrap();
}

fn words(directory: &Path, words: &[&str]) -> Assert {
    arena(directory).args(words).assert()
}

/// A built-in bot as a program.
fn engine(options: &str, bot: &str) -> String {
    format!("cmd:{options}run='{}' engine {bot}", assert_cmd::cargo::cargo_bin("arena").display())
}

fn run_json(directory: &Path) -> Value {
    json(&directory.join("run.json"))
}

#[test]
fn the_last_words_of_a_program_are_shown() {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "mortal.sh", MORTAL);
    write(dir.path(), "early.sh", "echo 'no module named cards' >&2; exit 1");
    let flags = [
        "--deals",
        "2",
        "--seed",
        "1",
        "--records",
        "full",
        "--forfeit",
        "--out",
        "out",
        "--progress",
        "none",
    ];
    let run = words(dir.path(), &[&["run", "cmd:sh mortal.sh", "rules"][..], &flags].concat()).code(11);
    let told = stderr(&run);
    for part in
        ["Mortal-v2 failed 4 times", "exit code 3", "    \\u{1b}[31mValueError: no card\n", "out/stderr"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!told.contains('\u{1b}'), "{told}");
    assert!(stdout(&run).contains("of the legs were forfeited (Mortal-v2 4)"), "{}", stdout(&run));
    assert!(dir.path().join("out/stderr/Mortal-v2.txt").is_file());
    let records = fs::read_to_string(dir.path().join("out/records.jsonl")).unwrap();
    assert!(records.contains(r#""bots":["Mortal-v2","rules","Mortal-v2","rules"]"#), "{records}");
    assert!(!records.contains("ValueError"), "what a program mutters is no part of a result");

    let check = words(dir.path(), &["check-bot", "--deals", "2", "sh", "mortal.sh"]).code(1);
    assert!(stdout(&check).contains("ends with:\n      Traceback\n        line 9\n"), "{}", stdout(&check));
    let check = words(dir.path(), &["check-bot", "sh", "early.sh"]).code(1);
    assert!(stdout(&check).contains("no module named cards"), "{}", stdout(&check));
    fails(
        words(dir.path(), &["run", "cmd:sh early.sh", "rules"]),
        2,
        &["exit code 1", "no module named cards"],
    );
}

#[test]
fn a_silent_program_is_asked_whether_it_flushes() {
    let dir = tempfile::tempdir().unwrap();
    let hint = ["not ready within 200ms", "flush=True"];
    fails(words(dir.path(), &["run", "cmd:start=200ms,run=sleep 60", "rules"]), 2, &hint);
    let check = words(dir.path(), &["check-bot", "start=200ms,run=sleep 60"]).code(1);
    assert!(hint.iter().all(|part| stdout(&check).contains(part)), "{}", stdout(&check));
    // One that has said something has flushed.
    write(dir.path(), "slow.sh", "echo '{\"type\":\"hello\",\"protocol\":1,\"name\":\"slow\"}'; sleep 60");
    let slow = words(dir.path(), &["run", "cmd:start=500ms,run=sh slow.sh", "rules"]);
    assert!(!stderr(&slow).contains("flush"), "{}", stderr(&slow));
    fails(slow, 2, &["not ready within 500ms"]);
}

#[test]
fn a_program_without_its_mark_is_recognised() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["bot.py", "bot.sh", "my bot.py"] {
        write(dir.path(), name, "");
    }
    for (line, part) in [
        (&["run", "./bot.py", "rules"][..], "\n  'cmd:python3 ./bot.py' rules\n"),
        (&["run", "rules", "bot.py", "--deals", "5"], "\n  rules 'cmd:python3 bot.py'\n"),
        (&["run", "rules:caution=5", "sh", "bot.sh"], "\n  rules:caution=5 'cmd:sh bot.sh'\n"),
        (&["run", "cmd:sh", "bot.sh", "rules"], "\n  'cmd:sh bot.sh' rules\n"),
        (&["run", "sh bot.sh", "rules"], "\n  'cmd:sh bot.sh' rules\n"),
        (&["run", "my bot.py", "rules"], "there is no bot `my bot.py`"),
        (&["run", "sh", "rules"], "there is no bot `sh`"),
        (&["stats", "--deals", "2", "--bot", "bot.py"], "\n  'cmd:python3 bot.py'"),
        (&["bidding", "rules", "bot.py"], "write it as 'cmd:python3 bot.py'"),
        (&["run", "cmd:bot.py", "rules"], "the command should be `python3 bot.py`"),
        (&["check-bot", "bot.py"], "\n  arena check-bot python3 bot.py\n"),
        (&["check-bot", "timeout=2s,run=bot.sh"], "\n  arena check-bot 'timeout=2s,run=sh bot.sh'\n"),
    ] {
        fails(words(dir.path(), line), 2, &[part]);
    }
}

#[test]
fn programs_have_names_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    // Two that call themselves `rules`, as a bot of ours does, and one that is given a name.
    let [one, two] = [engine("", "rules"), engine("batch=1,", "rules+random")];
    let three = engine("name=isdd,", "random");
    let flags = ["--deals", "4", "--seed", "1", "--threads", "1", "--out", "out", "--progress", "plain"];
    let line = [&["run", &one, &two, &three, "rules"][..], &flags].concat();
    let run = words(dir.path(), &line).success();
    let names: Vec<Value> = ["rules-2", "rules-3+random", "isdd", "rules"].map(Value::from).to_vec();
    let json = run_json(&dir.path().join("out"));
    assert_eq!(json["bots"].as_array().unwrap(), &names, "{json:#}");
    assert!(
        json["timing"]["programs"][2]["bot"] == "isdd" && stdout(&run).contains("3 isdd"),
        "{}",
        stdout(&run)
    );
    let table = fs::read_to_string(dir.path().join("out/summary.csv")).unwrap();
    assert!(table.contains(",isdd,rules,isdd,rules,"), "{table}");
    // The same command finds its run again, and so does the file that it left.
    for line in [line, vec!["run", "--config", "out/config.toml", "--out", "out"]] {
        let again = words(dir.path(), &line).success();
        assert!(
            stderr(&again)
                .contains("are already in out; if the program has changed since, begin anew with --out"),
            "{}",
            stderr(&again)
        );
    }
    let [x, other] = [engine("name=x,", "random"), engine("name=x,batch=2,", "random")];
    let both = [&["run", &x, &other][..], &flags].concat();
    let both: Vec<_> = both.iter().map(|word| if *word == "out" { "both" } else { word }).collect();
    words(dir.path(), &both).success();
    assert_eq!(run_json(&dir.path().join("both"))["bots"], serde_json::json!(["x", "x-2"]));
}

#[test]
fn a_frozen_or_tuned_program_has_the_name_of_its_greeting() {
    let dir = tempfile::tempdir().unwrap();
    let flags = ["--deals", "40", "--seed", "1", "--threads", "1", "--progress", "none"];
    let freeze = format!("play={}", engine("", "random"));
    let run =
        [&["run", "rules", "rules:caution=5", "--freeze", &freeze, "--out", "out"][..], &flags].concat();
    let run = words(dir.path(), &run).success();
    assert!(stdout(&run).contains("all cards by random-2"), "{}", stdout(&run));
    assert_eq!(run_json(&dir.path().join("out"))["freeze"], "play=random-2");
    words(dir.path(), &["report", "out"]).success();
    let page = fs::read_to_string(dir.path().join("out/report.html")).unwrap();
    assert!(page.contains("all cards by random-2"), "{page}");

    let bot = format!("rules:caution=20+{}", engine("", "rules"));
    let param = ["--param", "caution=-20..20", "--batch", "2", "--verify", "2", "--out", "tuned"];
    let tune = [&["tune", &bot][..], &param, &flags].concat();
    let told = stdout(&words(dir.path(), &tune).success());
    assert!(
        told.contains("+cmd:name=rules-2,run=") && !told.contains(" beats rules:caution=20+cmd:"),
        "{told}"
    );
    let json = fs::read_to_string(dir.path().join("tuned/verify/run.json")).unwrap();
    assert!(json.contains("+rules-2-tuned\"") && json.contains("+rules-2-start\""), "{json}");
    // The same command finds its tuning again.
    let again = words(dir.path(), &tune).success();
    assert_eq!(stdout(&again), told);
}

#[test]
fn bots_of_ours_are_timed_beside_a_program() {
    let dir = tempfile::tempdir().unwrap();
    let timed = |times: &str, options: &str| {
        let flags = ["--deals", "40", "--seed", "1", "--times", times, "--records", "none"];
        let out = format!("{times}{}", options.len());
        let program = engine(options, "rules");
        let bots = ["run", &program, "random+rules"];
        let line = [&bots[..], &flags, &["--out", &out, "--progress", "none"]].concat();
        words(dir.path(), &line).success();
        let times = run_json(&dir.path().join(out))["timing"]["decisions"].clone();
        times
            .as_array()
            .unwrap()
            .iter()
            .map(|bot| (bot["bot"].clone(), bot["timed"].as_u64().unwrap()))
            .collect::<Vec<_>>()
    };
    assert!(timed("none", "").is_empty());
    for options in ["", "batch=1,"] {
        let [(bot, some)] = &timed("some", options)[..] else { panic!("one bot of ours plays") };
        let all = timed("all", options)[0].1;
        assert!(bot == "random+rules" && *some > 0 && *some <= all, "{some} of {all}");
        // Two seats of 80 legs with a call or more, and eight cards in most.
        assert!(all > 80 * 2 * 4, "{all}");
    }
}

#[test]
fn a_new_bot_plays_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let made = words(dir.path(), &["new-bot", "python", "bots/brave"]).success();
    assert!(stdout(&made).contains("brave.py, test_bot.py, README.md"), "{}", stdout(&made));
    let program = assert_cmd::cargo::cargo_bin("arena");
    let python = |words: &[&str]| {
        let mut command = std::process::Command::new("python3");
        let output = command
            .current_dir(dir.path().join("bots/brave"))
            .env("ARENA", &program)
            .args(words)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    python(&["-m", "unittest"]);
    let play = ["run", "cmd:python3 bots/brave/brave.py", "random", "--deals", "10", "--seed", "1"];
    assert!(stdout(&words(dir.path(), &play).success()).contains("brave"));

    words(dir.path(), &["new-bot", "c", "bots/bold"]).success();
    let built =
        std::process::Command::new("make").current_dir(dir.path().join("bots/bold")).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    words(dir.path(), &["check-bot", "--deals", "2", "--rules", "contree", "bots/bold/bold"]).success();

    // The sources are those of the example, which its own test builds and plays.
    let clone = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    words(dir.path(), &["new-bot", "rust", "new-one", "--clone", clone.to_str().unwrap()]).success();
    let text = |path: &str| fs::read_to_string(dir.path().join("new-one").join(path)).unwrap();
    let example = |path: &str| fs::read_to_string(clone.join("examples/own-bot").join(path)).unwrap();
    assert_eq!(text("src/mine.rs"), example("src/mine.rs").replace("\"mine\"", "\"new-one\""));
    let manifest: toml::Table = text("Cargo.toml").parse().unwrap();
    let engine = manifest["dependencies"]["coinche-engine"]["path"].as_str().unwrap();
    assert!(Path::new(engine).join("Cargo.toml").is_file(), "{engine}");
    for part in ["CARGO_BIN_EXE_new-one", "run new-one random", "engine new-one"] {
        assert!(text("tests/own_bot.rs").contains(part), "{part}");
    }
    words(dir.path(), &["new-bot", "rust", "elsewhere"]).success();
    assert!(
        fs::read_to_string(dir.path().join("elsewhere/Cargo.toml")).unwrap().contains("git = \"https://")
    );

    for (name, parts) in [
        ("bots/bold", "is there already"),
        ("rules", "built-in bot"),
        ("Bold", "small letters"),
        ("..", "small letters"),
    ] {
        fails(words(dir.path(), &["new-bot", "c", name]), 2, &[parts]);
    }
    fails(words(dir.path(), &["new-bot", "rust", "x", "--clone", "bots"]), 2, &["not a clone of coinche"]);
}
