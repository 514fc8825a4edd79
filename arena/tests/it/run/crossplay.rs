//! Teams of two bots, and every partnership against one pair.

use std::collections::BTreeMap;
use std::fs;

use crate::common::{fails, mean, records, run, run_json, standard_error, stdout};
use serde_json::{Value, json};

#[test]
fn partners_sit_across_from_each_other() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run rules&random random:pass=0.6 --deals 40 --seed 2 --records full --out r").success();
    let records = records(&dir.path().join("r"));
    let other = "random:pass=0.6";
    for pair in records.chunks(2) {
        assert_eq!(pair[0]["bots"], json!(["rules", other, "random", other]));
        assert_eq!(pair[1]["bots"], json!([other, "rules", other, "random"]));
    }
    run(dir.path(), "verify r").success();
    let summary = fs::read_to_string(dir.path().join("r/summary.csv")).unwrap();
    assert!(
        summary
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("0,0,bga,0,rules,random:pass=0.6,random,random:pass=0.6,")
    );
    assert!(
        summary
            .lines()
            .nth(2)
            .unwrap()
            .starts_with("0,1,bga,0,random:pass=0.6,rules,random:pass=0.6,random,")
    );
    // The same in a data frame.
    run(dir.path(), "run rules&random random:pass=0.6 --deals 40 --seed 2 --table parquet --out p").success();
    run(dir.path(), "export p/summary.parquet --to csv --out p.csv").success();
    assert_eq!(fs::read_to_string(dir.path().join("p.csv")).unwrap(), summary);
    assert_eq!(run_json(&dir.path().join("r"))["bots"], json!(["rules&random", other]));
}

#[test]
fn a_team_of_two_equal_bots_is_that_bot() {
    let dir = tempfile::tempdir().unwrap();
    for unit in ["--deals 60", "--deals 3 --match"] {
        let name = unit.len();
        run(dir.path(), &format!("run rules&rules random {unit} --seed 2 --out t{name}")).success();
        run(dir.path(), &format!("run rules random {unit} --seed 2 --out s{name}")).success();
        let [team, single] = ["t", "s"].map(|run| run_json(&dir.path().join(format!("{run}{name}"))));
        assert_eq!(team["figures"]["points"], single["figures"]["points"]);
        assert_eq!(team["figures"]["wins"], single["figures"]["wins"]);
    }
    // A team can take a half of each, and meet itself the other way round.
    run(dir.path(), "run rules&rules+random rules+random&rules --deals 60 --seed 2 --records full --out h")
        .success();
    run(dir.path(), "verify h").success();
    fails(run(dir.path(), "run rules&random&rules random"), 2, &["two partners `A&B`"]);
}

/// By partnership, the points by deal (the mean of both legs) and the sum of the squares of all legs, from the records.
fn points(records: &[Value]) -> BTreeMap<(String, String), (Vec<f64>, f64)> {
    let mut points: BTreeMap<_, (Vec<f64>, f64)> = BTreeMap::new();
    for pair in records.chunks(2) {
        let score = |record: &Value, team: usize| {
            record["score"][team].as_f64().unwrap() - record["score"][1 - team].as_f64().unwrap()
        };
        // The partnership is side B: the odd team in leg 0.
        let name = |seat: usize| pair[0]["bots"][seat].as_str().unwrap().to_owned();
        let legs = [score(&pair[0], 1), score(&pair[1], 0)];
        let (points, squares) = points.entry((name(1), name(3))).or_default();
        points.push(f64::midpoint(legs[0], legs[1]));
        *squares += legs.iter().map(|leg| leg * leg).sum::<f64>();
    }
    points
}

#[test]
fn partnerships_and_costs_are_those_of_the_records() {
    const BOTS: [&str; 3] = ["rules", "random", "rules+random"];
    let dir = tempfile::tempdir().unwrap();
    let words =
        format!("run {} --format crossplay --deals 60 --seed 7 --records full --out c", BOTS.join(" "));
    let text = stdout(&run(dir.path(), &words).success());
    assert!(text.contains("partnerships of 3 bots, each against two of rules: 60 deals in pairs"), "{text}");
    run(dir.path(), "verify c").success();
    let json = run_json(&dir.path().join("c"));
    assert_eq!((&json["format"], &json["crossplay"]["against"]), (&"crossplay".into(), &"rules".into()));
    assert_eq!(json["crossplay"]["bots"], json!(BOTS));
    let mut points = points(&records(&dir.path().join("c")));
    assert_eq!(points.len(), 8);
    // The pair against itself was not played.
    points.insert(("rules".to_owned(), "rules".to_owned()), (vec![0.0; 60], 0.0));
    let both = |a: usize, b: usize| &points[&(BOTS[a].to_owned(), BOTS[b].to_owned())];
    let of = |a: usize, b: usize| &both(a, b).0;
    // Student's quantile for 59 degrees of freedom; every partnership counts a half.
    let near = |found: &Value, numbers: &[f64], partnerships: &[(f64, [usize; 2])]| {
        let terms = partnerships.iter().map(|(sign, [a, b])| {
            let (points, squares) = both(*a, *b);
            (sign / 2.0, &**points, squares / 120.0)
        });
        let half = 2.000_995 * standard_error(&terms.collect::<Vec<_>>());
        let mean = mean(numbers);
        assert!((found["mean"].as_f64().unwrap() - mean).abs() < 1e-9, "{found} is not {mean}");
        assert!((found["half_width"].as_f64().unwrap() - half).abs() < 1e-3, "{found} is not ± {half}");
    };
    let partnerships = json["crossplay"]["partnerships"].as_array().unwrap();
    let strangers = json["crossplay"]["strangers"].as_array().unwrap();
    assert_eq!((partnerships.len(), strangers.len()), (6, 3));
    let ends = |it: &Value| ["a", "b"].map(|key| usize::try_from(it[key].as_u64().unwrap()).unwrap());
    for partnership in partnerships {
        let [a, b] = ends(partnership);
        let numbers: Vec<_> = of(a, b).iter().zip(of(b, a)).map(|(x, y)| f64::midpoint(*x, *y)).collect();
        near(&partnership["points"], &numbers, &[(1.0, [a, b]), (1.0, [b, a])]);
        let way = |way: usize| partnership["ways"][way].as_f64().unwrap();
        assert!((way(0) - mean(of(a, b))).abs() < 1e-9);
        assert!((way(1) - mean(of(b, a))).abs() < 1e-9);
    }
    for pair in strangers {
        let [a, b] = ends(pair);
        let cost = |deal: usize| {
            f64::midpoint(of(a, a)[deal], of(b, b)[deal]) - f64::midpoint(of(a, b)[deal], of(b, a)[deal])
        };
        let all = [(1.0, [a, a]), (1.0, [b, b]), (-1.0, [a, b]), (-1.0, [b, a])];
        near(&pair["cost"], &(0..60).map(cost).collect::<Vec<_>>(), &all);
        let [apart, together] = ["apart", "together"].map(|key| pair[key].as_f64().unwrap());
        assert!((apart - together - pair["cost"]["mean"].as_f64().unwrap()).abs() < 1e-9);
    }
    // A bot with itself is the plain match.
    run(dir.path(), "run random rules --deals 60 --seed 7 --out m").success();
    let plain = run_json(&dir.path().join("m"));
    let mean = mean(of(1, 1));
    // There random is side A and has other decisions drawn for it: the same within chance.
    assert!((plain["figures"]["points"]["mean"].as_f64().unwrap() - mean).abs() < 150.0);
    run(dir.path(), "run rules random --deals 60 --seed 7 --out n").success();
    let plain = run_json(&dir.path().join("n"));
    assert!((plain["figures"]["points"]["mean"].as_f64().unwrap() + mean).abs() < 1e-9);
}

#[test]
fn a_bot_is_no_stranger_to_itself() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run random random --against rules --format crossplay --deals 30 --seed 1 --out c";
    run(dir.path(), words).success();
    let json = run_json(&dir.path().join("c"));
    let cost = &json["crossplay"]["strangers"][0]["cost"];
    assert_eq!((&cost["mean"], &cost["half_width"]), (&0.0.into(), &0.0.into()));
    // All its four partnerships are the plain match.
    run(dir.path(), "run rules random --deals 30 --seed 1 --out m").success();
    let plain = run_json(&dir.path().join("m"))["figures"]["points"].clone();
    for pairing in json["pairings"].as_array().unwrap() {
        assert_eq!(pairing["figures"]["points"], plain);
    }
    assert_eq!(json["pairings"].as_array().unwrap().len(), 4);
    let found = &json["crossplay"]["partnerships"][1]["points"];
    assert!((found["mean"].as_f64().unwrap() + plain["mean"].as_f64().unwrap()).abs() < 1e-9);
    assert!((found["half_width"].as_f64().unwrap() - plain["half_width"].as_f64().unwrap()).abs() < 1e-9);
}

#[test]
fn crossplay_is_a_run_like_any_other() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run rules random --format crossplay --against random:pass=0.6 --seed 4 --records full --freeze play=random";
    let files = |name: &str| {
        let path = dir.path().join(name);
        let bytes = |file: &str| fs::read(path.join(file)).unwrap();
        (["summary.csv", "records.jsonl", "part.json", "config.toml"].map(bytes), run_json(&path))
    };
    run(dir.path(), &format!("{words} --deals 30 --threads 1 --out whole")).success();
    for shard in 1..=3 {
        run(dir.path(), &format!("{words} --deals 30 --shard {shard}/3 --threads {shard} --out s{shard}"))
            .success();
    }
    run(dir.path(), "merge s2 s1 s3 --out merged").success();
    assert!(files("merged") == files("whole"));
    run(dir.path(), &format!("{words} --deals 11 --out longer")).success();
    run(dir.path(), &format!("{words} --deals 30 --out longer")).success();
    assert!(files("longer") == files("whole"));
    run(dir.path(), "run --config whole/config.toml --out again").success();
    assert!(files("again") == files("whole"));
    fails(
        run(
            dir.path(),
            &words.replace("random:pass=0.6", "rules").replace("--seed", "--deals 30 --out whole --seed"),
        ),
        2,
        &["other settings", "against: random:pass=0.6 there, rules now"],
    );
    let text = stdout(
        &run(dir.path(), "report whole --out page.html --csv csv --svg svg --markdown page.md").success(),
    );
    assert!(text.contains("significant"), "{text}");
    let rows = |name: &str| {
        let mut reader = csv::Reader::from_path(dir.path().join(format!("csv/{name}.csv"))).unwrap();
        reader.deserialize().collect::<Result<Vec<BTreeMap<String, String>>, _>>().unwrap()
    };
    let near = |left: &Value, right: &Value| {
        assert!((left.as_f64().unwrap() - right.as_f64().unwrap()).abs() < 1e-9, "{left} is not {right}");
    };
    let figures = run_json(&dir.path().join("whole"))["crossplay"].clone();
    let (partnerships, strangers) = (rows("partnerships"), rows("strangers"));
    assert_eq!((partnerships.len(), strangers.len()), (3, 1));
    let number = |text: &str| text.parse::<Value>().unwrap();
    near(&number(&strangers[0]["cost"]), &figures["strangers"][0]["cost"]["mean"]);
    for (row, it) in partnerships.iter().zip(figures["partnerships"].as_array().unwrap()) {
        near(&number(&row["difference"]), &it["points"]["mean"]);
    }
    assert!(dir.path().join("svg/partnerships.svg").is_file());
    // Too few bots, too many, and teams of teams.
    fails(run(dir.path(), "run rules --format crossplay"), 2, &["two to 7 bots"]);
    fails(
        run(dir.path(), &format!("run {} --format crossplay", ["rules"; 8].join(" "))),
        2,
        &["two to 7 bots"],
    );
    fails(
        run(dir.path(), "run rules rules&random --format crossplay"),
        2,
        &["there is no bot `rules&random`"],
    );
}
