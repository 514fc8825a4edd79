//! A card to be decided by searching worlds.

use coinche_engine::encoding::SuitOrder;
use coinche_engine::{BySeat, Card, CardSet, DealState, Key, Melds, View};

use super::{CardCandidates, Limits, SearchSettings, Situation, Source, Stopwatch, Stream};
use crate::worlds::{Worlds, retell};

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
    /// The state of a world.
    laid: Option<DealState>,
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
        Ok(Self {
            view: *view,
            situation,
            candidates,
            worlds,
            limits: settings.limits,
            watch,
            key,
            laid: None,
        })
    }

    /// Returns the state of the deal in a world.
    ///
    /// Costs some hundred nanoseconds; the first, and where melds were announced each, some microseconds.
    pub(crate) fn state(&mut self, hands: &BySeat<CardSet>) -> DealState {
        let Self { view, worlds, laid, .. } = self;
        // The order of the cards in the deal is seen by nobody.
        let told = || {
            let deal = worlds.worlds().deal_of(hands, &mut Key::from_bits(0).rng());
            retell(view, &deal, |_, _, _| {}).expect("a world fits what was seen")
        };
        let mut state = laid.get_or_insert_with(told).clone();
        // Which cards an announced meld is of differs from world to world.
        if state.announced_melds().iter().any(|(_, melds)| *melds != Melds::NONE) {
            return told();
        }
        for seat in [1, 2, 3].map(|n| view.seat().plus(n)) {
            state.suppose(seat, hands[seat] | view.played_by(seat));
        }
        state
    }
}
