//! A card to be decided by solving worlds.

use coinche_engine::{Card, CardSet, View};

use super::{Ballot, Situation, Stopwatch};
use crate::worlds::Worlds;

/// What a decision between cards starts with.
pub(crate) struct Decision<'a> {
    pub(crate) situation: Situation<'a>,
    pub(crate) worlds: Worlds<'a>,
    /// The cards between which there is something to decide, none counted yet.
    pub(crate) ballot: Ballot,
    /// The time that finding all this takes counts.
    pub(crate) watch: Stopwatch,
}

impl<'a> Decision<'a> {
    /// Starts a decision, for the match or for points; or returns the card where there is nothing to decide: one is
    /// legal, or all do the same.
    pub(crate) fn new(view: &View<'a>, legal: CardSet, for_match: bool) -> Result<Self, Card> {
        let only = legal.first().expect("there is a legal card");
        let situation = Situation::of(view).filter(|_| legal.len() > 1).ok_or(only)?.for_match(for_match);
        let watch = Stopwatch::start();
        let worlds = Worlds::of(view);
        let ballot = Ballot::new(situation.candidates(legal, worlds.in_order(legal)));
        if ballot.is_decided() {
            return Err(ballot.choice());
        }
        Ok(Self { situation, worlds, ballot, watch })
    }
}
