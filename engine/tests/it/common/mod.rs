//! What the tests share: random numbers, random rule sets, and the way to and from the literal rule
//! book of the crate `coinche-conformance`.

pub(crate) mod book;
pub(crate) mod deal;
pub(crate) mod facts;
pub(crate) mod mutate;
pub(crate) mod rng;
pub(crate) mod rules;
