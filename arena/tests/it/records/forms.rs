//! The forms of tables and records: the same rows in each, and totals that are counted again from them.

use std::fs;

use crate::common::{fails, run, sign, stdout};
use coinche_engine::RuleSet;

#[test]
fn every_form_of_the_table_has_the_same_rows() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    for (n, words) in [
        "run random:pass=0.6 random --deals 3000 --seed 2 --rules bga-ja",
        "run random:pass=0.6 random rules --deals 40 --seed 2 --match --rules coinche-melds",
        "run random random:pass=0.9 --deals 300 --seed 2 --rules belote-melds --set match.tie=held",
    ]
    .iter()
    .enumerate()
    {
        for form in ["csv", "csv.zst", "parquet"] {
            let flags = format!("--records full --lines jsonl.zst --table {form} --out {n}{form}");
            run(dir.path(), &format!("{words} {flags}")).success();
        }
        let expected = fs::read(path(&format!("{n}csv/summary.csv"))).unwrap();
        // Of the table in every form, and of the records.
        for source in ["csv", "csv.zst", "parquet", "csv/records.jsonl.zst", "parquet/summary.parquet"] {
            let exported = run(dir.path(), &format!("export {n}{source} --to csv")).success();
            assert!(exported.get_output().stdout == expected, "{n}{source}");
        }
        for source in ["csv", "parquet", "csv.zst/records.jsonl.zst"] {
            run(dir.path(), &format!("export {n}{source} --to parquet --out {n}.parquet")).success();
            let back = run(dir.path(), &format!("export {n}.parquet --to csv")).success();
            assert!(back.get_output().stdout == expected, "{n}{source}");
        }
        for form in ["csv", "csv.zst", "parquet"] {
            let verified = stdout(&run(dir.path(), &format!("verify {n}{form}")).success());
            assert_eq!(verified.matches("and the totals match").count(), 2, "{verified}");
            assert!(verified.contains("all agree"));
        }
    }
    fails(run(dir.path(), "export 0csv --to parquet"), 2, &["--out FILE"]);
    fs::write(path("other.csv"), "a,b\n1,2\n").unwrap();
    fails(run(dir.path(), "export other.csv --to csv"), 2, &["other.csv", "neither a table"]);
    let header = fs::read_to_string(path("0csv/summary.csv")).unwrap();
    let header = header.lines().next().unwrap().to_owned();
    fs::write(path("bad.csv"), header + "\n1,x,bga\n").unwrap();
    fails(run(dir.path(), "export bad.csv --to parquet --out bad.parquet"), 2, &["bad.csv", "line 2", "leg"]);
    assert!(!path("bad.parquet").exists());
    run(dir.path(), "run random random --deals 5 --seed 1 --out bare").success();
    fails(run(dir.path(), "export bare --to pbn"), 2, &["bare", "no records"]);
}

#[test]
fn records_go_out_as_text_and_come_in_again() {
    let dir = tempfile::tempdir().unwrap();
    for (preset, _) in RuleSet::ALL {
        let words = format!(
            "run random:pass=0.6 random rules --deals 30 --seed 4 --rules {preset} --records full --out {preset}"
        );
        run(dir.path(), &words).success();
        run(dir.path(), &format!("export {preset} --to pbn --out {preset}.pbn")).success();
        run(dir.path(), &format!("import {preset}.pbn --to jsonl --out {preset}.jsonl")).success();
        let [before, after] = [format!("{preset}/records.jsonl"), format!("{preset}.jsonl")]
            .map(|file| fs::read_to_string(dir.path().join(file)).unwrap());
        assert_eq!(before, after);
        let again = run(dir.path(), &format!("export {preset}.jsonl --to jsonl")).success();
        assert_eq!(stdout(&again), before);
    }
    fs::write(dir.path().join("bad.pbn"), "[Deal \"1\"]\n[Leg \"0\"]\nwhat\n").unwrap();
    fails(run(dir.path(), "import bad.pbn"), 2, &["bad.pbn, line 3", "expected a tag"]);
}

#[test]
fn totals_that_are_not_those_of_the_rows_are_named() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run random random:pass=0.6 --deals 200 --seed 3 --out r").success();
    run(dir.path(), "verify r").success();
    let totals = dir.path().join("r/part.json");
    let text = fs::read_to_string(&totals).unwrap();
    let before: serde_json::Value = serde_json::from_str(&text).unwrap();
    let thrown = before["sums"]["tallies"][0]["deals"].as_u64().unwrap();
    fs::write(
        &totals,
        text.replace(&format!("\"deals\":{thrown},\"thrown_in\""), "\"deals\":399,\"thrown_in\""),
    )
    .unwrap();
    sign(&dir.path().join("r"));
    let found = stdout(&run(dir.path(), "verify r").code(1));
    assert!(found.contains("legs: the totals have 399, the recount 400"), "{found}");
    fs::write(&totals, &text).unwrap();
    sign(&dir.path().join("r"));
    // A row that was changed is seen by the hash of the file.
    let table = dir.path().join("r/summary.csv");
    let rows = fs::read_to_string(&table).unwrap();
    fs::write(&table, rows.replacen(",0,0,", ",0,1,", 1)).unwrap();
    fails(run(dir.path(), "verify r"), 1, &["summary.csv", "damaged", "CRC-32"]);
    run(dir.path(), "run random random --deals 20 --seed 3 --records none --out none").success();
    let nothing = stdout(&run(dir.path(), "verify none").success());
    assert!(nothing.contains("nothing to recount"), "{nothing}");
}
