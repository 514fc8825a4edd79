//! Runs with a given auction or a given card play.

use std::fs;
use std::path::Path;

use crate::common::{fails, records, run, run_json, stdout};
use coinche_engine::record::Record;
use coinche_engine::solver::{Solver, takes_all};
use coinche_engine::{Deal, DealState, Deck, PlayState, RuleSet, Seat, Team};
use serde_json::Value;

/// The records without the names of the bots.
fn nameless(directory: &Path) -> Vec<Value> {
    let mut records = records(directory);
    for record in &mut records {
        record.as_object_mut().unwrap().remove("bots").unwrap();
    }
    records
}

#[test]
fn a_frozen_auction_is_that_of_the_bidder_in_both_legs() {
    let dir = tempfile::tempdir().unwrap();
    let flags = "--deals 60 --seed 3 --records full";
    for rules in ["bga-ja", "belote-melds", "coinchee"] {
        let frozen = format!(
            "run rules random {flags} --rules {rules} --freeze auction=random:pass=0.6 --out f-{rules}"
        );
        run(dir.path(), &frozen).success();
        // It is that of bots that have the bidder for their own: chance is the same in both legs.
        let own = "run random:pass=0.6+rules random:pass=0.6+random";
        run(dir.path(), &format!("{own} {flags} --rules {rules} --out o-{rules}")).success();
        let [frozen, own] = ["f", "o"].map(|name| nameless(&dir.path().join(format!("{name}-{rules}"))));
        let mut contracts = 0;
        for (frozen, own) in frozen.chunks(2).zip(own.chunks(2)) {
            assert_eq!(frozen, own);
            for key in ["auction", "contract", "hands"] {
                assert_eq!(frozen[0][key], frozen[1][key], "{rules}, {key}");
            }
            contracts += u32::from(!frozen[0]["contract"].is_null());
        }
        assert!(contracts > 30, "{contracts}");
        run(dir.path(), &format!("verify f-{rules}")).success();
    }
    // Names are those of the bots that are compared.
    let first = &records(&dir.path().join("f-bga-ja"))[0];
    assert_eq!(first["bots"], serde_json::json!(["rules", "random", "rules", "random"]));
}

#[test]
fn the_same_card_play_in_the_same_contracts_differs_by_nothing() {
    let dir = tempfile::tempdir().unwrap();
    // Bidders of their own have no part in it, and chance is the same in both legs.
    for (n, bots) in ["random random", "rules+random random", "rules:caution=5 rules"].into_iter().enumerate()
    {
        let words = format!("run {bots} --deals 80 --seed {n} --freeze auction --records none --out r{n}");
        let text = stdout(&run(dir.path(), &words).success());
        assert!(text.contains("0 of 80 pairs differ") && text.contains(", all calls by rules\n"), "{text}");
        let points = &run_json(&dir.path().join(format!("r{n}")))["figures"]["points"];
        assert_eq!((&points["mean"], &points["sd"]), (&0.0.into(), &0.0.into()));
        assert!(points["leg_sd"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn a_frozen_player_is_that_of_every_bot() {
    let dir = tempfile::tempdir().unwrap();
    for (n, unit) in ["--deals 60", "--deals 2 --match"].into_iter().enumerate() {
        let flags = format!("{unit} --seed 4 --records full --rules coinche-melds");
        run(dir.path(), &format!("run rules random+rules {flags} --freeze play=random --out f{n}")).success();
        run(dir.path(), &format!("run rules+random random {flags} --out o{n}")).success();
        let [frozen, own] = ["f", "o"].map(|name| nameless(&dir.path().join(format!("{name}{n}"))));
        assert_eq!(frozen, own);
    }
    run(
        dir.path(),
        "run random:pass=0.6 random:pass=0.8 --deals 40 --seed 1 --freeze play --out p --records full",
    )
    .success();
    run(
        dir.path(),
        "run random:pass=0.6+rules random:pass=0.8+rules --deals 40 --seed 1 --out q --records full",
    )
    .success();
    assert_eq!(nameless(&dir.path().join("p")), nameless(&dir.path().join("q")));
}

/// Where play began in a recorded deal.
fn begin(rules: &RuleSet, record: &Record) -> PlayState {
    PlayState::new(&rules.play, record.contract.unwrap().strain, record.hands, record.dealer.next())
}

#[test]
fn the_solver_as_player_gets_the_value_of_every_deal() {
    let dir = tempfile::tempdir().unwrap();
    let mut solver = Solver::new();
    let mut slams = 0;
    for (name, rules) in RuleSet::PRESETS {
        let words = format!(
            "run rules random:pass=0.7 --deals 12 --seed 5 --rules {name} --freeze play=solver --records full --out {name}"
        );
        let text = stdout(&run(dir.path(), &words).success());
        assert!(text.contains(", all cards by the exact solver\n"), "{text}");
        run(dir.path(), &format!("verify {name}")).success();
        let lines = fs::read_to_string(dir.path().join(name).join("records.jsonl")).unwrap();
        for line in lines.lines() {
            let record = Record::from_json(line).unwrap();
            if record.contract.is_none() {
                continue;
            }
            let begin = begin(&rules, &record);
            let side = begin.to_play().team();
            let value = solver.value(&rules, &begin);
            assert_eq!(i32::from(record.card_points[side]), value, "{name} {}", record.deal);
            // All points with all tricks, where they can be had.
            let all = takes_all(&mut solver, &rules, &begin, begin.to_play().team());
            assert!(!all || record.tricks_won[side] == 8);
            slams += u32::from(all);
            // All is announced that can be.
            assert!(record.belote.as_ref().is_none_or(|belote| belote.announced), "{line}");
        }
    }
    assert!(slams > 0);
}

#[test]
fn announcements_of_the_solver_are_those_of_the_default() {
    // The rules' player announces all, so frozen play by it tells the same melds.
    let dir = tempfile::tempdir().unwrap();
    let flags = "--deals 60 --seed 6 --rules coinche-melds --records full --freeze play";
    run(dir.path(), &format!("run random random:pass=0.6 {flags}=solver --out s")).success();
    run(dir.path(), &format!("run random random:pass=0.6 {flags}=rules --out r")).success();
    let [solver, rules] = ["s", "r"].map(|name| records(&dir.path().join(name)));
    let mut melds = 0;
    for (solver, rules) in solver.iter().zip(&rules) {
        assert_eq!(solver["auction"], rules["auction"]);
        assert_eq!(solver["melds"], rules["melds"]);
        assert_eq!(solver["belote"], rules["belote"]);
        melds += solver["melds"].as_array().unwrap().len();
    }
    assert!(melds > 20, "{melds}");
}

#[test]
fn a_thrown_in_deal_needs_no_player() {
    let dir = tempfile::tempdir().unwrap();
    let words =
        "run random:pass=1 random:pass=1 --deals 5 --seed 1 --freeze play=solver --out r --records full";
    run(dir.path(), words).success();
    let text = stdout(&run(dir.path(), "verify r").success());
    assert!(text.contains("10 records, all agree"), "{text}");
    assert_eq!(run_json(&dir.path().join("r"))["figures"]["thrown_in"], 10);
}

/// The bytes of the files of a run, without the timing.
fn files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    ["summary.csv", "records.jsonl", "part.json", "config.toml"]
        .map(|name| (name.to_owned(), fs::read(directory.join(name)).unwrap()))
        .into_iter()
        .chain([("run.json".to_owned(), run_json(directory).to_string().into_bytes())])
        .collect()
}

#[test]
fn shards_threads_and_a_stop_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let regimes = ["auction=random:pass=0.6", "play=random", "play=solver"];
    for (n, freeze) in regimes.into_iter().enumerate() {
        let words = |deals: u64| {
            format!(
                "run rules random random:pass=0.9+rules --deals {deals} --seed 8 --records full --freeze {freeze}"
            )
        };
        let whole = format!("whole{n}");
        run(dir.path(), &format!("{} --out {whole} --threads 1", words(40))).success();
        let expected = files(&dir.path().join(&whole));
        assert_eq!(run_json(&dir.path().join(&whole))["freeze"], *freeze);
        let mut shards = Vec::new();
        for shard in 1..=3 {
            let name = format!("{n}-{shard}");
            run(dir.path(), &format!("{} --shard {shard}/3 --threads {shard} --out {name}", words(40)))
                .success();
            shards.push(name);
        }
        run(dir.path(), &format!("merge {} --out merged{n}", shards.join(" "))).success();
        assert!(files(&dir.path().join(format!("merged{n}"))) == expected, "{freeze} in shards");
        run(dir.path(), &format!("{} --out longer{n} --threads 2", words(13))).success();
        run(dir.path(), &format!("{} --out longer{n} --threads 8", words(40))).success();
        assert!(files(&dir.path().join(format!("longer{n}"))) == expected, "{freeze} in two goes");
        run(dir.path(), &format!("run --config {whole}/config.toml --out again{n}")).success();
        assert!(files(&dir.path().join(format!("again{n}"))) == expected, "{freeze} from its file");
        run(dir.path(), &format!("verify again{n}")).success();
    }
    // Another regime is another run, and so are shards of it.
    for (freeze, there) in [("--freeze play", "play=rules now"), ("", "not set now")] {
        let words = format!(
            "run rules random random:pass=0.9+rules --deals 40 --seed 8 --records full {freeze} --out whole0"
        );
        fails(
            run(dir.path(), &words),
            2,
            &["other settings", "freeze: auction=random:pass=0.6 there", there],
        );
    }
    fails(run(dir.path(), "merge 0-1 1-2 2-3 --out mixed"), 1, &["a different run", "freeze"]);
}

#[test]
fn wrong_regimes_are_refused_with_what_is_legal() {
    let dir = tempfile::tempdir().unwrap();
    for (flags, parts) in [
        ("--freeze cards", ["expected none, auction[=BIDDER] or play[=PLAYER|solver]", "cards"]),
        ("--freeze auction=solver", ["there is no bot `solver`", "play=solver"]),
        ("--freeze play=rules:caution", ["not a parameter", "play[=PLAYER|solver]"]),
        ("--freeze auction --match", ["cannot be frozen in matches", "leave out --match"]),
        ("--against rules", ["--format crossplay", "against"]),
    ] {
        fails(run(dir.path(), &format!("run rules random --deals 5 {flags}")), 2, &parts);
    }
}

#[test]
fn a_report_says_the_regime_and_replays_its_deals() {
    let dir = tempfile::tempdir().unwrap();
    for (n, (freeze, words)) in [
        ("auction=random:pass=0.6", "all calls by random:pass=0.6"),
        ("play=solver", "all cards by the exact solver"),
    ]
    .into_iter()
    .enumerate()
    {
        run(dir.path(), &format!("run rules random --deals 60 --seed 2 --freeze {freeze} --out r{n}"))
            .success();
        run(dir.path(), &format!("report r{n} --out page{n}.html --markdown page{n}.md")).success();
        let page = fs::read_to_string(dir.path().join(format!("page{n}.md"))).unwrap();
        assert!(page.contains(words), "{page}");
        assert!(page.contains("replayed from the seed, with the same scores"), "{page}");
        assert!(!page.contains("cannot be shown"), "{page}");
        assert!(page.contains(&format!("--freeze {freeze}")), "{page}");
    }
}

#[cfg(unix)]
#[test]
fn programs_bid_for_all_play_for_all_and_are_compared() {
    let dir = tempfile::tempdir().unwrap();
    let program = assert_cmd::cargo::cargo_bin("arena");
    let engine = |bot: &str| format!("cmd:'{}' engine {bot}", program.display());
    let play = |bots: [&str; 2], freeze: &str, out: &str| {
        let flags = [
            "--deals",
            "12",
            "--seed",
            "3",
            "--rules",
            "coinchee",
            "--records",
            "full",
            "--progress",
            "none",
        ];
        let mut command = crate::common::arena(dir.path());
        command.arg("run").args(bots).args(["--freeze", freeze, "--out", out]).args(flags).assert().success();
        nameless(&dir.path().join(out))
    };
    let bid = "random:pass=0.6";
    for (n, (inside, outside)) in [
        (format!("auction={bid}"), format!("auction={}", engine(bid))),
        ("play=random".to_owned(), format!("play={}", engine("random"))),
    ]
    .into_iter()
    .enumerate()
    {
        let expected = play(["rules", "random"], &inside, &format!("in{n}"));
        assert_eq!(play(["rules", "random"], &outside, &format!("out{n}")), expected);
        assert_eq!(play([&engine("rules"), "random"], &inside, &format!("half{n}")), expected);
        assert_eq!(play([&engine("rules"), "random"], &outside, &format!("both{n}")), expected);
    }
    let expected = play(["rules", bid], "play=solver", "solver");
    assert_eq!(play(["rules", &engine(bid)], "play=solver", "solver-out"), expected);
    // A program without a part in it is not even started.
    let expected = play(["rules", "random"], "auction", "given");
    assert_eq!(play(["rules", "cmd:/no/such/program+random"], "auction", "unused"), expected);
}

#[test]
fn both_sides_take_their_tricks_from_one_line() {
    // By hand: the line of the solver, card by card, in the deal of the run.
    let dir = tempfile::tempdir().unwrap();
    run(dir.path(), "run rules rules --deals 8 --seed 9 --freeze play=solver --records full --out r")
        .success();
    let rules = RuleSet::BGA;
    let mut solver = Solver::new();
    solver.set_prizes(coinche_engine::ByTeam([1; 2]));
    for pair in records(&dir.path().join("r")).chunks(2) {
        // The same bots in both seatings: the same deal twice.
        assert_eq!(pair[0]["tricks"], pair[1]["tricks"]);
        let index = pair[0]["deal"].as_u64().unwrap();
        let dealer = Seat::from_index(usize::try_from(index % 4).unwrap());
        let deal = Deal::new(&rules.deal, Deck::shuffled(9, index), dealer);
        let mut state = DealState::new(&rules, &deal);
        for call in pair[0]["auction"].as_array().unwrap() {
            state.call(call[1].as_str().unwrap().parse().unwrap()).unwrap();
        }
        let Some(begin) = state.play_state().copied() else { continue };
        let mut cards = Vec::new();
        solver.line(&rules, &begin, |_, card| cards.push(card.to_string()));
        let played: Vec<_> = pair[0]["tricks"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|trick| trick["cards"].as_array().unwrap())
            .collect();
        assert_eq!(
            cards.iter().collect::<Vec<_>>(),
            played.iter().map(|card| card.as_str().unwrap()).collect::<Vec<_>>()
        );
        assert_eq!(begin.to_play().team(), Team::ALL[(dealer.index() + 1) % 2]);
    }
}
