//! `rules`: plays like an average club player.

mod bidder;
mod player;

pub use bidder::RulesBidder;
pub use player::RulesPlayer;
