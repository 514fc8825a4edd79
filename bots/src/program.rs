//! Programs as bots: `cmd:python3 bot.py`, `cmd:timeout=2s,run=./bot --fast`, `python:bot.py:Bot`.
//!
//! This module reads the specification; the arena runs the program and talks to it.

use core::fmt;
use core::time::Duration;

use coinche_engine::{Call, Card, CardSet, Key, LegalCalls, View};

use crate::search::duration;
use crate::{Agent, Bidder, CardPlayer, ParamError, ParamInfo, ParseBotError, command};

/// What a bot may spend on a decision: it is told, and keeps to it by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// Time.
    Time(Duration),
    /// A number of whatever the bot counts: nodes, samples, simulations.
    Count(u64),
}

/// A program that plays as a bot: how to start it and how long to wait for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// What it is called in tables and records, where that is chosen.
    pub name: Option<String>,
    /// The program and its arguments, at least one word.
    pub words: Vec<String>,
    /// What it may spend on a decision.
    pub budget: Option<Budget>,
    /// How long it may be silent while a decision is asked of it.
    pub timeout: Duration,
    /// How long it may take from its start until it is ready.
    pub start: Duration,
    /// The most decisions that are asked in one line, if the program takes several: 1 to 4096.
    pub batch: usize,
    /// Whether each seat has a process of its own, so that none sees two hands of a deal.
    pub by_seat: bool,
    /// The program's own options.
    pub options: Vec<(String, String)>,
}

/// What a specification of a program begins with.
const PREFIX: &str = "cmd:";
/// The same for an object in a file of Python, which the package `coinche` runs as a program.
const PYTHON: &str = "python:";
/// What runs it.
const RUNNER: [&str; 2] = ["-m", "coinche.bot"];
const INTERPRETER: &str = "python3";
/// What is added to a budget of time for the way there and back.
const GRACE: Duration = Duration::from_secs(1);
const TIMEOUT: Duration = Duration::from_secs(10);
const START: Duration = Duration::from_secs(30);
const BATCH: usize = 256;

impl Program {
    /// The parameters that the arena knows; all others are the program's own options.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "name" = "the name in its greeting", "letters, digits, `_`, `-` or `.`",
            "what the program is called in tables, records and pages";
        "run" = "", "words as in a shell, `+` in quotes",
            "the command; the last parameter, since the rest of the text belongs to it; short form `cmd:COMMAND`";
        "budget" = "none", "a time such as `100ms` or `2s`, or a number",
            "the budget per decision sent to the program: a time, or a count of its own";
        "timeout" = "10s, or the budget and 1 s", "1ms to 3600s", "the longest wait for a decision";
        "start" = "30s", "1ms to 3600s", "the longest wait from the start until the program is ready";
        "batch" = "256", "1 to 4096", "the most decisions per line, if the program accepts batches";
        "processes" = "4", "4 or 1",
            "4: one process per seat, so none sees two hands of a deal; 1: one for all seats";
        "interpreter" = "python3", "a program with the package coinche",
            "of `python:FILE.py:NAME`, which is `cmd:python3 -m coinche.bot FILE.py:NAME`: what runs the file";
    };

    /// Tests if a part of a specification names a program.
    pub(crate) fn is_meant(part: &str) -> bool {
        // Without a file it is a bot of the program that runs the arena.
        part.starts_with(PREFIX) || part.starts_with(PYTHON) && part.contains(".py")
    }

    /// Reads `cmd:COMMAND` or `cmd:key=value,…,run=COMMAND`, or the same with `python:FILE.py:NAME`.
    pub(crate) fn parse(part: &str) -> Result<Self, ParseBotError> {
        let (prefix, mut rest) = split_prefix(part);
        let kind = if prefix == PYTHON { "python" } else { "cmd" };
        let illegal = |name: &str, value: &str| illegal(kind, name, value);
        let mut interpreter = (prefix == PYTHON).then_some(INTERPRETER);
        let mut this = Self {
            name: None,
            words: Vec::new(),
            budget: None,
            timeout: Duration::ZERO,
            start: START,
            batch: BATCH,
            by_seat: true,
            options: Vec::new(),
        };
        let mut timeout = None;
        let mut seen: Vec<&str> = Vec::new();
        let command = loop {
            let Some((key, value)) = rest.split_once('=').filter(|(key, _)| is_name(key)) else {
                if seen.is_empty() {
                    break rest;
                }
                return Err(illegal("run", rest).into());
            };
            if key == "run" {
                break value;
            }
            let Some((value, after)) = value.split_once(',') else {
                return Err(ParseBotError::NoCommand(part.to_owned()));
            };
            if seen.contains(&key) {
                let (bot, text) = (kind.to_owned(), format!("{key}={value}"));
                return Err(ParamError::Form { bot, text }.into());
            }
            seen.push(key);
            rest = after;
            match key {
                "name" => this.name = Some(alias(value).ok_or_else(|| illegal(key, value))?),
                "budget" => this.budget = Some(budget(value).ok_or_else(|| illegal(key, value))?),
                "timeout" => timeout = Some(time(value).ok_or_else(|| illegal(key, value))?),
                "start" => this.start = time(value).ok_or_else(|| illegal(key, value))?,
                "batch" => {
                    let number = value.parse().ok().filter(|number| (1..=4096).contains(number));
                    this.batch = number.ok_or_else(|| illegal(key, value))?;
                }
                "processes" => match value {
                    "4" => this.by_seat = true,
                    "1" => this.by_seat = false,
                    _ => return Err(illegal(key, value).into()),
                },
                "interpreter" if interpreter.is_some() => interpreter = Some(value),
                _ => this.options.push((key.to_owned(), value.to_owned())),
            }
        };
        this.timeout = timeout.unwrap_or(match this.budget {
            Some(Budget::Time(budget)) => budget + GRACE,
            _ => TIMEOUT,
        });
        this.words = shlex::split(command).ok_or_else(|| illegal("run", command))?;
        if this.words.first().is_none_or(String::is_empty) {
            return Err(ParseBotError::NoCommand(part.to_owned()));
        }
        if let Some(interpreter) = interpreter {
            this.words.splice(0..0, [interpreter, RUNNER[0], RUNNER[1]].map(str::to_owned));
        }
        Ok(this)
    }

    /// Makes a name that [`Program::name`] can be of what a program calls itself; `None` where nothing is left of it.
    pub fn to_name(text: &str) -> Option<String> {
        const LONGEST: usize = 32;
        let words = text.split(|letter: char| alias(letter.encode_utf8(&mut [0; 4])).is_none());
        let name = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
        alias(&name.chars().take(LONGEST).collect::<String>())
    }

    /// Returns what must be there for a bot of a file of Python to start.
    pub fn needs(&self) -> Option<String> {
        let [interpreter, runner @ ..] = &self.words[..] else { return None };
        runner.starts_with(&RUNNER.map(str::to_owned)).then(|| {
            format!(
                "`{interpreter}` needs the package coinche[arena]; interpreter=PYTHON names another Python"
            )
        })
    }

    /// Returns the command that starts the program where this one cannot: the file needs its interpreter, or `./`
    /// before it.
    ///
    /// ```
    /// # use coinche_bots::Registry;
    /// let spec = Registry::empty().parse("cmd:./no-such-file.py")?;
    /// assert_eq!(spec.bidder_program().and_then(|program| program.corrected_command()), None);
    /// # Ok::<(), coinche_bots::ParseBotError>(())
    /// ```
    pub fn corrected_command(&self) -> Option<String> {
        let words = command::of_file(&self.words).filter(|words| *words != self.words)?;
        command::join(&words)
    }
}

impl fmt::Display for Program {
    /// Shows the command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words.join(" "))
    }
}

fn illegal(kind: &str, name: &str, value: &str) -> ParamError {
    let info = Program::PARAMS.iter().find(|info| info.name == name);
    ParamError::IllegalValue {
        bot: kind.to_owned(),
        name: name.to_owned(),
        value: value.to_owned(),
        legal: info.map_or("", |info| info.legal).to_owned(),
    }
}

/// Tests for the name of a parameter or option: letters, digits, `_`, `-` and `.`, a letter first.
fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.".contains(letter))
}

/// Reads `100ms` or `2s`.
fn time(text: &str) -> Option<Duration> {
    duration(text).filter(|time| !text.ends_with("us") && *time >= Duration::from_millis(1))
}

/// Reads a name that stands in a specification without quotes.
fn alias(text: &str) -> Option<String> {
    is_alias(text).then(|| text.to_owned())
}

/// Tests if a text is a name of letters, digits, `_`, `-` and `.`.
pub(crate) fn is_alias(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || "_-.".contains(letter))
}

/// Returns the part of a specification with another name for its program.
pub(crate) fn renamed(part: &str, name: &str) -> String {
    let (options, command) = options_of(part);
    let own = options.iter().filter(|(key, _)| *key != "name").map(|(key, value)| format!("{key}={value},"));
    format!("{}name={name},{}run={command}", split_prefix(part).0, own.collect::<String>())
}

fn budget(text: &str) -> Option<Budget> {
    let count = text.parse().ok().filter(|count| *count > 0).map(Budget::Count);
    count.or_else(|| time(text).map(Budget::Time))
}

/// Returns what a program's part begins with, and the rest.
fn split_prefix(part: &str) -> (&'static str, &str) {
    let of = |prefix: &'static str| Some((prefix, part.strip_prefix(prefix)?));
    of(PREFIX).or_else(|| of(PYTHON)).unwrap_or(("", part))
}

/// Returns the parameters of a program's part, whether the arena's or its own, and its command.
pub(crate) fn options_of(part: &str) -> (Vec<(&str, &str)>, &str) {
    let mut rest = split_prefix(part).1;
    let mut options = Vec::new();
    while let Some((key, value)) = rest.split_once('=').filter(|(key, _)| is_name(key)) {
        if key == "run" {
            return (options, value);
        }
        let Some((value, after)) = value.split_once(',') else { break };
        options.push((key, value));
        rest = after;
    }
    (options, rest)
}

/// Splits a specification at each `mark` outside of quotes.
pub(crate) fn split_at(text: &str, mark: char) -> Vec<&str> {
    let (mut parts, mut from, mut quote, mut escaped) = (Vec::new(), 0, None, false);
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if quote != Some('\'') => escaped = true,
            '\'' | '"' if quote.is_none() => quote = Some(letter),
            _ if quote == Some(letter) => quote = None,
            _ if letter == mark && quote.is_none() => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

/// Stands in a [`Bot`](crate::Bot) for a part that a program plays: the arena asks the program instead.
pub(crate) struct StandIn;

impl StandIn {
    fn refuse() -> ! {
        panic!("this bot is a program: it only plays inside the arena")
    }
}

impl Agent for StandIn {}

impl Bidder for StandIn {
    fn call(&mut self, _view: &View<'_>, _legal: &LegalCalls, _key: Key) -> Call {
        Self::refuse()
    }
}

impl CardPlayer for StandIn {
    fn play(&mut self, _view: &View<'_>, _legal: CardSet, _key: Key) -> Card {
        Self::refuse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    fn program(text: &str) -> Program {
        Program::parse(text).unwrap()
    }

    #[test]
    fn commands_are_words() {
        assert_eq!(program("cmd:python3 bot.py").words, ["python3", "bot.py"]);
        let python = "python:worlds=3,interpreter=.venv/bin/python,run=dir/mine.py:Bot";
        assert_eq!(program(python).words, [".venv/bin/python", "-m", "coinche.bot", "dir/mine.py:Bot"]);
        assert_eq!(program(python).options, [("worlds".to_owned(), "3".to_owned())]);
        assert_eq!(program("python:mine.py").words, ["python3", "-m", "coinche.bot", "mine.py"]);
        assert!(program(python).needs().unwrap().starts_with("`.venv/bin/python` needs"));
        assert_eq!(program("cmd:python3 bot.py").needs(), None);
        let error = Program::parse("python:batch=0,run=mine.py").unwrap_err().to_string();
        assert!(error.contains("`python`"), "{error}");
        let named = Registry::builtin().parse("rules+python:mine.py:Bot").unwrap();
        let named = named.with_program_names(&|_| Some("Mine".to_owned()));
        assert_eq!(named.as_str(), "rules+python:name=Mine,run=mine.py:Bot");
        // Without a file it is a bot of the program that runs the arena.
        assert!(Registry::builtin().parse("python:mine").unwrap().bidder_program().is_none());
        assert_eq!(program("cmd:run=./bot --x=1,2").words, ["./bot", "--x=1,2"]);
        assert_eq!(program("cmd:'my bot' a=b").words, ["my bot", "a=b"]);
        assert_eq!(program("cmd:./bot x=1").words, ["./bot", "x=1"]);
        let all = program("cmd:budget=100ms,batch=8,start=5s,processes=1,depth=3,run=./bot");
        assert_eq!(all.budget, Some(Budget::Time(Duration::from_millis(100))));
        assert_eq!((all.timeout, all.start), (Duration::from_millis(1100), Duration::from_secs(5)));
        assert_eq!((all.batch, all.by_seat), (8, false));
        assert_eq!(all.options, [("depth".to_owned(), "3".to_owned())]);
        assert_eq!(program("cmd:budget=500,run=x").budget, Some(Budget::Count(500)));
        assert_eq!(program("cmd:timeout=3s,budget=1ms,run=x").timeout, Duration::from_secs(3));
    }

    #[test]
    fn errors_name_what_is_legal() {
        for (text, part) in [
            ("cmd:", "cmd:COMMAND"),
            ("cmd:  ", "cmd:COMMAND"),
            ("cmd:timeout=2s", "run="),
            ("cmd:timeout=2,run=x", "3600s"),
            ("cmd:timeout=2h,run=x", "3600s"),
            ("cmd:budget=0,run=x", "100ms"),
            ("cmd:batch=0,run=x", "1 to 4096"),
            ("cmd:batch=2,batch=3,run=x", "each name at most once"),
            ("cmd:processes=2,run=x", "4 or 1"),
            ("cmd:name=,run=x", "letters, digits"),
            ("cmd:name=a b,run=x", "letters, digits"),
            ("cmd:batch=2,python3 x", "words"),
            ("cmd:'open", "words"),
        ] {
            let error = Registry::builtin().parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_program_is_called_by_its_name() {
        let spec = Registry::builtin().parse("cmd:name=isdd,budget=1s,run=python3 bot.py --x").unwrap();
        assert_eq!(spec.as_str(), "cmd:name=isdd,budget=1s,run=python3 bot.py --x");
        assert_eq!((spec.name(), spec.to_string().as_str()), ("isdd", "isdd"));
        assert_eq!(spec.bidder_program().unwrap().words, ["python3", "bot.py", "--x"]);
        let half = Registry::builtin().parse("rules:caution=3+cmd:name=isdd,run=./x").unwrap();
        assert_eq!(half.name(), "rules:caution=3+isdd");
        assert_eq!(Registry::builtin().parse("cmd:./x").unwrap().name(), "cmd:./x");
        // A name that is found later changes what it is called, and can be read again.
        let named = Registry::builtin().parse("cmd:batch=8,run=./x+cmd:./y").unwrap();
        let named =
            named.with_program_names(&|program| (program.words == ["./x"]).then(|| "My bot, 2.1".to_owned()));
        assert_eq!(named.as_str(), "cmd:name=My-bot-2.1,batch=8,run=./x+cmd:./y");
        assert_eq!(named.name(), "My-bot-2.1+cmd:./y");
        assert_eq!(Registry::builtin().parse(named.as_str()).unwrap(), named);
        let whole = Registry::builtin().parse("cmd:./x").unwrap();
        let whole = whole.with_program_names(&|_| Some("x".to_owned()));
        assert!(whole.is_one_program() && whole.name() == "x");
        assert_eq!(whole.with_program_names(&|_| Some(" ,".to_owned())), whole);
    }

    #[test]
    fn a_plus_in_quotes_belongs_to_the_command() {
        let spec = Registry::builtin().parse("cmd:./a'+'b \\+ \"c+\"+rules").unwrap();
        assert_eq!(spec.bidder_program().unwrap().words, ["./a+b", "+", "c+"]);
        assert!(spec.player_program().is_none());
        let spec = Registry::builtin().parse("rules+cmd:x").unwrap();
        assert!(spec.bidder_program().is_none() && spec.player_program().is_some());
        assert_eq!(spec.to_string(), "rules+cmd:x");
        let spec = Registry::builtin().parse("cmd:x").unwrap();
        assert!(spec.bidder_program().is_some() && spec.bidder_program() == spec.player_program());
        assert!(Registry::builtin().parse("cmd:x+cmd:y+rules").is_err());
    }
}
