//! Runs: played on other threads, while the one that asked for them waits for Ctrl-C and shows the progress.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use coinche_arena::{
    ArenaError, Batch, PlayedRun, ProgressMode, RulesText, RunConfig, RunFile, Totals, paired_differences,
    play_run,
};
use coinche_bots::{BotInfo, Registry};
use coinche_engine::encoding::{ObservationForm, Suits};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::batch_bot::{PythonBot, PythonBots, Raised};

/// How often the waiting thread looks up.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A bot in Python: its name after `python:`, what makes its objects, the form of observations, whether suits are canonical, whether it wants
/// views, how many legs are in flight, and whether objects are in processes of their own.
type Given = (String, Py<PyAny>, Option<String>, bool, bool, usize, bool);

fn registry(bots: Vec<Given>, raised: &Raised) -> PyResult<Registry> {
    let mut registry = Registry::builtin();
    for (name, make, form, canonical, wants_views, batch, is_apart) in bots {
        let form = form.as_deref().map_or(Ok(ObservationForm::None), str::parse);
        let form = form.map_err(|error| value_error(format!("bot {name}: obs: {error} or None")))?;
        let suits = if canonical { Suits::Canonical } else { Suits::AsDealt };
        let (encoder, raised) = (OnceLock::new(), Arc::clone(raised));
        let bot = PythonBot { make, form, suits, wants_views, encoder, batch, is_apart, raised };
        let info = BotInfo::new(format!("python:{name}"), "a bot in Python").batch(PythonBots(Arc::new(bot)));
        registry = registry.with(info).map_err(value_error)?;
    }
    Ok(registry)
}

/// What the waiting thread and those that play have in common.
#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    /// Set when nothing is played any more.
    over: AtomicBool,
    played: Mutex<Played>,
}

/// What was played so far.
#[derive(Default)]
struct Played {
    /// Whether there were deals before these.
    resumed: bool,
    /// For each pair, twice the difference of each pairing.
    doubled: Vec<i64>,
    pairings: usize,
    done: u64,
    estimate: Option<(f64, Option<f64>)>,
}

impl Shared {
    fn played(&self) -> MutexGuard<'_, Played> {
        self.played.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self, totals: &Totals, batch: Option<&Batch>) {
        let mut seen = self.played();
        seen.done = totals.pairs();
        seen.estimate = totals.first().points.estimate().map(|points| (points.mean, points.half_width));
        match batch {
            None => seen.resumed = true,
            Some(batch) => {
                for pair in batch.doubled() {
                    seen.pairings = pair.len();
                    seen.doubled.extend_from_slice(pair);
                }
            }
        }
    }
}

/// Reads the settings and the bots.
fn configure(
    settings: &str,
    rules: Option<&str>,
    bots: Vec<Given>,
    raised: &Raised,
) -> PyResult<(RunConfig, Registry, bool)> {
    let mut file = RunFile::default();
    let given: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(settings).map_err(value_error)?;
    for (name, value) in given {
        // One at a time, so that an error names what it is of.
        let one = serde_json::Map::from_iter([(name.clone(), value)]);
        let one: RunFile =
            serde_json::from_value(one.into()).map_err(|error| value_error(format!("{name}: {error}")))?;
        file = one.over(file);
    }
    if let Some(rules) = rules {
        file.rules = Some(RulesText::Table(toml::from_str(rules).map_err(value_error)?));
    }
    let keeps = file.out.is_some();
    let registry = registry(bots, raised)?;
    let mut config = file.check(&registry).map_err(value_error)?;
    config.progress = ProgressMode::None;
    Ok((config, registry, keeps))
}

fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Plays a run, with the settings of the file of `arena run --config` as JSON and rules, if they are no preset, as TOML; returns
/// its result as a dict.
///
/// `progress` is called now and then with the pairs that were played, those of the run, the mean and the half width so far.
#[pyfunction]
pub(crate) fn play<'py>(
    py: Python<'py>,
    settings: &str,
    rules: Option<&str>,
    bots: Vec<Given>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let raised = Raised::default();
    let (config, registry, keeps) = configure(settings, rules, bots, &raised)?;
    let range = config.range();
    let of = range.end - range.start;
    let shared = Shared::default();
    let mut stopped: Option<PyErr> = None;
    let progress_of_run = &shared;
    let played = py.detach(|| {
        thread::scope(|scope| {
            let (waiting, registry) = (thread::current(), &registry);
            let run = scope.spawn(move || {
                let mut watch = |totals: &Totals, batch: Option<&Batch>| progress_of_run.watch(totals, batch);
                let play = || play_run(config, registry, keeps, &progress_of_run.stop, &mut watch);
                let played = catch_unwind(AssertUnwindSafe(play));
                // A run that is over soon is not waited for longer.
                progress_of_run.over.store(true, Ordering::Release);
                waiting.unpark();
                played
            });
            while !progress_of_run.over.load(Ordering::Acquire) {
                thread::park_timeout(POLL_INTERVAL);
                let polled = Python::attach(|py| poll(py, progress_of_run, of, progress.as_ref()));
                if let Err(error) = polled {
                    progress_of_run.stop.store(true, Ordering::Relaxed);
                    stopped.get_or_insert(error);
                }
            }
            run.join()
        })
    });
    let played = played.flatten().map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default();
        PyRuntimeError::new_err(format!("the run failed, which is a bug of coinche: {text}"))
    })?;
    let is_interrupt = |error: &PyErr| error.is_instance_of::<pyo3::exceptions::PyKeyboardInterrupt>(py);
    if let Some(error) = stopped.take_if(|error| !is_interrupt(error)) {
        return Err(error);
    }
    let played = played.map_err(|error| arena_error(py, &error, &raised))?;
    poll(py, &shared, of, progress.as_ref())?;
    result(py, &played, &registry, shared, stopped.is_some())
}

/// Looks for Ctrl-C, and shows the progress.
fn poll(py: Python<'_>, shared: &Shared, of: u64, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    py.check_signals()?;
    let Some(progress) = progress else { return Ok(()) };
    let (done, estimate) = {
        let seen = shared.played();
        (seen.done, seen.estimate)
    };
    let (mean, half_width) = estimate.unzip();
    progress.call1(py, (done, of, mean, half_width.flatten())).map(drop)
}

/// The exception of an error; of a bot that fails, with its own as the cause.
fn arena_error(py: Python<'_>, error: &ArenaError, raised: &Raised) -> PyErr {
    let text = error.to_string();
    match error.exit() {
        coinche_arena::Exit::Output => PyOSError::new_err(text),
        coinche_arena::Exit::Program => {
            let class = py.import("coinche._errors").and_then(|errors| errors.getattr("BotError"));
            let error = match class.and_then(|class| class.call1((text,))) {
                Ok(error) => PyErr::from_value(error),
                Err(error) => error,
            };
            error.set_cause(py, raised.lock().unwrap_or_else(PoisonError::into_inner).take());
            error
        }
        _ => PyValueError::new_err(text),
    }
}

fn result<'py>(
    py: Python<'py>,
    played: &PlayedRun,
    registry: &Registry,
    shared: Shared,
    interrupted: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let seen = shared.played.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (mut doubled, mut pairings) = (Some(seen.doubled), seen.pairings.max(1));
    if seen.resumed {
        // Those before are in the table of the run, if it has one.
        let before = played.path.as_ref().and_then(|path| paired_differences(path, registry).ok());
        if let Some((_, pairs)) = &before {
            pairings = pairs.first().map_or(1, Vec::len);
        }
        doubled = before.map(|(_, pairs)| pairs.concat());
    }
    let halved = doubled.map(|doubled| doubled.into_iter().map(|twice| twice as f64 / 2.0).collect());
    let pairs = halved.map(|halved: Vec<f64>| {
        let rows = halved.len() / pairings;
        PyArray1::from_vec(py, halved).reshape([rows, pairings])
    });
    let figures =
        serde_json::to_string(&played.figures).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let result = PyDict::new(py);
    result.set_item("text", played.verdict())?;
    result.set_item("headline", played.headline())?;
    result.set_item("figures", figures)?;
    result.set_item("pairs", pairs.transpose()?)?;
    result.set_item("path", played.path.as_deref())?;
    result.set_item("interrupted", interrupted)?;
    Ok(result)
}
