//! Inputs that are far larger than any of their kind, or small and become so; and texts that command a terminal.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use crate::common::{arena, fails, run, stderr, stdout};

/// The most memory that a process may use, in kilobytes; the program itself takes some 30 MB.
const MEMORY: u64 = 600_000;

/// Runs a command that may use some memory only; a process that wants more ends without the message.
#[cfg(target_os = "linux")]
fn refused(root: &Path, words: &str, parts: &[&str]) {
    refused_within(MEMORY, root, words, parts);
}

/// The same with so many kilobytes of memory.
#[cfg(target_os = "linux")]
pub(super) fn refused_within(memory: u64, root: &Path, words: &str, parts: &[&str]) {
    let program = assert_cmd::cargo::cargo_bin("arena");
    let line = format!("ulimit -v {memory}; exec '{}' {words}", program.display());
    let output = Command::new("sh").args(["-c", &line]).current_dir(root).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
    assert!([Some(1), Some(2)].contains(&output.status.code()), "{words}: {:?} {message}", output.status);
    for part in parts {
        assert!(message.contains(part), "{words}: `{part}` is not in {message}");
    }
    assert!(message.len() < 3000, "{words}: {} bytes of message", message.len());
}

/// Compresses so many bytes to a few.
pub(super) fn bomb(path: &Path, start: &str, byte: u8, bytes: usize) {
    let mut out = zstd::Encoder::new(fs::File::create(path).unwrap(), 3).unwrap();
    out.write_all(start.as_bytes()).unwrap();
    let block = vec![byte; 1 << 20];
    for _ in 0..bytes >> 20 {
        out.write_all(&block).unwrap();
    }
    out.finish().unwrap();
    assert!(fs::metadata(path).unwrap().len() < 1 << 20);
}

#[cfg(target_os = "linux")]
#[test]
fn inputs_are_bounded() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    fs::write(root.join("deep.toml"), vec![b'['; 50 << 20]).unwrap();
    for words in [
        "rules deep.toml",
        "run rules random --rules deep.toml --out o",
        "run --config deep.toml --out o",
        "solve --rules deep.toml x",
    ] {
        refused(root, words, &["deep.toml", "more than 1 MB"]);
    }
    refused(root, "run table:file=deep.toml random --out o", &["deep.toml", "16 MB"]);
    let header = "deal,leg,rules,dealer,bot0,bot1,bot2,bot3,declarer,contract_value,strain,stake,made,tricks0,tricks1,\
                  card_points0,card_points1,belote_team,melds0,melds1,score0,score1,calls,faults\n";
    let gigabytes = 3 << 30;
    for (name, start, byte) in [
        ("header.zst", "x", b'x'),
        ("row.zst", header, b'7'),
        ("quoted.zst", &format!("{header}1,0,\""), b'\n'),
        ("json.zst", "{", b'['),
    ] {
        bomb(&root.join(name), start, byte, gigabytes);
        for to in ["csv", "jsonl"] {
            refused(root, &format!("export {name} --to {to} --out o.txt"), &[name]);
        }
        assert!(!root.join("o.txt").exists());
    }
    refused(root, "import header.zst --out o.jsonl", &["header.zst", "more than 1 MB"]);
    let many = format!("[Deal \"1\"]\n{}", "[Fault \"0 crash x\"]\n".repeat(100_000));
    fs::write(root.join("many.pbn"), many).unwrap();
    refused(root, "import many.pbn", &["many.pbn", "more than 10000 lines"]);
}

#[test]
fn errors_show_the_beginning_of_what_they_quote() {
    let dir = tempfile::tempdir().unwrap();
    let long = "x".repeat(900_000);
    fs::write(dir.path().join("a.jsonl"), format!("{{\"v\":1,\"deal\":0,\"hands\":[\"{long}\"]}}\n"))
        .unwrap();
    fs::write(dir.path().join("a.toml"), format!("bots = [\"{long}\"]\nseed = {long}\n")).unwrap();
    fs::write(dir.path().join("a.pbn"), format!("[Deal \"{long}\"]\n")).unwrap();
    fs::write(dir.path().join("a.txt"), format!("{long} | a | b | c\n")).unwrap();
    let bot = "y".repeat(50_000);
    for words in [
        "verify a.jsonl",
        "export a.jsonl --to pbn",
        "run --config a.toml --out o",
        "rules a.toml",
        "import a.pbn",
        "solve a.txt",
        "label a.txt --out l",
        "judge a.jsonl",
        "stats a.jsonl",
        &format!("run {bot} random --out o"),
    ] {
        let assert = run(dir.path(), words);
        let printed = stdout(&assert) + &stderr(&assert);
        let words = words.get(..60).unwrap_or(words);
        assert!(!assert.get_output().status.success(), "{words}");
        assert!(printed.len() < 3000, "{words}: {} bytes: {}", printed.len(), &printed[..2000]);
        assert!(!printed.contains(&"x".repeat(400)), "{words}: {printed}");
    }
}

#[test]
fn texts_of_others_do_not_command_the_terminal() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run random rules --deals 3 --seed 1 --records full --out r").success();
    let wild = "\\u001b[2J\\u0007\\u009b31m";
    let text = fs::read_to_string(dir.path().join("r/records.jsonl")).unwrap();
    let fault = format!("\"faults\":[{{\"seat\":0,\"kind\":\"illegal\",\"detail\":\"{wild}\"}}]");
    let text = text.replace("\"random\"", &format!("\"random{wild}\"")).replace("\"faults\":[]", &fault);
    assert!(text.contains(wild));
    fs::write(dir.path().join("wild.jsonl"), &text).unwrap();
    fs::write(dir.path().join("broken.jsonl"), text.replace("\"dealer\":0", "\"dealer\":\"\u{1b}[2J\""))
        .unwrap();
    for words in [
        "show wild.jsonl --deal 0",
        "verify wild.jsonl",
        "verify broken.jsonl",
        "judge wild.jsonl",
        "stats wild.jsonl",
        "export broken.jsonl --to pbn",
    ] {
        let assert = run(dir.path(), words);
        let printed = stdout(&assert) + &stderr(&assert);
        let commands = printed.chars().find(|letter| letter.is_control() && !"\n\t".contains(*letter));
        assert_eq!(commands, None, "{words}: {printed:?}");
    }
    let assert = arena(dir.path()).args(["run", "\u{1b}[31mred", "random"]).assert();
    fails(assert, 2, &["\\u{1b}[31mred"]);
}
