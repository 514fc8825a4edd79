//! The number of threads.

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::base::error::{ArenaError, OutOfRange, Result};

/// The most threads that a command starts.
const MOST: u64 = 1024;

/// Returns the given number of threads, by default the number of cores.
///
/// # Errors
///
/// When the number is not in 1 to 1024.
pub fn check(given: Option<usize>) -> Result<usize, OutOfRange> {
    let threads = given.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    OutOfRange::check("threads", threads as u64, 1..=MOST).map(|_| threads)
}

/// Starts a pool of threads.
///
/// # Errors
///
/// When the system cannot start them.
pub fn pool(threads: usize) -> Result<ThreadPool> {
    ThreadPoolBuilder::new().num_threads(threads).build().map_err(|_| ArenaError::Threads(threads))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_threads_is_bounded() {
        assert_eq!(check(Some(1024)), Ok(1024));
        assert!(check(None).is_ok_and(|threads| threads > 0));
        for wrong in [0, 1025] {
            let error = check(Some(wrong)).unwrap_err();
            assert_eq!(error.to_string(), format!("threads: {wrong} is not in 1 to 1024"));
        }
        assert_eq!(pool(2).unwrap().current_num_threads(), 2);
    }
}
