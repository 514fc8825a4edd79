//! The native part of the Python package `coinche_arena`: runs of the arena in which bots in Python may play.
//!
//! It is used through `coinche.run`, where shapes, types and errors are documented.

mod batch_bot;
mod run;

use coinche_bots::Registry;
use pyo3::prelude::*;

/// Runs a command of the program `arena` and returns its exit code; a wrong command line ends the process.
#[pyfunction]
fn command(py: Python<'_>, words: Vec<String>) -> u8 {
    py.detach(|| coinche_arena::run_command(words.into_iter().map(Into::into), &Registry::builtin()) as u8)
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(run::play, module)?)?;
    Ok(())
}
