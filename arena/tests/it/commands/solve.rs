//! `arena solve`: answers of every kind, and bad input.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{arena, fails, printed_json, run, stderr, stdout};
use assert_cmd::assert::Assert;
use coinche_engine::solver::{Position, Solver};
use coinche_engine::{Deal, Deck, PlayState, RuleSet, Seat, Strain, random_card};
use serde_json::Value;

/// Positions of all kinds as they are read.
fn positions(rules: &RuleSet, number: u64) -> Vec<PlayState> {
    (0..number)
        .map(|index| {
            let small = usize::try_from(index).unwrap();
            let deal = Deal::new(&rules.deal, Deck::shuffled(11, index), Seat::S0);
            let leader = Seat::from_index(small / 6 % 4);
            let mut state = PlayState::new(&rules.play, Strain::ALL[small % 6], *deal.hands(), leader);
            let key = coinche_engine::Key::decisions(11, index, leader);
            for n in 0..small * 5 % 31 {
                let card = random_card(state.legal_plays(), key.and(n as u64)).unwrap();
                state.play_unchecked(card);
            }
            state
        })
        .collect()
}

fn lines(states: &[PlayState]) -> String {
    states.iter().fold(String::new(), |mut text, state| {
        let _ = writeln!(text, "{}", Position::of(state).unwrap());
        text
    })
}

/// Answers by the engine, for the leader's side.
fn expected(rules: &RuleSet, state: &PlayState) -> (i32, Vec<String>) {
    let mut solver = Solver::new();
    let own = state.to_play().team() == state.leader().team();
    let all = i32::from(coinche_engine::solver::points_to_come(rules, state));
    let turn = |value| if own { value } else { all - value };
    let mut cards = Vec::new();
    solver.values(rules, state, |card, value| cards.push((card, turn(value))));
    let natural = state.legal_plays().natural();
    let cards = natural
        .map(|card| format!("{card}={}", cards.iter().find(|(other, _)| *other == card).unwrap().1))
        .collect();
    (turn(solver.value(rules, state)), cards)
}

fn solve(directory: &Path, words: &[&str]) -> Assert {
    arena(directory).arg("solve").args(words).assert()
}

#[test]
fn every_line_has_its_answer() {
    let dir = tempfile::tempdir().unwrap();
    let rules = RuleSet::BGA;
    let states = positions(&rules, 60);
    fs::write(dir.path().join("p.txt"), lines(&states)).unwrap();
    let of = |words: &[&str]| -> Vec<String> {
        let words = [&["p.txt"], words].concat();
        stdout(&solve(dir.path(), &words).success()).lines().map(str::to_owned).collect()
    };
    let (points, cards, line) = (of(&[]), of(&["--all"]), of(&["--line"]));
    assert_eq!((points.len(), cards.len(), line.len()), (60, 60, 60));
    let (yes, high) = (of(&["--target", "60"]), of(&["--target", "0"]));
    for (n, state) in states.iter().enumerate() {
        let (value, values) = expected(&rules, state);
        assert_eq!(points[n], value.to_string());
        assert_eq!(cards[n], values.join(" "));
        assert_eq!(yes[n], if value >= 60 { "yes" } else { "no" });
        assert_eq!(high[n], "yes");
        let mut end = *state;
        for card in line[n].split(' ') {
            (end, _) = end.play(card.parse().unwrap()).unwrap();
        }
        let team = state.leader().team();
        let won = end.card_points(&rules)[team] - state.card_points(&rules)[team];
        assert!(end.is_over() && i32::from(won) == value, "{n}: {}", line[n]);
    }
    // The same in JSON.
    for (n, text) in of(&["--all", "--json", "--threads", "1"]).iter().enumerate() {
        let json: Value = serde_json::from_str(text).unwrap();
        assert_eq!(json["line"], n + 1);
        assert_eq!(json["position"], Position::of(&states[n]).unwrap().to_string());
        let values: Vec<_> = json["cards"]
            .as_array()
            .unwrap()
            .iter()
            .map(|pair| format!("{}={}", pair[0].as_str().unwrap(), pair[1]))
            .collect();
        assert_eq!(values.join(" "), cards[n]);
    }
    let json: Value = serde_json::from_str(&of(&["--json"])[7]).unwrap();
    assert_eq!(json["points"].to_string(), points[7]);
    let json: Value = serde_json::from_str(&of(&["--json", "--target", "60"])[7]).unwrap();
    assert_eq!(json["reaches"], yes[7] == "yes");
    let json: Value = serde_json::from_str(&of(&["--json", "--line"])[7]).unwrap();
    assert_eq!(json["play"].as_array().unwrap().len(), line[7].split(' ').count());
}

#[test]
fn the_rules_are_those_that_were_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let free = RuleSet::BGA.with_settings(["play.undertrump=free"]).unwrap();
    let states = positions(&RuleSet::BGA, 60);
    fs::write(dir.path().join("p.txt"), lines(&states)).unwrap();
    let plain = stdout(&run(dir.path(), "solve p.txt --all").success());
    let mut differ = 0;
    let assert = solve(dir.path(), &["p.txt", "--all", "--set", "play.undertrump=free"]).success();
    let answers = stdout(&assert);
    for (n, (answer, state)) in answers.lines().zip(&states).enumerate() {
        let state = Position::of(state).unwrap().to_state(&free.play).unwrap();
        assert_eq!(answer, expected(&free, &state).1.join(" "), "{n}");
        differ += u32::from(plain.lines().nth(n) != Some(answer));
    }
    assert!(differ > 0);
    let japanese = stdout(&run(dir.path(), "solve p.txt --rules bga-ja").success());
    for (answer, state) in japanese.lines().zip(&states) {
        assert_eq!(answer, expected(&RuleSet::BGA_JA, state).0.to_string());
    }
}

#[test]
fn bad_lines_are_named_and_the_rest_is_answered() {
    let dir = tempfile::tempdir().unwrap();
    let text = "H 2 | 7C AS | QH 8C | 9H TS | 7S 8H\r\n\
                H 4 | 7C AS | QH 8C | 9H TS | 7S 8H\n\
                \n\
                H 2 | 7C | QH 8C | 9H TS | 7S 8H\n\
                H 2 | 7C QH | QH 8C | 9H TS | 7S 8H\n\
                H 2 TS 9D | 7C AS | JH 8C | 9H | 7H\n\
                h 2|7c as|qh 8c|9h 10s|7s 8h";
    let mut bytes = text.as_bytes().to_vec();
    bytes.extend_from_slice(b"\nH 2 \xff | 7C\n");
    bytes.extend(std::iter::repeat_n(b'7', 100_000));
    bytes.push(b'\n');
    fs::write(dir.path().join("p.txt"), bytes).unwrap();
    let assert = run(dir.path(), "solve p.txt");
    let (out, err) = (stdout(&assert), stderr(&assert));
    let out: Vec<_> = out.lines().collect();
    assert_eq!((out.len(), out[0], out[2], out[6]), (9, "48", "", "48"));
    for (line, what) in [
        (2, "leader: `4`"),
        (4, "cards of seat 0: 1, expected 2"),
        (5, "QH is in the hands of seats 0 and 1"),
        (6, "seat 3 may not play 9D"),
        (8, "not UTF-8"),
        (9, "4096 bytes"),
    ] {
        assert!(out[line - 1].starts_with("error: ") && out[line - 1].contains(what), "{}", out[line - 1]);
        assert!(err.contains(&format!("p.txt, line {line}: ")) && err.contains(what), "{err}");
    }
    assert_eq!(err.lines().count(), 6);
    fails(assert, 1, &[]);
    let json = stdout(&run(dir.path(), "solve p.txt --json").code(1));
    let third: Value = serde_json::from_str(json.lines().nth(1).unwrap()).unwrap();
    assert!(third["line"] == 2 && third["error"].as_str().unwrap().contains("leader"));
}

#[test]
fn usage_errors_name_what_is_legal() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("empty.txt"), "").unwrap();
    fs::write(dir.path().join("blank.txt"), "\n  \n").unwrap();
    fs::write(dir.path().join("short.txt"), "H 2 | 7C AS | QH 8C | 9H TS | 7S 8H\n").unwrap();
    for (words, code, parts) in [
        ("solve", 2, &["stdin is empty"] as &[&str]),
        ("solve nowhere.txt", 2, &["nowhere.txt", "cannot read"]),
        ("solve .", 2, &["cannot read"]),
        ("solve empty.txt", 2, &["empty.txt is empty", "H 2 | JH 9H"]),
        ("solve blank.txt", 2, &["blank.txt is empty"]),
        ("solve short.txt --par", 1, &["line 1", "whole deals", "eight cards"]),
        ("solve short.txt --all --line", 2, &["cannot be used with"]),
        ("solve short.txt --target many", 2, &["--target", "many"]),
        ("solve short.txt --threads 0", 2, &["threads", "1 to 1024"]),
        ("solve short.txt --rules poker", 2, &["`poker`", "contree"]),
        ("solve short.txt --set play.undertrump=never", 2, &["play.undertrump", "forced"]),
    ] {
        fails(run(dir.path(), words), code, parts);
    }
    for (position, what) in [
        ("H 2 | JH 9H | AS TS | 7C 8C | KD", "cards of seat 3: 1, expected 2"),
        ("H 2 9C KD | JH 9H | 8H TS | 7C | 7H", "seat 3 may not play KD"),
        ("|", "STRAIN LEADER"),
    ] {
        for words in [&[position] as &[&str], &[position, "--all"]] {
            fails(solve(dir.path(), words), 2, &["error: the position", what]);
        }
    }
}

#[test]
fn one_position_is_drawn_for_people() {
    let dir = tempfile::tempdir().unwrap();
    let text = stdout(&solve(dir.path(), &["H 2 TS | 7C AS | QH 8C | 9H | 7S 8H"]).success());
    for part in ["♥ are trump", "seat 2 has led, seat 3 is to play", "must undertrump", "7S", "best", "Capot"]
    {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
    assert!(text.contains("Capot: seats 0 and 2 cannot") && text.contains("3: 7S"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100));
    // With a question there is one line.
    let of = |words: &[&str]| {
        let position = "H 2 | 7C AS | QH 8C | 9H TS | 7S 8H";
        stdout(&solve(dir.path(), &[&[position], words].concat()).success())
    };
    assert_eq!(of(&["--all"]), "9H=48 TS=24\n");
    assert_eq!(of(&["--target", "48"]), "yes\n");
    assert_eq!(of(&["--target", "49"]), "no\n");
    assert!(of(&["--json"]).contains("\"points\":48"));
    let slam = stdout(&solve(dir.path(), &["TA 0 | JH JS | 7H 7S | 8H 8S | 9H 9S"]).success());
    assert!(slam.contains("seats 0 and 2 can take") && slam.contains("seats 1 and 3 cannot"), "{slam}");
}

#[test]
fn par_has_every_strain_and_the_best_contracts() {
    let dir = tempfile::tempdir().unwrap();
    let deal = "C 0 | 8C JC QC 9D TD 8H 9S JS | 7C AC 8D QD 7H TH KH KS | KC JD KD AD JH QH AH QS | \
                9C TC 7D 9H 7S 8S TS AS";
    let text = stdout(&solve(dir.path(), &[deal, "--par"]).success());
    assert_eq!(
        text,
        "C=98,93,98,93 D=115,97,115,97 H=95,87,95,87 S=90,81,90,80 SA=64,61,64,61 TA=162,162,162,162 \
         | CAPOTTA 412 0 | 90SA 64 188\n"
    );
    let json: Value = printed_json(&solve(dir.path(), &[deal, "--par", "--json"]).success());
    assert_eq!(json["strains"][1]["points"], serde_json::json!([115, 97, 115, 97]));
    assert_eq!(json["best"][1]["bid"], "90SA");
}

#[test]
fn answers_do_not_depend_on_threads_and_their_cost_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let text = lines(&positions(&RuleSet::BGA, 40)).repeat(40);
    fs::write(dir.path().join("p.txt"), text).unwrap();
    let one = stdout(&run(dir.path(), "solve p.txt --threads 1").success());
    for threads in [2, 8] {
        let assert = run(dir.path(), &format!("solve p.txt --threads {threads} --times")).success();
        assert_eq!(stdout(&assert), one);
        let time = stderr(&assert);
        for part in ["1,600 positions", "mean", "median", "p95", "thread CPU time", "nodes"] {
            assert!(time.contains(part), "{time}");
        }
    }
    assert_eq!(one.lines().count(), 1600);
    // A single position is told as well.
    let assert = solve(dir.path(), &["H 2 | 7C AS | QH 8C | 9H TS | 7S 8H", "--times"]).success();
    assert_eq!(stdout(&assert), "48\n");
    assert!(stderr(&assert).starts_with("1 position: mean"), "{}", stderr(&assert));
}

#[test]
fn whoever_writes_a_position_and_waits_is_answered() {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("arena"))
        .args(["solve", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(input, "H 2 | 7C AS | QH 8C | 9H TS | 7S 8H").unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert_eq!(answer, "48\n");
    }
    // Nobody reads any more: no error.
    drop(output);
    writeln!(input, "H 2 | 7C AS | QH 8C | 9H TS | 7S 8H").unwrap();
    // A child of another test may have held the pipe for a moment: then the end of the input comes first.
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
