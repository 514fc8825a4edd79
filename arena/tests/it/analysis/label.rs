//! `arena label`: what is in the files, going on, bad input.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{
    Random, contents, csv_rows, fails, flipped, forge_part, printed, run, size, start, stderr, stdout,
};
use coinche_engine::solver::{Solver, takes_all};
use coinche_engine::{CardSet, Deal, Deck, PlayState, RuleSet, Seat, Strain};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

/// The same of Parquet; hands are written as text.
fn parquet(path: &Path) -> Vec<BTreeMap<String, String>> {
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let text = |name: &str, field: &Field| match field {
        Field::Null => String::new(),
        Field::UInt(hand) if name.starts_with("hand") => CardSet::from_bits(*hand).to_string(),
        Field::UByte(number) => number.to_string(),
        Field::ULong(number) => number.to_string(),
        Field::Str(text) => text.clone(),
        other => panic!("{name}: {other}"),
    };
    reader
        .get_row_iter(None)
        .unwrap()
        .map(|row| {
            let row = row.unwrap();
            row.get_column_iter().map(|(name, field)| (name.clone(), text(name, field))).collect()
        })
        .collect()
}

#[test]
fn labels_are_what_the_solver_says() {
    let dir = tempfile::tempdir().unwrap();
    let words = "label --deals 6 --seed 4 --leaders all --out l --rules contree --progress none";
    let assert = run(dir.path(), words).success();
    assert_eq!(stdout(&assert), "6 deals labelled, seed 4, in l\n");
    let rows = csv_rows(&dir.path().join("l/part-000000.csv"));
    assert_eq!(rows.len(), 24);
    assert_eq!(parquet(&dir.path().join("l/part-000000.parquet")), rows);
    let rules = RuleSet::CONTREE;
    let mut solver = Solver::new();
    for (n, row) in rows.iter().enumerate() {
        let (deal, leader) = (n / 4, Seat::from_index(n % 4));
        assert_eq!(row["deal"], deal.to_string());
        assert_eq!(row["leader"], leader.to_string());
        assert_eq!((&*row["version"], &*row["rules"], &*row["undertrump"]), ("1", "contree", "free"));
        // The cards are those of `arena run` with this seed.
        let dealer = Seat::from_index(deal % 4);
        let hands = *Deal::new(&rules.deal, Deck::shuffled(4, deal as u64), dealer).hands();
        for (seat, hand) in hands.iter() {
            assert_eq!(row[&format!("hand{seat}")], hand.to_string());
        }
        let mut slams = [0u8; 2];
        for strain in Strain::ALL {
            let state = PlayState::new(&rules.play, strain, hands, leader);
            let value = solver.value(&rules, &state);
            let even = if leader.index() % 2 == 0 { value } else { 162 - value };
            assert_eq!(row[&strain.code().to_lowercase()], even.to_string());
            if takes_all(&mut solver, &rules, &state, state.to_play().team()) {
                slams[leader.index() % 2] |= 1 << strain.index();
            }
        }
        let column = ["slams02", "slams13"][leader.index() % 2];
        assert_eq!(row[column], slams[leader.index() % 2].to_string());
    }
}

#[test]
fn the_leader_sits_left_of_the_dealer_unless_told_otherwise() {
    let dir = tempfile::tempdir().unwrap();
    for (more, leaders) in [("", ["1", "2", "3", "0", "1"]), (" --leaders 2", ["2"; 5])] {
        let out = format!("l{}", more.len());
        let words = format!("label --deals 5 --seed 1 --out {out} --table csv --strains h,TA{more}");
        run(dir.path(), &words).success();
        let rows = csv_rows(&dir.path().join(&out).join("part-000000.csv"));
        assert!(rows.iter().map(|row| &*row["leader"]).eq(leaders));
        assert!(rows.iter().all(|row| row["s"].is_empty() && !row["h"].is_empty() && !row["ta"].is_empty()));
        assert!(!dir.path().join(&out).join("part-000000.parquet").exists());
    }
}

#[test]
fn an_interrupted_command_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let words = "label --deals 23 --seed 9 --chunk 5 --strains C,SA --progress none --out";
    run(dir.path(), &format!("{words} whole --threads 1")).success();
    let whole = contents(&dir.path().join("whole"));
    assert_eq!(whole.len(), 12);
    for threads in [2, 8] {
        run(dir.path(), &format!("{words} t{threads} --threads {threads}")).success();
        assert_eq!(contents(&dir.path().join(format!("t{threads}"))), whole);
    }
    // Killed in the middle of part 3, after the first of its files, and with the next one half written.
    let broken = dir.path().join("t2");
    fs::remove_file(broken.join("part-000003.parquet")).unwrap();
    fs::write(broken.join("part-000003.parquet.unfinished"), "PAR").unwrap();
    for ending in ["csv", "parquet"] {
        fs::remove_file(broken.join(format!("part-000004.{ending}"))).unwrap();
    }
    let assert = run(dir.path(), &format!("{words} t2")).success();
    assert_eq!(stdout(&assert), "8 deals labelled (15 were there before), seed 9, in t2\n");
    assert_eq!(contents(&broken), whole);
    // Other settings are not mixed in.
    for other in ["--seed 8", "--set play.undertrump=free", "--leaders all", "--strains C"] {
        let words: Vec<_> = words.split(' ').collect();
        let (flag, _) = other.split_once(' ').unwrap();
        let at = words.iter().position(|word| *word == flag);
        let kept: Vec<_> = words
            .iter()
            .enumerate()
            .filter(|(n, _)| at.is_none_or(|at| *n != at && *n != at + 1))
            .map(|(_, word)| *word)
            .collect();
        let words = format!("{} t2 {other}", kept.join(" "));
        fails(run(dir.path(), &words), 2, &["t2", "other settings", "--out"]);
    }
    assert_eq!(contents(&broken), whole);
}

#[test]
fn deals_of_a_file_are_labelled() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "label --deals 7 --seed 2 --format csv --out random --leaders 0").success();
    let random = csv_rows(&dir.path().join("random/part-000000.csv"));
    let lines: Vec<_> = random
        .iter()
        .map(|row| [0, 1, 2, 3].map(|seat| row[&format!("hand{seat}")].clone()).join(" | "))
        .collect();
    let text = format!(
        "{}\nH 3 | {}\n\n{}\n{}\nx | y\n{}",
        lines[0],
        lines[1],
        lines[2],
        lines[3].to_lowercase(),
        lines[4].replacen("7C", "8C", 1)
    );
    fs::write(dir.path().join("deals.txt"), text).unwrap();
    let words = "label deals.txt --table csv --out l --leaders 0 --chunk 2 --progress none";
    let assert = run(dir.path(), words).code(1);
    let message = stderr(&assert);
    assert!(message.contains("deals.txt, line 6: ") && message.contains("deals.txt, line 7: "), "{message}");
    assert_eq!(stdout(&assert), "4 deals labelled, deals.txt, in l\n");
    let rows: Vec<_> =
        (0..4).flat_map(|part| csv_rows(&dir.path().join(format!("l/part-00000{part}.csv")))).collect();
    assert!(rows.iter().map(|row| &*row["deal"]).eq(["0", "1", "3", "4"]));
    for (row, expected) in rows.iter().zip(&random) {
        for column in ["hand0", "hand3", "c", "d", "h", "s", "sa", "ta"] {
            assert_eq!(row[column], expected[column]);
        }
    }
    // A file that has changed is another data set.
    fs::write(dir.path().join("deals.txt"), &lines[0]).unwrap();
    fails(run(dir.path(), words), 2, &["fingerprint", "lines"]);
}

#[test]
fn usage_errors_name_what_is_legal() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("empty.txt"), "\n").unwrap();
    fs::write(dir.path().join("file"), "").unwrap();
    for (words, code, parts) in [
        ("label", 2, &["--deals", "--out"] as &[&str]),
        ("label --deals 5", 2, &["--out"]),
        ("label --deals 0 --out l", 2, &["deals", "1 to"]),
        ("label --deals 5 --chunk 0 --out l", 2, &["chunk", "1 to 1000000"]),
        ("label --deals 5 --leaders nobody --out l", 2, &["dealer-left, all, 0, 1, 2 or 3"]),
        ("label --deals 5 --strains H,NT --out l", 2, &["NT", "C, D, H, S, SA or TA"]),
        ("label --deals 5 --format json --out l", 2, &["csv", "parquet", "both"]),
        ("label --deals 5 --set scoring.last_trick=104 --out l", 2, &["104", "103"]),
        ("label --deals 5 --threads 2000 --out l", 2, &["1 to 1024"]),
        ("label nowhere.txt --out l", 2, &["nowhere.txt", "cannot read"]),
        ("label empty.txt --out l", 2, &["empty.txt is empty", "four hands"]),
        ("label empty.txt --deals 5 --out l", 2, &["cannot be used with"]),
        ("label --deals 5 --out file", 3, &["cannot write", "file"]),
    ] {
        fails(run(dir.path(), words), code, parts);
        assert!(!dir.path().join("l").exists(), "{words}");
    }
}

#[test]
fn labels_are_vouched_for() {
    let dir = tempfile::tempdir().unwrap();
    let words = "label --deals 23 --seed 9 --chunk 5 --strains C --progress none --out l";
    run(dir.path(), words).success();
    let text = stdout(&run(dir.path(), "verify l").success());
    assert_eq!(text, "checksums.txt: 11 files are as they were written\n");
    let mut random = Random::fresh();
    for (name, whole) in contents(&dir.path().join("l")) {
        let path = dir.path().join("l").join(&name);
        let bit = random.below(8 * whole.len());
        let flipped = flipped(&whole, bit);
        for bytes in [&flipped[..], &whole[..whole.len() / 2]] {
            fs::write(&path, bytes).unwrap();
            for command in ["verify l", words, "stats hands l"] {
                let assert = run(dir.path(), command);
                let printed = printed(&assert);
                assert!(!assert.get_output().status.success(), "{command}, bit {bit} of {name}: {printed}");
                assert!(printed.contains(&name), "{command}, bit {bit} of {name}: {printed}");
            }
        }
        fs::write(&path, whole).unwrap();
    }
    // One that is gone is made again; until then it is missed.
    let whole = contents(&dir.path().join("l"));
    fs::remove_file(dir.path().join("l/part-000002.csv")).unwrap();
    fails(
        run(dir.path(), "stats hands l"),
        1,
        &["part-000002.csv is damaged: it is missing", "repeat the command"],
    );
    assert!(stdout(&run(dir.path(), "verify l").code(1)).contains("part-000002.csv: it is missing"));
    run(dir.path(), words).success();
    assert_eq!(contents(&dir.path().join("l")), whole);
    // As a process leaves it that was killed at its end.
    fs::remove_file(dir.path().join("l/checksums.txt")).unwrap();
    run(dir.path(), words).success();
    assert_eq!(contents(&dir.path().join("l")), whole);
}

#[test]
fn files_that_vanish_meanwhile_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let words = "label --deals 150 --seed 9 --chunk 25 --progress none --out l";
    let child = start(dir.path(), words);
    while fs::remove_file(dir.path().join("l/part-000000.csv")).is_err() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        output.status.code() == Some(1) && said.contains("l/part-000000.csv is damaged: it is missing"),
        "{said}"
    );
    run(dir.path(), words).success();
    run(dir.path(), "verify l").success();
}

#[test]
fn labels_that_are_not_finished_are_said_to_be_so() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "label --deals 10 --seed 9 --chunk 5 --strains C --out l").success();
    // As a process leaves it that is killed behind the first chunk.
    forge_part(&dir.path().join("l"), |state| {
        state["done"] = 5.into();
        state["sums"]["files"].as_object_mut().unwrap().retain(|name, _| name.starts_with("part-000000"));
    });
    let verify = || run(dir.path(), "verify l");
    let text = stdout(&verify().success());
    let told = "the data set is not finished: 2 of 4 files are there; repeat its command\n";
    assert!(text.contains(told), "{text}");
    fs::remove_file(dir.path().join("l/checksums.txt")).unwrap();
    assert!(stdout(&verify().code(1)).contains("there is no checksums.txt"));
}

#[test]
fn other_directories_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run random random --deals 5 --seed 1 --out r").success();
    run(dir.path(), "label --deals 2 --seed 1 --strains C --out l").success();
    fs::create_dir(dir.path().join("parts")).unwrap();
    fs::write(dir.path().join("parts/part-000000.csv"), "mine").unwrap();
    let before = [contents(&dir.path().join("r")), contents(&dir.path().join("l"))];
    for (words, code, parts) in [
        ("label --deals 2 --seed 1 --strains C --out r", 3, &["r already holds", "--out"][..]),
        (
            "label --deals 2 --seed 1 --strains C --out parts",
            2,
            &["parts has files of a data set without part.json"],
        ),
        ("run random random --deals 5 --seed 1 --out l", 3, &["l already holds", "--out"]),
        ("tune rules --param caution=-20..20 --deals 500 --seed 1 --out l", 3, &["l already holds"]),
        ("sprt random random --lower 0 --upper 5 --out l", 3, &["l already holds"]),
        ("report r --out l/part-000000.csv", 2, &["is a data file"]),
    ] {
        fails(run(dir.path(), words), code, parts);
    }
    assert_eq!([contents(&dir.path().join("r")), contents(&dir.path().join("l"))], before);
}

#[test]
fn processes_that_race_wait_or_are_told_to() {
    let dir = tempfile::tempdir().unwrap();
    let words = "label --deals 40 --seed 9 --chunk 2 --strains C --progress none --out l";
    for _ in 0..size(3, 20) {
        let processes: Vec<_> = (0..6).map(|_| start(dir.path(), words)).collect();
        let mut done = 0;
        for process in processes {
            let output = process.wait_with_output().unwrap();
            let message = String::from_utf8(output.stderr).unwrap();
            match output.status.code() {
                Some(0) => done += 1,
                Some(3) => {
                    assert!(message.contains("l is in use by another process: wait for it"), "{message}");
                }
                code => panic!("{code:?}: {message}"),
            }
        }
        assert!(done >= 1);
        run(dir.path(), "verify l").success();
        fs::remove_dir_all(dir.path().join("l")).unwrap();
    }
}
