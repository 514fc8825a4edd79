//! `arena merge` of labels and rows: the bytes of the undivided command, and shards that do not make one.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{Random, arena, fails, run, stderr, stdout};

/// All files of a directory.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .collect()
}

/// What has shards, and how many chunks.
const COMMANDS: [(&str, usize); 5] = [
    ("label --deals 65 --seed 9 --chunk 1 --strains C", 65),
    ("label deals.txt --chunk 3 --strains H --leaders all --table csv", 8),
    ("label --decisions --deals 23 --seed x --chunk 3 --rules contree", 8),
    ("label --decisions --deals 15 --seed 9 --chunk 2 --which all --table npy --by random", 8),
    ("train cards --rows --deals 40 --seed 1 --chunk 5 --bidders rules table", 8),
];

/// Deals as lines, one of them empty.
fn deals(directory: &Path) {
    run(directory, "label --deals 21 --seed 2 --strains C --table csv --out csv").success();
    let mut table = csv::Reader::from_path(directory.join("csv/part-000000.csv")).unwrap();
    let mut lines: Vec<String> = table
        .deserialize()
        .map(|row: Result<BTreeMap<String, String>, _>| row.unwrap())
        .map(|row| [0, 1, 2, 3].map(|seat| row[&format!("hand{seat}")].clone()).join(" | "))
        .collect();
    lines.insert(4, String::new());
    fs::write(directory.join("deals.txt"), lines.join("\n")).unwrap();
}

/// Makes a shard, perhaps on another machine, and perhaps not at the first attempt.
fn make(here: &Path, elsewhere: &Path, words: &str, out: &Path, random: &mut Random) {
    let mut words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let threads = (random.below(3) + 1).to_string();
    words.extend(["--progress", "none", "--threads", &threads, "--out"].map(str::to_owned));
    words.push(out.to_str().unwrap().to_owned());
    let other = random.below(2) == 0 && !words.contains(&"deals.txt".to_owned());
    let place = if other { elsewhere } else { here };
    if random.below(5) == 0 {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("arena"))
            .args(&words)
            .current_dir(place)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(random.below(60) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    for _ in 0..=usize::from(random.below(8) == 0) {
        arena(place).args(&words).env("LC_ALL", "fr_FR.UTF-8").assert().success();
    }
}

/// Mixes.
fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for at in (1..items.len()).rev() {
        items.swap(at, random.below(at + 1));
    }
}

#[test]
fn shards_of_any_number_merge_to_the_bytes_of_one_command() {
    let dir = tempfile::tempdir().unwrap();
    let [here, elsewhere] = ["here", "elsewhere"].map(|name| dir.path().join(name));
    fs::create_dir(&here).unwrap();
    fs::create_dir(&elsewhere).unwrap();
    deals(&here);
    let mut random = Random::fresh();
    for (number, (words, chunks)) in COMMANDS.into_iter().enumerate() {
        let undivided = here.join(number.to_string());
        fs::create_dir(&undivided).unwrap();
        fs::copy(here.join("deals.txt"), undivided.join("deals.txt")).unwrap();
        let told = stdout(&run(&undivided, &format!("{words} --out whole")).success());
        let expected = files(&undivided.join("whole"));
        assert_eq!(expected.keys().filter(|name| name.contains("parquet")).count() % chunks, 0);
        for of in [2, 7, 64].into_iter().filter(|of| *of <= chunks) {
            let at = dir.path().join(format!("{number}-{of}"));
            fs::create_dir(&at).unwrap();
            let mut shards: Vec<usize> = (1..=of).collect();
            shuffle(&mut shards, &mut random);
            for shard in &shards {
                let words = format!("{words} --shard {shard}/{of}");
                make(&here, &elsewhere, &words, &at.join(shard.to_string()), &mut random);
            }
            shuffle(&mut shards, &mut random);
            let names: Vec<_> = shards.iter().map(usize::to_string).collect();
            let merge = format!("merge {} --out whole", names.join(" "));
            let assert = run(&at, &merge).success();
            // Which file the lines are of is not kept.
            let lines = "22 lines labelled, a file, in whole\n";
            assert_eq!(stdout(&assert), if words.contains("deals.txt") { lines } else { &told });
            assert!(stderr(&assert).starts_with(&format!("{of} shards with ")), "{}", stderr(&assert));
            assert!(files(&at.join("whole")) == expected, "{words} in {of} shards");
            run(&at, "verify whole").success();
        }
    }
    // Points are read from the whole as from one.
    let at = dir.path().join("0-7");
    let hands = |place: &Path| stdout(&run(place, "stats hands whole").success());
    assert_eq!(hands(&at), hands(&here.join("0")));
    // And from a shard, the first parts of which are elsewhere.
    assert!(stdout(&run(&at, "stats hands 2").success()).contains("seed 9"));
}

/// Makes the three shards of a few labels in a directory, and the whole; returns the files of the whole.
fn three(root: &Path, words: &str) -> BTreeMap<String, Vec<u8>> {
    for shard in 1..=3 {
        run(root, &format!("{words} --shard {shard}/3 --out {shard}")).success();
    }
    run(root, &format!("{words} --out whole")).success();
    files(&root.join("whole"))
}

const WORDS: &str = "label --deals 23 --seed 9 --chunk 4 --strains C --progress none";

#[test]
fn an_interrupted_merge_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let expected = three(dir.path(), WORDS);
    let merged = dir.path().join("m");
    let merge = || stdout(&run(dir.path(), "merge 3 1 2 --out m").success());
    assert_eq!(merge(), "23 deals labelled, seed 9, in m\n");
    assert_eq!(merge(), "0 deals labelled (23 were there before), seed 9, in m\n");
    // Without its sums, and with a file that was being copied.
    fs::remove_file(merged.join("checksums.txt")).unwrap();
    fs::remove_file(merged.join("part-000003.csv")).unwrap();
    fs::write(merged.join("part-000003.csv.unfinished"), "ver").unwrap();
    // A file that is written over is that of the shard too.
    fs::remove_file(merged.join("part-000004.csv")).unwrap();
    fs::write(merged.join("part-000004.csv"), "ver").unwrap();
    merge();
    fs::remove_file(merged.join("part-000003.csv.unfinished")).unwrap();
    assert!(files(&merged) == expected);
    // What is lost of it is taken again; and the undivided command takes it for its own.
    fs::remove_file(merged.join("part-000005.parquet")).unwrap();
    assert_eq!(merge(), "3 deals labelled (20 were there before), seed 9, in m\n");
    let told = stdout(&run(dir.path(), &format!("{WORDS} --out m")).success());
    assert_eq!(told, "0 deals labelled (23 were there before), seed 9, in m\n");
    // The shards are as they were.
    for shard in 1..=3 {
        run(dir.path(), &format!("verify {shard}")).success();
    }
}

/// Files are second names of those of the shards, and stay when the shards go.
#[cfg(unix)]
#[test]
fn files_are_linked() {
    use std::os::unix::fs::MetadataExt;

    let dir = tempfile::tempdir().unwrap();
    let expected = three(dir.path(), WORDS);
    run(dir.path(), "merge 1 2 3 --out m").success();
    let number = |path: &str| fs::metadata(dir.path().join(path)).unwrap().ino();
    assert_eq!(number("m/part-000003.csv"), number("2/part-000003.csv"));
    assert_ne!(number("m/labels.toml"), number("2/labels.toml"));
    for shard in ["1", "2", "3"] {
        fs::remove_dir_all(dir.path().join(shard)).unwrap();
    }
    assert!(files(&dir.path().join("m")) == expected);
}

#[test]
fn every_write_of_a_merge_may_fail() {
    let dir = tempfile::tempdir().unwrap();
    let words = "label --deals 3 --chunk 1 --seed 1 --strains C --table csv --progress none";
    let expected = three(dir.path(), words);
    for kind in ["once", "full", "kill"] {
        let (mut n, mut failed, mut copied) = (0, 0, 0);
        loop {
            n += 1;
            let mut command = arena(dir.path());
            command.args("merge 1 2 3 --out m".split(' ')).env("COINCHE_WRITE_FAULT", format!("{kind}:{n}"));
            let assert = command.assert();
            let is_over = !stderr(&assert).contains("COINCHE_WRITE_FAULT");
            assert!(!stderr(&assert).contains("panicked"), "{}", stderr(&assert));
            let is_done = assert.get_output().status.success();
            failed += usize::from(!is_done);
            copied += usize::from(is_done && !is_over);
            if !is_done {
                run(dir.path(), "merge 1 2 3 --out m").success();
            }
            assert!(files(&dir.path().join("m")) == expected, "{kind}:{n}");
            fs::remove_dir_all(dir.path().join("m")).unwrap();
            if is_over {
                break;
            }
        }
        assert!(n > 8 && failed > 4, "{kind}: {failed} of {n}");
        // A file that cannot be linked is copied.
        assert!(kind != "once" || copied >= 3, "{copied} of {n}");
    }
}

/// Writes the sums of a directory again, as of what is there.
fn sign(directory: &Path) {
    let mut text = String::new();
    for (name, bytes) in files(directory) {
        if name != "checksums.txt" {
            writeln!(text, "{:08x} {} {name}", crc32fast::hash(&bytes), bytes.len()).unwrap();
        }
    }
    let own = format!("{:08x} {} checksums.txt\n", crc32fast::hash(text.as_bytes()), text.len());
    text += &own;
    fs::write(directory.join("checksums.txt"), text).unwrap();
}

/// Copies a directory, changes the copy, and writes its sums again.
fn copy(root: &Path, from: &str, to: &str, change: impl FnOnce(&Path)) {
    fs::create_dir(root.join(to)).unwrap();
    for (name, bytes) in files(&root.join(from)) {
        fs::write(root.join(to).join(name), bytes).unwrap();
    }
    change(&root.join(to));
    sign(&root.join(to));
}

#[test]
fn shards_that_do_not_make_a_data_set_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let expected = three(root, WORDS);
    let merge = |shards: &str, code: i32, parts: &[&str]| {
        fails(run(root, &format!("merge {shards} --out m")), code, parts);
        assert!(!root.join("m").exists(), "{shards}");
    };
    merge("1 3", 1, &["deals 8 to 15 are missing: give the directory of shard 2/3 too, or make it with"]);
    merge("3 2", 1, &["deals 0 to 7 are missing", "shard 1/3"]);
    merge("1 2", 1, &["deals 16 to 22 are missing", "shard 3/3"]);
    merge("3", 1, &["deals 0 to 15 are missing", "shard 1/3, 2/3 too"]);
    merge("1 2 3 2", 1, &["deals 8 to 15 are duplicated: in 2 and in 2"]);
    merge("1 whole", 1, &["deals 0 to 7 are duplicated: in 1 and in whole; give one of them"]);
    copy(root, "2", "twin", |_| ());
    merge("1 2 3 twin", 1, &["duplicated", "2", "twin"]);
    run(root, &format!("{WORDS} --shard 2/4 --out quarter")).success();
    merge("1 quarter 3", 1, &["deals 4 to 7 are duplicated: in 1 and in quarter"]);
    // Of other labels.
    for (flags, differences) in [
        ("--deals 23 --seed 8 --chunk 4 --strains C", "seed: 9 there, 8 now"),
        ("--deals 23 --seed 9 --chunk 4 --strains C,D", "strains: "),
        ("--deals 23 --seed 9 --chunk 4 --strains C --rules contree", "rules.play.undertrump: "),
        ("--deals 24 --seed 9 --chunk 4 --strains C", "deals: 23 there, 24 now"),
        ("--deals 23 --seed 9 --chunk 5 --strains C", "chunk: 4 there, 5 now"),
        ("--decisions --deals 23 --seed 9 --chunk 4", "kind: not set there, decisions now"),
    ] {
        run(root, &format!("label {flags} --shard 2/3 --out other --progress none")).success();
        merge("1 other 3", 1, &["other is a shard of other labels than 1: ", differences]);
        fs::remove_dir_all(root.join("other")).unwrap();
    }
    copy(root, "2", "built", |path| {
        let text = fs::read_to_string(path.join("labels.toml")).unwrap();
        let line = text.lines().find(|line| line.starts_with("commit = ")).unwrap();
        fs::write(path.join("labels.toml"), text.replace(line, "commit = \"0123456789ab\"")).unwrap();
    });
    merge("1 built 3", 1, &["built is a shard of other labels than 1: commit: ", "0123456789ab now"]);
    // Not finished: killed behind its first part, and before it.
    copy(root, "2", "begun", |path| {
        fs::remove_file(path.join("part-000003.csv")).unwrap();
        fs::remove_file(path.join("part-000003.parquet")).unwrap();
    });
    let message =
        "deals 12 to 15 are missing: begun is not finished (2 of 4 files are there), repeat its command";
    merge("1 begun 3", 1, &[message]);
    fs::remove_file(root.join("begun/checksums.txt")).unwrap();
    merge("1 begun 3", 1, &["deals 8 to 15 are missing: begun is not finished (0 of 4 files are there)"]);
    // None at all.
    run(root, "run random random --deals 5 --seed 1 --out run").success();
    merge("1 run 3", 2, &["1 is a shard of labels, but run is a shard of a run"]);
    merge("1 nowhere 3", 1, &["nowhere has no labels.toml"]);
    // The directory that is to be made.
    for (words, code, parts) in [
        ("merge 1 2 3 --out 2", 2, &["--out 2 is one of the shards"][..]),
        ("merge 1 2 3 --out ./built/../2", 2, &["is one of the shards"]),
        ("merge 1 2 3 --out run", 3, &["run already holds"]),
        ("merge 1 2 3 --out built", 2, &["built has labels with other settings (commit, shard)"]),
    ] {
        fails(run(root, words), code, parts);
    }
    copy(root, "whole", "forged", |path| {
        fs::write(path.join("part-000001.csv"), "mine").unwrap();
    });
    fails(run(root, "merge 1 2 3 --out forged"), 2, &["part-000001.csv has other contents than"]);
    // All of it that is there already is one as well.
    run(root, "merge whole --out m").success();
    assert!(files(&root.join("m")) == expected);
}

#[test]
fn damaged_shards_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let expected = three(dir.path(), WORDS);
    let mut random = Random::fresh();
    for (name, whole) in files(&dir.path().join("2")) {
        let path = dir.path().join("2").join(&name);
        let mut flipped = whole.clone();
        let bit = random.below(8 * whole.len());
        flipped[bit / 8] ^= 1 << (bit % 8);
        for bytes in [&flipped[..], &whole[..whole.len() / 2]] {
            fs::write(&path, bytes).unwrap();
            let assert = run(dir.path(), "merge 1 2 3 --out m");
            let printed = stderr(&assert);
            assert!(!assert.get_output().status.success(), "bit {bit} of {name}");
            assert!(printed.contains(&name) && !printed.contains("panicked"), "bit {bit}: {printed}");
        }
        fs::write(&path, whole).unwrap();
    }
    // One that is lost is made again by the command of the shard.
    fs::remove_file(dir.path().join("2/part-000003.csv")).unwrap();
    fails(
        run(dir.path(), "merge 1 2 3 --out m"),
        1,
        &["2/part-000003.csv is damaged: it is missing", "repeat"],
    );
    run(dir.path(), &format!("{WORDS} --shard 2/3 --out 2")).success();
    run(dir.path(), "merge 1 2 3 --out m").success();
    assert!(files(&dir.path().join("m")) == expected);
}

#[test]
fn a_shard_has_a_part_and_a_seed() {
    let dir = tempfile::tempdir().unwrap();
    for words in [
        "label --deals 23 --chunk 4",
        "label --decisions --deals 23 --chunk 4",
        "train cards --rows --deals 23 --chunk 4",
    ] {
        let shard = |more: &str| run(dir.path(), &format!("{words} --progress none --out d {more}"));
        fails(shard("--shard 1/3"), 2, &["--shard 1/3 without --seed", "give all of them the same --seed"]);
        fails(shard("--shard 1/7 --seed 1"), 2, &["shard 1/7 has no part", "--chunk"]);
        assert!(!dir.path().join("d").exists());
        // A shard that was begun has one.
        shard("--shard 1/6 --seed 1").success();
        assert!(stdout(&shard("--shard 1/6").success()).contains("(4 were there before), seed 1"));
        fs::remove_dir_all(dir.path().join("d")).unwrap();
    }
}
