//! Engines that misbehave on purpose, for tests of this program and of others that talk to bots.

use std::io::{self, Write};
use std::process;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

/// The kind of fault to inject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrong {
    /// Stops writing and reading.
    Hang,
    /// Does not answer this question.
    Mute,
    /// Ends with exit code 3.
    Crash,
    /// Is terminated by a signal.
    Abort,
    /// Ends in the middle of a line.
    Half,
    /// Sends a line that is not JSON.
    Garbage,
    /// Sends an unknown move.
    Illegal,
    /// Sends the id of another question.
    OtherId,
    /// Sends endless lines.
    Flood,
    /// Sends one endless line.
    Huge,
    /// Sends the answer, then an unrequested line.
    Chatter,
    /// Writes a lot to stderr, then answers.
    Stderr,
    /// Sends no greeting.
    NoHello,
    /// Sends a greeting of another protocol version.
    BadHello,
    /// Exits at once.
    NoStart,
    /// Ignores `quit`.
    Stay,
    /// Reports thoughts, which is not a fault.
    Think,
}

const WRONGS: [(&str, Wrong); 17] = [
    ("hang", Wrong::Hang),
    ("mute", Wrong::Mute),
    ("crash", Wrong::Crash),
    ("abort", Wrong::Abort),
    ("half", Wrong::Half),
    ("garbage", Wrong::Garbage),
    ("illegal", Wrong::Illegal),
    ("wrong-id", Wrong::OtherId),
    ("flood", Wrong::Flood),
    ("huge", Wrong::Huge),
    ("chatter", Wrong::Chatter),
    ("stderr", Wrong::Stderr),
    ("no-hello", Wrong::NoHello),
    ("bad-hello", Wrong::BadHello),
    ("no-start", Wrong::NoStart),
    ("stay", Wrong::Stay),
    ("think", Wrong::Think),
];

/// A fault and its frequency: `crash/50` affects one question in fifty.
///
/// Whether a question is affected depends only on its seed, so asking it again triggers the fault again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InjectedFault {
    wrong: Wrong,
    one_in: u64,
}

/// The error of parsing an [`InjectedFault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected NAME or NAME/N, with one of {}", WRONGS.map(|(name, _)| name).join(", "))]
pub struct ParseInjectedFaultError;

impl FromStr for InjectedFault {
    type Err = ParseInjectedFaultError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, one_in) = text.split_once('/').unwrap_or((text, "1"));
        let wrong = WRONGS.iter().find(|(other, _)| *other == name).map(|(_, wrong)| *wrong);
        let one_in = one_in.parse().ok().filter(|one_in| *one_in > 0);
        wrong.zip(one_in).map(|(wrong, one_in)| Self { wrong, one_in }).ok_or(ParseInjectedFaultError)
    }
}

impl InjectedFault {
    /// Tests if a question is affected.
    pub(super) fn strikes(self, seed: u64) -> bool {
        seed.is_multiple_of(self.one_in)
    }

    /// Corrupts the answer to an affected question (its id and move); returns text to append to it.
    pub(super) fn spoil(self, id: &mut u64, answer: &mut String) -> &'static str {
        match self.wrong {
            Wrong::OtherId => *id += 1_000_000,
            Wrong::Illegal => "ZZ".clone_into(answer),
            Wrong::Think => return ",\"points\":-12.5,\"chance\":0.25",
            _ => {}
        }
        ""
    }

    /// Injects the fault before the answer to a line with an affected question; returns whether the answer is still to
    /// be sent.
    pub(super) fn strike(self, answer: &[u8], out: &mut dyn Write) -> io::Result<bool> {
        match self.wrong {
            Wrong::Hang => hang(),
            Wrong::Mute => return Ok(false),
            Wrong::Crash => process::exit(3),
            Wrong::Abort => process::abort(),
            Wrong::Half => {
                out.write_all(&answer[..answer.len().min(15)])?;
                out.flush()?;
                process::exit(0);
            }
            Wrong::Garbage => {
                out.write_all(b"bestmove JH\n")?;
                out.flush()?;
                return Ok(false);
            }
            Wrong::Flood => loop {
                out.write_all(b"{\"type\":\"ready\"}\n")?;
            },
            Wrong::Huge => loop {
                out.write_all(&[b'x'; 4096])?;
            },
            Wrong::Stderr => {
                for _ in 0..1000 {
                    eprintln!("{}", "a word on every question ".repeat(50));
                }
            }
            _ => {}
        }
        Ok(true)
    }

    /// Injects the fault after the answer to a line with an affected question.
    pub(super) fn follow(self, out: &mut dyn Write) -> io::Result<()> {
        if self.wrong == Wrong::Chatter {
            out.write_all(b"{\"type\":\"move\",\"id\":0,\"move\":\"P\"}\n")?;
        }
        Ok(())
    }

    /// Injects the fault before the greeting; returns whether the greeting is still to be sent.
    pub(super) fn greet(self, out: &mut dyn Write) -> io::Result<bool> {
        match self.wrong {
            Wrong::NoHello => hang(),
            Wrong::NoStart => process::exit(4),
            Wrong::BadHello => {
                out.write_all(b"{\"type\":\"hello\",\"protocol\":7,\"name\":\"seven\"}\n")?;
                out.flush()?;
                Ok(false)
            }
            _ => Ok(true),
        }
    }

    /// Hangs instead of exiting, if that is the fault.
    pub(super) fn part(self) {
        if self.wrong == Wrong::Stay {
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
