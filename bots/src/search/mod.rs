//! What the searching card players share: what a deal is worth, the worlds of a decision, and the count of
//! what each card came to.

mod ballot;
mod budget;
mod clock;
mod payoff;
mod renamed;
mod situation;
mod stream;

pub(crate) use ballot::Ballot;
pub(crate) use budget::{Limits, TIME_PARAM};
pub(crate) use clock::Stopwatch;
pub use payoff::Payoff;
pub(crate) use renamed::{Renamed, history};
pub(crate) use situation::Situation;
pub use situation::same_card;
pub(crate) use stream::{Next, READ_PARAMS, Source, Stream};
