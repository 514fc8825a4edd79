//! The part of the game that is the same for all bots of a run: nothing, the auction or the card play.

use core::fmt;
use core::str::FromStr;

use coinche_bots::{BotSpec, ParseBotError, Registry};
use serde::{Deserialize, Serialize};

/// The part of the game that is frozen, so that only the rest is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Freeze {
    /// Bots make their own calls and play their own cards: the whole game is compared.
    None,
    /// The bidder of this bot makes all calls, the same in both legs of a deal: the card play is compared.
    Auction(Box<BotSpec>),
    /// The same player plays all cards: the bidding is compared.
    Play(FrozenPlayer),
}

/// The player of all cards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrozenPlayer {
    /// The card player of this bot.
    Bot(Box<BotSpec>),
    /// The exact solver: a line of double-dummy play.
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

    /// Describes what is frozen; `None` if nothing is.
    pub fn in_words(&self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Auction(bidder) => Some(format!("all calls by {bidder}")),
            Self::Play(FrozenPlayer::Bot(player)) => Some(format!("all cards by {player}")),
            Self::Play(FrozenPlayer::Solver) => FreezeText::from(self).in_words(),
        }
    }

    /// Returns the text for files and pages: with the names of programs in place of their commands; `None` if nothing
    /// is frozen.
    pub fn named(&self) -> Option<String> {
        (*self != Self::None).then(|| self.text(BotSpec::name))
    }

    /// Returns the text with these names of bots.
    fn text(&self, name: impl Fn(&BotSpec) -> &str) -> String {
        match self {
            Self::None => "none".to_owned(),
            Self::Auction(bidder) => format!("auction={}", name(bidder)),
            Self::Play(FrozenPlayer::Bot(player)) => format!("play={}", name(player)),
            Self::Play(FrozenPlayer::Solver) => format!("play={SOLVER}"),
        }
    }

    /// Tests if the auction is frozen.
    pub const fn is_auction(&self) -> bool {
        matches!(self, Self::Auction(_))
    }
}

impl fmt::Display for Freeze {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(BotSpec::as_str))
    }
}

/// An error in the text of a [`Freeze`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FreezeError {
    /// The text has none of the known forms.
    #[error("{FORMS}")]
    Form,
    /// The bot is unknown or wrong.
    #[error("{0}; {FORMS}")]
    Bot(#[from] ParseBotError),
}

/// A [`Freeze`] as text, whose bot is not yet looked up.
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

/// The parsed parts of the text.
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

    /// Looks up the bidder or the card player; of a bot that has both, the wanted half is used.
    ///
    /// # Errors
    ///
    /// When the registry has no such bot.
    pub fn read(&self, registry: &Registry) -> Result<Freeze, FreezeError> {
        Ok(match Self::parts(&self.0).ok_or(FreezeError::Form)? {
            Parts::None => Freeze::None,
            Parts::Auction(bot) => Freeze::Auction(Box::new(registry.parse_bidder(bot)?)),
            Parts::Play(SOLVER) => Freeze::Play(FrozenPlayer::Solver),
            Parts::Play(bot) => Freeze::Play(FrozenPlayer::Bot(Box::new(registry.parse_player(bot)?))),
        })
    }

    /// Describes what is frozen; `None` if nothing is.
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

impl FreezeText {
    /// Returns the text with the names of programs in place of their commands; nothing where nothing is given.
    pub fn named(freeze: &Freeze) -> Option<Self> {
        freeze.named().map(Self)
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
        // A bidder may be named with a player and a player with a bidder: the result is the same.
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
