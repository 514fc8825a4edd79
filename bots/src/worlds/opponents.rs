//! A model of the other players: their actions as evidence of what they hold.

use coinche_engine::{
    BidValue, Call, Card, CardSet, Deal, DealState, Key, Play, PlayState, RuleSet, Seat, Team, Turn, View,
};

use rand_xoshiro::rand_core::Rng;

use super::unit;
use crate::net::reading::{Moment, Reader};
use crate::{Bidder, CardPlayer, Choice};

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

/// Whose cards those of the others are taken for.
pub enum CardReader {
    /// They are not read.
    Nothing,
    /// Those of a player who sometimes deviates; it must answer without randomness.
    Bot(Box<dyn CardPlayer>),
    /// Those of one of a population.
    Population(Reader),
}

/// Weighs worlds by the likelihood of the calls and cards of the others.
pub struct OpponentModel {
    calls: CallReader,
    /// Where the partner's are another's.
    partner: Option<CallReader>,
    cards: CardReader,
    /// Whether partner and opponents are known to bid as their bidders do.
    agreed: [bool; 2],
    /// The seat that reads.
    own: Seat,
    likelihood: ActionLikelihood,
}

impl OpponentModel {
    /// Reads calls as those of a bidder, and cards, if they are to be read, as those of a player.
    ///
    /// Both must answer without randomness, and from what the view shows.
    pub fn new(bidder: Box<dyn Bidder>, player: Option<Box<dyn CardPlayer>>) -> Self {
        Self::of(CallReader::Bot(bidder), player.map_or(CardReader::Nothing, CardReader::Bot))
    }

    /// Reads calls and cards as these say.
    pub const fn of(calls: CallReader, cards: CardReader) -> Self {
        let likelihood = ActionLikelihood::FITTED;
        Self { calls, partner: None, cards, agreed: [false; 2], own: Seat::S0, likelihood }
    }

    /// Reads the partner's calls as those of another, such as the system that both have agreed on.
    #[must_use]
    pub fn with_partner(self, partner: CallReader) -> Self {
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
        let mut weight = 1.0;
        let fits = self.replay(view, deal, |model, state, seat, decision| {
            weight *= model.likelihood(state, seat, decision);
            true
        });
        if fits { weight } else { 0.0 }
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
        let mut weight = 1.0;
        let fits = self.replay(view, deal, |model, state, seat, decision| {
            weight *= model.likelihood(state, seat, decision);
            let goes_on = weight >= floor || unit(rng) * floor < weight;
            weight = weight.max(floor);
            goes_on
        });
        if fits { weight } else { 0.0 }
    }

    /// Calls `report` with all evidence from the others that a bot gives, in order, as long as it returns true; `false` if it does
    /// not, or if the deal does not fit.
    pub fn evidence(
        &mut self,
        view: &View<'_>,
        deal: &Deal,
        mut report: impl FnMut(Evidence) -> bool,
    ) -> bool {
        self.replay(view, deal, |model, state, seat, decision| {
            model.evidence_of(state, seat, decision).is_none_or(&mut report)
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
        for calls in core::iter::once(&mut self.calls).chain(&mut self.partner) {
            if let CallReader::Bot(bidder) = calls {
                bidder.start();
            }
        }
        if let CardReader::Bot(player) = &mut self.cards {
            player.start();
        }
    }

    /// Whose calls those of a seat are taken for.
    const fn calls_of(&mut self, seat: Seat) -> &mut CallReader {
        match &mut self.partner {
            Some(partner) if seat as u8 == self.own.partner() as u8 => partner,
            _ => &mut self.calls,
        }
    }

    /// Returns how likely a decision is with the hands of the state; 1 if it is not read.
    pub(crate) fn likelihood(&mut self, state: &DealState, seat: Seat, decision: Choice) -> f64 {
        if let Some(reader) = self.reader(seat, decision) {
            let mut moment = Moment::new(state.clone(), seat, decision);
            return reader.likelihood(&mut moment, state.view(seat).first_hand());
        }
        let likelihood = self.likelihood;
        self.evidence_of(state, seat, decision).map_or(1.0, |evidence| likelihood.of(evidence))
    }

    /// Returns what reads a decision as that of the population, if it is.
    pub(super) fn reader(&mut self, seat: Seat, decision: Choice) -> Option<&mut Reader> {
        match decision {
            Choice::Call(_) => match self.calls_of(seat) {
                CallReader::Population(reader) => Some(reader),
                CallReader::Bot(_) => None,
            },
            Choice::Card(_) => match &mut self.cards {
                CardReader::Population(reader) => Some(reader),
                _ => None,
            },
        }
    }

    /// Returns the evidence that a seat gave, if its decision is one that the model reads as that of a bot.
    #[inline]
    pub(super) fn evidence_of(
        &mut self,
        state: &DealState,
        seat: Seat,
        decision: Choice,
    ) -> Option<Evidence> {
        let key = Key::from_bits(0);
        match (decision, &mut self.cards) {
            (Choice::Call(call), _) => {
                let agreed = self.agreed[usize::from(seat != self.own.partner())];
                let CallReader::Bot(bidder) = self.calls_of(seat) else { return None };
                let expected = bidder.call(&state.view(seat), &state.legal_calls(), key);
                let found = call_match(state, expected, call);
                Some(if agreed { Evidence::Agreed(found) } else { Evidence::Call(found) })
            }
            (Choice::Card(card), CardReader::Bot(player)) => {
                let (legal, play) = (state.legal_plays(), state.play_state()?);
                if legal.len() < 2 || !legal.contains(card) {
                    return None;
                }
                let kinds = kinds(state.rules(), play, legal);
                if kinds < 2 {
                    return None;
                }
                let expected = player.play(&state.view(seat), legal, key);
                let same = expected == card || are_alike(state.rules(), play, card, expected);
                Some(Evidence::Card { position: TrickPosition::of(play), same, kinds })
            }
            (Choice::Card(_), _) => None,
        }
    }

    /// Returns how likely a piece of evidence is.
    #[inline]
    pub(super) fn likelihood_of(&self, evidence: Evidence) -> f64 {
        self.likelihood.of(evidence)
    }

    /// Tests if cards are read too.
    pub(super) const fn reads_cards(&self) -> bool {
        !matches!(self.cards, CardReader::Nothing)
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
pub(crate) fn are_alike(rules: &RuleSet, play: &PlayState, a: Card, b: Card) -> bool {
    let strain = play.strain();
    if a.suit() != b.suit() || rules.cards.points(strain, a) != rules.cards.points(strain, b) {
        return false;
    }
    // What the others hold, and the cards of the trick: all but the own hand and the tricks before.
    let others = !(play.hand(play.to_play()) | play.taken(Team::Even) | play.taken(Team::Odd));
    // Above one and not above the other, both ways: what lies between, and one of the two.
    ((strain.above(a) ^ strain.above(b)) & others).is_empty()
}
