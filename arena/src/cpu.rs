//! What work costs: the processor time of a thread, and how it is spread.

use std::time::Duration;

/// Returns the processor time that the calling thread has used.
///
/// The difference of two readings does not depend on what else the machine does, but for the caches.
/// Where the system has no such clock, the time of day stands in for it.
#[cfg(unix)]
pub(crate) fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
}

#[cfg(not(unix))]
pub(crate) fn thread_time() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Each power of two is divided into this many classes: quantiles are right to within 0.8 %.
const CLASSES: u64 = 128;

/// Counts times by class: mean and quantiles of any number of them in 60 KiB.
#[derive(Debug, Clone)]
pub(crate) struct Spread {
    counts: Vec<u64>,
    number: u64,
    sum: Duration,
}

impl Default for Spread {
    fn default() -> Self {
        Self { counts: vec![0; class(u64::MAX) + 1], number: 0, sum: Duration::ZERO }
    }
}

/// The class of a number of nanoseconds: the number itself below 128, then 128 to each power of two.
#[expect(clippy::cast_possible_truncation, reason = "below 60 * 128")]
const fn class(nanoseconds: u64) -> usize {
    let octave = (nanoseconds | (CLASSES / 2)).ilog2() + 1 - CLASSES.ilog2();
    if octave == 0 {
        return nanoseconds as usize;
    }
    let within = (nanoseconds >> (octave - 1)) - CLASSES;
    (octave as u64 * CLASSES + within) as usize
}

/// The least number of nanoseconds in a class.
const fn least(class: usize) -> u64 {
    let (octave, within) = (class as u64 / CLASSES, class as u64 % CLASSES);
    if octave == 0 { within } else { (CLASSES + within) << (octave - 1) }
}

impl Spread {
    /// Adds a time.
    pub(crate) fn add(&mut self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.counts[class(nanoseconds)] += 1;
        self.number += 1;
        self.sum += time;
    }

    /// Returns how many times were added.
    pub(crate) const fn number(&self) -> u64 {
        self.number
    }

    /// Returns the mean, zero of none.
    pub(crate) fn mean(&self) -> Duration {
        u32::try_from(self.number)
            .map_or(Duration::ZERO, |number| if number == 0 { Duration::ZERO } else { self.sum / number })
    }

    /// Returns the time that `percent` of those added do not exceed.
    pub(crate) fn quantile(&self, percent: u64) -> Duration {
        let wanted = (self.number * percent).div_ceil(100).max(1);
        let mut below = 0;
        for (class, count) in self.counts.iter().enumerate() {
            below += count;
            if below >= wanted {
                return Duration::from_nanos(least(class));
            }
        }
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_narrow_and_in_order() {
        let mut last = 0;
        for exponent in 0..64 {
            for nanoseconds in [1u64 << exponent, (1 << exponent) + (1 << exponent) / 3] {
                let class = class(nanoseconds);
                assert!(class >= last);
                last = class;
                let low = least(class);
                assert!(low <= nanoseconds && nanoseconds - low <= nanoseconds / CLASSES, "{nanoseconds}");
            }
        }
    }

    #[test]
    fn quantiles_of_a_hundred() {
        let mut spread = Spread::default();
        for n in 1..=100 {
            spread.add(Duration::from_nanos(n));
        }
        assert_eq!(spread.number(), 100);
        assert_eq!(spread.mean(), Duration::from_nanos(50));
        assert_eq!(spread.quantile(50), Duration::from_nanos(50));
        assert_eq!(spread.quantile(95), Duration::from_nanos(95));
    }

    #[test]
    fn the_clock_runs() {
        let before = thread_time();
        let mut n = 0u64;
        while thread_time() == before {
            n = std::hint::black_box(n + 1);
        }
        assert!(thread_time() > before);
    }
}
