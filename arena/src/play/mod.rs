//! One table: who sits there, which legs are played, a leg from the deal to its score, and what is counted of it.

pub(crate) mod double_dummy;
pub(crate) mod freeze;
pub(crate) mod guard;
pub(crate) mod lineup;
pub(crate) mod match_run;
pub(crate) mod played;
pub(crate) mod schedule;
pub(crate) mod seating;
pub(crate) mod solvers;
pub(crate) mod table;
pub(crate) mod tally;
pub(crate) mod times;
