//! One decision of a player.

use core::fmt;

use crate::{Call, Card, IllegalCall, IllegalPlay, Play};

/// A call or a card, with what is said while playing it.
///
/// Melds are announced as the rules' default has it: the best of the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// A call of the auction, or the answer to an offer of a coinche or surcoinche (a pass declines).
    Call(Call),
    /// A card; a belote that it opens is announced.
    Card(Card),
    /// A king or queen that opens a belote, without announcing it. An action of its own only where the rules leave that
    /// choice and the player holds both.
    SilentCard(Card),
}

impl Action {
    /// Returns the play of a card, `None` of a call.
    #[inline]
    pub fn play(self) -> Option<Play> {
        match self {
            Self::Call(_) => None,
            Self::Card(card) => Some(card.into()),
            Self::SilentCard(card) => Some(Play { announce_belote: false, ..card.into() }),
        }
    }
}

impl From<Call> for Action {
    fn from(call: Call) -> Self {
        Self::Call(call)
    }
}

impl From<Card> for Action {
    fn from(card: Card) -> Self {
        Self::Card(card)
    }
}

impl fmt::Display for Action {
    /// Writes cards and calls in the notation of records, and `KS silent` for a card without its belote.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(call) => call.fmt(f),
            Self::Card(card) => card.fmt(f),
            Self::SilentCard(card) => write!(f, "{card} silent"),
        }
    }
}

from_text! {
    /// Reads what [`Action`] displays as. A text that could be both (`7C`, `10H` under rules with bids of
    /// up to ten points) is a card.
    Action, ParseActionError,
    "`{0}` is neither a card nor a call: expected `JS`, `82S`, `P`, `X` or `KS silent`, for example",
    |text| match text.trim().strip_suffix("silent") {
        Some(card) => card.trim().parse().ok().map(Self::SilentCard),
        None => text.parse().map(Self::Card).ok().or_else(|| text.parse().map(Self::Call).ok()),
    }
}

/// Why an action cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalAction {
    /// There is no action of this number.
    #[error("action {action}: expected 0 to {}", len - 1)]
    OutOfRange {
        /// The number that was tried.
        action: usize,
        /// The number of actions.
        len: usize,
    },
    /// The deal is over.
    #[error("{0}: the deal is over")]
    Over(Action),
    /// A card in the auction.
    #[error("{0}: a call is expected")]
    NotPlaying(Action),
    /// A call in the play.
    #[error("{0}: a card is expected")]
    NotBidding(Action),
    /// The call breaks a rule.
    #[error(transparent)]
    Call(#[from] IllegalCall),
    /// The card breaks a rule.
    #[error(transparent)]
    Play(#[from] IllegalPlay),
    /// The card opens no belote that might be kept silent.
    #[error("{0}: there is no choice to announce a belote; play the card without `silent`")]
    NoBelote(Action),
}
