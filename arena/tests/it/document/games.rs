//! The page of a person's games.

use std::fs;

use super::data::{GAMES, write_games};
use crate::common::{fails, run, stdout};

#[test]
fn a_persons_games_have_a_page() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    run(dir.path(), "run rules random:pass=0.6 --deals 20 --seed 1 --records full --out two").success();
    write_games(dir.path());
    let told = stdout(&run(dir.path(), "report mine --csv numbers --markdown mine.md").success());
    assert!(told.starts_with("Your side scored "), "{told}");
    assert!(!path("mine/report.html").exists(), "no page was asked for");
    let page = fs::read_to_string(path("mine.md")).unwrap();
    assert!(page.contains(&format!("{GAMES} deals with random")), "{page}");

    let rows = |name: &str| -> Vec<csv::StringRecord> {
        csv::Reader::from_path(path("numbers").join(name))
            .unwrap()
            .into_records()
            .map(Result::unwrap)
            .collect()
    };
    let records = fs::read_to_string(path("mine/records.jsonl")).unwrap();
    let scores = records.lines().map(|line| {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        [0, 1].map(|team| record["score"][team].as_f64().unwrap())
    });
    let mean = scores.map(|[own, other]| own - other).sum::<f64>() / GAMES as f64;
    let figures = rows("player.csv");
    assert_eq!((&figures[0][0], figures[0][1].parse()), ("all", Ok(GAMES)));
    assert!((figures[0][3].parse::<f64>().unwrap() - mean).abs() < 1e-9, "{figures:?} {mean}");
    assert_eq!(rows("games.csv").len(), GAMES);
    let mut last = f64::NEG_INFINITY;
    for row in rows("costly-cards.csv") {
        let number = |at: usize| row[at].parse::<f64>().unwrap();
        assert!(number(5) < 0.0 && number(5) >= last && number(7) <= 0.0, "{row:?}");
        assert_eq!(row[3] == row[6], number(7) == 0.0, "{row:?}");
        last = number(5);
    }

    let words = "report mine --language french --csv french --out page.html";
    let told = stdout(&run(dir.path(), words).success());
    assert!(told.starts_with("Votre camp a marqué "), "{told}");
    // Tables for programs are in one language, and the same each time.
    for name in ["player.csv", "games.csv", "costly-cards.csv"] {
        assert_eq!(
            fs::read(path("french").join(name)).unwrap(),
            fs::read(path("numbers").join(name)).unwrap()
        );
    }
    let page = fs::read_to_string(path("page.html")).unwrap();
    assert!(page.contains("<html lang=\"fr\">") && page.contains("Manche 1"), "{page}");
    for english in [">Hands", "Leg 1", " leads ", "South", ", coinched", "Trick ", ">Terms"] {
        assert!(!page.contains(english), "{english}: {page}");
    }
    fails(run(dir.path(), "report mine --of Anna"), 2, &["mine: `Anna` has no seat"]);
    fs::write(path("mine/records.jsonl"), records.replace("\"human\"", "\"Anna\"")).unwrap();
    let words = words.replace("report mine", "report mine --of Anna");
    assert_eq!(stdout(&run(dir.path(), &words).success()), told);
    fs::write(path("mine/records.jsonl"), &records).unwrap();
    fails(run(dir.path(), "report two --language french"), 2, &["language\u{a0}: ", "arena play"]);

    fs::write(path("mine/records.jsonl"), records.replacen("\"dealer\":1", "\"dealer\":9", 1)).unwrap();
    fails(run(dir.path(), "report mine"), 2, &["records.jsonl:2: "]);
    let score = records
        .lines()
        .next()
        .unwrap()
        .split("\"score\":[")
        .nth(1)
        .unwrap()
        .split(',')
        .next()
        .unwrap()
        .to_owned();
    let forged = records.replacen(&format!("\"score\":[{score},"), &format!("\"score\":[{score}1,"), 1);
    fs::write(path("mine/records.jsonl"), forged).unwrap();
    fails(run(dir.path(), "report mine"), 2, &["records.jsonl:1: ", "score"]);
    fails(
        run(dir.path(), "report mine two"),
        2,
        &["records.jsonl has a person's games", "name one directory"],
    );
    fs::write(path("mine/records.jsonl"), records.replace("\"human\"", "\"rules\"")).unwrap();
    fails(run(dir.path(), "report mine"), 2, &["mine holds neither run.json", "arena play"]);
}
