//! A decision of another seat, and how likely it is with each hand that the seat may have had.

use std::sync::Arc;

use coinche_engine::encoding::SuitOrder;
use coinche_engine::{Card, CardSet, DealState, Seat};

use super::network::{ChoiceTarget, HIDDEN, Population, Shares};
use super::order::{Mentioned, ORDERS, number};
use super::{calls, cards};
use crate::Choice;
use crate::net::bidding::{KnownNumbers, RuleNumbers};
use crate::net::cards::public::place;
use crate::worlds::are_alike;

/// The least probability of an action: nobody is certain to be one of the population.
const FLOOR: f32 = 0.01;

/// What reads decisions as those of a population.
#[derive(Debug, Clone)]
pub struct Reader {
    population: Arc<Population>,
    numbers: KnownNumbers,
}

/// A decision that is read with many hands.
pub struct Moment {
    state: DealState,
    seat: Seat,
    choice: Choice,
    mentioned: Mentioned,
    /// By order of the suits, what is public of it; made when it is first met.
    met: Vec<Option<Box<Met>>>,
}

/// What is public, with the suits in an order.
struct Met {
    sums: [f32; HIDDEN[0]],
    order: SuitOrder,
    /// Of a call.
    target: ChoiceTarget,
}

impl Moment {
    /// Looks at a decision, in the state before it.
    pub fn new(state: DealState, seat: Seat, choice: Choice) -> Self {
        let mentioned = Mentioned::of(&state.view(seat));
        Self { state, seat, choice, mentioned, met: core::iter::repeat_with(|| None).take(ORDERS).collect() }
    }

    /// Returns what was decided.
    pub const fn choice(&self) -> Choice {
        self.choice
    }

    /// What is learnt from the decision with the hand of the state: the inputs, and what was chosen; `None` if there was no choice.
    pub fn row(&self, numbers: &RuleNumbers) -> Option<(Vec<(u16, f32)>, ChoiceTarget)> {
        let view = self.state.view(self.seat);
        let order = self.mentioned.order(view.first_hand());
        let mut input: Vec<(u16, f32)> =
            order.rename(view.hand()).into_iter().map(|card| (place(card.index()), 1.0)).collect();
        let target = match self.choice {
            Choice::Call(call) => {
                calls::public(&view, order, numbers, &mut input);
                let legal = calls::legal(&view, &self.state.legal_calls(), order);
                ChoiceTarget { legal, chosen: 1 << calls::output(&view, call, order) }
            }
            Choice::Card(card) => {
                let mut ones = Vec::new();
                cards::seen(&view, order, &mut ones);
                input.extend(ones.into_iter().map(|at| (at, 1.0)));
                self.cards(card, order)?
            }
        };
        (target.legal != target.chosen && target.legal & target.chosen != 0).then_some((input, target))
    }

    /// The cards that could be played, and those that do the same as the one that was; `None` without a choice.
    fn cards(&self, card: Card, order: SuitOrder) -> Option<ChoiceTarget> {
        let (legal, play) = (self.state.legal_plays(), self.state.play_state()?);
        let alike = |other: &Card| *other == card || are_alike(self.state.rules(), play, card, *other);
        let outputs = |cards: CardSet| u128::from(order.rename(cards).bits());
        let chosen: CardSet = legal.into_iter().filter(alike).collect();
        (chosen != legal && legal.contains(card))
            .then(|| ChoiceTarget { legal: outputs(legal), chosen: outputs(chosen) })
    }
}

impl Reader {
    /// Reads by these networks.
    pub fn new(population: Arc<Population>) -> Self {
        Self { population, numbers: KnownNumbers::default() }
    }

    /// Returns how likely the decision is if the seat held this hand when play began (before that, as dealt).
    ///
    /// Costs some hundred nanoseconds, and a microsecond more for each order of the suits that is met first.
    pub fn likelihood(&mut self, moment: &mut Moment, hand: CardSet) -> f64 {
        let numbers = match moment.choice {
            Choice::Call(_) => Some(self.numbers.of(moment.state.rules())),
            Choice::Card(_) => None,
        };
        moment.state.suppose(moment.seat, hand);
        let order = moment.mentioned.order(hand);
        let at = number(order);
        if moment.met[at].is_none() {
            moment.met[at] = Some(Box::new(self.meet(moment, order, numbers.as_ref())));
        }
        let Some(met) = &moment.met[at] else { return 1.0 };
        let held = order.rename(moment.state.view(moment.seat).hand());
        let held = held.into_iter().map(Card::index);
        let mut sums = met.sums;
        match moment.choice {
            Choice::Call(_) => {
                let layers = &self.population.calls;
                layers.add_ones(&mut sums, held);
                let second = layers.second(&sums);
                chance(met.target, |at| layers.output(&second, at))
            }
            Choice::Card(card) => {
                let Some(target) = moment.cards(card, met.order) else { return 1.0 };
                let layers = &self.population.cards;
                layers.add_ones(&mut sums, held);
                let second = layers.second(&sums);
                chance(target, |at| layers.output(&second, at))
            }
        }
    }

    /// Adds up what is public.
    fn meet(&self, moment: &Moment, order: SuitOrder, numbers: Option<&RuleNumbers>) -> Met {
        let view = moment.state.view(moment.seat);
        let mut target = ChoiceTarget { legal: 0, chosen: 0 };
        let sums = if let (Choice::Call(call), Some(numbers)) = (moment.choice, numbers) {
            let mut input = Vec::with_capacity(64);
            calls::public(&view, order, numbers, &mut input);
            let legal = calls::legal(&view, &moment.state.legal_calls(), order);
            target = ChoiceTarget { legal, chosen: 1 << calls::output(&view, call, order) };
            let layers = &self.population.calls;
            let mut sums = layers.first_bias;
            layers.add(&mut sums, input.iter().map(|(at, value)| (usize::from(*at), value)));
            sums
        } else {
            let mut ones = Vec::with_capacity(96);
            cards::seen(&view, order, &mut ones);
            let layers = &self.population.cards;
            let mut sums = layers.first_bias;
            layers.add_ones(&mut sums, ones.into_iter().map(usize::from));
            sums
        };
        Met { sums, order, target }
    }
}

fn chance(target: ChoiceTarget, output: impl FnMut(usize) -> f32) -> f64 {
    let shares = Shares::of(target.legal, output);
    let chance = shares.sum(target.chosen) / shares.sum(target.legal);
    f64::from(FLOOR + (1.0 - FLOOR) * chance)
}
