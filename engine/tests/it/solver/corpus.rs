//! The corpus of solved positions that others can check their solvers against.
//!
//! `COINCHE_BLESS=1 cargo test --release -p coinche-engine --test it solver::corpus` writes it again.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use coinche_engine::rules::Undertrump;
use coinche_engine::solver::{Position, Solver, points_to_come};
use coinche_engine::{ByTeam, Deal, Deck, Key, PlayState, RuleSet, Seat, Strain, Team, random_card};

use super::plain::{self, AlphaBeta};
use crate::common::long;

const HEAD: &str = "version,rules,undertrump,position,points,cards";
/// The version of the form.
const VERSION: u32 = 1;
/// Whole deals, then positions inside the play.
const DEALS: u64 = 8000;
const INSIDE: u64 = 2400;
const SEED: u64 = 2026;

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/solver-corpus/positions.csv")
}

/// The rules of a line: a preset, and the rule on undertrumping.
fn rules(preset: &str, undertrump: &str) -> RuleSet {
    let undertrump = if undertrump == "free" { Undertrump::Free } else { Undertrump::Forced };
    RuleSet::preset(preset).unwrap().with(|options| options.play.undertrump = undertrump).unwrap()
}

/// Points of the leader's side, and of each card in the order of print.
fn answer(solver: &mut Solver, rules: &RuleSet, state: &PlayState) -> (i32, String) {
    let own = state.to_play().team() == state.leader().team();
    let all = i32::from(points_to_come(rules, state));
    let turned = |value| if own { value } else { all - value };
    let mut cards = Vec::new();
    solver.values(rules, state, |card, value| cards.push((card, turned(value))));
    cards.sort_by_key(|(card, _)| (card.suit().index(), card.rank().natural_index()));
    let cards: Vec<_> = cards.iter().map(|(card, points)| format!("{card}={points}")).collect();
    (turned(solver.value(rules, state)), cards.join(" "))
}

fn generate() -> String {
    let mut text = format!("{HEAD}\n");
    let mut solver = Solver::new();
    for index in 0..DEALS + INSIDE {
        let small = usize::try_from(index).unwrap();
        let preset = ["bga", "bga-ja"][small / 24 % 2];
        let undertrump = ["forced", "free"][small / 48 % 2];
        let rules = rules(preset, undertrump);
        let deal = Deal::new(&rules.deal, Deck::shuffled(SEED, index), Seat::S3);
        let leader = Seat::from_index(small / 6 % 4);
        let mut state = PlayState::new(&rules.play, Strain::ALL[small % 6], *deal.hands(), leader);
        let key = Key::decisions(SEED, index, leader);
        let plays = if index < DEALS { 0 } else { 1 + index * 7 % 27 };
        for n in 0..plays {
            state.play_unchecked(random_card(state.legal_plays(), key.and(n)).unwrap());
        }
        let position = Position::of(&state).unwrap();
        let (points, cards) = answer(&mut solver, &rules, &state);
        let cards = if plays == 0 { "" } else { &cards };
        writeln!(text, "{VERSION},{preset},{undertrump},{position},{points},{cards}").unwrap();
    }
    text
}

/// Whether all of it is solved again.
fn thorough() -> bool {
    std::env::var_os("COINCHE_ENDINGS").is_some() || long()
}

/// The points of the leader's side by a simple search.
fn simply(rules: &RuleSet, state: &PlayState) -> i32 {
    let even = AlphaBeta::default().value(rules, state);
    if state.leader().team() == Team::Even { even } else { plain::rest(rules, state) - even }
}

#[test]
fn corpus_is_solved_as_before() {
    if std::env::var_os("COINCHE_BLESS").is_some() {
        fs::write(path(), generate()).unwrap();
    }
    let text = fs::read_to_string(path()).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(HEAD));
    let thorough = thorough();
    let mut solver = Solver::new();
    let (mut number, mut searched) = (0, 0);
    for (n, line) in lines.enumerate() {
        number += 1;
        let [version, preset, undertrump, position, points, cards] =
            line.split(',').collect::<Vec<_>>().try_into().unwrap();
        assert_eq!(version, VERSION.to_string());
        if !thorough && n % 13 != 0 {
            continue;
        }
        let rules = rules(preset, undertrump);
        let position: Position = position.parse().unwrap();
        let state = position.to_state(&rules.play).unwrap();
        let (value, values) = answer(&mut solver, &rules, &state);
        assert_eq!(value.to_string(), points, "line {}: {line}", n + 2);
        assert!(cards.is_empty() || values == cards, "line {}: {line}: {values}", n + 2);
        if state.hand(state.to_play()).len() <= 6 {
            assert_eq!(value, simply(&rules, &state), "line {}: {line}", n + 2);
            searched += 1;
        }
    }
    assert_eq!(number, DEALS + INSIDE);
    assert!(searched > 100, "{searched}");
    assert!(text.len() < 1_500_000, "{}", text.len());
}

#[test]
fn whole_deals_of_the_corpus_are_as_a_simple_search_finds_them() {
    let text = fs::read_to_string(path()).unwrap();
    let number = if thorough() { 480 } else { 6 };
    for line in text.lines().skip(1).take(number) {
        let fields: Vec<_> = line.split(',').collect();
        let rules = rules(fields[1], fields[2]);
        let state = fields[3].parse::<Position>().unwrap().to_state(&rules.play).unwrap();
        assert_eq!(simply(&rules, &state).to_string(), fields[4], "{line}");
        // What a slam is worth does not come in.
        assert_eq!(state.card_points(&rules), ByTeam([0; 2]));
    }
}
