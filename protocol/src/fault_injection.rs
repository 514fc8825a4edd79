//! Engines that misbehave on purpose, for tests of this program and of others that talk to bots.

use std::io::{self, Write};
use std::str::FromStr;
use std::time::Duration;
use std::{process, thread};

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $name:literal,)*) => {
        /// The kind of fault to inject.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum InjectedKind {
            $($(#[$doc])* $kind,)*
        }

        const NAMES: &[&str] = &[$($name),*];
        const KINDS: &[InjectedKind] = &[$(InjectedKind::$kind),*];
    };
}
kinds! {
    /// Stops writing and reading.
    Hang = "hang",
    /// Does not answer this question.
    Mute = "mute",
    /// Ends with exit code 3.
    Crash = "crash",
    /// Is terminated by a signal.
    Abort = "abort",
    /// Ends in the middle of a line.
    Half = "half",
    /// Sends a line that is not JSON.
    Garbage = "garbage",
    /// Sends an unknown move.
    Illegal = "illegal",
    /// Sends the id of another question.
    OtherId = "wrong-id",
    /// Sends endless lines.
    Flood = "flood",
    /// Sends one endless line.
    Huge = "huge",
    /// Sends the answer, then an unrequested line.
    Chatter = "chatter",
    /// Writes a lot to stderr, then answers.
    Stderr = "stderr",
    /// Sends no greeting.
    NoHello = "no-hello",
    /// Sends a greeting of another protocol version.
    BadHello = "bad-hello",
    /// Exits at once.
    NoStart = "no-start",
    /// Ignores `quit`.
    Stay = "stay",
    /// Reports thoughts, which is not a fault.
    Think = "think",
}

/// A fault and its frequency: `crash/50` affects one question in fifty.
///
/// Whether a question is affected depends only on its seed, so asking it again triggers the fault again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InjectedFault {
    kind: InjectedKind,
    one_in: u64,
}

/// The error of parsing an [`InjectedFault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected NAME or NAME/N, with one of {}", NAMES.join(", "))]
pub struct ParseInjectedFaultError;

impl FromStr for InjectedFault {
    type Err = ParseInjectedFaultError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, one_in) = text.split_once('/').unwrap_or((text, "1"));
        let kind = NAMES.iter().position(|other| *other == name).map(|at| KINDS[at]);
        let one_in = one_in.parse().ok().filter(|one_in| *one_in > 0);
        kind.zip(one_in).map(|(kind, one_in)| Self { kind, one_in }).ok_or(ParseInjectedFaultError)
    }
}

impl InjectedFault {
    /// Tests if a question is affected.
    pub(super) fn affects(self, seed: u64) -> bool {
        seed.is_multiple_of(self.one_in)
    }

    /// Corrupts the answer to an affected question (its id and move); returns text to append to it.
    pub(super) fn corrupt(self, id: &mut u64, answer: &mut String) -> &'static str {
        match self.kind {
            InjectedKind::OtherId => *id += 1_000_000,
            InjectedKind::Illegal => "ZZ".clone_into(answer),
            InjectedKind::Think => return ",\"points\":-12.5,\"chance\":0.25",
            _ => {}
        }
        ""
    }

    /// Injects the fault before the answer to a line with an affected question; returns whether the answer is still to
    /// be sent.
    pub(super) fn inject_before(self, answer: &[u8], out: &mut dyn Write) -> io::Result<bool> {
        match self.kind {
            InjectedKind::Hang => hang(),
            InjectedKind::Mute => return Ok(false),
            InjectedKind::Crash => process::exit(3),
            InjectedKind::Abort => process::abort(),
            InjectedKind::Half => {
                out.write_all(&answer[..answer.len().min(15)])?;
                out.flush()?;
                process::exit(0);
            }
            InjectedKind::Garbage => {
                out.write_all(b"bestmove JH\n")?;
                out.flush()?;
                return Ok(false);
            }
            InjectedKind::Flood => loop {
                out.write_all(b"{\"type\":\"ready\"}\n")?;
            },
            InjectedKind::Huge => loop {
                out.write_all(&[b'x'; 4096])?;
            },
            InjectedKind::Stderr => {
                for _ in 0..1000 {
                    eprintln!("{}", "a word on every question ".repeat(50));
                }
            }
            _ => {}
        }
        Ok(true)
    }

    /// Injects the fault after the answer to a line with an affected question.
    pub(super) fn inject_after(self, out: &mut dyn Write) -> io::Result<()> {
        if self.kind == InjectedKind::Chatter {
            out.write_all(b"{\"type\":\"move\",\"id\":0,\"move\":\"P\"}\n")?;
        }
        Ok(())
    }

    /// Injects the fault before the greeting; returns whether the greeting is still to be sent.
    pub(super) fn inject_greeting(self, out: &mut dyn Write) -> io::Result<bool> {
        match self.kind {
            InjectedKind::NoHello => hang(),
            InjectedKind::NoStart => process::exit(4),
            InjectedKind::BadHello => {
                out.write_all(b"{\"type\":\"hello\",\"protocol\":7,\"name\":\"seven\"}\n")?;
                out.flush()?;
                Ok(false)
            }
            _ => Ok(true),
        }
    }

    /// Hangs instead of exiting, if that is the fault.
    pub(super) fn inject_exit(self) {
        if self.kind == InjectedKind::Stay {
            hang();
        }
    }
}

/// Waits forever.
fn hang() -> ! {
    loop {
        thread::sleep(Duration::from_hours(1));
    }
}
