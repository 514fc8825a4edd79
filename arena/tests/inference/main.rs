//! The tests of the estimators and tests of `coinche_arena::stats`: published numbers, slow twins, simulations.
#![allow(clippy::unwrap_used, reason = "a test may fail at once")]

mod hypotheses;
mod paired;
mod ratings;
mod simulation;
