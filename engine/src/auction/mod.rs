//! The auction: who speaks, what may be said, and the contract that comes out.
//!
//! [`AuctionState`] is the small `Copy` summary on which every rule depends; [`Auction`] adds the list
//! of calls. Both the auction of full deals and that of the turn-up game are here, as in `docs/rules.md`, "Auction".
//! With an any-time coinche the opponents of a bid are *offered* a coinche before the next
//! player speaks; such a turn is answered with [`Call::Pass`], which is not part of the list of calls.

mod error;
mod ladder;
mod legal;
mod state;

pub use error::{ContractError, IllegalCall};
pub use ladder::Ladder;
pub use legal::LegalCalls;
pub use state::AuctionState;

use core::fmt;

use crate::{Bid, BidValue, Call, DealError, RuleSet, Seat, Stake, Strain, Suit};

/// What a side has promised to reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Goal {
    /// A bid with a value.
    Bid(BidValue),
    /// A take of the turn-up game, or a bid of a strain alone: more points than the other side.
    Majority,
}

/// What an auction decides: who plays what, for which stake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Contract {
    /// Who made the last bid, or took.
    pub declarer: Seat,
    /// What is trump.
    pub strain: Strain,
    /// What must be reached.
    pub goal: Goal,
    /// Whether it was coinched.
    pub stake: Stake,
}

impl Contract {
    /// Returns the value `V` of the contract in the score; 0 of one without value.
    pub const fn worth(&self, rules: &RuleSet) -> u16 {
        match self.goal {
            Goal::Bid(value) => rules.bid_worth(value),
            Goal::Majority => 0,
        }
    }

    /// Returns the bid in the notation of records: `100S`, `CAPOTH`, `TAKEH`.
    pub fn bid_code(&self) -> String {
        ContractBid { strain: self.strain, goal: self.goal }.to_string()
    }

    /// Returns the contract of a bid in the notation of [`Contract::bid_code`].
    ///
    /// # Errors
    ///
    /// When the text is no such bid.
    pub fn from_code(bid: &str, declarer: Seat, stake: Stake) -> Result<Self, ParseContractBidError> {
        let ContractBid { strain, goal } = bid.parse()?;
        Ok(Self { declarer, strain, goal, stake })
    }
}

/// The bid of a contract, which in records is one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ContractBid {
    pub(crate) strain: Strain,
    pub(crate) goal: Goal,
}

impl fmt::Display for ContractBid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.goal {
            Goal::Bid(value) => fmt::Display::fmt(&Bid::new(value, self.strain), f),
            Goal::Majority => write!(f, "TAKE{}", self.strain),
        }
    }
}

from_text! {
    ContractBid, ParseContractBidError,
    "`{0}` is not the bid of a contract: expected `82H`, `CAPOTS` or `TAKEH`, for example",
    |text| match text.parse() {
        Ok(Call::Bid(Bid { value, strain })) if value != BidValue::NONE => Some(Self { strain, goal: Goal::Bid(value) }),
        _ => text.trim().split_at_checked(4).and_then(|(take, strain)| {
            let strain = strain.parse().ok().filter(|_| take.eq_ignore_ascii_case("TAKE"))?;
            Some(Self { strain, goal: Goal::Majority })
        }),
    }
}

/// Where an auction stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuctionTurn {
    /// This seat must speak.
    Speak(Seat),
    /// An any-time coinche is offered to this seat: coinche or decline.
    OfferCoinche(Seat),
    /// A surcoinche is offered to this seat after an any-time coinche: surcoinche or decline.
    OfferSurcoinche(Seat),
    /// The auction is over.
    Over,
}

impl AuctionTurn {
    /// Returns the seat that must answer, unless the auction is over.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Speak(seat) | Self::OfferCoinche(seat) | Self::OfferSurcoinche(seat) => Some(seat),
            Self::Over => None,
        }
    }

    /// Tests if a coinche or surcoinche is offered.
    pub const fn is_offer(self) -> bool {
        matches!(self, Self::OfferCoinche(_) | Self::OfferSurcoinche(_))
    }

    /// Tests if what is offered now was declined, given the next call of the list, in which declined offers are left out.
    pub(crate) fn was_declined(self, next: Option<(Seat, Call)>) -> bool {
        match self {
            Self::OfferCoinche(asked) => next != Some((asked, Call::Coinche)),
            Self::OfferSurcoinche(asked) => next.is_none_or(|(seat, _)| seat != asked),
            Self::Speak(_) | Self::Over => false,
        }
    }
}

/// An auction with its list of calls, append-only.
///
/// ```
/// use coinche_engine::{Auction, AuctionTurn, RuleSet, Seat};
///
/// let mut auction = Auction::new(&RuleSet::BGA, Seat::S3, None);
/// for call in ["82H", "P", "100H", "X", "P", "P", "P"] {
///     auction.call(call.parse()?)?;
/// }
/// assert_eq!(auction.state().turn(), AuctionTurn::Over);
/// assert_eq!(auction.state().contract().map(|c| c.declarer), Some(Seat::S2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Auction {
    state: AuctionState,
    calls: Vec<(Seat, Call)>,
}

impl Auction {
    /// Starts an auction, see [`AuctionState::new`].
    ///
    /// # Panics
    ///
    /// Panics when there is a turned suit and the rules turn none, or the other way round.
    pub fn new(rules: &RuleSet, dealer: Seat, turned: Option<Suit>) -> Self {
        Self { state: AuctionState::new(rules, dealer, turned), calls: Vec::with_capacity(32) }
    }

    /// Starts an auction as [`Auction::new`] does.
    ///
    /// # Errors
    ///
    /// [`DealError::Turned`] when there is a turned suit and the rules turn none, or the other way round.
    pub fn try_new(rules: &RuleSet, dealer: Seat, turned: Option<Suit>) -> Result<Self, DealError> {
        let state = AuctionState::try_new(rules, dealer, turned)?;
        Ok(Self { state, calls: Vec::with_capacity(32) })
    }

    /// Starts another auction in the same memory.
    ///
    /// # Panics
    ///
    /// Panics as [`Auction::new`] does.
    pub fn restart(&mut self, rules: &RuleSet, dealer: Seat, turned: Option<Suit>) {
        self.state = AuctionState::new(rules, dealer, turned);
        self.calls.clear();
    }

    /// Returns a copy of another auction in the memory of this one, which is left empty.
    pub(crate) fn copy_of(&mut self, source: &Self) -> Self {
        let mut calls = core::mem::take(&mut self.calls);
        calls.clone_from(&source.calls);
        Self { state: source.state, calls }
    }

    /// Ends an auction in which nothing was said with a contract of these rules.
    pub(crate) fn settle(&mut self, rules: &RuleSet, contract: Contract) -> Result<(), ContractError> {
        self.state.settle(rules, contract)
    }

    /// Returns where the auction stands.
    pub const fn state(&self) -> &AuctionState {
        &self.state
    }

    /// Returns the calls so far with their seats; declined offers of an any-time coinche are left out.
    pub fn calls(&self) -> &[(Seat, Call)] {
        &self.calls
    }

    /// Makes a call for the seat whose turn it is, and returns that seat.
    ///
    /// # Errors
    ///
    /// Says which rule the call breaks; the auction is then unchanged.
    pub fn call(&mut self, call: Call) -> Result<Seat, IllegalCall> {
        let offered = !matches!(self.state.turn(), AuctionTurn::Speak(_));
        let seat = self.state.call(call)?;
        if !(offered && call == Call::Pass) {
            self.calls.push((seat, call));
        }
        Ok(seat)
    }
}
