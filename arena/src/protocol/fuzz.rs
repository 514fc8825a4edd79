//! The bodies of the fuzz targets of the line protocol.

use coinche_bots::Registry;

use super::engine::{EngineError, engine};
use super::message::{BotLine, BotLineError};
use super::read::ArenaLineError;

/// Lines of a bot, each read as an answer to everything that it may answer.
pub(crate) fn bot_lines(data: &[u8]) {
    for line in data.split(|byte| *byte == b'\n') {
        let told = |told: Result<(), BotLineError>| {
            assert!(told.err().is_none_or(|error| !error.to_string().is_empty()));
        };
        told(BotLine::parse(line).and_then(BotLine::into_hello).map(drop));
        told(BotLine::parse(line).and_then(BotLine::into_ready));
        told(BotLine::parse(line).and_then(BotLine::into_answers).map(drop));
    }
}

/// Lines of the arena, answered by a bot: what it is asked is answered or refused, and it does not panic.
pub(crate) fn arena_lines(data: &[u8]) {
    let registry = Registry::builtin();
    let spec = registry.parse("rules").expect("a bot of the registry");
    let mut out = Vec::new();
    if let Err(EngineError::Line(error)) = engine(&|| spec.build(), &|_| Ok(()), None, &mut &*data, &mut out)
    {
        let is_panic = matches!(error.downcast_ref(), Some(ArenaLineError::Panic(_)));
        assert!(!is_panic, "{error}");
    }
    let said = String::from_utf8(out).expect("answers are text");
    for line in said.lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
    }
}
