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
pub mod merge;
pub mod progress;
pub mod rows;
pub mod runner;
pub mod session;
pub mod signature;
pub mod steps;
pub mod totals;
pub mod verdict;
