//! Threads of the engine.

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::value_error;

/// The most threads.
const MOST: usize = 1024;

fn pool_without(caller: usize, threads: usize) -> PyResult<Option<ThreadPool>> {
    let built = |threads| ThreadPoolBuilder::new().num_threads(threads).build().map_err(value_error);
    match threads {
        1 => Ok(None),
        2..=MOST => built(threads - caller).map(Some),
        _ => Err(value_error(format!("threads: {threads}, expected 1 to {MOST}"))),
    }
}

/// Returns a pool of so many threads; none for one.
pub(crate) fn pool(threads: usize) -> PyResult<Option<ThreadPool>> {
    pool_without(0, threads)
}

/// Returns a pool that makes so many threads together with the one that calls; none for one.
pub(crate) fn helpers(threads: usize) -> PyResult<Option<ThreadPool>> {
    pool_without(1, threads)
}
