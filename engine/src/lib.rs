#![doc = include_str!("../README.md")]

#[macro_use]
mod notation;

mod auction;
mod bits;
mod call;
mod card;
mod card_set;
mod deal;
pub mod encoding;
mod matches;
mod melds;
pub mod perft;
mod play;
#[cfg(feature = "rand")]
pub mod playout;
#[cfg(feature = "rand")]
mod random;
#[cfg(feature = "serde")]
pub mod record;
#[cfg(feature = "serde")]
mod rule_file;
pub mod rules;
mod score;
mod seat;
#[cfg(feature = "serde")]
mod serde_forms;
pub mod solver;
mod state;
mod strain;
#[cfg(feature = "serde")]
mod suggest;
mod trick;
mod view;

pub use auction::{
    Auction, AuctionState, AuctionTurn, Contract, ContractError, Goal, IllegalCall, Ladder, LegalCalls,
    ParseContractBidError,
};
pub use call::{
    Bid, BidValue, Call, ParseBidError, ParseBidValueError, ParseCallError, ParseStakeError, Stake,
};
pub use card::{Card, ParseCardError, ParseRankError, ParseSuitError, Rank, Suit};
pub use card_set::{CardSet, Cards, ParseHandError};
pub use deal::{Deal, DealError, Deck, HandsError, ParseHandsError, PastDeal, parse_hands};
pub use matches::MatchState;
pub use melds::{Meld, MeldKind, Melds, ParseMeldKindError};
pub use play::{FinishedTrick, PlayError, PlayState};
#[cfg(feature = "rand")]
pub use random::{Key, ParseSeedError, Purpose, Secrets, Seed, digest, first_dealer, random_card};
#[cfg(feature = "serde")]
pub use rule_file::ParseRulesError;
pub use rules::RuleSet;
pub use score::{DealResult, DealScore};
pub use seat::{BySeat, ByTeam, ParseSeatError, Seat, Team};
pub use state::observation;
pub use state::{Belote, DealState, IllegalPlay, Outcome, Play, StateBytesError, Turn};
pub use strain::{ParseStrainError, Strain};
#[cfg(feature = "serde")]
pub use suggest::{did_you_mean, nearest_name};
pub use trick::Trick;
pub use view::{SeenDeal, View};
