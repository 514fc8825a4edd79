//! The lower floors of the arena: what plays deals between bots, and what writes and reads their records.

pub mod base;
pub mod document;
pub mod play;
pub mod records;
pub mod speed;
