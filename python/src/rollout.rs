//! Deals played on by bots.

use coinche_bots::{Bot, BotSpec};
use coinche_engine::{DealState, Turn};
use numpy::PyArray3;
use pyo3::prelude::*;

use crate::bot::BotLike;
use crate::environments::keys_used;
use crate::errors::{bot_error, guarded, value_error};
use crate::rules::Game;
use crate::sizes::{self, Count, List, either};
use crate::solve::array;
use crate::state::State;
use crate::threads::in_parts;
use crate::vec_env::SeedLike;

/// Who plays: one bot, or one for each seat.
#[expect(clippy::large_enum_variant, reason = "it lives for one call")]
pub(crate) enum PolicyLike {
    One(BotLike),
    Seats(List<BotLike>),
}

either!(PolicyLike, "the name of a bot, a Bot, or a list of four": One, Seats);

/// The scores of seats 0 and 2, and of 1 and 3, when bots play each state on to the end: `int32` (states, n, 2).
///
/// `policy` is a bot for all seats, or a list of four; what they remember of a deal begins with the state. The same `seed`, and place in
/// the list, gives the same scores, whatever the number of threads. States that are over have the score they have.
///
/// Raises ValueError with a state in which only what one seat knows is there: `resample` draws deals.
#[pyfunction]
#[pyo3(signature = (states, policy = PolicyLike::One(BotLike::Name("rules".to_owned())), n = Count(1), *,
                    seed = SeedLike::Number(Count(0)), threads = Count(1)),
       text_signature = "(states, policy='rules', n=1, *, seed=0, threads=1)")]
pub(crate) fn rollout(
    py: Python<'_>,
    states: List<PyRef<'_, State>>,
    policy: PolicyLike,
    n: Count,
    seed: SeedLike,
    threads: Count,
) -> PyResult<Py<PyArray3<i32>>> {
    let states = states.0;
    let n = n.within("n", 0..=sizes::MOST)?;
    sizes::check("states", states.len().saturating_mul(n.max(1)), sizes::MOST, size_of::<State>())?;
    let specs = match policy {
        PolicyLike::One(bot) => vec![bot.spec()?; 4],
        PolicyLike::Seats(List(bots)) => bots.into_iter().map(BotLike::spec).collect::<PyResult<Vec<_>>>()?,
    };
    let specs: [BotSpec; 4] = specs.try_into().map_err(|specs: Vec<_>| {
        value_error(format!("policy: {} bots, expected one, or one for each of the four seats", specs.len()))
    })?;
    let mut deals = Vec::with_capacity(states.len() * n);
    for (index, state) in states.iter().enumerate() {
        state.open(|| format!("states[{index}]"))?;
        let is_new = index == 0 || states[index - 1].game.rules != state.game.rules;
        for spec in specs.iter().filter(|_| is_new) {
            spec.check_rules(&state.game.rules).map_err(bot_error)?;
        }
        deals.extend((0..n).map(|time| ((index * n + time) as u64, state.game.clone(), state.state.clone())));
    }
    let secrets = seed.secrets()?;
    let played = guarded("the bots", || {
        let play_all = |deals: &[(u64, std::sync::Arc<Game>, DealState)]| {
            let mut bots = specs.each_ref().map(BotSpec::build);
            let play = |(number, game, state): &(u64, std::sync::Arc<Game>, DealState)| {
                play_out(&mut bots, game, state.clone(), &secrets.decisions(*number).0)
            };
            deals.iter().map(play).collect()
        };
        py.detach(|| in_parts(&deals, (threads, 16), play_all))
    })??;
    let played: Option<Vec<[i32; 2]>> = played.into_iter().collect();
    let played =
        played.ok_or_else(|| value_error("policy: it gave an action that these rules do not have"))?;
    array(py, (states.len(), n, 2), played.into_iter().flatten())
}

/// Lets bots play a deal to its end; `None` when one gives an action that the rules do not have.
fn play_out(
    bots: &mut [Bot; 4],
    game: &Game,
    mut state: DealState,
    keys: &[coinche_engine::Key; 4],
) -> Option<[i32; 2]> {
    bots.iter_mut().for_each(Bot::start);
    let mut decisions = [0u16; 4];
    while let Turn::Call(seat) | Turn::Play(seat) = state.turn() {
        let at = seat.index();
        let action = bots[at].act(&state, keys[at].and(decisions[at].into()))?;
        decisions[at] += keys_used(&state, seat, action);
        game.space.apply(&mut state, game.space.index(action)?).ok()?;
    }
    Some(state.outcome()?.score().map_or([0; 2], |score| score.points.0))
}
