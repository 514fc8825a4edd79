//! The tests of the arena as a program and of what it is built of: one program, a folder for each floor.
#![cfg_attr(not(unix), allow(unused_imports, reason = "tests of programs and signals are left out"))]
#![allow(clippy::unwrap_used, reason = "a test may fail at once")]
#![allow(clippy::disallowed_methods, reason = "a test compares with some digits to spare")]

mod analysis;
mod commands;
mod common;
mod docs;
mod document;
mod floors;
mod fuzz_bodies;
mod play;
mod protocol;
mod records;
mod run;
