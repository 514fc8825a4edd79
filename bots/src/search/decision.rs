//! A card to be decided by searching worlds.

use coinche_engine::encoding::SuitOrder;
use coinche_engine::{Card, CardSet, Key, View};

use super::{CardCandidates, Limits, SearchSettings, Situation, Source, Stopwatch, Stream};
use crate::worlds::Worlds;

/// What a search of a card starts with.
pub struct Decision<'a, 's> {
    pub(crate) view: View<'a>,
    pub(crate) situation: Situation<'a>,
    /// The cards between which there is something to decide, none searched yet.
    pub(crate) candidates: CardCandidates,
    /// The worlds to search.
    pub(crate) worlds: Stream<'a, 's>,
    pub(crate) limits: Limits,
    /// The time that finding all this takes counts.
    pub(crate) watch: Stopwatch,
    pub(crate) key: Key,
}

impl<'a, 's> Decision<'a, 's> {
    /// Starts a decision; or returns the card where there is nothing to decide: one is legal, or all do the same.
    pub(crate) fn new(
        view: &View<'a>,
        legal: CardSet,
        key: Key,
        settings: &SearchSettings,
        source: &'s mut Source,
    ) -> Result<Self, Card> {
        let only = legal.first().expect("there is a legal card");
        let situation = Situation::of(view).filter(|_| legal.len() > 1).ok_or(only)?;
        let situation = situation.for_match(settings.equity);
        let watch = Stopwatch::start();
        let in_order = SuitOrder::canonical(view).cards(legal);
        let candidates = CardCandidates::new(situation.candidates(legal, in_order));
        if candidates.is_decided() {
            return Err(candidates.choice());
        }
        let worlds = source.stream(Worlds::of(view), watch, key);
        Ok(Self { view: *view, situation, candidates, worlds, limits: settings.limits, watch, key })
    }
}
