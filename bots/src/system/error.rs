//! What is wrong with the file of a system: where, and the remedy.

use core::fmt;

use coinche_engine::did_you_mean;

/// A place in a text: line and column, both from 1; a column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Place {
    /// Returns the place of a byte of a text.
    pub fn of(text: &str, byte: usize) -> Self {
        let mut end = byte.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &text[..end];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Self { line: before.matches('\n').count() + 1, column: before[start..].chars().count() + 1 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// What is wrong with the file of a system.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SystemError {
    /// The file cannot be read.
    #[error(
        "cannot read the system {path}: {why}; `arena system list` names those that come with the program"
    )]
    Read {
        /// The file.
        path: String,
        /// What the operating system says.
        why: String,
    },
    /// A place in it is wrong.
    #[error("{place}: {fault}")]
    At {
        /// Where.
        place: Place,
        /// What.
        fault: Fault,
    },
    /// The rules have nothing that it could be used for.
    #[error("no rule of the system {name} is for {}", if *turn_up { "the turn-up game: add a rule whose call is `take`" } else { "games with bids: add a rule whose call is a level, such as `80`" })]
    NoRule {
        /// The system.
        name: String,
        /// Whether the rules are those of the turn-up game.
        turn_up: bool,
    },
}

impl SystemError {
    /// The error at a byte of a text.
    pub(super) fn at(text: &str, byte: usize, fault: Fault) -> Self {
        Self::At { place: Place::of(text, byte), fault }
    }
}

/// What can be wrong at a place of a system's file. The text of each names the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file is no TOML, or a key has a value of another type.
    #[error("{0}; docs/user/systems.md shows a whole file")]
    Toml(String),
    /// The file is too large.
    #[error("the file has more than {0} bytes: leave out what no rule needs")]
    TooLarge(usize),
    /// There are too many of something.
    #[error("there are more than {most} {what}: leave some out")]
    TooMany {
        /// What.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// An expression takes too long, with all that it refers to.
    #[error("this takes more than {0} steps with all that it refers to: make it shorter")]
    TooLong(u32),
    /// Parentheses are nested too deeply.
    #[error("this is nested more than {0} deep: give a part a name under [define]")]
    TooDeep(usize),
    /// A key has an empty or overlong text.
    #[error("`{key}` must have 1 to {most} characters")]
    Length {
        /// The key.
        key: &'static str,
        /// The most characters.
        most: usize,
    },
    /// A text has characters that control a terminal.
    #[error("`{0}` has control characters: remove them")]
    Control(&'static str),
    /// A letter that no expression has.
    #[error(
        "`{0}` has no meaning here: expressions have words, numbers, and or not, + - * /, < <= > >= = !=, in, ( )"
    )]
    Letter(char),
    /// A number that is too large.
    #[error("{0} is too large: numbers go up to {most}", most = super::MOST_NUMBER)]
    Number(String),
    /// Something else is expected.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A word that nothing defines.
    #[error("`{word}` is no word of systems, and neither under [define] nor under [numbers]{}; `arena system words` lists them", did_you_mean(.word, .known.split(' ')))]
    Unknown {
        /// The word.
        word: String,
        /// The words that there are, for a suggestion.
        known: String,
    },
    /// Strains in which no bid can be promised.
    #[error(
        "a promise is about bids of some strains: `in` must be suits, SA, TA, or several with commas between, not `{0}`"
    )]
    PromiseIn(String),
    /// A function that there is not.
    #[error("`{word}(` is no function{}; `arena system words` lists them", did_you_mean(.word, .known.split(' ')))]
    NoFunction {
        /// The word.
        word: String,
        /// The functions that there are, for a suggestion.
        known: String,
    },
    /// A function with another number of arguments.
    #[error("`{function}` takes {needed} in its parentheses, not {found}")]
    Arguments {
        /// The function.
        function: &'static str,
        /// How many it takes.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// A number where a condition is needed.
    #[error("`{0}` is a number, and a condition is needed: compare it, as in `{0} >= 1`")]
    NotACondition(String),
    /// A name that already has a meaning.
    #[error("`{0}` already has a meaning: choose another name")]
    Taken(String),
    /// A name that is none.
    #[error("`{0}` is not a name: expected small letters, digits and `_`, a letter first")]
    Name(String),
    /// Definitions that refer to each other.
    #[error("`{0}` is defined by itself: {1}; write out one of them")]
    Loop(String, String),
    /// A word that needs a suit where there is none.
    #[error("`{word}` is about a suit, and here none is in question: {remedy}")]
    NoSuit {
        /// The word.
        word: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A word about a trump suit in a rule for no trump or all trump.
    #[error(
        "`{0}` is about a trump suit, and this rule is for SA or TA alone: use `jacks`, `nines`, `aces`, `side(…)`, or look at the suits with any(…)"
    )]
    NoTrumpSuit(String),
    /// A division by something else than a number from 1 up.
    #[error("only a number from 1 up can be divided by")]
    Divisor,
    /// A number of the file out of its range.
    #[error("`{name}` = {value} is not in its range {from} to {to}")]
    Range {
        /// The number.
        name: String,
        /// Its value.
        value: i32,
        /// The range.
        from: i32,
        /// The range.
        to: i32,
    },
    /// No number of this name.
    #[error("the system has no number `{name}`{}; its numbers: {}", did_you_mean(.name, .known.split(", ")), if .known.is_empty() { "none" } else { .known })]
    NoNumber {
        /// The name that was given.
        name: String,
        /// Its numbers.
        known: String,
    },
    /// A key `in` that says nothing that there is.
    #[error(
        "`in` cannot be `{0}`: expected suits, SA, TA, some of these with commas between, partner, mine, theirs, contract or none"
    )]
    In(String),
    /// A call that needs a strain in a rule that has none.
    #[error("a bid names a suit, and `in = \"none\"` gives none: leave `in` out for the suits")]
    BidInNone,
    /// A floor that there is not.
    #[error("`floor` cannot be `{0}`: expected rules, table, net or pass")]
    Floor(String),
    /// A preset that there is not.
    #[error("`{name}` is not a preset{}", did_you_mean(.name, .known.split(' ')))]
    Preset {
        /// The name.
        name: String,
        /// The presets.
        known: String,
    },
    /// A level that no rules have.
    #[error(
        "{0} is not a level: bids are 80 (or 82, the lowest), 90, 100 and so on up to 990, capot and generale"
    )]
    Level(i32),
    /// Two rules of one name.
    #[error("two rules have the name `{0}`: give one of them another, or leave `name` out")]
    TwoRules(String),
    /// A rule for a strain that the rules do not have.
    #[error(
        "rule `{rule}` is for {strain}, which these rules do not have: run it under rules with {strain} (as {example}), or begin its condition with `{guard} and`, which leaves it out here"
    )]
    NoStrain {
        /// The rule.
        rule: String,
        /// SA or TA.
        strain: &'static str,
        /// A preset that has it.
        example: &'static str,
        /// The word that says whether there is.
        guard: &'static str,
    },
    /// A rule that bids what the rules do not have.
    #[error(
        "rule `{rule}` calls {call}, which these rules do not have: begin its condition with `{guard} and`, which leaves it out here, or change the call"
    )]
    NoCall {
        /// The rule.
        rule: String,
        /// The call.
        call: String,
        /// The condition to add.
        guard: String,
    },
}
