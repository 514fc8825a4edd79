//! The exact solver on arrays.

use coinche_bots::search::Payoff;
use coinche_engine::solver::DealPoints;
use coinche_engine::solver::Solver;
use coinche_engine::{BySeat, CardSet, PlayState, Seat, Strain, Turn};
use numpy::ndarray::{Array, Dimension, StrideShape};
use numpy::{Element, IntoPyArray, PyArray, PyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors::{guarded, value_error};
use crate::label::{NONE, row};
use crate::rules::{Game, RulesLike};
use crate::sizes::{self, Count, HandRows, List, either};
use crate::state::{State, seat_of};
use crate::threads::in_parts;

/// Runs a function on each item, each thread with a solver of its own, in order and without the interpreter's lock.
pub(crate) fn with_solvers<T: Sync, R: Send>(
    py: Python<'_>,
    items: &[T],
    threads: Count,
    each: impl Fn(&mut Solver, &T) -> R + Sync,
) -> PyResult<Vec<R>> {
    let solved = |items: &[T]| {
        let mut solver = Solver::new();
        items.iter().map(|item| each(&mut solver, item)).collect()
    };
    guarded("the solver", || py.detach(|| in_parts(items, (threads, 16), solved)))?
}

/// Who leads the first trick: one seat in all deals, or one for each.
pub(crate) enum LeaderLike {
    One(Count),
    Each(List<Count>),
}

either!(LeaderLike, "a seat or a list of seats": One, Each);

impl LeaderLike {
    /// Returns the leader of each of so many deals.
    pub(crate) fn of(self, deals: usize) -> PyResult<Vec<Seat>> {
        match self {
            Self::One(seat) => Ok(vec![seat_of("leader", seat)?; deals]),
            Self::Each(List(seats)) if seats.len() == deals => seats
                .into_iter()
                .enumerate()
                .map(|(row, seat)| seat_of(&format!("leader[{row}]"), seat))
                .collect(),
            Self::Each(List(seats)) => {
                Err(value_error(format!("leader: {} seats, expected one or {deals}", seats.len())))
            }
        }
    }
}

/// Reads rows of four hands of eight cards, for which so many bytes a row will be used.
pub(crate) fn deals_of(game: &Game, hands: &HandRows<'_>, bytes: usize) -> PyResult<Vec<BySeat<CardSet>>> {
    sizes::check("hands", hands.0.shape()[0], sizes::MOST, bytes)?;
    if hands.0.shape()[1] != 4 {
        return Err(value_error(format!("hands: {} columns, expected 4", hands.0.shape()[1])));
    }
    let mut deals = Vec::with_capacity(hands.0.shape()[0]);
    for (row, sets) in hands.0.as_array().outer_iter().enumerate() {
        let hands = BySeat::from_fn(|seat: Seat| CardSet::from_bits(sets[seat.index()]));
        if let Some((_, hand)) = hands.iter().find(|(_, hand)| hand.len() != 8) {
            return Err(value_error(format!("hands[{row}]: a hand of {} cards, expected 8", hand.len())));
        }
        PlayState::try_new(&game.rules.play, Strain::Clubs, hands, Seat::S0)
            .map_err(|error| value_error(format!("hands[{row}]: {error}")))?;
        deals.push(hands);
    }
    Ok(deals)
}

/// Reads the names of strains; all of them where none are given.
pub(crate) fn strains_of(names: Option<List<String>>) -> PyResult<Vec<Strain>> {
    match names {
        None => Ok(Strain::ALL.to_vec()),
        Some(List(names)) => names.iter().map(|name| name.parse().map_err(value_error)).collect(),
    }
}

/// Card points that seats 0 and 2 take double dummy, last trick included: `int16`, a row for each deal, six columns for the
/// strains C D H S SA TA; -1 where a strain was left out. Seats 1 and 3 have 162 less these.
///
/// `hands` is a `uint32` array of four sets of eight cards a row (bit 8 × suit + rank); `leader` leads the first trick: a seat, or
/// one for each deal. Raises ValueError with the row that is no deal.
#[pyfunction]
#[pyo3(signature = (hands, rules = RulesLike::Name("bga".to_owned()), *, leader = LeaderLike::One(Count(0)), strains = None,
                    threads = Count(1)),
       text_signature = "(hands, rules='bga', *, leader=0, strains=None, threads=1)")]
pub(crate) fn solve(
    py: Python<'_>,
    hands: HandRows<'_>,
    rules: RulesLike,
    leader: LeaderLike,
    strains: Option<List<String>>,
    threads: Count,
) -> PyResult<Py<PyArray2<i16>>> {
    let (game, strains) = (rules.game()?, strains_of(strains)?);
    let deals = deals_of(&game, &hands, 200)?;
    let deals: Vec<_> = deals.iter().zip(leader.of(deals.len())?).collect();
    let solved = with_solvers(py, &deals, threads, |solver, (hands, leader)| {
        let points = DealPoints::solve(solver, &game.rules, **hands, &strains, &[*leader]);
        row(&points, *leader).0
    })?;
    array(py, (solved.len(), 6), solved.into_iter().flatten())
}

/// Exact values of all legal cards with open cards: the card points that the side to play takes from here on, last trick
/// included, after each card and best play of all; with `score` the score of the deal, own less other. `int16`, with `score` `int32`,
/// a row of 32 cards for each state, -1 where a card is not legal, with `score` -32768.
///
/// Raises ValueError with the state in which no card is to be played.
#[pyfunction]
#[pyo3(signature = (states, threads = Count(1), *, score = false))]
pub(crate) fn values(
    py: Python<'_>,
    states: List<PyRef<'_, State>>,
    threads: Count,
    score: bool,
) -> PyResult<Py<PyAny>> {
    let states = states.0;
    sizes::check("states", states.len(), sizes::MOST, 300)?;
    let mut plays = Vec::with_capacity(states.len());
    for (index, state) in states.iter().enumerate() {
        state.open(|| format!("states[{index}]"))?;
        match (state.state.turn(), state.state.play_state()) {
            (Turn::Play(_), Some(play)) => {
                plays.push((
                    state.game.clone(),
                    *play,
                    if score { Payoff::of_state(&state.state) } else { None },
                ));
            }
            _ => return Err(value_error(format!("states[{index}]: no card is to be played"))),
        }
    }
    if score {
        let solved = with_solvers(py, &plays, threads, |solver, (game, play, payoff)| {
            let mut row = [NONE; 32];
            if let Some(payoff) = payoff {
                payoff
                    .solve(solver, &game.rules, play, CardSet::FULL, |card, score| row[card.index()] = score);
            }
            row
        })?;
        return Ok(array(py, (solved.len(), 32), solved.into_iter().flatten())?.into_any());
    }
    let solved = with_solvers(py, &plays, threads, |solver, (game, play, _)| {
        let mut row = [-1i16; 32];
        solver.values(&game.rules, play, |card, value| {
            row[card.index()] = i16::try_from(value).unwrap_or(i16::MAX);
        });
        row
    })?;
    Ok(array(py, (solved.len(), 32), solved.into_iter().flatten())?.into_any())
}

/// Values as an array of a shape.
pub(crate) fn array<T: Element, D: Dimension>(
    py: Python<'_>,
    shape: impl Into<StrideShape<D>>,
    values: impl IntoIterator<Item = T>,
) -> PyResult<Py<PyArray<T, D>>> {
    let array = Array::from_shape_vec(shape, values.into_iter().collect()).map_err(value_error)?;
    Ok(array.into_pyarray(py).unbind())
}
