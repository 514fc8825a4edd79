//! Parameters of bots: which there are, those given, and what is wrong with one.

use core::fmt;
use core::ops::RangeInclusive;
use core::str::FromStr;
use std::io;
use std::sync::Arc;

use coinche_engine::{RuleSet, did_you_mean};

use crate::families::untrained;
use crate::files::Files;

/// A parameter of a bot, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParamInfo {
    /// Its name, as in `name=value`.
    pub name: &'static str,
    /// The value when it is not given.
    pub default: &'static str,
    /// The legal values in words.
    pub legal: &'static str,
    /// What it does.
    pub about: &'static str,
}

/// Declares parameters: `"name" = "default", "legal values", "what it does";`, and those that bots share by their constants.
macro_rules! params {
    (@ [$($all:tt)*]) => { &[$($all)*] };
    (@ [$($all:tt)*] $name:literal = $default:expr, $legal:literal, $about:literal; $($rest:tt)*) => {
        params!(@ [$($all)* ParamInfo { name: $name, default: $default, legal: $legal, about: $about },] $($rest)*)
    };
    (@ [$($all:tt)*] $shared:ident[$($at:literal)+]; $($rest:tt)*) => {
        params!(@ [$($all)* $($shared[$at],)+] $($rest)*)
    };
    (@ [$($all:tt)*] $shared:expr; $($rest:tt)*) => { params!(@ [$($all)* $shared,] $($rest)*) };
    ($($rows:tt)+) => { params!(@ [] $($rows)+) };
}

/// What is wrong with the parameters of a bot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParamError {
    /// The bot has no parameter of this name.
    #[error(
        "bot `{bot}` has no parameter `{name}`{}: expected {}",
        did_you_mean(.name, .legal.split(", ")),
        if .legal.is_empty() { "none" } else { .legal }
    )]
    Unknown {
        /// The bot.
        bot: String,
        /// The parameter that was given.
        name: String,
        /// The parameters that there are.
        legal: String,
    },
    /// The bot's parameter of this name has another name now.
    #[error("bot `{bot}` has no parameter `{name}`: it is now called `{now}`")]
    Renamed {
        /// The bot.
        bot: String,
        /// The parameter that was given.
        name: String,
        /// Its name today.
        now: &'static str,
    },
    /// A parameter has a value that is not legal.
    #[error("bot `{bot}`: `{name}` cannot be `{value}`: expected {legal}")]
    IllegalValue {
        /// The bot.
        bot: String,
        /// The parameter.
        name: String,
        /// The value that was given.
        value: String,
        /// The legal values in words.
        legal: String,
    },
    /// A file that a parameter names is not what it should be.
    #[error("bot `{bot}`: `{name}`: {why}")]
    File {
        /// The bot.
        bot: String,
        /// The parameter.
        name: String,
        /// What is wrong, and the remedy.
        why: String,
    },
    /// The bot cannot bid under these rules.
    #[error("bot `{bot}` cannot bid under these rules: {why}; name another bidder, as in `rules+{bot}`")]
    Rules {
        /// The bot.
        bot: String,
        /// What of the rules it is.
        why: &'static str,
    },
    /// A parameter is not of the form `name=value`, or is there twice.
    #[error("bot `{bot}`: `{text}` is not a parameter: expected `name=value`, with each name at most once")]
    Form {
        /// The bot.
        bot: String,
        /// What was given.
        text: String,
    },
}

/// Parameters that had another name: the old one and today's.
const RENAMED: [(&str, &str); 1] = [("strike", "prune")];

/// The parameters of one bidder or card player: those given, over the defaults.
#[derive(Debug, Clone)]
pub struct Params {
    bot: String,
    known: Vec<ParamInfo>,
    given: Vec<(String, String)>,
    files: Files,
}

impl Params {
    /// Reads `name=value,…`, the part of a specification behind the name of the bot.
    ///
    /// ```
    /// use coinche_bots::{Params, RandomBidder};
    ///
    /// let params = Params::parse("random", RandomBidder::PARAMS, "pass=0.5")?;
    /// assert_eq!(params.number("pass", 0.0..=1.0), Ok(0.5));
    /// assert!(Params::parse("random", RandomBidder::PARAMS, "boldness=3").is_err());
    /// # Ok::<(), coinche_bots::ParamError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a parameter is none of `known`, has no value or is there twice.
    pub fn parse(bot: &str, known: &[ParamInfo], text: &str) -> Result<Self, ParamError> {
        Self::with_files(bot, known, text, &Files::default())
    }

    /// Does the same, with the files of the whole specification.
    pub(crate) fn with_files(
        bot: &str,
        known: &[ParamInfo],
        text: &str,
        files: &Files,
    ) -> Result<Self, ParamError> {
        let this = Self::unchecked(bot, known, text, files)?;
        match this.given.iter().find(|(name, _)| this.find(name).is_none()) {
            Some((name, _)) => Err(unknown(bot, name, &this.known)),
            None => Ok(this),
        }
    }

    /// Does the same, and takes names that are not known.
    pub(crate) fn unchecked(
        bot: &str,
        known: &[ParamInfo],
        text: &str,
        files: &Files,
    ) -> Result<Self, ParamError> {
        let mut given: Vec<(String, String)> = Vec::new();
        for param in text.split(',').filter(|param| !param.is_empty()) {
            let error = || ParamError::Form { bot: bot.to_owned(), text: param.to_owned() };
            let (name, value) = param.split_once('=').ok_or_else(error)?;
            if given.iter().any(|(other, _)| other == name) {
                return Err(error());
            }
            given.push((name.to_owned(), value.to_owned()));
        }
        Ok(Self { bot: bot.to_owned(), known: known.to_vec(), given, files: files.clone() })
    }

    /// Reads the parameters of a bot that a parameter names, with the same files.
    pub(crate) fn within(&self, bot: &str, known: &[ParamInfo], text: &str) -> Result<Self, ParamError> {
        Self::with_files(bot, known, text, &self.files)
    }

    /// Returns the text of a parameter: as given, else its default.
    ///
    /// # Panics
    ///
    /// Panics when the bot has no such parameter, which is a bug in the bot.
    pub fn text(&self, name: &str) -> &str {
        let given = self.given.iter().find(|(other, _)| other == name);
        match given {
            Some((_, value)) => value,
            None => self.info(name).default,
        }
    }

    fn find(&self, name: &str) -> Option<&ParamInfo> {
        self.known.iter().find(|info| info.name == name)
    }

    fn info(&self, name: &str) -> ParamInfo {
        *self.find(name).expect("a bot asks for its own parameters")
    }

    /// Returns a parameter that is a number in a range.
    ///
    /// # Errors
    ///
    /// When it is not one.
    pub fn number<T: FromStr + PartialOrd>(
        &self,
        name: &str,
        range: RangeInclusive<T>,
    ) -> Result<T, ParamError> {
        let text = self.text(name);
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| self.illegal(name))
    }

    /// Returns which of two words a parameter is: `true` for the first.
    ///
    /// # Errors
    ///
    /// When it is neither.
    pub fn either(&self, name: &str, [first, second]: [&str; 2]) -> Result<bool, ParamError> {
        match self.text(name) {
            text if text == first => Ok(true),
            text if text == second => Ok(false),
            _ => Err(self.illegal(name)),
        }
    }

    /// Returns what is in the file that a parameter names.
    ///
    /// A file is read once for a specification, however often it is asked for: also for the second half of the bot,
    /// and for the same bot with another value of another parameter. So it may be a pipe.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn file(&self, name: &str) -> io::Result<Arc<[u8]>> {
        self.files.read(self.text(name))
    }

    /// Returns what a parameter names: what is built in, or what `read` makes of a file.
    pub(crate) fn built_in_or<T, E: fmt::Display>(
        &self,
        name: &str,
        built_in: impl FnOnce() -> T,
        unreadable: impl FnOnce(&str, &dyn fmt::Display) -> E,
        read: impl FnOnce(&str, &[u8]) -> Result<T, E>,
    ) -> Result<T, ParamError> {
        let path = self.text(name);
        if path == "built-in" {
            return Ok(built_in());
        }
        let bytes = self.file(name).map_err(|error| unreadable(path, &error));
        bytes.and_then(|bytes| read(path, &bytes)).map_err(|error| self.illegal_file(name, &error))
    }

    /// Iterates over the parameters that were given and are none of these, with their values.
    pub(crate) fn given_beside<'a>(
        &'a self,
        known: &'a [ParamInfo],
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        let other = |(name, _): &&(String, String)| known.iter().all(|info| info.name != name);
        self.given.iter().filter(other).map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Tests if a parameter was given.
    pub fn is_given(&self, name: &str) -> bool {
        self.given.iter().any(|(other, _)| other == name)
    }

    /// Refuses rules that the fitted bidders have not met.
    pub(crate) fn check_trained(&self, rules: &RuleSet) -> Result<(), ParamError> {
        self.refuse(untrained(rules))
    }

    /// Refuses rules for which there is a reason.
    pub(crate) fn refuse(&self, why: Option<&'static str>) -> Result<(), ParamError> {
        why.map_or(Ok(()), |why| Err(ParamError::Rules { bot: self.bot.clone(), why }))
    }

    /// Returns the error that a parameter's value is not legal.
    pub fn illegal(&self, name: &str) -> ParamError {
        ParamError::IllegalValue {
            bot: self.bot.clone(),
            name: name.to_owned(),
            value: self.text(name).to_owned(),
            legal: self.info(name).legal.to_owned(),
        }
    }

    /// Returns the error that the file that a parameter names is not what it should be.
    pub fn illegal_file(&self, name: &str, why: &dyn fmt::Display) -> ParamError {
        ParamError::File { bot: self.bot.clone(), name: name.to_owned(), why: why.to_string() }
    }

    /// Parameters of which none was given.
    #[cfg(test)]
    pub(crate) fn defaults(known: &[ParamInfo]) -> Self {
        Self::parse("test", known, "").expect("nothing is given")
    }
}

/// The error that a bot has no parameter of this name.
pub(crate) fn unknown(bot: &str, name: &str, known: &[ParamInfo]) -> ParamError {
    let (bot, name) = (bot.to_owned(), name.to_owned());
    let renamed =
        RENAMED.iter().find(|(old, now)| *old == name && known.iter().any(|info| info.name == *now));
    if let Some((_, now)) = renamed {
        return ParamError::Renamed { bot, name, now };
    }
    // Both halves of a bot may have one of a name.
    let mut names: Vec<&str> = Vec::new();
    for info in known {
        if !names.contains(&info.name) {
            names.push(info.name);
        }
    }
    let legal = names.join(", ");
    ParamError::Unknown { bot, name, legal }
}
