//! The terminal: what the person reads and types.

use std::io::Write;

use coinche_selfplay::{ArenaError, Exit, Result, print};

/// An input of the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A line of text.
    Text(String),
    /// End of input: Ctrl-D, or the end of a pipe.
    End,
    /// Ctrl-C.
    Interrupted,
}

/// The input lines of the person, and the output.
pub struct Desk<'a> {
    /// Reads the next line.
    pub read: &'a mut dyn FnMut() -> Line,
    /// Where everything is printed.
    pub out: &'a mut dyn Write,
    /// Whether to echo the input, as for a pipe.
    pub echo: bool,
}

/// Why a deal is not played to its end.
#[derive(Debug)]
pub(super) enum Stop {
    /// The person has quit.
    Quit(Exit),
    Error(ArenaError),
}

impl From<ArenaError> for Stop {
    fn from(error: ArenaError) -> Self {
        Self::Error(error)
    }
}

/// The person's answer to a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// A call, a card, or something else: to be parsed.
    Answer(String),
    /// Nothing: show the table again.
    Again,
    Advice,
    Help,
}

impl Desk<'_> {
    /// Prints a text.
    pub(super) fn say(&mut self, text: &str) -> Result<()> {
        print(self.out, text)
    }

    /// Prompts, and returns the person's answer.
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
