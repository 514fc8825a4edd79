//! How long a player thinks.

use core::time::Duration;

use super::Stopwatch;
use crate::{ParamError, ParamInfo, Params};

/// The parameter that limits the time of a decision.
pub(crate) const TIME_PARAM: ParamInfo = params! {
    "time" = "none", "a time such as `500us`, `20ms` or `1s`, up to an hour, or none",
        "processor time for a decision; the answer then depends on the machine";
}[0];

/// What a decision may cost: a number of whatever is counted, and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    count: usize,
    time: Option<Duration>,
}

impl Limits {
    /// The most that may be counted.
    const MOST: usize = 1_000_000;

    /// Reads them: the parameter `count` and `time`. With a time alone there is no other limit.
    pub(crate) fn from_params(params: &Params, count: &str) -> Result<Self, ParamError> {
        let time = match params.text("time") {
            "none" => None,
            text => Some(duration(text).ok_or_else(|| params.illegal("time"))?),
        };
        let number = params.number(count, 1..=Self::MOST)?;
        let count = if time.is_some() && !params.is_given(count) { Self::MOST } else { number };
        Ok(Self { count, time })
    }

    /// Limits the time to this.
    pub(crate) const fn within(self, time: Duration) -> Self {
        Self { time: Some(time), ..self }
    }

    /// Returns the time.
    pub(crate) const fn time(self) -> Option<Duration> {
        self.time
    }

    /// Limits the count alone.
    pub(crate) const fn of_count(count: usize) -> Self {
        Self { count, time: None }
    }

    /// Returns the most that may be counted.
    pub(crate) const fn count(self) -> usize {
        self.count
    }

    /// Tests if `share` of the time (0 to 1) is over; never where time is not limited.
    pub(crate) fn is_over(self, watch: Stopwatch, share: f64) -> bool {
        self.time.is_some_and(|time| watch.is_past(time.mul_f64(share)))
    }
}

/// Reads a time from a microsecond to an hour: `500us`, `20ms`, `1s`.
pub fn duration(text: &str) -> Option<Duration> {
    let units = [("us", 1), ("ms", 1000), ("s", 1_000_000)];
    let (number, unit) = units.into_iter().find_map(|(unit, size)| Some((text.strip_suffix(unit)?, size)))?;
    let time = Duration::from_micros(number.parse::<u64>().ok()?.checked_mul(unit)?);
    (Duration::from_micros(1)..=Duration::from_hours(1)).contains(&time).then_some(time)
}
