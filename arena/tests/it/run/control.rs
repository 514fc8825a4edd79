//! A control variate: a cheap pair on the same deals, recounted from the rows of a run.

use std::fs;
use std::path::Path;

use crate::common::{arena, csv_rows, fails, mean, run, run_json, standard_error, stdout};
use coinche_inference::student_t;
use serde_json::Value;

/// The paired differences of the first two pairings, deal by deal: the control is the last.
fn differences(run: &Path) -> [Vec<f64>; 2] {
    legs(run).map(|legs| legs.iter().map(|[first, second]| (first + second) / 2.0).collect())
}

/// The mean square of a leg's difference.
fn leg_square(legs: &[[f64; 2]]) -> f64 {
    mean(
        &legs.iter().map(|[first, second]| f64::midpoint(first * first, second * second)).collect::<Vec<_>>(),
    )
}

/// The differences of both legs of the first two pairings, deal by deal, from the table.
fn legs(run: &Path) -> [Vec<[f64; 2]>; 2] {
    let mut found = [const { Vec::<[f64; 2]>::new() }; 2];
    for row in csv_rows(&run.join("summary.csv")) {
        let [deal, leg, pairing, even, odd] =
            ["deal", "leg", "pairing", "score0", "score1"].map(|name| row[name].parse::<i32>().unwrap());
        let of_pairing = &mut found[usize::try_from(pairing).unwrap()];
        // Bot A has the even seats in leg 0 and the odd ones in leg 1.
        let difference = f64::from(if leg == 0 { even - odd } else { odd - even });
        if leg == 0 {
            assert_eq!(of_pairing.len(), usize::try_from(deal).unwrap());
            of_pairing.push([difference, 0.0]);
        } else {
            of_pairing.last_mut().unwrap()[1] = difference;
        }
    }
    found
}

fn count(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap())
}

/// The sum of the products of what two numbers are away from their means.
fn products(x: &[f64], z: &[f64]) -> f64 {
    x.iter().zip(z).map(|(a, b)| (a - mean(x)) * (b - mean(z))).sum()
}

fn is_near(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} is not {expected}");
}

const WORDS: &str =
    "run table+rules rules:caution=5 --control table+rules rules --control-deals 2000 --seed 11";

#[test]
fn the_adjusted_difference_is_that_of_the_rows() {
    let dir = tempfile::tempdir().unwrap();
    let text = stdout(&run(dir.path(), &format!("{WORDS} --deals 300 --out c")).success());
    let [x, z] = differences(&dir.path().join("c"));
    // The control's own deals are a run like any other.
    let words = ["run", "table+rules", "rules", "--deals", "2000", "--records", "none", "--out", "other"];
    arena(dir.path()).args(words).args(["--seed", "control of 11"]).assert().success();
    let known = &run_json(&dir.path().join("other"))["figures"]["points"];
    let [known_mean, known_error] = ["mean", "standard_error"].map(|name| known[name].as_f64().unwrap());

    let n = count(x.len());
    let slope = products(&x, &z) / products(&z, &z);
    let away = known_mean - mean(&z);
    let adjusted = mean(&x) + slope * away;
    let residuals: Vec<f64> = x.iter().zip(&z).map(|(x, z)| x - slope * z).collect();
    let residual = products(&residuals, &residuals) / (n - 2.0);
    let variance =
        residual * (1.0 / n + away * away / products(&z, &z)) + (slope * known_error) * (slope * known_error);
    // What the plain interval adds to the spread of the pairs widens it, too.
    let plain = standard_error(&[(1.0, &x, leg_square(&legs(&dir.path().join("c"))[0]))]);
    let added = plain * plain - products(&x, &x) / (n - 1.0) / n;
    let half = (student_t(0.95, n - 2.0) * variance.sqrt()).hypot(student_t(0.95, n - 1.0) * added.sqrt());
    let run_json = run_json(&dir.path().join("c"));
    let control = &run_json["control"];
    for (name, expected) in [
        ("deals", 2000.0),
        ("mean", known_mean),
        ("standard_error", known_error),
        ("mean_in_run", mean(&z)),
        ("slope", slope),
        ("adjusted", adjusted),
        ("half_width", half),
        ("residual_sd", residual.sqrt()),
        ("variance_left", variance / (products(&x, &x) / (n - 1.0) / n)),
    ] {
        is_near(&control[name], expected);
    }
    // What it is there for: the pairs have most of their luck in common.
    assert!(control["variance_left"].as_f64().unwrap() < 0.8, "{control}");
    is_near(&run_json["figures"]["points"]["mean"], mean(&x));
    let expected = format!("{:.1} ± {half:.1} points per deal", adjusted.abs());
    assert!(text.contains(&expected), "{expected} is not in {text}");
    assert!(text.contains("control table+rules − rules"), "{text}");
    assert!(text.contains("% of the variance: as certain as"), "{text}");

    let power = stdout(&run(dir.path(), "power --from c --effect 40").success());
    assert!(power.contains("with control"), "{power}");
    let json = stdout(&run(dir.path(), "power --from c --effect 40 --json").success());
    let row = serde_json::from_str::<Value>(&json).unwrap()["rows"][0].clone();
    assert!(row["with_control"].as_u64().unwrap() < row["pairs"].as_u64().unwrap(), "{row}");
    let status = stdout(&run(dir.path(), "status c --json").success());
    let status: Value = serde_json::from_str(&status).unwrap();
    is_near(&status["jobs"][0]["verdict"]["pairings"][0]["mean"], adjusted);
    is_near(&status["jobs"][0]["verdict"]["pairings"][0]["half_width"], half);
    let report = stdout(&run(dir.path(), "report c --markdown c.md").success());
    assert!(report.contains(&format!("{:.1} ± {half:.1} points per deal", adjusted.abs())), "{report}");
    let page = fs::read_to_string(dir.path().join("c.md")).unwrap();
    assert!(page.contains("Adjusted by the control table+rules − rules"), "{page}");
    run(dir.path(), "verify c").success();
}

#[test]
fn threads_shards_and_stops_give_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    run(dir.path(), &format!("{WORDS} --deals 200 --threads 1 --out whole")).success();
    run(dir.path(), &format!("{WORDS} --deals 200 --threads 3 --out threads")).success();
    run(dir.path(), &format!("{WORDS} --deals 70 --out longer")).success();
    run(dir.path(), &format!("{WORDS} --deals 200 --out longer")).success();
    for shards in [2, 7] {
        let mut words = format!("merge --out merged{shards}");
        for shard in 1..=shards {
            let part = format!("part{shard}of{shards}");
            run(dir.path(), &format!("{WORDS} --deals 200 --shard {shard}/{shards} --out {part}")).success();
            words = format!("{words} {part}");
        }
        run(dir.path(), &words).success();
    }
    for file in ["part.json", "summary.csv", "config.toml"] {
        let whole = fs::read(at("whole").join(file)).unwrap();
        for other in ["threads", "longer", "merged2", "merged7"] {
            assert!(fs::read(at(other).join(file)).unwrap() == whole, "{other}/{file}");
        }
    }
    let whole = run_json(&at("whole"));
    for other in ["threads", "longer", "merged2", "merged7"] {
        assert_eq!(run_json(&at(other))["control"], whole["control"], "{other}");
    }
    // Another control is another run.
    let words = WORDS.replace("2000", "3000");
    fails(run(dir.path(), &format!("{words} --deals 200 --out whole")), 2, &["control-deals: 2000 there"]);
    // Its command plays it again.
    let command = whole["command"].as_str().unwrap().strip_prefix("arena ").unwrap().to_owned();
    run(dir.path(), &format!("{command} --out again")).success();
    assert!(fs::read(at("again/part.json")).unwrap() == fs::read(at("whole/part.json")).unwrap());
    run(dir.path(), "run --config whole/config.toml --out file").success();
    assert!(fs::read(at("file/part.json")).unwrap() == fs::read(at("whole/part.json")).unwrap());
}

#[test]
fn bots_that_are_their_own_control_have_its_mean() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run table+rules rules --control table+rules rules --control-deals 5000 --deals 50 --seed 3";
    run(dir.path(), &format!("{words} --out c")).success();
    let control = run_json(&dir.path().join("c"))["control"].clone();
    is_near(&control["slope"], 1.0);
    is_near(&control["adjusted"], control["mean"].as_f64().unwrap());
    assert!(control["residual_sd"].as_f64().unwrap() < 1e-6, "{control}");
}

#[test]
fn what_is_no_control_is_named() {
    let dir = tempfile::tempdir().unwrap();
    for (words, parts) in [
        ("run rules random --control-deals 5000", &["control-deals: it needs --control"][..]),
        ("run rules random --control rules rules", &["control: rules against itself", "two different bots"]),
        ("run rules random --match --control table+rules rules", &["control:", "leave out --match"]),
        (
            "run rules random --format crossplay --control table+rules rules",
            &["control: it does not go with cross-play", "leave out --control"],
        ),
        ("run rules random --control rules cmd:./bot", &["control: ", "external program", "built-in"]),
        ("run rules random --control table rules", &["does not play cards"]),
        ("run rules random --control rules random --control-deals 10", &["control-deals", "1000"]),
    ] {
        fails(run(dir.path(), words), 2, parts);
    }
    assert!(!dir.path().join("results").exists());
    fs::write(dir.path().join("one.toml"), "bots = [\"rules\", \"random\"]\ncontrol = [\"rules\"]\n")
        .unwrap();
    fails(run(dir.path(), "run --config one.toml"), 2, &["control: expected two bots", "1 were given"]);
}

/// Of a gauntlet, the opponents compared deal by deal.
#[test]
fn opponents_of_a_gauntlet_are_compared_on_the_same_deals() {
    let dir = tempfile::tempdir().unwrap();
    let words = "run rules table+rules rules:caution=5 --format gauntlet --deals 150 --seed 4 --out g";
    let text = stdout(&run(dir.path(), words).success());
    let [first, second] = differences(&dir.path().join("g"));
    // Against `rules` the bot with the smaller difference scores more.
    let less: Vec<f64> = first.iter().zip(&second).map(|(first, second)| second - first).collect();
    let [one, two] = legs(&dir.path().join("g")).map(|legs| leg_square(&legs));
    let half = student_t(0.95, 149.0) * standard_error(&[(1.0, &second, two), (-1.0, &first, one)]);
    let opponents = &run_json(&dir.path().join("g"))["opponents"];
    assert_eq!(opponents.as_array().unwrap().len(), 1);
    assert_eq!((&opponents[0]["a"], &opponents[0]["b"]), (&1.into(), &2.into()));
    is_near(&opponents[0]["points"]["mean"], mean(&less));
    is_near(&opponents[0]["points"]["half_width"], half);
    let expected = format!("{:+.1} ± {half:.1}", mean(&less));
    let row = text.lines().find(|line| line.starts_with("2 table+rules")).unwrap();
    assert!(row.contains(&expected), "{expected} is not in {row}");
    run(dir.path(), "report g --csv tables").success();
    let table = fs::read_to_string(dir.path().join("tables/opponents.csv")).unwrap();
    assert!(table.starts_with("bot_a,bot_b,difference,low,high\ntable+rules,rules:caution=5,"), "{table}");
}

/// The figures of a run, without those of its control.
fn without_control(run: &Path) -> Value {
    let mut figures = run_json(run);
    for pairing in figures["pairings"].as_array_mut().unwrap() {
        pairing.as_object_mut().unwrap().remove("control");
    }
    figures.as_object_mut().unwrap().remove("command");
    figures
}

#[test]
fn each_pairing_of_several_is_adjusted_as_in_a_run_of_its_own() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let with = "--control table+rules rules --control-deals 2000 --deals 120 --seed 11";
    let bots = "run rules table+rules rules:caution=5";
    let text = stdout(&run(dir.path(), &format!("{bots} --format gauntlet {with} --out g")).success());
    run(dir.path(), &format!("{bots} {with} --threads 3 --out all")).success();
    let mut pairings = run_json(&at("g"))["pairings"].as_array().unwrap().clone();
    assert_eq!(pairings.len(), 2);
    let all = run_json(&at("all"))["pairings"].as_array().unwrap().clone();
    // In a round robin the same pairings come first.
    assert_eq!(all[..2], pairings);
    pairings.push(all[2].clone());
    for (pairing, words) in
        pairings.iter().zip(["rules table+rules", "rules rules:caution=5", "table+rules rules:caution=5"])
    {
        let out = words.replace([' ', ':'], "-");
        run(dir.path(), &format!("run {words} {with} --out {out}")).success();
        let alone = run_json(&at(&out));
        assert_eq!(
            (&pairing["control"], &pairing["figures"]),
            (&alone["control"], &alone["figures"]),
            "{words}"
        );
        assert!(pairing["control"]["slope"].is_f64(), "{pairing}");
    }
    let [adjusted, half, left] = ["adjusted", "half_width", "variance_left"]
        .map(|name| pairings[1]["control"][name].as_f64().unwrap());
    let row = text.lines().find(|line| line.trim_start().starts_with("1–3")).unwrap();
    for part in [format!("{adjusted:+.1} ± {half:.1}"), format!("{:.1} %", 100.0 * left)] {
        assert!(row.contains(&part), "{part} is not in {row}");
    }
    assert!(text.contains("adjusted by the control table+rules − rules"), "{text}");
    // What the bots did together is what it is without a control.
    for (words, out, name) in [(" --format gauntlet", "g", "g-plain"), ("", "all", "all-plain")] {
        run(dir.path(), &format!("{bots}{words} --deals 120 --seed 11 --out {name}")).success();
        assert_eq!(without_control(&at(out)), without_control(&at(name)));
    }
    // Its files are checked, merged, compared and reported on as others are.
    for shard in 1..=2 {
        let words = format!("{bots} --format gauntlet {with} --shard {shard}/2 --out g{shard}");
        run(dir.path(), &words).success();
    }
    run(dir.path(), "merge g2 g1 --out merged").success();
    assert!(fs::read(at("merged/part.json")).unwrap() == fs::read(at("g/part.json")).unwrap());
    let verified = stdout(&run(dir.path(), "verify merged").success());
    assert!(verified.contains("totals.control: 2,000 deals, and the sums match"), "{verified}");
    run(dir.path(), "report g all --markdown page.md").success();
    run(dir.path(), "compare g g-plain --against rules").success();
    let command = run_json(&at("g"))["command"].as_str().unwrap().strip_prefix("arena ").unwrap().to_owned();
    run(dir.path(), &format!("{command} --out again")).success();
    assert!(fs::read(at("again/part.json")).unwrap() == fs::read(at("g/part.json")).unwrap());
}

/// Of a run without a control, `arena power` names the one that is known to help.
#[test]
fn a_control_is_suggested_where_one_is_known() {
    let dir = tempfile::tempdir().unwrap();
    for (out, words, is_suggested) in [
        ("known", "run table+mc:worlds=4 rules+mc:worlds=4", true),
        ("matches", "run table+mc:worlds=2 rules+mc:worlds=2 --match", false),
        ("alike", "run rules rules:caution=5", false),
        (
            "has-one",
            "run table+mc:worlds=4 rules+mc:worlds=4 --control table+rules rules --control-deals 1000",
            false,
        ),
    ] {
        run(dir.path(), &format!("{words} --deals 12 --seed 1 --out {out}")).success();
        let text = stdout(&run(dir.path(), &format!("power --from {out} --effect 5")).success());
        assert_eq!(text.contains("with `--control table+rules rules`"), is_suggested, "{out}: {text}");
        let json = stdout(&run(dir.path(), &format!("power --from {out} --effect 5 --json")).success());
        let suggested = serde_json::from_str::<Value>(&json).unwrap()["suggested_control"].clone();
        assert_eq!(suggested.is_array(), is_suggested, "{out}: {json}");
    }
}
