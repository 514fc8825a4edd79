//! A bot of the arena's line protocol (`docs/protocol.md`) in Rust: passes four times out of five, else makes
//! any legal move, by the seed of the question.
//!
//! ```sh
//! cargo build --release --example simple_bot
//! arena check-bot target/release/examples/simple_bot
//! arena run rules cmd:target/release/examples/simple_bot
//! ```
//!
//! Nothing of this repository is used: copy the file and `serde` (with `derive`) and `serde_json` are all it
//! needs.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};

use serde::Deserialize;

/// A line of the arena, as far as this bot cares.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    /// The questions of a `batch`.
    #[serde(borrow, default)]
    go: Vec<Question<'a>>,
}

#[derive(Deserialize)]
struct Question<'a> {
    id: u64,
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    seed: Cow<'a, str>,
    /// The legal moves; one of them is the answer.
    #[serde(borrow)]
    legal: Vec<Cow<'a, str>>,
}

/// Chooses a move: the same for the same question.
fn decide<'a>(question: &'a Question<'_>) -> &'a str {
    let seed = u64::from_str_radix(&question.seed, 16).unwrap_or(0);
    if question.kind == "call" && !seed.is_multiple_of(5) {
        return "P";
    }
    let number = seed / 5 % question.legal.len() as u64;
    &question.legal[usize::try_from(number).unwrap_or(0)]
}

/// Answers the lines of the arena until `quit` or the end.
pub(crate) fn play(input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let (mut line, mut answer) = (String::new(), String::new());
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let read: Line<'_> = serde_json::from_str(&line)?;
        answer.clear();
        match &*read.kind {
            "hello" => answer.push_str(r#"{"type":"hello","protocol":1,"name":"simple","batch":256}"#),
            "start" => answer.push_str(r#"{"type":"ready"}"#),
            "batch" => {
                answer.push_str(r#"{"type":"batch","moves":["#);
                for (n, question) in read.go.iter().enumerate() {
                    let comma = if n == 0 { "" } else { "," };
                    let (id, legal) = (question.id, decide(question));
                    write!(answer, r#"{comma}{{"id":{id},"move":"{legal}"}}"#).map_err(io::Error::other)?;
                }
                answer.push_str("]}");
            }
            "quit" => return Ok(()),
            // What a later version may say.
            _ => continue,
        }
        answer.push('\n');
        output.write_all(answer.as_bytes())?;
        output.flush()?;
    }
}

fn main() -> io::Result<()> {
    play(&mut io::stdin().lock(), &mut io::stdout().lock())
}
