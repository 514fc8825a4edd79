//! Records as the statistics need them, read in one pass over each line.

mod error;
pub mod files;
mod line;
pub(super) mod quick;
pub mod record;
mod words;

pub use error::ReadRecordError;
pub use words::Aim;
