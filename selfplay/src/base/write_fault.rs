//! Injects disk faults on demand, in builds with debug assertions, so that tests can fail every single write of a run.
//!
//! `COINCHE_WRITE_FAULT=once:N` fails the N-th disk operation (from 1), `full:N` fails that one and all later ones, and
//! `kill:N` ends the process there. A failing write is partial: the first half of its bytes is written. Release builds
//! ignore the variable and count nothing.

use std::io;

/// Exit code of a process that was ended at an operation, as if killed.
#[cfg(debug_assertions)]
const KILLED: i32 = 86;

/// The outcome of a disk operation.
pub(super) enum Fate {
    /// The operation succeeds.
    Done,
    /// The operation fails.
    #[cfg(debug_assertions)]
    Fails(io::Error),
    /// The operation is left half done, and the process ends.
    #[cfg(debug_assertions)]
    Kills,
}

impl Fate {
    /// Returns the outcome of the next operation.
    #[cfg(not(debug_assertions))]
    pub(super) const fn next() -> Self {
        Self::Done
    }

    /// Returns the outcome of the next operation.
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

    /// Applies this outcome to an operation; `half` is the part that is still done if it fails.
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

/// Runs an atomic operation, or injects its fault.
pub(super) fn operate<T>(operation: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    Fate::next().befall(|| (), operation)
}
