//! The tests of the statistics: published numbers, slow twins, simulations.
#![allow(clippy::unwrap_used, reason = "a test may fail at once")]
#![allow(clippy::disallowed_methods, reason = "a test compares with some digits to spare")]

mod controlled;
mod hypotheses;
mod paired;
mod rare;
mod ratings;
mod simulation;

/// Tells whether the tests are to take their long form: `COINCHE_LONG=1`, as the nightly run sets it.
pub(crate) fn long() -> bool {
    std::env::var_os("COINCHE_LONG").is_some_and(|value| !value.is_empty() && value != "0")
}
