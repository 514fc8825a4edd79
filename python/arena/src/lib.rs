//! The native part of the Python package `coinche_arena`: runs of the arena in which bots in Python may play.
//!
//! It is used through `coinche.run`, where shapes, types and errors are documented.

mod batch_bot;
mod run;

use std::borrow::Cow;
use std::fmt::Display;

use coinche_bots::Registry;
use coinche_engine::{RuleSet, Turn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Runs a command of the program `arena` and returns its exit code; a wrong command line ends the process.
#[pyfunction]
fn command(py: Python<'_>, words: Vec<String>) -> u8 {
    py.detach(|| coinche_arena::run_command(words.into_iter().map(Into::into), &Registry::builtin()) as u8)
}

/// The states of the questions in a line of the arena, each as bytes behind their number; the rules are those of the line `start`.
#[pyfunction]
fn views(rules: &str, line: &str) -> PyResult<Vec<Cow<'static, [u8]>>> {
    let error = |error: &dyn Display| PyValueError::new_err(error.to_string());
    let rules: RuleSet = serde_json::from_str(rules).map_err(|why| error(&why))?;
    let states = coinche_arena::states(&rules, line.as_bytes()).map_err(|why| error(&why))?;
    let views = states.iter().filter_map(|state| match state.turn() {
        Turn::Call(seat) | Turn::Play(seat) => Some(batch_bot::view_bytes(&state.view(seat))),
        Turn::Over => None,
    });
    Ok(views.map(Cow::Owned).collect())
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(run::play, module)?)?;
    module.add_function(wrap_pyfunction!(views, module)?)?;
    Ok(())
}
