//! Bidding by simulation: what `dd`, `mc` and `ismcts` have in common.
//!
//! A decision draws deals that fit the hand, preferring those in which the others would have called what they called
//! ([`sampler`], by whose calls they are read: [`reader`]). In each it makes every call that `table` finds worth a thought ([`candidates`]), lets the auction go on by a
//! policy ([`policy`]), and values the contract that comes out ([`value`]): solved double dummy, or played out by a card player.
//! What the deals say is weighed against what the table expects, by how certain each is.

mod bidder;
mod candidates;
mod guide;
mod policy;
mod reader;
mod sampler;
mod search;
mod solved;
mod tree;
mod value;

pub(crate) use bidder::AuctionSearch;
pub use bidder::SimulatingBidder;
pub use candidates::promising_calls;
pub(crate) use guide::Guide;
pub use policy::complete_auction;
pub(crate) use policy::{BIDS_PARAM, BiddingPolicy, FILE_PARAM};
pub use sampler::Pool;
pub(crate) use sampler::{READING_PARAMS, Sampling};
pub(crate) use search::Simulation;
pub(crate) use solved::Solved;
pub(crate) use tree::CallTree;
pub(crate) use value::Value;
pub use value::play_on;
