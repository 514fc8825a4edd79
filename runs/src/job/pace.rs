//! Chooses how much work to do per step.

use core::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// The target duration of a step: an interrupted command waits for its end, and nothing is saved before.
const STEP: Duration = Duration::from_millis(500);

/// Adapts the size of steps so that each takes about half a second. No result depends on it.
#[derive(Debug)]
pub struct Pace {
    sizes: RangeInclusive<u64>,
    size: u64,
    began: Instant,
}

impl Pace {
    /// Starts with the smallest step.
    pub fn new(sizes: RangeInclusive<u64>) -> Self {
        Self { size: *sizes.start(), sizes, began: Instant::now() }
    }

    /// Starts a step now and returns its size.
    pub fn step(&mut self) -> u64 {
        self.began = Instant::now();
        self.size
    }

    /// Ends the step and adapts the size.
    pub fn is_over(&mut self) {
        let size = if self.began.elapsed() < STEP { 2 * self.size } else { self.size / 2 };
        self.size = size.clamp(*self.sizes.start(), *self.sizes.end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_grow_as_far_as_they_may_and_shrink_when_they_take_long() {
        let mut pace = Pace::new(4..=20);
        let mut sizes = Vec::new();
        for _ in 0..4 {
            sizes.push(pace.step());
            pace.is_over();
        }
        pace.step();
        pace.began -= 2 * STEP;
        pace.is_over();
        sizes.push(pace.step());
        assert_eq!(sizes, [4, 8, 16, 20, 10]);
    }
}
