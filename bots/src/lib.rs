#![doc = include_str!("../README.md")]

mod alphamu;
mod bot;
mod builtin;
mod dd;
mod error;
mod info;
mod ismcts;
mod mc;
mod open;
mod params;
mod pimc;
mod program;
mod random;
mod registry;
mod rules;
pub mod search;
mod spec;
pub mod table;
pub mod worlds;

pub use alphamu::{AlphaMu, AlphaMuPlayer};
pub use bot::{Agent, Bidder, Bot, CardPlayer, Choice, Considered, OpenPlayer, Player, Thought};
pub use dd::{DdBidder, Solved};
pub use error::{ParseBotError, RegistryError};
pub use info::BotInfo;
pub use ismcts::{Ismcts, IsmctsPlayer};
pub use mc::{McPlayer, MonteCarlo};
pub use open::SolverPlayer;
pub use params::{ParamError, ParamInfo, Params};
pub use pimc::{Pimc, PimcPlayer};
pub use program::{Budget, Program};
pub use random::{RandomBidder, RandomPlayer};
pub use registry::Registry;
pub use rules::{RulesBidder, RulesPlayer};
pub use spec::{BotSpec, TeamSpec, says_sees_all, shell_quoted};
pub use table::TableBidder;
