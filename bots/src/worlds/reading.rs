//! What the others did, as evidence of what they hold.

use coinche_engine::{
    BidValue, Call, Card, CardSet, Deal, DealState, Key, Play, PlayState, RuleSet, Seat, Turn, View,
};

use crate::{Bidder, CardPlayer};

/// A decision that was made in the open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// A call, declined offers of an any-time coinche included.
    Call(Call),
    /// A card.
    Card(Card),
}

/// Plays a deal again as far as a view tells it, and calls `report` before every decision with the state, the
/// seat and what it decided; returns the state in which the seat of the view must decide.
///
/// `None` where somebody could not have done what it did: the deal is none that fits. Costs one to two
/// microseconds.
pub fn retell(
    view: &View<'_>,
    deal: &Deal,
    mut report: impl FnMut(&DealState, Seat, Decision),
) -> Option<DealState> {
    let mut state = DealState::new(view.rules(), deal);
    state.set_match(view.match_score(), view.held(), &[]);
    let mut call = |state: &mut DealState, call| {
        if let Turn::Call(seat) = state.turn() {
            report(state, seat, Decision::Call(call));
        }
        state.call(call).ok()
    };
    for (seat, made) in view.auction().calls() {
        while state.turn() != Turn::Call(*seat) || !state.legal_calls().contains(*made) {
            // An offer that was declined. A bid is no answer to one, and ends this.
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
        report(&state, seat, Decision::Card(card));
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

/// Weighs worlds by how likely they make the calls and cards of the others, who are taken to bid and play like
/// two bots that sometimes do something else.
pub struct Reading {
    bidder: Box<dyn Bidder>,
    player: Option<Box<dyn CardPlayer>>,
}

/// How likely a call is next to the one that the bidder would make: a bid a step too high or too low, for each
/// step; and any other.
const CALL_STEP: f64 = 0.5;
const OTHER_CALL: f64 = 0.04;

/// How likely a card is next to the one that the player would play.
const OTHER_CARD: f64 = 0.35;

impl Reading {
    /// Reads calls as those of a bidder, and cards, if they are to be read, as those of a player.
    ///
    /// Both must answer without randomness.
    pub fn new(bidder: Box<dyn Bidder>, player: Option<Box<dyn CardPlayer>>) -> Self {
        Self { bidder, player }
    }

    /// Returns how likely what the others did is in a deal that fits the view, up to a factor that is the same
    /// for all such deals.
    pub fn weight(&mut self, view: &View<'_>, deal: &Deal) -> f64 {
        let own = view.seat();
        let mut weight = 1.0;
        self.bidder.start();
        if let Some(player) = &mut self.player {
            player.start();
        }
        let key = Key::from_bits(0);
        let fits = retell(view, deal, |state, seat, decision| {
            if seat == own {
                // The own decisions say nothing of what the others hold.
                return;
            }
            match (decision, &mut self.player) {
                (Decision::Call(call), _) => {
                    let expected = self.bidder.call(&state.view(seat), &state.legal_calls(), key);
                    weight *= likeness(state, expected, call);
                }
                (Decision::Card(card), Some(player)) => {
                    let legal = state.legal_plays();
                    if legal.len() > 1 && legal.contains(card) {
                        let expected = player.play(&state.view(seat), legal, key);
                        let alike = expected == card
                            || state
                                .play_state()
                                .is_some_and(|play| are_alike(view.rules(), play, card, expected));
                        weight *= if alike { 1.0 } else { OTHER_CARD };
                    }
                }
                (Decision::Card(_), None) => {}
            }
        });
        if fits.is_some() { weight } else { 0.0 }
    }
}

impl core::fmt::Debug for Reading {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Reading").field("cards", &self.player.is_some()).finish_non_exhaustive()
    }
}

/// How likely a call is of one who would rather make another.
fn likeness(state: &DealState, expected: Call, made: Call) -> f64 {
    if expected == made || (expected.is_pass() && made.is_pass()) {
        return 1.0;
    }
    match (expected, made) {
        (Call::Bid(expected), Call::Bid(made)) if expected.strain == made.strain => {
            let ladder = state.auction().state().ladder();
            let place = |value: BidValue| ladder.index_of(value).unwrap_or_default();
            let steps = place(expected.value).abs_diff(place(made.value));
            CALL_STEP.powi(i32::try_from(steps).unwrap_or(i32::MAX)).max(OTHER_CALL)
        }
        _ => OTHER_CALL,
    }
}

/// Tests if two cards of the hand to play do the same: they have the same points, and nothing that another
/// player may still play or has played to this trick lies between them.
pub(crate) fn are_alike(rules: &RuleSet, play: &PlayState, a: Card, b: Card) -> bool {
    let strain = play.strain();
    if a.suit() != b.suit() || rules.cards.points(strain, a) != rules.cards.points(strain, b) {
        return false;
    }
    let own = play.to_play();
    let hands = Seat::ALL.into_iter().filter(|seat| *seat != own).map(|seat| play.hand(seat));
    let others = hands.fold(play.trick().map(|(_, card)| card).collect(), |all: CardSet, hand| all | hand);
    // Above the one and not above the other, both ways: what lies between, and one of the two.
    ((strain.above(a) ^ strain.above(b)) & others).is_empty()
}
