//! The card player `net`: what each card is worth.
//!
//! It is computed from what the seat knows, in one order of the suits (`input.rs`). `arena train cards` makes the network: it solves and plays out
//! every card at the choices of many deals. docs/search.md describes the method.

mod deep;
mod input;
mod network;
mod player;
pub(super) mod public;
mod whole;

pub use deep::DeepNetwork;
pub use input::{CardInput, FINGERPRINT, INPUTS, NUMBERS, encode, inputs};
pub use network::{CardLayers, CardNetwork, CardTarget, HIDDEN, OUTPUTS};
pub use player::NetPlayer;
