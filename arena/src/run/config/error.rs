//! Why settings are no configuration of a run.

use coinche_engine::did_you_mean;
use coinche_selfplay::base::error::ModuleError;
use coinche_selfplay::play::freeze::FreezeError;
use coinche_selfplay::play::schedule::Format;

use super::crossplay::MOST_BOTS as MOST_CROSSPLAY_BOTS;
use super::{MOST_BOTS, MOST_ENCOUNTERS, Records, Shard};

/// Says how many bots were given.
fn given(bots: usize) -> String {
    if bots == 0 { "none was".to_owned() } else { format!("{bots} were") }
}

/// Why settings are no configuration of a run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// There is nobody to play against.
    #[error("expected two bots or more, as in `arena run rules random`, but {} given; `arena bots` lists them", given(*.0))]
    TooFewBots(usize),
    /// A program, named without `cmd:` or without quotes.
    #[error(
        "`{text}` is a program, not the name of a bot; a program is one argument that begins with `cmd:`. Write the bots \
         as\n  {bots}"
    )]
    UnmarkedProgram {
        /// What was given.
        text: String,
        /// All bots, as they should be written.
        bots: String,
    },
    /// A bot cannot play here.
    #[error("bot `{bot}`: {reason}")]
    CannotPlay {
        /// The bot.
        bot: String,
        /// Why, and what to do.
        reason: String,
    },
    /// A match of more than two bots.
    #[error("a match is between two bots, but {} given: choose --format round-robin or gauntlet", given(*.0))]
    NotTwoBots(usize),
    /// There are too many bots, or too many of them meet.
    #[error("{bots} bots in a {} meet {encounters} times: at most {MOST_BOTS} bots and {MOST_ENCOUNTERS} encounters are \
             played", format.name())]
    TooManyEncounters {
        /// How many bots were given.
        bots: usize,
        /// Who meets whom.
        format: Format,
        /// How many times two of them meet.
        encounters: usize,
    },
    /// Cross-play of too few or too many bots.
    #[error(
        "the partnerships of {0} bots: expected two to {MOST_CROSSPLAY_BOTS} bots, as in `arena run rules random \
             --format crossplay`"
    )]
    CrossplayBots(usize),
    /// `against` without cross-play.
    #[error("against: only with --format crossplay")]
    AgainstWithoutCrossplay,
    /// A control of more or fewer than two bots.
    #[error("control: expected two bots, as in `--control table+rules rules`, but {} given", given(*.0))]
    ControlBots(usize),
    /// A control of cross-play.
    #[error(
        "control: it does not go with cross-play, whose costs of a stranger are sums over partnerships: leave out --control"
    )]
    ControlOfCrossplay,
    /// A control of matches.
    #[error(
        "control: it goes with single deals, since a match follows its score and has little in common with another on the \
             same deals: leave out --match or --control"
    )]
    ControlOfMatches,
    /// A control that does not vary.
    #[error("control: {0} against itself differs on no deal: name two different bots")]
    ControlWithItself(String),
    /// A control that is a program.
    #[error("control: {0} is an external program: name built-in bots, which play many deals at no cost")]
    ControlProgram(String),
    /// How many deals the control is measured on, without a control.
    #[error("control-deals: it needs --control")]
    DealsWithoutControl,
    /// What is to be frozen cannot be.
    #[error("freeze: {0}")]
    Freeze(FreezeError),
    /// A frozen auction of matches.
    #[error(
        "an auction cannot be frozen in matches, whose score differs between the two legs: leave out --match"
    )]
    FrozenAuctionOfMatch,
    /// A shard whose seed would be drawn.
    #[error(
        "--shard {0} without --seed: each shard would draw other deals; give all of them the same --seed"
    )]
    ShardWithoutSeed(Shard),
    /// A shard of which no deal is left.
    #[error("shard {shard} of {deals} deals is empty: choose fewer shards or more deals")]
    EmptyShard {
        /// The shard.
        shard: Shard,
        /// How many deals were asked for.
        deals: u64,
    },
    /// There is neither a preset nor a file of the name.
    #[error(
        "there is no rule set `{name}`{}: expected one of {}, or the path of a .toml file",
        did_you_mean(.name, .presets.iter().copied()),
        presets.join(", ")
    )]
    NoRules {
        /// What was given.
        name: String,
        /// The presets.
        presets: Vec<&'static str>,
    },
    /// A field of the rules of matches is set, and single deals are played.
    #[error(
        "{0}: it has no effect on single deals, which have no end of a match; leave it out, or play matches with --match \
         (`run`, `sprt` and `stats` do)"
    )]
    FieldOfMatches(&'static str),
    /// What happens when a program fails is asked for, and there is none.
    #[error("forfeit: it has no effect without an external program; leave it out")]
    ForfeitWithoutProgram,
    /// A form of the table, which is not written.
    #[error("table: it has no effect with --records {0}, which writes no table; leave it out")]
    NoTable(Records),
    /// A form of the records, which are not written.
    #[error(
        "lines: it has no effect with --records {0}, which writes no records; leave it out, or choose --records full, \
         sample:P or swing:POINTS"
    )]
    NoLines(Records),
    /// The configuration has no form in TOML.
    #[error("the configuration cannot be written: {0}")]
    NotWritten(#[from] toml::ser::Error),
}

impl ModuleError for ConfigError {}
