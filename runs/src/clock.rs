//! The duration of a run, and timestamps for names.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use coinche_inference::Merge;
use coinche_selfplay::BotTimes;

use crate::commit::BUILD;
use coinche_protocol::ProgramInfo;

/// The duration of a run, in all the processes that played it.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    /// The time that earlier processes took.
    pub before: Duration,
    /// The times of decisions, by bot.
    pub times: Vec<BotTimes>,
    /// The programs, as reported to the last process.
    pub programs: Vec<ProgramInfo>,
    /// The builds that played: [`BUILD`].
    pub builds: Vec<String>,
}

impl Clock {
    /// Adds times of decisions measured by this build.
    pub fn add_own(&mut self, times: &[BotTimes]) {
        self.add(times);
        self.add_build(BUILD);
    }

    /// Adds a build that played.
    pub fn add_build(&mut self, build: &str) {
        if let Err(at) = self.builds.binary_search_by(|other| other.as_str().cmp(build)) {
            self.builds.insert(at, build.to_owned());
        }
    }

    /// Adds the times of other decisions.
    pub fn add(&mut self, times: &[BotTimes]) {
        self.times.resize_with(self.times.len().max(times.len()), BotTimes::default);
        for (all, times) in self.times.iter_mut().zip(times) {
            all.merge(times);
        }
    }
}

/// Formats a time as `2026-11-20-112233`, in UTC.
pub fn time_stamp(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Howard Hinnant's `civil_from_days`, with years that begin in March.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}-{hour:02}{minute:02}{second:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn time_stamps_are_dates() {
        let stamp = |seconds| time_stamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(stamp(0), "1970-01-01-000000");
        assert_eq!(stamp(951_782_399), "2000-02-28-235959");
        assert_eq!(stamp(951_782_400), "2000-02-29-000000");
        assert_eq!(stamp(1_795_174_953), "2026-11-20-114233");
    }
}
