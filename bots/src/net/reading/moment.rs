//! A call of another seat, and how likely it is with each hand that the seat may have had.

use std::sync::Arc;

use coinche_engine::encoding::SuitOrder;
use coinche_engine::{Call, Card, CardSet, DealState, Seat};

use super::calls;
use super::network::{ChoiceTarget, HIDDEN, Packed, Population};
use super::order::{Mentioned, ORDERS, number};
use crate::net::bidding::{KnownNumbers, RuleNumbers};
use crate::net::cards::public::place;

/// The least probability of an action: nobody is certain to be one of the population.
const FLOOR: f32 = 0.01;

/// What reads calls as those of a population.
#[derive(Debug, Clone)]
pub struct Reader {
    population: Arc<Population>,
    numbers: KnownNumbers,
    /// The outputs that could be chosen lately.
    packed: Vec<Arc<Packed>>,
}

/// The most sets of outputs that are kept.
const PACKED: usize = 64;

/// A call that is read with many hands.
pub struct Moment {
    state: DealState,
    seat: Seat,
    call: Call,
    mentioned: Mentioned,
    /// By order of the suits, what is public of it; made when it is first met.
    met: Vec<Option<Box<Met>>>,
}

/// What is public, with the suits in an order.
struct Met {
    sums: [f32; HIDDEN[0]],
    order: SuitOrder,
    packed: Arc<Packed>,
    /// The place of what was chosen.
    chosen: Option<usize>,
}

impl Moment {
    /// Looks at a call, in the state before it.
    pub fn new(state: DealState, seat: Seat, call: Call) -> Self {
        let mentioned = Mentioned::of(&state.view(seat));
        Self { state, seat, call, mentioned, met: core::iter::repeat_with(|| None).take(ORDERS).collect() }
    }

    /// Returns what is learnt from the call with the hand of the state: the inputs, and what was chosen; `None` if there was no choice.
    pub fn row(&self, numbers: &RuleNumbers) -> Option<(Vec<(u16, f32)>, ChoiceTarget)> {
        let view = self.state.view(self.seat);
        let order = self.mentioned.order(view.first_hand());
        let mut input: Vec<(u16, f32)> =
            order.rename(view.hand()).into_iter().map(|card| (place(card.index()), 1.0)).collect();
        calls::public(&view, order, numbers, &mut input);
        let target = self.target(order);
        (target.legal != target.chosen && target.legal & target.chosen != 0).then_some((input, target))
    }

    fn target(&self, order: SuitOrder) -> ChoiceTarget {
        let view = self.state.view(self.seat);
        let legal = calls::legal(&view, &self.state.legal_calls(), order);
        ChoiceTarget { legal, chosen: 1 << calls::output(&view, self.call, order) }
    }
}

impl Reader {
    /// Reads by this network.
    pub fn new(population: Arc<Population>) -> Self {
        Self { population, numbers: KnownNumbers::default(), packed: Vec::new() }
    }

    /// Returns how likely the call is if the seat was dealt this hand.
    ///
    /// Costs some hundred nanoseconds, and a microsecond more for each order of the suits that is met first.
    pub fn likelihood(&mut self, moment: &mut Moment, hand: CardSet) -> f64 {
        moment.state.suppose(moment.seat, hand);
        let order = moment.mentioned.order(hand);
        let at = number(order);
        if moment.met[at].is_none() {
            moment.met[at] = Some(Box::new(self.meet(moment, order)));
        }
        let Some(met) = &moment.met[at] else { return 1.0 };
        let layers = &self.population.layers;
        let held = met.order.rename(moment.state.view(moment.seat).hand());
        let mut sums = met.sums;
        layers.add_ones(&mut sums, held.into_iter().map(Card::index));
        let chance = met.chosen.map_or(0.0, |chosen| self.population.chance(&sums, &met.packed, chosen));
        f64::from(FLOOR + (1.0 - FLOOR) * chance)
    }

    /// Adds up what is public.
    fn meet(&mut self, moment: &Moment, order: SuitOrder) -> Met {
        let numbers = self.numbers.of(moment.state.rules());
        let layers = &self.population.layers;
        let mut input = Vec::with_capacity(64);
        calls::public(&moment.state.view(moment.seat), order, &numbers, &mut input);
        let mut sums = layers.first_bias;
        layers.add(&mut sums, input.iter().map(|(at, value)| (usize::from(*at), value)));
        let target = moment.target(order);
        let packed = self.packed(target.legal);
        Met { sums, order, chosen: packed.place(target.chosen.trailing_zeros() as usize), packed }
    }

    fn packed(&mut self, legal: u128) -> Arc<Packed> {
        if let Some(known) = self.packed.iter().find(|packed| packed.legal == legal) {
            return Arc::clone(known);
        }
        if self.packed.len() == PACKED {
            self.packed.clear();
        }
        self.packed.push(Arc::new(self.population.pack(legal)));
        Arc::clone(&self.packed[self.packed.len() - 1])
    }
}
