//! `arena compare`: runs on the same deals, recounted from their rows.

use std::fs;
use std::path::Path;

use crate::common::{csv_rows, fails, run, run_json, sign, standard_error, stdout};
use coinche_inference::{PairedSums, student_t};

/// The differences A − B of both legs by deal, of one pairing of a run with a table in CSV.
fn legs(run: &Path, pairing: &str) -> Vec<[i64; 2]> {
    let mut found: Vec<[i64; 2]> = Vec::new();
    for row in csv_rows(&run.join("summary.csv")) {
        if row.get("pairing").is_some_and(|of| of != pairing) {
            continue;
        }
        let score = |name: &str| row[name].parse::<i64>().unwrap();
        let difference = score("score0") - score("score1");
        match row["leg"].as_str() {
            "0" => found.push([difference, 0]),
            _ => found.last_mut().unwrap()[1] = -difference,
        }
    }
    found
}

/// The mean and half the width of its interval of the first less the second, turned where they say so.
fn expected(first: (&[[i64; 2]], i64), second: (&[[i64; 2]], i64)) -> [f64; 2] {
    // What B scores where it sits as A does in leg 0 is leg 1.
    let turned = |legs: [i64; 2], sign: i64| if sign < 0 { [-legs[1], -legs[0]] } else { legs };
    let count = first.0.len().min(second.0.len());
    let of = |(legs, sign): (&[[i64; 2]], i64)| {
        let mut sums = PairedSums::default();
        legs[..count].iter().for_each(|legs| sums.add(turned(*legs, sign)));
        let points = legs[..count].iter().map(|legs| {
            let [first, second] = turned(*legs, sign).map(|leg| f64::from(i32::try_from(leg).unwrap()));
            f64::midpoint(first, second)
        });
        (points.collect::<Vec<_>>(), sums.mean_of_pairs().unwrap())
    };
    let [(x, a), (y, b)] = [first, second].map(of);
    let error = standard_error(&[(1.0, &x, a.leg_square), (-1.0, &y, b.leg_square)]);
    [a.mean - b.mean, student_t(0.95, a.degrees) * error]
}

/// Reads the table that the program wrote: the row of two bots.
fn row(tables: &Path, a: &str, b: &str) -> [f64; 3] {
    let mut table = csv::Reader::from_path(tables.join("comparisons.csv")).unwrap();
    let heads = table.headers().unwrap().clone();
    let place = |name: &str| heads.iter().position(|head| head == name).unwrap();
    let rows: Vec<_> = table.records().map(Result::unwrap).collect();
    let row = rows.iter().find(|row| (&row[place("bot_a")], &row[place("bot_b")]) == (a, b));
    let row = row.unwrap_or_else(|| panic!("{a} and {b} are not in {rows:?}"));
    let first = heads.iter().position(|head| head == "difference").unwrap();
    [0, 1, 2].map(|n| row[first + n].parse().unwrap())
}

fn is_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} is not {expected}");
}

#[test]
fn two_bots_against_the_same_one_are_compared_deal_by_deal() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    run(dir.path(), "run table+rules rules --deals 120 --seed 6 --records full --out a").success();
    // The common bot is A here; and it has fewer deals.
    run(dir.path(), "run rules rules:caution=5 --deals 100 --seed 6 --records full --out b").success();
    let text = stdout(&run(dir.path(), "compare a b --csv tables --out page.html").success());
    let [a, b] = ["a", "b"].map(|name| legs(&at(name), "0"));
    let [mean, half] = expected((&a[..100], 1), (&b, -1));
    let [found, low, high] = row(&at("tables"), "table+rules", "rules:caution=5");
    is_near(found, mean);
    is_near(low, mean - half);
    is_near(high, mean + half);
    assert!(text.contains(&format!("{:.1} ± {half:.1} points per deal", mean.abs())), "{text}");
    assert!(text.contains("against rules") && text.contains("100 deals compared"), "{text}");
    assert!(text.contains("the cards of 100 deals with records are the same"), "{text}");
    assert!(fs::read_to_string(at("page.html")).unwrap().contains("Differences on the same deals"));

    // Both in one gauntlet are the same, there and in the verdict of the gauntlet.
    let gauntlet = "run rules table+rules rules:caution=5 --format gauntlet --deals 100 --seed 6 --out g";
    run(dir.path(), gauntlet).success();
    run(dir.path(), "compare g --against rules --csv of_g").success();
    let of_g = row(&at("of_g"), "table+rules", "rules:caution=5");
    is_near(of_g[0], mean);
    is_near(of_g[2], high);
    let opponents = run_json(&at("g"))["opponents"][0]["points"].clone();
    is_near(opponents["mean"].as_f64().unwrap(), mean);
    is_near(opponents["half_width"].as_f64().unwrap(), half);

    // The form of the table makes no difference, nor does a shard but for its deals.
    for (form, file) in [("parquet", "summary.parquet"), ("csv.zst", "summary.csv.zst")] {
        let words = format!("run rules rules:caution=5 --deals 100 --seed 6 --table {form} --out {form}");
        run(dir.path(), &words).success();
        assert!(at(form).join(file).is_file());
        run(dir.path(), &format!("compare a {form} --csv tables-{form}")).success();
        let again = row(&at(&format!("tables-{form}")), "table+rules", "rules:caution=5");
        again.iter().zip([found, low, high]).for_each(|(again, first)| is_near(*again, first));
    }
    run(dir.path(), "run rules rules:caution=5 --deals 100 --seed 6 --shard 2/2 --out half").success();
    run(dir.path(), "compare a half --csv of_half").success();
    let [mean, _] = expected((&a[50..100], 1), (&b[50..], -1));
    is_near(row(&at("of_half"), "table+rules", "rules:caution=5")[0], mean);
}

#[test]
fn the_same_two_bots_are_compared_in_two_runs() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    run(dir.path(), "run table+rules rules --deals 80 --seed 6 --out all").success();
    // With the auction given, the same card player plays for both: nothing differs.
    run(dir.path(), "run rules table+rules --deals 80 --seed 6 --freeze auction --out bids").success();
    let text = stdout(&run(dir.path(), "compare all bids --csv tables").success());
    assert!(text.contains("table+rules against rules in all"), "{text}");
    assert!(text.contains("all calls by rules"), "{text}");
    let [all, bids] = ["all", "bids"].map(|name| legs(&at(name), "0"));
    let [mean, half] = expected((&all, 1), (&bids, -1));
    let [found, low, _] = row(&at("tables"), "table+rules", "table+rules");
    is_near(found, mean);
    is_near(low, mean - half);
}

/// The differences A − B of both legs by match, of a run of two bots.
fn legs_of_matches(run: &Path) -> Vec<[i64; 2]> {
    let mut found: Vec<[i64; 2]> = Vec::new();
    for row in csv_rows(&run.join("summary.csv")) {
        let [number, leg, even, odd] =
            ["match", "leg", "score0", "score1"].map(|name| row[name].parse::<i64>().unwrap());
        let number = usize::try_from(number).unwrap();
        found.resize(found.len().max(number + 1), [0; 2]);
        found[number][usize::try_from(leg).unwrap()] += if leg == 0 { even - odd } else { odd - even };
    }
    found
}

#[test]
fn matches_are_compared_as_deals_are() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let play = |words: &str| run(dir.path(), &format!("run {words} --match --seed 6")).success();
    play("table+rules rules --deals 40 --records full --out a");
    play("rules rules:caution=5 --deals 30 --table parquet --out b");
    play("rules rules:caution=5 --deals 30 --out c");
    let text = stdout(&run(dir.path(), "compare a b --csv tables --out page.html").success());
    let [a, c] = ["a", "c"].map(|name| legs_of_matches(&at(name)));
    let [mean, half] = expected((&a[..30], 1), (&c, -1));
    let [found, low, high] = row(&at("tables"), "table+rules", "rules:caution=5");
    is_near(found, mean);
    is_near(low, mean - half);
    is_near(high, mean + half);
    for part in [
        &format!("{:.1} ± {half:.1} points per match", mean.abs()),
        "30 matches compared",
        "a: 40 matches",
        "the cards of matches are not compared",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(fs::read_to_string(at("page.html")).unwrap().contains("Differences on the same matches"));
    // The points of a match are those that its run counts.
    run(dir.path(), "compare a c --csv others").success();
    let again = row(&at("others"), "table+rules", "rules:caution=5");
    again.iter().zip([found, low, high]).for_each(|(again, first)| is_near(*again, first));
    let points = &run_json(&at("c"))["figures"]["points"];
    let sums = c.iter().fold(PairedSums::default(), |mut sums, legs| {
        sums.add(*legs);
        sums
    });
    is_near(points["mean"].as_f64().unwrap(), sums.estimate().unwrap().mean);
    // Both in one gauntlet are the same.
    play("rules table+rules rules:caution=5 --format gauntlet --deals 30 --out g");
    run(dir.path(), "compare g --against rules --csv of_g").success();
    is_near(row(&at("of_g"), "table+rules", "rules:caution=5")[0], mean);
    is_near(run_json(&at("g"))["opponents"][0]["points"]["mean"].as_f64().unwrap(), mean);
}

#[test]
fn runs_of_other_deals_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let play = |words: &str, out: &str| {
        run(dir.path(), &format!("run {words} --deals 4 --out {out}")).success();
    };
    play("rules random --seed 1 --records full", "a");
    play("rules random --seed 2 --records full", "seed");
    play("rules random --seed 1 --rules contree", "rules");
    play("rules random --seed 1 --set scoring.last_trick=20", "field");
    play("rules random --seed 1 --match", "match");
    play("rules random --seed 1 --records none", "none");
    play("table+rules rules:caution=5 --seed 1", "others");
    play("rules random --seed 1 --shard 2/2", "second");
    play("rules random --seed 1 --shard 1/2", "first");
    for (words, parts) in [
        ("compare a seed", &["a and seed are not of the same deals", "seed 1 and 2"][..]),
        ("compare a rules", &["not of the same deals", "rules"]),
        ("compare a field", &["scoring.last_trick=20"]),
        (
            "compare a match",
            &["a and match are not of the same deals", "deals and matches", "all of matches"],
        ),
        ("compare a none", &["none has no table", "--records summary"]),
        ("compare a others", &["no two results have a bot in common", "rules against random"]),
        ("compare a", &["one run", "--against BOT"]),
        ("compare a --against table+rules", &["against `table+rules`", "rules against random"]),
        ("compare first second", &["no deal is in all runs", "first has 0 to 1", "second has 2 to 3"]),
        ("compare a nowhere", &["nowhere", "part.json"]),
    ] {
        fails(run(dir.path(), words), 2, parts);
    }
    // Settings that say the same of other cards: the records tell.
    let state = dir.path().join("seed/part.json");
    let text = fs::read_to_string(&state).unwrap();
    let as_a = fs::read_to_string(dir.path().join("a/part.json")).unwrap();
    let settings = |text: &str| {
        let from = text.find("\"settings\":").unwrap();
        let end = from + text[from..].find('}').unwrap();
        (from, end, text[from..end].to_owned())
    };
    let (from, end, _) = settings(&text);
    fs::write(&state, format!("{}{}{}", &text[..from], settings(&as_a).2, &text[end..])).unwrap();
    sign(&dir.path().join("seed"));
    fails(run(dir.path(), "compare a seed"), 2, &["deal 0: the cards in a", "deal differently", "again"]);
}

#[test]
fn bots_that_see_all_hands_are_marked() {
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run rules+open rules --deals 4 --seed 6 --out a").success();
    run(dir.path(), "run table+rules rules --deals 4 --seed 6 --out b").success();
    let text = stdout(&run(dir.path(), "compare a b").success());
    assert!(text.contains("sees all hands: its result is an upper bound"), "{text}");
}
