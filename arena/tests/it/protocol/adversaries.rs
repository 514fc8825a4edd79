//! Programs that look for what they are not told: outside a sandbox they find it, inside they learn nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use coinche_engine::{BySeat, Deal, Deck, RuleSet, Seat, Seed};
use serde_json::Value;

use crate::common::{arena, fails, run, run_json, stdout};

/// Looks through files and processes, tells on its standard error, and then plays as `rules`.
const SPY: &str = r#"
cd /
files="@OUT@/config.toml @OUT@/records.jsonl"
for process in /proc/[0-9]*; do
  case $(cat "$process/comm" 2>/dev/null) in
    arena*|coinche*) files="$files $process/cmdline $process/environ $(echo "$process"/fd/*)";;
  esac
done
for file in $files; do
  [ -f "$file" ] && head -c 4000 "$file" 2>/dev/null | tr '\0' '\n' | head -n 60 >&2
done
touch "/tmp/spy-$$"
echo "marks: $(ls /tmp | grep -c '^spy-')" >&2
echo "network: $(readlink /proc/self/ns/net)" >&2
exec "@ARENA@" engine rules
"#;
/// What a record has, and nothing that a program is sent.
const RECORD: &str = "\"hands\"";
const SEED: &str = "nobody-knows-it-7";

/// Tests if this system has a sandbox; says that nothing is tested where it has none.
fn has_sandbox() -> bool {
    let words = ["--unshare-all", "--ro-bind", "/", "/", "/bin/sh", "-c", ":"];
    let has = Command::new("bwrap").args(words).status().is_ok_and(|status| status.success());
    if !has {
        eprintln!("skipped: bwrap is not here, or cannot make a namespace");
    }
    has
}

/// Plays a spy; returns what it told, and the verdict.
fn spied(directory: &Path, out: &str, more: &[&str]) -> (String, String) {
    fs::create_dir_all(directory.join("spy")).unwrap();
    let program = assert_cmd::cargo::cargo_bin("arena");
    // Beside it, in a directory of its own: nothing else is seen in the sandbox.
    fs::copy(program, directory.join("spy/arena")).unwrap();
    let place = directory.join(out);
    let script = SPY.replace("@OUT@", &place.to_string_lossy());
    let script = script.replace("@ARENA@", &directory.join("spy/arena").to_string_lossy());
    fs::write(directory.join("spy/spy.sh"), script).unwrap();
    let play = |deals: &str| {
        let mut command = arena(directory);
        command.args(["run", "cmd:name=spy,run=sh spy/spy.sh", "random", "--deals", deals, "--seed", SEED]);
        command.args(["--records", "full", "--progress", "none", "--threads", "1", "--out", out]).args(more);
        stdout(&command.assert().success())
    };
    // Its second start is in a run that has records.
    play("10");
    let verdict = play("20");
    let told =
        fs::read_dir(place.join("stderr")).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap());
    (String::from_utf8_lossy(&told.collect::<Vec<_>>().concat()).into_owned(), verdict)
}

#[test]
fn a_program_in_the_sandbox_finds_nothing_of_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let own = fs::read_link("/proc/self/ns/net").map(|link| link.to_string_lossy().into_owned());
    let (told, verdict) = spied(dir.path(), "open", &[]);
    assert!(told.contains(SEED) && told.contains(RECORD), "outside it can: {told}");
    assert!(verdict.contains("Programs ran unconfined: they could read the files of this run"), "{verdict}");
    assert_eq!(run_json(&dir.path().join("open"))["programs"], "unconfined");
    if !has_sandbox() {
        return;
    }
    for (flag, name) in [("--confine", "full"), ("--confine=network", "network")] {
        let (told, verdict) = spied(dir.path(), name, &[flag]);
        assert!(!told.contains(SEED) && !told.contains(RECORD) && told.contains("marks: 1"), "{told}");
        assert!(!told.contains("marks: 2"), "its processes do not meet: {told}");
        if let Ok(own) = &own {
            assert_eq!(told.contains(own.as_str()), name == "network", "{told}");
        }
        assert!(verdict.contains("Programs ran confined: without files of the run"), "{verdict}");
        let json = run_json(&dir.path().join(name));
        assert_eq!(
            (&json["programs"], &json["figures"]),
            (&name.into(), &run_json(&dir.path().join("open"))["figures"])
        );
        assert!(json["command"].as_str().unwrap().contains(flag), "{json}");
        run(dir.path(), &format!("verify {name}")).success();
    }
    // What the command names is seen, also as `FILE:NAME`.
    fs::create_dir(dir.path().join("own")).unwrap();
    fs::write(dir.path().join("own/bot.py"), "").unwrap();
    let script =
        format!("[ -e \"${{1%:*}}\" ] && exec '{}' engine rules", dir.path().join("spy/arena").display());
    fs::write(dir.path().join("spy/named.sh"), script).unwrap();
    let named = "cmd:name=named,run=sh spy/named.sh own/bot.py:Bot";
    let mut command = arena(dir.path());
    command.args(["run", named, "random", "--deals", "2", "--seed", SEED, "--confine", "--out", "named"]);
    assert!(stdout(&command.assert().success()).contains("Programs ran confined"));
    // It is a setting of the run.
    let words = [
        "run",
        "cmd:name=spy,run=sh spy/spy.sh",
        "random",
        "--deals",
        "20",
        "--seed",
        SEED,
        "--records",
        "full",
    ];
    fails(
        arena(dir.path()).args(words).args(["--progress", "none", "--out", "full"]).assert(),
        2,
        &["confine"],
    );
}

#[test]
fn without_a_sandbox_nothing_is_played() {
    let dir = tempfile::tempdir().unwrap();
    let engine = format!("cmd:'{}' engine rules", assert_cmd::cargo::cargo_bin("arena").display());
    let words = ["run", &engine, "random", "--deals", "2", "--seed", "1", "--out", "out", "--confine"];
    let play = |path: &str| arena(dir.path()).args(words).env("PATH", path).assert();
    fails(play("/nowhere"), 2, &["there is no program `bwrap` on the PATH: install Bubblewrap"]);
    fs::write(dir.path().join("bwrap"), "#!/bin/sh\necho 'bwrap: no namespace' >&2\nexit 1\n").unwrap();
    let mut mode = fs::metadata(dir.path().join("bwrap")).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    fs::set_permissions(dir.path().join("bwrap"), mode).unwrap();
    fails(
        play(&dir.path().to_string_lossy()),
        2,
        &["cannot make a sandbox (bwrap: no namespace)", "AppArmor"],
    );
    assert!(!dir.path().join("out").exists());
    let check = ["check-bot", "--confine", "sh", "x.sh"];
    fails(arena(dir.path()).args(check).env("PATH", "/nowhere").assert(), 2, &["bwrap"]);
    for words in ["run rules random --deals 2 --confine --out out", "play --deals 1 --confine"] {
        fails(run(dir.path(), words), 2, &["confine: it has no effect without an external program"]);
    }
    if has_sandbox() {
        // A program in the working directory is seen, and nothing beside it.
        let engine = assert_cmd::cargo::cargo_bin("arena");
        fs::write(
            dir.path().join("bot.sh"),
            format!("[ ! -e bwrap ] && exec '{}' engine rules", engine.display()),
        )
        .unwrap();
        let words = ["check-bot", "--deals", "2", "--confine", "sh", "./bot.sh", &engine.to_string_lossy()];
        arena(dir.path()).args(words).assert().success();
        // Nor what is beside a program where the runs are.
        fs::create_dir_all(dir.path().join("results")).unwrap();
        let bot = format!("[ ! -e results/runs ] && exec '{}' engine rules", engine.display());
        fs::write(dir.path().join("results/bot.sh"), bot).unwrap();
        fs::create_dir_all(dir.path().join("results/runs")).unwrap();
        let words =
            ["check-bot", "--deals", "2", "--confine", "sh", "results/bot.sh", &engine.to_string_lossy()];
        arena(dir.path()).args(words).assert().success();
        // What holds the run is not shown.
        let words = ["run", "cmd:sh -c : .", "random", "--deals", "2", "--confine"];
        fails(arena(dir.path()).args(words).assert(), 2, &["has the run or the working directory in it"]);
    }
}

#[test]
fn one_process_for_all_seats_is_in_the_verdict() {
    let dir = tempfile::tempdir().unwrap();
    let engine = format!(
        "cmd:name=all,processes=1,run='{}' engine rules",
        assert_cmd::cargo::cargo_bin("arena").display()
    );
    let words =
        ["run", &engine, "random", "--deals", "4", "--seed", "1", "--out", "out", "--progress", "none"];
    let verdict = stdout(&arena(dir.path()).args(words).assert().success());
    assert!(verdict.contains("all had one process for all seats, which saw its partner's hand"), "{verdict}");
    assert_eq!(run_json(&dir.path().join("out"))["one_process"], serde_json::json!(["all"]));
}

const BOARD: &str = r#"anchor = "rules"
rules = ["bga"]

[[class]]
name = "fast"
limit = "20us"
deals = 30
seed = "public"

[[entry]]
name = "rules"
bot = "rules"
about = "it plays"
classes = ["fast"]

[[entry]]
name = "spy"
bot = "cmd:name=spy,run=sh spy.sh"
about = "it has a table of the decks of public seeds"
classes = ["fast"]
"#;

/// All hands of deals of a seed, as questions have them.
fn table(seed: &str) -> BTreeSet<String> {
    let seed: Seed = seed.parse().unwrap();
    let deal = |index: usize| {
        Deal::new(&RuleSet::BGA.deal, Deck::shuffled(&seed, index as u64), Seat::from_index(index % 4))
    };
    let hands = (0..30).flat_map(|index| {
        let hands: BySeat<_> = *deal(index).hands();
        hands.0.map(|hand| hand.into_iter().map(|card| card.to_string()).collect::<BTreeSet<_>>())
    });
    hands.map(|hand| format!("{hand:?}")).collect()
}

/// The first hands that a program was asked about.
fn asked(directory: &Path) -> BTreeSet<String> {
    let lines = fs::read_to_string(directory.join("heard")).unwrap();
    let hands = lines.split("\"first_hand\":\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    hands.map(|hand| format!("{:?}", hand.split(' ').map(str::to_owned).collect::<BTreeSet<_>>())).collect()
}

#[test]
fn a_table_of_public_seeds_knows_no_hand_of_a_drawn_one() {
    let dir = tempfile::tempdir().unwrap();
    let program = assert_cmd::cargo::cargo_bin("arena");
    fs::write(dir.path().join("spy.sh"), format!("tee -a heard | '{}' engine rules\n", program.display()))
        .unwrap();
    fs::write(dir.path().join("board.toml"), BOARD).unwrap();
    let play =
        |words: &str| run(dir.path(), &format!("leaderboard board.toml --progress none --threads 1 {words}"));
    play("--out practice").success();
    let known = table("public of fast");
    assert!(
        asked(dir.path()).iter().all(|hand| table("public").contains(hand)),
        "the seed of the file is for practice"
    );
    fs::remove_file(dir.path().join("heard")).unwrap();
    play("--out o --draw").success();
    let hands = asked(dir.path());
    assert!(
        hands.len() > 60 && !hands.iter().any(|hand| table("public").contains(hand) || known.contains(hand))
    );
    let page = fs::read_to_string(dir.path().join("o/README.md")).unwrap();
    assert!(page.contains("Programs ran unconfined"), "{page}");
    // What was committed to is revealed, and verified.
    let path = dir.path().join("o/commitment.toml");
    let text = fs::read_to_string(&path).unwrap();
    let seed = text.split("seed = \"").nth(1).unwrap().split('"').next().unwrap();
    assert!(hands.iter().all(|hand| table(&format!("fast of {seed}")).contains(hand)));
    assert!(text.contains("\"spy: spy.sh ") && !dir.path().join("o/seed.secret").exists(), "{text}");
    run(dir.path(), "verify o").success();
    let json: Value = crate::common::json(&dir.path().join("o/leaderboard.json"));
    assert_eq!(json["seeds"]["fast"], format!("fast of {seed}"));
    for (from, to) in
        [(seed, "other"), ("rules: rules", "rules: dd"), ("commitment = \"", "commitment = \"0")]
    {
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let wrong = stdout(&run(dir.path(), "verify o").code(1));
        assert!(wrong.contains("the commitment is not that of the seed and the entries"), "{wrong}");
    }
    fs::write(&path, &text).unwrap();
    // The same entries are played on the same seed, others on another one.
    play("--out o --draw").success();
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    fs::write(dir.path().join("spy.sh"), format!("exec '{}' engine rules\n", program.display())).unwrap();
    play("--out o --draw").success();
    assert_ne!(fs::read_to_string(&path).unwrap(), text);
    // Before the seed is revealed the entries stay.
    let open: Vec<_> = text.lines().filter(|line| !line.starts_with("seed")).collect();
    fs::write(&path, open.join("\n")).unwrap();
    fails(play("--out o --draw"), 2, &["the seed that it commits to is not in seed.secret"]);
    fs::write(dir.path().join("o/seed.secret"), seed).unwrap();
    fails(play("--out o --draw"), 2, &["the entries are not those it commits to"]);
    fails(run(dir.path(), "verify o"), 1, &[]);
}
