//! What the tests of the program share.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use coinche_selfplay::base::files::checksums::{Chain, sealed, sealed_toml, unsealed};
use serde_json::Value;

/// Tells whether the tests are to take their long form: `COINCHE_LONG=1`, as the nightly run sets it.
pub(crate) fn long() -> bool {
    std::env::var_os("COINCHE_LONG").is_some_and(|value| !value.is_empty() && value != "0")
}

/// Returns how much of something a test does: in the quick form, or in the long one.
pub(crate) fn size<T>(quick: T, long_form: T) -> T {
    if long() { long_form } else { quick }
}

/// The program, at work in a directory.
pub(crate) fn arena(directory: &Path) -> Command {
    let mut command = Command::cargo_bin("arena").unwrap();
    command.current_dir(directory);
    command
}

/// Runs the program with words separated by spaces, and `--progress none` for `run`.
pub(crate) fn run(directory: &Path, words: &str) -> Assert {
    let mut command = arena(directory);
    command.args(words.split_whitespace());
    if words.starts_with("run") {
        command.args(["--progress", "none"]);
    }
    command.assert()
}

/// The standard output as text.
pub(crate) fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// The standard error as text.
pub(crate) fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// Both streams as text.
pub(crate) fn printed(assert: &Assert) -> String {
    stdout(assert) + &stderr(assert)
}

/// The standard output as JSON.
pub(crate) fn printed_json(assert: &Assert) -> Value {
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

/// The path of the program, as a command of a bot names it.
pub(crate) fn program() -> String {
    assert_cmd::cargo::cargo_bin("arena").display().to_string()
}

/// Starts the program as a process of its own, whose streams are kept.
pub(crate) fn start(directory: &Path, words: &str) -> Child {
    let mut command = std::process::Command::new(program());
    command.current_dir(directory).args(words.split_whitespace());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Sends a signal to a process, such as `-INT`, which Ctrl-C sends.
#[cfg(unix)]
pub(crate) fn signal(child: &Child, signal: &str) {
    let mut command = std::process::Command::new("kill");
    command.args([signal, &child.id().to_string()]).stderr(Stdio::null()).status().unwrap();
}

/// A file of JSON.
pub(crate) fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// A file of results without its timing.
pub(crate) fn untimed(path: &Path) -> Value {
    let mut value = json(path);
    let fields = value.as_object_mut().unwrap();
    fields.remove("crc").unwrap();
    assert!(fields.remove("timing").unwrap()["seconds"].is_f64());
    value
}

/// `run.json` without its timing.
pub(crate) fn run_json(directory: &Path) -> Value {
    untimed(&directory.join("run.json"))
}

/// The records of a run.
pub(crate) fn records(directory: &Path) -> Vec<Value> {
    let text = fs::read_to_string(directory.join("records.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The rows of a table, by the name of the column.
pub(crate) fn csv_rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_path(path).unwrap().deserialize().collect::<Result<_, _>>().unwrap()
}

/// All files in a directory but the lock.
pub(crate) fn contents(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    let files =
        entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()));
    files.filter(|(name, _)| name != "part.lock").collect()
}

/// All files in and below a directory of results, without the checksums, times and what programs said.
pub(crate) fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let bytes = match name.as_str() {
            "checksums.txt" | "part.lock" | "stderr" => continue,
            _ if path.is_dir() => {
                found.extend(files(&path).into_iter().map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
                continue;
            }
            "run.json" | "sprt.json" | "tune.json" => untimed(&path).to_string().into_bytes(),
            // That of sums has a time.
            "part.json" => {
                let text = fs::read_to_string(&path).unwrap();
                text.split(",\"timing\":{\"seconds\"").next().unwrap().as_bytes().to_vec()
            }
            _ => fs::read(&path).unwrap(),
        };
        found.insert(name, bytes);
    }
    found
}

/// Copies a directory with all that is below it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &to) } else { assert!(fs::copy(&path, &to).is_ok()) }
    }
}

/// Replaces a text in a file, and puts all sums right.
pub(crate) fn forge(directory: &Path, name: &str, from: &str, to: &str) {
    let path = directory.join(name);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from} is not in {text}");
    fs::write(&path, text.replacen(from, to, 1)).unwrap();
    sign(directory);
}

/// Changes what `part.json` says, and puts all sums right.
pub(crate) fn forge_part(directory: &Path, change: impl FnOnce(&mut Value)) {
    let path = directory.join("part.json");
    let mut part = json(&path);
    change(&mut part);
    fs::write(path, part.to_string()).unwrap();
    sign(directory);
}

/// The mean of some numbers.
pub(crate) fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / f64::from(u32::try_from(numbers.len()).unwrap())
}

/// Asserts that the program failed with a code and a message that has all these parts.
pub(crate) fn fails(assert: Assert, code: i32, parts: &[&str]) {
    let assert = assert.code(code);
    let message = stderr(&assert);
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
    assert!(!message.contains("panicked"), "{message}");
}

/// Compares with a file under `tests/snapshots`; `COINCHE_BLESS=1` writes it again.
#[track_caller]
pub(crate) fn snapshot(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    if std::env::var_os("COINCHE_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "{name} has changed: if rightly, run the tests with COINCHE_BLESS=1\n{text}");
}

/// Puts the CRC-32 in a file right, as of what is there.
fn sign_file(path: &Path) {
    let Ok(text) = fs::read_to_string(path) else { return };
    let text = match path.extension().and_then(|extension| extension.to_str()) {
        _ if unsealed(text.as_bytes()).is_ok() => return,
        Some("json") => {
            if let Some(at) = text.rfind("\"crc\"").filter(|at| text.len() - at < 25) {
                sealed(&format!("{}}}", text[..at].trim_end().trim_end_matches(',')))
            } else {
                let mut value: Value = serde_json::from_str(&text).unwrap();
                value.as_object_mut().unwrap().remove("crc");
                sealed(&value.to_string())
            }
        }
        Some("toml") => sealed_toml(text.split("# crc").next().unwrap()),
        Some("csv") if text.lines().next().is_some_and(|head| head.ends_with(",crc")) => {
            let mut lines = text.split_inclusive('\n');
            let head = lines.next().unwrap();
            // The table of looks of a test begins with its settings.
            let part = path.with_file_name("part.json");
            let settings = fs::read_to_string(part).ok().filter(|_| path.ends_with("sprt.csv")).map(|part| {
                let part: Value = serde_json::from_str(&part).unwrap();
                serde_json::from_value::<toml::Table>(part["identity"]["settings"].clone())
                    .unwrap()
                    .to_string()
            });
            let mut chain = Chain::after(&(head.to_owned() + &settings.unwrap_or_default()));
            let cells = |line: &'_ str| line.rsplit_once(',').map_or(line, |(cells, _)| cells).to_owned();
            lines.fold(head.to_owned(), |text, line| text + &chain.line(&cells(line)))
        }
        _ => return,
    };
    fs::write(path, text).unwrap();
}

/// Puts all sums of a directory right, as of what is there.
pub(crate) fn sign(directory: &Path) {
    let mut lines = String::new();
    let mut names: Vec<_> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    for path in names.iter().filter(|path| path.is_file() && !path.ends_with("checksums.txt")) {
        sign_file(path);
        let (bytes, name) = (fs::read(path).unwrap(), path.file_name().unwrap().to_str().unwrap());
        writeln!(lines, "{:08x} {} {name}", crc32fast::hash(&bytes), bytes.len()).unwrap();
    }
    let own = format!("{:08x} {} checksums.txt\n", crc32fast::hash(lines.as_bytes()), lines.len());
    fs::write(directory.join("checksums.txt"), lines + &own).unwrap();
}

/// Numbers for tests that look at other places each time; what fails says which numbers it had.
pub(crate) struct Random(u64);

impl Random {
    /// Starts somewhere else each time, or where `COINCHE_SEED` says.
    pub(crate) fn fresh() -> Self {
        let given = std::env::var("COINCHE_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or_else(|| {
            use std::hash::{BuildHasher, Hasher};
            std::hash::RandomState::new().build_hasher().finish() >> 32
        });
        println!("COINCHE_SEED={seed} repeats this test");
        Self(seed)
    }

    /// Some bytes with one bit flipped.
    pub(crate) fn flip(&mut self, bytes: &[u8]) -> Vec<u8> {
        flipped(bytes, self.below(8 * bytes.len()))
    }

    /// A number below `n` (SplitMix64).
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((word ^ (word >> 31)) % n as u64).unwrap()
    }
}

/// Some bytes with this bit flipped.
pub(crate) fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut flipped = bytes.to_vec();
    flipped[bit / 8] ^= 1 << (bit % 8);
    flipped
}

/// The standard error of a weighted sum of paired differences, as `docs/statistics.md` has it, given for each term the weight,
/// the differences deal by deal and the mean square of a leg.
pub(crate) fn standard_error(terms: &[(f64, &[f64], f64)]) -> f64 {
    let n = f64::from(u32::try_from(terms[0].1.len()).unwrap());
    let moment = |x: &[f64], power: i32| {
        let mean = x.iter().sum::<f64>() / n;
        x.iter().map(|x| (x - mean).powi(power)).sum::<f64>()
    };
    let of = |deal: usize| terms.iter().map(|(weight, x, _)| weight * x[deal]).sum();
    let x: Vec<f64> = (0..terms[0].1.len()).map(of).collect();
    let legs_of =
        |sign: f64| terms.iter().map(|(weight, _, leg)| (sign * weight).max(0.0) * leg.sqrt()).sum::<f64>();
    let leg = legs_of(1.0).max(legs_of(-1.0)).powi(2).max(f64::MIN_POSITIVE);
    let seen = x.iter().map(|x| x * x).sum::<f64>() / leg;
    let size = leg * (1.0 + 24.0 * (2.0 / (2.0 + seen)).powi(2));
    let cube = terms.iter().map(|(weight, x, _)| weight * moment(x, 3).cbrt()).sum::<f64>().powi(3);
    let squares = moment(&x, 2).max(f64::MIN_POSITIVE);
    ((squares + 3.0 * size) / (n * (n - 1.0))).sqrt() + (cube / squares).abs() / n
}

/// The standard error of the mean that a sequential test has, of the variance of that mean and of an estimate.
pub(crate) fn error_of_test(variance: f64, estimate: &Value) -> f64 {
    let [n, mean, sd, leg, error] =
        ["pairs", "mean", "sd", "leg_sd", "standard_error"].map(|name| estimate[name].as_f64().unwrap());
    let leg = leg.powi(2) * (1.0 - 0.5 / n) + mean * mean;
    let seen = ((n - 1.0) * sd * sd + n * mean * mean) / leg;
    let size = leg * (1.0 + 24.0 * (2.0 / (2.0 + seen)).powi(2)) / (n * (n - 1.0));
    // What is left of the standard error is the skewness.
    let skewness = error - (sd * sd / n + 3.0 * size).sqrt();
    (variance + 10.0 * size).sqrt() + 1.5 * skewness
}
