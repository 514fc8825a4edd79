//! Programs as bots.

#[cfg(unix)]
mod adversaries;
#[cfg(unix)]
mod batches;
mod example_bot;
#[cfg(unix)]
mod lost;
#[cfg(unix)]
mod programs;
#[cfg(unix)]
mod remedies;
#[cfg(target_os = "linux")]
mod survivors;
