//! The bidder `net`: what every call gains over a pass.
//!
//! It is computed from what `table` makes of the call ([`Terms`](crate::table::Terms)), the cards as seen from its strain, and all calls so far
//! (`input.rs`). `arena train bidding` makes the network: it makes calls in auctions of a population of bidders, lets the auction go on, has the
//! cards played, and fits the network to what the call gained. docs/bidders.md describes the method.

mod bidder;
mod input;
mod model;
mod network;
mod target;

pub use bidder::NetBidder;
pub(crate) use bidder::{STYLE, model as net_of};
pub(super) use input::KnownNumbers;
pub use input::{INPUTS, Input, RuleNumbers};
pub use model::NetModel;
pub use network::{BiddingLayers, BiddingNetwork, HIDDEN, OUTPUTS, Output};
pub use target::CallTarget;
