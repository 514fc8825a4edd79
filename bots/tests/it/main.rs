//! The tests of the bots that use only their public interface: one program, a module for each subject.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail where the tests would")]
#![allow(clippy::disallowed_methods, reason = "a test compares with some digits to spare")]

mod alphamu;
mod common;
mod conformance;
mod directions;
mod net;
mod net_cards;
mod net_reading;
mod open;
mod pimc;
mod playouts;
mod reading;
mod registry;
mod system;
mod table;
mod ties;
mod worlds;
