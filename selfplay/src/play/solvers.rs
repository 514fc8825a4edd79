//! Per-thread workers, such as exact solvers, on a pool of threads.

use std::sync::{Mutex, PoisonError};

use coinche_engine::solver::Solver;
use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use crate::base::error::Result;
use crate::base::threads;

/// A pool of threads, each with a worker that it keeps from one item to the next.
#[derive(Debug)]
pub struct Workers<W> {
    pool: ThreadPool,
    workers: Vec<Mutex<W>>,
}

/// A pool of threads, each with a solver that keeps its table from one deal to the next.
pub type Solvers = Workers<Solver>;

impl Solvers {
    /// Starts the threads: as many as there are cores unless a number is given.
    ///
    /// # Errors
    ///
    /// When the number is not in 1 to 1024, or the threads cannot be started.
    pub fn new(threads: Option<usize>) -> Result<Self> {
        Self::of(threads, Solver::new)
    }
}

impl<W: Send> Workers<W> {
    /// Starts the threads: as many as there are cores unless a number is given; `make` makes each worker.
    ///
    /// # Errors
    ///
    /// When the number is not in 1 to 1024, or the threads cannot be started.
    pub fn of(threads: Option<usize>, make: impl Fn() -> W) -> Result<Self> {
        let threads = threads::check(threads)?;
        let pool = threads::pool(threads)?;
        let workers = (0..threads).map(|_| Mutex::new(make())).collect();
        Ok(Self { pool, workers })
    }

    /// Returns how many threads there are.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Maps every item on all threads; the results are in the order of the items.
    pub fn map<T: Send, R: Send>(&self, items: Vec<T>, answer: impl Fn(&mut W, T) -> R + Sync) -> Vec<R> {
        self.pool.install(|| {
            items
                .into_par_iter()
                .with_max_len(1)
                .map(|item| {
                    let thread = rayon::current_thread_index().unwrap_or_default();
                    // Each thread has its own worker, so the lock is never contended.
                    let mut worker = self.workers[thread].lock().unwrap_or_else(PoisonError::into_inner);
                    answer(&mut worker, item)
                })
                .collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order() {
        let solvers = Solvers::new(Some(3)).unwrap();
        let squares = solvers.map((0..1000u64).collect(), |_, item| item * item);
        assert!(squares.into_iter().eq((0..1000).map(|item| item * item)));
        assert!(Solvers::new(Some(0)).is_err());
    }
}
