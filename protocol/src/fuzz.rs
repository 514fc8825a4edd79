//! The bodies of the fuzz targets of the line protocol.

use coinche_bots::Registry;

use crate::engine::{EngineError, run_engine};
use crate::message::{BotLine, BotLineError};
use crate::read::ArenaLineError;

/// Parses lines of a bot, each as an answer to every kind of question.
pub fn bot_lines(data: &[u8]) {
    for line in data.split(|byte| *byte == b'\n') {
        let check = |parsed: Result<(), BotLineError>| {
            assert!(parsed.err().is_none_or(|error| !error.to_string().is_empty()));
        };
        check(BotLine::parse(line).and_then(BotLine::into_hello).map(drop));
        check(BotLine::parse(line).and_then(BotLine::into_ready));
        check(BotLine::parse(line).and_then(BotLine::into_answers).map(drop));
    }
}

/// Feeds lines of the arena to a bot: each is answered or rejected, without a panic.
pub fn arena_lines(data: &[u8]) {
    let registry = Registry::builtin();
    let spec = registry.parse("rules").expect("a bot of the registry");
    let mut out = Vec::new();
    if let Err(EngineError::Line(error)) =
        run_engine(&|| spec.build(), &|_| Ok(()), None, &mut &*data, &mut out)
    {
        let is_panic = matches!(error.downcast_ref(), Some(ArenaLineError::Panic(_)));
        assert!(!is_panic, "{error}");
    }
    let answers = String::from_utf8(out).expect("answers are text");
    for line in answers.lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
    }
}
