//! Runs: the same bytes whatever happens, sequential tests, tuning, cross-play.

mod crossplay;
mod determinism;
mod durable;
mod experiments;
mod sequential;
mod tune;
