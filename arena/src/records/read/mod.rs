//! Records as the statistics need them, read in one pass over their lines.

mod error;
pub(crate) mod files;
pub(crate) mod line;
pub(crate) mod quick;
pub(crate) mod record;
pub(crate) mod words;

pub(crate) use error::ReadRecordError;
