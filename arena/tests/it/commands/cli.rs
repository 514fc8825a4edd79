//! The command line: help, usage errors, output that cannot be written, interruption.
//!
//! `COINCHE_BLESS=1 cargo test -p coinche-arena --test it cli` writes the snapshots again.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{
    arena, fails, long, printed_json, run, run_json, signal, snapshot, start, stderr, stdout,
};

#[test]
fn help_is_as_reviewed() {
    let dir = tempfile::tempdir().unwrap();
    for command in [
        "",
        "run",
        "play",
        "serve",
        "merge",
        "plan",
        "status",
        "sprt",
        "tune",
        "power",
        "report",
        "verify",
        "export",
        "import",
        "show",
        "judge",
        "solve",
        "label",
        "leaderboard",
        "stats",
        "stats hands",
        "bidding",
        "compare",
        "fit",
        "train",
        "train bidding",
        "train cards",
        "train reading",
        "advise",
        "rules",
        "bots",
        "check-bot",
        "engine",
        "bench",
        "completions",
        "man",
    ] {
        let name = if command.is_empty() { "arena".to_owned() } else { command.replace(' ', "-") };
        for (flag, ending) in [("--help", ""), ("-h", "-short")] {
            // The snapshots are of the common terminal; every `-h` is tested with the command line.
            if flag == "-h" && command != "run" {
                continue;
            }
            let words = format!("{command} {flag}");
            let assert =
                arena(dir.path()).env("COLUMNS", "80").args(words.split_whitespace()).assert().success();
            snapshot(&format!("help-{name}{ending}.txt"), &stdout(&assert));
        }
    }
}

#[test]
fn a_seed_that_is_drawn_is_printed() {
    let dir = tempfile::tempdir().unwrap();
    let text = |words: &str| stdout(&run(dir.path(), words).success());
    for (n, words) in [
        "run rules random --deals 3 --records none",
        "stats --deals 3 --progress none",
        "stats hands --deals 2 --progress none",
        "bidding rules random --play rules --deals 3 --progress none",
        "label --deals 2 --progress none",
        "fit --check BUILT_IN --deals 1k --progress none",
        "advise --hand JS,9S,AS,TS,AD,KD,7C,8C --worlds 2",
    ]
    .into_iter()
    .enumerate()
    {
        let table = concat!(env!("CARGO_MANIFEST_DIR"), "/../bots/data/bidding.txt");
        let words = words.replace("BUILT_IN", table);
        let command = |seed: &str, out: &str| {
            let out = if ["run", "label"].iter().any(|name| words.starts_with(name)) { out } else { "" };
            let mut command = arena(dir.path());
            // A hand is one word.
            command.args(
                words
                    .split_whitespace()
                    .map(|word| word.replace("S,", "S ").replace("D,", "D ").replace("C,", "C ")),
            );
            command.args(seed.split_whitespace()).args(out.split_whitespace());
            stdout(&command.assert().success())
        };
        let drawn = command("", &format!("--out a{n}"));
        let seed: String = drawn
            .split_once("seed ")
            .unwrap_or_else(|| panic!("{words}: {drawn}"))
            .1
            .chars()
            .take_while(char::is_ascii_hexdigit)
            .collect();
        assert_eq!(seed.len(), 32, "{words}: 128 bits");
        let again = command(&format!("--seed {seed}"), &format!("--out b{n}"));
        let plain = |text: &str| text.replace(&format!("a{n}"), "").replace(&format!("b{n}"), "");
        assert_eq!(plain(&drawn), plain(&again), "{words}");
    }
    // A data set that was interrupted goes on with its seed.
    fs::remove_file(dir.path().join("a4/part-000000.csv")).unwrap();
    assert!(text("label --deals 2 --progress none --out a4").starts_with("2 deals labelled, seed "));
}

/// A difference of matches is one per match.
#[test]
fn power_from_matches_counts_matches() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run rules random --deals 4 --match --seed 1 --out m").success();
    for (words, heads) in [
        ("power --from m --effect 50", ["points per match", "matches, fixed"]),
        ("power --from m --deals 500", ["matches", "points per match"]),
    ] {
        let told = stdout(&run(dir.path(), words).success());
        assert!(heads.iter().all(|head| told.contains(head)) && !told.contains("deal"), "{told}");
    }
    assert!(
        stdout(&run(dir.path(), "power --from m --effect 50 --json").success())
            .contains("\"unit\":\"match\"")
    );
}

#[test]
fn counts_are_read_as_people_write_them() {
    let dir = tempfile::tempdir().unwrap();
    let figures = |deals: &str| stdout(&run(dir.path(), &format!("power --deals {deals}")).success());
    for deals in ["20_000", "20k", "2e4", "0.02M"] {
        assert_eq!(figures(deals), figures("20000"), "{deals}");
    }
    fails(run(dir.path(), "run rules random --deals 1.5"), 2, &["--deals", "not a whole number"]);
    fails(run(dir.path(), "run rules random --threads 2k"), 2, &["threads: 2000 is not in 1 to 1024"]);
}

#[test]
fn what_was_meant_is_suggested() {
    let dir = tempfile::tempdir().unwrap();
    for (words, meant) in [
        ("run rule random", "`rules`"),
        ("run rules rules+pimcc", "`pimc`"),
        ("run rules:cauton=3 random", "`caution`"),
        ("run rules random --rules coinch", "`coinche`"),
        ("run rules random --set scoring.rouding=none", "`scoring.rounding`"),
        ("rules contre", "`contree`"),
        ("fit --out x --rules beloten", "`belote`"),
        ("bots pimcc", "`pimc`"),
        ("tune rules --param cauton=-5..5", "`caution`"),
    ] {
        fails(run(dir.path(), words), 2, &[&format!("did you mean {meant}?")]);
    }
}

#[test]
fn one_bot_is_described() {
    let dir = tempfile::tempdir().unwrap();
    let text = |words: &str| stdout(&run(dir.path(), words).success());
    for name in [
        "alphamu", "champion", "cmd", "dd", "ismcts", "mc", "net", "open", "pimc", "random", "rules", "table",
    ] {
        let described = text(&format!("bots {name}"));
        assert!(described.starts_with(name) && described.contains("\nExamples:\n"), "{described}");
        for line in described.lines() {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
        // Its examples name bots that there are.
        for line in
            described.lines().filter(|line| line.starts_with("  arena run ") && !line.contains("cmd:"))
        {
            let words = line.trim().trim_start_matches("arena ").replace(" --deals 200", "");
            fails(run(dir.path(), &format!("{words} --deals 0")), 2, &["deals: 0 is not in"]);
        }
    }
    assert!(text("bots rules").contains("caution (default: 0)"));
    assert!(text("bots open").contains("All four hands"));
    let json: serde_json::Value = serde_json::from_str(&text("bots pimc --json")).unwrap();
    assert_eq!((&json["name"], &json["bids"], &json["plays"]), (&"pimc".into(), &false.into(), &true.into()));
}

#[test]
fn completions_and_man_pages_name_every_command() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(&run(dir.path(), &format!("completions {shell}")).success());
        assert!(script.contains("check-bot") && script.contains("max-deals"), "{shell}");
    }
    let page = stdout(&run(dir.path(), "man").success());
    assert!(page.contains(".TH arena 1") && page.contains("arena\\-sprt(1)"), "{page}");
    run(dir.path(), "man --out pages").success();
    let page = fs::read_to_string(dir.path().join("pages/arena-run.1")).unwrap();
    assert!(page.contains("\\-\\-shard") && page.contains("Examples"), "{page}");
    assert!(dir.path().join("pages/arena-stats-hands.1").exists());
}

#[test]
fn usage_errors_name_what_is_legal() {
    let dir = tempfile::tempdir().unwrap();
    for (words, parts) in [
        ("run", &["expected two bots", "arena bots"] as &[&str]),
        ("run rules", &["expected two bots", "1 were"]),
        ("run A=rules&A=random rules", &["both called `A`"]),
        ("run X=rules random --control X=table+rules rules", &["both called `X`"]),
        ("run X=rules X=table+rules --format crossplay", &["both called `X`"]),
        ("run X=rules X=random", &["both called `X`", "as in Other=random"]),
        ("run rules rules random --format match", &["between two bots", "3 were", "round-robin"]),
        ("run rules random --records sample:2", &["sample:P", "swing:POINTS"]),
        ("run rules random --shard 3/2", &["i/n", "from 1 to n"]),
        ("run rules random --deals 2 --shard 1/3", &["--shard 1/3 without --seed"]),
        ("run rules random --deals 2 --seed 1 --shard 1/3", &["shard 1/3 of 2 deals is empty"]),
        ("run rules random --table xlsx", &["csv.zst", "parquet"]),
        ("merge --out x", &["<DIR>"]),
        ("run rules wizard", &["`wizard`", "random, rules"]),
        ("run random:pass=2 rules", &["`pass`", "`2`", "0 to 1"]),
        ("run random:luck=1 rules", &["`luck`", "expected pass"]),
        ("run rules random --deals 0", &["deals", "1 to"]),
        ("run rules random --deals many", &["--deals", "many"]),
        ("run rules random --threads 0", &["threads", "1 to 1024"]),
        ("run rules random --seed -1", &["-1"]),
        ("run rules random --rules poker", &["`poker`", "bga, bga-ja, belote", ".toml"]),
        ("run rules random --rules nowhere.toml", &["nowhere.toml", "cannot read"]),
        ("run rules random --set scoring.failed=a", &["scoring.failed", "0 to 10000"]),
        ("run rules random --set failed=3", &["`failed`"]),
        (
            "run rules random --rules belote --set auction.signal_pass=true",
            &["auction.signal_pass", "no effect", "turn-up"],
        ),
        ("rules bga --set match.tie=held", &["match.tie", "no effect", "`deal.method` is full"]),
        ("run rules random --set match.target=600", &["match.target", "no effect", "--match"]),
        ("run rules random --rules belote --set match.both_reached=last-winner", &["match.both_reached"]),
        (
            "sprt rules random --lower 0 --upper 5 --set match.exceed=false --set match.target=7",
            &["match.target"],
        ),
        ("tune rules --param caution=-9..9 --set match.target=600", &["match.target", "no effect"]),
        ("stats --deals 5 --set match.target=600", &["match.target", "no effect"]),
        ("stats --deals 5 --compare-set match.target=600", &["match.target", "no effect"]),
        ("stats hands --deals 5 --set match.target=600", &["match.target", "no effect"]),
        ("bidding rules table --set match.target=600", &["match.target", "no effect"]),
        ("label --deals 5 --out l --set match.target=600", &["match.target", "no effect"]),
        ("solve nowhere --set match.target=600", &["match.target", "no effect"]),
        ("solve nowhere --set auction.lowest=100", &["auction.lowest", "no effect", "`play`"]),
        ("solve nowhere --par --set scoring.coinche.contract=3", &["scoring.coinche.contract", "no effect"]),
        ("solve nowhere --par --set melds.enabled=true", &["melds.enabled", "no effect"]),
        ("run rules random --records none --table parquet", &["table", "no effect", "--records none"]),
        ("run rules random --lines jsonl.zst", &["lines", "no effect", "--records summary", "full"]),
        ("run rules random --forfeit", &["forfeit", "no effect", "program"]),
        ("sprt rules random --lower 0 --upper 5 --forfeit", &["forfeit", "no effect"]),
        ("tune rules --param caution=-9..9 --forfeit", &["forfeit", "no effect"]),
        (
            "tune rules --param caution=-9..9 --freeze auction",
            &["caution", "no effect", "auction=rules", "card player"],
        ),
        (
            "tune rules+pimc --param worlds=5..90 --freeze play",
            &["worlds", "no effect", "play=rules", "bidder"],
        ),
        ("judge nowhere.jsonl --seed 1", &["--seed", "no effect", "--sample"]),
        ("fit --check nowhere.txt --rounds 3", &["--rounds", "cannot be used with", "--check"]),
        ("run rules random --set scoring.failed", &["field=value"]),
        ("run rules random --records some", &["none", "summary", "full"]),
        ("run rules random --progress loud", &["auto", "plain", "json"]),
        ("run --config nowhere.toml", &["nowhere.toml", "cannot read"]),
        ("rules poker", &["`poker`", "coinchee"]),
        ("rules bga --set auction.lowest=0", &["auction.lowest", "1 to 990"]),
        ("verify", &["FILE"]),
        ("verify nowhere.jsonl", &["nowhere.jsonl", "cannot read"]),
        ("verify .", &["is no run and no part", "part.json"]),
        ("show nowhere.jsonl --deal 1", &["nowhere.jsonl", "cannot read"]),
        ("bench --seconds 0", &["seconds"]),
        ("dance", &["unrecognized subcommand"]),
        ("play --partner wizard", &["`wizard`", "random, rules"]),
        ("play --others cmd:./bot", &["cmd:./bot", "No such file", "check-bot"]),
        ("play --seat 4", &["--seat", "expected 0, 1, 2 or 3"]),
        ("play --deals 0", &["deals", "1 to"]),
        ("play --time soon", &["--time soon", "800ms"]),
        ("", &["Usage"]),
    ] {
        fails(run(dir.path(), words), 2, parts);
    }
    // Nothing was left behind.
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_broken_configuration_is_named_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    for (text, parts) in [
        ("deals = 10\nbots = [\"rules\",", &["c.toml", "line 2"] as &[&str]),
        ("deals = 10\nbot = [\"rules\", \"random\"]", &["c.toml", "unknown field", "`bots`", "line 2"]),
        ("deals = \"ten\"", &["c.toml", "deals", "line 1"]),
        ("bots = [\"rules\", \"random\"]\nrecords = \"all\"", &["c.toml", "line 2", "summary"]),
        ("bots = [\"rules\", \"random\"]\nseed = 1.5", &["c.toml", "line 2", "whole number"]),
        ("bots = [\"rules\", \"random\"]\nseed = -4", &["seed", "whole number"]),
        ("bots = [\"rules\"]", &["expected two bots"]),
        ("bots = [\"rules\", \"random\"]\n[rules]\nbase = \"poker\"", &["poker", "coinchee"]),
        ("bots = [\"rules\", \"random\"]\n[rules.auction]\nlowest = 0", &["auction.lowest", "1 to 990"]),
    ] {
        fs::write(dir.path().join("c.toml"), text).unwrap();
        fails(run(dir.path(), "run --config c.toml --out x"), 2, parts);
        assert!(!dir.path().join("x").exists());
    }
    fs::write(dir.path().join("r.toml"), "base = \"bga\"\n[scoring]\nrouding = \"none\"\n").unwrap();
    fails(run(dir.path(), "run rules random --rules r.toml"), 2, &["r.toml", "scoring.rouding", "line 3"]);
}

#[test]
fn a_configuration_file_can_hold_it_all() {
    let dir = tempfile::tempdir().unwrap();
    let text = "bots = [\"random\", \"rules\"]\ndeals = 12\nseed = \"7\"\nset = [\"match.target=600\"]\n\
                match = true\nrecords = \"none\"\nthreads = 2\nout = \"there\"\nprogress = \"none\"\n\
                [rules]\nbase = \"coinche\"\n[rules.scoring]\nfailed = 150\n";
    fs::write(dir.path().join("c.toml"), text).unwrap();
    let assert = arena(dir.path()).args(["run", "--config", "c.toml", "--deals", "3"]).assert().success();
    assert!(stdout(&assert).contains("3 matches in pairs, seed 7, rules coinche with 2 fields changed"));
    let run = run_json(&dir.path().join("there"));
    assert_eq!(
        (&run["rules"]["scoring"]["failed"], &run["rules"]["match"]["target"]),
        (&150.into(), &600.into())
    );
    // checksums.txt, config.toml, run.json, part.json.
    assert_eq!(fs::read_dir(dir.path().join("there")).unwrap().count(), 4);
}

/// Rules of a file may have an end of matches of their own: without matches they are the same rules.
#[test]
fn single_deals_have_no_end_of_a_match() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("r.toml"), "base = \"coinche\"\n[match]\ntarget = 777\n").unwrap();
    let words = "run random random --deals 5 --seed 1 --rules r.toml --out";
    let text = stdout(&run(dir.path(), &format!("{words} deals")).success());
    assert!(text.contains("--rules coinche\n") && !text.contains("777"), "{text}");
    let text = stdout(&run(dir.path(), &format!("{words} matches --match")).success());
    assert!(text.contains("--set 'match.target=777'"), "{text}");
    // What they are anyway may be said, and repeated with the file of the run.
    run(
        dir.path(),
        "run random random --deals 9 --seed 1 --rules coinche --set match.target=1000 --out deals",
    )
    .success();
    run(dir.path(), "run --config deals/config.toml --out deals").success();
    // A flag that has no effect beside the file of a run is an error, a key of the file is not.
    run(dir.path(), "run --config deals/config.toml --records none --out none").success();
    fails(
        run(dir.path(), "run --config none/config.toml --table parquet --out more"),
        2,
        &["table: it has no effect"],
    );
}

#[test]
fn a_run_is_never_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run random rules --deals 10 --seed 1 --out mine";
    let first = run(dir.path(), words).success();
    let files = ["run.json", "part.json", "config.toml", "summary.csv"];
    let read = || files.map(|file| fs::read(dir.path().join("mine").join(file)).unwrap());
    let before = read();
    // The same command again says the same and changes nothing.
    let again = run(dir.path(), words).success();
    assert_eq!(stdout(&first), stdout(&again));
    // Other settings are refused, both values named.
    for (flags, parts) in [
        ("--seed 2", &["seed: 1 there, 2 now"] as &[&str]),
        ("--match", &["match: false there, true now"]),
        ("--rules belote", &["rules: bga there, belote now"]),
        ("--records full", &["records: summary there, full now", "lines: not set there, jsonl now"]),
        ("--table parquet", &["table: csv there, parquet now"]),
        ("--shard 2/2", &["first deal: 0 there, 5 now"]),
    ] {
        let words = format!("{} {flags}", words.replace(" --seed 1", ""));
        let words = if flags.starts_with("--seed") { words } else { words + " --seed 1" };
        fails(run(dir.path(), &words), 2, &[&["mine", "other settings", "--out"], parts].concat());
    }
    fails(
        run(dir.path(), &words.replace("random rules", "rules random")),
        2,
        &["bots: [\"random\", \"rules\"] there"],
    );
    fails(run(dir.path(), &words.replace("10", "9")), 2, &["already has 10 deals", "9 asked for"]);
    assert!(read() == before);
    // What is no run of this program is left alone.
    fs::create_dir(dir.path().join("other")).unwrap();
    fs::write(dir.path().join("other/summary.csv"), "mine").unwrap();
    fails(
        run(dir.path(), &words.replace("mine", "other")),
        3,
        &["other", "already holds a run", "summary.csv"],
    );
    assert_eq!(fs::read_dir(dir.path().join("other")).unwrap().count(), 1);
    // Without --out the same settings have the same directory, others another one.
    for seed in [1, 1, 2] {
        let mut command = arena(dir.path());
        command.args(["run", "random", "rules", "--deals", "10", "--progress", "plain"]);
        command.args(["--seed", &seed.to_string()]);
        assert!(stderr(&command.assert().success()).contains("written to results/runs/random-rules-seed-"));
    }
    assert_eq!(fs::read_dir(dir.path().join("results/runs")).unwrap().count(), 2);
}

#[test]
fn what_cannot_be_written_is_named_with_a_remedy() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    for out in ["file", "file/below", "/proc/arena"] {
        let words = format!("run random rules --deals 10 --out {out}");
        fails(run(dir.path(), &words), 3, &["cannot write", out, "--out"]);
    }
}

/// Runs a line of the shell with `$ARENA` as the program.
fn shell(directory: &Path, line: &str) -> std::process::Output {
    Command::new("sh")
        .args(["-c", line])
        .env("ARENA", assert_cmd::cargo::cargo_bin("arena"))
        .current_dir(directory)
        .output()
        .unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_whole_lines_and_figures() {
    let dir = tempfile::tempdir().unwrap();
    // A limit on the size of a file stands for the disk: 256 blocks of 512 or 1024 bytes.
    let line = "trap '' XFSZ; ulimit -f 512; \
                exec \"$ARENA\" run random random --deals 5000 --seed 1 --records full --progress none --out full";
    let output = shell(dir.path(), line);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert!(message.contains("full/records.jsonl") && message.contains("free some space"), "{message}");
    let out = dir.path().join("full");
    let records = fs::read_to_string(out.join("records.jsonl")).unwrap();
    assert!(records.ends_with('\n'));
    let lines = records.lines().count();
    assert!(lines > 2);
    let summary = fs::read_to_string(out.join("summary.csv")).unwrap();
    assert!(summary.ends_with('\n'));
    assert_eq!(summary.lines().count(), lines + 1);
    let figures = run_json(&out);
    assert_eq!((&figures["interrupted"], &figures["done"]), (&true.into(), &(lines / 2).into()));
    assert!(String::from_utf8(output.stdout).unwrap().contains("(stopped early; 5,000 requested)"));
    run(dir.path(), "verify full").success();
    // With room again it goes on as if nothing had happened.
    let words = "run random random --deals 5000 --seed 1 --records full --out";
    let printed = stdout(&run(dir.path(), &format!("{words} full")).success());
    assert_eq!(printed, stdout(&run(dir.path(), &format!("{words} whole")).success()));
    for file in ["summary.csv", "records.jsonl", "part.json", "config.toml"] {
        let [full, whole] = ["full", "whole"].map(|run| fs::read(dir.path().join(run).join(file)).unwrap());
        assert!(full == whole, "{file}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error_and_a_closed_one_is_not() {
    let dir = tempfile::tempdir().unwrap();
    for words in ["rules", "bots", "rules bga", "bench --signature", "run random rules --deals 10 --out a"] {
        let output = shell(dir.path(), &format!("\"$ARENA\" {words} >/dev/full"));
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{message}");
        assert!(message.contains("stdout"), "{message}");
    }
    let closed = shell(dir.path(), "{ \"$ARENA\" rules; echo $? >&2; } | true");
    assert_eq!(String::from_utf8(closed.stderr).unwrap(), "0\n");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_is_whole_as_far_as_it_goes() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run random random --deals 1000000000 --seed 6 --records full --progress none --out stopped";
    let child = start(dir.path(), words);
    let out = dir.path().join("stopped");
    let began = Instant::now();
    while fs::metadata(out.join("records.jsonl")).map_or(0, |file| file.len()) < 100_000 {
        assert!(began.elapsed() < Duration::from_secs(20), "nothing is written");
        std::thread::sleep(Duration::from_millis(10));
    }
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8(output.stdout).unwrap().contains("(stopped early; 1,000,000,000 requested)"));
    let figures = run_json(&out);
    let done = figures["done"].as_u64().unwrap();
    assert_eq!(figures["interrupted"], true);
    // The same as a run of as many deals.
    run(dir.path(), &format!("run random random --deals {done} --seed 6 --records full --out whole"))
        .success();
    for file in ["summary.csv", "records.jsonl"] {
        let [stopped, whole] =
            ["stopped", "whole"].map(|run| fs::read(dir.path().join(run).join(file)).unwrap());
        assert!(stopped == whole, "{file}");
    }
    assert_eq!(figures["figures"], run_json(&dir.path().join("whole"))["figures"]);
}

#[test]
fn progress_goes_to_the_standard_error() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run random random --deals 2000 --seed 1 --progress json --out j";
    let assert = arena(dir.path()).args(words.split(' ')).assert().success();
    let text = stderr(&assert);
    let last: serde_json::Value =
        serde_json::from_str(text.lines().rev().find(|line| line.starts_with('{')).unwrap()).unwrap();
    assert_eq!((&last["done"], &last["of"]), (&2000.into(), &2000.into()));
    let silent = run(dir.path(), "run random random --deals 2000 --seed 1 --out k").success();
    assert_eq!(stderr(&silent), "");
    assert_eq!(stdout(&silent), stdout(&assert));
}

#[test]
fn the_report_is_as_reviewed() {
    let dir = tempfile::tempdir().unwrap();
    for (name, words) in [
        ("report-deals.txt", "run random:pass=0.6 random --deals 500 --seed 42"),
        ("report-matches.txt", "run random random:pass=0.9 --deals 20 --seed 42 --match --rules coinchee"),
        ("report-turn-up.txt", "run random random:pass=0.9 --deals 200 --seed 42 --rules belote-melds"),
    ] {
        let assert = run(dir.path(), &format!("{words} --out {name}")).success();
        let text = stdout(&assert);
        // The commit is another one tomorrow.
        let lines: Vec<_> = text.lines().filter(|line| !line.starts_with("commit ")).collect();
        let text = lines.join("\n") + "\n";
        for line in text.lines().skip(4) {
            assert!(line.chars().count() <= 100, "{line}");
        }
        snapshot(name, &text);
    }
}

#[test]
fn the_lists_are_readable() {
    let dir = tempfile::tempdir().unwrap();
    let presets = stdout(&run(dir.path(), "rules").success());
    // An address is not broken.
    let fits = |line: &str| line.chars().count() <= 100 || line.trim_start().starts_with("http");
    assert!(presets.lines().all(fits));
    for name in ["bga", "contree", "coinchee", "belote-melds"] {
        assert!(presets.contains(&format!("\n{name}\n")) || presets.starts_with(name));
        // What is printed can be read again, and is the same rule set.
        let toml = stdout(&run(dir.path(), &format!("rules {name} --set match.target=777")).success());
        fs::write(dir.path().join("again.toml"), toml).unwrap();
        let json = |words: &str| -> serde_json::Value { printed_json(&run(dir.path(), words).success()) };
        let again = json("rules again.toml --json");
        assert_eq!(again, json(&format!("rules {name} --set match.target=777 --json")));
        assert_eq!(again["match"]["target"], 777);
    }
    // A printed preset is a file to edit: what is changed there and has no effect is refused.
    let belote = stdout(&run(dir.path(), "rules belote").success());
    let edited = belote.replace("\ncapot = 250\n", "\ncapot = 500\n");
    assert_ne!(edited, belote);
    fs::write(dir.path().join("edited.toml"), edited).unwrap();
    fails(run(dir.path(), "rules edited.toml"), 2, &["contract.capot", "no effect", "line"]);
    let bots = stdout(&run(dir.path(), "bots").success());
    assert!(bots.contains("random") && bots.contains("pass=0.75") && bots.contains("bidder+player"));
    assert!(bots.lines().all(|line| line.chars().count() <= 80), "{bots}");
    let bots: serde_json::Value = printed_json(&run(dir.path(), "bots --json").success());
    let random = bots.as_array().unwrap().iter().find(|bot| bot["name"] == "random").unwrap();
    assert_eq!(random["bidder"][0]["legal"], "0 to 1");
}

#[test]
fn bench_measures_and_signs() {
    let dir = tempfile::tempdir().unwrap();
    let assert = run(dir.path(), "bench --json --seconds 0.02").success();
    let figures: serde_json::Value = printed_json(&assert);
    assert!(
        figures["figures"].as_array().unwrap().iter().all(|figure| figure["per_second"].as_u64() > Some(0))
    );
    let signature = stdout(&run(dir.path(), "bench --signature").success());
    assert_eq!(signature.trim(), figures["signature"]);
    assert_eq!(signature.len(), 17);
    // The same, ten times as fast as it says it was, and one row that was not measured.
    let mut before = figures;
    let rows = before["figures"].as_array_mut().unwrap();
    rows.pop();
    for sample in rows.iter_mut().flat_map(|row| row["samples"].as_array_mut().unwrap()) {
        *sample = (sample.as_u64().unwrap() / 10).max(1).into();
    }
    let count = rows.len();
    fs::write(dir.path().join("before.json"), before.to_string()).unwrap();
    if long() {
        let compared = stdout(&run(dir.path(), "bench --seconds 0.02 --compare before.json").success());
        let ratio = |line: &str| line.rsplit_once(" (")?.0.rsplit_once(' ')?.1.parse::<f64>().ok();
        let ratios: Vec<f64> = compared.lines().filter(|line| line.contains('–')).filter_map(ratio).collect();
        assert_eq!(ratios.len(), count, "{compared}");
        assert!(ratios.iter().filter(|ratio| **ratio > 3.0).count() > count / 2, "{compared}");
    }
    before["figures"][0]["samples"].as_array_mut().unwrap().pop();
    fs::write(dir.path().join("less.json"), before.to_string()).unwrap();
    fails(run(dir.path(), "bench --compare less.json"), 2, &["less.json", "bench --json", "samples"]);
    before["figures"].as_array_mut().unwrap().clear();
    fs::write(dir.path().join("empty.json"), before.to_string()).unwrap();
    fails(run(dir.path(), "bench --compare empty.json"), 2, &["empty.json", "no figures"]);
    fails(run(dir.path(), "bench --compare none.json"), 2, &["none.json"]);
}
