//! `VecEnv`: many environments in arrays.

use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use coinche_bots::BotSpec;
use coinche_engine::encoding::{Encoder, ObservationForm, Suits};
use coinche_engine::{DealState, Secrets, Seed, Strain};
use numpy::ndarray::Dimension;
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray3, PyReadwriteArray,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::bot::BotLike;
use crate::environments::{self, Environment, Payoffs, Points, Rows, Setting};
use crate::errors::{bot_error, guarded, illegal_action, value_error};
use crate::parts::{check, parts};
use crate::rules::RulesLike;
use crate::sizes::{self, Count, List, either};
use crate::state::State;
use crate::threads::{Helpers, LONG};

/// A step that takes one thread no longer than this is not shared: on a busy machine the others would be waited for longer than they save.
const SHORT: Duration = Duration::from_micros(250);

/// Returns a state from which an environment can start.
fn checked(setting: &Setting, position: &State, name: impl Fn() -> String) -> PyResult<DealState> {
    let state = position.open(&name)?;
    if position.game.rules != setting.game.rules {
        return Err(value_error(format!("{}: it has other rules than this VecEnv", name())));
    }
    match environments::no_decision(setting, state) {
        Some(why) => Err(value_error(format!("{}: {why}", name()))),
        None => Ok(state.clone()),
    }
}

/// What the declarer's side takes in each position, by declarer and strain.
struct PointRows<'py>(PyReadonlyArray3<'py, u16>);

impl<'py> FromPyObject<'_, 'py> for PointRows<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let expected = "a uint16 array with the shape (positions, 4, 6)";
        object.extract().map(Self).map_err(|_| sizes::other_type(expected, object))
    }
}

impl PointRows<'_> {
    /// Returns those of the positions; of strains that cannot be bid there may be anything.
    fn of(self, setting: &Setting) -> PyResult<Vec<Points>> {
        if setting.positions.is_empty() {
            return Err(value_error("points: they are those of positions, which are not given"));
        }
        let (points, expected) = (self.0.as_array(), [setting.positions.len(), 4, 6]);
        if points.shape() != expected {
            let shape = points.shape();
            return Err(value_error(format!(
                "points: they have the shape {shape:?}, expected {expected:?}: positions, declarers and strains"
            )));
        }
        let mut rows = vec![Points::default(); setting.positions.len()];
        for ((at, declarer, strain), &taken) in points.indexed_iter() {
            let (strain, rules) = (Strain::ALL[strain], &setting.game.rules);
            let all = rules.all_points(strain);
            if rules.allows_strain(strain) && taken > all {
                let index = strain.index();
                return Err(value_error(format!(
                    "points[{at}, {declarer}, {index}]: {taken}, expected 0 to {all}"
                )));
            }
            rows[at][declarer][strain.index()] = taken;
        }
        Ok(rows)
    }
}

/// The error after a step failed because of a bug.
const BROKEN: &str = "an earlier step failed: make a new VecEnv, or call reset";

/// The native part of `coinche.VecEnv`.
#[pyclass(frozen, subclass, module = "coinche", name = "VecEnv")]
pub(crate) struct VecEnv {
    /// Never waited for: where another thread has it there is an exception.
    inner: Mutex<Inner>,
    opponents: [Option<BotSpec>; 4],
    #[pyo3(get)]
    actions: Py<PyArray1<i32>>,
    /// As bytes; `coinche.VecEnv` has it as bools.
    #[pyo3(get)]
    mask: Py<PyArray2<u8>>,
    #[pyo3(get)]
    obs: Option<Py<PyArray2<u8>>>,
    #[pyo3(get)]
    hands: Option<Py<PyArray2<u32>>>,
    #[pyo3(get)]
    reward: Py<PyArray1<f32>>,
    #[pyo3(get)]
    returns: Py<PyArray2<i32>>,
    /// As bytes; `coinche.VecEnv` has it as bools.
    #[pyo3(get)]
    done: Py<PyArray1<u8>>,
    #[pyo3(get)]
    player: Py<PyArray1<u8>>,
    #[pyo3(get)]
    deal: Py<PyArray1<i64>>,
}

struct Inner {
    setting: Setting,
    environments: Vec<Environment>,
    helpers: Option<Helpers>,
    /// How long the last step took.
    last: Duration,
    /// How long a step takes one thread, at best.
    alone: Duration,
    /// The actions of a step, which another thread of Python may change while they are taken.
    taken: Vec<i32>,
    /// A bug was met in a step: the arrays and the deals may disagree.
    broken: bool,
}

/// A seed: a number or any text.
pub(crate) enum SeedLike {
    Number(Count),
    Text(String),
}

either!(SeedLike, "a number or a text": Number, Text);

impl SeedLike {
    pub(crate) fn secrets(self) -> PyResult<Secrets> {
        let text = match self {
            Self::Number(number) if !(0..i128::MAX).contains(&number.0) => {
                return Err(number.outside("seed", "a whole number from 0, or a text"));
            }
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text,
        };
        let seed: Seed = text.parse().map_err(|error| value_error(format!("seed: {error}")))?;
        Ok(Secrets::from(&seed))
    }
}

/// Borrows an array to write it, if it still has so many places.
fn rows_of<'py, T: Element, D: Dimension>(
    name: &str,
    array: &Bound<'py, PyArray<T, D>>,
    len: usize,
) -> PyResult<PyReadwriteArray<'py, T, D>> {
    let array = array.try_readwrite().map_err(|error| value_error(format!("{name}: {error}")))?;
    if array.len() != len {
        let text = format!("{name}: {} places, expected {len}; make a new VecEnv", array.len());
        return Err(value_error(text));
    }
    Ok(array)
}

/// The places of a borrowed array.
fn slice_of<'a, T: Element, D: Dimension>(
    name: &str,
    array: &'a mut PyReadwriteArray<'_, T, D>,
) -> PyResult<&'a mut [T]> {
    let text = || format!("{name}: its strides were changed; expected C order");
    array.as_slice_mut().map_err(|_| value_error(text()))
}

impl VecEnv {
    fn inner(&self) -> PyResult<MutexGuard<'_, Inner>> {
        self.inner.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                value_error("another thread is in a call of this VecEnv: one at a time")
            }
            TryLockError::Poisoned(_) => value_error(BROKEN),
        })
    }

    /// Runs a function over parts of the environments and of the arrays, without the interpreter's lock.
    fn run(
        &self,
        py: Python<'_>,
        inner: &mut Inner,
        checked: bool,
        work: impl Fn(&Setting, usize, &mut [Environment], &mut Rows<'_>) + Sync,
    ) -> PyResult<()> {
        if inner.broken {
            return Err(value_error(BROKEN));
        }
        let Inner { setting, environments, helpers, taken, .. } = inner;
        let environments = environments.as_mut_slice();
        let (n, width) = (environments.len(), setting.form.row_len());
        let actions = self.actions.bind(py);
        if actions.len() != n {
            return Err(value_error(format!(
                "actions: {} places, expected {n}; make a new VecEnv",
                actions.len()
            )));
        }
        {
            let actions = actions.try_readonly().map_err(|error| value_error(format!("actions: {error}")))?;
            let actions = actions.as_slice().map_err(|_| value_error("actions: its strides were changed"))?;
            taken.clear();
            taken.extend_from_slice(actions);
        }
        let mut mask = rows_of("mask", self.mask.bind(py), n * setting.game.space.len())?;
        let obs = self.obs.as_ref().map(|obs| rows_of("obs", obs.bind(py), n * width));
        let mut obs = obs.transpose()?;
        let hands = self.hands.as_ref().map(|hands| rows_of("hands", hands.bind(py), 4 * n));
        let mut hands = hands.transpose()?;
        let mut reward = rows_of("reward", self.reward.bind(py), n)?;
        let mut returns = rows_of("returns", self.returns.bind(py), 2 * n)?;
        let mut done = rows_of("done", self.done.bind(py), n)?;
        let mut player = rows_of("player", self.player.bind(py), n)?;
        let mut deal = rows_of("deal", self.deal.bind(py), n)?;
        let rows = Rows {
            actions: taken,
            mask: slice_of("mask", &mut mask)?,
            obs: obs.as_mut().map(|obs| slice_of("obs", obs)).transpose()?.unwrap_or_default(),
            hands: hands.as_mut().map(|hands| slice_of("hands", hands)).transpose()?.unwrap_or_default(),
            reward: slice_of("reward", &mut reward)?,
            returns: slice_of("returns", &mut returns)?,
            done: slice_of("done", &mut done)?,
            player: slice_of("player", &mut player)?,
            deal: slice_of("deal", &mut deal)?,
        };
        if let Some(helpers) = helpers {
            helpers.survive_fork()?;
        }
        let helpers = helpers.as_ref().filter(|_| inner.alone > SHORT);
        if checked {
            let actions = rows.actions;
            let refused = guarded("the check of the actions", || {
                py.detach(|| check(setting, environments, actions, helpers))
            })?;
            if let Some((env, why)) = refused {
                return Err(illegal_action(Some(env), actions[env].into(), why));
            }
        }
        let mut rows = rows;
        let (began, last) = (Instant::now(), inner.last);
        let result = guarded("the step", || {
            py.detach(|| match helpers {
                None => work(setting, 0, environments, &mut rows),
                Some(helpers) => {
                    let parts = parts(environments, |size| rows.split_off(size), helpers.threads());
                    helpers.share(parts, last, |(first, environments, mut rows)| {
                        work(setting, first, environments, &mut rows);
                    });
                }
            });
        });
        inner.last = began.elapsed();
        inner.alone = match helpers {
            Some(helpers) => inner.alone.min(inner.last * u32::try_from(helpers.threads()).unwrap_or(1)),
            None => inner.last.min(2 * inner.alone.min(LONG)),
        };
        inner.broken = result.is_err();
        result
    }
}

#[pymethods]
impl VecEnv {
    #[new]
    #[pyo3(signature = (n, rules = RulesLike::Name("bga".to_owned()), seed = SeedLike::Number(Count(0)), opponents = None,
                        threads = Count(1), obs = Some("bytes"), canonical = false, positions = None, calls = None, cards = None,
                        observe = "seat", points = None),
           text_signature = "(n, rules='bga', seed=0, opponents=None, threads=1, obs='bytes', canonical=False, positions=None, \
                             calls=None, cards=None, observe='seat', points=None)")]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        py: Python<'_>,
        n: Count,
        rules: RulesLike,
        seed: SeedLike,
        opponents: Option<&Bound<'_, PyDict>>,
        threads: Count,
        obs: Option<&str>,
        canonical: bool,
        positions: Option<List<PyRef<'_, State>>>,
        calls: Option<BotLike>,
        cards: Option<BotLike>,
        observe: &str,
        points: Option<PointRows<'_>>,
    ) -> PyResult<Self> {
        let n = n.within("n", 1..=sizes::MOST)?;
        let form = obs.map_or(Ok(ObservationForm::None), str::parse);
        let form = form.map_err(|error| value_error(format!("obs: {error} or None")))?;
        let game = rules.game()?;
        let suits = if canonical { Suits::Canonical } else { Suits::AsDealt };
        let encoder = Encoder::new(&game.rules, suits);
        let mut specs = [const { None }; 4];
        for (seat, bot) in opponents.into_iter().flatten() {
            let seat: usize = seat.extract()?;
            let slot = specs
                .get_mut(seat)
                .ok_or_else(|| value_error(format!("opponents: seat {seat}, expected 0, 1, 2 or 3")))?;
            let spec = bot.extract::<BotLike>()?.spec()?;
            spec.check_rules(&game.rules).map_err(bot_error)?;
            *slot = Some(spec);
        }
        if specs.iter().all(Option::is_some) {
            return Err(value_error("opponents: all four seats are taken, and none is left to act"));
        }
        let actions = game.space.len();
        sizes::check("n", n, sizes::MOST, 64 + size_of::<Environment>() + actions + form.row_len())?;
        if !["seat", "all"].contains(&observe) {
            return Err(value_error(format!("observe: {observe:?}, expected \"seat\" or \"all\"")));
        }
        let helped = [calls.is_some(), cards.is_some()];
        if helped == [true; 2] {
            return Err(value_error("calls, cards: bots make both, and nothing is left for the learner"));
        }
        let by_solver = matches!(&cards, Some(BotLike::Name(name)) if name == "solver");
        if points.is_some() && (calls.is_some() || cards.is_some()) {
            return Err(value_error(
                "points: not beside calls or cards: nobody plays the cards, and the learner calls",
            ));
        }
        let help = calls.or(cards.filter(|_| !by_solver)).map(BotLike::spec).transpose()?;
        if let Some(help) = &help {
            help.check_rules(&game.rules).map_err(bot_error)?;
        }
        let learner = specs.each_ref().map(Option::is_none);
        let (secrets, count) = (seed.secrets()?, n as u64);
        let mut setting = Setting {
            game,
            secrets,
            encoder,
            form,
            count,
            positions: Vec::new(),
            helped,
            learner,
            payoffs: None,
        };
        // Nobody plays a card where contracts are scored without.
        setting.helped[1] |= points.is_some();
        if let Some(List(positions)) = positions {
            if positions.is_empty() {
                return Err(value_error("positions: none, expected at least one state"));
            }
            let payoffs = if by_solver || points.is_some() { Payoffs::BYTES } else { 0 };
            sizes::check("positions", positions.len(), sizes::MOST, size_of::<State>() + payoffs)?;
            for (index, position) in positions.iter().enumerate() {
                let position = checked(&setting, position, || format!("positions[{index}]"))?;
                setting.positions.push(position);
            }
        }
        let points = points.map(|points| points.of(&setting)).transpose()?;
        setting.payoffs = (by_solver || points.is_some()).then(|| Payoffs::of(&setting.positions, points));
        let helpers = Helpers::new(threads)?;
        let opponents = specs;
        let environments = guarded("the start", || {
            py.detach(|| {
                let build =
                    || opponents.each_ref().map(|spec| spec.as_ref().or(help.as_ref()).map(BotSpec::build));
                (0..n as u64).map(|deal| Environment::new(&setting, deal, build())).collect::<Vec<_>>()
            })
        })?;
        let this = Self {
            opponents,
            actions: PyArray1::zeros(py, n, false).unbind(),
            mask: PyArray2::zeros(py, [n, actions], false).unbind(),
            obs: obs.is_some().then(|| PyArray2::zeros(py, [n, form.row_len()], false).unbind()),
            hands: (observe == "all").then(|| PyArray2::zeros(py, [n, 4], false).unbind()),
            reward: PyArray1::zeros(py, n, false).unbind(),
            returns: PyArray2::zeros(py, [n, 2], false).unbind(),
            done: PyArray1::zeros(py, n, false).unbind(),
            player: PyArray1::zeros(py, n, false).unbind(),
            deal: PyArray1::zeros(py, n, false).unbind(),
            inner: Mutex::new(Inner {
                setting,
                environments,
                helpers,
                last: Duration::ZERO,
                alone: Duration::MAX,
                taken: Vec::with_capacity(n),
                broken: false,
            }),
        };
        this.reset(py, None)?;
        Ok(this)
    }

    /// Takes `actions`, all of them legal, and writes what follows into the other arrays, in place.
    ///
    /// All actions are checked before anything changes. -1 leaves an environment as it is. A deal that ends is
    /// followed by the next of its environment (number `deal + n`) at once: `done`, `reward` and `returns` are those of the
    /// deal that ended, `mask`, `obs`, `player` and `deal` those of the new one.
    ///
    /// Raises IllegalAction with the first environment whose action is not legal.
    fn step(&self, py: Python<'_>) -> PyResult<()> {
        self.run(py, &mut *self.inner()?, true, |setting, _, environments, rows| {
            environments::step(setting, environments, rows);
        })
    }

    /// Starts with the first deals again: environment i with deal i. A seed, if given, replaces that of the start.
    #[pyo3(signature = (seed = None))]
    fn reset(&self, py: Python<'_>, seed: Option<SeedLike>) -> PyResult<()> {
        let mut inner = self.inner()?;
        if let Some(seed) = seed {
            inner.setting.secrets = seed.secrets()?;
        }
        inner.broken = false;
        self.run(py, &mut inner, false, |setting, first, environments, rows| {
            environments::reset(setting, first as u64, environments, rows);
        })
    }

    /// Starts some environments from these states, one for each; later deals are those that they would have had.
    fn reset_rows(&self, py: Python<'_>, envs: List<Count>, states: List<PyRef<'_, State>>) -> PyResult<()> {
        let mut inner = self.inner()?;
        if inner.setting.payoffs.as_ref().is_some_and(Payoffs::are_estimates) {
            return Err(value_error(
                "reset_rows: this VecEnv has points of its positions, and of no other states",
            ));
        }
        let (envs, states, n) = (envs.0, states.0, inner.environments.len());
        if envs.len() != states.len() {
            return Err(value_error(format!(
                "states: {}, expected one for each of {} envs",
                states.len(),
                envs.len()
            )));
        }
        let mut positions = vec![None; n];
        for (index, (env, state)) in envs.into_iter().zip(&states).enumerate() {
            let env = env.within(&format!("envs[{index}]"), 0..=n - 1)?;
            positions[env] = Some(checked(&inner.setting, state, || format!("states[{index}]"))?);
        }
        self.run(py, &mut inner, false, |setting, first, environments, rows| {
            for (n, environment) in environments.iter_mut().enumerate() {
                let mut row = rows.split_off(1);
                if let Some(position) = &positions[first + n] {
                    environment.restart(setting, position, &mut row);
                }
            }
        })
    }

    /// The state of one environment, as a copy.
    fn state(&self, env: Count) -> PyResult<State> {
        let inner = self.inner()?;
        let environment = &inner.environments[env.within("env", 0..=inner.environments.len() - 1)?];
        Ok(State::of(&inner.setting.game, environment.state().clone()))
    }

    /// The key of the decision that `player` must make in each environment: 64 random bits, `uint64`, which depend on the seed,
    /// the deal, the seat and how many keys it has used in the deal. A bot of ours in its place would get the same.
    fn keys(&self, py: Python<'_>) -> PyResult<Py<PyArray1<u64>>> {
        let inner = self.inner()?;
        let keys = inner.environments.iter().map(|environment| environment.key(&inner.setting).bits());
        Ok(PyArray1::from_iter(py, keys).unbind())
    }

    /// The bots at the seats that are not the learner's, by seat.
    #[getter]
    fn opponents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (seat, spec) in self.opponents.iter().enumerate() {
            if let Some(spec) = spec {
                dict.set_item(seat, spec.as_str())?;
            }
        }
        Ok(dict)
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.actions.bind(py).len()
    }
}
