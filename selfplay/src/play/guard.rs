//! Panics of bots, which are faults to record, and of libraries that read damaged files.

use core::any::Any;
use core::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

/// A bot panicked: the text of the panic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BotPanic(pub String);

/// Lets bots do something, and catches their panic.
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

/// Lets a library read what may be damaged: where it panics, that is an error like any other, and nothing is printed.
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

/// The text of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (None, Some(text)) => text.clone(),
        (None, None) => "a panic without a message".to_owned(),
    }
}

thread_local! {
    /// Whether a panic on this thread is a bot's, which is a fault to record and not to print.
    static BOT_AT_WORK: Cell<bool> = const { Cell::new(false) };
}

/// Keeps the panics of bots, which are recorded as faults, from being printed as well.
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
