//! What the searching card players share: what a deal is worth, the worlds of a decision, and what each candidate
//! scored in them.

mod budget;
mod candidates;
mod canonical;
mod clock;
mod decision;
mod equity;
mod payoff;
mod player;
mod situation;
mod solving;
mod stream;
mod ties;

pub use budget::duration;
pub(crate) use budget::{Limits, TIME_PARAM};
pub(crate) use candidates::CardCandidates;
pub(crate) use canonical::Canonical;
pub(crate) use clock::{DealClock, Stopwatch};
pub(crate) use decision::Decision;
pub use equity::Equity;
pub(crate) use equity::{EQUITY_PARAM, wants_equity};
pub use payoff::Payoff;
pub use player::SearchPlayer;
pub(crate) use player::{FROM_PARAM, PRUNE_PARAM, Search, SearchSettings, prunes};
pub(crate) use situation::Situation;
pub use situation::same_card;
pub(crate) use solving::{solve, solve_cards, solve_value};
pub use stream::opponent_model;
pub(crate) use stream::{CallModel, POPULATION_PARAM, READ_PARAMS, Reads, Source, Stream};
pub(crate) use ties::solve_ties;
