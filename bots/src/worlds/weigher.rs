//! The weights of worlds: how likely the actions of the others are in each.

use coinche_engine::rules::DealMethod;
use coinche_engine::{BySeat, ByTeam, Call, Card, CardSet, Contract, DealState, Key, RuleSet, Seat, View};
use rand_xoshiro::rand_core::Rng;
use rustc_hash::FxHashMap;

use super::opponents::{CallReader, Component, OpponentModel, Plays};
use super::retelling::{history, retell};
use super::{Worlds, unit};
use crate::Choice;
use crate::net::reading::Moment;

/// Among how many worlds the start of a walk is chosen by weight.
const STARTS: u32 = 200;

/// Weighs worlds of one moment.
pub struct Weigher<'a, 's> {
    view: View<'a>,
    model: &'s mut OpponentModel,
}

impl<'a, 's> Weigher<'a, 's> {
    /// Prepares to weigh the worlds of a moment; costs some microseconds, fewer where the model has weighed worlds of an earlier moment of the
    /// deal: what it then said of hands is remembered.
    pub fn new(worlds: &Worlds<'a>, model: &'s mut OpponentModel) -> Self {
        model.sit(worlds.view.seat());
        model.observed = ObservedActions::of(worlds, model);
        Self { view: worlds.view, model }
    }

    /// Returns a random weight of a world whose mean is the likelihood of what the others did in it, up to a factor
    /// that all worlds share. It is 0 or not below `floor`, which is often decided before the whole world is weighed:
    /// most worlds become unlikely early. With a floor of 0 it is the likelihood.
    ///
    /// # Panics
    ///
    /// In an auction after which cards are dealt.
    pub fn weight(
        &mut self,
        worlds: &Worlds<'a>,
        hands: &BySeat<CardSet>,
        floor: f64,
        rng: &mut impl Rng,
    ) -> f64 {
        if self.model.observed.is_some() {
            return self.weight_of(|_, _| true, hands, (1.0, floor), rng);
        }
        self.model.weight_above(&self.view, &worlds.deal_of(hands, rng), floor, rng)
    }

    /// Draws a world of an auction in which the others call as their bots do, however few there are: two of the others exchange up to three
    /// cards, again and again, and an exchange that makes their calls less likely is kept as often as they remain likely (Metropolis et al.
    /// 1953). After the first number of exchanges the next world in which all is as expected is taken, at the latest after the second; returned
    /// with the world is whether all is as expected in it. It starts from a world drawn by weight among some hundred, or from one where another
    /// walk of this moment ended.
    ///
    /// `None` after the auction, where the seats cannot be weighed one by one, or the deck is only cut. Costs about a microsecond an exchange
    /// with `rules` at all seats, and up to fifty with networks.
    pub fn walk(
        &mut self,
        worlds: &Worlds<'a>,
        from: Option<BySeat<CardSet>>,
        [least, most]: [u32; 2],
        rng: &mut impl Rng,
    ) -> Option<(BySeat<CardSet>, bool)> {
        let is_fit = worlds.listed.is_none() && self.view.contract().is_none();
        if !is_fit || self.model.observed.is_none() {
            return None;
        }
        let mut hands = from.unwrap_or_else(|| self.start(worlds, rng));
        for number in 0..most {
            if number >= least && self.weight_of(|_, _| true, &hands, (1.0, 0.0), rng) >= 1.0 {
                return Some((hands, true));
            }
            let (pair, other) = worlds.exchange(&hands, rng);
            let of_pair = |seat, _| pair.contains(&seat);
            let bound = unit(rng) * self.weight_of(of_pair, &hands, (1.0, 0.0), rng);
            // The calls of one seat are often enough to refuse.
            let kept = |weight| if weight > bound { weight } else { 0.0 };
            if self.product(of_pair, &other, 1.0, kept) > 0.0 {
                hands = other;
            }
        }
        Some((hands, self.weight_of(|_, _| true, &hands, (1.0, 0.0), rng) >= 1.0))
    }

    /// Returns the start of a walk.
    fn start(&mut self, worlds: &Worlds<'a>, rng: &mut impl Rng) -> BySeat<CardSet> {
        let (mut hands, mut sum) = (worlds.hands(rng), 0.0);
        for _ in 0..STARTS {
            let start = worlds.hands(rng);
            let weight = self.weight_of(|_, _| true, &start, (1.0, 0.0), rng);
            sum += weight;
            if unit(rng) * sum < weight {
                hands = start;
            }
        }
        hands
    }

    /// Returns the seat whose actions tell most of its hand; `None` where the seats cannot be weighed one by one.
    pub(super) fn most_telling(&self) -> Option<Seat> {
        Some(self.model.observed.as_ref()?.parts.first()?.seat)
    }

    /// Tests if the network reads cards.
    pub(super) const fn reads_values(&self) -> bool {
        self.model.reads_values()
    }

    /// Returns a weight as [`Weigher::weight`] does, by the calls or cards of some seats, times the weight that the world has before.
    pub(super) fn weight_of(
        &mut self,
        counts: impl Fn(Seat, Kind) -> bool,
        hands: &BySeat<CardSet>,
        (before, floor): (f64, f64),
        rng: &mut impl Rng,
    ) -> f64 {
        self.product(counts, hands, before, |weight| above(weight, floor, rng))
    }

    /// Multiplies a weight by the likelihoods of the calls or cards of some seats; `at_floor` says what becomes of it after each, and ends with 0.
    fn product(
        &mut self,
        counts: impl Fn(Seat, Kind) -> bool,
        hands: &BySeat<CardSet>,
        mut weight: f64,
        mut at_floor: impl FnMut(f64) -> f64,
    ) -> f64 {
        let Some(mut observed) = self.model.observed.take() else { return weight };
        for part in observed.parts.iter_mut().filter(|part| counts(part.seat, part.actions.kind())) {
            let hand = hands[part.seat] | self.view.played_by(part.seat);
            weight = part.weigh(self.model, hand, weight, &mut at_floor);
            if weight == 0.0 {
                break;
            }
        }
        self.model.observed = Some(observed);
        weight
    }
}

/// Returns a random weight with this mean, which is 0 or not below `floor`: one below survives with probability weight / floor, and then
/// counts as much as the floor.
pub(super) fn above(weight: f64, floor: f64, rng: &mut impl Rng) -> f64 {
    if weight >= floor || unit(rng) * floor < weight { weight.max(floor) } else { 0.0 }
}

impl core::fmt::Debug for Weigher<'_, '_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Weigher").field("view", &self.view).finish_non_exhaustive()
    }
}

/// What the other seats did until the moment of a view, to weigh worlds of that moment by.
///
/// What a seat does depends on its own hand and on what everybody sees, so that the likelihood of a world is a
/// product with a factor for each seat, and results for a hand can be cached, as long as the deal lasts. The states in which the seats
/// decided are built once; a hand is inserted ([`DealState::suppose`]) and the model asked. A deal of the turn-up game is not
/// such a product, since the first five cards of a hand are not known: there [`OpponentModel::weight`] replays each
/// deal.
pub(super) struct ObservedActions {
    deal: SeenDeal,
    cards: Vec<Card>,
    parts: Vec<SeatActions>,
}

/// What tells whether a moment belongs to the same deal, up to the cards played.
#[derive(PartialEq)]
struct SeenDeal {
    rules: RuleSet,
    seats: [Seat; 2],
    hand: CardSet,
    calls: Vec<(Seat, Call)>,
    contract: Option<Contract>,
    score: (ByTeam<i32>, i32),
}

impl SeenDeal {
    fn of(view: &View<'_>) -> Self {
        Self {
            rules: *view.rules(),
            seats: [view.seat(), view.dealer()],
            hand: view.first_hand(),
            calls: view.auction().calls().to_vec(),
            contract: view.contract(),
            score: (view.match_score(), view.held()),
        }
    }
}

/// The calls of a seat, or its cards.
struct SeatActions {
    seat: Seat,
    bids: usize,
    actions: Actions,
}

/// What a seat did, in the states before it, and what was found of first hands.
enum Actions {
    Calls {
        /// For each component of the mixture, with its weight.
        several: Vec<(f64, Calls)>,
        met: FxHashMap<CardSet, f64>,
    },
    Cards {
        played: Vec<(DealState, Card)>,
        /// By so many of the cards.
        met: FxHashMap<CardSet, (usize, Plays)>,
    },
}

/// What of a seat's actions is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Calls,
    Cards,
}

impl Actions {
    const fn kind(&self) -> Kind {
        match self {
            Self::Calls { .. } => Kind::Calls,
            Self::Cards { .. } => Kind::Cards,
        }
    }
}

/// The calls of a seat, prepared for a component.
enum Calls {
    Bot(Vec<(DealState, Call)>),
    Population(Vec<Moment>),
}

/// The most hands of a part that are cached.
const MEMORY: usize = 1 << 16;
/// About what a card weighs that the network reads, in a world that is likely.
const USUAL: f64 = 0.6;

impl ObservedActions {
    /// Collects what the others did, beyond what the model remembers of the deal; `None` where the calls were made with other
    /// hands, or have no value.
    fn of(worlds: &Worlds<'_>, model: &mut OpponentModel) -> Option<Box<Self>> {
        let (view, deal) = (&worlds.view, SeenDeal::of(&worlds.view));
        let history: Vec<Card> = history(view).collect();
        // In the auction the calls do not tell how many offers were declined.
        let is_same =
            |it: &Self| view.contract().is_some() && it.deal == deal && history.starts_with(&it.cards);
        let known = model.observed.take().filter(|it| is_same(it));
        if view.rules().deal.method != DealMethod::Full || !view.rules().has_values() {
            return None;
        }
        let mut calls = BySeat([const { Vec::new() }; 4]);
        let mut cards = BySeat([const { Vec::new() }; 4]);
        let (mut number, old) = (0, known.as_ref().map_or(0, |it| it.cards.len()));
        // Any deal that fits: what is asked does not depend on its other hands.
        retell(view, &worlds.deal(&mut Key::from_bits(0).rng()), |state, seat, decision| match decision {
            Choice::Call(call) if known.is_none() && seat != view.seat() => {
                calls[seat].push((state.clone(), call));
            }
            Choice::Call(_) => {}
            Choice::Card(card) => {
                number += 1;
                // The last card is no choice.
                let is_choice = model.reads_cards() && state.view(seat).hand().len() > 1;
                if is_choice && number > old && seat != view.seat() {
                    cards[seat].push((state.clone(), card));
                }
            }
        })?;
        let mut this = known.unwrap_or_else(|| Box::new(Self { deal, cards: Vec::new(), parts: Vec::new() }));
        this.cards = history;
        for (seat, calls) in Seat::ALL.into_iter().zip(calls.0) {
            this.add_calls(model, seat, &calls);
        }
        for (seat, cards) in Seat::ALL.into_iter().zip(cards.0) {
            this.add_cards(seat, cards);
        }
        // Bids are the strongest evidence, and the strongest is weighed first. Of equal seats the next comes
        // first, which does not depend on how the seats are numbered.
        let place = |part: &SeatActions| {
            (
                part.actions.kind() == Kind::Cards,
                core::cmp::Reverse(part.bids),
                view.seat().distance_to(part.seat),
            )
        };
        this.parts.sort_by_key(place);
        Some(this)
    }

    fn add_calls(&mut self, model: &mut OpponentModel, seat: Seat, calls: &[(DealState, Call)]) {
        if calls.is_empty() {
            return;
        }
        let bids = calls.iter().filter(|(_, call)| !call.is_pass()).count();
        let read = |component: &Component| {
            let calls = match &component.reader {
                CallReader::Bot(_) => Calls::Bot(calls.to_vec()),
                CallReader::Population(_) => {
                    let moment = |(state, call): &(DealState, Call)| Moment::new(state.clone(), seat, *call);
                    Calls::Population(calls.iter().map(moment).collect())
                }
            };
            (component.weight, calls)
        };
        let several = model.calls_of(seat).iter().map(read).collect();
        self.parts.push(SeatActions {
            seat,
            bids,
            actions: Actions::Calls { several, met: FxHashMap::default() },
        });
    }

    fn add_cards(&mut self, seat: Seat, cards: Vec<(DealState, Card)>) {
        let known =
            self.parts.iter_mut().filter(|part| part.seat == seat).find_map(|part| match &mut part.actions {
                Actions::Cards { played, .. } => Some(played),
                Actions::Calls { .. } => None,
            });
        match known {
            Some(played) => played.extend(cards),
            None if cards.is_empty() => {}
            None => {
                let actions = Actions::Cards { played: cards, met: FxHashMap::default() };
                self.parts.push(SeatActions { seat, bids: 0, actions });
            }
        }
    }
}

impl SeatActions {
    /// Returns the weight of a world times the likelihood with a hand; `at_floor` says what becomes of a weight, and ends with 0.
    ///
    /// The network takes longest to read a card, and after a few cards most hands are unlikely: then `at_floor` is asked after each. Weights
    /// are multiples of what such cards usually weigh, so that the first tell which end low.
    fn weigh(
        &mut self,
        model: &mut OpponentModel,
        hand: CardSet,
        before: f64,
        mut at_floor: impl FnMut(f64) -> f64,
    ) -> f64 {
        let (played, met) = match &mut self.actions {
            Actions::Cards { played, met } => (played, met),
            Actions::Calls { several, met } => {
                if let Some(likelihood) = met.get(&hand) {
                    return at_floor(before * likelihood);
                }
                model.start();
                let several = several.iter_mut().enumerate();
                let of_one = |(number, (weight, calls)): (usize, &mut (f64, Calls))| {
                    *weight * calls.likelihood(model, number, self.seat, hand)
                };
                let likelihood = several.map(of_one).sum();
                if met.len() < MEMORY {
                    met.insert(hand, likelihood);
                }
                return at_floor(before * likelihood);
            }
        };
        let known = met.get(&hand).copied();
        let none = || played.first().map(|(state, _)| (0, model.no_plays(state.rules())));
        let Some((old, mut plays)) = known.or_else(none) else { return at_floor(before) };
        let (mut done, mut told, mut weight) = (old, 1.0, before);
        let one_by_one = model.reads_values();
        let usual =
            |done: usize| if one_by_one { USUAL.powi(i32::try_from(done).unwrap_or(i32::MAX)) } else { 1.0 };
        let mut tell = |done: usize, plays: &Plays, weight: &mut f64| {
            let likelihood = plays.likelihood() / usual(done);
            *weight = at_floor(*weight * (likelihood / told));
            told = likelihood;
        };
        if done == played.len() || (done > 0 && one_by_one) {
            tell(done, &plays, &mut weight);
        }
        if done < played.len() {
            model.start();
        }
        while done < played.len() && weight > 0.0 {
            let (state, card) = &mut played[done];
            state.suppose(self.seat, hand);
            model.count_card(&mut plays, state, self.seat, *card);
            done += 1;
            if done == played.len() || one_by_one {
                tell(done, &plays, &mut weight);
            }
        }
        if done > old && (known.is_some() || met.len() < MEMORY) {
            met.insert(hand, (done, plays));
        }
        weight
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
