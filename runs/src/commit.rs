//! The sources and target of the build.

/// The commit that the program was built from, with `+changes` appended if the sources differed from it.
pub const COMMIT: &str = env!("ARENA_COMMIT");

/// The target and processor of the build: `x86_64-unknown-linux-gnu, x86-64-v3`.
pub const BUILD: &str = concat!(env!("ARENA_TARGET"), ", ", env!("ARENA_CPU"));

/// The version that `arena --version` prints after the name of the program.
pub const LONG_VERSION: &str = concat!(
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
