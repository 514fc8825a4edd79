//! Parsing what a program sends.

use coinche_bots::Program;

use super::LinkState;
use crate::message::{BotLine, BotLineError, Hello};

/// The content of a line, without borrowing from it.
pub(super) enum Reply {
    /// An empty line.
    Empty,
    Hello(Box<Hello>),
    Ready,
    Answers(Vec<(u64, String, Option<f64>, Option<f64>)>),
}

/// Parses a line according to the state of the link.
pub(super) fn read_reply(state: LinkState, line: &[u8]) -> Result<Reply, BotLineError> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Ok(Reply::Empty);
    }
    let line = BotLine::parse(line)?;
    Ok(match state {
        LinkState::Greeting => Reply::Hello(Box::new(line.into_hello()?)),
        LinkState::Starting => {
            line.into_ready()?;
            Reply::Ready
        }
        _ => {
            let answers = line.into_answers()?.into_iter();
            Reply::Answers(answers.map(|it| (it.id, it.text.into_owned(), it.points, it.chance)).collect())
        }
    })
}

/// Checks that the bot offers the options that are set.
pub(super) fn check_options(program: &Program, hello: &Hello) -> Result<(), BotLineError> {
    for (name, _) in &program.options {
        if !hello.options.iter().any(|option| option.name == *name) {
            let offered = hello.options.iter().map(|option| option.name.clone()).collect();
            let own = Program::PARAMS.iter().map(|info| info.name).collect();
            return Err(BotLineError::NoOption { name: name.clone(), offered, own });
        }
    }
    Ok(())
}
