//! Runs of Belote and Coinche deals: configuration, directory, play on all cores, resuming and merging, audit, the figures
//! and the verdict; and the form in which every job that can be divided is kept ([`job`]).

#![allow(clippy::missing_errors_doc, reason = "the variants of the error types say what can go wrong")]

pub mod audit;
pub mod clock;
pub mod commit;
pub mod config;
pub mod control;
pub(crate) mod covariance;
pub mod damage;
pub mod differences;
pub mod directory;
pub mod figures;
pub mod job;
mod mean;
pub mod merge;
pub mod progress;
pub mod rows;
pub mod runner;
pub mod session;
pub mod signature;
pub mod steps;
pub mod totals;
pub mod verdict;

pub use clock::{Clock, time_stamp};
pub use commit::{COMMIT, LONG_VERSION};
pub use config::{
    CommandLine, ConfigError, Confine, Control, Crossplay, DEFAULT_DEALS, MOST_DEALS, Records, RulePage,
    RulesText, RunConfig, RunFile, Shard, TimesMode, check_fields, draw_seed, known_control, load_rules,
    nearest_preset, rules_in_words, rules_of_deals,
};
pub use control::{Controlled, InCommon};
pub use damage::Damage;
pub use directory::RunDir;
pub use figures::RunJson;
pub use job::{
    Form, Held, Identity, Job, LOCK, MergeError, NotEnded, Pace, PartDir, Parts, STATE, SavedSink, State,
    SumJob, Task,
};
pub use rows::config_of;
pub use runner::{Batch, Next};
pub use session::{PlayedRun, play_run};
pub use steps::Stretch;
pub use totals::Totals;
