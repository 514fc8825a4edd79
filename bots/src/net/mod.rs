//! `net`: bids and plays by small neural networks.
//!
//! [`Layers`] are the networks, [`Gradient`] says how they learn. [`bidding`] is the bidder, [`cards`] the card player,
//! [`reading`] how likely others' calls are.

#[macro_use]
mod file;
#[macro_use]
mod gradient;

pub mod bidding;
pub mod cards;
mod layers;
pub mod reading;

pub use file::{NetError, NetKind};
pub use gradient::{Gradient, InputRows, Learnt, Loss, Target};
pub use layers::Layers;
