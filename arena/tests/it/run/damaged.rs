//! Nothing damaged or foreign is read: whatever bit of whatever file of a directory is flipped, and whatever file is replaced by that of
//! another directory (also with its checksums), each command that reads the directory refuses it by name, and changes nothing in the
//! directory, or does what it does without that.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rayon::iter::{Either, IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{Random, copy, long, run, stderr, stdout};

/// Commands that make a directory `d`, apart by `;`, and those that read it. With `-` a directory is left as by a killed
/// process: without its checksums.
const KINDS: [(&str, &[&str]); 23] = [
    (
        "run rules random --deals 3 --seed 1 --records full --out d; run table+rules random --deals 3 --seed 1 --out e",
        &[
            "run rules random --deals 3 --seed 1 --records full --out d",
            "run rules random --deals 20 --seed 1 --records full --out d",
            "run --config d/config.toml --out again",
            "merge d --out merged",
            "report d --out page.html --csv tables",
            "stats d",
            "judge d --json",
            "compare d e",
            "export d --to csv",
            "export d --to pbn",
            "show d --deal 2",
            "power --from d --effect 1",
            "status d",
            "verify d",
        ],
    ),
    (
        "run rules random --deals 3 --seed 1 --table parquet --lines jsonl.zst --records full --out d",
        &[
            "run rules random --deals 20 --seed 1 --table parquet --lines jsonl.zst --records full --out d",
            "merge d --out merged",
            "report d --out page.html",
            "export d --to csv",
            "stats d",
        ],
    ),
    (
        "run rules random table+rules --deals 12 --seed 1 --table csv.zst --out d",
        &[
            "run rules random table+rules --deals 20 --seed 1 --table csv.zst --out d",
            "report d --out page.html",
            "merge d --out merged",
        ],
    ),
    (
        "run rules random --deals 3 --seed 1 --match --out d",
        &["run rules random --deals 5 --seed 1 --match --out d", "report d --out page.html"],
    ),
    (
        "run rules random --deals 12 --seed 1 --records none --shard 1/2 --out d; \
         run rules random --deals 12 --seed 1 --records none --shard 2/2 --out e; -d",
        &["run rules random --deals 12 --seed 1 --records none --shard 1/2 --out d", "status d e"],
    ),
    (
        "run rules random --deals 3 --seed 1 --records full --out d; -d",
        &[
            "run rules random --deals 20 --seed 1 --records full --out d",
            "run --config d/config.toml --out again",
            "power --from d --effect 1",
            "status d",
        ],
    ),
    (
        "run rules random --deals 12 --seed 1 --table parquet --out d; -d",
        &["run rules random --deals 20 --seed 1 --table parquet --out d"],
    ),
    (
        "run rules random --deals 12 --seed 1 --shard 1/2 --out d; run rules random --deals 12 --seed 1 --shard 2/2 --out e",
        &["merge d e --out merged", "status d e"],
    ),
    (
        "sprt rules random --lower 0 --upper 500 --first 8 --every 8 --max-deals 32 --seed 1 --out d",
        &[
            "sprt rules random --lower 0 --upper 500 --first 8 --every 8 --max-deals 32 --seed 1 --out d",
            "sprt rules random --lower 0 --upper 500 --first 8 --every 8 --max-deals 64 --seed 1 --out d",
            "report d --out page.html",
            "status d",
            "verify d",
        ],
    ),
    (
        "sprt rules random --lower 0 --upper 500 --first 8 --every 8 --max-deals 32 --seed 1 --out d; -d",
        &["sprt rules random --lower 0 --upper 500 --first 8 --every 8 --max-deals 64 --seed 1 --out d"],
    ),
    (
        "sprt rules random --lower 0 --upper 500 --first 8 --every 8 --max-deals 64 --seed 1 --shard 1/1 --wave 32 --out d",
        &[
            "merge d",
            "sprt rules random --lower 0 --upper 500 --first 8 --every 8 --max-deals 64 --seed 1 --shard 1/1 --wave 32 --out d",
        ],
    ),
    (
        "tune rules --param caution=0..9 --batch 4 --deals 8 --verify 8 --seed 1 --out d",
        &["tune rules --param caution=0..9 --batch 4 --deals 8 --verify 8 --seed 1 --out d", "verify d"],
    ),
    (
        "tune rules --param caution=0..9 --batch 4 --deals 8 --verify 8 --seed 1 --out d; -d",
        &["tune rules --param caution=0..9 --batch 4 --deals 8 --verify 8 --seed 1 --out d"],
    ),
    (
        "tune rules --param caution=0..9 --batch 4 --deals 8 --verify 8 --seed 1 --shard 1/1 --out d",
        &["merge d"],
    ),
    (
        "label --deals 4 --chunk 2 --table both --seed 1 --out d",
        &[
            "label --deals 4 --chunk 2 --table both --seed 1 --out d",
            "stats hands d",
            "merge d --out merged",
            "verify d",
        ],
    ),
    (
        "label --decisions --by rules --deals 4 --chunk 2 --table npy --seed 1 --out d",
        &[
            "label --decisions --by rules --deals 4 --chunk 2 --table npy --seed 1 --out d",
            "merge d --out merged",
            "verify d",
        ],
    ),
    (
        "label --games --by rules --by random --deals 4 --chunk 2 --seed 1 --out d",
        &[
            "label --games --by rules --by random --deals 4 --chunk 2 --seed 1 --out d",
            "merge d --out merged",
            "verify d",
        ],
    ),
    (
        "train cards --rows --deals 4 --chunk 2 --seed 1 --out d",
        &["train cards --from-rows d --epochs 1 --seed 1 --out net", "merge d --out merged"],
    ),
    (
        "stats --deals 12 --seed 1 --shard 1/2 --out d; stats --deals 12 --seed 1 --shard 2/2 --out e",
        &["merge d e", "stats --deals 12 --seed 1 --shard 1/2 --out d", "verify d", "status d e"],
    ),
    (
        "run rules random --deals 8 --seed 1 --records full --out r; judge r --shard 1/1 --out d",
        &["merge d --csv tables", "judge r --shard 1/1 --out d", "verify d"],
    ),
    (
        "bidding rules table --deals 8 --seed 1 --shard 1/1 --out d; -d",
        &["bidding rules table --deals 8 --seed 1 --shard 1/1 --out d"],
    ),
    (
        "plan --no-estimate --shards 2 --for shell --out d -- run rules random --deals 8 --seed 1",
        &["status d"],
    ),
    ("leaderboard board.toml --out d", &["leaderboard board.toml --out d"]),
];

const CHECKSUMS: &str = "checksums.txt";
/// What tells which run, test or tuning a directory is of.
const MARKS: [&str; 4] = ["part.json", "sprt.json", "tune.toml", CHECKSUMS];

const BOARD: &str = "anchor = \"rules\"\nrules = [\"bga\"]\n[[class]]\nname = \"all\"\nlimit = \"1s\"\ndeals = 8\n\
    seed = \"1\"\n[[entry]]\nname = \"rules\"\nbot = \"rules\"\nabout = \"\"\nclasses = [\"all\"]\n[[entry]]\n\
    name = \"random\"\nbot = \"random\"\nabout = \"\"\nclasses = [\"all\"]\n";

/// All files below a directory, without what differs from time to time.
fn files(root: &Path, under: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(under).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(root, &path, found);
            continue;
        }
        let (name, mut bytes) = (path.strip_prefix(root).unwrap(), fs::read(&path).unwrap());
        if path.extension().is_some_and(|extension| extension == "json")
            && let Ok(mut value) = serde_json::from_slice::<Value>(&bytes)
        {
            untimed(&mut value);
            bytes = value.to_string().into_bytes();
        } else if path.ends_with("checksums.txt") {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let is_timed = |line: &&str| [".json", "checksums.txt"].iter().any(|end| line.ends_with(end));
            bytes = text.lines().filter(|line| !is_timed(line)).collect::<String>().into_bytes();
        }
        found.insert(name.to_str().unwrap().to_owned(), bytes);
    }
}

/// Removes times, and the sums of texts that have them.
fn untimed(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for key in ["timing", "crc", "seconds", "per_second", "times", "decisions"] {
                fields.remove(key);
            }
            fields.values_mut().for_each(untimed);
        }
        Value::Array(values) => values.iter_mut().for_each(untimed),
        _ => {}
    }
}

/// Exit code, both streams, files.
type Outcome = (i32, [String; 2], BTreeMap<String, Vec<u8>>);

/// What has happened to a file.
#[derive(Debug, Clone, Copy)]
enum Change<'a> {
    /// A bit is flipped.
    Flip(usize),
    /// It is that of the other directory, the checksums too if so said.
    Foreign(&'a Path, bool),
}

impl Change<'_> {
    fn apply(self, root: &Path, name: &str) {
        let path = root.join(name);
        match self {
            Self::Flip(bit) => {
                let mut bytes = fs::read(&path).unwrap();
                bytes[bit / 8] ^= 1 << (bit % 8);
                fs::write(path, bytes).unwrap();
            }
            Self::Foreign(other, with_sums) => {
                let sums = Path::new(name).with_file_name(CHECKSUMS);
                let names = [Some(Path::new(name)), with_sums.then_some(&*sums)];
                for name in names.into_iter().flatten().filter(|name| other.join(name).exists()) {
                    fs::copy(other.join(name), root.join(name)).unwrap();
                }
            }
        }
    }
}

/// What a command does in a copy of a directory in which something may have happened to a file, and the files before it.
fn outcome(
    made: &Path,
    words: &str,
    change: Option<(&str, Change<'_>)>,
) -> (Outcome, BTreeMap<String, Vec<u8>>) {
    let dir = tempfile::tempdir().unwrap();
    copy(made, dir.path());
    if let Some((name, change)) = change {
        change.apply(dir.path(), name);
    }
    let mut before = BTreeMap::new();
    files(dir.path(), &dir.path().join("d"), &mut before);
    let quiet = ["label", "train", "judge", "sprt", "tune", "leaderboard", "bidding", "stats"];
    let quiet = quiet.iter().any(|name| words.starts_with(name));
    let words = words.to_owned() + if quiet { " --progress none" } else { "" };
    let assert = run(dir.path(), &words);
    let mut found = BTreeMap::new();
    files(dir.path(), dir.path(), &mut found);
    ((assert.get_output().status.code().unwrap(), [stdout(&assert), stderr(&assert)], found), before)
}

/// Tests one change of a file, and returns what is wrong.
fn check(made: &Path, words: &str, whole: &Outcome, name: &str, change: Change<'_>) -> Option<String> {
    let (code, said, mut tree) = whole.clone();
    let ((code_now, said_now, mut tree_now), before) = outcome(made, words, Some((name, change)));
    let file = Path::new(name).file_name().unwrap().to_str().unwrap();
    let told = said_now.concat();
    // Of a file of another run, also as such.
    let is_foreign = matches!(change, Change::Foreign(..));
    let is_named = told.contains(file)
        || is_foreign && [CHECKSUMS, "CRC-32", "another", "seed"].iter().any(|word| told.contains(word));
    let is_reported = words.starts_with("status") || code_now == 1 || code_now == 2 || code_now == 3;
    if is_named && is_reported && !told.contains("panicked") {
        let kept = before.iter().all(|(name, bytes)| tree_now.get(name) == Some(bytes));
        return (!kept)
            .then(|| format!("{words}: {change:?} of {name}: refused, with changes: {said_now:?}"));
    }
    // What is made again is read whole, where the checksums say that it is whole.
    let is_table = ["summary.", "records."].iter().any(|start| file.starts_with(start));
    if is_table
        && words.starts_with("run")
        && words.ends_with("--out d")
        && before.contains_key("d/checksums.txt")
    {
        return Some(format!("{words}: {change:?} of {name}: not named: {code_now} {said_now:?}"));
    }
    // The file itself may stay as it is where it is not read.
    tree.remove(name);
    tree_now.remove(name);
    let differs: Vec<_> = tree.keys().filter(|name| tree.get(*name) != tree_now.get(*name)).collect();
    let is_same =
        (code, &said[0]) == (code_now, &said_now[0]) && differs.is_empty() && tree.len() == tree_now.len();
    (!is_same).then(|| format!("{words}: {change:?} of {name}: {code_now} {said_now:?} {differs:?}"))
}

/// A command that reads a directory, and what it does with the whole one.
struct Reading {
    made: Arc<TempDir>,
    /// The same with another seed, or with other bots.
    other: Arc<TempDir>,
    words: &'static str,
    whole: Outcome,
    /// The files of the directory, with the number of their bits.
    files: Vec<(String, usize)>,
}

fn is_fine(code: i32) -> bool {
    [0, 10, 11, 12].contains(&code)
}

/// Makes directories.
fn made(make: &str) -> Result<Arc<TempDir>, String> {
    let root = Arc::new(tempfile::tempdir().unwrap());
    fs::write(root.path().join("board.toml"), BOARD).unwrap();
    for words in make.split("; ") {
        if let Some(of) = words.strip_prefix('-') {
            fs::remove_file(root.path().join(of).join(CHECKSUMS)).unwrap();
            continue;
        }
        let assert = run(root.path(), words);
        let code = assert.get_output().status.code().unwrap();
        if !is_fine(code) {
            return Err(format!("{words}: {code} {}", stderr(&assert)));
        }
    }
    Ok(root)
}

/// Makes a directory, and reads it by each of its commands.
fn readings((make, reads): (&str, &[&'static str]), seed: &Mutex<Random>) -> Vec<Result<Reading, String>> {
    // Those of the same bots, or of the same deals.
    let others = [make.replace("--seed 1", "--seed 2"), make.replace("rules random", "random rules")];
    let which = usize::from(others[1] != make && seed.lock().unwrap().below(2) == 1);
    let (root, other) = match (made(make), made(&others[which])) {
        (Ok(root), Ok(other)) => (root, other),
        (Err(wrong), _) | (_, Err(wrong)) => return vec![Err(wrong)],
    };
    let mut all = BTreeMap::new();
    files(root.path(), &root.path().join("d"), &mut all);
    let bits =
        |name: &String| 8 * usize::try_from(fs::metadata(root.path().join(name)).unwrap().len()).unwrap();
    let files: Vec<_> =
        all.keys().map(|name| (name.clone(), bits(name))).filter(|(_, bits)| *bits > 0).collect();
    let reading = |words: &&'static str| {
        let (whole, _) = outcome(root.path(), words, None);
        let wrong = format!("{words}: {} {:?}", whole.0, whole.1);
        let fine = is_fine(whole.0);
        fine.then(|| Reading { made: root.clone(), other: other.clone(), words, whole, files: files.clone() })
            .ok_or(wrong)
    };
    reads.iter().map(reading).collect()
}

/// Into how many stretches a file is divided.
const STRETCHES: usize = 16;
/// How long the long form goes on, round by round, each of which changes each file for each command that reads its directory; how often it says
/// how far it is.
const LONG: Duration = Duration::from_mins(8);
const SAY: Duration = Duration::from_secs(20);

/// The long form: how far it is is said past the test's own stream, which is shown at its end only.
struct Progress {
    began: Instant,
    said: Mutex<Instant>,
    done: AtomicUsize,
}

impl Progress {
    /// Counts another step of something.
    fn step(&self, what: &str) {
        let done = self.done.fetch_add(1, Relaxed) + 1;
        let mut said = self.said.lock().unwrap();
        if long() && said.elapsed() > SAY {
            *said = Instant::now();
            let _ =
                writeln!(std::io::stderr(), "damaged: {done} {what} in {} s", self.began.elapsed().as_secs());
        }
    }
}

#[test]
fn whatever_is_damaged_is_named_or_without_effect() {
    let seed = Mutex::new(Random::fresh());
    let start =
        || Progress { began: Instant::now(), said: Mutex::new(Instant::now()), done: AtomicUsize::new(0) };
    let progress = start();
    let made = KINDS.into_par_iter().flat_map_iter(|kind| {
        let made = readings(kind, &seed);
        progress.step("kinds of directories made and read");
        made
    });
    let (readings, mut failed): (Vec<_>, Vec<_>) = made.partition_map(|read| match read {
        Ok(reading) => Either::Left(reading),
        Err(wrong) => Either::Right(wrong),
    });
    let flips: Vec<_> =
        readings.iter().flat_map(|reading| reading.files.iter().map(move |file| (reading, file))).collect();
    let progress = start();
    // A byte of each stretch of a file: rounds take the stretches in turn, and the bit by chance.
    for round in 0.. {
        let wrong = flips.par_iter().filter_map(|(reading, (name, bits))| {
            if round > 0 && progress.began.elapsed() > LONG {
                return None;
            }
            // With foreign checksums a foreign mark is what its directory is of.
            let is_mark = MARKS.iter().any(|mark| name.ends_with(mark));
            // The jobs of both are the same: only their times differ.
            let is_twin = reading.words.starts_with("leaderboard");
            let mut seed = seed.lock().unwrap();
            let change = match seed.below(2) {
                bit if bit == 0 || is_twin => {
                    let stretch = bits.div_ceil(STRETCHES);
                    Change::Flip((round % STRETCHES * stretch + seed.below(stretch)) % bits)
                }
                _ => Change::Foreign(reading.other.path(), seed.below(2) == 1 && !is_mark),
            };
            drop(seed);
            let wrong = check(reading.made.path(), reading.words, &reading.whole, name, change);
            progress.step("files changed");
            wrong
        });
        failed.extend(wrong.collect::<Vec<_>>());
        if !long() || progress.began.elapsed() > LONG {
            break;
        }
    }
    assert!(failed.is_empty(), "{} of them:\n{}", failed.len(), failed.join("\n"));
}

/// A whole run in the place of another has checksums of its own: what it is of is compared.
#[test]
fn runs_of_a_leaderboard_are_those_of_its_jobs() {
    let dir = tempfile::tempdir().unwrap();
    let third = BOARD.rsplit("[[entry]]").next().unwrap().replace("random", "random:pass=0.9");
    let third = third.replacen("random:pass=0.9", "other", 1);
    fs::write(dir.path().join("board.toml"), format!("{BOARD}[[entry]]{third}")).unwrap();
    let words = "leaderboard board.toml --out d --progress none";
    run(dir.path(), words).success();
    let runs = dir.path().join("d/runs/bga/all");
    let mut paths: Vec<_> = fs::read_dir(&runs).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    fs::remove_dir_all(&paths[1]).unwrap();
    copy(&paths[0], &paths[1]);
    let name = paths[1].file_name().unwrap().to_str().unwrap();
    crate::common::fails(run(dir.path(), words), 2, &[name, "other settings", "bots"]);
}
