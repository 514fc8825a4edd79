//! Analysis of records and solved deals, and the deal that a person plays: one module per command, of the
//! command's name. `typed` parses user input.

pub(crate) mod advise;
pub(crate) mod bidding;
pub(crate) mod compare;
pub(crate) mod fit;
pub(crate) mod judge;
pub(crate) mod label;
pub(crate) mod leaderboard;
pub(crate) mod plan;
pub(crate) mod play;
pub(crate) mod report;
pub(crate) mod stats;
pub(crate) mod stats_hands;
pub(crate) mod status;
pub(crate) mod system;
pub(crate) mod train;
pub(crate) mod typed;
