//! Commands of sums in shards: whatever happens to the parts, all of them together are the undivided command.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::common::{Random, arena, fails, run, size, stdout};

/// A command in shards, with the pages and tables that are asked for of the whole.
struct Case {
    words: String,
    forms: &'static str,
    /// How many shards of it there are, in one test after the other.
    shards: &'static [usize],
    /// Makes what the command reads.
    prepare: fn(&Path),
    /// How it ends.
    code: i32,
}

impl Case {
    fn new(words: &str, shards: &'static [usize]) -> Self {
        Self { words: words.to_owned(), forms: FORMS, shards, prepare: |_| (), code: 0 }
    }
}

/// All files below a directory, by their paths.
fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.insert(path.strip_prefix(directory).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Starts the command of a part and kills it after a while, which may be too late.
fn kill(directory: &Path, words: &str, random: &mut Random) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_arena"));
    command.current_dir(directory).args(words.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    std::thread::sleep(Duration::from_millis(random.below(60) as u64));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Makes one part, as parts are made on many machines: here or there, killed and given again, given twice.
fn make(case: &Case, part: &str, places: &[PathBuf; 2], random: &mut Random) -> bool {
    let threads = 1 + random.below(3);
    let words = format!("{} {part} --progress none", case.words);
    let here = &places[random.below(2)];
    if random.below(3) == 0 {
        kill(here, &words, random);
    }
    let mut command = arena(&places[random.below(2)]);
    command.args(words.split_whitespace()).args(["--threads", &threads.to_string()]);
    command.env("HOME", here).env("LC_ALL", "tr_TR.UTF-8").env("TZ", "Asia/Kolkata");
    let made = command.assert();
    // There are more shards than deals.
    if made.get_output().status.code() == Some(2) {
        fails(made, 2, &["is empty: choose fewer shards or more deals"]);
        return false;
    }
    let code = made.get_output().status.code().unwrap();
    assert!([0, case.code].contains(&code), "{made}");
    if random.below(4) == 0 {
        let again = stdout(&run(here, &words).code(code));
        assert!(again.starts_with("0 ") && again.contains("were there before"), "{again}");
    }
    true
}

/// Makes all parts in some order, and returns their directories in another.
fn make_all(case: &Case, shards: usize, root: &Path, random: &mut Random) -> Vec<String> {
    let places = ["here", "there"].map(|name| root.join(name));
    for place in &places {
        if !place.exists() {
            fs::create_dir(place).unwrap();
            (case.prepare)(place);
        }
    }
    let mut numbers: Vec<usize> = (1..=shards).collect();
    let mut parts = Vec::new();
    while !numbers.is_empty() {
        let number = numbers.swap_remove(random.below(numbers.len()));
        let out = root.join(format!("{shards}/{number}"));
        fs::create_dir_all(root.join(shards.to_string())).unwrap();
        let flags = format!("--shard {number}/{shards} --out {}", out.display());
        if make(case, &flags, &places, random) {
            let at = random.below(parts.len() + 1);
            parts.insert(at, out.display().to_string());
        }
    }
    parts
}

/// Compares what the whole command prints and writes with what the merged parts do.
fn the_same(case: &Case) {
    let mut random = Random::fresh();
    let root = tempfile::tempdir().unwrap();
    let whole = root.path().join("whole");
    fs::create_dir(&whole).unwrap();
    (case.prepare)(&whole);
    let inputs = files(&whole);
    let expected = run(&whole, &format!("{} {} --progress none", case.words, case.forms)).code(case.code);
    let written = || files(&whole).into_iter().filter(|(name, _)| !inputs.contains_key(name));
    for shards in case.shards {
        let parts = make_all(case, *shards, root.path(), &mut random);
        let merged = root.path().join(format!("merged-{shards}"));
        fs::create_dir(&merged).unwrap();
        let told = run(&merged, &format!("merge {} {}", parts.join(" "), case.forms)).code(case.code);
        assert_eq!(stdout(&told), stdout(&expected), "{} in {shards} shards", case.words);
        let found = files(&merged);
        assert!(found.len() > 3 && found.len() == written().count(), "{:?}", found.keys());
        for (name, bytes) in written() {
            assert!(found[&name] == bytes, "{} of {} in {shards} shards", name.display(), case.words);
        }
        run(root.path(), &format!("verify {}", parts[0])).success();
    }
}

const FORMS: &str = "--out page.html --markdown page.md --svg charts --csv csv --parquet parquet";

#[test]
fn shards_of_statistics_are_those_of_all_deals() {
    let shards: &[usize] = size(&[2, 7], &[2, 7, 64]);
    for words in [
        "stats --deals 60 --seed 3 --bot rules --bot random --rules coinche --compare-set auction.lowest=90",
        "stats --deals 9 --match --seed x --of rules --bot table+rules --bot rules",
    ] {
        the_same(&Case::new(words, shards));
    }
}

#[test]
fn shards_of_hands_are_those_of_all_deals() {
    let shards: &[usize] = size(&[2, 7], &[2, 7, 64]);
    let words = "stats hands --deals 20 --seed 4 --leaders all --set scoring.last_trick=20";
    the_same(&Case::new(words, shards));
}

#[test]
fn shards_of_bidders_are_those_of_all_deals() {
    let shards: &[usize] = size(&[2, 7], &[2, 7, 64]);
    for words in [
        "bidding rules table rules:caution=10 --deals 30 --seed 2 --show 2",
        "bidding rules random --deals 9 --seed 'a\"b --play rules --rules belote",
    ] {
        the_same(&Case::new(words, shards));
    }
}

#[test]
fn shards_of_judged_deals_are_those_of_all() {
    /// Plays a run with records.
    fn play(place: &Path, flags: &str) {
        run(place, &format!("run random rules --seed 5 --records full --out mine {flags}")).success();
        // When and how fast it was played.
        fs::remove_file(place.join("mine/run.json")).unwrap();
        fs::remove_file(place.join("mine/checksums.txt")).unwrap();
    }
    let shards: &[usize] = size(&[2, 7], &[2, 7, 64]);
    the_same(&Case {
        prepare: |place| play(place, "--deals 15"),
        ..Case::new("judge mine --by rules+pimc:worlds=2", shards)
    });
    the_same(&Case {
        forms: "--json --csv csv --parquet parquet",
        prepare: |place| play(place, "--deals 3 --match --lines jsonl.zst"),
        ..Case::new("judge mine --sample 0.6 --seed 8", shards)
    });
    // A file that begins with some deal, and has lines that are no records.
    the_same(&Case {
        prepare: |place| {
            play(place, "--deals 24");
            let text = fs::read_to_string(place.join("mine/records.jsonl")).unwrap();
            let lines = text.lines().enumerate().skip(11).flat_map(|(n, line)| {
                let other = if n % 9 == 3 { "no record\n" } else { "" };
                // A record of whose deal the number alone can be read.
                let cut = if n % 13 == 4 { line.replace("\"hands\"", "\"cards\"") } else { line.to_owned() };
                [other.to_owned(), cut, "\n".to_owned()]
            });
            let lines: String =
                ["first\n".to_owned()].into_iter().chain(lines).chain(["last".to_owned()]).collect();
            fs::write(place.join("some.jsonl"), lines).unwrap();
        },
        code: 1,
        ..Case::new("judge some.jsonl", shards)
    });
}

/// Interrupts the command of a part as soon as its directory is there, and lets it go on.
#[cfg(unix)]
fn interrupted(directory: &Path, words: &str, deals: u64) {
    let part = format!("{words} --progress none --shard 1/1 --out part --threads 1");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_arena"));
    let command = command.current_dir(directory).args(part.split_whitespace()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Its handler is set before.
    while !directory.join("part/part.json").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::INT)
        .unwrap();
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

/// Replaces a part of the file of a part, and makes its sums fit again.
fn forge(part: &Path, from: &str, to: &str) {
    let path = part.join("part.json");
    let text = fs::read_to_string(&path).unwrap();
    let forged = text.replacen(from, to, 1);
    assert_ne!(forged, text);
    fs::write(&path, &forged).unwrap();
    let line = |bytes: &[u8], name: &str| format!("{:08x} {} {name}\n", crc32fast::hash(bytes), bytes.len());
    let lines = line(forged.as_bytes(), "part.json");
    let own = line(lines.as_bytes(), "checksums.txt");
    fs::write(part.join("checksums.txt"), lines + &own).unwrap();
}

#[test]
fn parts_that_make_no_whole_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let words = "stats --deals 30 --seed 1 --progress none";
    for (part, flags) in [
        ("p1", "--shard 1/3"),
        ("p2", "--shard 2/3"),
        ("p3", "--shard 3/3"),
        ("half", "--shard 2/2"),
        ("other", "--shard 3/3 --set auction.lowest=90"),
    ] {
        run(dir.path(), &format!("{words} {flags} --out {part}")).success();
    }
    let merge = |parts: &str| run(dir.path(), &format!("merge {parts}"));
    merge("p3 p1 p2").success();
    fails(merge("p1 p3"), 1, &["deals 10 to 19 are missing", "p3 begins", "not given: shard 2/3"]);
    fails(merge("p1 p2"), 1, &["deals 20 to 29 are missing: p2 is the last", "not given: shard 3/3"]);
    fails(merge("p2 p3"), 1, &["deals 0 to 9 are missing", "not given: shard 1/3"]);
    fails(merge("p1 p2 p3 p2"), 1, &["deals 10 to 19 are duplicated: in p2 and in p2"]);
    fails(merge("p1 p2 half"), 1, &["deals 15 to 19 are duplicated: in p2 and in half"]);
    fails(merge("p1 p2 other"), 1, &["other is a shard of a different run than p1", "rules"]);
    fails(merge("p1 nothing"), 2, &["nothing is not a part: it has no part.json"]);
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
    forge(&p2, &commit, "\"0123456789ab\"");
    fails(merge("p1 p2 p3"), 1, &["commit: ", "0123456789ab"]);
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
        ("\"v\":1", "\"v\":2", "format version 2"),
    ] {
        restore();
        forge(&p2, from, to);
        fails(merge("p1 p2 p3"), 1, &["p2/part.json is damaged", why]);
        run(dir.path(), "verify p2").code(1);
    }
    restore();
    forge(&p2, "\"done\":20,\"end\":20", "\"done\":20,\"end\":30");
    fails(merge("p1 p2"), 1, &["deals 20 to 29 are missing"]);
    run(dir.path(), "verify p2").code(1);
    restore();
    fs::remove_file(&sums).unwrap();
    fails(merge("p1 p2 p3"), 2, &["p2 is running or was killed: repeat its command"]);
    run(dir.path(), &format!("{words} --shard 2/3 --out p2")).success();
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
        fails(run(dir.path(), command), 2, &["p is a part of `arena stats`: `arena merge`"]);
    }
    fails(run(dir.path(), "merge r --out w --csv c"), 2, &["--csv", "`arena report`"]);
    fails(run(dir.path(), "merge r"), 2, &["with --out"]);
    fails(run(dir.path(), "merge p r"), 2, &["p is a shard of sums, but r is a shard of a run"]);
    stats("--seed 1 --shard 2/2 --out q").success();
    fails(run(dir.path(), "merge p q --out p/part.json"), 2, &["is a data file"]);
    fails(run(dir.path(), "merge p q --json"), 2, &["--json: only shards of `arena judge`"]);
    run(dir.path(), "run rules random --deals 5 --seed 1 --records full --out full").success();
    fails(run(dir.path(), "judge full --shard 1/2 --out j --json"), 2, &["--json: a part", "`arena merge`"]);
    fails(run(dir.path(), "judge - --shard 1/2 --out j"), 2, &["stdin is read only once"]);
    fails(run(dir.path(), "judge full --shard 1/2 --out j --sample 0.5"), 2, &["--shard 1/2 without --seed"]);
    run(dir.path(), "judge full --shard 1/2 --out j --progress none").success();
    fails(run(dir.path(), "merge j q"), 1, &["q is a part of `arena stats`, j one of `arena judge`"]);
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
