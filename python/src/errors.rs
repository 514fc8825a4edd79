//! The exceptions of the package, which are defined in Python.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::PyErrArguments;
use pyo3::prelude::*;
use pyo3::types::PyType;

fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    Ok(py.import("coinche._errors")?.getattr(name)?.cast_into::<PyType>()?)
}

fn error(name: &str, arguments: impl PyErrArguments + 'static) -> PyErr {
    Python::attach(|py| match class(py, name) {
        Ok(class) => PyErr::from_type(class, arguments),
        Err(error) => error,
    })
}

/// `RulesError`: rules that cannot be.
pub(crate) fn rules_error(text: impl ToString) -> PyErr {
    error("RulesError", text.to_string())
}

/// `BotError`: a bot that cannot be, or that failed.
pub(crate) fn bot_error(text: impl ToString) -> PyErr {
    error("BotError", text.to_string())
}

/// `IllegalAction`: what was tried, by its number, in which environment of many, and why it cannot be.
pub(crate) fn illegal_action(env: Option<usize>, action: i128, why: impl ToString) -> PyErr {
    error("IllegalAction", (env, action, why.to_string()))
}

/// `ValueError`.
pub(crate) fn value_error(text: impl ToString) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(text.to_string())
}

/// Runs what should not panic; if it does, that is an ordinary exception and not a `PanicException`, which `except Exception`
/// does not catch.
pub(crate) fn guarded<T>(what: &str, run: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default();
        pyo3::exceptions::PyRuntimeError::new_err(format!("{what} failed, which is a bug of coinche: {text}"))
    })
}
