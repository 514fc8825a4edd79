//! The bot of the template goes through the arena like any other, and beats `random`.
#![allow(clippy::unwrap_used, reason = "a test may fail at once")]

use std::path::Path;
use std::process::Command;

/// What the program prints.
fn own_bot(directory: &Path, words: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_own-bot"));
    let output = command.current_dir(directory).args(words.split(' ')).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{words}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn it_is_a_bot_of_the_arena_and_beats_random() {
    let dir = tempfile::tempdir().unwrap();
    let program = |words: &str| own_bot(dir.path(), words);
    assert!(program("bots").contains("mine (bids and plays cards)\n  opens a long suit"));

    let run =
        program("run mine random --deals 1000 --seed 1 --records full --out run --threads 1 --progress none");
    assert!(run.contains("mine beats random"), "{run}");
    assert!(program("stats run --progress none").contains("mine"));
    assert!(program("report run").contains("mine beats random"));
    assert!(dir.path().join("run/report.html").is_file());

    let hand = ["advise", "--by", "mine:length=5", "--hand", "JS 9S AS TS 7S KD 7C 8C"];
    let advice = Command::new(env!("CARGO_BIN_EXE_own-bot")).args(hand).output().unwrap();
    assert!(String::from_utf8_lossy(&advice.stdout).contains("82S"), "{advice:?}");
}

#[cfg(unix)]
#[test]
fn it_speaks_the_line_protocol() {
    let dir = tempfile::tempdir().unwrap();
    let engine = format!("'{}' engine mine", env!("CARGO_BIN_EXE_own-bot"));
    let output = Command::new(env!("CARGO_BIN_EXE_own-bot"))
        .current_dir(dir.path())
        .args(["run", "mine", &format!("cmd:{engine}"), "--deals", "20", "--seed", "1"])
        .args(["--times", "none", "--progress", "none"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // Both are the same bot: every pair is a draw.
    assert!(String::from_utf8_lossy(&output.stdout).contains("0.0"), "{output:?}");
}
