//! Bots from outside: the line protocol of `docs/protocol.md`, both ways round.
//!
//! A program is asked by [`in_flight`]: many legs in flight, each with its questions ([`question`]) on the way to the
//! processes ([`link`], [`process`]). What it answers is read by [`message`]. The other way round `engine`
//! reads the questions ([`read`]) and lets a bot of the registry answer.

#![cfg_attr(not(unix), allow(dead_code, reason = "without programs as bots half of it has no use"))]

mod engine;
mod fault_injection;
pub(crate) mod fuzz;
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
pub(crate) use check::{Finding, Mark, Plan, check};
#[cfg(unix)]
pub(crate) use child::use_guards;
pub(crate) use engine::engine;
pub use engine::{EngineError, serve};
pub use fault_injection::{InjectedFault, ParseInjectedFaultError};
#[cfg(unix)]
pub(crate) use guard::guard;
pub(crate) use interrupt::STOP;
pub use interrupt::interrupt;
pub use log::StderrLog;
pub(crate) use lost::Halted;
pub use lost::ProgramLost;
pub use mixed_table::MixedTable;
#[cfg(unix)]
pub(crate) use probe::probe;
pub use program_info::ProgramInfo;
#[cfg(unix)]
pub(crate) use seated::{SeatedPrograms, seat_bot};
#[cfg(not(unix))]
pub(crate) use unsupported::{SeatedPrograms, probe, seat_bot};
