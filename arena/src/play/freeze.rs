//! What is the same for all bots of a run: nothing, the auction or the card play.

use core::fmt;
use core::str::FromStr;

use coinche_bots::{BotSpec, shell_quoted};
use serde::{Deserialize, Serialize};

/// The regime of a run: which part of the game is given, so that only the other is compared.
///
/// ```
/// use coinche_arena::Freeze;
///
/// let freeze: Freeze = "play=solver".parse()?;
/// assert!(matches!(freeze, Freeze::Play(coinche_arena::FrozenPlayer::Solver)));
/// assert_eq!("auction".parse::<Freeze>()?.to_string(), "auction=rules");
/// assert_eq!("none".parse::<Freeze>()?, Freeze::None);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
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
    /// The exact solver: a line of best play of both sides with open cards.
    Solver,
}

const FORMS: &str =
    "expected none, auction[=BIDDER] or play[=PLAYER|solver], as `auction=rules` or `play=solver`";
const DEFAULT: &str = "rules";
const SOLVER: &str = "solver";

impl Freeze {
    /// Says what is given, for people; nothing where nothing is.
    pub fn in_words(&self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Auction(bidder) => Some(format!("all calls by {bidder}")),
            Self::Play(FrozenPlayer::Bot(player)) => Some(format!("all cards by {player}")),
            Self::Play(FrozenPlayer::Solver) => Some("all cards by the exact solver".to_owned()),
        }
    }

    /// Returns the flag that gives it, a space before it; nothing where nothing is given.
    pub(crate) fn flag(&self) -> String {
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

impl FromStr for Freeze {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (part, given) =
            text.trim().split_once('=').map_or((text.trim(), None), |(part, given)| (part, Some(given)));
        let bot =
            || given.unwrap_or(DEFAULT).parse().map(Box::new).map_err(|error| format!("{error}; {FORMS}"));
        match (part, given) {
            ("none", None) => Ok(Self::None),
            ("auction", _) => Ok(Self::Auction(bot()?)),
            ("play", Some(SOLVER)) => Ok(Self::Play(FrozenPlayer::Solver)),
            ("play", _) => Ok(Self::Play(FrozenPlayer::Bot(bot()?))),
            _ => Err(FORMS.to_owned()),
        }
    }
}

impl fmt::Display for Freeze {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Auction(bidder) => write!(f, "auction={bidder}"),
            Self::Play(FrozenPlayer::Bot(player)) => write!(f, "play={player}"),
            Self::Play(FrozenPlayer::Solver) => write!(f, "play={SOLVER}"),
        }
    }
}

impl TryFrom<String> for Freeze {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Freeze> for String {
    fn from(freeze: Freeze) -> Self {
        freeze.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regimes_are_read_as_they_are_printed() {
        for text in
            ["none", "auction=rules:caution=5", "play=solver", "play=rules+random", "auction=cmd:x a=b"]
        {
            let freeze: Freeze = text.parse().unwrap();
            assert_eq!(freeze.to_string(), text);
            assert_eq!(freeze.in_words().is_none(), text == "none");
        }
        assert_eq!("play".parse::<Freeze>().unwrap().to_string(), "play=rules");
        for bad in
            ["", "all", "none=1", "auction=", "auction=nobody", "auction=solver", "play=a+b+c", "plays"]
        {
            let error = bad.parse::<Freeze>().unwrap_err();
            assert!(error.contains("auction[=BIDDER]"), "{bad}: {error}");
        }
    }
}
