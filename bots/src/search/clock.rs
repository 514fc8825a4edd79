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

    /// Returns the time since the start.
    pub(crate) fn elapsed(self) -> Duration {
        thread_time().saturating_sub(self.thread)
    }

    /// Tests if so much time has passed since the start.
    pub(crate) fn is_past(self, time: Duration) -> bool {
        // The time of day is quicker to ask for, and a thread cannot have used more than that.
        self.day.elapsed() >= time && self.elapsed() >= time
    }
}

/// The time of all cards of a deal, of which each decision takes its part: in the first tricks, where most is hidden and most is to be gained,
/// more than the mean; what forced and clear cards leave is for the others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DealClock {
    /// For a card, on average.
    mean: Duration,
    /// How many tricks were finished at the first card that was asked for, and at the last.
    tricks: Option<(usize, usize)>,
    spent: Duration,
}

impl DealClock {
    /// How what is left is shared out between the card of a trick and those after it.
    const PARTS: [u32; 8] = [12, 7, 5, 3, 2, 1, 1, 1];

    /// Makes one for cards that take so much time on average.
    pub(crate) const fn new(mean: Duration) -> Self {
        Self { mean, tricks: None, spent: Duration::ZERO }
    }

    /// A new deal begins.
    pub(crate) const fn start(&mut self) {
        *self = Self::new(self.mean);
    }

    /// Returns the time for a decision after this many tricks; never none at all.
    pub(crate) fn allows(&mut self, tricks: usize) -> Duration {
        let (first, last) = self.tricks.unwrap_or((tricks, tricks));
        if tricks < last {
            // Another deal, or the same from its beginning.
            self.start();
            return self.allows(tricks);
        }
        self.tricks = Some((first, tricks));
        let cards = u32::try_from(8 - first).unwrap_or(8);
        let left = (self.mean * cards).saturating_sub(self.spent);
        let parts: u32 = Self::PARTS[tricks..].iter().sum();
        (left * Self::PARTS[tricks] / parts).max(self.mean / 4)
    }

    /// Takes off what a decision has used.
    pub(crate) fn take(&mut self, used: Duration) {
        self.spent += used;
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

#[cfg(test)]
mod tests {
    use super::*;

    const MEAN: Duration = Duration::from_millis(1);

    #[test]
    fn a_deal_takes_the_mean_of_its_cards_at_most() {
        for first in 0..8 {
            let mut clock = DealClock::new(MEAN);
            let mut spent = Duration::ZERO;
            for tricks in first..8 {
                let allowed = clock.allows(tricks);
                // Every third card is forced.
                let used = if tricks % 3 == 1 { Duration::ZERO } else { allowed };
                clock.take(used);
                spent += used;
            }
            let cards = u32::try_from(8 - first).unwrap();
            assert!(spent <= MEAN * cards, "{first}: {spent:?}");
            assert!(first > 5 || spent > MEAN * cards / 3, "{first}: {spent:?}");
        }
    }

    #[test]
    fn the_first_card_has_most_and_the_next_deal_as_much() {
        let mut clock = DealClock::new(MEAN);
        let first = clock.allows(0);
        assert_eq!(first, MEAN * 8 * 12 / 32);
        clock.take(MEAN * 100);
        // Overdrawn, and still not without time.
        assert_eq!(clock.allows(5), MEAN / 4);
        assert_eq!(clock.allows(0), first);
        clock.take(MEAN);
        clock.start();
        assert_eq!(clock.allows(0), first);
    }
}
