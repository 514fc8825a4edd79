//! What is wrong with a specification or a registry.

use coinche_engine::did_you_mean;

use crate::ParamError;

/// What is wrong with the specification of a bot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseBotError {
    /// No bot of this name.
    #[error(
        "there is no bot `{name}`{}: expected one of {known}, a program `cmd:COMMAND` or `python:FILE.py:NAME`, or two of \
         them as `bidder+player`",
        did_you_mean(.name, .known.split(", "))
    )]
    UnknownBot {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// A program, named without `cmd:`.
    #[error("`{text}` is a program, not the name of a bot: write it as {}", crate::shell_quoted(spec))]
    UnmarkedProgram {
        /// What was given.
        text: String,
        /// The specification of the program.
        spec: String,
    },
    /// Only a card player, where a bidder is needed.
    #[error("bot `{0}` does not bid: name a bidder before it, as in `rules+{0}`")]
    NoBidder(String),
    /// Only a bidder, where a card player is needed.
    #[error("bot `{0}` does not play cards: name a card player after it, as in `{0}+rules`")]
    NoPlayer(String),
    /// What is wrong with a parameter.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// Bidder and card player both have a parameter of this name.
    #[error(
        "the bidder and the player of `{bot}` both have a parameter `{name}`: write `bidder.{name}` or `player.{name}`"
    )]
    TwoParams {
        /// The bot.
        bot: String,
        /// The parameter.
        name: String,
    },
    /// A program without a command.
    #[error("`{0}` names no command: expected `cmd:COMMAND` or `cmd:key=value,…,run=COMMAND`")]
    NoCommand(String),
    /// More than one `+`.
    #[error("`{0}` is not a bot: expected `name:key=value,…` or `bidder+player`")]
    Form(String),
    /// A name before a bot that cannot be its name.
    #[error(
        "`{label}` cannot be the name of a bot: expected at most {most} letters, digits, spaces, `_`, `-` or `.`, a \
         letter first, and no built-in bot's name"
    )]
    Label {
        /// The name.
        label: String,
        /// The most letters of a name.
        most: usize,
    },
    /// More than one `&`.
    #[error("`{0}` is not a team: expected a bot for both seats, or two partners `A&B`")]
    Team(String),
}

/// Why a bot cannot be put into a registry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// Another bot has the name.
    #[error("a bot `{0}` already exists: choose another name")]
    Taken(String),
    /// The name could not be read back from a specification.
    #[error(
        "`{0}` is not a valid bot name: expected letters, digits, `_`, `-` or `.`, and not `cmd` or `python`"
    )]
    Name(String),
    /// The bot makes no calls and plays no cards.
    #[error("bot `{0}` neither bids nor plays cards: add a bidder, a card player or both")]
    Nothing(String),
    /// Two parameters of the bidder, or of the card player, have one name, or a name that cannot be given.
    #[error("bot `{bot}`: `{name}` is not a valid parameter name, or is declared twice")]
    Param {
        /// The bot.
        bot: String,
        /// The parameter.
        name: String,
    },
}
