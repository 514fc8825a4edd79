//! A run: its configuration, its directory, play, merge, audit, figures and the verdict in words.

pub(crate) mod audit;
pub(crate) mod checksums;
pub(crate) mod clock;
pub(crate) mod commit;
pub(crate) mod config;
pub(crate) mod control;
pub(crate) mod covariance;
pub(crate) mod damage;
pub(crate) mod differences;
pub(crate) mod directory;
pub(crate) mod figures;
pub(crate) mod job;
pub(crate) mod merge;
pub(crate) mod progress;
pub(crate) mod rows;
pub(crate) mod runner;
pub(crate) mod session;
pub(crate) mod signature;
pub(crate) mod steps;
pub(crate) mod totals;
pub(crate) mod verdict;
