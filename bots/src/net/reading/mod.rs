//! How likely players of a population make a call or play a card, given their hand and what everybody sees.
//!
//! Two small networks, one for calls and one for cards, were fitted to what bidders and card players of many kinds did (`arena train
//! reading`, docs/search.md). They say what an action tells about a hand: the worlds of a search are weighed by them. Inputs are either public
//! or the cards of the hand, so that what is public is added up once for all the hands that are tried.

mod calls;
mod cards;
mod moment;
mod network;
mod order;

pub use calls::CALL_INPUTS;
pub use cards::CARD_INPUTS;
pub use moment::{Moment, Reader};
pub(super) use network::exp;
pub use network::{CALL_OUTPUTS, CallReading, CardReading, ChoiceTarget, Population};
