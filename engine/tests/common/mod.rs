//! What the tests share: random numbers, random rule sets, and the way to and from the literal rule
//! book of the crate `coinche-conformance`.

#![allow(dead_code, clippy::unwrap_used, reason = "a helper of several tests, which may panic")]

pub(crate) mod book;
pub(crate) mod deal;
pub(crate) mod facts;
pub(crate) mod mutate;
pub(crate) mod rng;
pub(crate) mod rules;
