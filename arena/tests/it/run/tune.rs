//! `arena tune` as a program, and what it is built on.

use std::fs;
use std::path::Path;

use crate::common::{fails, files, json, long, run, run_json, sign, signal, size, start, stdout};
use coinche_arena::stats::{Measured, Spsa, SpsaParam, StatsError};
use coinche_engine::{Key, Seat};
use statrs::distribution::{ContinuousCDF, Normal};

/// Pairs with a mean of `mean` points and a normal error: what a match of `n` pairs comes to.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "sums of a few thousand points"
)]
fn noisy(key: Key, n: u64, mean: f64, sd: f64) -> Measured {
    let uniform = ((key.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
    let error = Normal::standard().inverse_cdf(uniform) * sd / (n as f64).sqrt();
    let doubled = (2.0 * n as f64 * (mean + error)).round() as i128;
    let squares = (4.0 * n as f64 * (sd * sd + mean * mean)).round() as i128;
    Measured { pairs: n, doubled, squares }
}

/// The random bits of perturbations, as `arena tune` draws them.
fn random(seed: u64) -> impl Fn(u64, u64) -> u64 {
    move |iteration, param| Key::decisions(seed, iteration, Seat::S0).and(param).bits()
}

/// Tunes on `−h/2 (θ − best)²` points a deal with pairs of a standard deviation of 130 points: 400 matches of 250
/// deals.
fn tune_quadratic(params: &[SpsaParam], best: &[f64], curve: &[f64], gain: f64, seed: u64) -> Spsa {
    let mut spsa = Spsa::new(params.to_vec(), 400, gain).unwrap();
    let worth = |values: &[f64]| -> f64 {
        values.iter().zip(best).zip(curve).map(|((value, best), h)| -h / 2.0 * (value - best).powi(2)).sum()
    };
    while let Some(trial) = spsa.trial(random(seed)) {
        for (param, value) in params.iter().zip(trial.plus.iter().chain(&trial.minus)) {
            assert!((param.low..=param.high).contains(value));
        }
        let key = Key::decisions(seed, spsa.done(), Seat::S1);
        spsa.feed(&trial, noisy(key, 250, worth(&trial.plus) - worth(&trial.minus), 130.0));
    }
    assert_eq!(spsa.done(), 400);
    spsa
}

#[test]
fn a_planted_optimum_is_found_in_noise() {
    let whole = SpsaParam { low: -20.0, high: 20.0, start: 12.0, step: 2.0, digits: 0 };
    let share = SpsaParam { low: 0.0, high: 1.0, start: 0.9, step: 0.05, digits: 3 };
    let at_end = SpsaParam { low: -20.0, high: 20.0, start: 0.0, step: 2.0, digits: 0 };
    let (params, best) = ([whole, share, at_end], [-7.0, 0.3, 30.0]);
    // A width is worth one to two points: as `caution` of the bot `rules`.
    let curve = [0.5, 600.0, 0.2];
    for gain in [0.08, 0.15, 0.3] {
        let seeds = 0..20;
        let mut lost = 0.0;
        for seed in seeds.clone() {
            let found = tune_quadratic(&params, &best, &curve, gain, seed).result();
            assert_eq!(found, tune_quadratic(&params, &best, &curve, gain, seed).result());
            assert!(found[0].fract() == 0.0 && found[1].to_string().len() <= 5, "{found:?}");
            assert!(found[2] > 17.0, "{found:?}");
            lost += (0..2).map(|n| curve[n] / 2.0 * (found[n] - best[n]).powi(2)).sum::<f64>();
        }
        // At the start 104 points are lost.
        let lost = lost / 20.0;
        assert!(lost < 0.3, "gain {gain}: {lost} points are lost");
    }
}

/// The mean points lost by the last θ and by the mean of the second half, over `runs` tunings of one parameter
/// with a step of 2, whose optimum and start are drawn from −15 to 15.
fn lost(curve: f64, gain: f64, runs: u64) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for seed in 0..runs {
        let draw =
            |n: u64| -15.0 + 30.0 * (Key::from_bits(seed).and(n).bits() >> 11) as f64 / (1u64 << 53) as f64;
        let [best, start] = [draw(0), draw(1)];
        let param = SpsaParam { low: -20.0, high: 20.0, start, step: 2.0, digits: 6 };
        let spsa = tune_quadratic(&[param], &[best], &[curve], gain, seed);
        for (sum, value) in sums.iter_mut().zip([spsa.theta()[0], spsa.result()[0]]) {
            *sum += curve / 2.0 * (value - best).powi(2) / runs as f64;
        }
    }
    sums
}

/// The figures of `docs/statistics.md`, in the long form.
#[test]
fn what_a_tuning_loses_by_gain() {
    let gains: &[f64] = if long() { &[0.02, 0.05, 0.1, 0.15, 0.2, 0.4] } else { &[0.15] };
    // At a step from the optimum a point is lost, or a tenth of one.
    for curve in [0.5, 0.05] {
        for &gain in gains {
            let [last, mean] = lost(curve, gain, size(100, 1000));
            println!("curve {curve}, gain {gain}: the last loses {last:.3} points, the mean {mean:.3}");
            if gain >= 0.1 {
                assert!(mean < 0.2 && (curve < 0.1 || mean < 0.03), "{mean}");
            }
        }
    }
}

#[test]
fn nothing_is_moved_by_nothing() {
    let param = SpsaParam { low: 0.0, high: 9.0, start: 4.0, step: 1.0, digits: 0 };
    let mut spsa = Spsa::new(vec![param], 10, 0.15).unwrap();
    // No pairs, then pairs that are all equal to 0.
    for pairs in [0, 0, 10, 10, 10, 0, 0, 0, 5, 5] {
        let trial = spsa.trial(random(3)).unwrap();
        spsa.feed(&trial, Measured { pairs, doubled: 0, squares: 0 });
    }
    assert_eq!((spsa.trial(random(3)), spsa.theta(), spsa.result()), (None, &[4.0][..], vec![4.0]));
}

#[test]
fn rounding_at_random_is_right_on_average() {
    let param = SpsaParam { low: 0.0, high: 10.0, start: 4.3, step: 0.1, digits: 0 };
    let mut sum = 0.0;
    let mut differ = 0;
    for seed in 0..4000 {
        let trial = Spsa::new(vec![param], 1, 0.1).unwrap().trial(random(seed)).unwrap();
        sum += trial.plus[0] + trial.minus[0];
        differ += u32::from(trial.plus != trial.minus);
    }
    assert!((sum / 8000.0 - 4.3).abs() < 0.03, "{sum}");
    // The sides are 0.2 apart: a fifth of the draws falls between them.
    assert!((700..900).contains(&differ), "{differ}");
}

#[test]
fn numbers_out_of_range_are_named() {
    let good = SpsaParam { low: 0.0, high: 1.0, start: 0.5, step: 0.1, digits: 2 };
    let name = |params: Vec<SpsaParam>, iterations, gain| match Spsa::new(params, iterations, gain) {
        Err(StatsError::Range { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    assert_eq!(name(vec![good], 0, 0.1), "iterations");
    assert_eq!(name(vec![good], 5, 0.0), "gain");
    assert_eq!(name(vec![SpsaParam { high: 0.0, ..good }], 5, 0.1), "high");
    assert_eq!(name(vec![SpsaParam { start: 2.0, ..good }], 5, 0.1), "start");
    assert_eq!(name(vec![SpsaParam { step: -0.1, ..good }], 5, 0.1), "step");
    assert_eq!(name(vec![SpsaParam { low: f64::NAN, ..good }], 5, 0.1), "low");
    assert_eq!(name(vec![SpsaParam { digits: 10, ..good }], 5, 0.1), "digits");
}

/// A tuning of a few moments.
const WORDS: &str = "tune rules --param caution=-20..20:12:3 --param coinche=-50..50 --deals 1200 --batch 60 \
                     --verify 400 --seed 7 --progress none";

#[test]
fn threads_and_interruptions_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let text = stdout(&run(dir.path(), &format!("{WORDS} --threads 1 --out one")).success());
    let whole = files(&dir.path().join("one"));
    let names: Vec<_> = whole.keys().map(String::as_str).collect();
    let verify = ["verify/config.toml", "verify/part.json", "verify/run.json"];
    assert_eq!(
        names,
        [&["history.csv", "trajectories.svg", "tune.json", "tune.toml"][..], &verify[..]].concat()
    );
    assert_eq!(stdout(&run(dir.path(), &format!("{WORDS} --threads 3 --out three")).success()), text);
    assert_eq!(files(&dir.path().join("three")), whole);

    // What a process leaves that is killed at any byte of the history, before or while the rest is written.
    let history = whole["history.csv"].clone();
    let lines: Vec<usize> = (0..history.len()).filter(|n| history[*n] == b'\n').map(|n| n + 1).collect();
    assert_eq!(lines.len(), 21);
    for (n, left) in
        [0, 5, lines[0], lines[3], lines[3] + 17, lines[19] - 1, lines[20] - 1].into_iter().enumerate()
    {
        let out = format!("killed-{n}");
        let path = dir.path().join(&out);
        fs::create_dir(&path).unwrap();
        fs::write(path.join("history.csv"), &history[..left]).unwrap();
        let settings = if left == 0 { &b""[..] } else { &whole["tune.toml"] };
        fs::write(path.join("tune.toml"), settings).unwrap();
        fs::write(path.join("tune.json.unfinished"), "{").unwrap();
        assert_eq!(stdout(&run(dir.path(), &format!("{WORDS} --out {out}")).success()), text);
        let mut found = files(&path);
        found.remove("tune.json.unfinished");
        assert_eq!(found, whole, "{left} bytes");
    }
    // Given again when all is done, it says the same again.
    assert_eq!(stdout(&run(dir.path(), &format!("{WORDS} --out one")).success()), text);
    assert_eq!(files(&dir.path().join("one")), whole);
}

#[test]
fn the_result_is_told_and_can_be_played() {
    let dir = tempfile::tempdir().unwrap();
    let text = stdout(&run(dir.path(), &format!("{WORDS} --out mine")).success());
    let found = json(&dir.path().join("mine/tune.json"));
    let tuned = found["tuned"].as_str().unwrap();
    assert!(text.contains(&format!("\ntuned: {tuned}\n")), "{text}");
    assert_eq!(found["start"], "rules:caution=12");
    // Twelve points too many are found out in a thousand deals.
    let caution = found["params"][0]["tuned"].as_f64().unwrap();
    assert!((-10.0..10.0).contains(&caution), "{text}");
    assert!(text.contains(&format!("{tuned} beats rules:caution=12 by ")), "{text}");
    // The verification is a run like any other.
    let verify = json(&dir.path().join("mine/verify/run.json"));
    assert_eq!(verify["figures"]["points"]["mean"], found["verification"]["mean"]);
    let again = stdout(&run(dir.path(), "run --config mine/verify/config.toml --out again").success());
    assert!(again.contains(&format!("{tuned} beats rules:caution=12 by ")), "{again}");
    fails(run(dir.path(), "report mine"), 2, &["mine holds a tuning", "mine/verify"]);
    run(dir.path(), "report mine/verify").success();
    // As is every iteration, as part of a run.
    let history = fs::read_to_string(dir.path().join("mine/history.csv")).unwrap();
    let rows: Vec<Vec<&str>> = history.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][..7], ["iteration", "deals", "pairs", "doubled", "squares", "difference", "faults"]);
    assert_eq!(
        rows[0][7..],
        ["caution", "caution_plus", "caution_minus", "coinche", "coinche_plus", "coinche_minus", "crc"]
    );
    assert_eq!((rows.len(), rows[20][..3].to_vec()), (21, vec!["20", "1200", "60"]));
    let bots = [rows[1][8], rows[1][11], rows[1][9], rows[1][12]];
    let words = format!(
        "run rules:caution={},coinche={} rules:caution={},coinche={} --deals 60 --seed 7 --out first",
        bots[0], bots[1], bots[2], bots[3]
    );
    run(dir.path(), &words).success();
    let first = run_json(&dir.path().join("first"));
    let mean = first["figures"]["points"]["mean"].as_f64().unwrap();
    assert_eq!(rows[1][5], format!("{mean:.4}"));
    // The picture has a curve for each parameter.
    let picture = fs::read_to_string(dir.path().join("mine/trajectories.svg")).unwrap();
    assert_eq!(picture.matches("class=\"curve\"").count(), 2);
    assert_eq!(picture.matches("<svg").count(), picture.matches("</svg>").count());
}

#[test]
fn a_third_bot_can_be_played_against() {
    let dir = tempfile::tempdir().unwrap();
    let words = "tune rules --param caution=-20..20:15 --against random --deals 400 --batch 100 --verify 200 --seed 1 \
                 --progress none --out mine";
    let text = stdout(&run(dir.path(), words).success());
    assert!(text.contains(" against random "), "{text}");
    let history = fs::read_to_string(dir.path().join("mine/history.csv")).unwrap();
    let row: Vec<&str> = history.lines().nth(1).unwrap().split(',').collect();
    // On the same deals: what one makes of them less what the other does.
    let mean = |bot: &str, out: &str| {
        run(dir.path(), &format!("run {bot} random --deals 100 --seed 1 --out {out}")).success();
        run_json(&dir.path().join(out))["figures"]["points"]["mean"].as_f64().unwrap()
    };
    let difference =
        mean(&format!("rules:caution={}", row[8]), "a") - mean(&format!("rules:caution={}", row[9]), "b");
    // Deterministic bots: who is A does not matter to them, but random decisions belong to seats.
    assert!((row[5].parse::<f64>().unwrap() - difference).abs() < 40.0, "{row:?} {difference}");
}

#[test]
fn the_bidding_can_be_tuned_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let words = "tune rules --param caution=-20..20:15 --freeze play=random --deals 200 --batch 100 --verify 100 --seed 3 \
                 --out mine";
    let text = stdout(&run(dir.path(), words).success());
    assert!(text.contains(" --freeze play=random ") && text.contains(", all cards by random"), "{text}");
    let rows = fs::read_to_string(dir.path().join("mine/history.csv")).unwrap();
    let row: Vec<&str> = rows.lines().nth(1).unwrap().split(',').collect();
    let words = format!(
        "run rules:caution={}+random rules:caution={}+random --deals 100 --seed 3 --out own",
        row[8], row[9]
    );
    run(dir.path(), &words).success();
    let mean = run_json(&dir.path().join("own"))["figures"]["points"]["mean"].as_f64().unwrap();
    assert_eq!(row[5], format!("{mean:.4}"));
}

#[test]
fn other_settings_and_damage_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let words = "tune rules --param caution=-20..20 --deals 100 --batch 50 --verify 0 --seed 7 --out mine";
    let text = stdout(&run(dir.path(), words).success());
    assert!(text.contains("not verified") || text.contains("nothing better"), "{text}");
    let before = files(&dir.path().join("mine"));
    for (from, to, parts) in [
        (
            "--seed 7",
            "--seed 8",
            &["mine holds a run with other settings", "seed: 7 there, 8 now"] as &[&str],
        ),
        ("--deals 100", "--deals 150", &["deals: 100 there, 150 now"]),
        ("--batch 50", "--batch 25", &["batch: 50 there, 25 now"]),
        ("=-20..20", "=-20..20:0:1", &["param caution: -20..20:0:2 there, -20..20:0:1 now"]),
        ("tune rules", "tune rules+random", &["bot: rules there, rules+random now"]),
        ("--verify", "--gain 0.2 --verify", &["gain: 0.15 there, 0.2 now"]),
        ("--verify", "--against random --verify", &["against: itself there, random now"]),
        ("--verify", "--freeze play --verify", &["freeze: ", "play=rules now"]),
        ("--verify", "--set scoring.failed=100 --verify", &["rules: bga there, rules of its own now"]),
    ] {
        fails(run(dir.path(), &words.replace(from, to)), 2, parts);
    }
    assert_eq!(files(&dir.path().join("mine")), before);
    // A run is not written over, and a tuning not by a run.
    run(dir.path(), "run rules random --deals 2 --seed 1 --out run").success();
    fails(run(dir.path(), &words.replace("mine", "run")), 3, &["run already holds a run", "run.json"]);
    fails(
        run(dir.path(), "run rules random --deals 2 --seed 1 --out mine"),
        3,
        &["mine already holds a run", "tune.toml"],
    );
    // A digit of the history.
    let path = dir.path().join("mine/history.csv");
    let history = fs::read_to_string(&path).unwrap();
    fs::write(&path, history.replacen("\n1,50,", "\n1,51,", 1)).unwrap();
    fails(run(dir.path(), words), 1, &["history.csv is damaged", "CRC-32"]);
    // As a process that was killed leaves it.
    fs::remove_file(dir.path().join("mine/checksums.txt")).unwrap();
    fails(run(dir.path(), words), 1, &["history.csv is damaged", "line 2"]);
    sign(&dir.path().join("mine"));
    fails(run(dir.path(), words), 1, &["history.csv is damaged", "iteration 1"]);
    let _ = fs::remove_file(dir.path().join("mine/checksums.txt"));
    fs::write(&path, history.replacen("iteration", "n", 1)).unwrap();
    fails(run(dir.path(), words), 1, &["history.csv is damaged", "does not name the columns"]);
    fs::write(&path, history).unwrap();
    fs::write(dir.path().join("mine/tune.toml"), "v = 1").unwrap();
    fails(run(dir.path(), words), 1, &["tune.toml is damaged"]);
}

#[test]
fn wrong_arguments_are_named() {
    let dir = tempfile::tempdir().unwrap();
    for (words, parts) in [
        ("tune rules", &["--param"] as &[&str]),
        ("tune wizard --param caution=0..1", &["`wizard`", "random, rules"]),
        ("tune rules --param caution", &["--param caution", "NAME=LO..HI", "caution=-20..20:0:2"]),
        ("tune rules --param caution=5", &["NAME=LO..HI"]),
        ("tune rules --param caution=0..5:1:1:1", &["NAME=LO..HI:START:STEP"]),
        ("tune rules --param caution=0..x", &["--param caution", "a number, not `x`"]),
        ("tune rules --param caution=0..inf", &["a number, not `inf`"]),
        ("tune rules --param caution=20..-20", &["20..-20 is reversed", "lower end first"]),
        ("tune rules --param caution=5..5", &["5..5 is empty"]),
        ("tune rules --param boldness=0..5", &["no parameter `boldness`", "caution"]),
        ("tune rules+random --param pass=0..1", &["no parameter `pass`", "caution"]),
        ("tune rules --param caution=-60..20", &["`caution` cannot be `-60`", "-50 to 50"]),
        ("tune rules --param caution=-20..20.5", &["`caution` cannot be `20.5`"]),
        ("tune rules --param caution=5..20", &["the start 0 is not in 5..20", "caution=5..20:START"]),
        ("tune rules --param caution=-5..5:9", &["the start 9"]),
        ("tune rules --param caution=-5..5:0:0", &["the step 0", "half the range, 5"]),
        ("tune rules --param caution=-5..5:0:6", &["the step 6"]),
        ("tune rules --param caution=-5..5 --param caution=0..1", &["caution", "twice"]),
        ("tune random --param pass=0..1:0.5:0.00000001", &["decimal places"]),
        ("tune rules --param caution=-5..5 --deals 100", &["deals: 100", "the batch of 250", "250 or 500"]),
        ("tune rules --param caution=-5..5 --deals 0", &["deals: 0"]),
        ("tune rules --param caution=-5..5 --batch 0", &["batch: 0"]),
        ("tune rules --param caution=-5..5 --gain 0", &["gain: 0", "above 0"]),
        ("tune rules --param caution=-5..5 --threads 0", &["threads", "1 to 1024"]),
        ("tune rules --param caution=-5..5 --rules poker", &["`poker`"]),
        ("tune rules --param caution=-5..5 --against wizard", &["`wizard`"]),
    ] {
        fails(run(dir.path(), words), 2, parts);
    }
    // Nothing was left behind.
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

/// Runs a tuning that takes for ever until its history has so many rows, and interrupts it; returns what it told.
#[cfg(unix)]
fn interrupted(directory: &Path, rows: usize) -> String {
    use std::time::Duration;

    let words = WORDS.replace("--deals 1200", "--deals 600000000").replace("none", "plain");
    let mut child = start(directory, &format!("{words} --out mine"));
    while fs::read_to_string(directory.join("mine/history.csv")).map_or(0, |text| text.lines().count())
        <= rows
    {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(5));
    }
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    String::from_utf8(output.stderr).unwrap()
}

/// Whoever reads only the first lines gets all files nevertheless.
#[test]
fn a_reader_that_has_gone_stops_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = start(dir.path(), &format!("{WORDS} --out mine"));
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    let json = json(&dir.path().join("mine/tune.json"));
    assert!(json["verification"]["mean"].is_f64(), "{json:#}");
}

/// Ctrl-C ends the tuning at its last iteration, and the command that is printed goes on from there.
#[cfg(unix)]
#[test]
fn an_interrupted_tuning_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let history = || fs::read_to_string(dir.path().join("mine/history.csv")).unwrap();
    let told = interrupted(dir.path(), 3);
    assert!(told.contains("resume with: arena tune rules --param caution=-20..20:12:3"), "{told}");
    let first = history();
    assert!(first.ends_with('\n') && first.lines().count() > 3);
    let json = json(&dir.path().join("mine/tune.json"));
    assert_eq!(
        (&json["interrupted"], json["done"].as_u64()),
        (&true.into(), Some(first.lines().count() as u64 - 1))
    );
    let told = interrupted(dir.path(), first.lines().count() + 3);
    assert!(
        told.contains(&format!("{} iterations are already in mine", first.lines().count() - 1)),
        "{told}"
    );
    assert!(history().starts_with(&first));
}
