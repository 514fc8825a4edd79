//! `arena play` through a pipe.

use crate::common::{arena, run, stderr, stdout};

/// What someone types who tries everything until it is taken: passes, then all cards again and again.
fn everything() -> String {
    let ranks = ["7", "8", "9", "10", "V", "dame ", "R", "A"];
    let cards: String = ["pique", "♥", "carreau", "trèfle"]
        .iter()
        .flat_map(|suit| ranks.map(|rank| format!("{rank}{suit}\n")))
        .collect();
    "passe\n".repeat(8) + &cards.repeat(8)
}

#[test]
fn deals_are_played_through_a_pipe_and_read_by_the_other_commands() {
    let dir = tempfile::tempdir().unwrap();
    let words =
        ["play", "--partner", "rules", "--others", "rules", "--seed", "5", "--deals", "1", "--threads", "1"];
    let assert =
        arena(dir.path()).args(words).args(["--out", "mine"]).write_stdin(everything()).assert().success();
    let text = stdout(&assert);
    for part in
        ["Seed 5", "Your hand: ♠ ", "Legal: pass, ", "Trick 8: ", "1 deal played", "mine/records.jsonl"]
    {
        assert!(text.contains(part), "`{part}` is not in {text}");
    }
    assert_eq!(stderr(&assert), "");
    let text = stdout(&run(dir.path(), "verify mine").success());
    assert!(text.contains("1 record"), "{text}");
    assert!(stdout(&run(dir.path(), "show mine --deal 0").success()).contains("human"));
    assert!(stdout(&run(dir.path(), "judge mine --progress none").success()).contains("human"));
    // Another game does not write over it.
    let again = arena(dir.path()).args(words).args(["--out", "mine"]).write_stdin("").assert().code(3);
    assert!(stderr(&again).contains("records.jsonl"));
    // Without input it ends at once, and a seed is drawn.
    let assert = arena(dir.path()).args(["play", "--rules", "belote"]).write_stdin("").assert().success();
    assert!(stdout(&assert).contains("Seed ") && stdout(&assert).contains("Turned up: "));
}

#[cfg(unix)]
#[test]
fn programs_sit_at_the_table_and_play_as_they_do_in_a_run() {
    let dir = tempfile::tempdir().unwrap();
    let program = format!("cmd:name=rulez,run='{}' engine rules", env!("CARGO_BIN_EXE_arena"));
    let told = |others: &str, out: &str| {
        let words = ["play", "--partner", "rules", "--seed", "5", "--deals", "2", "--threads", "1"];
        let assert = arena(dir.path())
            .args(words)
            .args(["--others", others, "--out", out])
            .write_stdin(everything())
            .assert()
            .success();
        assert_eq!(stderr(&assert), "");
        stdout(&assert).replace(out, "mine")
    };
    let ours = told("rules", "dir-a");
    let theirs = told(&program, "dir-b");
    assert!(theirs.contains("left and right: rulez."), "{theirs}");
    assert_eq!(theirs.replace("rulez", "rules"), ours);
    assert!(stdout(&run(dir.path(), "verify dir-b").success()).contains("agree"));

    // One that dies forfeits the deal, and the game goes on.
    let script = r#"
read hello; echo '{"type":"hello","protocol":1,"name":"mortal"}'
read start; echo '{"type":"ready"}'
read question; echo 'no card' >&2; exit 3
"#;
    std::fs::write(dir.path().join("mortal.sh"), script).unwrap();
    let assert = arena(dir.path())
        .args(["play", "--seed", "5", "--deals", "1", "--others", "cmd:sh mortal.sh"])
        .write_stdin(everything())
        .assert()
        .success();
    let text = stdout(&assert);
    assert!(text.contains("failed and forfeits the deal") && text.contains("1 deal played"), "{text}");
    assert!(stderr(&assert).contains("mortal: ended with exit code 3"), "{}", stderr(&assert));
    assert!(stderr(&assert).contains("no card"), "{}", stderr(&assert));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_game_in_good_order() {
    use std::io::Read as _;
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["play", "--seed", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    let (mut text, mut byte) = (Vec::new(), [0]);
    while !text.ends_with(b"> ") && out.read(&mut byte).unwrap() > 0 {
        text.push(byte[0]);
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    out.read_to_end(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(String::from_utf8(text).unwrap().contains("0 deals played"));
}
