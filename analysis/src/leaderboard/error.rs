//! Errors of a leaderboard: in its file, or in its results.

use std::path::PathBuf;
use std::time::Duration;

use coinche_bots::ParseBotError;
use coinche_selfplay::ModuleError;

/// What is wrong at a line of the file.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    #[error("there is no preset `{name}`: choose among {}", presets.join(", "))]
    NoPreset { name: String, presets: Vec<&'static str> },
    #[error("`{0}` is given twice: leave one out")]
    Twice(String),
    #[error("two entries have the name `{0}`: give one of them another")]
    TwoOfName(String),
    #[error("`{0}` is no name: use 1 to 40 letters, digits and the signs - . + _, a letter or digit first")]
    NoName(String),
    #[error("`{0}` is no time: write a number with us, ms or s, such as 20us or 10ms")]
    NoTime(String),
    #[error(
        "class `{class}` has a limit of {limit:?}, which is not more than the {before:?} of the class before: \
             order the classes by their limits"
    )]
    Falling { class: String, limit: Duration, before: Duration },
    #[error("class `{class}` has {found} entries: write its name in the `classes` of two entries or more")]
    TooFew { class: String, found: usize },
    #[error(
        "class `{class}` has {found} entries, more than {most}: leave some out of it, or make a class more"
    )]
    TooMany { class: String, found: usize, most: usize },
    #[error("there is no class `{name}`: choose among {}", classes.join(", "))]
    NoClass { name: String, classes: Vec<String> },
    #[error("entry `{0}` is in no class: name one or more in `classes`")]
    NoClasses(String),
    #[error("there is no entry `{name}`: write the `name` of one")]
    NoEntry { name: String },
    #[error(
        "entry `{anchor}` is the anchor, from which ratings are counted, and is not in class `{class}`: add the class \
             to its `classes`"
    )]
    NoAnchor { anchor: String, class: String },
    #[error("entry `{name}`: {error}")]
    Bot { name: String, error: Box<ParseBotError> },
    #[error(
        "entry `{name}`: with a limit of time its decisions differ from machine to machine: give worlds=N or \
             iterations=N instead of time"
    )]
    Timed { name: String },
    #[error("entry `{name}` cannot play {rules}: {error}")]
    Rules { name: String, rules: String, error: Box<ParseBotError> },
    #[error("deals: {0} is not in 2 to 10,000,000")]
    Deals(u64),
    #[error("crossplay needs two entries or more: {0} given")]
    Alone(usize),
}

/// What is missing or wrong besides the file.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum BoardError {
    #[error("--enter: the name `{0}` is that of an entry: choose another with --name")]
    NameTaken(String),
    #[error("--enter: {0}")]
    Entrant(Box<PlanError>),
    #[error("--class: {0}")]
    Class(Box<PlanError>),
    #[error("--rules: the file has no rules `{name}`: choose among {}", rules.join(", "))]
    NotOfFile { name: String, rules: Vec<String> },
    #[error("{} was not played yet, nor is it in {}: first give the command without --enter", run, file.display())]
    NotPlayed { run: String, file: PathBuf },
    #[error(
        "version {0} is not read by this program, which reads version 1: remove the file to play all again"
    )]
    Version(u32),
    #[error("the entries are not those it commits to: restore them, or remove it to draw another seed")]
    OtherEntries,
    #[error("the seed that it commits to is not in seed.secret: remove it to draw another one")]
    NoSecret,
    #[error("{0} does not fit together: remove the file to play all again")]
    Sums(String),
}

impl ModuleError for BoardError {}
