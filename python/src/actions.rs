//! The numbers of actions.

use std::sync::Arc;

use coinche_engine::encoding::{ActionSpace, FEATURES};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::rules::Game;
use crate::sizes::Count;

/// The numbers of all calls and cards of a rule set: 0–31 the cards, then silent belotes, calls and bids.
///
/// The layout is documented in `docs/encoding.md`; the first 49 actions are the same under all rules.
#[pyclass(frozen, module = "coinche", name = "Actions")]
#[derive(Debug, Clone)]
pub(crate) struct Actions(pub(crate) Arc<Game>);

#[pymethods]
impl Actions {
    /// The version of the layout.
    #[classattr]
    const VERSION: u32 = ActionSpace::VERSION;

    fn __len__(&self) -> usize {
        self.0.space.len()
    }

    /// The number of a card or call in the notation of records: `JS`, `82S`, `P`, `X`, `XX`, `KS silent`.
    ///
    /// Raises ValueError when these rules do not have it.
    fn index(&self, text: &str) -> PyResult<usize> {
        self.0.index(text)
    }

    /// The card or call of a number.
    ///
    /// Raises IndexError above the last.
    fn name(&self, action: Count) -> PyResult<String> {
        let named = usize::try_from(action.0)
            .ok()
            .and_then(|action| self.0.space.action(action))
            .map(|action| action.to_string());
        named.ok_or_else(|| {
            PyIndexError::new_err(format!("action {action}: there are {}", self.0.space.len()))
        })
    }

    /// The names of all actions, in the order of their numbers.
    fn names(&self) -> Vec<String> {
        let space = &self.0.space;
        (0..space.len()).filter_map(|index| space.action(index)).map(|action| action.to_string()).collect()
    }

    /// Sixteen hexadecimal digits, equal for rules under which every number means the same.
    #[getter]
    fn fingerprint(&self) -> String {
        format!("{:016x}", self.0.space.fingerprint())
    }

    fn __repr__(&self) -> String {
        format!("<{} actions, version {}, {}>", self.0.space.len(), ActionSpace::VERSION, self.fingerprint())
    }
}

/// The groups of bits of an observation: name, first bit, number of bits, meaning.
#[pyfunction]
pub(crate) fn features() -> Vec<(&'static str, usize, usize, &'static str)> {
    FEATURES.iter().map(|it| (it.name, it.start, it.len, it.meaning)).collect()
}
