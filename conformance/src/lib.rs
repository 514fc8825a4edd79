#![doc = include_str!("../README.md")]

pub mod auction;
pub mod cards;
pub mod dealing;
pub mod generate;
pub mod matches;
pub mod melds;
pub mod options;
pub mod play;
pub mod record;
pub mod referee;
pub mod rules;
pub mod score;

pub use auction::{
    Auction, AuctionError, Bid, Call, Contract, Level, Stake, Turn, legal_calls, replay_listed,
};
pub use cards::{Card, ParseError, Rank, Strain, Suit, hand_text, parse_hand};
pub use matches::{AfterEnd, Event, MatchState, match_state};
pub use melds::{Meld, MeldKind, choices, contest};
pub use play::{Duty, card_points, duty, legal_cards, trick_winner};
pub use record::Record;
pub use referee::referee;
pub use rules::{NamedRules, PRESETS, Rules, RulesError};
pub use score::{Deal, Outcome, score_deal};
