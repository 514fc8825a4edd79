//! Programs as bots: processes with pipes and process groups, which needs a Unix system.

mod batch_queue;
mod check;
mod child;
mod confine;
mod failures;
mod guard;
mod in_flight;
mod leg;
mod link;
mod probe;
mod process;
mod seated;
mod tail;

pub use check::{CheckPlan, Finding, FindingKind, check};
pub use child::{own_engine, use_guards};
pub use confine::{ConfineError, confine};
pub use guard::guard;
pub(crate) use in_flight::ConcurrentTable;
pub use probe::probe;
pub use seated::{SeatedPrograms, seat_bot};
