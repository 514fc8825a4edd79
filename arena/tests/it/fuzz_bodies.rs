//! The bodies of the fuzz targets on right files with bytes changed, on any toolchain, each time from another seed.

use std::collections::BTreeMap;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use coinche_bots::system::SHIPPED;

use crate::common::{Random, run, size};

#[path = "../../fuzz/src/lib.rs"]
#[expect(unreachable_pub, reason = "the fuzz targets are other crates")]
mod bodies;
use bodies::TARGETS;

/// Files that a target can read, made by the program itself and taken from the pages.
fn samples(root: &Path) -> BTreeMap<&'static str, Vec<Vec<u8>>> {
    for words in [
        "run random rules random --deals 4 --seed 1 --records full --rules coinche --out r",
        "run rules random --deals 3 --seed 2 --records full --table parquet --shard 1/2 --out p",
        "run rules random --deals 2 --seed 2 --match --records full --lines jsonl.zst --out m",
        "sprt rules random --lower 0 --upper 5 --every 2 --max-deals 3 --seed 1 --shard 1/1 --out w",
        "stats --deals 3 --seed 1 --progress none --shard 1/1 --out s",
        "stats hands --deals 1 --seed 1 --progress none --shard 1/1 --out h",
        "bidding rules table --deals 2 --seed 1 --progress none --shard 1/1 --out b",
        "judge p --progress none --shard 1/1 --out j",
        "label --deals 3 --seed 1 --chunk 2 --strains C,SA --out l",
        "train cards --rows --deals 3 --seed 1 --out c",
        "export r --to pbn --out r.pbn",
    ] {
        run(root, words).success();
    }
    let read =
        |files: &[&str]| files.iter().map(|file| fs::read(root.join(file)).unwrap()).collect::<Vec<_>>();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(repository.join("docs/protocol.md")).unwrap();
    let said = |mark: char| {
        let lines = page.lines().filter_map(|line| line.trim_start_matches(mark).trim().strip_prefix('{'));
        let lines: Vec<_> = lines.map(|line| format!("{{{line}\n")).collect();
        let mut samples: Vec<Vec<u8>> = lines.iter().map(|line| line.clone().into_bytes()).collect();
        samples.push(lines.concat().into_bytes());
        samples
    };
    let positions = "H 1 | 7C 8C | 9C TC | JC QC | KC AC\nSA 0 | JS 9S AS TS AD KD 7C 8C | 7S 8S QS KS 7D 8D 9D TD | JD QD 7H 8H 9H TH JH QH | KH AH 9C TC JC QC KC AC\n\
                     passe\n80 cœur\n♠J 10 carreau\nGENERALE\n";
    let questions = [
        "\0\x03JS 9S AS TS AD KD 7C 8C\nP 82H P\n\n3\n",
        "\x01\x07VP 9P AP 10P AK RK 7T 8T\n80P P P P\n7C 8C\n1\n",
        "\x05\x0bJS 9S AS TS AD\nP\nTS\n2\n1\n",
    ];
    let configs = [
        "bots = [\"rules:caution=5\", \"random\"]\ndeals = 20\nseed = \"7\"\nmatch = true\nset = [\"match.target=1000\"]\n",
    ];
    let matches = fs::File::open(root.join("m/records.jsonl.zst")).unwrap();
    let matches = vec![zstd::decode_all(matches).unwrap()];
    // Rows are counted without their header.
    let rows = read(&["r/summary.csv", "m/summary.csv"]).into_iter();
    let rows: Vec<Vec<u8>> =
        rows.map(|text| text[text.iter().position(|byte| *byte == b'\n').unwrap() + 1..].to_vec()).collect();
    let bytes = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect::<Vec<_>>();
    BTreeMap::from([
        ("bot_lines", said('<')),
        ("arena_lines", said('>')),
        ("totals", {
            let mut files = read(&["r/part.json", "p/part.json", "m/part.json", "r/checksums.txt"]);
            files.extend(read(&[
                "s/part.json",
                "h/part.json",
                "b/part.json",
                "j/part.json",
                "w/waves/000000000000/1-of-1/part.json",
            ]));
            files
        }),
        ("labels", read(&["l/part.json", "l/part-000000.csv"])),
        ("label_parquet", read(&["l/part-000000.parquet"])),
        ("card_rows", read(&["c/part-000000.parquet"])),
        ("bidding_table", vec![fs::read(repository.join("bots/data/bidding.txt")).unwrap()]),
        ("system", SHIPPED.iter().map(|shipped| shipped.text.as_bytes().to_vec()).collect()),
        ("pbn", read(&["r.pbn"])),
        ("table_csv", read(&["r/summary.csv", "m/summary.csv", "r/records.jsonl"])),
        ("table_parquet", read(&["p/summary.parquet"])),
        ("positions", bytes(&[positions])),
        ("questions", bytes(&questions)),
        ("config", [read(&["r/config.toml", "p/config.toml"]), bytes(&configs)].concat()),
        ("records", read(&["r/records.jsonl", "p/records.jsonl"])),
        ("recount", [read(&["r/records.jsonl", "p/records.jsonl"]), matches, rows].concat()),
    ])
}

/// Changes some bytes, puts some in, leaves some out, or doubles a part.
fn damage(random: &mut Random, sample: &[u8]) -> Vec<u8> {
    let mut bytes = sample.to_vec();
    for _ in 0..random.below(5) {
        let at = random.below(bytes.len() + 1);
        let to = (at + random.below(40)).min(bytes.len());
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = u8::try_from(random.below(256)).unwrap(),
            2 => drop(bytes.drain(at..to)),
            3 => {
                let part = bytes[at..to].to_vec();
                bytes.splice(at..at, part);
            }
            4 => bytes.truncate(at),
            _ => {
                let words = [
                    &b"-"[..],
                    b"0",
                    b"9",
                    b"18446744073709551616",
                    b"\"",
                    b"[",
                    b"{",
                    b"\n",
                    b"null",
                    b"|",
                    b" ",
                    b"TAKE",
                ];
                let word = words[random.below(words.len())];
                bytes.splice(at..at, word.iter().copied());
            }
        }
    }
    bytes
}

#[test]
fn damaged_files_never_panic() {
    let dir = tempfile::tempdir().unwrap();
    let samples = samples(dir.path());
    let mut random = Random::fresh();
    let times: usize = std::env::var("COINCHE_EXECUTIONS")
        .ok()
        .and_then(|times| times.parse().ok())
        .unwrap_or_else(|| size(400, 20_000));
    for (name, body) in TARGETS {
        let samples = &samples[name];
        for sample in samples {
            body(sample);
        }
        // The longest file takes as long as all others.
        let times = if name == "bidding_table" { times / 20 } else { times };
        for _ in 0..times {
            let sample = &samples[random.below(samples.len())];
            let bytes = damage(&mut random, sample);
            let held = catch_unwind(|| body(&bytes)).is_ok();
            assert!(held, "{name} panics on {}", bytes.escape_ascii());
        }
    }
    assert_eq!(samples.len(), TARGETS.len());
}
