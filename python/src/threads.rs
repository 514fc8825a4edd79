//! Threads of the engine.

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::value_error;

/// The most threads.
const MOST: usize = 1024;

/// Returns a pool of so many threads; none for one.
pub(crate) fn pool(threads: usize) -> PyResult<Option<ThreadPool>> {
    match threads {
        1 => Ok(None),
        2..=MOST => Ok(Some(ThreadPoolBuilder::new().num_threads(threads).build().map_err(value_error)?)),
        _ => Err(value_error(format!("threads: {threads}, expected 1 to {MOST}"))),
    }
}
