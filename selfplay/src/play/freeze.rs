//! What is the same for all bots of a run: nothing, the auction or the card play.

use core::fmt;
use core::str::FromStr;

use coinche_bots::{BotSpec, ParseBotError, Registry, shell_quoted};
use serde::{Deserialize, Serialize};

/// The regime of a run: which part of the game is given, so that only the other is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Freeze {
    /// Bots make their calls and play their cards: all of the game is compared.
    None,
    /// All calls are made by the bidder of this bot, alike in both legs of a deal: the card play is compared.
    Auction(Box<BotSpec>),
    /// All cards are played by the same player: the bidding is compared.
    Play(FrozenPlayer),
}

/// Who plays the cards of all bots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrozenPlayer {
    /// The card player of this bot.
    Bot(Box<BotSpec>),
    /// The exact solver: a double-dummy line of best play.
    Solver,
}

const FORMS: &str =
    "expected none, auction[=BIDDER] or play[=PLAYER|solver], such as `auction=rules` or `play=solver`";
const DEFAULT: &str = "rules";
const SOLVER: &str = "solver";

impl Freeze {
    /// Returns the bot that makes all calls or plays all cards.
    pub fn bot(&self) -> Option<&BotSpec> {
        match self {
            Self::Auction(bot) | Self::Play(FrozenPlayer::Bot(bot)) => Some(bot),
            Self::None | Self::Play(FrozenPlayer::Solver) => None,
        }
    }

    /// Says what is given, for people; nothing where nothing is.
    pub fn in_words(&self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Auction(bidder) => Some(format!("all calls by {bidder}")),
            Self::Play(FrozenPlayer::Bot(player)) => Some(format!("all cards by {player}")),
            Self::Play(FrozenPlayer::Solver) => FreezeText::from(self).in_words(),
        }
    }

    /// Returns it as files and pages show it: with the names of programs in place of their commands; nothing where
    /// nothing is given.
    pub fn named(&self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Auction(bidder) => Some(format!("auction={}", bidder.name())),
            Self::Play(FrozenPlayer::Bot(player)) => Some(format!("play={}", player.name())),
            Self::Play(FrozenPlayer::Solver) => Some(self.to_string()),
        }
    }

    /// Returns the flag that gives it, a space before it; nothing where nothing is given.
    pub fn flag(&self) -> String {
        if *self == Self::None {
            return String::new();
        }
        format!(" --freeze {}", shell_quoted(&self.to_string()))
    }

    /// Tests if the auction is given.
    pub const fn is_auction(&self) -> bool {
        matches!(self, Self::Auction(_))
    }
}

impl fmt::Display for Freeze {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Auction(bidder) => write!(f, "auction={}", bidder.as_str()),
            Self::Play(FrozenPlayer::Bot(player)) => write!(f, "play={}", player.as_str()),
            Self::Play(FrozenPlayer::Solver) => write!(f, "play={SOLVER}"),
        }
    }
}

/// Why a text is no regime.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FreezeError {
    /// It has another form.
    #[error("{FORMS}")]
    Form,
    /// The bot that it names is none.
    #[error("{0}; {FORMS}")]
    Bot(#[from] ParseBotError),
}

/// A regime as it is given: its bot is only named.
///
/// ```
/// use coinche_selfplay::play::freeze::{Freeze, FreezeText, FrozenPlayer};
/// use coinche_bots::Registry;
///
/// let registry = Registry::builtin();
/// let freeze = "play=solver".parse::<FreezeText>()?.read(&registry)?;
/// assert_eq!(freeze, Freeze::Play(FrozenPlayer::Solver));
/// assert_eq!("auction".parse::<FreezeText>()?.read(&registry)?.to_string(), "auction=rules");
/// assert_eq!("none".parse::<FreezeText>()?.read(&registry)?, Freeze::None);
/// # Ok::<(), coinche_selfplay::play::freeze::FreezeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FreezeText(String);

/// The parts of such a text.
enum Parts<'a> {
    None,
    Auction(&'a str),
    Play(&'a str),
}

impl FreezeText {
    fn parts(text: &str) -> Option<Parts<'_>> {
        let (part, bot) = text.split_once('=').map_or((text, None), |(part, bot)| (part, Some(bot)));
        match (part, bot) {
            ("none", None) => Some(Parts::None),
            ("auction", bot) => Some(Parts::Auction(bot.unwrap_or(DEFAULT))),
            ("play", bot) => Some(Parts::Play(bot.unwrap_or(DEFAULT))),
            _ => None,
        }
    }

    /// Reads the bidder or the card player that it names; a bot that has both gives the half that is wanted.
    ///
    /// # Errors
    ///
    /// When it is no bot of the registry.
    pub fn read(&self, registry: &Registry) -> Result<Freeze, FreezeError> {
        Ok(match Self::parts(&self.0).ok_or(FreezeError::Form)? {
            Parts::None => Freeze::None,
            Parts::Auction(bot) => Freeze::Auction(Box::new(registry.parse_bidder(bot)?)),
            Parts::Play(SOLVER) => Freeze::Play(FrozenPlayer::Solver),
            Parts::Play(bot) => Freeze::Play(FrozenPlayer::Bot(Box::new(registry.parse_player(bot)?))),
        })
    }

    /// Says what is given, for people; nothing where nothing is.
    pub fn in_words(&self) -> Option<String> {
        match Self::parts(&self.0)? {
            Parts::None => None,
            Parts::Auction(bidder) => Some(format!("all calls by {bidder}")),
            Parts::Play(SOLVER) => Some("all cards by the exact solver".to_owned()),
            Parts::Play(player) => Some(format!("all cards by {player}")),
        }
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for FreezeText {
    type Err = FreezeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        Self::parts(text).map(|_| Self(text.to_owned())).ok_or(FreezeError::Form)
    }
}

impl From<&Freeze> for FreezeText {
    fn from(freeze: &Freeze) -> Self {
        Self(freeze.to_string())
    }
}

impl TryFrom<String> for FreezeText {
    type Error = FreezeError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<FreezeText> for String {
    fn from(text: FreezeText) -> Self {
        text.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Freeze, FreezeError> {
        text.parse::<FreezeText>()?.read(&Registry::builtin())
    }

    #[test]
    fn regimes_are_read_as_they_are_printed() {
        for text in
            ["none", "auction=rules:caution=5", "play=solver", "play=pimc:worlds=5", "auction=cmd:x a=b"]
        {
            let freeze = read(text).unwrap();
            assert_eq!(freeze.to_string(), text);
            assert_eq!(freeze.in_words().is_none(), text == "none");
        }
        let program = read("play=cmd:name=isdd,run=./x y").unwrap();
        assert_eq!(program.to_string(), "play=cmd:name=isdd,run=./x y");
        assert_eq!(program.named().unwrap(), "play=isdd");
        assert_eq!(read("auction").unwrap().named().unwrap(), "auction=rules");
        assert_eq!(read("none").unwrap().named(), None);
        assert_eq!(read("play").unwrap().to_string(), "play=rules");
        // A bidder may be named with a player and a player with a bidder: it is the same regime.
        for (text, same) in [
            ("auction=table", "auction=table+pimc:worlds=5"),
            ("play=pimc:worlds=5", "play=table+pimc:worlds=5"),
            ("play=open:sees=all", "play=rules+open"),
        ] {
            assert_eq!(read(text).unwrap(), read(same).unwrap());
            assert_eq!(read(same).unwrap().to_string(), text);
        }
        assert!(read("play=table").unwrap_err().to_string().contains("does not play cards"));
        assert!(read("auction=pimc").unwrap_err().to_string().contains("does not bid"));
        for bad in
            ["", "all", "none=1", "auction=", "auction=nobody", "auction=solver", "play=a+b+c", "plays"]
        {
            let error = read(bad).unwrap_err().to_string();
            assert!(error.contains("auction[=BIDDER]"), "{bad}: {error}");
        }
    }
}
