#![doc = include_str!("../README.md")]
//!
//! | module | |
//! |---|---|
//! | `question`, `message` | the questions, and the answers |
//! | `engine`, `read` | the program's side: parses questions, and has a bot answer |
//! | `mixed_table` | programs and built-in bots at one table |
//! | `programs::{in_flight, leg, batch_queue}` | many legs in flight, each with its pending question |
//! | `programs::{link, process, child, guard}` | a program as a process, with cleanup of all its descendants |
//! | `programs::confine` | a program in a sandbox |
//! | `programs::seated` | programs at a table with a person |
//! | `programs::{check, probe}` | the checks of `arena check-bot`; a trial start of programs before a run |

#![cfg_attr(not(unix), allow(dead_code, reason = "without programs as bots half of it has no use"))]

mod engine;
mod fault_injection;
#[doc(hidden)]
pub mod fuzz;
mod interrupt;
mod log;
mod lost;
mod message;
mod mixed_table;
mod program_info;
#[cfg_attr(not(unix), path = "programs/unsupported.rs")]
mod programs;
mod question;
mod read;

pub use engine::{EngineError, run_engine, serve, states};
pub use fault_injection::{InjectedFault, ParseInjectedFaultError};
pub use interrupt::{STOP, interrupt};
pub use log::StderrLog;
pub use lost::{Halted, ProgramLost};
pub use mixed_table::MixedTable;
pub use program_info::ProgramInfo;
#[cfg(unix)]
pub use programs::{CheckPlan, Finding, FindingKind, check, guard, use_guards};
pub use programs::{ConfineError, SeatedPrograms, confine, own_engine, probe, seat_bot};
