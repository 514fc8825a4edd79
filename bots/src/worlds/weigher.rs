//! The weights of worlds: how likely the actions of the others are in each.

use std::collections::HashMap;

use coinche_engine::{BySeat, CardSet, DealState, Seat, View};
use rand_xoshiro::rand_core::Rng;

use super::opponents::{OpponentModel, retell};
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
    parts: Vec<Part>,
}

/// The calls of a seat, or its cards.
struct Part {
    seat: Seat,
    moments: Vec<Observed>,
    /// The likelihoods of first hands.
    met: HashMap<CardSet, f64>,
}

/// An action, in the state before it, and how it is read.
enum Observed {
    Bot(DealState, Choice),
    Population(Moment),
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
        let mut moments: [BySeat<Vec<_>>; 2] = [(); 2].map(|()| BySeat([const { Vec::new() }; 4]));
        retell(view, &deal, |state, seat, decision| {
            let (is_card, says) = match decision {
                Choice::Call(_) => (false, true),
                // The last card is no choice.
                Choice::Card(_) => (true, model.reads_cards() && state.view(seat).hand().len() > 1),
            };
            if says && seat != view.seat() {
                moments[usize::from(is_card)][seat].push((state.clone(), decision));
            }
        })?;
        let mut parts = Vec::new();
        for of_kind in moments {
            for (seat, moments) in Seat::ALL.into_iter().zip(of_kind.0) {
                if !moments.is_empty() {
                    let bids = moments.iter().filter(|(_, decision)| is_bid(*decision)).count();
                    let is_card = matches!(moments[0].1, Choice::Card(_));
                    let observed = |(state, decision)| match model.reader(seat, decision) {
                        Some(_) => Observed::Population(Moment::new(state, seat, decision)),
                        None => Observed::Bot(state, decision),
                    };
                    let moments = moments.into_iter().map(observed).collect();
                    // Bids are the strongest evidence, and the strongest is weighed first. Of equal seats the next comes
                    // first, which does not depend on how the seats are numbered.
                    let place = (is_card, core::cmp::Reverse(bids), view.seat().distance_to(seat));
                    parts.push((place, Part { seat, moments, met: HashMap::new() }));
                }
            }
        }
        parts.sort_by_key(|(place, _)| *place);
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

impl Part {
    fn likelihood(&mut self, model: &mut OpponentModel, hand: CardSet) -> f64 {
        if let Some(likelihood) = self.met.get(&hand) {
            return *likelihood;
        }
        model.start();
        let mut likelihood = 1.0;
        for observed in &mut self.moments {
            likelihood *= match observed {
                Observed::Bot(state, decision) => {
                    state.suppose(self.seat, hand);
                    let evidence = model.evidence_of(state, self.seat, *decision);
                    evidence.map_or(1.0, |evidence| model.likelihood_of(evidence))
                }
                Observed::Population(moment) => {
                    let reader = model.reader(self.seat, moment.choice());
                    reader.map_or(1.0, |reader| reader.likelihood(moment, hand))
                }
            };
        }
        if self.met.len() < MEMORY {
            self.met.insert(hand, likelihood);
        }
        likelihood
    }
}

/// Tests if a decision is a call that is no pass.
const fn is_bid(decision: Choice) -> bool {
    match decision {
        Choice::Call(call) => !call.is_pass(),
        Choice::Card(_) => false,
    }
}
