//! What the tests share: random numbers, random rule sets, and the way to and from the literal rule
//! book of the crate `coinche-conformance`.

pub(crate) mod book;
pub(crate) mod deal;
pub(crate) mod facts;
pub(crate) mod mutate;
pub(crate) mod rng;
pub(crate) mod rules;

/// Tells whether the tests are to take their long form: `COINCHE_LONG=1`, as the nightly run sets it.
pub(crate) fn long() -> bool {
    std::env::var_os("COINCHE_LONG").is_some_and(|value| !value.is_empty() && value != "0")
}

/// Returns how much of something a test does: in the quick form, or in the long one.
pub(crate) fn size<T>(quick: T, long_form: T) -> T {
    if long() { long_form } else { quick }
}
