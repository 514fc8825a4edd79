//! One table: seating, schedule, play from the deal to the score, and counting.

pub mod double_dummy;
pub mod freeze;
pub mod lineup;
pub mod match_run;
pub mod played;
pub mod schedule;
pub mod seating;
pub mod solvers;
pub mod table;
pub mod tally;
pub mod times;
