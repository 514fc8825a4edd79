//! Deals that fit what a seat knows, as arrays, weighed by what the others did.

use coinche_bots::search::opponent_model;
use coinche_bots::worlds::{OpponentModel, Weigher, Worlds, retell, stand_in};
use coinche_bots::{Choice, Registry};
use coinche_engine::encoding::Action;
use coinche_engine::rules::{DealMethod, PartnerTrump};
use coinche_engine::{BySeat, CardSet, Deal, DealState, Key, Purpose, Seat, View};
use numpy::{PyArray1, PyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::errors::{bot_error, guarded, value_error};
use crate::rules::Game;
use crate::sizes::{self, Count, HandRows};
use crate::solve::array;
use crate::state::{MOST_WORLDS, State};
use crate::vec_env::SeedLike;

/// How often a draw may disagree with announcements before no deal is taken to fit.
const PATIENCE: u32 = 1_000_000;

/// The model of the others that a search with these parameters has; none where nothing is read.
fn model(game: &Game, read: Option<&str>) -> PyResult<Option<OpponentModel>> {
    let Some(read) = read else { return Ok(None) };
    // Checked as the search `pimc` checks them.
    let bot = Registry::builtin().parse(&format!("rules+pimc:read={read}")).map_err(bot_error)?;
    bot.check_rules(&game.rules).map_err(bot_error)?;
    opponent_model(&format!("read={read}")).map_err(bot_error)
}

/// Tests if cards are still to be dealt, so that a world is more than the hands.
fn is_before_the_rest(view: &View<'_>) -> bool {
    view.rules().deal.method != DealMethod::Full && view.contract().is_none()
}

/// What each seat holds now, by world; their weights; and how many worlds there are, where that is known.
type Weighed = (Vec<BySeat<CardSet>>, Vec<f64>, Option<u64>);

/// Draws worlds, or lists them all, and weighs them.
fn weighed(
    view: &View<'_>,
    n: Option<usize>,
    key: Key,
    model: Option<OpponentModel>,
) -> Result<Weighed, &'static str> {
    const NONE_FITS: &str = "no deal fits what the seat knows";
    let worlds = Worlds::try_of(view).ok_or(NONE_FITS)?;
    let mut rng = key.rng();
    let mut model = model;
    if is_before_the_rest(view) {
        let (mut hands, mut weights) = (Vec::new(), Vec::new());
        for _ in 0..n.ok_or("n: there are too many deals to list them all: give a number")? {
            let deal = worlds.try_deal(&mut rng, PATIENCE).ok_or(NONE_FITS)?;
            hands.push(*deal.hands());
            weights.push(model.as_mut().map_or(1.0, |model| model.weight(view, &deal)));
        }
        return Ok((hands, weights, None));
    }
    let hands = match n {
        Some(n) => {
            let drawn = (0..n).map(|_| worlds.try_hands(&mut rng, PATIENCE));
            drawn.collect::<Option<Vec<_>>>().ok_or(NONE_FITS)?
        }
        None => {
            worlds.all(MOST_WORLDS).ok_or("n: there are too many deals to list them all: give a number")?
        }
    };
    let weights = match &mut model {
        None => vec![1.0; hands.len()],
        Some(model) => {
            let mut weigher = Weigher::new(&worlds, model);
            hands.iter().map(|hands| weigher.weight(&worlds, hands, 0.0, &mut rng)).collect()
        }
    };
    let melds = Seat::ALL.into_iter().any(|seat| view.announced_kinds(seat).next().is_some());
    let is_bound = melds || view.rules().play.partner_trump == PartnerTrump::Overtrump;
    let total = if n.is_none() { Some(hands.len() as u64) } else { (!is_bound).then(|| worlds.total()) };
    Ok((hands, weights, total))
}

/// Hands, weights, and how many deals fit, where that is known.
type WorldArrays = (Py<PyArray2<u32>>, Py<PyArray1<f64>>, Option<u64>);

/// See `coinche.worlds`.
#[pyfunction]
#[pyo3(name = "_worlds", signature = (state, n, seed, seat, read))]
pub(crate) fn worlds(
    py: Python<'_>,
    state: &State,
    n: Option<Count>,
    seed: SeedLike,
    seat: Option<Count>,
    read: Option<&str>,
) -> PyResult<WorldArrays> {
    let seat = state.undecided(seat)?;
    let n = n.map(|n| n.within("n", 0..=MOST_WORLDS)).transpose()?;
    sizes::check("n", n.unwrap_or(0), MOST_WORLDS, 64)?;
    let (key, model) = (seed.secrets()?.key(Purpose::Experiment, 0, 0), model(&state.game, read)?);
    let drawn = || py.detach(|| weighed(&state.state.view(seat), n, key, model));
    let (hands, weights, total) = guarded("the sampling", drawn)?.map_err(value_error)?;
    let sets = hands.iter().flat_map(|hands| hands.0.map(CardSet::bits));
    Ok((array(py, (hands.len(), 4), sets)?, PyArray1::from_vec(py, weights).unbind(), total))
}

/// Deals with rows of hands that each seat holds now.
fn deals(view: &View<'_>, hands: &HandRows<'_>) -> PyResult<Vec<Deal>> {
    sizes::check("hands", hands.0.shape()[0], MOST_WORLDS, 64)?;
    if hands.0.shape()[1] != 4 {
        return Err(value_error(format!("hands: {} columns, expected 4", hands.0.shape()[1])));
    }
    if is_before_the_rest(view) {
        return Err(value_error("hands: cards are still to be dealt, so that these are not the whole deal"));
    }
    let turned = view.turned().zip(view.contract().map(|contract| contract.declarer));
    let deal = |(row, sets): (usize, numpy::ndarray::ArrayView1<'_, u32>)| {
        let hands = BySeat::from_fn(|seat: Seat| CardSet::from_bits(sets[seat.index()]));
        let wrong = |why: String| value_error(format!("hands[{row}]: {why}"));
        if hands[view.seat()] != view.hand() {
            return Err(wrong(format!("not the cards of seat {}, which knows them", view.seat())));
        }
        if let Some((seat, hand)) = hands.iter().find(|(_, hand)| !(**hand & view.played()).is_empty()) {
            return Err(wrong(format!("seat {seat} holds {}, played before", *hand & view.played())));
        }
        let first = BySeat::from_fn(|seat| hands[seat] | view.played_by(seat));
        Deal::from_hands(&view.rules().deal, view.dealer(), first, turned)
            .map_err(|error| wrong(error.to_string()))
    };
    hands.0.as_array().outer_iter().enumerate().map(deal).collect()
}

/// States with these hands, at the moment of a state; see `coinche.Worlds.states`.
#[pyfunction]
#[pyo3(name = "_states_of")]
pub(crate) fn states_of(state: &State, hands: HandRows<'_>, seat: Option<Count>) -> PyResult<Vec<State>> {
    let view = state.state.view(state.undecided(seat)?);
    let told = |(row, deal): (usize, Deal)| {
        let told = guarded("the deal", || retell(&view, &deal, |_, _, _| {}))?;
        let told =
            told.ok_or_else(|| value_error(format!("hands[{row}]: a seat could not have acted as it did")))?;
        Ok(State::of(&state.game, told))
    };
    deals(&view, &hands)?.into_iter().enumerate().map(told).collect()
}

/// Seats, actions, and how likely each is: (n, actions).
type Likelihoods = (Vec<usize>, Vec<usize>, Py<PyArray2<f64>>);

/// See `coinche.likelihoods`.
#[pyfunction]
#[pyo3(name = "_likelihoods")]
pub(crate) fn likelihoods(
    py: Python<'_>,
    state: &State,
    hands: HandRows<'_>,
    read: &str,
    seat: Option<Count>,
) -> PyResult<Likelihoods> {
    let view = state.state.view(state.undecided(seat)?);
    let deals = deals(&view, &hands)?;
    let model = model(&state.game, Some(read))?;
    let number = |seat: Seat, choice: Choice| {
        let action = match choice {
            Choice::Call(call) => Action::Call(call),
            Choice::Card(card) => Action::Card(card),
        };
        (seat.index(), state.game.space.index(action).unwrap_or(usize::MAX))
    };
    let (actions, rows) = guarded("the reading", || {
        py.detach(|| {
            let mut actions = Vec::new();
            let any = stand_in(&view)?;
            retell(&view, any.deal(), |_: &DealState, seat, choice| {
                if seat != view.seat() {
                    actions.push(number(seat, choice));
                }
            })?;
            let mut rows = Vec::with_capacity(deals.len() * actions.len());
            let mut model = model;
            for deal in &deals {
                let end = rows.len() + actions.len();
                match &mut model {
                    Some(model) => drop(model.likelihoods(&view, deal, |likelihood| rows.push(likelihood))),
                    None => rows.resize(end, 1.0),
                }
                // What a seat could not have done, and what follows.
                rows.resize(end, 0.0);
            }
            Some((actions, rows))
        })
    })?
    .ok_or_else(|| value_error("no deal fits what the seat knows"))?;
    let values = array(py, (deals.len(), actions.len()), rows)?;
    let (seats, actions) = actions.into_iter().unzip();
    Ok((seats, actions, values))
}
