//! Errors of a configuration.

use coinche_engine::did_you_mean;
use coinche_selfplay::play::freeze::FreezeError;
use coinche_selfplay::{Format, ModuleError};

use super::crossplay::MOST_BOTS as MOST_CROSSPLAY_BOTS;
use super::{MOST_BOTS, MOST_ENCOUNTERS, Records, Shard};

/// Formats how many bots were given.
fn given(bots: usize) -> String {
    if bots == 0 { "none was".to_owned() } else { format!("{bots} were") }
}

/// Why settings are not a valid configuration of a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// Fewer than two bots were given.
    #[error("expected two bots or more, as in `arena run rules random`, but {} given; `arena bots` lists them", given(*.0))]
    TooFewBots(usize),
    /// Two bots of one name.
    #[error(
        "`{first}` and `{second}` are both called `{name}`: name one, as in {}",
        coinche_bots::shell_quoted(remedy)
    )]
    SameName {
        /// The name.
        name: String,
        /// The bot that has it first.
        first: String,
        /// The other.
        second: String,
        /// The second with another name.
        remedy: String,
    },
    /// A program is named without `cmd:` or without quotes.
    #[error(
        "`{text}` is a program, not the name of a bot; a program is one argument that begins with `cmd:`. Write the bots \
         as\n  {bots}"
    )]
    UnmarkedProgram {
        /// The text given.
        text: String,
        /// All bots, in the corrected form.
        bots: String,
    },
    /// A bot cannot play this configuration.
    #[error("bot `{bot}`: {reason}")]
    CannotPlay {
        /// The bot.
        bot: String,
        /// The reason and the remedy.
        reason: String,
    },
    /// A split of another number of bots.
    #[error("--split: expected two bots, as in `arena run A B --split`")]
    SplitBots,
    /// More than two bots in a match.
    #[error("a match is between two bots, but {} given: choose --format round-robin or gauntlet", given(*.0))]
    NotTwoBots(usize),
    /// Too many bots, or too many encounters.
    #[error("{bots} bots in a {} meet {encounters} times: at most {MOST_BOTS} bots and {MOST_ENCOUNTERS} encounters are \
             played", format.name())]
    TooManyEncounters {
        /// The number of bots given.
        bots: usize,
        /// The format.
        format: Format,
        /// The number of encounters.
        encounters: usize,
    },
    /// Too few or too many bots for cross-play.
    #[error(
        "the partnerships of {0} bots: expected two to {MOST_CROSSPLAY_BOTS} bots, as in `arena run rules random \
             --format crossplay`"
    )]
    CrossplayBots(usize),
    /// `against` without cross-play.
    #[error("against: only with --format crossplay")]
    AgainstWithoutCrossplay,
    /// A control with more or fewer than two bots.
    #[error("control: expected two bots, as in `--control table+rules rules`, but {} given", given(*.0))]
    ControlBots(usize),
    /// A control with cross-play.
    #[error(
        "control: it does not go with cross-play, whose costs of a stranger are sums over partnerships: leave out --control"
    )]
    ControlOfCrossplay,
    /// A control with matches.
    #[error(
        "control: it goes with single deals, since a match follows its score and has little in common with another on the \
             same deals: leave out --match or --control"
    )]
    ControlOfMatches,
    /// A control of two equal bots.
    #[error("control: {0} against itself differs on no deal: name two different bots")]
    ControlWithItself(String),
    /// A control with a program.
    #[error("control: {0} is an external program: name built-in bots, which play many deals at no cost")]
    ControlProgram(String),
    /// `control-deals` without a control.
    #[error("control-deals: it needs --control")]
    DealsWithoutControl,
    /// An invalid value of `freeze`.
    #[error("freeze: {0}")]
    Freeze(FreezeError),
    /// A frozen auction with matches.
    #[error(
        "an auction cannot be frozen in matches, whose score differs between the two legs: leave out --match"
    )]
    FrozenAuctionOfMatch,
    /// A shard without a seed, which each shard would draw differently.
    #[error(
        "--shard {0} without --seed: each shard would draw other deals; give all of them the same --seed"
    )]
    ShardWithoutSeed(Shard),
    /// A shard without deals.
    #[error("shard {shard} of {deals} deals is empty: choose fewer shards or more deals")]
    EmptyShard {
        /// The shard.
        shard: Shard,
        /// The total number of deals.
        deals: u64,
    },
    /// Neither a preset nor a file of this name exists.
    #[error(
        "there is no rule set `{name}`{}: expected one of {}, or the path of a .toml file",
        did_you_mean(.name, .presets.iter().copied()),
        presets.join(", ")
    )]
    NoRules {
        /// The name given.
        name: String,
        /// The presets.
        presets: Vec<&'static str>,
    },
    /// A rule of matches is set, but single deals are played.
    #[error(
        "{0}: it has no effect on single deals, which have no end of a match; leave it out, or play matches with --match \
         (`run`, `sprt` and `stats` do)"
    )]
    FieldOfMatches(&'static str),
    /// A field of the rules is set that the command does not use.
    #[error("{field}: it has no effect here, where {used} count; leave it out")]
    UnusedField {
        /// The field.
        field: String,
        /// The fields that count.
        used: &'static str,
    },
    /// `forfeit` or `confine` without a program.
    #[error("{0}: it has no effect without an external program; leave it out")]
    WithoutProgram(&'static str),
    /// A table format without a table.
    #[error("table: it has no effect with --records {0}, which writes no table; leave it out")]
    NoTable(Records),
    /// A record format without records.
    #[error(
        "lines: it has no effect with --records {0}, which writes no records; leave it out, or choose --records full, \
         sample:P or swing:POINTS"
    )]
    NoLines(Records),
    /// The configuration cannot be written as TOML.
    #[error("the configuration cannot be written: {0}")]
    NotWritten(#[from] toml::ser::Error),
}

impl ModuleError for ConfigError {}
