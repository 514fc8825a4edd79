//! Processor time.

use core::time::Duration;

/// Measures the processor time that the calling thread spends, so that a budget buys the same on a busy machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Duration);

impl Stopwatch {
    /// Starts.
    pub(crate) fn start() -> Self {
        Self(thread_time())
    }

    /// Returns the time since the start.
    pub(crate) fn elapsed(self) -> Duration {
        thread_time().saturating_sub(self.0)
    }
}

/// Returns the processor time that the calling thread has used; where the system has no such clock, the time of
/// day stands in for it.
#[cfg(unix)]
fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// Returns the time of day, from some start.
#[cfg(not(unix))]
fn thread_time() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
