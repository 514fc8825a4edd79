//! Plans of every kind of command: the shards and their merge come to the bytes of the undivided command.

use std::fs;

use super::plan::{plan, shell, text};
use crate::common::{arena, run, stdout};

/// A command of each kind but `run`, which the other tests are of.
const KINDS: [&str; 10] = [
    "label --deals 60 --chunk 10 --seed 1",
    "label --decisions --by random --deals 40 --chunk 10 --seed 1",
    "label --games --by random --by rules --deals 40 --chunk 10 --seed 1",
    "stats --deals 60 --bot rules --seed 1",
    "stats hands --deals 9 --seed 1",
    "bidding rules table --deals 9 --seed 1 --play rules",
    "judge rec",
    "train cards --rows --deals 12 --chunk 2 --seed 1",
    "sprt rules:caution=5 rules --lower 0 --upper 5 --seed 1 --max-deals 1k --every 64",
    "tune rules --param caution=-10..10:0:4 --deals 64 --batch 16 --verify 16 --seed 1",
];

#[test]
fn every_kind_of_command_comes_to_the_bytes_of_the_undivided_one() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run rules table+rules --deals 30 --seed 1 --records full --out rec").success();
    for (n, command) in KINDS.into_iter().enumerate() {
        let (out, one) = (format!("p{n}"), format!("one{n}"));
        let words: Vec<&str> = command.split(' ').collect();
        plan(dir.path(), &["--shards", "3", "--for", "shell", "--out", &out], &words);
        let at = dir.path().join(&out);
        let output = shell(&at, &["sh", "run.sh", "2"], None, &[]);
        assert!(matches!(output.status.code(), Some(0 | 10 | 11)), "{command}: {}", text(&output));
        let mut undivided = arena(dir.path());
        undivided.args(&words).args(["--progress", "none", "--threads", "2"]);
        let has_directory = ["label", "train", "sprt", "tune"].iter().any(|name| command.starts_with(name));
        if has_directory {
            undivided.args(["--out", &one]);
        }
        let printed = String::from_utf8(undivided.output().unwrap().stdout).unwrap();
        if has_directory {
            for entry in fs::read_dir(dir.path().join(&one)).unwrap() {
                let name = entry.unwrap().file_name();
                // They hold the time that it took.
                if !["run.json", "sprt.json", "tune.json", "checksums.txt", "verify"]
                    .iter()
                    .any(|timed| *timed == name)
                    || command.starts_with("label")
                {
                    let [one, whole] = [dir.path().join(&one), at.join("whole")]
                        .map(|place| fs::read(place.join(&name)).unwrap());
                    assert!(one == whole, "{command}: {} differs", name.display());
                }
            }
        } else {
            let whole = fs::read_to_string(at.join("whole.txt")).unwrap();
            let told = |text: &str| -> Vec<String> {
                let lines = text.trim_end().lines().filter(|line| !line.starts_with("written to "));
                let mut lines: Vec<String> = lines.map(str::to_owned).collect();
                while lines.last().is_some_and(String::is_empty) {
                    lines.pop();
                }
                lines
            };
            assert!(told(&whole) == told(&printed), "{command}: {whole}");
        }
        let status = stdout(&arena(dir.path()).args(["status", &out]).assert().success());
        assert!(status.contains("done: "), "{command}: {status}");
    }
}
