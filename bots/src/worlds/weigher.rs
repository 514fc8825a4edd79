//! The weights of worlds: how likely the actions of the others are in each.

use std::collections::HashMap;

use coinche_engine::{BySeat, Call, Card, CardSet, DealState, Seat, View};
use rand_xoshiro::rand_core::Rng;

use super::opponents::{CallReader, Component, OpponentModel};
use super::retelling::retell;
use super::{Worlds, unit};
use crate::Choice;
use crate::net::reading::Moment;

/// Weighs worlds of one moment.
pub struct Weigher<'a, 's> {
    view: View<'a>,
    model: &'s mut OpponentModel,
    observed: Option<ObservedActions>,
}

impl<'a, 's> Weigher<'a, 's> {
    /// Prepares to weigh the worlds of a moment; costs some microseconds.
    pub fn new(worlds: &Worlds<'a>, model: &'s mut OpponentModel, rng: &mut impl Rng) -> Self {
        model.sit(worlds.view.seat());
        let observed = ObservedActions::of(worlds, model, rng);
        Self { view: worlds.view, model, observed }
    }

    /// Returns a random weight of a world whose mean is the likelihood of what the others did in it, up to a factor
    /// that all worlds share. It is 0 or not below `floor`, which is often decided before the whole world is weighed:
    /// most worlds become unlikely early. With a floor of 0 it is the likelihood.
    ///
    /// # Panics
    ///
    /// In the auction of the turn-up game.
    pub fn weight(
        &mut self,
        worlds: &Worlds<'a>,
        hands: &BySeat<CardSet>,
        floor: f64,
        rng: &mut impl Rng,
    ) -> f64 {
        match &mut self.observed {
            Some(observed) => observed.weight(self.model, hands, floor, rng),
            None => self.model.weight_above(&self.view, &worlds.deal_of(hands, rng), floor, rng),
        }
    }
}

impl core::fmt::Debug for Weigher<'_, '_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Weigher").field("view", &self.view).finish_non_exhaustive()
    }
}

/// What the other seats did at the moment of a view, to weigh worlds of that moment by.
///
/// What a seat does depends on its own hand and on what everybody sees, so that the likelihood of a world is a
/// product with a factor for each seat, and results for a hand can be cached. The states in which the seats decided
/// are built once; a hand is inserted ([`DealState::suppose`]) and the model asked. A deal of the turn-up game is not
/// such a product, since the first five cards of a hand are not known: there [`OpponentModel::weight`] replays each
/// deal.
struct ObservedActions {
    played: BySeat<CardSet>,
    parts: Vec<SeatActions>,
}

/// The calls of a seat, or its cards.
struct SeatActions {
    seat: Seat,
    actions: Actions,
    /// The likelihoods of first hands.
    met: HashMap<CardSet, f64>,
}

/// What a seat did, in the states before it.
enum Actions {
    /// What it called, for each component of the mixture, with its weight.
    Calls(Vec<(f64, Calls)>),
    Cards(Vec<(DealState, Card)>),
}

/// The calls of a seat, prepared for a component.
enum Calls {
    Bot(Vec<(DealState, Call)>),
    Population(Vec<Moment>),
}

/// The most hands of a part that are cached.
const MEMORY: usize = 1 << 16;

impl ObservedActions {
    /// Collects what the others did; `None` in the turn-up game.
    fn of(worlds: &Worlds<'_>, model: &mut OpponentModel, rng: &mut impl Rng) -> Option<Self> {
        let view = &worlds.view;
        if view.turned().is_some() {
            return None;
        }
        // Any deal that fits: what is asked does not depend on its other hands.
        let deal = worlds.deal(rng);
        let mut calls = BySeat([const { Vec::new() }; 4]);
        let mut cards = BySeat([const { Vec::new() }; 4]);
        retell(view, &deal, |state, seat, decision| {
            if seat == view.seat() {
                return;
            }
            match decision {
                Choice::Call(call) => calls[seat].push((state.clone(), call)),
                // The last card is no choice.
                Choice::Card(card) if model.reads_cards() && state.view(seat).hand().len() > 1 => {
                    cards[seat].push((state.clone(), card));
                }
                Choice::Card(_) => {}
            }
        })?;
        let mut parts = Vec::new();
        for (seat, calls) in Seat::ALL.into_iter().zip(calls.0) {
            let bids = calls.iter().filter(|(_, call)| !call.is_pass()).count();
            let read = |component: &Component| {
                let calls = match &component.reader {
                    CallReader::Bot(_) => Calls::Bot(calls.clone()),
                    CallReader::Population(_) => {
                        let moment =
                            |(state, call): &(DealState, Call)| Moment::new(state.clone(), seat, *call);
                        Calls::Population(calls.iter().map(moment).collect())
                    }
                };
                (component.weight, calls)
            };
            if !calls.is_empty() {
                let actions = Actions::Calls(model.calls_of(seat).iter().map(read).collect());
                parts.push((bids, SeatActions { seat, actions, met: HashMap::new() }));
            }
        }
        for (seat, cards) in Seat::ALL.into_iter().zip(cards.0) {
            if !cards.is_empty() {
                parts.push((0, SeatActions { seat, actions: Actions::Cards(cards), met: HashMap::new() }));
            }
        }
        // Bids are the strongest evidence, and the strongest is weighed first. Of equal seats the next comes
        // first, which does not depend on how the seats are numbered.
        let place = |(bids, part): &(usize, SeatActions)| {
            let is_card = matches!(part.actions, Actions::Cards(_));
            (is_card, core::cmp::Reverse(*bids), view.seat().distance_to(part.seat))
        };
        parts.sort_by_key(place);
        let parts = parts.into_iter().map(|(_, part)| part).collect();
        Some(Self { played: worlds.played, parts })
    }

    fn weight(
        &mut self,
        model: &mut OpponentModel,
        hands: &BySeat<CardSet>,
        floor: f64,
        rng: &mut impl Rng,
    ) -> f64 {
        let mut weight = 1.0;
        for part in &mut self.parts {
            weight *= part.likelihood(model, hands[part.seat] | self.played[part.seat]);
            if weight < floor {
                // Survives with probability weight / floor, and then counts as much as the floor.
                if unit(rng) * floor >= weight {
                    return 0.0;
                }
                weight = floor;
            }
        }
        weight
    }
}

impl SeatActions {
    fn likelihood(&mut self, model: &mut OpponentModel, hand: CardSet) -> f64 {
        if let Some(likelihood) = self.met.get(&hand) {
            return *likelihood;
        }
        model.start();
        let likelihood = match &mut self.actions {
            Actions::Calls(several) => {
                let several = several.iter_mut().enumerate();
                let of_one = |(number, (weight, calls)): (usize, &mut (f64, Calls))| {
                    *weight * calls.likelihood(model, number, self.seat, hand)
                };
                several.map(of_one).sum()
            }
            Actions::Cards(cards) => {
                let mut likelihood = 1.0;
                for (state, card) in cards {
                    state.suppose(self.seat, hand);
                    let evidence = model.card_evidence(state, self.seat, *card);
                    likelihood *= evidence.map_or(1.0, |evidence| model.likelihood_of(evidence));
                }
                likelihood
            }
        };
        if self.met.len() < MEMORY {
            self.met.insert(hand, likelihood);
        }
        likelihood
    }
}

impl Calls {
    /// Returns how likely they are with a hand, by the component of this number.
    fn likelihood(&mut self, model: &mut OpponentModel, number: usize, seat: Seat, hand: CardSet) -> f64 {
        match self {
            Self::Bot(calls) => {
                let likelihood = |(state, call): &mut (DealState, Call)| {
                    state.suppose(seat, hand);
                    model.call_of_bot(number, state, seat, *call)
                };
                calls.iter_mut().map(likelihood).product()
            }
            Self::Population(moments) => {
                let CallReader::Population(reader) = &mut model.calls_of(seat)[number].reader else {
                    unreachable!("the moments are those of a population");
                };
                moments.iter_mut().map(|moment| reader.likelihood(moment, hand)).product()
            }
        }
    }
}
