#![doc = include_str!("../README.md")]

#[macro_use]
mod params;

mod act_all;
mod alphamu;
mod batch;
mod bot;
mod builtin;
mod champion;
mod command;
mod dd;
mod error;
mod families;
mod files;
mod info;
mod ismcts;
mod mc;
pub mod net;
mod open;
mod pimc;
mod program;
mod random;
mod registry;
mod reported;
mod rules;
pub mod search;
mod simulation;
mod spec;
mod style;
pub mod system;
pub mod table;
pub mod worlds;

pub use act_all::{Answer, Position};
pub use alphamu::{AlphaMu, AlphaMuPlayer};
pub use batch::{BatchBot, BatchMaker, MakeBatchBot, Question};
pub use bot::{
    Agent, BidStyle, Bidder, Bot, CardPlayer, Choice, Considered, OpenPlayer, Player, Thought, Z_95,
};
pub use champion::Champion;
pub use command::{is_on_path, shell_quoted};
pub use dd::DdBidder;
pub use error::{ParseBotError, RegistryError};
pub use info::BotInfo;
pub use ismcts::{Ismcts, IsmctsBidder, IsmctsPlayer};
pub use mc::{McBidder, McPlayer, MonteCarlo};
pub use net::bidding::NetBidder;
pub use net::cards::NetPlayer;
pub use open::SolverPlayer;
pub use params::{ParamError, ParamInfo, Params};
pub use pimc::{Pimc, PimcPlayer};
pub use program::{Budget, Program};
pub use random::{RandomBidder, RandomPlayer};
pub use registry::Registry;
pub use rules::{RulesBidder, RulesPlayer};
pub use simulation::{Pool, SimulatingBidder, complete_auction, play_on, promising_calls};
pub use spec::{BotSpec, TeamSpec, says_clock, says_sees_all};
pub use style::bid_style;
pub use system::SystemBidder;
pub use table::TableBidder;
