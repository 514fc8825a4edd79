//! The words and signs of an expression.

use super::MOST_NUMBER;
use super::error::Fault;

/// A word, number or sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Number(i32),
    Word(&'a str),
    Sign(&'static str),
    End,
}

impl Token<'_> {
    /// What it is called in a message.
    pub(super) fn shown(self) -> String {
        match self {
            Self::Number(number) => format!("`{number}`"),
            Self::Word(word) => format!("`{word}`"),
            Self::Sign(sign) => format!("`{sign}`"),
            Self::End => "the end".to_owned(),
        }
    }
}

/// The signs; longer ones first.
const SIGNS: [&str; 17] =
    ["<=", ">=", "==", "!=", "..", "<", ">", "=", "+", "-", "*", "/", "(", ")", ",", "&", "|"];

/// Splits a text into tokens with the byte at which each begins; the last is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, Token<'_>)>, (usize, Fault)> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = |is: fn(char) -> bool| rest.find(|letter| !is(letter)).unwrap_or(rest.len());
        if letter.is_whitespace() {
            at += letter.len_utf8();
        } else if letter == '#' {
            // A comment up to the end of the line, in texts of several lines.
            at += rest.find('\n').unwrap_or(rest.len());
        } else if letter.is_ascii_digit() {
            let end = length(|letter| letter.is_ascii_digit());
            let digits = &rest[..end];
            let number = digits.parse().ok().filter(|number| *number <= MOST_NUMBER);
            found.push((at, Token::Number(number.ok_or_else(|| (at, Fault::Number(digits.to_owned())))?)));
            at += end;
        } else if letter.is_ascii_alphabetic() || letter == '_' {
            let end = length(|letter| letter.is_ascii_alphanumeric() || letter == '_');
            found.push((at, Token::Word(&rest[..end])));
            at += end;
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            found.push((at, Token::Sign(sign)));
            at += sign.len();
        } else {
            return Err((at, Fault::Letter(letter)));
        }
    }
    found.push((text.len(), Token::End));
    Ok(found)
}
