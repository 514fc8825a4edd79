//! Where the person reads and types.

use std::io::Write;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;

/// What comes from the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Line {
    Text(String),
    /// The input has ended: Ctrl-D, or the end of a pipe.
    End,
    /// Ctrl-C.
    Interrupted,
}

/// The lines that the person types, and what is printed for them.
pub(crate) struct Desk<'a> {
    pub(crate) read: &'a mut dyn FnMut() -> Line,
    pub(crate) out: &'a mut dyn Write,
    /// Whether what is typed is to be printed, since nothing else does: the input is a pipe.
    pub(crate) echo: bool,
}

/// Why a deal is not played to its end.
#[derive(Debug)]
pub(super) enum Stop {
    /// The person has had enough.
    Quit(Exit),
    Error(ArenaError),
}

impl From<ArenaError> for Stop {
    fn from(error: ArenaError) -> Self {
        Self::Error(error)
    }
}

/// What the person types at a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// A call, a card, or something else: to be read.
    Answer(String),
    /// Nothing: show the table again.
    Again,
    Advice,
    Help,
}

impl Desk<'_> {
    /// Prints a text.
    ///
    /// # Errors
    ///
    /// When the output cannot be written.
    pub(super) fn say(&mut self, text: &str) -> Result<(), ArenaError> {
        print(self.out, text)
    }

    /// Asks, and returns what the person types.
    ///
    /// # Errors
    ///
    /// When the person wants to stop, or the output cannot be written.
    pub(super) fn ask(&mut self, prompt: &str) -> Result<Typed, Stop> {
        self.say(&format!("{prompt}> "))?;
        let text = match (self.read)() {
            Line::Text(text) => text,
            end @ (Line::End | Line::Interrupted) => {
                self.say("\n")?;
                let exit = if end == Line::End { Exit::Done } else { Exit::Interrupted };
                return Err(Stop::Quit(exit));
            }
        };
        let text = text.trim();
        if self.echo {
            self.say(&format!("{text}\n"))?;
        }
        match text.to_lowercase().as_str() {
            "quit" | "exit" | "q" | "quitter" => Err(Stop::Quit(Exit::Done)),
            "" => Ok(Typed::Again),
            "?" | "advice" | "conseil" => Ok(Typed::Advice),
            "help" | "aide" => Ok(Typed::Help),
            _ => Ok(Typed::Answer(text.to_owned())),
        }
    }
}
