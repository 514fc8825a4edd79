//! Records as the statistics need them, read in one pass over their lines.

mod error;
pub mod files;
pub mod line;
pub mod quick;
pub mod record;
pub mod words;

pub use error::ReadRecordError;
