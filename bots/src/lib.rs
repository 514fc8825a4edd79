#![doc = include_str!("../README.md")]

mod alphamu;
mod bot;
mod dd;
mod ismcts;
mod mc;
mod open;
mod pimc;
mod program;
mod random;
mod registry;
mod rules;
pub mod search;
mod setting;
pub mod table;
mod team;
pub mod worlds;

pub use alphamu::AlphaMuPlayer;
pub use bot::{Bidder, Bot, CardPlayer, Choice, Considered, OpenPlayer, Player, Thought};
pub use dd::{DdBidder, Solved};
pub use ismcts::IsmctsPlayer;
pub use mc::McPlayer;
pub use open::SolverPlayer;
pub use pimc::PimcPlayer;
pub use program::{Budget, Program};
pub use random::{RandomBidder, RandomPlayer};
pub use registry::{BotInfo, BotSpec, ParamInfo, Params, ParseBotError, registry, shell_quoted};
pub use rules::{RulesBidder, RulesPlayer};
pub use table::TableBidder;
pub use team::TeamSpec;
