//! What seats know, as arrays, and states from the bytes that the arena sends.

use coinche_engine::encoding::Action;
use coinche_engine::{CardSet, DealState, Seat, Turn};
use numpy::{PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::errors::value_error;
use crate::rules::Rules;
use crate::sizes::{self, List};
use crate::solve::array;
use crate::state::State;

/// By state: the own hand; by seat what was played, is certainly held, and may be held; and who did what.
type Arrays = (
    Py<PyArray1<u32>>,
    Py<PyArray2<u32>>,
    Py<PyArray2<u32>>,
    Py<PyArray2<u32>>,
    Py<PyArray2<i16>>,
    Py<PyArray2<i16>>,
);

/// What the seat that must act knows in each state; see `coinche.seen`.
#[pyfunction]
#[pyo3(name = "_seen")]
pub(crate) fn seen(py: Python<'_>, states: List<PyRef<'_, State>>) -> PyResult<Arrays> {
    let states = states.0;
    sizes::check("states", states.len(), sizes::MOST, 400)?;
    let (mut hand, mut cards) = (Vec::new(), [const { Vec::new() }; 3]);
    let mut histories = Vec::with_capacity(states.len());
    for (index, state) in states.iter().enumerate() {
        let (Turn::Call(seat) | Turn::Play(seat)) = state.state.turn() else {
            return Err(value_error(format!("states[{index}]: the deal is over")));
        };
        let view = state.state.view(seat);
        hand.push(view.hand().bits());
        for other in Seat::ALL {
            let sets: [CardSet; 3] = [view.played_by(other), view.known(other), view.could_hold(other)];
            cards.iter_mut().zip(sets).for_each(|(column, set)| column.push(set.bits()));
        }
        let number = |(actor, action): (Seat, Action)| {
            (actor.index(), state.game.space.index(action).unwrap_or(usize::MAX))
        };
        histories.push(state.decisions(Some(seat)).into_iter().map(number).collect::<Vec<_>>());
    }
    let width = histories.iter().map(Vec::len).max().unwrap_or(0);
    let padded = |of: fn(&(usize, usize)) -> usize| {
        let row = move |row: &Vec<(usize, usize)>| {
            let numbers: Vec<i16> = row.iter().map(|it| i16::try_from(of(it)).unwrap_or(i16::MAX)).collect();
            numbers.into_iter().chain(std::iter::repeat(-1)).take(width)
        };
        array(py, (histories.len(), width), histories.iter().flat_map(row))
    };
    let n = states.len();
    let [played, certain, possible] = cards.map(|column| array(py, (n, 4), column));
    let hand = PyArray1::from_vec(py, hand).unbind();
    Ok((hand, played?, certain?, possible?, padded(|it| it.0)?, padded(|it| it.1)?))
}

/// States of what seats know, from what the arena sends: of each the number of its bytes, two bytes, and these.
#[pyfunction]
#[pyo3(name = "_views")]
pub(crate) fn views(rules: Rules, bytes: PyReadonlyArray1<'_, u8>) -> PyResult<Vec<State>> {
    let damaged = || value_error("these are not the bytes of views");
    let mut rest = bytes.as_slice().map_err(value_error)?;
    let mut views = Vec::new();
    while let Some((len, tail)) = rest.split_first_chunk::<2>() {
        let (bytes, tail) = tail.split_at_checked(u16::from_le_bytes(*len).into()).ok_or_else(damaged)?;
        rest = tail;
        let state = DealState::from_bytes(&rules.0.rules, bytes).map_err(value_error)?;
        let (Turn::Call(seat) | Turn::Play(seat)) = state.turn() else { return Err(damaged()) };
        views.push(State { known_by: Some(seat), ..State::of(&rules.0, state) });
    }
    Ok(views)
}
