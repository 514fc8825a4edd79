//! A disk that fails on demand, in builds with debug assertions: the tests fail every single write of a run.
//!
//! `COINCHE_WRITE_FAULT=once:N` fails the N-th operation on the disk from 1, `full:N` that one and all that follow, and
//! `kill:N` ends the process there. A write fails in its middle: the first half of its bytes is written. In release
//! builds there is no such variable, and nothing is counted.

use std::io;

/// The exit code of a process that ended at an operation, as if it were killed.
#[cfg(debug_assertions)]
const KILLED: i32 = 86;

/// What becomes of an operation on the disk.
pub(super) enum Fate {
    /// It is done.
    Done,
    /// It fails.
    #[cfg(debug_assertions)]
    Fails(io::Error),
    /// It is done by half, and the process ends.
    #[cfg(debug_assertions)]
    Kills,
}

impl Fate {
    /// Returns what becomes of the next operation.
    #[cfg(not(debug_assertions))]
    #[inline]
    pub(super) const fn next() -> Self {
        Self::Done
    }

    /// Returns what becomes of the next operation.
    #[cfg(debug_assertions)]
    pub(super) fn next() -> Self {
        use std::sync::LazyLock;
        use std::sync::atomic::{AtomicU64, Ordering};

        static PLAN: LazyLock<Option<(String, u64)>> = LazyLock::new(|| {
            let text = std::env::var("COINCHE_WRITE_FAULT").ok()?;
            let (kind, number) = text.split_once(':')?;
            Some((kind.to_owned(), number.parse().ok()?))
        });
        static DONE: AtomicU64 = AtomicU64::new(0);

        let Some((kind, number)) = &*PLAN else { return Self::Done };
        let now = DONE.fetch_add(1, Ordering::Relaxed) + 1;
        if now == *number {
            eprintln!("operation {now} on the disk fails as COINCHE_WRITE_FAULT demands");
        }
        match kind.as_str() {
            "once" if now == *number => Self::Fails(io::ErrorKind::StorageFull.into()),
            "full" if now >= *number => Self::Fails(io::ErrorKind::StorageFull.into()),
            "kill" if now == *number => Self::Kills,
            _ => Self::Done,
        }
    }

    /// Does an operation, or what becomes of it; `half` is what is done of it where it fails.
    pub(super) fn befall<T>(
        self,
        half: impl FnOnce(),
        whole: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<T> {
        match self {
            Self::Done => {
                drop(half);
                whole()
            }
            #[cfg(debug_assertions)]
            Self::Fails(error) => {
                half();
                Err(error)
            }
            #[cfg(debug_assertions)]
            Self::Kills => {
                half();
                std::process::exit(KILLED)
            }
        }
    }
}

/// Does an operation that is done whole or not at all, or what becomes of it.
pub(super) fn operate<T>(operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    Fate::next().befall(|| (), operation)
}
