//! A tuning that several machines play, an iteration at a time: the bytes of the tuning of one machine.

use std::fs::{self, File};
use std::path::Path;

use assert_cmd::assert::Assert;

use super::waves::{MORE, code, shuffled};
use crate::common::{Random, arena, copy, fails, files, run, size, stderr, stdout};

/// A tuning of four iterations.
const WORDS: &str = "rules --param caution=-20..20:12:3 --param coinche=-50..50 --deals 240 --batch 60 --verify 200 \
                     --seed 7";

/// Plays a shard in a directory of its own.
fn shard(root: &Path, words: &str, out: &str, (number, of): (usize, usize)) -> Assert {
    let elsewhere = root.join(format!("machine-{}", number % 3));
    fs::create_dir_all(&elsewhere).unwrap();
    let mut command = arena(&elsewhere);
    command.arg("tune").args(words.split_whitespace()).arg("--out").arg(root.join(out));
    command.args(["--shard", &format!("{number}/{of}"), "--threads", &(1 + number % 3).to_string()]);
    command.assert()
}

/// Plays a step in shards, the last of them twice.
fn step(root: &Path, words: &str, out: &str, of: usize, random: &mut Random) -> Assert {
    let numbers = shuffled(of, random);
    for number in numbers.iter().chain(numbers.last()) {
        let assert = shard(root, words, out, (*number, of));
        assert_eq!(code(&assert), 0, "{}", stderr(&assert));
    }
    run(root, &format!("merge {out}"))
}

#[test]
fn shards_of_iterations_make_the_undivided_tuning() {
    let (dir, mut random) = (tempfile::tempdir().unwrap(), Random::fresh());
    let root = dir.path();
    for (n, (words, of, steps)) in [
        (WORDS, 2, Some(5)),
        (WORDS, 7, Some(5)),
        (
            "rules --param caution=-20..20:8 --against random --deals 80 --batch 40 --verify 50 --seed 1",
            3,
            Some(3),
        ),
        (
            "rules --param caution=-20..20:15 --freeze play=random --deals 60 --batch 60 --verify 0 --seed 1",
            2,
            Some(1),
        ),
        // Sides that are rounded to the same bot play nothing, and may be all of them.
        ("rules --param caution=-2..2:0:0.1 --deals 60 --batch 6 --verify 30 --seed 2", 2, None),
        ("rules --param caution=-2..2:0:0.001 --deals 9 --batch 3 --verify 30 --seed 2", 2, Some(0)),
        // More shards than deals.
        ("rules --param caution=-20..20:5 --deals 6 --batch 3 --verify 4 --seed 2", size(5, 64), None),
    ]
    .into_iter()
    .enumerate()
    {
        let (whole, out) = (format!("whole-{n}"), format!("mine-{n}"));
        let undivided = run(root, &format!("tune {words} --out {whole}")).success();
        let rows = fs::read_to_string(root.join(&whole).join("history.csv")).unwrap();
        let are_equal = rows.lines().skip(1).any(|row| row.split(',').nth(2) == Some("0"));
        assert_eq!(are_equal, words.contains("0.1") || words.contains("0.001"), "{rows}");
        let mut played = 0;
        let merged = loop {
            if steps == Some(0) {
                let over = shard(root, words, &out, (1, of)).success();
                assert!(stderr(&over).contains("is over"), "{}", stderr(&over));
                break None;
            }
            let merged = step(root, words, &out, of, &mut random);
            played += 1;
            if code(&merged) != MORE {
                break Some(merged);
            }
            assert!(stderr(&merged).contains(" is needed: arena tune "), "{}", stderr(&merged));
        };
        let Some(merged) = merged else { continue };
        assert!(steps.is_none_or(|steps| steps == played), "{played} steps: {words}");
        assert_eq!((code(&merged), stdout(&merged)), (0, stdout(&undivided)), "{}", stderr(&merged));
        assert_eq!(files(&root.join(&out)), files(&root.join(&whole)), "{words}");
        run(root, &format!("verify {out}")).success();
        assert!(!root.join(&out).join("steps").exists());
        // What is given again is done.
        let again = shard(root, words, &out, (1, of)).success();
        assert!(stderr(&again).contains("is over: nothing is left to play"), "{}", stderr(&again));
        assert_eq!(stdout(&run(root, &format!("merge {out}")).success()), stdout(&undivided));
    }
}

/// Iterations of one machine and of several may follow each other, and a merge may end before it has removed the shards.
#[test]
fn undivided_and_divided_go_on_from_each_other() {
    let (dir, mut random) = (tempfile::tempdir().unwrap(), Random::fresh());
    let root = dir.path();
    let whole = run(root, &format!("tune {WORDS} --out whole")).success();
    step(root, WORDS, "mine", 3, &mut random).code(MORE);
    shard(root, WORDS, "mine", (1, 2)).success();
    shard(root, WORDS, "mine", (2, 2)).success();
    copy(&root.join("mine/steps"), &root.join("kept"));
    run(root, "merge mine").code(MORE);
    copy(&root.join("kept"), &root.join("mine/steps"));
    let late = run(root, "merge mine").code(MORE);
    assert!(stderr(&late).contains("merged already: 2 of 4 iterations"), "{}", stderr(&late));
    assert!(!root.join("mine/steps").exists());
    fails(
        run(root, "merge mine"),
        1,
        &["there is no part to merge in mine/steps/000000000002", "--shard 1/N`"],
    );
    run(root, "verify mine").success();
    // A shard that nobody merges is in nobody's way.
    shard(root, WORDS, "mine", (2, 2)).success();
    let again = run(root, &format!("tune {WORDS} --out mine")).success();
    assert_eq!(stdout(&again), stdout(&whole));
    assert_eq!(stdout(&run(root, "merge mine").success()), stdout(&whole));
    assert_eq!(files(&root.join("mine")), files(&root.join("whole")));
}

#[test]
fn shards_that_make_no_iteration_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let play = |words: &str, number, of| shard(root, words, "mine", (number, of));
    let merge = || run(root, "merge mine");
    fs::create_dir_all(root.join("mine/steps")).unwrap();
    fails(merge(), 2, &["mine holds neither a tuning nor parts of one"]);
    play(WORDS, 2, 2).success();
    fails(
        merge(),
        1,
        &[
            "deals 0 to 29 are missing: mine/steps/000000000000/2-of-2 is the first part given",
            "not given: shard 1/2: make it with `arena tune rules --param",
            "--out mine --shard 1/2`",
        ],
    );
    for (from, to, parts) in [
        (
            "--seed 7",
            "--seed 8",
            &["2-of-2 holds a run with other settings", "bots", "seed: 7 there, 8 now"] as &[&str],
        ),
        ("--batch 60", "--batch 30", &["deals: 60 there, 30 now"]),
        ("--verify 200", "--verify 100", &["command: `arena tune ", "--verify 100"]),
    ] {
        fails(play(&WORDS.replace(from, to), 1, 2), 2, parts);
    }
    fails(play(&WORDS.replace("--seed 7", ""), 1, 2), 2, &["--shard needs --seed"]);
    play(WORDS, 1, 2).success();
    // Damage.
    let file = root.join("mine/steps/000000000000/2-of-2/part.json");
    let good = fs::read(&file).unwrap();
    let mut bytes = good.clone();
    let at = bytes.iter().rposition(u8::is_ascii_digit).unwrap();
    bytes[at] ^= 1;
    fs::write(&file, bytes).unwrap();
    fails(merge(), 1, &["2-of-2/part.json is damaged", "CRC-32"]);
    fs::write(&file, good).unwrap();
    fails(run(root, "merge mine --out other"), 2, &["leave out --out"]);
    // Somebody else is at work.
    let lock = File::create(root.join("mine/tune.toml")).unwrap();
    lock.lock().unwrap();
    fails(merge(), 3, &["mine is in use by another process"]);
    drop(lock);
    merge().code(MORE);
    fails(play(&WORDS.replace("--seed 7", "--seed 8"), 1, 2), 2, &["mine holds a run", "seed: 7 there"]);
    run(root, "run rules random --deals 4 --seed 1 --out run").success();
    fails(shard(root, WORDS, "run", (1, 2)), 3, &["run already holds a run"]);
}
