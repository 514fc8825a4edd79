//! A model of the other players: their actions as evidence of what they hold.

use std::sync::Arc;

use coinche_engine::{
    BidValue, BySeat, Call, Card, CardSet, Deal, DealState, Key, Play, PlayState, RuleSet, Seat, Team, Turn,
    View,
};

use rand_xoshiro::rand_core::Rng;

use super::unit;
use crate::net::reading::{Moment, Population, Reader};
use crate::{Bidder, CardPlayer, Choice, RulesBidder};

/// Replays a deal as far as a view shows it, and calls `report` before every decision with the state, the
/// seat and what it decided; returns the state in which the seat of the view must decide.
///
/// `None` if a seat could not have acted as it did, so that the deal does not fit. Costs one to two
/// microseconds.
pub fn retell(
    view: &View<'_>,
    deal: &Deal,
    mut report: impl FnMut(&DealState, Seat, Choice),
) -> Option<DealState> {
    retell_while(view, deal, |state, seat, decision| {
        report(state, seat, decision);
        true
    })
}

/// The same, but stops with `None` as soon as `report` returns false.
fn retell_while(
    view: &View<'_>,
    deal: &Deal,
    mut report: impl FnMut(&DealState, Seat, Choice) -> bool,
) -> Option<DealState> {
    let given = view.contract().filter(|_| view.auction().calls().is_empty());
    let mut state = match given {
        Some(contract) => DealState::play_from(view.rules(), deal, contract).ok()?,
        None => DealState::new(view.rules(), deal),
    };
    state.set_match(view.match_score(), view.held(), &[]);
    let mut call = |state: &mut DealState, call| {
        if let Turn::Call(seat) = state.turn()
            && !report(state, seat, Choice::Call(call))
        {
            return None;
        }
        state.call(call).ok()
    };
    for (seat, made) in view.auction().calls() {
        while state.turn() != Turn::Call(*seat) || !state.legal_calls().contains(*made) {
            // A declined offer. A bid is not an answer to an offer, and ends this.
            call(&mut state, Call::Pass).filter(|_| matches!(state.turn(), Turn::Call(_)))?;
        }
        call(&mut state, *made)?;
    }
    while state.auction().state().turn() != view.auction().state().turn() {
        call(&mut state, Call::Pass)?;
    }
    let cards = view.tricks().iter().flat_map(|trick| trick.cards);
    for card in cards.chain(view.trick().map(|(_, card)| card)) {
        let Turn::Play(seat) = state.turn() else { return None };
        if !report(&state, seat, Choice::Card(card)) {
            return None;
        }
        let mut play = Play::from(card);
        play.announce_belote = view.belote(card.suit()).is_some_and(|belote| belote.announced == Some(true));
        if view.rules().melds.enabled && state.tricks().is_empty() {
            let kinds = || view.announced_kinds(seat);
            play.melds = state
                .meld_options(seat)
                .into_iter()
                .find(|melds| melds.iter().map(|meld| meld.kind).eq(kinds()));
            play.melds?;
        }
        state.play(play).ok()?;
    }
    Some(state)
}

/// A decision of another seat, compared with what a bot would have done with the hand of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// A call.
    Call(CallMatch),
    /// A call of a seat whose system is known.
    Agreed(CallMatch),
    /// A card, chosen among several that are not equivalent.
    Card {
        /// Where in the trick it was played.
        position: TrickPosition,
        /// Whether it is equivalent to the bot's.
        same: bool,
        /// How many kinds of cards the hand could choose from, from 2 on.
        kinds: u8,
    },
}

/// How a call compares with the one expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallMatch {
    /// The same, or both are passes of some kind.
    Same,
    /// A bid of the same strain, one step off.
    Near,
    /// A bid of the same strain, more steps off.
    Far,
    /// A pass instead of anything else.
    Passed,
    /// Something else instead of a pass.
    Spoke,
    /// A bid of another strain, or a coinche for a bid.
    Other,
}

/// When a card was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrickPosition {
    /// First to its trick.
    Lead,
    /// On a trick that the partner was winning.
    Partner,
    /// On a trick that an opponent was winning.
    Opponent,
}

/// How likely the others deviate from what the bot would do: fitted to played deals, see `docs/search.md`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ActionLikelihood {
    /// How likely a call is relative to the expected one, by [`CallMatch`] from `Near` on.
    pub calls: [f64; 5],
    /// The probability of another kind of card than the expected one, by [`TrickPosition`].
    pub cards: [f64; 3],
    /// How likely a call is relative to the expected one where the bidder is known to bid so, as `calls`.
    pub agreed: [f64; 5],
}

impl ActionLikelihood {
    /// The one in use.
    pub const FITTED: Self = Self {
        calls: [0.08, 0.01, 0.03, 0.01, 0.005],
        cards: [0.7, 0.41, 0.37],
        agreed: [0.01, 0.002, 0.004, 0.001, 0.001],
    };

    /// Returns how likely a piece of evidence is.
    #[inline]
    pub fn of(&self, evidence: Evidence) -> f64 {
        match evidence {
            Evidence::Call(CallMatch::Same) | Evidence::Agreed(CallMatch::Same) => 1.0,
            Evidence::Call(call) => self.calls[call as usize - 1],
            Evidence::Agreed(call) => self.agreed[call as usize - 1],
            Evidence::Card { position, same: true, .. } => 1.0 - self.cards[position as usize],
            // All other kinds are alike.
            Evidence::Card { position, kinds, .. } => self.cards[position as usize] / f64::from(kinds - 1),
        }
    }
}

/// Whose calls those of a seat are taken for.
pub enum CallReader {
    /// Those of a bidder that sometimes deviates; it must answer without randomness.
    Bot(Box<dyn Bidder>),
    /// Those of one of a population.
    Population(Reader),
}

/// One of several bidders that a seat may be.
pub struct Share {
    /// How likely that is before it calls, from 0 to 1; those of all add up to 1.
    pub share: f64,
    /// Who it is.
    pub reader: CallReader,
}

/// How likely it is that somebody of whom nothing is known bids as `rules`. It is one of the population, but to ask it is to know it exactly.
const OF_RULES: f64 = 0.3;

impl Share {
    /// Somebody of whom nothing is known: `rules`, or one of a population.
    pub fn of_somebody(population: Arc<Population>) -> Vec<Self> {
        let rules = CallReader::Bot(Box::new(RulesBidder::default()));
        let network = CallReader::Population(Reader::new(population));
        vec![Self { share: OF_RULES, reader: rules }, Self { share: 1.0 - OF_RULES, reader: network }]
    }
}

/// Weighs worlds by the likelihood of the calls and cards of the others.
///
/// Where a seat may be one of several bidders, its calls are as likely as the mean over them, by their shares. So whoever would have called
/// otherwise with any hand counts little, without anybody having to say who bids.
pub struct OpponentModel {
    calls: Vec<Share>,
    /// Where the partner's are others.
    partner: Option<Vec<Share>>,
    /// Whose cards those of the others are taken for, one who sometimes deviates; where they are read.
    cards: Option<Box<dyn CardPlayer>>,
    /// Whether partner and opponents are known to bid as their bidders do.
    agreed: [bool; 2],
    /// The seat that reads.
    own: Seat,
    likelihood: ActionLikelihood,
}

/// How likely the call is that a bot expects, where another may be meant: likelihoods of other calls are relative to it.
const EXPECTED: f64 = 0.7;

impl OpponentModel {
    /// Reads calls as those of a bidder, and cards, if they are to be read, as those of a player.
    ///
    /// Both must answer without randomness, and from what the view shows.
    pub fn new(bidder: Box<dyn Bidder>, player: Option<Box<dyn CardPlayer>>) -> Self {
        Self::of(vec![Share { share: 1.0, reader: CallReader::Bot(bidder) }], player)
    }

    /// Reads calls as those of one of several bidders, and cards as those of a player.
    pub const fn of(calls: Vec<Share>, cards: Option<Box<dyn CardPlayer>>) -> Self {
        let likelihood = ActionLikelihood::FITTED;
        Self { calls, partner: None, cards, agreed: [false; 2], own: Seat::S0, likelihood }
    }

    /// Reads the partner's calls as those of others, such as the system that both have agreed on.
    #[must_use]
    pub fn with_partner(self, partner: Vec<Share>) -> Self {
        Self { partner: Some(partner), ..self }
    }

    /// Takes the partner, or the opponents, to bid as their bidder does with few exceptions: their system is known.
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

    /// Takes these likelihoods instead of the fitted ones.
    #[must_use]
    pub fn with_likelihood(self, likelihood: ActionLikelihood) -> Self {
        Self { likelihood, ..self }
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

    /// Calls `report` with all evidence from the others, their calls compared with those of the first bidder, in order, as long as it returns true; `false` if it does
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
    pub(super) fn calls_of(&mut self, seat: Seat) -> &mut [Share] {
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

    /// Returns how likely the bidder of this number calls so with the hands of the state.
    pub(super) fn call_of_bot(&mut self, number: usize, state: &DealState, seat: Seat, call: Call) -> f64 {
        let evidence = self.call_evidence(number, state, seat, call);
        let of_one = self.calls_of(seat).len() == 1;
        evidence.map_or(1.0, |evidence| self.likelihood.of(evidence)) * if of_one { 1.0 } else { EXPECTED }
    }

    /// Returns the evidence of a call, if the bidder of this number is a bot.
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
        let found = call_match(state, expected, call);
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

    /// Returns how likely a piece of evidence is.
    #[inline]
    pub(super) fn likelihood_of(&self, evidence: Evidence) -> f64 {
        self.likelihood.of(evidence)
    }

    /// Tests if cards are read too.
    pub(super) const fn reads_cards(&self) -> bool {
        self.cards.is_some()
    }
}

/// How likely is what each seat did.
#[derive(Debug)]
struct Weights {
    /// By seat, how likely its calls are of each bidder that it may be, times the share; empty before it calls.
    calls: BySeat<Vec<f64>>,
    cards: f64,
}

impl Weights {
    /// Of nothing.
    const fn new() -> Self {
        Self { calls: BySeat([const { Vec::new() }; 4]), cards: 1.0 }
    }

    fn count(&mut self, model: &mut OpponentModel, state: &DealState, seat: Seat, decision: Choice) {
        match decision {
            Choice::Call(call) => {
                let several = &mut self.calls[seat];
                if several.is_empty() {
                    several.extend(model.calls_of(seat).iter().map(|share| share.share));
                }
                for (number, likelihood) in several.iter_mut().enumerate() {
                    *likelihood *= match &mut model.calls_of(seat)[number].reader {
                        CallReader::Bot(_) => model.call_of_bot(number, state, seat, call),
                        CallReader::Population(reader) => {
                            let mut moment = Moment::new(state.clone(), seat, call);
                            reader.likelihood(&mut moment, state.view(seat).first_hand())
                        }
                    };
                }
            }
            Choice::Card(card) => {
                let evidence = model.card_evidence(state, seat, card);
                self.cards *= evidence.map_or(1.0, |evidence| model.likelihood_of(evidence));
            }
        }
    }

    fn product(&self) -> f64 {
        let calls = self.calls.0.iter().filter(|several| !several.is_empty());
        self.cards * calls.map(|several| several.iter().sum::<f64>()).product::<f64>()
    }
}

impl core::fmt::Debug for OpponentModel {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OpponentModel").field("cards", &self.reads_cards()).finish_non_exhaustive()
    }
}

impl TrickPosition {
    fn of(play: &PlayState) -> Self {
        match play.winning() {
            None => Self::Lead,
            Some((seat, _)) if seat == play.to_play().partner() => Self::Partner,
            Some(_) => Self::Opponent,
        }
    }
}

/// Compares a call with the one that was expected.
fn call_match(state: &DealState, expected: Call, made: Call) -> CallMatch {
    if expected == made || (expected.is_pass() && made.is_pass()) {
        return CallMatch::Same;
    }
    match (expected, made) {
        (Call::Bid(expected), Call::Bid(made)) if expected.strain == made.strain => {
            let ladder = state.auction().state().ladder();
            let place = |value: BidValue| ladder.index_of(value).unwrap_or_default();
            let steps = place(expected.value).abs_diff(place(made.value));
            if steps == 1 { CallMatch::Near } else { CallMatch::Far }
        }
        (_, made) if made.is_pass() => CallMatch::Passed,
        (expected, _) if expected.is_pass() => CallMatch::Spoke,
        _ => CallMatch::Other,
    }
}

/// Counts the legal cards of the hand to play that are not equivalent.
fn kinds(rules: &RuleSet, play: &PlayState, legal: CardSet) -> u8 {
    let mut kinds = 0;
    let mut rest = legal;
    while let Some(card) = rest.first() {
        rest = rest.without(card);
        rest -=
            rest.of(card.suit()).into_iter().filter(|other| are_alike(rules, play, card, *other)).collect();
        kinds += 1;
    }
    kinds
}

/// Tests if two cards of the hand to play are equivalent in a whole deal: they have the same points, and no card that
/// another player may still play, or has played to this trick, ranks between them.
fn are_alike(rules: &RuleSet, play: &PlayState, a: Card, b: Card) -> bool {
    let strain = play.strain();
    if a.suit() != b.suit() || rules.cards.points(strain, a) != rules.cards.points(strain, b) {
        return false;
    }
    // What the others hold, and the cards of the trick: all but the own hand and the tricks before.
    let others = !(play.hand(play.to_play()) | play.taken(Team::Even) | play.taken(Team::Odd));
    // Above one and not above the other, both ways: what lies between, and one of the two.
    ((strain.above(a) ^ strain.above(b)) & others).is_empty()
}
