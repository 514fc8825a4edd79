//! The laws of parts, for every job that is not made step by step: whatever happens to the parts, all of them together are the
//! undivided command, and what is not all of them is named. `waves` and `steps` hold those of the others.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::durable::files;
use crate::common::{Random, arena, csv_rows, fails, long, run, sign, start, stdout};

/// What becomes of all parts of a command.
#[derive(Clone, Copy, PartialEq)]
enum Whole {
    /// A directory.
    Directory,
    /// What is printed, with the pages and tables of these flags.
    Printed(&'static str),
}

/// A command that is divided.
struct Case {
    words: &'static str,
    whole: Whole,
    /// In how many shards, in the quick form and, beside these, in the long one.
    shards: [&'static [usize]; 2],
    /// Makes what the command reads.
    prepare: fn(&Path),
    /// How it ends.
    code: i32,
}

const FORMS: &str = "--out page.html --markdown page.md --svg charts --csv csv --parquet parquet";

impl Case {
    const fn directory(words: &'static str) -> Self {
        Self { words, whole: Whole::Directory, shards: [&[2, 7], &[1, 64]], prepare: |_| (), code: 0 }
    }

    const fn printed(words: &'static str) -> Self {
        Self { whole: Whole::Printed(FORMS), ..Self::directory(words) }
    }

    const fn of_many(self) -> Self {
        Self { shards: [&[1, 2, 7, 64], &[]], ..self }
    }

    /// The words of the whole, or of the merge.
    fn output(&self) -> &'static str {
        match self.whole {
            Whole::Directory => "--out whole",
            Whole::Printed(forms) => forms,
        }
    }

    /// Makes a directory with what the command reads.
    fn place(&self, path: PathBuf) -> PathBuf {
        fs::create_dir_all(&path).unwrap();
        (self.prepare)(&path);
        path
    }

    /// Makes a part.
    fn part(&self, place: &Path, shard: usize, of: usize, out: &Path) -> assert_cmd::assert::Assert {
        quiet(place, &format!("{} --shard {shard}/{of} --out {}", self.words, out.display()))
    }
}

const RUNS: [Case; 5] = [
    Case::directory("run random random:pass=0.6 --deals 1500 --seed 5 --records full").of_many(),
    Case::directory(
        "run random rules+random random:pass=0.6 --deals 500 --seed 6 --records sample:0.05 --table csv.zst --lines jsonl.zst",
    ),
    Case::directory(
        "run random random:pass=0.6 --deals 3000 --seed 7 --records swing:700 --table parquet --lines jsonl.zst",
    ),
    Case::directory(
        "run random random:pass=0.9 --deals 60 --seed 8 --match --rules coinche --records full --table parquet",
    ),
    Case::directory("run rules random random --deals 300 --seed 9 --records none"),
];

const LABELS: [Case; 6] = [
    Case::directory("label --deals 65 --seed 9 --chunk 1 --strains C").of_many(),
    Case {
        prepare: write_deals,
        ..Case::directory("label deals.txt --chunk 3 --strains H --leaders all --table csv")
    },
    Case::directory("label --decisions --deals 23 --seed 8 --chunk 3 --rules contree"),
    Case::directory("label --decisions --deals 15 --seed 9 --chunk 2 --which all --table npy --by random"),
    Case::directory("label --games --deals 23 --seed 8 --chunk 3 --by rules --by random:pass=0.6"),
    Case::directory("train cards --rows --deals 40 --seed 1 --chunk 5 --bidders rules table"),
];

const SUMS: [Case; 5] = [
    Case::printed(
        "stats --deals 60 --seed 3 --bot rules --bot random --rules coinche --compare-set auction.lowest=90",
    ),
    Case::printed("stats --deals 9 --match --seed 4 --of rules --bot table+rules --bot rules"),
    Case::printed("stats hands --deals 20 --seed 4 --leaders all --set scoring.last_trick=20"),
    Case::printed("bidding rules table rules:caution=10 --deals 30 --seed 2 --show 2"),
    Case::printed("bidding rules random --deals 9 --seed 'a\"b --play rules --rules belote"),
];

const JUDGED: [Case; 3] = [
    Case {
        prepare: |place| play(place, "--deals 15"),
        ..Case::printed("judge mine --by rules+pimc:worlds=2")
    },
    Case {
        whole: Whole::Printed("--json --csv csv --parquet parquet"),
        prepare: |place| play(place, "--deals 3 --match --lines jsonl.zst"),
        ..Case::printed("judge mine --sample 0.6 --seed 8")
    },
    // A file that begins with some deal, and has lines that are no records.
    Case { prepare: write_some_records, code: 1, ..Case::printed("judge some.jsonl") },
];

/// Runs a command without progress.
fn quiet(place: &Path, words: &str) -> assert_cmd::assert::Assert {
    arena(place).args(words.split_whitespace()).args(["--progress", "none"]).assert()
}

/// Deals as lines, one of them empty.
fn write_deals(directory: &Path) {
    run(directory, "label --deals 21 --seed 2 --strains C --table csv --out csv").success();
    let rows = csv_rows(&directory.join("csv/part-000000.csv"));
    let mut lines: Vec<String> = rows
        .iter()
        .map(|row| [0, 1, 2, 3].map(|seat| row[&format!("hand{seat}")].clone()).join(" | "))
        .collect();
    lines.insert(4, String::new());
    fs::write(directory.join("deals.txt"), lines.join("\n")).unwrap();
}

/// Plays a run with records.
fn play(place: &Path, flags: &str) {
    run(place, &format!("run random rules --seed 5 --records full --out mine {flags}")).success();
    // When and how fast it was played.
    fs::remove_file(place.join("mine/run.json")).unwrap();
    sign(&place.join("mine"));
}

fn write_some_records(place: &Path) {
    play(place, "--deals 24");
    let text = fs::read_to_string(place.join("mine/records.jsonl")).unwrap();
    let lines = text.lines().enumerate().skip(11).flat_map(|(n, line)| {
        let other = if n % 9 == 3 { "no record\n" } else { "" };
        // A record of whose deal the number alone can be read.
        let cut = if n % 13 == 4 { line.replace("\"hands\"", "\"cards\"") } else { line.to_owned() };
        [other.to_owned(), cut, "\n".to_owned()]
    });
    let lines: String = ["first\n".to_owned()].into_iter().chain(lines).chain(["last".to_owned()]).collect();
    fs::write(place.join("some.jsonl"), lines).unwrap();
}

/// All files below a directory, by their paths.
fn tree(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
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

/// What a command has printed and written: it stood in a directory of its own, with some inputs.
fn result(case: &Case, place: &Path, inputs: &BTreeMap<PathBuf, Vec<u8>>) -> BTreeMap<PathBuf, Vec<u8>> {
    match case.whole {
        Whole::Directory => {
            files(&place.join("whole")).into_iter().map(|(name, bytes)| (name.into(), bytes)).collect()
        }
        Whole::Printed(_) => tree(place).into_iter().filter(|(name, _)| !inputs.contains_key(name)).collect(),
    }
}

/// Makes one part, as parts are made on many machines: here or there, killed and given again, given twice.
fn make(case: &Case, flags: &str, places: &[PathBuf; 2], random: &mut Random) -> bool {
    let words = format!("{} {flags} --progress none", case.words);
    let here = &places[random.below(2)];
    if random.below(3) == 0 {
        let mut child = start(here, &words);
        std::thread::sleep(Duration::from_millis(random.below(60) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut command = arena(&places[random.below(2)]);
    command.args(words.split_whitespace()).args(["--threads", &(1 + random.below(3)).to_string()]);
    command.env("HOME", here).env("LC_ALL", "tr_TR.UTF-8").env("TZ", "Asia/Kolkata");
    let made = command.assert();
    let code = made.get_output().status.code().unwrap();
    // There are more shards than deals, or files.
    if code == 2 {
        fails(made, 2, &["is empty: choose fewer shards"]);
        return false;
    }
    assert!([0, case.code].contains(&code), "{made}");
    if random.below(4) == 0 {
        arena(here).args(words.split_whitespace()).assert().code(code);
    }
    true
}

/// Whatever the division and the order, on whatever machines, killed or not: the bytes of the undivided command.
fn any_division_is_the_whole(cases: &[Case]) {
    let mut random = Random::fresh();
    for case in cases {
        let root = tempfile::tempdir().unwrap();
        let whole = case.place(root.path().join("one"));
        let inputs = tree(&whole);
        let words = format!("{} {}", case.words, case.output());
        let printed = stdout(&quiet(&whole, &words).code(case.code));
        let expected = result(case, &whole, &inputs);
        let places = ["here", "there"].map(|name| case.place(root.path().join(name)));
        for of in case.shards.concat().into_iter().filter(|of| long() || case.shards[0].contains(of)) {
            let mut left: Vec<usize> = (1..=of).collect();
            let mut parts: Vec<String> = Vec::new();
            fs::create_dir(root.path().join(of.to_string())).unwrap();
            while !left.is_empty() {
                let shard = left.swap_remove(random.below(left.len()));
                let out = root.path().join(format!("{of}/{shard}")).display().to_string();
                if make(case, &format!("--shard {shard}/{of} --out {out}"), &places, &mut random) {
                    parts.insert(random.below(parts.len() + 1), out);
                }
            }
            let merged = root.path().join(format!("merged-{of}"));
            fs::create_dir(&merged).unwrap();
            let merge = format!("merge {} {}", parts.join(" "), case.output());
            let what = format!("{} in {of} shards", case.words);
            let told = stdout(&run(&merged, &merge).code(case.code));
            // A run prints its command first; of which file the lines of labels are is not kept.
            assert!(printed.ends_with(&told) || case.words.contains("deals.txt"), "{what}: {told}");
            let same = || {
                let found = result(case, &merged, &BTreeMap::new());
                let names = |files: &BTreeMap<PathBuf, _>| files.keys().cloned().collect::<Vec<_>>();
                assert_eq!(names(&found), names(&expected), "{what}");
                for (name, bytes) in &expected {
                    assert!(found[name] == *bytes, "{}: {what}", name.display());
                }
            };
            same();
            run(root.path(), &format!("verify {}", parts[0])).success();
            if case.whole == Whole::Directory {
                // Once more it changes nothing.
                run(&merged, &merge).success();
                same();
                run(&merged, "verify whole").success();
            }
        }
    }
}

#[test]
fn any_division_of_a_run_is_the_whole() {
    any_division_is_the_whole(&RUNS);
}

#[test]
fn any_division_of_a_data_set_is_the_whole() {
    any_division_is_the_whole(&LABELS);
}

#[test]
fn any_division_of_sums_is_the_whole() {
    any_division_is_the_whole(&SUMS);
}

#[test]
fn any_division_of_judged_deals_is_the_whole() {
    any_division_is_the_whole(&JUDGED);
}

/// Parts that are missing, there twice, of something else, unfinished or damaged: each is named, and nothing is written.
#[test]
fn parts_that_make_no_whole_are_named() {
    let mut random = Random::fresh();
    for case in
        [&RUNS[1], &RUNS[2], &LABELS[0], &LABELS[3], &LABELS[4], &SUMS[0], &SUMS[2], &SUMS[3], &JUDGED[0]]
    {
        let root = tempfile::tempdir().unwrap();
        let place = case.place(root.path().to_owned());
        for shard in 1..=3 {
            case.part(&place, shard, 3, &place.join(shard.to_string())).success();
        }
        case.part(&place, 2, 2, &place.join("half")).success();
        let merge = |parts: &str, told: &[&str]| {
            fails(run(&place, &format!("merge {parts} {}", case.output())), 1, told);
            assert!(!place.join("whole").exists(), "{}: {parts}", case.words);
        };
        merge("1 3", &["are missing: 1 ends there and 3 begins", "not given: shard 2/3"]);
        merge("2 3", &["are missing: 2 is the first part given", "not given: shard 1/3"]);
        merge("2 1", &["are missing: 2 is the last part given", "not given: shard 3/3"]);
        merge("3", &["not given: shards 1/3, 2/3"]);
        merge("1 2 3 2", &["are duplicated: in 2 and in 2"]);
        merge("1 2 half", &["are duplicated: in 2 and in half"]);
        merge("1 nothing 3", &["nothing is no run and no part: it has no part.json"]);
        if let Some((before, seed)) = case.words.split_once("--seed ") {
            quiet(&place, &format!("{before}--seed 1{seed} --shard 2/3 --out other")).success();
            merge("1 other 3", &["other is a shard of a different run than 1: ", "seed: "]);
        }
        let part = place.join("2");
        let sums = fs::read(part.join("checksums.txt")).unwrap();
        fs::remove_file(part.join("checksums.txt")).unwrap();
        merge("1 2 3", &["2 is running or was killed: repeat its command"]);
        fs::write(part.join("checksums.txt"), sums).unwrap();
        // The tables that a merge reads are compared with their sums, also where only the last is damaged.
        for (name, bytes) in tree(&part) {
            let file = name.to_str().unwrap();
            // Nothing that is merged depends on these.
            if ["config.toml", "run.json", "part.lock"].contains(&file) {
                continue;
            }
            let flipped = random.flip(&bytes);
            for damaged in [&flipped[..], &bytes[..bytes.len() / 2], b""] {
                fs::write(part.join(&name), damaged).unwrap();
                fails(run(&place, &format!("merge 1 2 3 {}", case.output())), 1, &[file, "is damaged"]);
                let _ = fs::remove_dir_all(place.join("whole"));
                run(&place, "verify 2").code(1);
            }
            fs::write(part.join(&name), bytes).unwrap();
        }
        run(&place, &format!("merge 3 1 2 {}", case.output())).success();
    }
}
