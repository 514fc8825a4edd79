//! Shards of commands of sums: interrupted, forged, and given to other commands.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::common::{fails, forge, run, signal, start, stdout};

/// Interrupts the command of a part as soon as its directory is there, and lets it go on.
#[cfg(unix)]
fn interrupted(directory: &Path, words: &str, deals: u64) {
    let part = format!("{words} --progress none --shard 1/1 --out part --threads 1");
    let mut child = start(directory, &part);
    // Its handler is set before.
    while !directory.join("part/part.json").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    signal(&child, "-INT");
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{words}: {ended:?}");
    let text = String::from_utf8(ended.stdout).unwrap();
    assert!(text.contains(", shard 1/1 of ") && text.ends_with(", in part\n"), "{text}");
    let missing = format!("to {} are missing: part is not complete, repeat its command", deals - 1);
    fails(run(directory, "merge part"), 1, &[&missing]);
    let verified = stdout(&run(directory, "verify part").success());
    assert!(verified.contains("the part is not finished: repeat its command"), "{verified}");
    run(directory, &part).success();
    let expected = stdout(&run(directory, &format!("{words} --progress none --csv tables")).success());
    assert_eq!(stdout(&run(directory, "merge part --csv tables").success()), expected);
    fs::remove_dir_all(directory.join("part")).unwrap();
}

#[cfg(unix)]
#[test]
fn a_part_that_is_interrupted_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run rules random --deals 40 --seed 1 --records full --out mine").success();
    interrupted(dir.path(), "stats --deals 9000 --seed 5 --bot rules", 9000);
    interrupted(dir.path(), "stats hands --deals 120 --seed 5", 120);
    interrupted(dir.path(), "bidding rules table --deals 300 --seed 5", 300);
    interrupted(dir.path(), "judge mine", 40);
}

#[test]
fn forged_parts_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let words = "stats --deals 30 --seed 1 --progress none";
    for part in 1..=3 {
        run(dir.path(), &format!("{words} --shard {part}/3 --out p{part}")).success();
    }
    let merge = |parts: &str| run(dir.path(), &format!("merge {parts}"));
    run(dir.path(), &format!("{words} --deals 60 --shard 2/6 --out more")).code(2);
    run(dir.path(), "stats --deals 60 --seed 1 --progress none --shard 2/6 --out more").success();
    fails(merge("p1 more p3"), 1, &["deals: 30 there, 60 now"]);

    let p2 = dir.path().join("p2");
    let (json, sums) = (p2.join("part.json"), p2.join("checksums.txt"));
    let [good, good_sums] = [&json, &sums].map(|path| fs::read(path).unwrap());
    let restore = || {
        fs::write(&json, &good).unwrap();
        fs::write(&sums, &good_sums).unwrap();
    };
    let commit =
        serde_json::from_slice::<serde_json::Value>(&good).unwrap()["identity"]["commit"].to_string();
    forge(&p2, "part.json", &commit, "\"0123456789ab\"");
    fails(merge("p1 p2 p3"), 1, &["p2/part.json is damaged: its fingerprint is not that of its settings"]);
    fails(run(dir.path(), "verify p2"), 1, &[]);
    restore();
    // A digit of a total: only the sums of the file tell.
    let text = String::from_utf8(good.clone()).unwrap();
    fs::write(&json, text.replacen("\"units\":10", "\"units\":11", 1)).unwrap();
    fails(merge("p1 p2 p3"), 1, &["part.json is damaged", "CRC-32"]);
    fails(run(dir.path(), "verify p2"), 1, &[]);
    fails(run(dir.path(), &format!("{words} --shard 2/3 --out p2")), 1, &["part.json is damaged"]);
    for (from, to, why) in [
        ("{\"Strain\":0}", "{\"Strain\":6}", "its totals"),
        ("[\"Suit\",[0,", "[\"Suit\",[8,", "not the numbers of a class of hands"),
        ("\"units\":", "\"unities\":", "unknown field"),
        ("\"v\":3", "\"v\":2", "format version 2"),
    ] {
        restore();
        forge(&p2, "part.json", from, to);
        fails(merge("p1 p2 p3"), 1, &["p2/part.json is damaged", why]);
        run(dir.path(), "verify p2").code(1);
    }
    restore();
    forge(&p2, "part.json", "\"done\":20,\"end\":20", "\"done\":20,\"end\":30");
    fails(merge("p1 p2"), 1, &["its first, last and missing deals do not fit together"]);
    run(dir.path(), "verify p2").code(1);
    restore();
    merge("p3 p1 p2").success();
}

#[test]
fn what_is_wrong_with_the_flags_of_a_part_is_told_with_the_remedy() {
    let dir = tempfile::tempdir().unwrap();
    let stats = |flags: &str| run(dir.path(), &format!("stats --deals 30 --progress none {flags}"));
    fails(stats("--shard 1/2 --out p"), 2, &["--shard 1/2 without --seed"]);
    fails(stats("--seed 1 --shard 1/2"), 2, &["expected a directory", "--shard 1/2 --out part"]);
    fails(stats("--seed 1 --shard 1/2 --out p --csv c"), 2, &["--csv: a part has no", "`arena merge`"]);
    fails(stats("--seed 1 --shard 9/99 --out p"), 2, &["is empty"]);
    assert!(!dir.path().join("p").exists());
    stats("--seed 1 --shard 1/2 --out p").success();
    fails(stats("--seed 1 --shard 2/2 --out p"), 2, &["shard: 1/2 there, 2/2 now", "--out"]);
    fails(stats("--seed 2 --shard 1/2 --out p"), 2, &["seed: 1 there, 2 now", "with other settings"]);
    fails(run(dir.path(), "run rules random --deals 5 --out p"), 3, &["p already holds a run (part.json)"]);
    run(dir.path(), "run rules random --deals 5 --seed 1 --out r").success();
    fails(stats("--seed 1 --shard 1/2 --out r"), 3, &["r already holds a run"]);
    for command in ["stats p", "judge p", "report p"] {
        fails(run(dir.path(), command), 2, &["p is a part of `arena stats --deals`: `arena merge`"]);
    }
    fails(run(dir.path(), "merge r --out w --csv c"), 2, &["--csv", "`arena report`"]);
    fails(run(dir.path(), "merge r"), 2, &["with --out"]);
    fails(run(dir.path(), "merge p r"), 1, &["one of `arena run`: give the parts of one command"]);
    stats("--seed 1 --shard 2/2 --out q").success();
    fails(run(dir.path(), "merge p q --out p/part.json"), 2, &["is a data file"]);
    fails(run(dir.path(), "merge p q --json"), 2, &["--json: only parts of `arena judge`"]);
    run(dir.path(), "run rules random --deals 5 --seed 1 --records full --out full").success();
    fails(run(dir.path(), "judge full --shard 1/2 --out j --json"), 2, &["--json: a part", "`arena merge`"]);
    fails(run(dir.path(), "judge - --shard 1/2 --out j"), 2, &["stdin is read only once"]);
    fails(run(dir.path(), "judge full --shard 1/2 --out j --sample 0.5"), 2, &["--shard 1/2 without --seed"]);
    run(dir.path(), "judge full --shard 1/2 --out j --progress none").success();
    fails(run(dir.path(), "merge j q"), 1, &["is a part of `arena stats --deals`, j one of `arena judge`"]);
    run(dir.path(), "run rules random --deals 5 --seed 2 --records full --out others").success();
    run(dir.path(), "judge others --shard 2/2 --out k --progress none").success();
    fails(run(dir.path(), "merge j k"), 1, &["different run", "records-crc32"]);
    run(dir.path(), "judge full --shard 2/2 --out l --progress none").success();
    run(dir.path(), "merge j l --csv tables").success();
    let rows = dir.path().join("l/decisions.csv.zst");
    let mut bytes = fs::read(&rows).unwrap();
    bytes[40] ^= 1;
    fs::write(&rows, bytes).unwrap();
    fails(run(dir.path(), "merge j l --csv again"), 1, &["decisions.csv.zst is damaged: its CRC-32"]);
    assert!(!dir.path().join("again/decisions.csv").exists());
    fails(run(dir.path(), "verify l"), 1, &[]);
    let held = fs::File::open(dir.path().join("p/part.lock")).unwrap();
    held.lock().unwrap();
    fails(stats("--seed 1 --shard 1/2 --out p"), 3, &["p is in use by another process"]);
}
