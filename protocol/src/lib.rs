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
mod question;
mod read;
mod start;

#[cfg(unix)]
mod batched;
#[cfg(unix)]
mod check;
#[cfg(unix)]
mod child;
#[cfg(unix)]
mod failures;
#[cfg(unix)]
mod finished;
#[cfg(unix)]
mod guard;
#[cfg(unix)]
mod in_flight;
#[cfg(unix)]
mod leg;
#[cfg(unix)]
mod link;
#[cfg(unix)]
mod probe;
#[cfg(unix)]
mod process;
#[cfg(unix)]
mod seated;
#[cfg(unix)]
mod tail;
#[cfg(not(unix))]
mod unsupported;

#[cfg(unix)]
pub use check::{Finding, Mark, Plan, check};
#[cfg(unix)]
pub use child::use_guards;
pub use engine::engine;
pub use engine::{EngineError, serve};
pub use fault_injection::{InjectedFault, ParseInjectedFaultError};
#[cfg(unix)]
pub use guard::guard;
pub use interrupt::STOP;
pub use interrupt::interrupt;
pub use log::StderrLog;
pub use lost::Halted;
pub use lost::ProgramLost;
pub use mixed_table::MixedTable;
#[cfg(unix)]
pub use probe::probe;
pub use program_info::ProgramInfo;
#[cfg(unix)]
pub use seated::{SeatedPrograms, seat_bot};
#[cfg(not(unix))]
pub use unsupported::{SeatedPrograms, probe, seat_bot};
