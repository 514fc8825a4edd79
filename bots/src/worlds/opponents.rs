//! A model of the other players: their actions as evidence of what they hold.

use std::sync::Arc;

use coinche_engine::{BySeat, Call, Card, Deal, DealState, Key, RuleSet, Seat, View};

use rand_xoshiro::rand_core::Rng;

use super::evidence::{ActionLikelihood, Evidence, TrickPosition, are_alike, call_match, kinds};
use super::retelling::retell_while;
use super::unit;
use super::weigher::ObservedActions;
use crate::families::untrained;
use crate::net::reading::{Moment, Population, Reader, exp};
use crate::{Bidder, CardPlayer, Choice, NetPlayer};

/// Whose calls those of a seat are taken for.
pub enum CallReader {
    /// Those of a bidder that sometimes deviates; it must answer without randomness.
    Bot(Box<dyn Bidder>),
    /// Those of any bidder of a population.
    Population(Reader),
}

/// A component of a mixture of bidder models.
pub struct Component {
    /// The prior probability that the seat bids like this; those of a mixture add up to 1.
    pub weight: f64,
    /// The bidder model.
    pub reader: CallReader,
}

/// The weight of `rules` in the mixture for an unknown bidder. The network was trained on `rules`, too, but the bot itself is exact.
const RULES_WEIGHT: f64 = 0.3;

impl Component {
    /// The mixture for an unknown bidder: `rules`, or any bidder of a population.
    pub fn unknown_bidder(rules: Box<dyn Bidder>, population: Arc<Population>) -> Vec<Self> {
        vec![
            Self { weight: RULES_WEIGHT, reader: CallReader::Bot(rules) },
            Self { weight: 1.0 - RULES_WEIGHT, reader: CallReader::Population(Reader::new(population)) },
        ]
    }
}

/// Weighs worlds by the likelihood of the calls and cards of the others.
///
/// The calls of a seat are read by a mixture of bidder models: their likelihood is the weighted mean over the components, each of which counts all
/// calls of the seat. A component that explains the calls with no hand then counts little, so nobody has to say who bids.
pub struct OpponentModel {
    calls: Vec<Component>,
    /// The mixture of the partner, where it is another.
    partner: Option<Vec<Component>>,
    /// The player whose cards those of the others are compared with, where they are read.
    cards: Option<Box<dyn CardPlayer>>,
    /// The network that also says how likely cards are.
    values: Option<Box<NetPlayer>>,
    /// Whether partner and opponents are known to bid as their bidders do.
    agreed: [bool; 2],
    /// The seat that reads.
    own: Seat,
    likelihood: ActionLikelihood,
    /// What is remembered of the deal whose worlds were weighed last.
    pub(super) observed: Option<Box<ObservedActions>>,
}

/// The probability of every call in auctions that the population has not met.
const UNREAD: f64 = 0.5;

/// The probability of the call that a bot expects. [`ActionLikelihood`] is relative to it, and a mixture needs it to compare components.
const EXPECTED: f64 = 0.7;

impl OpponentModel {
    /// Reads calls as those of a bidder, and cards, if they are to be read, as those of a player.
    ///
    /// Both must answer without randomness, and from what the view shows.
    pub fn new(bidder: Box<dyn Bidder>, player: Option<Box<dyn CardPlayer>>) -> Self {
        Self::of(vec![Component { weight: 1.0, reader: CallReader::Bot(bidder) }], player)
    }

    /// Reads calls by a mixture of bidder models, and cards as those of a player.
    pub const fn of(calls: Vec<Component>, cards: Option<Box<dyn CardPlayer>>) -> Self {
        let likelihood = ActionLikelihood::FITTED;
        let (agreed, own) = ([false; 2], Seat::S0);
        Self { calls, partner: None, cards, values: None, agreed, own, likelihood, observed: None }
    }

    /// Reads cards also by what a network takes them to be worth, where they are read and it knows the rules: each seat plays as the player does,
    /// or the better cards, more or less surely, and nobody has to say how.
    #[must_use]
    pub fn with_values(self, net: NetPlayer) -> Self {
        Self { values: Some(Box::new(net)), ..self }
    }

    /// Reads the partner's calls by another mixture, such as the system that both have agreed on.
    #[must_use]
    pub fn with_partner(self, partner: Vec<Component>) -> Self {
        Self { partner: Some(partner), ..self }
    }

    /// Takes the partner, or the opponents, to bid as their bidder does with few exceptions, signal passes too: their system is known.
    ///
    /// For many worlds: where only some dozens are drawn, few are left of those that fit (`docs/dev/architecture.md`, "Measured and not kept").
    #[must_use]
    pub fn exact(self, partner: bool, opponents: bool) -> Self {
        Self { agreed: [partner, opponents], ..self }
    }

    /// Says whose partner is meant.
    pub(super) const fn sit(&mut self, own: Seat) {
        self.own = own;
    }

    /// Returns how likely what the others did is in a deal that fits the view, up to a factor that is the same
    /// for all such deals.
    pub fn weight(&mut self, view: &View<'_>, deal: &Deal) -> f64 {
        let mut weights = Weights::new();
        let fits = self.replay(view, deal, |model, state, seat, decision| {
            weights.count(model, state, seat, decision);
            true
        });
        if fits { weights.product() } else { 0.0 }
    }

    /// Calls `report` with how likely each action of the others is after those before it, in order; `false` if the deal does not fit, after those
    /// that do. Their product is [`OpponentModel::weight`].
    pub fn likelihoods(&mut self, view: &View<'_>, deal: &Deal, mut report: impl FnMut(f64)) -> bool {
        let (mut weights, mut before) = (Weights::new(), 1.0);
        self.replay(view, deal, |model, state, seat, decision| {
            weights.count(model, state, seat, decision);
            let after = weights.product();
            report(if before > 0.0 { after / before } else { 0.0 });
            before = after;
            true
        })
    }

    /// Tests if what the others did is at least so likely in a deal that fits the view: 1 if they are to do just what their bots would.
    pub fn accepts(&mut self, view: &View<'_>, deal: &Deal, least: f64) -> bool {
        let mut weights = Weights::new();
        self.replay(view, deal, |model, state, seat, decision| {
            weights.count(model, state, seat, decision);
            weights.product() >= least
        })
    }

    /// Returns a random weight whose mean is [`OpponentModel::weight`], and which is 0 or not below `floor` where that
    /// is known before the whole deal is replayed.
    pub(super) fn weight_above(
        &mut self,
        view: &View<'_>,
        deal: &Deal,
        floor: f64,
        rng: &mut impl Rng,
    ) -> f64 {
        let (mut weights, mut raised) = (Weights::new(), 1.0);
        let fits = self.replay(view, deal, |model, state, seat, decision| {
            weights.count(model, state, seat, decision);
            let weight = weights.product() * raised;
            let goes_on = weight >= floor || unit(rng) * floor < weight;
            raised *= (floor / weight).max(1.0);
            goes_on
        });
        if fits { weights.product() * raised } else { 0.0 }
    }

    /// Calls `report` with all evidence from the others, their calls compared with those of the first component, in order, as long as it returns true; `false` if it does
    /// not, or if the deal does not fit.
    pub fn evidence(
        &mut self,
        view: &View<'_>,
        deal: &Deal,
        mut report: impl FnMut(Evidence) -> bool,
    ) -> bool {
        self.replay(view, deal, |model, state, seat, decision| {
            let evidence = match decision {
                Choice::Call(call) => model.call_evidence(0, state, seat, call),
                Choice::Card(card) => model.card_evidence(state, seat, card),
            };
            evidence.is_none_or(&mut report)
        })
    }

    /// Calls `report` with all decisions of the others as long as it returns true; `false` if it does not, or if the deal does
    /// not fit.
    fn replay(
        &mut self,
        view: &View<'_>,
        deal: &Deal,
        mut report: impl FnMut(&mut Self, &DealState, Seat, Choice) -> bool,
    ) -> bool {
        let own = view.seat();
        self.sit(own);
        self.start();
        let fits = retell_while(view, deal, |state, seat, decision| {
            // Own decisions say nothing about what the others hold.
            seat == own || report(self, state, seat, decision)
        });
        fits.is_some()
    }

    /// Makes the bots forget other deals.
    pub(super) fn start(&mut self) {
        for calls in self.calls.iter_mut().chain(self.partner.iter_mut().flatten()) {
            if let CallReader::Bot(bidder) = &mut calls.reader {
                bidder.start();
            }
        }
        if let Some(player) = &mut self.cards {
            player.start();
        }
    }

    /// Whose calls those of a seat are taken for.
    pub(super) fn calls_of(&mut self, seat: Seat) -> &mut [Component] {
        match &mut self.partner {
            Some(partner) if seat == self.own.partner() => partner,
            _ => &mut self.calls,
        }
    }

    /// Returns how likely a call is with the hands of the state, without what the seat called before.
    pub(crate) fn likelihood_of_call(&mut self, state: &DealState, seat: Seat, call: Call) -> f64 {
        let mut weights = Weights::new();
        weights.count(self, state, seat, Choice::Call(call));
        weights.product()
    }

    /// Returns the likelihood of a call with the hands of the state, by the component of this number.
    pub(super) fn call_of_bot(&mut self, number: usize, state: &DealState, seat: Seat, call: Call) -> f64 {
        let evidence = self.call_evidence(number, state, seat, call);
        let of_one = self.calls_of(seat).len() == 1;
        evidence.map_or(1.0, |evidence| self.likelihood.of(evidence)) * if of_one { 1.0 } else { EXPECTED }
    }

    /// Returns the evidence of a call, if the component of this number is a bot.
    fn call_evidence(
        &mut self,
        number: usize,
        state: &DealState,
        seat: Seat,
        call: Call,
    ) -> Option<Evidence> {
        let agreed = self.agreed[usize::from(seat != self.own.partner())];
        let CallReader::Bot(bidder) = &mut self.calls_of(seat)[number].reader else { return None };
        let expected = bidder.call(&state.view(seat), &state.legal_calls(), Key::from_bits(0));
        let found = call_match(state, expected, call, agreed);
        Some(if agreed { Evidence::Agreed(found) } else { Evidence::Call(found) })
    }

    /// Returns the evidence of a card, if there was a choice.
    #[inline]
    pub(super) fn card_evidence(&mut self, state: &DealState, seat: Seat, card: Card) -> Option<Evidence> {
        let player = self.cards.as_mut()?;
        let (legal, play) = (state.legal_plays(), state.play_state()?);
        if legal.len() < 2 || !legal.contains(card) {
            return None;
        }
        let kinds = kinds(state.rules(), play, legal);
        if kinds < 2 {
            return None;
        }
        let expected = player.play(&state.view(seat), legal, Key::from_bits(0));
        let same = expected == card || are_alike(state.rules(), play, card, expected);
        Some(Evidence::Card { position: TrickPosition::of(play), same, kinds })
    }

    /// Returns how likely the cards of a seat are before it has played one.
    pub(super) fn no_plays(&self, rules: &RuleSet) -> Plays {
        Plays(if self.values.is_some() && untrained(rules).is_none() { WAYS } else { [1.0, 0.0, 0.0] })
    }

    /// Counts a card of a seat, if there was a choice.
    #[inline]
    pub(super) fn count_card(&mut self, plays: &mut Plays, state: &DealState, seat: Seat, card: Card) {
        let Some(evidence) = self.card_evidence(state, seat, card) else { return };
        let Plays([as_player, ways @ ..]) = plays;
        *as_player *= self.likelihood.of(evidence);
        let rules = state.rules();
        let (Some(net), Some(play), None) = (&mut self.values, state.play_state(), untrained(rules)) else {
            return;
        };
        // Side by side: a card that is not there is worth next to nothing.
        let (mut values, mut same, mut count) = ([f32::MIN; 8], [0.0; 8], 0);
        net.values(&state.view(seat), state.legal_plays(), |other, value| {
            let is_same = other == card || are_alike(rules, play, card, other);
            (values[count], same[count]) = (value, f32::from(u8::from(is_same)));
            count += 1;
        });
        let best = values.into_iter().fold(f32::MIN, f32::max);
        for (way, points) in ways.iter_mut().zip(TEMPERATURES) {
            let shares = values.map(|value| exp((value - best) / points));
            let same: f32 = shares.iter().zip(same).map(|(share, same)| share * same).sum();
            *way *= UNEXPECTED + (1.0 - UNEXPECTED) * f64::from(same / shares.iter().sum::<f32>());
        }
    }

    /// Tests if the network reads cards.
    pub(super) const fn reads_values(&self) -> bool {
        self.values.is_some()
    }

    /// Tests if cards are read too.
    pub(super) const fn reads_cards(&self) -> bool {
        self.cards.is_some()
    }
}

/// How probable it is that a seat plays as the player that cards are compared with, or by the values of the network at each temperature.
const WAYS: [f64; 3] = [0.4, 0.4, 0.2];
/// Cards that are so many points worse are e times less likely.
const TEMPERATURES: [f32; 2] = [1.5, 12.0];
/// The probability of a card, whatever it is worth.
const UNEXPECTED: f64 = 0.01;

/// How likely the cards of a seat are in each of the ways in which it may play, times how probable that is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plays([f64; 3]);

impl Plays {
    pub(super) fn likelihood(&self) -> f64 {
        self.0.iter().sum()
    }
}

/// The likelihood of what each seat did.
#[derive(Debug)]
struct Weights {
    /// By seat and component, the weight times the likelihood of its calls; empty before it calls.
    calls: BySeat<Vec<f64>>,
    /// Of all cards in order, where a seat plays in one way.
    cards: f64,
    /// By seat, where the network reads cards; none before it plays.
    plays: BySeat<Option<Plays>>,
}

impl Weights {
    /// Of nothing.
    const fn new() -> Self {
        Self { calls: BySeat([const { Vec::new() }; 4]), cards: 1.0, plays: BySeat([None; 4]) }
    }

    fn count(&mut self, model: &mut OpponentModel, state: &DealState, seat: Seat, decision: Choice) {
        match decision {
            Choice::Call(call) => {
                let several = &mut self.calls[seat];
                if several.is_empty() {
                    several.extend(model.calls_of(seat).iter().map(|component| component.weight));
                }
                for (number, likelihood) in several.iter_mut().enumerate() {
                    *likelihood *= match &mut model.calls_of(seat)[number].reader {
                        CallReader::Bot(_) => model.call_of_bot(number, state, seat, call),
                        CallReader::Population(_) if untrained(state.rules()).is_some() => UNREAD,
                        CallReader::Population(reader) => {
                            let mut moment = Moment::new(state.clone(), seat, call);
                            reader.likelihood(&mut moment, state.view(seat).first_hand())
                        }
                    };
                }
            }
            Choice::Card(card) if !model.reads_values() => {
                let mut plays = Plays([1.0, 0.0, 0.0]);
                model.count_card(&mut plays, state, seat, card);
                self.cards *= plays.likelihood();
            }
            Choice::Card(card) => {
                let plays = self.plays[seat].get_or_insert_with(|| model.no_plays(state.rules()));
                model.count_card(plays, state, seat, card);
            }
        }
    }

    fn product(&self) -> f64 {
        let calls = self.calls.0.iter().filter(|several| !several.is_empty());
        let plays = self.plays.0.iter().flatten();
        self.cards
            * plays.map(Plays::likelihood).product::<f64>()
            * calls.map(|several| several.iter().sum::<f64>()).product::<f64>()
    }
}

impl core::fmt::Debug for OpponentModel {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OpponentModel").field("cards", &self.reads_cards()).finish_non_exhaustive()
    }
}
