//! The command line, and the commands that have no floor of their own.

mod cli;
mod solve;
