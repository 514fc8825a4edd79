//! `arena stats`: totals agree with what they are made of, wherever that comes from.

use std::fs;
use std::path::Path;

use crate::common::{fails, run, sign, stdout};
use serde::Deserialize;

/// A row of the table of classes.
#[derive(Deserialize)]
struct Class {
    strain_kind: String,
    lead: String,
    hands: u64,
    deals: u64,
    card_points: f64,
    q10: u64,
    q90: u64,
    p80: f64,
    p80_low: f64,
    p80_high: f64,
    p160: f64,
    capot: f64,
}

fn classes(directory: &Path) -> Vec<Class> {
    let rows = csv::Reader::from_path(directory.join("hands.csv")).unwrap().into_deserialize();
    rows.collect::<Result<_, _>>().unwrap()
}

#[test]
fn every_hand_of_every_solved_deal_is_in_a_class() {
    let dir = tempfile::tempdir().unwrap();
    let flags = "--deals 25 --seed 4 --leaders all --progress none";
    let text = stdout(
        &run(dir.path(), &format!("stats hands {flags} --threads 2 --csv one --out p.html")).success(),
    );
    assert!(text.contains("25 deals of seed 4, rules bga, solved 100 times"), "{text}");
    assert!(text.contains("J of trumps") && text.contains("suit: chance of 90, mean"), "{text}");
    let rows = classes(&dir.path().join("one"));
    // Four hands in six strains; one of four leads.
    for (kind, strains) in [("suit", 4), ("SA", 1), ("TA", 1)] {
        let of_kind = || rows.iter().filter(|row| row.strain_kind == kind);
        let count = |lead: &str| of_kind().filter(|row| row.lead == lead).map(|row| row.hands).sum::<u64>();
        assert_eq!((count("own"), count("other")), (25 * 4 * strains, 25 * 12 * strains), "{kind}");
        // What one side takes the other does not.
        let sum: f64 = of_kind().map(|row| row.card_points * row.hands as f64).sum();
        let all = (25 * 4 * 4 * strains * 81) as f64;
        assert!((sum - all).abs() < 1e-6 * all, "{kind}: {sum}, not {all}");
    }
    for row in &rows {
        assert!(row.deals <= row.hands && row.deals <= 25 && row.q10 <= row.q90 && row.q90 <= 162);
        assert!(
            row.p80_low <= row.p80 && row.p80 <= row.p80_high && row.capot <= row.p160 && row.p160 <= row.p80
        );
    }
    // The labels of the same deals, in each of their forms, say the same.
    for format in ["csv", "parquet"] {
        run(dir.path(), &format!("label {flags} --chunk 7 --format {format} --out {format}")).success();
        let other = stdout(&run(dir.path(), &format!("stats hands {format} --csv {format}-out")).success());
        let tables = text.split("written").next().unwrap();
        assert_eq!(other.split("written").next().unwrap(), tables, "{format}");
        for table in ["hands.csv", "hands-suit.csv", "cards-suit.csv"] {
            let [one, two] = ["one".to_owned(), format!("{format}-out")]
                .map(|out| fs::read(dir.path().join(out).join(table)).unwrap());
            assert_eq!(one, two, "{format}, {table}");
        }
    }
    assert!(fs::read_to_string(dir.path().join("p.html")).unwrap().contains("What hands take"));
}

#[test]
fn what_is_no_data_set_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    fails(run(dir.path(), "stats hands nowhere"), 2, &["nowhere"]);
    fails(run(dir.path(), "stats hands --deals 0"), 2, &["deals: 0 is not in 1 to"]);
    fails(run(dir.path(), "stats hands labels --deals 5"), 2, &["cannot be used with"]);
    fails(run(dir.path(), "stats hands labels --rules bga"), 2, &["labels have their own rules"]);
    run(dir.path(), "label --deals 6 --seed 1 --table csv --strains S --progress none --out labels")
        .success();
    let path = dir.path().join("labels/part-000000.csv");
    let text = fs::read_to_string(&path).unwrap();
    // One card twice.
    let spoilt = text.replacen("7C", "8C", 1);
    assert_ne!(spoilt, text);
    fs::write(&path, &spoilt).unwrap();
    fails(run(dir.path(), "stats hands labels"), 1, &["part-000000.csv is damaged"]);
    // Checksums made anew hide the damage: what the rows say tells it.
    let state = dir.path().join("labels/part.json");
    let given = fs::read_to_string(&state).unwrap();
    let sum = |text: &str| format!("\"bytes\":{},\"crc\":{}", text.len(), crc32fast::hash(text.as_bytes()));
    assert!(given.contains(&sum(&text)));
    for (damaged, row) in [(&spoilt[..], "row "), (&text[..text.len() - 9], "row 6")] {
        fs::write(&path, damaged).unwrap();
        fs::write(&state, given.replace(&sum(&text), &sum(damaged))).unwrap();
        sign(&dir.path().join("labels"));
        fails(run(dir.path(), "stats hands labels"), 1, &["part-000000.csv", row]);
    }
    fs::write(&state, given).unwrap();
    sign(&dir.path().join("labels"));
    fs::remove_file(&path).unwrap();
    fails(run(dir.path(), "stats hands labels"), 1, &["part-000000.csv is damaged: it is missing"]);
}
