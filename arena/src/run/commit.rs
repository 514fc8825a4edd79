//! What the program was built from.

/// The commit that the program was built from; `+changes` behind it when the sources differed from it.
pub const COMMIT: &str = env!("ARENA_COMMIT");
