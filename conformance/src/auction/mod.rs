//! The auction: who speaks, what may be said, and the resulting contract.

mod call;
mod state;

use thiserror::Error;

pub use call::{Bid, Call, Level, Stake};

use crate::cards::{Card, ParseError};
use crate::rules::Rules;
use state::State;

/// A seat asked to speak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who speaks.
    pub seat: usize,
    /// Whether this is only an offer (of a coinche or surcoinche) besides the turns to speak.
    pub offer: bool,
    /// Every call that may be said, as text: passes, bids by value then strain, `X`, `XX`.
    pub calls: Vec<String>,
}

/// The contract that an auction ends in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The last bid.
    pub bid: Bid,
    /// Who made it.
    pub declarer: usize,
    /// Plain, coinche or surcoinche.
    pub stake: Stake,
}

/// What comes next in an auction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Auction {
    /// Somebody speaks.
    Turn(Turn),
    /// It is over, with a contract.
    Contract(Contract),
    /// It is over, without a bid.
    ThrownIn,
}

/// What is wrong with the calls of an auction.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AuctionError {
    /// A call cannot be read.
    #[error("call {index}: {error}")]
    Unreadable {
        /// Its place in the list.
        index: usize,
        /// Why.
        error: ParseError,
    },
    /// A call is out of turn or not allowed.
    #[error("call {index}: seat {seat} may not say {call} here")]
    Illegal {
        /// Its place in the list.
        index: usize,
        /// Who said it.
        seat: usize,
        /// What was said.
        call: String,
    },
    /// There are calls after the end.
    #[error("call {index} comes after the end of the auction")]
    AfterEnd {
        /// Place in the list of the first of them.
        index: usize,
    },
    /// The auction is not over.
    #[error("the auction is not over after its {calls} calls")]
    NotOver {
        /// How many calls there are.
        calls: usize,
    },
    /// A turn-up deal without its turned card.
    #[error("a turn-up deal needs its turned card")]
    NoTurnedCard,
}

/// What comes after some calls. Every answer to an offer is listed, a declined one as `P`.
/// `turned` is the turned card of a turn-up deal.
///
/// # Errors
/// When a call cannot be read, or is not allowed where it stands.
pub fn legal_calls(
    rules: &Rules,
    dealer: usize,
    turned: Option<Card>,
    calls: &[(usize, String)],
) -> Result<Auction, AuctionError> {
    let mut state = State::new(rules, dealer, turned)?;
    for (index, (seat, call)) in read(calls)?.into_iter().enumerate() {
        if state.end().is_some() {
            return Err(AuctionError::AfterEnd { index });
        }
        if !state.allows(seat, call) {
            return Err(illegal(index, seat, call));
        }
        state.say(call);
    }
    Ok(state.end().unwrap_or_else(|| Auction::Turn(state.turn())))
}

/// The end of an auction as records list it: declined offers may be listed, and may be left out.
///
/// # Errors
/// When no way to fill in declined offers makes it a whole auction. The error names the call
/// that the longest attempt stumbled over.
pub fn replay_listed(
    rules: &Rules,
    dealer: usize,
    turned: Option<Card>,
    calls: &[(usize, String)],
) -> Result<Auction, AuctionError> {
    let state = State::new(rules, dealer, turned)?;
    let calls = read(calls)?;
    let mut reached = 0;
    if let Some(end) = search(&state, &calls, 0, &mut reached) {
        return Ok(end);
    }
    match calls.get(reached) {
        Some(&(seat, call)) => Err(illegal(reached, seat, call)),
        None => Err(AuctionError::NotOver { calls: calls.len() }),
    }
}

fn search(state: &State<'_>, calls: &[(usize, Call)], index: usize, reached: &mut usize) -> Option<Auction> {
    *reached = index.max(*reached);
    if let Some(end) = state.end() {
        return (index == calls.len()).then_some(end);
    }
    if let Some(&(seat, call)) = calls.get(index)
        && state.allows(seat, call)
    {
        let mut next = state.clone();
        next.say(call);
        if let Some(end) = search(&next, calls, index + 1, reached) {
            return Some(end);
        }
    }
    if state.is_offer() {
        let mut next = state.clone();
        next.say(Call::Pass);
        return search(&next, calls, index, reached);
    }
    None
}

fn read(calls: &[(usize, String)]) -> Result<Vec<(usize, Call)>, AuctionError> {
    calls
        .iter()
        .enumerate()
        .map(|(index, (seat, text))| match text.parse() {
            Ok(call) => Ok((*seat, call)),
            Err(error) => Err(AuctionError::Unreadable { index, error }),
        })
        .collect()
}

fn illegal(index: usize, seat: usize, call: Call) -> AuctionError {
    AuctionError::Illegal { index, seat, call: call.to_string() }
}

#[cfg(test)]
mod tests;
