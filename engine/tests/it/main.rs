//! The tests of the engine that use only its public interface: one program, a module for each subject.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod auction;
mod common;
mod conformance;
mod dealing;
mod effects;
mod encoding;
mod fuzz_bodies;
mod laws;
mod observation;
mod perft;
mod play;
mod playthroughs;
mod position;
mod rulebook;
mod scoring;
mod solver;
mod state_bytes;
mod view;
