//! Processor time.

use core::time::Duration;
use std::time::Instant;

/// Measures the processor time that the calling thread spends, so that a budget buys the same on a busy machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    thread: Duration,
    day: Instant,
}

impl Stopwatch {
    /// Starts.
    pub(crate) fn start() -> Self {
        Self { thread: thread_time(), day: Instant::now() }
    }

    /// Tests if so much time has passed since the start.
    pub(crate) fn is_past(self, time: Duration) -> bool {
        // The time of day is quicker to ask for, and a thread cannot have used more than that.
        self.day.elapsed() >= time && thread_time().saturating_sub(self.thread) >= time
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
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
