//! How likely players of a population make a call, given their hand and what everybody sees.
//!
//! A small network was fitted to what bidders of many kinds did (`arena train reading`, docs/search.md). It says what a call tells about a
//! hand: the worlds of a search are weighed by it. Inputs are either public or the cards of the hand, so that what is public is added up once
//! for all the hands that are tried.

mod calls;
mod moment;
mod network;
mod order;

pub use calls::CALL_INPUTS;
pub use moment::{Moment, Reader};
pub(crate) use network::exp;
pub use network::{CALL_OUTPUTS, CallReading, ChoiceTarget, Population};
