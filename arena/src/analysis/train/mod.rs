//! Trains the networks of the bot `net`: `bidding` that of the bidder, `cards` that of the card player.

pub(crate) mod bidding;
pub(crate) mod cards;
mod descent;
pub(crate) mod reading;
