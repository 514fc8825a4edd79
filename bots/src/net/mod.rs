//! `net`: bids by a small neural network, trained on auctions that were gone on with.
//!
//! What a call gains over a pass is computed from what `table` makes of it ([`Terms`](crate::table::Terms)), the cards as seen from its
//! strain, and all calls so far (`input.rs`), by two hidden layers ([`Network`]). `arena train` makes the network: it makes calls in auctions
//! of a population of bidders, lets the auction go on, has the cards played, and fits the network to what the call gained.
//! docs/bidders.md describes the method.

mod bidder;
mod file;
mod gradient;
mod input;
mod model;
mod network;

pub use bidder::NetBidder;
pub(crate) use bidder::model as net_of;
pub use file::NetError;
pub use gradient::{Gradient, Loss, Target};
pub use input::{INPUTS, Input, RuleNumbers};
pub use model::NetModel;
pub use network::{HIDDEN, Layers, Network, OUTPUTS, Output};
