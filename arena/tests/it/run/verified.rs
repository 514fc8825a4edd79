//! `arena verify` of a directory: it vouches for every byte, and says what it does not know.

use std::fs;
use std::path::Path;

use crate::common::{Random, flipped, forge, printed, run, sign, size, stderr, stdout};

/// The names of the files in a directory.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Flips bits of every file of a directory, one at a time, and expects the file to be named.
fn every_flip_is_named(root: &Path, directory: &str, random: &mut Random) {
    let verify = format!("verify {directory}");
    run(root, &verify).success();
    for name in names(&root.join(directory)) {
        let path = root.join(directory).join(&name);
        let whole = fs::read(&path).unwrap();
        let ends = [0, 7, whole.len() * 8 - 1].into_iter();
        let places = ends.chain((0..size(5, 60)).map(|_| random.below(whole.len() * 8)));
        for bit in places.collect::<Vec<_>>() {
            fs::write(&path, flipped(&whole, bit)).unwrap();
            let assert = run(root, &verify).code(1);
            let printed = printed(&assert);
            assert!(printed.contains(&name), "bit {bit} of {directory}/{name}: {printed}");
            assert!(!printed.contains("panicked"), "{printed}");
        }
        for damaged in [&whole[..whole.len() / 2], b""] {
            fs::write(&path, damaged).unwrap();
            let printed = printed(&run(root, &verify).code(1));
            assert!(printed.contains(&name), "{directory}/{name}: {printed}");
        }
        fs::remove_file(&path).unwrap();
        let assert = run(root, &verify);
        if name != "checksums.txt" {
            let printed = printed(&assert);
            assert!(!assert.get_output().status.success() && printed.contains(&name), "{name}: {printed}");
        }
        fs::write(&path, whole).unwrap();
    }
    run(root, &verify).success();
}

#[test]
fn a_bit_flipped_anywhere_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random::fresh();
    for (n, words) in [
        "run random random:pass=0.6 --deals 30 --seed 5 --records full",
        "run random rules+random random:pass=0.6 --deals 20 --seed 6 --records sample:0.2 --table csv.zst --lines jsonl.zst",
        "run random random:pass=0.9 --deals 3 --seed 8 --match --rules coinche --table parquet",
        "run rules random random --deals 20 --seed 9 --records none --shard 2/3",
        "sprt rules random --lower 0 --upper 50 --first 32 --every 32 --seed 1 --progress none",
    ]
    .into_iter()
    .enumerate()
    {
        run(dir.path(), &format!("{words} --out {n}")).success();
        every_flip_is_named(dir.path(), &n.to_string(), &mut random);
    }
}

#[test]
fn figures_are_made_again_where_the_sums_are_gone() {
    let dir = tempfile::tempdir().unwrap();
    let run_words = "run rules random --deals 30 --seed 5 --records full";
    let test_words = "sprt rules random --lower 0 --upper 50 --first 32 --every 32 --seed 1 --progress none";
    for (n, (words, file, from, to, told)) in [
        (
            run_words,
            "run.json",
            "\"legs\": 60",
            "\"legs\": 61",
            "run.json: figures.legs is 61, counted is 60",
        ),
        (run_words, "run.json", "\"seed\": 5", "\"seed\": 6", "run.json: seed is 6, counted is 5"),
        (run_words, "config.toml", "seed = 5", "seed = 6", "config.toml: seed: 5 there, 6 now"),
        (
            run_words,
            "config.toml",
            "deals = 30",
            "deals = 31",
            "config.toml: deals: 30 in part.json, 31 here",
        ),
        (run_words, "part.json", "\"done\":30", "\"done\":29", "part.json"),
        (run_words, "part.json", "\"slams\":", "\"slams\":1", "summary.csv: slams of A: the totals have 1"),
        (
            run_words,
            "part.json",
            "\"meld_points\":",
            "\"meld_points\":7",
            "summary.csv: points of melds of A: the totals have 7",
        ),
        (run_words, "part.json", "\"contracts\":[[0", "\"contracts\":[[9", "summary.csv: contracts "),
        (
            test_words,
            "sprt.json",
            "\"decision\": \"upper\"",
            "\"decision\": \"lower\"",
            "sprt.json: decision is",
        ),
        (test_words, "sprt.csv", "32,", "33,", "sprt.csv"),
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("f{n}");
        run(dir.path(), &format!("{words} --out {out}")).success();
        forge(&dir.path().join(&out), file, from, to);
        let printed = printed(&run(dir.path(), &format!("verify {out}")).code(1));
        assert!(printed.contains(told), "`{told}` is not in: {printed}");
    }
}

#[test]
fn the_control_is_played_again() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run rules random --control table+rules rules --control-deals 1000 --deals 30 --seed 5";
    run(dir.path(), &format!("{words} --out whole")).success();
    run(dir.path(), &format!("{words} --shard 2/3 --out part")).success();
    for (out, deals) in [("whole", "1,000"), ("part", "333")] {
        let printed = printed(&run(dir.path(), &format!("verify {out}")).success());
        assert!(printed.contains(&format!("totals.control: {deals} deals, and the sums match")), "{printed}");
    }
    // Its figures follow from its sums, so `run.json` is made of the wrong ones, too.
    let totals = fs::read_to_string(dir.path().join("whole/part.json")).unwrap();
    let control = totals.find("\"control\":{\"pairs\":1000,").unwrap();
    let sum = control + totals[control..].find("\"sum\":").unwrap() + "\"sum\":".len();
    let end = sum + totals[sum..].find(',').unwrap();
    let whole: i64 = totals[sum..end].parse().unwrap();
    forge(&dir.path().join("whole"), "part.json", &totals[control..end], &{
        format!("{}{}", &totals[control..sum], whole + 2)
    });
    // Opened again, the run makes its other files of them.
    run(dir.path(), &format!("{words} --out whole")).success();
    let found = printed(&run(dir.path(), "verify whole").code(1));
    assert!(found.contains("part.json: totals.control: its sums are not those of"), "{found}");
    let other = forge_pairs(&dir.path().join("part"));
    let found = printed(&run(dir.path(), "verify part").code(1));
    assert!(found.contains(&format!("totals.control: it is of {other} deals, expected 333")), "{found}");
}

/// Puts another number of deals in the sums of the control, and returns it.
fn forge_pairs(directory: &Path) -> u64 {
    forge(directory, "part.json", "\"control\":{\"pairs\":333,", "\"control\":{\"pairs\":332,");
    332
}

#[test]
fn what_is_not_finished_or_not_covered_is_said() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run random random --deals 20 --seed 1 --out r").success();
    fs::write(dir.path().join("r/notes.txt"), "mine").unwrap();
    let printed_of = |out: &str| printed(&run(dir.path(), &format!("verify {out}")));
    assert!(printed_of("r").contains("not checked, since checksums.txt does not list it: notes.txt\n"));
    // As an interrupted run leaves it: closed before its end.
    for file in ["part.json", "config.toml", "run.json"] {
        let path = dir.path().join("r").join(file);
        let text = fs::read_to_string(&path).unwrap();
        let text = text
            .replace("\"end\":20,\"asked\":20", "\"end\":50,\"asked\":50")
            .replace("deals = 20", "deals = 50")
            .replace("--deals 20 ", "--deals 50 ")
            .replace("\"asked\": 20", "\"asked\": 50")
            .replace("\"interrupted\": false", "\"interrupted\": true");
        fs::write(&path, text).unwrap();
    }
    fs::remove_file(dir.path().join("r/checksums.txt")).unwrap();
    assert!(
        printed(&run(dir.path(), "verify r").code(1)).contains("there is no checksums.txt: an older version")
    );
    sign(&dir.path().join("r"));
    let assert = run(dir.path(), "verify r").success();
    let text = stdout(&assert);
    assert!(
        text.contains("the run is not finished: 20 of 50 deals are played; repeat its command\n"),
        "{text}"
    );
    // Going on with it puts everything right.
    run(dir.path(), "run random random --deals 50 --seed 1 --out r").success();
    run(dir.path(), "run random random --deals 50 --seed 1 --out once").success();
    assert!(!printed_of("r").contains("not finished"));
    assert_eq!(
        fs::read(dir.path().join("r/summary.csv")).unwrap(),
        fs::read(dir.path().join("once/summary.csv")).unwrap()
    );
}

#[test]
fn records_that_are_there_twice_or_missing_are_warned_of() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run random random --deals 10 --seed 1 --records full --out r").success();
    let text = fs::read_to_string(dir.path().join("r/records.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let verify = |lines: &[&str]| {
        fs::write(dir.path().join("some.jsonl"), lines.join("\n")).unwrap();
        stdout(&run(dir.path(), "verify some.jsonl").success())
    };
    assert!(!verify(&lines).contains("warning"));
    let twice = [&lines[..], &lines[4..5]].concat();
    assert!(verify(&twice).contains("warning: deal 2, leg 0: its record is duplicated\n"));
    let without = [&lines[..7], &lines[8..]].concat();
    assert!(verify(&without).contains("warning: one record is missing: deal 3, leg 1\n"));
}

#[test]
fn names_in_the_totals_lead_nowhere_else() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run random random --deals 10 --seed 1 --out r").success();
    fs::copy(dir.path().join("r/summary.csv"), dir.path().join("elsewhere.csv")).unwrap();
    forge(&dir.path().join("r"), "part.json", "\"summary.csv\"", "\"../elsewhere.csv\"");
    for words in ["verify r", "run random random --deals 20 --seed 1 --out r", "merge r --out m"] {
        let printed = printed(&run(dir.path(), words).code(1));
        assert!(
            printed.contains("`../elsewhere.csv` is not the name of a file of a run"),
            "{words}: {printed}"
        );
    }
}

/// What is written under another name first is not written through a link that somebody put there.
#[cfg(unix)]
#[test]
fn links_in_the_way_are_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let victim = dir.path().join("victim");
    fs::write(&victim, "precious").unwrap();
    fs::create_dir(dir.path().join("r")).unwrap();
    for name in ["run.json", "part.json", "checksums.txt"] {
        std::os::unix::fs::symlink(&victim, dir.path().join(format!("r/{name}.unfinished"))).unwrap();
    }
    std::os::unix::fs::symlink(&victim, dir.path().join("page.html.unfinished")).unwrap();
    run(dir.path(), "run random random --deals 10 --seed 1 --out r").success();
    run(dir.path(), "report r --out page.html").success();
    run(dir.path(), "verify r").success();
    for (n, name) in ["config.toml", "summary.csv", "records.jsonl"].into_iter().enumerate() {
        fs::create_dir(dir.path().join(n.to_string())).unwrap();
        std::os::unix::fs::symlink(&victim, dir.path().join(format!("{n}/{name}"))).unwrap();
        let words = format!("run random random --deals 10 --seed 1 --records full --out {n}");
        run(dir.path(), &words).code(3);
    }
    for words in
        ["label --deals 10 --chunk 5 --seed 1 --out l", "stats --deals 9 --shard 1/1 --seed 1 --out l"]
    {
        fs::create_dir_all(dir.path().join("l")).unwrap();
        let _ = std::os::unix::fs::symlink(&victim, dir.path().join("l/part.lock"));
        let assert = run(dir.path(), words).code(3);
        assert!(printed(&assert).contains("it is a symbolic link"), "{words}");
    }
    assert_eq!(fs::read_to_string(victim).unwrap(), "precious");
}

#[test]
fn outputs_do_not_replace_data() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run random random --deals 10 --seed 1 --records full --out r").success();
    run(dir.path(), "export r --to pbn --out deals.pbn").success();
    let before: Vec<_> = names(&dir.path().join("r"))
        .iter()
        .map(|name| fs::read(dir.path().join("r").join(name)).unwrap())
        .collect();
    for words in [
        "report r --out r/part.json",
        "report r --markdown r/checksums.txt",
        "export r --to csv --out r/summary.csv",
        "export r --to csv --out r/summary.parquet",
        "export r --to parquet --out ./r/../r/run.json",
        "import deals.pbn --out r/records.jsonl",
        "fit --seed 1 --deals 1000 --out r/config.toml",
    ] {
        let printed = printed(&run(dir.path(), words).code(2));
        assert!(printed.contains("is a data file of the directory that it is in"), "{words}: {printed}");
    }
    let after: Vec<_> = names(&dir.path().join("r"))
        .iter()
        .map(|name| fs::read(dir.path().join("r").join(name)).unwrap())
        .collect();
    assert!(before == after);
    // Elsewhere such names are free.
    for _ in 0..2 {
        run(dir.path(), "export r --to csv --out summary.csv").success();
    }
    run(dir.path(), "report r --out r/report.html").success();
}

/// The same records in two files are no more deals.
#[test]
fn records_given_twice_are_warned_of() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run rules random --deals 6 --seed 3 --records full --out r").success();
    run(dir.path(), "run rules random --deals 6 --seed 4 --records full --out s").success();
    let text = fs::read_to_string(dir.path().join("r/records.jsonl")).unwrap();
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    // In another order, too.
    fs::write(dir.path().join("mixed"), [lines[1], lines[0]].concat() + &lines[2..].concat()).unwrap();
    let told = |words: &str| stderr(&run(dir.path(), words).success());
    assert!(!told("stats r s").contains("warning"));
    for other in ["r", "r/records.jsonl", "mixed"] {
        let told = told(&format!("stats r s {other}"));
        let warning = format!(
            "warning: its records are those of r{}records.jsonl: they count twice",
            std::path::MAIN_SEPARATOR
        );
        assert!(told.contains(&warning), "{other}: {told}");
    }
}

/// Records that are there twice, missing or out of order are named by all that read them.
#[test]
fn every_reader_names_records_twice_or_missing() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run rules random --deals 6 --seed 3 --records full --out r").success();
    let text = fs::read_to_string(dir.path().join("r/records.jsonl")).unwrap();
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let twice = [&lines[..4], &lines[3..]].concat();
    let missing = [&lines[..5], &lines[6..]].concat();
    let mut swapped = lines.clone();
    swapped.swap(4, 5);
    for (name, lines, warning) in [
        ("whole", lines.clone(), None),
        ("twice", twice, Some("warning: deal 1, leg 1: its record is duplicated")),
        ("missing", missing, Some("warning: one record is missing: deal 2, leg 1")),
        ("swapped", swapped, Some("warning: the records of deal 2 are not in the order of a run")),
    ] {
        fs::write(dir.path().join(name), lines.concat()).unwrap();
        for words in ["verify", "stats", "judge", "show --deal 0", "export --to jsonl", "export --to csv"] {
            let words = words.replacen(
                words.split(' ').next().unwrap(),
                &format!("{} {name}", words.split(' ').next().unwrap()),
                1,
            );
            let assert = run(dir.path(), &words).success();
            let told = printed(&assert);
            match warning {
                Some(warning) => assert!(told.contains(warning), "{words}: {told}"),
                None => assert!(!told.contains("warning"), "{words}: {told}"),
            }
        }
    }
}
