#![doc = include_str!("../README.md")]
//!
//! | module | |
//! |---|---|
//! | `in_flight`, `leg`, `batched` | many legs in flight, each with its pending question |
//! | `question`, `message` | the questions, and the answers |
//! | `link`, `process`, `child`, `guard` | a program as a process, with cleanup of all its descendants |
//! | `engine`, `read` | the program's side: parses questions, and has a bot answer |
//! | `mixed_table`, `seated` | programs and built-in bots at one table, without a person and with one |
//! | `check`, `probe` | the checks of `arena check-bot`; a trial start of programs before a run |

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

pub use engine::{EngineError, run_engine, serve};
pub use fault_injection::{InjectedFault, ParseInjectedFaultError};
pub use interrupt::{STOP, interrupt};
pub use log::StderrLog;
pub use lost::{Halted, ProgramLost};
pub use mixed_table::MixedTable;
pub use program_info::ProgramInfo;
#[cfg(unix)]
pub use programs::{CheckPlan, Finding, FindingKind, check, guard, use_guards};
pub use programs::{SeatedPrograms, probe, seat_bot};
