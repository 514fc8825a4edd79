//! The request of the user to stop.

use std::sync::atomic::{AtomicBool, Ordering};

use coinche_selfplay::{Exit, ModuleError};

/// Set when the user asks to stop.
pub static STOP: AtomicBool = AtomicBool::new(false);

/// Requests a stop; returns whether it was requested before.
pub fn interrupt() -> bool {
    STOP.swap(true, Ordering::Relaxed)
}

/// The user asked to stop before anything was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("interrupted while the programs were started: nothing was played")]
pub(crate) struct Interrupted;

impl ModuleError for Interrupted {
    fn exit(&self) -> Exit {
        Exit::Interrupted
    }
}
