//! Why a call or a contract is not legal.

use crate::{Bid, Call, DealError, Stake, Strain, Suit};

/// Why a call is not legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalCall {
    /// The auction is over.
    #[error("{0} after the end of the auction")]
    Over(Call),
    /// The bid is not higher than the last.
    #[error("{bid} is not higher than the last bid, {last}")]
    TooLow {
        /// The bid that was tried.
        bid: Bid,
        /// The bid to be topped.
        last: Bid,
    },
    /// The rules do not have this value.
    #[error("{0} is not a value that these rules allow")]
    NoSuchValue(Bid),
    /// The rules do not have this strain.
    #[error("{0} is a strain that these rules do not allow")]
    NoSuchStrain(Bid),
    /// A bid over a coinche.
    #[error("{0}: nobody may bid over a coinche")]
    OverCoinche(Call),
    /// A bid or a signal pass where only a coinche is offered.
    #[error("{0}: an offer is answered by a coinche or a pass")]
    Offered(Call),
    /// A pass of the last to speak where somebody must bid.
    #[error("{0}: all others have passed, and who speaks last must bid")]
    MustBid(Call),
    /// Coinche or surcoinche where there is nothing to double.
    #[error("{0}: there is no bid of the right side to double")]
    NothingToDouble(Call),
    /// A call of the other kind of auction, or a signal pass where there is none.
    #[error("{0} is not a call of this auction")]
    NotInThisAuction(Call),
    /// A bid in the turn-up game's second round in the turned suit.
    #[error("TAKE {0}: the turned suit was refused in the first round")]
    TurnedSuit(Suit),
}

/// Why a contract is none of a rule set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContractError {
    /// The rules do not have this value.
    #[error("{0} is not a value that these rules allow")]
    Value(Bid),
    /// The rules do not have this strain.
    #[error("{0} is a strain that these rules do not allow")]
    Strain(Strain),
    /// A contract with a value where bids have none, or one without where they have one.
    #[error("a contract with a value is one of auctions in which values are bid, `TAKEH` of the others")]
    Goal,
    /// Coinched under rules without a coinche.
    #[error("{0}: these rules have no coinche")]
    Stake(Stake),
    /// The cards were dealt under other rules.
    #[error(transparent)]
    Deal(#[from] DealError),
}
