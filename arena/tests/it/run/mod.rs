//! Runs: the same bytes whatever happens, control variates, sequential tests, tuning, cross-play, leaderboards.

mod certainty;
mod control;
mod controlled_test;
mod crossplay;
mod damaged;
mod determinism;
mod durable;
mod experiments;
mod files;
mod laws;
mod leaderboard;
mod parts;
mod recounted;
mod repeated;
mod sequential;
mod steps;
mod tune;
mod verified;
mod waves;
mod write_faults;
