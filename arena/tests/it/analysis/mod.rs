//! The commands that analyse.

mod advise;
mod bidding;
mod fit;
mod judge;
mod label;
mod stats;
mod strategy;
