//! Runs: the same bytes whatever happens, control variates, sequential tests, tuning, cross-play, leaderboards.

mod certainty;
mod control;
mod controlled_test;
mod crossplay;
mod determinism;
mod durable;
mod experiments;
mod files;
mod leaderboard;
mod recounted;
mod sequential;
mod tune;
mod verified;
mod write_faults;
