//! Rows against the deals that they are of, and as files.

use core::convert::Infallible;
use core::slice;

use bytes::Bytes;
use coinche_bots::Registry;
use coinche_bots::net::cards::{CardTarget, INPUTS, NUMBERS, OUTPUTS};
use coinche_bots::net::{Gradient, Target};
use coinche_engine::{Key, RuleSet, Secrets, Seed};
use coinche_selfplay::base::threads;

use super::deals::Players;
use super::parquet::{self, ReadError};
use super::rows::{CardRows, Choice, HAND, NO_CARD, NOT_SOLVED};
use super::{PACE, POPULATION, Policy, Trials};
use crate::train::RULES;
use crate::train::descent::{self, Pace, Rows, losses};

fn rows(deals: u64, held_out: f64) -> CardRows {
    let registry = Registry::builtin();
    let population: Vec<_> = POPULATION.iter().map(|name| registry.parse_bidder(name).unwrap()).collect();
    let trials = Trials { policy: Policy::Rules, solved_from: 3 };
    let mut players = Players::new(&population, None, trials, held_out);
    let mut rows = CardRows::default();
    for index in 0..deals {
        let rules = &RULES[usize::try_from(index).unwrap() % RULES.len()];
        players.rows(rules, Secrets::from(&Seed::from(3)), index, &mut rows);
    }
    rows
}

#[test]
fn what_is_written_is_read_again() {
    let whole = rows(40, 0.3);
    assert!(whole.choices.len() > 400);
    let file = parquet::write(slice::from_ref(&whole), "{}").unwrap();
    assert_eq!(parquet::read(Bytes::from(file)).unwrap(), whole);
    let none = parquet::write(&[], "{}").unwrap();
    assert_eq!(parquet::read(Bytes::from(none)).unwrap(), CardRows::default());
}

#[test]
fn whole_deals_are_held_out_always_the_same() {
    let (whole, more) = (rows(60, 0.3), rows(60, 0.6));
    let of = |rows: &CardRows| {
        let mut deals: Vec<_> = rows.choices.iter().map(|choice| (choice.deal, choice.held_out)).collect();
        deals.dedup();
        deals
    };
    // As many deals as without their marks: no deal is in both parts.
    let mut deals: Vec<u64> = of(&whole).iter().map(|(deal, _)| *deal).collect();
    let all = deals.len();
    deals.dedup();
    assert_eq!(deals.len(), all);
    let held_out = of(&whole).iter().filter(|(_, held_out)| *held_out).count();
    assert!((8..30).contains(&held_out), "{held_out} of {all}");
    for ((deal, fewer), (other, more)) in of(&whole).into_iter().zip(of(&more)) {
        assert!(deal == other && (more || !fewer));
    }
    let choices = |rows: &CardRows| rows.choices.len();
    let (length, learnt) = (choices(&whole), whole.choices.iter().filter(|choice| !choice.held_out).count());
    let parts = whole.split();
    assert!(parts[0].choices.iter().all(|choice| !choice.held_out));
    assert_eq!([choices(&parts[0]), choices(&parts[1])], [learnt, length - learnt]);
}

/// A row says what it is of: the presets in turn, seats, tricks, legal cards, some chosen by chance.
#[test]
fn rows_are_choices() {
    let rows = rows(120, 0.0);
    let [mut stray, mut twins] = [0, 0];
    for (row, choice) in rows.choices.iter().enumerate() {
        let (name, rules) = RuleSet::PRESETS[usize::from(choice.rules)];
        assert_eq!(rules, RULES[usize::try_from(choice.deal).unwrap() % RULES.len()], "{name}");
        assert!(choice.trick < 7 && choice.seat < 4 && choice.count() >= 2);
        assert!(choice.solved.iter().all(|score| (*score == NOT_SOLVED) == (choice.trick < 3)));
        // The hand is the first of the inputs, and the cards are of it.
        let hand: Vec<u16> = rows.ones(row).iter().copied().filter(|one| *one < 32).collect();
        assert_eq!(hand.len(), 8 - usize::from(choice.trick));
        let count = choice.count();
        assert!(choice.cards[..count].iter().all(|card| hand.contains(&u16::from(*card))));
        stray += usize::from(choice.stray);
        twins += usize::from(choice.same.count_ones() > 1);
    }
    assert!(stray > 20 && twins > 50, "{stray} {twins}");
}

#[test]
fn targets_are_scores_less_their_mean() {
    let choice = Choice {
        deal: 0,
        rules: 0,
        seat: 0,
        trick: 5,
        cards: [4, 9, 30, NO_CARD, NO_CARD, NO_CARD, NO_CARD, NO_CARD],
        solved: [160, -160, 0, 7, 7, 7, 7, 7],
        played_out: [100, 100, 250, 0, 0, 0, 0, 0],
        played: 9,
        same: 0b010,
        stray: false,
        held_out: false,
    };
    let mut rows = CardRows::default();
    rows.push(&[1, 2], [0.5; NUMBERS], choice);
    rows.push(&[3], [0.0; NUMBERS], Choice { stray: true, ..choice });
    let expected = CardTarget {
        count: 3,
        cards: choice.cards,
        solved: [1.6, -1.6, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        is_solved: true,
        played_out: [-0.5, -0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        chosen: 0b010,
    };
    let (inputs, target) = rows.get(0);
    let numbers = (INPUTS - NUMBERS..INPUTS).map(|at| (at, 0.5));
    assert!(inputs.eq([(1, 1.0), (2, 1.0)].into_iter().chain(numbers)));
    assert_eq!(target, expected);
    let (_, target) = rows.get(1);
    assert_eq!(target, CardTarget { chosen: 0, ..expected });
    rows.push(&[3], [0.0; NUMBERS], Choice { solved: [NOT_SOLVED; HAND], ..choice });
    let (_, target) = rows.get(2);
    assert_eq!(target, CardTarget { solved: [0.0; HAND], is_solved: false, ..expected });
    // Nothing is learnt of what was not solved, and all of the rest.
    let (whole, part) = (expected.off(&[0.3; OUTPUTS]), target.off(&[0.3; OUTPUTS]));
    assert!(whole.0[..32].iter().any(|off| *off != 0.0) && part.0[..32].iter().all(|off| *off == 0.0));
    assert_eq!((&whole.0[32..], whole.1.0[1], (0.0, 0.0)), (&part.0[32..], part.1.0[1], part.1.0[0]));
    // What chance played is no example of what is played.
    let (_, target) = rows.get(1);
    assert_eq!(target.off(&[0.0; OUTPUTS]).1.0[2], (0.0, 0.0));
}

/// What is done to rows.
type Change = fn(&mut CardRows);

#[test]
fn rows_that_cannot_be_are_named() {
    let whole = rows(3, 0.0);
    let changes: [(&str, Change); 11] = [
        ("rules", |rows| rows.choices[4].rules = 200),
        ("seat", |rows| rows.choices[4].seat = 4),
        ("trick", |rows| rows.choices[4].trick = 8),
        ("cards", |rows| rows.choices[4].cards[1] = rows.choices[4].cards[0]),
        ("cards", |rows| rows.choices[4].cards = [NO_CARD; HAND]),
        ("cards", |rows| rows.choices[4].cards[0] = 32),
        ("solved", |rows| rows.choices[4].solved[1] = if rows.choices[4].trick < 3 { 0 } else { NOT_SOLVED }),
        ("played", |rows| rows.choices[4].played = 32),
        ("same", |rows| rows.choices[4].same = 0),
        ("numbers", |rows| rows.numbers[4][2] = f32::NAN),
        ("ones", |rows| {
            let at = rows.ends[3] as usize;
            rows.ones[at] = u16::try_from(INPUTS - NUMBERS).unwrap();
        }),
    ];
    for (column, change) in changes {
        let mut rows = CardRows::default();
        for (row, choice) in whole.choices.iter().enumerate() {
            rows.push(whole.ones(row), whole.numbers[row], *choice);
        }
        change(&mut rows);
        let error = parquet::read(Bytes::from(parquet::write(&[rows], "{}").unwrap())).unwrap_err();
        assert_eq!(error.to_string(), format!("row 5: `{column}` has a value that it cannot have"));
    }
    let mut file = parquet::write(slice::from_ref(&whole), "{}").unwrap();
    file.truncate(file.len() - 9);
    assert!(matches!(parquet::read(Bytes::from(file)), Err(ReadError::File(_))));
}

#[test]
fn losses_are_those_that_a_gradient_sums() {
    let rows = rows(40, 0.0);
    let layers = super::random(Secrets::from(&Seed::from(4)));
    let mut gradient = Gradient::default();
    for row in 0..rows.choices.len() {
        let (input, target) = rows.get(row);
        gradient.add_row(&layers, input, &target);
    }
    let rows = [rows, CardRows::default()];
    let losses = [1, 3].map(|threads| losses(&layers, &rows, &threads::pool(threads).unwrap()));
    assert_eq!(losses[0], losses[1]);
    for ((sum, count), (literal, counted)) in losses[0].0.into_iter().zip(gradient.loss.0) {
        assert!((sum - literal).abs() < 1e-6 * literal && literal > 0.0, "{sum} {literal}");
        assert_eq!(count.to_bits(), counted.to_bits());
    }
}

#[test]
fn passes_are_told_one_by_one_and_change_nothing() {
    let rows = [rows(30, 0.0)];
    let pool = threads::pool(1).unwrap();
    let begin = super::random(Secrets::from(&Seed::from(5)));
    let pace = Pace { times: 3, batch: 64, part: 32, ..PACE };
    let (mut told, mut quiet) = (begin.clone(), begin);
    let mut seen = Vec::new();
    let learnt: Result<_, Infallible> =
        descent::passes(&mut told, &rows, pace, Key::from_bits(1), &pool, |pass, loss, layers| {
            seen.push((pass, loss.0[0].1, layers.clone()));
            Ok(())
        });
    let Ok((positions, loss)) = learnt;
    assert_eq!(descent::fit(&mut quiet, &rows, pace, Key::from_bits(1), &pool), (positions, loss));
    assert!(told == quiet && seen[2].2 == quiet && seen[1].2 != quiet);
    assert!(seen.iter().map(|(pass, ..)| *pass).eq(1..=3));
    assert!((seen.iter().map(|(_, count, _)| count).sum::<f64>() - loss.0[0].1).abs() < 0.5);
    // What `after` refuses ends it.
    let refused = descent::passes(&mut told, &rows, pace, Key::from_bits(1), &pool, |pass, _, _| Err(pass));
    assert_eq!(refused.unwrap_err(), 1);
}
