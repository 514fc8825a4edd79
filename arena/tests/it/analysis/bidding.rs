//! `arena bidding`: its figures are those of runs, of the judge and of reports of the same deals.
#![expect(clippy::float_cmp, reason = "the same integers, divided once, are the same numbers")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{arena, csv_rows, fails, printed_json, records, run, stdout};
use coinche_engine::RuleSet;
use serde_json::Value;

type Row = BTreeMap<String, String>;

/// The rows of a table, by the heads of its columns.
fn table(directory: &Path, name: &str) -> Vec<Row> {
    csv_rows(&directory.join(format!("{name}.csv")))
}

fn number(row: &Row, head: &str) -> f64 {
    row[head].parse().unwrap_or_else(|_| panic!("{head} of {row:?}"))
}

fn count(row: &Row, head: &str) -> usize {
    row[head].parse().unwrap_or_else(|_| panic!("{head} of {row:?}"))
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// Compares bidders, and returns where the tables are.
fn bidding(directory: &Path, words: &str) -> std::path::PathBuf {
    run(directory, &format!("bidding {words} --progress none --csv tables")).success();
    directory.join("tables")
}

#[test]
fn a_bidder_against_itself_is_exactly_nothing() {
    let dir = tempfile::tempdir().unwrap();
    // The second says what is the default of the first.
    let tables = bidding(dir.path(), "rules rules:caution=0 --deals 20 --seed 3 --rules bga-ja");
    let difference = &table(&tables, "differences")[0];
    assert_eq!(["difference", "p_value"].map(|head| number(difference, head)), [0.0, 1.0]);
    // Two names, of which nobody knows that they are one bot: twenty equal deals do not show that all are.
    let [low, high] = ["low", "high"].map(|head| number(difference, head));
    assert!(low < 0.0 && low == -high, "{low} {high}");
    let agreement = &table(&tables, "agreement")[0];
    assert_eq!(["same_contract", "same_strain"].map(|head| number(agreement, head)), [1.0; 2]);
    let lost = &table(&tables, "loss-differences")[0];
    assert_eq!(["deals", "score_lost_difference"].map(|head| number(lost, head)), [20.0, 0.0]);
    let [low, high] = ["low", "high"].map(|head| number(lost, head));
    assert!(low < 0.0 && low == -high, "{low} {high}");
    assert!(table(&tables, "swings").is_empty());
}

#[test]
fn a_program_is_a_bidder_like_others() {
    let dir = tempfile::tempdir().unwrap();
    let program = format!("cmd:'{}' engine rules", assert_cmd::cargo::cargo_bin("arena").display());
    let mut command = arena(dir.path());
    let words = "--deals 6 --seed 3 --play rules --progress none --csv tables --threads 2";
    command.args(["bidding", "rules", &program]).args(words.split(' ')).assert().success();
    let agreement = &table(&dir.path().join("tables"), "agreement")[0];
    assert_eq!((number(agreement, "deals"), number(agreement, "same_contract")), (6.0, 1.0));
    assert!(table(&dir.path().join("tables"), "swings").is_empty());
}

#[test]
fn points_are_those_of_a_run_with_the_same_play() {
    let dir = tempfile::tempdir().unwrap();
    for (play, freeze) in [("solver", "solver"), ("mc:worlds=2", "rules+mc:worlds=2")] {
        let tables = bidding(dir.path(), &format!("rules table --play {play} --deals 12 --seed 9 --show 4"));
        let out = dir.path().join(format!("run-{}", play.replace(':', "-")));
        let flags =
            format!("--freeze play={freeze} --deals 12 --seed 9 --records full --out {}", out.display());
        run(dir.path(), &format!("run rules table+rules {flags}")).success();
        let json = fs::read_to_string(out.join("run.json")).unwrap();
        // As it is written: not all readers of JSON read the last digit right.
        let points = |key: &str| -> f64 {
            let rest = json.split_once("\"points\": {").unwrap().1;
            let rest = rest.split_once(&format!("\"{key}\": ")).unwrap().1;
            rest.split([',', '\n']).next().unwrap().parse().unwrap()
        };
        let row = &table(&tables, "differences")[0];
        for (head, key) in [("difference", "mean"), ("sd", "sd")] {
            assert_eq!(number(row, head), points(key), "{play}, {head}");
        }
        assert_eq!(number(row, "high"), points("mean") + points("half_width"), "{play}");
        // The deals that differ most, counted from the records.
        let mut doubled: BTreeMap<u64, i64> = BTreeMap::new();
        for record in records(&out) {
            let [even, odd] = [0, 1].map(|team| record["score"][team].as_i64().unwrap());
            let sign = if record["leg"] == 0 { 1 } else { -1 };
            *doubled.entry(record["deal"].as_u64().unwrap()).or_default() += sign * (even - odd);
        }
        let mut order: Vec<_> = doubled.into_iter().filter(|(_, doubled)| *doubled != 0).collect();
        order.sort_by_key(|(deal, doubled)| (std::cmp::Reverse(doubled.abs()), *deal));
        order.truncate(4);
        let shown = table(&tables, "swings");
        let shown: Vec<(u64, f64)> =
            shown.iter().map(|row| (row["deal"].parse().unwrap(), number(row, "difference"))).collect();
        let expected: Vec<_> = order.iter().map(|(deal, doubled)| (*deal, *doubled as f64 / 2.0)).collect();
        assert!(!expected.is_empty());
        assert_eq!(shown, expected, "{play}");
    }
}

/// The first legs of a run of a bidder against itself.
fn own_records(directory: &Path, bidder: &str, flags: &str) -> (std::path::PathBuf, Vec<Value>) {
    let out = directory.join("own");
    let _ = fs::remove_dir_all(&out);
    let both = format!("{bidder}+rules {bidder}+rules");
    let flags = format!("{flags} --records full --out {}", out.display());
    run(directory, &format!("run {both} {flags}")).success();
    let text = fs::read_to_string(out.join("records.jsonl")).unwrap();
    let first: Vec<&str> = text.lines().filter(|line| line.contains("\"leg\":0")).collect();
    let path = directory.join("own.jsonl");
    fs::write(&path, format!("{}\n", first.join("\n"))).unwrap();
    (path, first.iter().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn losses_are_those_of_the_judge_and_add_up() {
    let dir = tempfile::tempdir().unwrap();
    let bidder = "random:pass=0.7";
    let mut seen = BTreeMap::<String, f64>::new();
    for rules in ["bga", "contree", "coinchee", "bga-ja", "belote"] {
        let flags = format!("--deals 8 --seed 4 --rules {rules}");
        let tables = bidding(dir.path(), &format!("{bidder} rules --play rules {flags}"));
        let (path, records) = own_records(dir.path(), bidder, &format!("--freeze play=rules {flags}"));
        let words = format!("judge {} --json --progress none", path.display());
        let judged = printed_json(&run(dir.path(), &words).success());
        let causes = &judged["bots"][0]["auction"];
        let judge = |cause: &str| causes[cause]["sum"].as_f64().unwrap_or_default();

        let losses = &table(&tables, "losses")[0];
        let sides = 2.0 * number(losses, "deals");
        let lost = |cause: &str| {
            let rows = table(&tables, "causes");
            let row = rows.iter().find(|row| row["bot"] == bidder && row["cause"] == cause).unwrap();
            (number(row, "score_lost") * sides).round()
        };
        let sum: f64 = table(&tables, "causes")
            .iter()
            .filter(|row| row["bot"] == bidder)
            .map(|row| {
                *seen.entry(row["cause"].clone()).or_default() += number(row, "score_lost");
                number(row, "score_lost")
            })
            .sum();
        assert!((sum - number(losses, "score_lost")).abs() < 1e-9, "{rules}: {sum} {losses:?}");
        let generales = records.iter().filter(|record| {
            record["contract"]["bid"].as_str().is_some_and(|bid| bid.starts_with("GENERALE"))
        });
        assert_eq!(count(losses, "not_judged"), generales.count(), "{rules}");
        if rules == "belote" {
            // Of what others would have held the judge knows nothing.
            assert_eq!(lost("overbid"), judge("overbid"));
            continue;
        }
        assert_eq!((sum * sides).round(), judge("all"), "{rules}");
        let names: Vec<String> = causes.as_object().unwrap().keys().cloned().collect();
        assert_eq!(names.len(), 11, "ten causes and all: {names:?}");
        for name in names.iter().filter(|name| *name != "all") {
            assert_eq!(lost(&name.replace('_', " ")), judge(name), "{rules}: {name}");
        }
    }
    for cause in ["wrong strain", "underbid", "overbid", "missed capot", "sold out", "missed coinche"] {
        assert!(seen[cause] > 0.0, "{cause} was never seen");
    }
}

#[test]
fn contracts_and_agreement_are_those_of_the_records() {
    let dir = tempfile::tempdir().unwrap();
    let flags = "--deals 30 --seed 6 --rules coinche";
    let tables = bidding(dir.path(), &format!("table rules:caution=10 --play rules {flags}"));
    let of = |bidder: &str| own_records(dir.path(), bidder, &format!("--freeze play=rules {flags}")).1;
    let both = ["table", "rules:caution=10"].map(of);
    for (records, bidder) in both.iter().zip(["table", "rules:caution=10"]) {
        let rows = table(&tables, "contracts");
        let all = rows.iter().find(|row| row["bot"] == bidder).unwrap();
        let played: Vec<_> = records.iter().filter(|record| !record["contract"].is_null()).collect();
        assert_eq!(number(all, "passed_out"), share(30 - played.len(), 30));
        let made = played.iter().filter(|record| record["made"] == true).count();
        assert_eq!(count(all, "contracts"), played.len());
        assert_eq!(number(all, "made"), share(made, played.len()));
        for kind in ["levels", "strains"] {
            let rows = table(&tables, kind);
            let of_bidder = rows.iter().filter(|row| row["bot"] == bidder);
            let sum: usize = of_bidder.map(|row| count(row, "contracts")).sum();
            assert_eq!(sum, played.len(), "{kind}");
        }
        let hearts =
            played.iter().filter(|record| record["contract"]["bid"].as_str().unwrap().ends_with('H'));
        let rows = table(&tables, "strains");
        let row = rows.iter().find(|row| row["bot"] == bidder && row["strain"] == "H").unwrap();
        assert_eq!(count(row, "contracts"), hearts.count());
    }
    let reached = |record: &Value| {
        let side = record["contract"]["declarer"].as_u64().map(|declarer| declarer % 2);
        (side, record["contract"]["bid"].as_str().map(str::to_owned))
    };
    let same = both[0].iter().zip(&both[1]).filter(|(a, b)| reached(a) == reached(b)).count();
    let strain = |record: &Value| {
        let (side, bid) = reached(record);
        (side, bid.and_then(|bid| bid.chars().last()))
    };
    let alike = both[0].iter().zip(&both[1]).filter(|(a, b)| strain(a) == strain(b)).count();
    let row = &table(&tables, "agreement")[0];
    assert_eq!(number(row, "same_contract"), share(same, 30));
    assert_eq!(number(row, "same_strain"), share(alike, 30));
    assert!(same < alike && alike < 30);
}

/// The table tells chances: in both legs of a run of it against itself the same, and with offers of a coinche too, which records
/// leave out where they are declined.
#[test]
fn forecasts_are_those_of_the_bids_of_contracts() {
    for rules in ["bga", "bga-ja"] {
        let dir = tempfile::tempdir().unwrap();
        let flags = format!("--deals 60 --seed 11 --rules {rules}");
        let words = format!("bidding rules table --play rules {flags} --progress none --csv ours");
        run(dir.path(), &words).success();
        let words = format!("run table+rules table+rules --freeze play=rules {flags} --records full --out t");
        run(dir.path(), &words).success();
        run(dir.path(), "report t --csv report").success();
        let [ours, theirs] = ["ours", "report"].map(|path| table(&dir.path().join(path), "forecasts"));
        assert!(ours.len() == theirs.len());
        let mut sums = BTreeMap::new();
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(
                (&ours["which"], &ours["forecast_from"]),
                (&theirs["which"], &theirs["forecast_from"])
            );
            assert_eq!(2.0 * number(ours, "contracts"), number(theirs, "contracts"));
            assert!((number(ours, "forecast") - number(theirs, "forecast")).abs() < 1e-12);
            assert_eq!(number(ours, "made"), number(theirs, "made"));
            *sums.entry(ours["which"].clone()).or_default() += number(ours, "contracts");
        }
        // Some contracts are coinched.
        let [all, plain]: [f64; 2] = ["all", "not coinched"].map(|which| sums[which]);
        assert!(plain > 10.0 && plain < all && all > 50.0, "{rules}: {plain} of {all}");
    }
}

#[test]
fn every_preset_is_told_alike_on_any_number_of_threads() {
    let dir = tempfile::tempdir().unwrap();
    for (rules, _) in RuleSet::PRESETS {
        let forms = |threads: u32| {
            let files = format!(
                "--out {threads}/p.html --markdown {threads}/p.md --parquet {threads}/q --svg {threads}/s"
            );
            fs::create_dir_all(dir.path().join(threads.to_string())).unwrap();
            let flags =
                format!("--deals 3 --seed 2 --show 1 --progress none --threads {threads} --rules {rules}");
            let text =
                stdout(&run(dir.path(), &format!("bidding rules table random {flags} {files}")).success());
            let read = |file: &str| fs::read(dir.path().join(threads.to_string()).join(file)).unwrap();
            let text = text.split("written to").next().unwrap().to_owned();
            (text, ["p.html", "p.md", "q/causes.parquet", "s/agreement.svg", "s/matrix.svg"].map(read))
        };
        let (one, three) = (forms(1), forms(3));
        assert!(one == three, "{rules}: other bytes from three threads");
        for part in [
            "3 bots, each against every other: 3 deals in pairs, seed 2",
            "all cards by the exact solver",
            "Nobody who sees one hand can find that contract",
            "arena bidding rules table random --play solver --deals 3 --seed 2 --show 1 --rules",
        ] {
            assert!(one.0.contains(part), "{rules}: `{part}` is not in: {}", one.0);
        }
    }
}

#[test]
fn wrong_words_are_named_with_the_remedy() {
    let dir = tempfile::tempdir().unwrap();
    for (words, parts) in [
        ("", &["<BIDDER>"] as &[&str]),
        ("rules", &["2 to 16 bidders", "but got 1"]),
        ("rules table rules", &["`rules` is named twice"]),
        ("rules wizard", &["there is no bot `wizard`"]),
        ("rules pimc", &["`pimc` does not bid"]),
        ("rules rules+pimc", &["`rules` is named twice"]),
        ("rules table+wizard", &["there is no bot `wizard`"]),
        ("rules rules&table", &["there is no bot"]),
        ("rules table --deals 0", &["deals: 0 is not in 1 to"]),
        ("rules table --play wizard", &["--play: there is no bot `wizard`", "or `solver`"]),
        ("rules table --play table", &["--play: bot `table` does not play"]),
        ("rules table --threads 0", &["threads: 0 is not in 1 to 1024"]),
        ("rules table --show 101", &["show: 101 is not in 0 to 100"]),
        ("rules table --rules poker", &["`poker`"]),
        ("rules cmd:./nowhere", &["./nowhere", "check-bot"]),
    ] {
        fails(run(dir.path(), &format!("bidding {words}")), 2, parts);
    }
    // Who sees all hands is called so.
    let flags = "--play open --deals 2 --show 0 --progress none --parquet q --markdown p.md";
    let text = stdout(&run(dir.path(), &format!("bidding rules table {flags}")).success());
    assert!(text.contains("open:sees=all sees all hands"), "{text}");
}
