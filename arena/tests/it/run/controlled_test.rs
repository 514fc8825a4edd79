//! A sequential test with a control: the ratio recounted from a run of the same deals, and the same test whatever happens.

use std::fs;
use std::path::Path;

use crate::common::{error_of_test, fails, run, run_json, sign, stdout, untimed};
use serde_json::Value;

const CONTROL: &str = "--control table+rules rules --control-deals 2000 --seed 11";

/// A test that does not end within some hundred deals.
fn words() -> String {
    format!(
        "sprt table+rules rules:caution=5 --lower 20 --upper 22 --every 100 --first 150 {CONTROL} --progress none"
    )
}

fn json(directory: &Path) -> Value {
    untimed(&directory.join("sprt.json"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_ratio_is_that_of_the_adjusted_difference() {
    let dir = tempfile::tempdir().unwrap();
    let printed = stdout(&run(dir.path(), &format!("{} --max-deals 300 --out test", words())).code(11));
    run(dir.path(), &format!("run table+rules rules:caution=5 --deals 300 {CONTROL} --out run")).success();
    let (test, run_json) = (json(&dir.path().join("test")), run_json(&dir.path().join("run")));
    assert_eq!(test["control"], run_json["control"]);
    let (last, control) = (&test["last"], &run_json["control"]);
    assert_eq!(last["pairs"], 300);
    for (found, expected) in [
        (&last["mean"], &control["adjusted"]),
        (&last["sd"], &control["residual_sd"]),
        (&test["estimate"]["mean"], &control["adjusted"]),
        (&test["estimate"]["half_width"], &control["half_width"]),
    ] {
        assert_eq!(found, expected);
    }
    // The variance of the adjusted mean, from its share of that of the plain one; and what a test adds.
    let points = &run_json["figures"]["points"];
    let of_mean = number(&control["variance_left"]) * number(&points["sd"]).powi(2) / 300.0;
    let variance = 300.0 * error_of_test(of_mean, points).powi(2);
    let adjusted = number(&control["adjusted"]);
    let ratio = (variance + (adjusted - 20.0).powi(2)) / (variance + (adjusted - 22.0).powi(2));
    let llr = 150.0 * ratio.ln();
    assert!((llr - number(&last["llr"])).abs() < 1e-9, "{llr} is not {last}");
    // The control explains a part, so that the two tests are not the same.
    assert!(number(&control["variance_left"]) < 0.8, "{control}");
    for part in ["% of the variance: as certain as", &format!("A − B = {adjusted:+.1} ± ")] {
        assert!(printed.contains(part), "{part} is not in {printed}");
    }
}

#[test]
fn threads_stops_and_more_deals_give_the_same_test() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str, file: &str| fs::read(dir.path().join(name).join(file)).unwrap();
    for (out, threads, deals) in [("one", 1, 700), ("three", 3, 700), ("longer", 2, 350), ("longer", 8, 700)]
    {
        run(dir.path(), &format!("{} --threads {threads} --max-deals {deals} --out {out}", words())).code(11);
    }
    for other in ["three", "longer"] {
        for file in ["sprt.csv", "part.json"] {
            assert!(at(other, file) == at("one", file), "{other}/{file}");
        }
        assert_eq!(json(&dir.path().join(other)), json(&dir.path().join("one")), "{other}");
    }
    let looks = String::from_utf8(at("one", "sprt.csv")).unwrap();
    assert_eq!(looks.lines().count(), 7, "{looks}");
    // Its command plays it again, and without a control it is another test.
    let command = json(&dir.path().join("one"))["command"].as_str().unwrap().to_owned();
    let again = format!("{} --progress none --out again", command.strip_prefix("arena ").unwrap());
    run(dir.path(), &again).code(11);
    assert!(at("again", "sprt.csv") == at("one", "sprt.csv"));
    let plain = words().replace(CONTROL, "--seed 11");
    fails(run(dir.path(), &format!("{plain} --max-deals 700 --out one")), 2, &["control"]);
    let verified = stdout(&run(dir.path(), "verify one").success());
    for part in ["sprt.csv: its figures are", "totals.control: 2,000 deals, and the sums match"] {
        assert!(verified.contains(part), "{part} is not in {verified}");
    }
    // A look that is not that of the pairs.
    let path = dir.path().join("one/sprt.csv");
    let row = looks.lines().last().unwrap();
    let forged = row.replacen(',', ",1", 1);
    fs::write(&path, looks.replace(row, &forged)).unwrap();
    sign(&dir.path().join("one"));
    assert!(!run(dir.path(), "verify one").get_output().status.success());
}

#[test]
fn a_control_ends_a_test_earlier() {
    let dir = tempfile::tempdir().unwrap();
    // The bots are their own control: what is left is the error of the mean.
    let test = "sprt table+rules rules --lower 0 --upper 20 --every 64 --first 64 --seed 2 --progress none";
    let control = "--control table+rules rules --control-deals 20000";
    run(dir.path(), &format!("{test} {control} --out with")).code(0);
    run(dir.path(), &format!("{test} --out without")).code(0);
    let [with, without] =
        ["with", "without"].map(|out| number(&json(&dir.path().join(out))["last"]["pairs"]));
    assert!(with < without, "{with} deals with a control, {without} without");
}

#[test]
fn what_is_no_test_with_a_control_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let test = "sprt rules random --lower 0 --upper 5";
    for (words, parts) in [
        (format!("{test} --control-deals 5000"), &["control-deals: it needs --control"][..]),
        (format!("{test} --control rules rules"), &["control: rules against itself"]),
        (format!("{test} --match --control table+rules rules"), &["control:", "leave out --match"]),
        (format!("{test} --control table+rules rules --first 1 --every 2"), &["after 2 deals", "3 or more"]),
        (format!("{test} --control table+rules rules --max-deals 2"), &["after 2 deals", "--max-deals"]),
    ] {
        fails(run(dir.path(), &words), 2, parts);
    }
    assert!(!dir.path().join("results").exists());
}
