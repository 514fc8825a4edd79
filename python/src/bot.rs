//! `Bot`: the bots of the registry, for lists of states.

use coinche_bots::{Answer, BotSpec, Choice, Position, Registry};
use coinche_engine::encoding::Action;
use coinche_engine::{Purpose, Secrets, Turn};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

use crate::errors::{bot_error, guarded, value_error};
use crate::rules::Game;
use crate::sizes::{Count, List, either};
use crate::state::State;
use crate::threads::in_parts;
use crate::vec_env::SeedLike;

/// A bot by its name, as on the command line: `Bot("table+pimc:worlds=40")`.
///
/// Raises BotError when there is no such bot or parameter. Bots that are programs (`cmd:`) are for the arena only.
#[pyclass(frozen, from_py_object, module = "coinche", name = "Bot")]
#[derive(Debug, Clone)]
pub(crate) struct Bot {
    spec: BotSpec,
}

/// What a function takes as a bot: an object, or its name.
#[expect(clippy::large_enum_variant, reason = "it lives for one call")]
pub(crate) enum BotLike {
    Object(Bot),
    Name(String),
}

either!(BotLike, "the name of a bot or a Bot": Object, Name);

impl BotLike {
    pub(crate) fn spec(self) -> PyResult<BotSpec> {
        match self {
            Self::Object(bot) => Ok(bot.spec),
            Self::Name(name) => Bot::new(&name).map(|bot| bot.spec),
        }
    }
}

/// The names and descriptions of the bots.
#[pyfunction]
pub(crate) fn bots() -> Vec<(String, String)> {
    Registry::builtin().bots().map(|bot| (bot.name().to_owned(), bot.about().to_owned())).collect()
}

/// A decision with what the bot thought: of the deal, and of each choice (action, mean, half width; action, advantage).
struct Decision {
    action: i32,
    points: Option<f64>,
    chance: Option<f64>,
    options: Vec<(usize, f64, f64)>,
    advantages: Vec<(usize, f64)>,
}

/// Numbers what was answered; `None` where these rules do not have the action.
fn numbered(game: &Game, answer: Answer) -> Option<Decision> {
    let number = |action| game.space.index(action);
    let action = number(answer.action?)?;
    let numbered = |choice| match choice {
        Choice::Call(call) => number(Action::Call(call)),
        Choice::Card(card) => number(Action::Card(card)),
    };
    let options = answer.thought.as_ref().map(|thought| {
        let options = thought.options.iter();
        options.filter_map(|it| Some((numbered(it.choice)?, it.mean, it.half_width))).collect()
    });
    Some(Decision {
        action: i32::try_from(action).ok()?,
        points: answer.thought.as_ref().and_then(|thought| thought.points),
        chance: answer.thought.as_ref().and_then(|thought| thought.chance),
        options: options.unwrap_or_default(),
        advantages: answer.advantages.iter().filter_map(|it| Some((numbered(it.0)?, it.1))).collect(),
    })
}

impl Bot {
    fn decide(
        &self,
        py: Python<'_>,
        states: &[PyRef<'_, State>],
        seed: SeedLike,
        threads: Count,
        think: bool,
    ) -> PyResult<Vec<Decision>> {
        let sees_all = self.spec.sees_all();
        for (index, state) in states.iter().enumerate() {
            if state.state.turn() == Turn::Over {
                return Err(value_error(format!("states[{index}]: the deal is over")));
            }
            if sees_all {
                state.open(|| format!("states[{index}]"))?;
            }
        }
        // A bidder that goes by a file may not be for these rules. States mostly have the same ones.
        let mut checked = None;
        for state in states {
            if checked != Some(state.game.rules) {
                self.spec.check_rules(&state.game.rules).map_err(bot_error)?;
                checked = Some(state.game.rules);
            }
        }
        let secrets: Secrets = seed.secrets()?;
        let games: Vec<_> = states.iter().map(|state| (state.game.clone(), state.state.clone())).collect();
        let keyed = |index: usize| secrets.key(Purpose::Experiment, index as u64, 1);
        let positions: Vec<Position<'_>> = games
            .iter()
            .enumerate()
            .map(|(index, (_, state))| Position { state, key: keyed(index) })
            .collect();
        let answers = guarded("the bot", || {
            let ask = |positions: &[Position<'_>]| self.spec.build().act_all(positions, think);
            py.detach(|| in_parts(&positions, (threads, 1), ask))
        })??;
        let decided = games.iter().zip(answers).map(|((game, _), answer)| numbered(game, answer));
        let decided: Option<Vec<Decision>> = decided.collect();
        decided.ok_or_else(|| {
            bot_error(format!("{}: it gave an answer that these rules do not have", self.name()))
        })
    }
}

#[pymethods]
impl Bot {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let spec = Registry::builtin().parse(name).map_err(bot_error)?;
        if spec.bidder_program().is_some() || spec.player_program().is_some() {
            return Err(bot_error(format!("{name}: programs play in the arena only")));
        }
        Ok(Self { spec })
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.spec.as_str()
    }

    /// One decision for each state, as `int32` numbers of actions. Each is asked by itself: nothing is remembered from one to
    /// the next. The same `seed` and place in the list give the same random numbers, whatever the number of threads.
    #[pyo3(signature = (states, seed = SeedLike::Number(Count(0)), threads = Count(1)), text_signature = "($self, states, seed=0, threads=1)")]
    fn act(
        &self,
        py: Python<'_>,
        states: List<PyRef<'_, State>>,
        seed: SeedLike,
        threads: Count,
    ) -> PyResult<Py<PyArray1<i32>>> {
        let decided = self.decide(py, &states.0, seed, threads, false)?;
        let actions: Vec<i32> = decided.into_iter().map(|decision| decision.action).collect();
        Ok(PyArray1::from_vec(py, actions).unbind())
    }

    /// The same, with what the bot thought: a dict for each state with `action`, `points` (expected score, own less other),
    /// `chance` (that the contract is made), `values` (action: mean score, half width of its 95 % interval), and `advantages` (action:
    /// points more than the mean of those considered). What a bot does not report is `None` or missing.
    #[pyo3(signature = (states, seed = SeedLike::Number(Count(0)), threads = Count(1)), text_signature = "($self, states, seed=0, threads=1)")]
    fn think<'py>(
        &self,
        py: Python<'py>,
        states: List<PyRef<'py, State>>,
        seed: SeedLike,
        threads: Count,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let decided = self.decide(py, &states.0, seed, threads, true)?;
        let dicts = decided.into_iter().map(|decision| {
            let (dict, values) = (PyDict::new(py), PyDict::new(py));
            for (action, mean, half_width) in decision.options {
                values.set_item(action, (mean, half_width))?;
            }
            dict.set_item("action", decision.action)?;
            dict.set_item("points", decision.points)?;
            dict.set_item("chance", decision.chance)?;
            dict.set_item("values", values)?;
            dict.set_item("advantages", decision.advantages.into_iter().into_py_dict(py)?)?;
            Ok(dict)
        });
        dicts.collect()
    }

    fn __reduce__(&self, py: Python<'_>) -> (Py<PyAny>, (String,)) {
        (py.get_type::<Self>().into_any().unbind(), (self.name().to_owned(),))
    }

    fn __repr__(&self) -> String {
        format!("Bot('{}')", self.name())
    }
}
