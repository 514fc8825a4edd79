//! The command line, and the commands that have no floor of their own.

mod cli;
mod intervals;
#[cfg(unix)]
mod plan;
#[cfg(unix)]
mod plan_kinds;
mod solve;
mod status;
