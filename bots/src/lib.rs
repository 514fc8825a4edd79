#![doc = include_str!("../README.md")]

mod bot;
mod program;
mod random;
mod registry;
mod rules;
pub mod table;

pub use bot::{Bidder, Bot, CardPlayer};
pub use program::{Budget, Program};
pub use random::{RandomBidder, RandomPlayer};
pub use registry::{BotInfo, BotSpec, ParamInfo, Params, ParseBotError, registry};
pub use rules::{RulesBidder, RulesPlayer};
pub use table::TableBidder;
