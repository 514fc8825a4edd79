//! Engines that misbehave on purpose: for tests of this program and of others that talk to bots.

use std::io::{self, Write};
use std::process;
use std::str::FromStr;
use std::thread;
use std::time::Duration;

/// What an engine does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wrong {
    /// Says nothing, and hears nothing more.
    Hang,
    /// Says nothing to this question.
    Mute,
    /// Ends with exit code 3.
    Crash,
    /// Ends by a signal.
    Abort,
    /// Ends in the middle of a line.
    Half,
    /// A line that is no JSON.
    Garbage,
    /// A move that there is not.
    Illegal,
    /// The number of another question.
    OtherId,
    /// Lines without end.
    Flood,
    /// A line without end.
    Huge,
    /// The answer, and then a line that nobody asked for.
    Chatter,
    /// A great deal on the standard error, then the answer.
    Stderr,
    /// No greeting.
    NoHello,
    /// A greeting of another protocol.
    BadHello,
    /// Ends at once.
    NoStart,
    /// Stays when it is told to quit.
    Stay,
    /// Tells what it thinks, which is not wrong.
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

/// What an engine does wrong, and how often: `crash/50` at one question in fifty.
///
/// Whether a question is struck depends on its seed alone, so that it is struck again when it is asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InjectedFault {
    wrong: Wrong,
    one_in: u64,
}

/// The error of reading an [`InjectedFault`].
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
    /// Tests if a question is struck.
    pub(super) fn strikes(self, seed: u64) -> bool {
        seed.is_multiple_of(self.one_in)
    }

    /// Spoils the answer to a struck question: its number and move; returns what is to be added to it.
    pub(super) fn spoil(self, id: &mut u64, answer: &mut String) -> &'static str {
        match self.wrong {
            Wrong::OtherId => *id += 1_000_000,
            Wrong::Illegal => "ZZ".clone_into(answer),
            Wrong::Think => return ",\"points\":-12.5,\"chance\":0.25",
            _ => {}
        }
        ""
    }

    /// Does wrong instead of answering a line with a struck question; says if the answer is wanted after
    /// all.
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

    /// Does wrong after the answer to a line with a struck question.
    pub(super) fn follow(self, out: &mut dyn Write) -> io::Result<()> {
        if self.wrong == Wrong::Chatter {
            out.write_all(b"{\"type\":\"move\",\"id\":0,\"move\":\"P\"}\n")?;
        }
        Ok(())
    }

    /// Does wrong instead of the greeting; says if it is wanted after all.
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

    /// Stays when it should end.
    pub(super) fn part(self) {
        if self.wrong == Wrong::Stay {
            hang();
        }
    }
}

/// Waits for ever.
fn hang() -> ! {
    loop {
        thread::sleep(Duration::from_hours(1));
    }
}
