//! The commands that analyse.

mod advise;
mod bidding;
mod compare;
mod decisions;
mod fit;
mod judge;
mod label;
mod label_merge;
mod play;
mod stats;
mod strategy;
mod system;
mod train;
