//! One table: who sits there, which legs are played, a leg from the deal to its score, and what is counted of it.

pub mod double_dummy;
pub mod freeze;
pub mod guard;
pub mod lineup;
pub mod match_run;
pub mod played;
pub mod schedule;
pub mod seating;
pub mod solvers;
pub mod table;
pub mod tally;
pub mod times;
