//! A sequential test that several machines play in waves: the bytes of the test of one machine.

use std::fs::{self, File};
use std::path::Path;

use assert_cmd::assert::Assert;
use coinche_selfplay::base::hash::Fnv;
use serde_json::Value;

use super::sequential::CLOSE;
use crate::common::{
    Random, arena, copy, fails, files, forge_part, json, long, program, run, signal, size, start, stderr,
    stdout,
};

/// The exit code of a merge after which another wave is needed.
pub(super) const MORE: i32 = 12;

pub(super) fn code(assert: &Assert) -> i32 {
    assert.get_output().status.code().unwrap()
}

/// Plays a shard, as another machine would: in a directory, an environment and with threads of its own.
fn shard(root: &Path, words: &str, out: &str, (number, of): (usize, usize), wave: &str) -> Assert {
    let elsewhere = root.join(format!("machine-{}", number % 3));
    fs::create_dir_all(&elsewhere).unwrap();
    let mut command = arena(&elsewhere);
    command.arg("sprt").args(words.split_whitespace()).arg("--out").arg(root.join(out));
    command.args(["--shard", &format!("{number}/{of}"), "--threads", &(1 + number % 3).to_string()]);
    command.args(wave.split_whitespace()).env("TZ", format!("UTC{}", number % 12)).assert()
}

/// The numbers of the shards in a random order.
pub(super) fn shuffled(of: usize, random: &mut Random) -> Vec<usize> {
    let mut numbers: Vec<usize> = (1..=of).collect();
    for n in (1..of).rev() {
        numbers.swap(n, random.below(n + 1));
    }
    numbers
}

/// Plays a whole test in waves of shards, the last of each given twice; returns the last merge and how many waves there
/// were.
fn in_waves(
    root: &Path,
    words: &str,
    out: &str,
    of: usize,
    wave: &str,
    random: &mut Random,
) -> (Assert, usize) {
    for waves in 1.. {
        let numbers = shuffled(of, random);
        for number in numbers.iter().chain(numbers.last()) {
            let assert = shard(root, words, out, (*number, of), wave);
            assert_eq!(code(&assert), 0, "{}", stderr(&assert));
        }
        let merged = run(root, &format!("merge {out}"));
        if code(&merged) != MORE {
            return (merged, waves);
        }
        assert!(stderr(&merged).contains("another wave is needed: arena sprt "), "{}", stderr(&merged));
        assert_eq!(stdout(&merged), "");
    }
    unreachable!("a test ends")
}

/// Plays a test undivided, and in waves; asserts that they are the same. Returns its exit code and the number of waves.
fn assert_undivided(
    root: &Path,
    name: &str,
    words: &str,
    of: usize,
    wave: &str,
    random: &mut Random,
) -> (i32, usize) {
    let (whole, out) = (format!("{name}-whole"), format!("{name}-waves"));
    let undivided = run(root, &format!("sprt {words} --out {whole}"));
    let (merged, waves) = in_waves(root, words, &out, of, wave, random);
    let what = format!("{words}, {of} shards {wave}: {}", stderr(&merged));
    assert_eq!(code(&merged), code(&undivided), "{what}");
    assert_eq!(stdout(&merged), stdout(&undivided), "{what}");
    assert_eq!(files(&root.join(&out)), files(&root.join(&whole)), "{what}");
    run(root, &format!("verify {out}")).success();
    // Nothing is left of the waves, and what is given again is done.
    assert!(!root.join(&out).join("waves").exists(), "{what}");
    let again = shard(root, words, &out, (1, of), wave);
    assert_eq!(code(&again), 0);
    assert!(stderr(&again).contains("is over: nothing is left to play"), "{}", stderr(&again));
    let again = run(root, &format!("merge {out}"));
    assert_eq!((code(&again), stdout(&again)), (code(&undivided), stdout(&undivided)), "{what}");
    (code(&undivided), waves)
}

#[test]
fn shards_of_waves_make_the_undivided_test() {
    let (dir, mut random) = (tempfile::tempdir().unwrap(), Random::fresh());
    let control = "table+rules rules:caution=5 --lower 20 --upper 22 --every 100 --first 150 --max-deals 900 --seed 11 \
                   --control table+rules rules --control-deals 2000";
    let matches =
        "rules:caution=3 rules --match --lower -2 --upper 2 --every 8 --first 16 --max-deals 40 --seed 4";
    let frozen = "rules:caution=15 rules --freeze play=random --lower 0 --upper 1 --every 40 --seed 5 \
                  --max-deals 200 --first 40 --rules coinche --set scoring.failed=150";
    for (n, (words, of, wave, ended)) in [
        (format!("{CLOSE} --max-deals 730"), 2, "--wave 233", (11, 4)),
        (format!("{CLOSE} --max-deals 730"), 7, "", (11, 1)),
        (format!("{CLOSE} --max-deals 730"), size(9, 64), "--wave 400", (11, 2)),
        // The default: sixteen looks a shard.
        ("random rules --lower 0 --upper 5 --seed 1 --every 10 --first 200".to_owned(), 1, "", (10, 2)),
        ("rules random --lower 0 --upper 20 --seed 3 --every 64".to_owned(), 7, "--wave 300", (0, 2)),
        (control.to_owned(), 7, "--wave 350", (11, 3)),
        (matches.to_owned(), 2, "--wave 25", (11, 2)),
        (frozen.to_owned(), 2, "", (11, 1)),
    ]
    .into_iter()
    .enumerate()
    {
        let found = assert_undivided(dir.path(), &n.to_string(), &words, of, wave, &mut random);
        assert_eq!(found, ended, "{words}");
    }
}

/// Whatever the plan, the waves and the shards: the same look decides, at the same deal.
#[test]
fn random_plans_decide_at_the_same_deal() {
    let (dir, mut random) = (tempfile::tempdir().unwrap(), Random::fresh());
    let mut ends = [false; 2];
    for n in 0..size(5, 60) {
        let mut below = |n: usize| random.below(n);
        let (every, most) = (1 + below(90), 60 + below(700));
        let (lower, width) = (5 * below(5), 5 + below(20));
        let bots =
            ["rules random", "random rules", "rules:caution=6 rules", "rules random:pass=0.6"][below(4)];
        let words = format!(
            "{bots} --lower -{lower} --upper {} --every {every} --first {} --max-deals {most} --seed {}",
            width - lower.min(width - 1),
            below(300),
            below(1000),
        );
        let (of, wave) = (1 + below(4), format!("--wave {}", most / 4 + 1 + below(most)));
        let (code, _) = assert_undivided(dir.path(), &n.to_string(), &words, of, &wave, &mut random);
        ends[usize::from(code == 11)] = true;
        fs::remove_dir_all(dir.path().join(format!("{n}-whole"))).unwrap();
        fs::remove_dir_all(dir.path().join(format!("{n}-waves"))).unwrap();
    }
    assert!(!long() || ends == [true; 2], "some tests decide, and some do not");
}

/// A test may be played undivided for a while, in waves of any division, and undivided again.
#[test]
fn undivided_and_divided_go_on_from_each_other() {
    let (dir, mut random) = (tempfile::tempdir().unwrap(), Random::fresh());
    let words = |most: u64| format!("{CLOSE} --max-deals {most}");
    let whole = stdout(&run(dir.path(), &format!("sprt {} --out whole", words(1000))).code(11));
    run(dir.path(), &format!("sprt {} --out mixed", words(333))).code(11);
    for of in [2, 3] {
        let numbers = shuffled(of, &mut random);
        for number in numbers {
            shard(dir.path(), &words(1000), "mixed", (number, of), "--wave 150").success();
        }
        run(dir.path(), "merge mixed").code(MORE);
    }
    // Until it ends undecided, and may be longer after all.
    let (merged, _) = in_waves(dir.path(), &words(800), "mixed", 2, "--wave 100", &mut random);
    assert_eq!(code(&merged), 11);
    shard(dir.path(), &words(1000), "mixed", (1, 2), "--wave 50").success();
    shard(dir.path(), &words(1000), "mixed", (2, 2), "--wave 50").success();
    run(dir.path(), "merge mixed").code(MORE);
    // A shard that nobody merges is in nobody's way.
    shard(dir.path(), &words(1000), "mixed", (1, 2), "").success();
    let again = run(dir.path(), &format!("sprt {} --out mixed", words(1000))).code(11);
    assert_eq!(stdout(&again), whole);
    assert_eq!(stdout(&run(dir.path(), "merge mixed").code(11)), whole);
    assert_eq!(files(&dir.path().join("mixed")), files(&dir.path().join("whole")));
}

/// Starts a shard of a long wave, and ends it after a while.
fn ended(root: &Path, words: &str, name: &str) {
    let child = start(root, words);
    let file = root.join("mine/waves/000000000000/1-of-1/part.json");
    let before = fs::read(&file).unwrap_or_default();
    // Until something more is saved.
    for _ in 0..500 {
        std::thread::sleep(std::time::Duration::from_millis(20));
        let now = fs::read(&file).unwrap_or_default();
        if now.len() > before.len() + 2000 {
            break;
        }
    }
    signal(&child, name);
    let output = child.wait_with_output().unwrap();
    // On a busy machine the shard may be done before.
    assert!(name == "-KILL" || matches!(output.status.code(), Some(0 | 130)), "{output:?}");
}

#[cfg(unix)]
#[test]
fn a_killed_shard_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let words = "rules+random random+rules --lower -100000 --upper 100000 --alpha 1e-300 --beta 1e-300 --every 1000 \
                 --max-deals 30000 --seed 3 --threads 1";
    let whole = run(dir.path(), &format!("sprt {words} --out whole"));
    let part = format!("sprt {words} --out mine --shard 1/1 --wave 30000");
    for signal in ["-KILL", "-INT", "-KILL"] {
        ended(dir.path(), &part, signal);
    }
    let done = |path: &Path| json(path)["done"].clone();
    let file = dir.path().join("mine/waves/000000000000/1-of-1/part.json");
    let played = done(&file).as_u64().unwrap();
    assert!(played > 0, "something was saved");
    if played < 30_000 {
        let message = format!(
            "deals {played} to 29999 are missing: mine/waves/000000000000/1-of-1 is not complete, repeat `arena sprt "
        );
        fails(run(dir.path(), "merge mine"), 1, &[&message]);
    }
    run(dir.path(), &part).success();
    assert_eq!(done(&file), 30_000);
    let merged = run(dir.path(), "merge mine");
    assert_eq!((code(&merged), stdout(&merged)), (code(&whole), stdout(&whole)));
    assert_eq!(files(&dir.path().join("mine")), files(&dir.path().join("whole")));
}

/// The directory of a part of the first wave.
fn part(root: &Path, name: &str) -> std::path::PathBuf {
    root.join("mine/waves/000000000000").join(name)
}

/// Writes a part again with a change, and its sum.
fn forge(root: &Path, name: &str, change: impl Fn(&mut Value)) {
    forge_part(&part(root, name), change);
}

#[test]
fn shards_that_make_no_wave_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let (root, words) = (dir.path(), format!("{CLOSE} --max-deals 700"));
    let play = |words: &str, number, of, wave| shard(root, words, "mine", (number, of), wave);
    let merge = || run(root, "merge mine");
    fails(merge(), 1, &["mine is no run and no part"]);
    fs::create_dir_all(root.join("mine/waves")).unwrap();
    fails(merge(), 2, &["mine holds neither a sequential test nor parts of one"]);
    play(&words, 2, 3, "--wave 300").success();
    fails(
        merge(),
        1,
        &[
            "deals 0 to 99 are missing: mine/waves/000000000000/2-of-3 is the first part given",
            "not given: shards 1/3, 3/3: make it with `arena sprt rules:caution=5 rules",
            "--seed 5 --rules bga --out mine --wave 300 --shard 1/3`",
        ],
    );
    // Of something else than the other shards.
    for (from, to, parts) in [
        (
            "--seed 5",
            "--seed 6",
            &["2-of-3 holds a run with other settings", "seed: 5 there, 6 now"] as &[&str],
        ),
        ("--upper 1", "--upper 2", &["command: `arena sprt ", " --upper 1 ", " --upper 2 "]),
        ("rules --lower", "random --lower", &["bots"]),
        ("--max-deals 700", "--max-deals 700 --rules coinche", &["rules: bga there, coinche now"]),
        ("--max-deals 700", "--max-deals 200", &["deals: 300 there, 200 now"]),
    ] {
        fails(play(&words.replace(from, to), 1, 3, "--wave 300"), 2, parts);
    }
    fails(play(&words, 1, 3, "--wave 100"), 2, &["deals: 300 there, 100 now"]);
    fails(play(&words.replace("--seed 5", ""), 1, 3, "--wave 300"), 2, &["--shard needs --seed"]);
    fails(play(&words, 4, 3, "--wave 300"), 2, &["expected i/n"]);
    fails(run(root, &format!("sprt {words} --wave 300")), 2, &["--shard"]);
    play(&words, 1, 3, "--wave 300").success();
    fails(merge(), 1, &["shard 3/3: make it with `"]);
    play(&words, 3, 3, "--wave 300").success();
    fails(run(root, "merge mine --out other"), 2, &["leave out --out"]);
}

/// Plays three shards of a wave.
fn three_shards(root: &Path) -> String {
    let words = format!("{CLOSE} --max-deals 700");
    for number in 1..=3 {
        shard(root, &words, "mine", (number, 3), "--wave 300").success();
    }
    words
}

#[test]
fn damaged_and_forged_shards_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let (root, merge) = (dir.path(), || run(dir.path(), "merge mine"));
    three_shards(root);
    // The good ones are kept aside.
    copy(&root.join("mine/waves/000000000000"), &root.join("good"));
    let again = || {
        fs::remove_dir_all(root.join("mine/waves/000000000000")).unwrap();
        copy(&root.join("good"), &root.join("mine/waves/000000000000"));
    };
    let file = part(root, "2-of-3").join("part.json");
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.iter().rposition(u8::is_ascii_digit).unwrap();
    bytes[at] ^= 1;
    fs::write(&file, bytes).unwrap();
    fails(merge(), 1, &["2-of-3/part.json is damaged", "CRC-32"]);
    again();
    fs::remove_dir_all(part(root, "3-of-3")).unwrap();
    copy(&part(root, "2-of-3"), &part(root, "3-of-3"));
    fails(merge(), 1, &["3-of-3/part.json is damaged: it is part 2/3, in the place of 3/3"]);
    again();
    let other_commit = |value: &mut Value| {
        value["identity"]["commit"] = "0123456789ab".into();
        let settings = value["identity"]["settings"].clone();
        let settings: toml::Table = serde_json::from_value(settings).unwrap();
        let fingerprint = format!("{:016x}", Fnv::of(&format!("0123456789ab\n{settings}")));
        value["identity"]["fingerprint"] = fingerprint.into();
    };
    forge(root, "2-of-3", other_commit);
    fails(
        merge(),
        1,
        &[
            "2-of-3 is a shard of a different run than mine/waves/000000000000/1-of-3",
            "commit: ",
            "0123456789ab now",
        ],
    );
    forge(root, "1-of-3", other_commit);
    forge(root, "3-of-3", other_commit);
    fails(merge(), 1, &["were made by another build", "commit: 0123456789ab there"]);
    again();
    forge(root, "2-of-3", |value| value["identity"]["commit"] = "0123456789ab".into());
    fails(merge(), 1, &["2-of-3/part.json is damaged", "fingerprint"]);
    again();
    forge(root, "1-of-3", |value| {
        let end = value["sums"]["stretches"][0]["end"].as_u64().unwrap();
        value["sums"]["stretches"][0]["end"] = (end - 1).into();
    });
    fails(merge(), 1, &["1-of-3/part.json is damaged: its stretches are not of its deals"]);
    again();
    forge(root, "1-of-3", |value| value["command"] = "arena sprt --no-such-flag".into());
    fails(merge(), 1, &["1-of-3", "command"]);
    again();
    assert!(!root.join("mine/part.json").exists(), "nothing was merged so far");
}

#[test]
fn others_at_work_and_other_divisions() {
    let dir = tempfile::tempdir().unwrap();
    let (root, merge) = (dir.path(), || run(dir.path(), "merge mine"));
    let words = three_shards(root);
    let play = |words: &str, number, of, wave| shard(root, words, "mine", (number, of), wave);
    let lock = |path: &Path| {
        let file = File::create(path).unwrap();
        file.lock().unwrap();
        file
    };
    let held = lock(&part(root, "2-of-3").join("part.lock"));
    fails(play(&words, 2, 3, "--wave 300"), 3, &["2-of-3 is in use by another process"]);
    drop(held);
    let held = lock(&root.join("mine/config.toml"));
    fails(merge(), 3, &["mine is in use by another process"]);
    drop(held);
    // An older division of the wave is in nobody's way.
    play(&words, 1, 2, "--wave 500").success();
    merge().code(MORE);
    assert!(!root.join("mine/waves").exists());
    fails(merge(), 1, &["there is no part to merge in mine/waves/000000000300", "--out mine --shard 1/N`"]);
    run(root, "verify mine").success();
    // The test is of other settings than the shard.
    fails(play(&words.replace("--seed 5", "--seed 6"), 1, 2, ""), 2, &["mine holds a run", "seed: 5 there"]);
    fails(play(&words.replace("--upper 1", "--upper 2"), 1, 2, ""), 2, &["upper: 1.0 there, 2.0 now"]);
    assert!(!root.join("mine/waves").exists());
    fs::create_dir_all(root.join("mine/waves/000000000900")).unwrap();
    fails(merge(), 1, &["mine/waves/000000000900 is of a later step than the next one, 300"]);
}

/// More shards than deals: those without deals are made like the others, and have none.
#[test]
fn shards_without_deals_are_whole() {
    let (dir, mut random) = (tempfile::tempdir().unwrap(), Random::fresh());
    let words = "rules random --lower -9 --upper 9 --every 1 --first 1 --max-deals 3 --seed 2";
    let assert = shard(dir.path(), words, "first", (1, 7), "");
    assert!(stderr(&assert).contains("has no deals"), "{}", stderr(&assert));
    assert_undivided(dir.path(), "few", words, 7, "", &mut random);
}

/// Programs as bots.
#[cfg(unix)]
#[test]
fn programs_play_waves() {
    let (dir, mut random) = (tempfile::tempdir().unwrap(), Random::fresh());
    let program = program();
    let bot = format!("cmd:{program} engine rules:caution=9");
    let words = [&bot, "rules", "--lower", "-1", "--upper", "1", "--every", "8", "--first", "8"];
    let rest = ["--max-deals", "24", "--seed", "3", "--progress", "none"];
    let play = |more: &[&str]| {
        arena(dir.path()).arg("sprt").args(words).args(rest).args(["--threads", "2"]).args(more).assert()
    };
    let whole = play(&["--out", "whole"]);
    for wave in 0..2 {
        for number in shuffled(2, &mut random) {
            play(&["--out", "mine", "--shard", &format!("{number}/2"), "--wave", "13"]).success();
        }
        let merged = run(dir.path(), "merge mine");
        assert_eq!(code(&merged), if wave == 0 { MORE } else { code(&whole) }, "{}", stderr(&merged));
    }
    assert_eq!(stdout(&run(dir.path(), "merge mine")), stdout(&whole));
    let undivided = files(&dir.path().join("whole"));
    assert_eq!(files(&dir.path().join("mine")), undivided);
    let timing =
        |out: &str| json(&dir.path().join(out).join("run.json"))["timing"]["programs"][0]["name"].clone();
    assert_eq!(timing("mine"), "rules:caution=9");
    assert_eq!(timing("mine"), timing("whole"));
}

/// What a program that crashes says on its standard error outlives its shard.
#[cfg(unix)]
#[test]
fn what_programs_said_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let program = program();
    let bot = format!("cmd:name=crash,run={program} engine random:pass=0.6 --inject crash/40");
    let words =
        "--lower -1 --upper 1 --every 8 --first 8 --max-deals 8 --seed 3 --forfeit --shard 1/1 --out mine";
    arena(dir.path()).args(["sprt", &bot, "rules"]).args(words.split(' ')).assert().success();
    run(dir.path(), "merge mine").code(11);
    let said = dir.path().join("mine/stderr/waves-000000000000-1-of-1/crash.txt");
    assert!(fs::read_to_string(said).unwrap().contains("exit code 3"));
    assert!(!dir.path().join("mine/waves").exists());
    run(dir.path(), "verify mine").success();
}

/// A merge, and a shard, that fail or are killed at any operation on the disk are done again.
#[test]
fn every_write_of_a_wave_may_fail() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let words = "random rules --lower 0 --upper 5 --seed 1 --every 50 --first 100 --progress none";
    let whole = run(root, &format!("sprt {words} --out whole")).code(10);
    let faulty = |words: &str, kind: &str, n: u64| {
        let mut command = arena(root);
        command.args(words.split(' ')).env("COINCHE_WRITE_FAULT", format!("{kind}:{n}"));
        let assert = command.assert();
        let message = stderr(&assert);
        assert!(!message.contains("panicked"), "{kind}:{n}: {message}");
        message.contains("COINCHE_WRITE_FAULT")
    };
    let part = |number: u64| format!("sprt {words} --out mine --shard {number}/2 --wave 400 --threads 1");
    let kinds: &[&str] = if long() { &["once", "full", "kill"] } else { &["kill"] };
    for kind in kinds {
        let mut found = [0; 2];
        for n in 1.. {
            let was_faulty = faulty(&part(1), kind, n);
            run(root, &part(1)).success();
            if !was_faulty {
                break;
            }
            found[0] = n;
            if n % 4 > 0 {
                fs::remove_dir_all(root.join("mine")).unwrap();
                continue;
            }
            run(root, &part(2)).success();
            run(root, "merge mine").code(10);
            assert_eq!(files(&root.join("mine")), files(&root.join("whole")), "{kind}:{n}");
            fs::remove_dir_all(root.join("mine")).unwrap();
        }
        run(root, &part(2)).success();
        copy(&root.join("mine"), &root.join("parts"));
        for n in 1.. {
            let was_faulty = faulty("merge mine", kind, n);
            let again = run(root, "merge mine").code(10);
            assert_eq!(stdout(&again), stdout(&whole), "{kind}:{n}");
            assert_eq!(files(&root.join("mine")), files(&root.join("whole")), "{kind}:{n}");
            fs::remove_dir_all(root.join("mine")).unwrap();
            if !was_faulty {
                break;
            }
            found[1] = n;
            copy(&root.join("parts"), &root.join("mine"));
        }
        fs::remove_dir_all(root.join("parts")).unwrap();
        assert!(found.iter().all(|found| *found > 8), "{found:?} operations on the disk");
    }
}
