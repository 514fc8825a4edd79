//! Catches panics of bots, which are recorded as faults, and of libraries that read damaged files.

use core::any::Any;
use core::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// A panic of a bot, with its text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BotPanic(pub String);

/// Runs bots and catches their panics.
///
/// # Errors
///
/// When the work panics, with the text of the panic.
#[inline]
pub fn guarded(work: impl FnOnce()) -> Result<(), BotPanic> {
    BOT_AT_WORK.set(true);
    let worked = panic::catch_unwind(AssertUnwindSafe(work));
    BOT_AT_WORK.set(false);
    worked.map_err(|panic| BotPanic(message(panic.as_ref())))
}

/// Runs a library on data that may be damaged: a panic becomes an ordinary error, and nothing is printed.
///
/// # Errors
///
/// When the library panics, with the text of the panic.
pub fn guarded_reading<T>(read: impl FnOnce() -> T) -> Result<T, BotPanic> {
    silence_bots();
    let mut done = None;
    guarded(|| done = Some(read()))?;
    done.ok_or_else(|| BotPanic("it was not read".to_owned()))
}

/// Returns the text of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (None, Some(text)) => text.clone(),
        (None, None) => "a panic without a message".to_owned(),
    }
}

thread_local! {
    /// Whether a panic on this thread is a bot's: recorded as a fault, not printed.
    static BOT_AT_WORK: Cell<bool> = const { Cell::new(false) };
}

/// Stops the panics of bots, which are recorded as faults, from being printed.
pub fn silence_bots() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !BOT_AT_WORK.get() {
                print(info);
            }
        }));
    });
}
