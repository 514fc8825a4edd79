//! The messages from programs: one JSON object per line.
//!
//! Parsing is lenient where that is harmless (unknown fields are ignored, calls and cards are case-insensitive) and
//! strict where a mistake would go unnoticed (kinds, types, numbers out of range).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::error::Category;

/// The version of the protocol that this program speaks.
pub(crate) const VERSION: u32 = 1;

/// The most questions in one line.
pub(crate) const MAX_BATCH: usize = 4096;

/// A line of a bot, of any type.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct BotLine<'a> {
    /// `hello`, `ready`, `move`, `batch` or `error`.
    #[serde(borrow, rename = "type")]
    pub(crate) kind: Cow<'a, str>,
    /// `move`: the id of the question.
    pub(crate) id: Option<u64>,
    /// `move`: the answer.
    #[serde(borrow, rename = "move")]
    pub(crate) text: Option<Cow<'a, str>>,
    /// `move`: the expected points.
    pub(crate) points: Option<f64>,
    /// `move`: the probability that the contract is made.
    pub(crate) chance: Option<f64>,
    /// `batch`: the answers.
    #[serde(borrow)]
    pub(crate) moves: Option<Vec<Answer<'a>>>,
    /// `hello`: the version of the protocol.
    pub(crate) protocol: Option<u32>,
    /// `hello`: the bot's name.
    pub(crate) name: Option<String>,
    /// `hello`: its version.
    pub(crate) version: Option<String>,
    /// `hello`: its author.
    pub(crate) author: Option<String>,
    /// `hello`: the most questions it accepts in one line; absent if it takes no batches.
    pub(crate) batch: Option<usize>,
    /// `hello`: the messages it subscribes to.
    pub(crate) wants: Option<Vec<String>>,
    /// `hello`: its options.
    pub(crate) options: Option<Vec<BotOption>>,
    /// `error`: the error message.
    pub(crate) message: Option<String>,
}

/// The answer to one question.
#[derive(Debug, Deserialize)]
pub(crate) struct Answer<'a> {
    pub(crate) id: u64,
    #[serde(borrow, rename = "move")]
    pub(crate) text: Cow<'a, str>,
    pub(crate) points: Option<f64>,
    pub(crate) chance: Option<f64>,
}

/// An option that a bot offers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct BotOption {
    /// Its name.
    pub(crate) name: String,
    /// The default value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) default: Option<String>,
    /// The description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) about: Option<String>,
}

/// The data of a `hello`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Hello {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) author: String,
    /// The most questions in one line; `None` means one question per line.
    pub(crate) batch: Option<usize>,
    /// Whether it subscribes to the end of deals.
    pub(crate) wants_over: bool,
    pub(crate) options: Vec<BotOption>,
}

/// The error of a line that was not expected.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BotLineError {
    #[error("not a JSON object: {0}")]
    NotJson(String),
    #[error("{}: {line}", without_place(error))]
    Field { error: serde_json::Error, line: String },
    #[error("protocol {0}: this program speaks protocol {VERSION}")]
    OtherProtocol(u32),
    #[error("`hello` without `protocol`: expected \"protocol\":{VERSION}")]
    NoProtocol,
    #[error("`wants` has `{0}`: expected `over` or nothing")]
    Wants(String),
    #[error("`batch` is {0}: expected 1 to {MAX_BATCH}")]
    Batch(usize),
    #[error("`{kind}` without `{field}`")]
    Missing { kind: &'static str, field: &'static str },
    #[error("`move` without `move` for question {0}")]
    NoMove(u64),
    #[error("`chance` is {0}: expected 0 to 1")]
    Chance(f64),
    #[error("the bot says: {}", message.as_deref().unwrap_or("error"))]
    OfBot { message: Option<String> },
    #[error("type {found}, expected `{expected}`")]
    Kind { found: String, expected: &'static str },
    #[error("an answer to question {0}, which was not asked")]
    NotAsked(u64),
    #[error("the bot has no option `{name}`: it offers {}; the arena's own are {}", names(offered), own.join(", "))]
    NoOption { name: String, offered: Vec<String>, own: Vec<&'static str> },
}

/// Formats an error without its position: the line number is always 1.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

fn names(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

impl<'a> BotLine<'a> {
    /// Parses a line.
    pub(crate) fn parse(line: &'a [u8]) -> Result<Self, BotLineError> {
        if line.trim_ascii_start().first() != Some(&b'{') {
            return Err(BotLineError::NotJson(excerpt(line)));
        }
        serde_json::from_slice(line).map_err(|error| match error.classify() {
            Category::Data => BotLineError::Field { error, line: excerpt(line) },
            _ => BotLineError::NotJson(excerpt(line)),
        })
    }

    /// Converts the line to a `hello`.
    pub(crate) fn into_hello(self) -> Result<Hello, BotLineError> {
        self.expect("hello")?;
        match self.protocol {
            Some(VERSION) => {}
            Some(other) => return Err(BotLineError::OtherProtocol(other)),
            None => return Err(BotLineError::NoProtocol),
        }
        let wants = self.wants.unwrap_or_default();
        if let Some(other) = wants.iter().find(|what| *what != "over") {
            return Err(BotLineError::Wants(other.clone()));
        }
        if let Some(batch) = self.batch.filter(|batch| !(1..=MAX_BATCH).contains(batch)) {
            return Err(BotLineError::Batch(batch));
        }
        Ok(Hello {
            name: self.name.filter(|name| !name.is_empty()).ok_or(missing("hello", "name"))?,
            version: self.version.unwrap_or_default(),
            author: self.author.unwrap_or_default(),
            batch: self.batch,
            wants_over: !wants.is_empty(),
            options: self.options.unwrap_or_default(),
        })
    }

    /// Checks that the line is a `ready`.
    pub(crate) fn into_ready(self) -> Result<(), BotLineError> {
        self.expect("ready")
    }

    /// Converts the line to answers.
    pub(crate) fn into_answers(self) -> Result<Vec<Answer<'a>>, BotLineError> {
        let answers = if self.kind == "batch" {
            self.moves.ok_or(missing("batch", "moves"))?
        } else {
            self.expect("move")?;
            let id = self.id.ok_or(missing("move", "id"))?;
            let text = self.text.ok_or(BotLineError::NoMove(id))?;
            vec![Answer { id, text, points: self.points, chance: self.chance }]
        };
        match answers.iter().find_map(|answer| answer.chance.filter(|chance| !(0.0..=1.0).contains(chance))) {
            Some(chance) => Err(BotLineError::Chance(chance)),
            None => Ok(answers),
        }
    }

    /// Checks the type of the line; the message of an `error` is passed on.
    fn expect(&self, kind: &'static str) -> Result<(), BotLineError> {
        match (&*self.kind, &self.message) {
            (found, _) if found == kind => Ok(()),
            ("error", message) => Err(BotLineError::OfBot { message: (*message).clone() }),
            (found, _) => Err(BotLineError::Kind { found: excerpt(found.as_bytes()), expected: kind }),
        }
    }
}

const fn missing(kind: &'static str, field: &'static str) -> BotLineError {
    BotLineError::Missing { kind, field }
}

/// Returns the beginning of an input, quoted and with control characters escaped.
pub(crate) fn excerpt(seen: &[u8]) -> String {
    const MAX_CHARS: usize = 80;
    let text = String::from_utf8_lossy(&seen[..seen.len().min(4 * MAX_CHARS)]);
    let beginning: String = text.chars().take(MAX_CHARS).collect();
    let more = if beginning.len() < seen.len() { "…" } else { "" };
    format!("{beginning:?}{more}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(line: &str) -> Result<Vec<(u64, String)>, String> {
        let answers = BotLine::parse(line.as_bytes()).and_then(BotLine::into_answers);
        let answers = answers.map_err(|error| error.to_string())?;
        Ok(answers.into_iter().map(|answer| (answer.id, answer.text.into_owned())).collect())
    }

    #[test]
    fn answers_are_read() {
        let line = r#"{"type":"move","id":7,"move":"JH","points":12.5,"chance":1,"why":{"a":[1]}}"#;
        assert_eq!(answers(line), Ok(vec![(7, "JH".to_owned())]));
        let line = r#" {"type":"batch","moves":[{"id":1,"move":"P"},{"id":2,"move":"82H"}]} "#;
        assert_eq!(answers(line), Ok(vec![(1, "P".to_owned()), (2, "82H".to_owned())]));
    }

    #[test]
    fn errors_name_the_problem() {
        for (line, part) in [
            ("", "not a JSON object: \"\""),
            ("bestmove JH", "not a JSON object: \"bestmove JH\""),
            ("{\"type\":\"move\",\"id\":1,\"move\":\"JH\"} x", "not a JSON object"),
            ("[]", "not a JSON object"),
            ("{}", "missing field `type`"),
            (r#"{"type":3}"#, "expected"),
            (r#"{"type":"move","move":"JH"}"#, "`move` without `id`"),
            (r#"{"type":"move","id":3}"#, "`move` without `move` for question 3"),
            (r#"{"type":"move","id":-3,"move":"P"}"#, "-3"),
            (r#"{"type":"move","id":"3","move":"P"}"#, "expected u64"),
            (r#"{"type":"batch"}"#, "`batch` without `moves`"),
            (r#"{"type":"ready"}"#, "type \"ready\", expected `move`"),
            (r#"{"type":"error","message":"no weights"}"#, "no weights"),
            (r#"{"type":"move","id":3,"move":"P","chance":1.5}"#, "expected 0 to 1"),
            ("{\"type\":\"move\u{7}\",", "not a JSON object"),
        ] {
            let error = answers(line).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
            assert!(error.chars().all(|letter| !letter.is_control()));
        }
        assert!(excerpt(&vec![b'a'; 1 << 20]).len() < 100);
        assert!(excerpt(&[0xff; 1000]).chars().count() < 100);
    }

    #[test]
    fn a_hello_is_checked() {
        let hello = |line: &str| BotLine::parse(line.as_bytes())?.into_hello();
        let good = hello(r#"{"type":"hello","protocol":1,"name":"a","batch":8,"wants":["over"]}"#).unwrap();
        assert_eq!((good.name.as_str(), good.batch, good.wants_over), ("a", Some(8), true));
        for (line, part) in [
            (r#"{"type":"hello","name":"a"}"#, "\"protocol\":1"),
            (r#"{"type":"hello","protocol":2,"name":"a"}"#, "protocol 2"),
            (r#"{"type":"hello","protocol":1}"#, "without `name`"),
            (r#"{"type":"hello","protocol":1,"name":"a","batch":0}"#, "1 to 4096"),
            (r#"{"type":"hello","protocol":1,"name":"a","wants":["tea"]}"#, "`tea`"),
            (r#"{"type":"ready"}"#, "expected `hello`"),
        ] {
            assert!(hello(line).unwrap_err().to_string().contains(part), "{line}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_line_panics(line in proptest::collection::vec(proptest::num::u8::ANY, 0..200)) {
            if let Ok(line) = BotLine::parse(&line) {
                let _ = line.into_answers();
            }
            let _ = excerpt(&line);
        }

        #[test]
        fn no_object_panics(
            kind in "hello|move|batch|ready|error|x",
            key in "id|move|moves|protocol|name|batch|wants|options|chance|points|message|version",
            value in r#"-?[0-9]{1,25}|"[ -!#-\[\]-~é]{0,9}"|null|true|\[\]|\{\}|\[\{"id":1,"move":"P"\}\]|1e999|\["over"\]"#,
        ) {
            let text = format!("{{\"type\":\"{kind}\",\"{key}\":{value},\"protocol\":1}}");
            for read in [|line: BotLine<'_>| line.into_answers().map(drop), |line: BotLine<'_>| line.into_hello().map(drop)] {
                if let Ok(line) = BotLine::parse(text.as_bytes()) {
                    let _ = read(line);
                }
            }
        }
    }
}
