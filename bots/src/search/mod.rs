//! What the searching card players share: what a deal is worth, the worlds of a decision, and the count of
//! what each card came to.

mod ballot;
mod budget;
mod clock;
mod decision;
mod equity;
mod payoff;
mod renamed;
mod situation;
mod solving;
mod stream;

pub(crate) use ballot::Ballot;
pub use budget::duration;
pub(crate) use budget::{Limits, TIME_PARAM};
pub(crate) use clock::Stopwatch;
pub(crate) use decision::Decision;
pub use equity::Equity;
pub(crate) use equity::{EQUITY_PARAM, wants_equity};
pub use payoff::Payoff;
pub(crate) use renamed::{Renamed, history};
pub(crate) use situation::Situation;
pub use situation::same_card;
pub(crate) use solving::{solve, solve_cards, solve_value};
pub(crate) use stream::{READ_PARAMS, Source, Stream};
