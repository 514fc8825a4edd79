//! Programs as bots.

mod example_bot;
#[cfg(unix)]
mod programs;
#[cfg(unix)]
mod remedies;
