//! `arena judge` from the command line.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common::{arena, fails, printed_json, run, stderr, stdout};
use serde_json::Value;

/// Plays a run with full records, and returns the records.
fn play(directory: &Path, flags: &str) -> String {
    run(directory, &format!("run rules random --seed 5 --records full --out run {flags}")).success();
    fs::read_to_string(directory.join("run/records.jsonl")).unwrap()
}

fn judge(directory: &Path, flags: &str) -> Value {
    let assert = run(directory, &format!("judge run --json --progress none {flags}")).success();
    printed_json(&assert)
}

#[test]
fn figures_do_not_depend_on_threads_and_agree_with_the_table() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), "--deals 30");
    let one = judge(dir.path(), "--threads 1 --csv one");
    assert_eq!(one, judge(dir.path(), "--threads 3 --csv three"));
    let table = fs::read_to_string(dir.path().join("one/decisions.csv")).unwrap();
    assert_eq!(table, fs::read_to_string(dir.path().join("three/decisions.csv")).unwrap());
    assert!(!dir.path().join("one/decisions.csv.unfinished").exists());

    assert_eq!((&one["deals"], &one["legs"]), (&30.into(), &60.into()));
    let bots = one["bots"].as_array().unwrap();
    assert_eq!(bots.iter().map(|bot| bot["bot"].as_str().unwrap()).collect::<Vec<_>>(), ["rules", "random"]);
    for bot in bots {
        let mut sums = [0i64; 4];
        let mut seats = BTreeSet::new();
        for row in csv::Reader::from_reader(table.as_bytes()).deserialize::<(
            u64,
            u32,
            Option<u64>,
            u8,
            String,
            u8,
            u8,
            String,
            String,
            String,
            String,
            String,
            i64,
            i64,
            i64,
            i64,
        )>() {
            let row = row.unwrap();
            if row.4 != bot["bot"] {
                continue;
            }
            seats.insert((row.1, row.3));
            assert_eq!(row.14, row.13 - row.12);
            assert_eq!(row.2, None);
            assert_eq!(row.14 > 0, row.10 != row.11);
            sums[0] += 1;
            sums[1] += row.14;
            sums[2] += row.15;
            sums[3] += i64::from(row.14 > 0);
        }
        assert_eq!(seats.len(), 4, "{} sits at two seats in each leg", bot["bot"]);
        let all = &bot["cards"]["all"];
        let figures =
            [&all["points"]["count"], &all["points"]["sum"], &all["score"]["sum"], &all["points"]["losing"]];
        assert_eq!(figures.map(|figure| figure.as_i64().unwrap()), sums);
        for dimension in ["trick", "role", "place", "kind", "strain"] {
            let groups = bot["cards"][dimension].as_object().unwrap().values();
            let (count, sum) = groups.fold((0, 0), |(count, sum), group| {
                let part = &group["points"];
                (count + part["count"].as_i64().unwrap(), sum + part["sum"].as_i64().unwrap())
            });
            assert_eq!([count, sum], [sums[0], sums[1]], "{dimension}");
        }
    }
    // The difference of the means, on the same deals; who plays at random loses more for sure.
    let [rules, random] = [0, 1].map(|n: usize| &bots[n]["lost_by_a_side_in_a_leg"]["cards_points"]["mean"]);
    let compared = &one["comparisons"][0]["cards_points"]["difference"];
    let [rules, random, mean, half] =
        [rules, random, &compared["mean"], &compared["half_width"]].map(|number| number.as_f64().unwrap());
    assert!((mean - (rules - random)).abs() < 1e-9);
    assert!(mean + half < 0.0, "{mean} ± {half}");
}

#[test]
fn the_sample_is_chosen_by_deal_and_seed() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), "--deals 60");
    let deals = |flags: &str| -> BTreeSet<u64> {
        judge(dir.path(), &format!("{flags} --csv cards"));
        let table = fs::read_to_string(dir.path().join("cards/decisions.csv")).unwrap();
        table.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect()
    };
    let (few, more) = (deals("--sample 0.2 --seed 0"), deals("--sample 0.5 --seed 0"));
    assert!(few.len() > 4 && few.len() < 25, "{few:?}");
    assert!(few.is_subset(&more) && few.len() < more.len());
    assert_ne!(few, deals("--sample 0.2 --seed 1"));
}

#[test]
fn the_text_names_bots_groups_and_what_the_judge_is() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), "--deals 20 --rules coinche");
    let text = stdout(&run(dir.path(), "judge run --progress none").success());
    for part in [
        "20 deals, 40 legs",
        "double dummy",
        "trick 7",
        "partner",
        "discard",
        "missed coinche",
        "Loss per side and leg, A − B, paired",
    ] {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
    // Where no deal has a loss, others could have one.
    assert!(text.contains(" 0.00 ± ") && !text.contains("± 0.00"), "{text}");
}

#[test]
fn matches_and_the_turn_up_game_are_judged() {
    let dir = tempfile::tempdir().unwrap();
    let records = play(dir.path(), "--match --deals 2 --rules belote");
    let figures = judge(dir.path(), "");
    assert_eq!(figures["deals"], 2);
    assert_eq!(figures["legs"], records.lines().count());
    let auction = &figures["bots"][0]["auction"];
    assert_eq!((&auction["wrong_strain"]["sum"], &auction["underbid"]["sum"]), (&0.into(), &0.into()));
}

#[test]
fn wrong_lines_are_named_and_wrong_files_refused() {
    let dir = tempfile::tempdir().unwrap();
    let records = play(dir.path(), "--deals 10");
    let mut lines: Vec<_> = records.lines().map(str::to_owned).collect();
    let wrong = lines.iter().position(|line| line.contains("\"made\":true")).unwrap();
    lines[wrong] = lines[wrong].replace("\"made\":true", "\"made\":false");
    lines.push("{\"v\":1".to_owned());
    fs::write(dir.path().join("spoilt.jsonl"), lines.join("\n")).unwrap();
    let assert = run(dir.path(), "judge spoilt.jsonl --progress none").code(1);
    let found = stderr(&assert);
    assert!(found.contains(&format!("line {}: ", wrong + 1)) && found.contains("made"), "{found}");
    assert!(found.contains("line 21: not a deal record"), "{found}");
    assert!(stdout(&assert).contains("2: invalid records"));

    // The standard input is read as well.
    let piped = arena(dir.path()).args(["judge", "-"]).write_stdin(records.clone()).assert().success();
    assert_eq!(stdout(&piped), stdout(&run(dir.path(), "judge run --progress none").success()));

    lines.swap(0, 10);
    fs::write(dir.path().join("mixed.jsonl"), lines.join("\n")).unwrap();
    fails(
        run(dir.path(), "judge mixed.jsonl --csv c --parquet c"),
        2,
        &["mixed.jsonl, line 2", "stand together"],
    );
    assert_eq!(fs::read_dir(dir.path().join("c")).unwrap().count(), 0);
    fs::write(dir.path().join("other.csv"), "a,b\n1,2\n").unwrap();
    fails(run(dir.path(), "judge other.csv"), 2, &["other.csv has no deal records", "--records full"]);
    fs::create_dir(dir.path().join("empty")).unwrap();
    fails(run(dir.path(), "judge empty"), 2, &["empty has no records.jsonl"]);
    fails(run(dir.path(), "judge none.jsonl"), 2, &["none.jsonl"]);
    fails(run(dir.path(), "judge run --sample 0"), 2, &["sample: 0 is not above 0"]);
    fails(run(dir.path(), "judge run --sample NaN"), 2, &["sample: NaN"]);
}

/// A row of the table, as far as losses are told.
#[derive(serde::Deserialize)]
struct Losses {
    score_lost: Option<i32>,
    score_lost_known: Option<f64>,
}

#[test]
fn a_bot_that_sees_all_judges_as_the_judge_that_does() {
    let mut compared = 0;
    for rules in ["bga", "belote", "coinchee"] {
        let dir = tempfile::tempdir().unwrap();
        play(dir.path(), &format!("--deals 12 --rules {rules}"));
        let figures = judge(dir.path(), "--by rules+open --csv cards --threads 2");
        assert_eq!(figures["by"], "rules+open:sees=all");
        let (mut rows, mut losing) = (0, 0);
        for row in csv::Reader::from_path(dir.path().join("cards/decisions.csv")).unwrap().deserialize() {
            let Losses { score_lost, score_lost_known: known } = row.unwrap();
            // The losses of a générale have no score with open cards.
            let (Some(score_lost), Some(known)) = (score_lost, known) else { continue };
            assert!((f64::from(score_lost) - known).abs() < 1e-9, "{rules}: {score_lost} {known}");
            rows += 1;
            losing += u64::from(known > 0.0);
        }
        assert!(rows > 150 && losing > 10, "{rules}: {rows}, {losing}");
        if figures["unscored"] != 0 {
            continue;
        }
        compared += 1;
        for bot in figures["bots"].as_array().unwrap() {
            let cards = &bot["cards"]["all"];
            for figure in ["count", "deals", "losing"] {
                assert_eq!(cards["known"][figure], cards["score"][figure], "{rules}, {figure}");
            }
            let [known, score] =
                ["known", "score"].map(|judge| cards[judge]["lost"]["mean"].as_f64().unwrap());
            assert!((known - score).abs() < 1e-9, "{rules}: {known} {score}");
            let lost = |measure: &str| bot["lost_by_a_side_in_a_leg"][measure]["mean"].as_f64().unwrap();
            assert!((lost("cards_known") - lost("cards_score")).abs() < 1e-9);
            // It has no opinion of calls.
            assert!(bot["calls"]["all"].is_null());
        }
    }
    assert!(compared >= 2);
}

#[test]
fn a_bot_that_searches_judges_the_same_on_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    play(dir.path(), "--deals 6");
    let by = "--by rules+pimc:worlds=12,pool=2";
    let one = judge(dir.path(), &format!("{by} --threads 1 --csv one"));
    assert_eq!(one, judge(dir.path(), &format!("{by} --threads 3 --csv three")));
    let [first, second] =
        ["one", "three"].map(|out| fs::read(dir.path().join(out).join("decisions.csv")).unwrap());
    assert_eq!(first, second);
    let lost = |bot: usize| one["bots"][bot]["cards"]["all"]["known"]["lost"]["mean"].as_f64().unwrap();
    assert!(0.0 < lost(0) && lost(0) < lost(1), "rules lost {}, random {}", lost(0), lost(1));
    let text = stdout(&run(dir.path(), &format!("judge run --progress none {by}")).success());
    assert!(
        text.contains("\"As far as known\": the loss estimated by rules+pimc:worlds=12,pool=2"),
        "{text}"
    );
    assert!(text.contains("card play, score, as far as known"), "{text}");
    fails(run(dir.path(), "judge run --by rules"), 2, &["`rules` does not rate each card", "rules+pimc"]);
}
