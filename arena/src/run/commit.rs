//! What the program was built from.

/// The commit that the program was built from; `+changes` behind it when the sources differed from it.
pub const COMMIT: &str = env!("ARENA_COMMIT");

/// For which target and processor the program was built: `x86_64-unknown-linux-gnu, x86-64-v3`.
pub(crate) const BUILD: &str = concat!(env!("ARENA_TARGET"), ", ", env!("ARENA_CPU"));

/// What `arena --version` prints behind the name of the program.
pub(crate) const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit   ",
    env!("ARENA_COMMIT"),
    "\ntarget   ",
    env!("ARENA_TARGET"),
    "\ncpu      ",
    env!("ARENA_CPU"),
    "\nfeatures ",
    env!("ARENA_FEATURES"),
);
