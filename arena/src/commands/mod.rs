//! The commands of the program, one a file.

mod run;

pub use run::{RunArgs, interrupt, run};
