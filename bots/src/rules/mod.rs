//! `rules`: the sense of a decent club player.

mod bidder;
mod player;

pub use bidder::RulesBidder;
pub use player::RulesPlayer;
