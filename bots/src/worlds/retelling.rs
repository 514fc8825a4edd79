//! A deal told again as far as a seat has seen it.

use coinche_engine::{
    AuctionTurn, ByTeam, Call, Card, Contract, Deal, DealState, Key, Play, Seat, Turn, View,
};

use super::{PATIENCE, Worlds};
use crate::Choice;

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

/// Makes a state with the same view, for programs that must not reach the hands of the others: what these hold is one of the deals that fit,
/// the same one whatever they really hold. Earlier deals of a match are left out.
///
/// `None` if no deal fits, as of a view that a person entered. Costs some ten microseconds.
pub fn stand_in(view: &View<'_>) -> Option<DealState> {
    let deal = Worlds::try_of(view)?.try_deal(&mut Key::from_bits(0).rng(), PATIENCE)?;
    retell(view, &deal, |_, _, _| {})
}

/// Makes the state of the same deal with every seat this many places later: what S0 holds and did is that of S1 after one place. Earlier deals
/// of a match are left out.
///
/// `None` if the hands are not those of the deck. Costs one to two microseconds.
pub fn rotated(state: &DealState, places: usize) -> Option<DealState> {
    let deal = state.deal();
    let rotated = Deal::new(&state.rules().deal, *deal.deck(), deal.dealer().plus(places));
    retell_rotated(&state.view(Seat::S0), &rotated, places, |_, _, _| true)
}

/// As [`retell`], but stops with `None` as soon as `report` returns false.
pub(super) fn retell_while(
    view: &View<'_>,
    deal: &Deal,
    report: impl FnMut(&DealState, Seat, Choice) -> bool,
) -> Option<DealState> {
    retell_rotated(view, deal, 0, report)
}

/// As [`retell_while`], of a deal in which every seat is this many places later than in the view.
fn retell_rotated(
    view: &View<'_>,
    deal: &Deal,
    places: usize,
    mut report: impl FnMut(&DealState, Seat, Choice) -> bool,
) -> Option<DealState> {
    let given = view.contract().filter(|_| view.auction().calls().is_empty());
    let mut state = match given {
        Some(contract) => {
            let contract = Contract { declarer: contract.declarer.plus(places), ..contract };
            DealState::play_from(view.rules(), deal, contract).ok()?
        }
        None => DealState::new(view.rules(), deal),
    };
    let ByTeam([even, odd]) = view.match_score();
    let score = if places.is_multiple_of(2) { [even, odd] } else { [odd, even] };
    state.set_match(ByTeam(score), view.held(), &[]);
    state.set_deals_left(view.deals_left());
    let mut call = |state: &mut DealState, call| {
        if let Turn::Call(seat) = state.turn()
            && !report(state, seat, Choice::Call(call))
        {
            return None;
        }
        state.call(call).ok()
    };
    for (seat, made) in view.auction().calls() {
        while state.turn() != Turn::Call(seat.plus(places)) || !state.legal_calls().contains(*made) {
            // A declined offer. A bid is not an answer to an offer, and ends this.
            call(&mut state, Call::Pass).filter(|_| matches!(state.turn(), Turn::Call(_)))?;
        }
        call(&mut state, *made)?;
    }
    let waits = match view.auction().state().turn() {
        AuctionTurn::Speak(seat) => AuctionTurn::Speak(seat.plus(places)),
        AuctionTurn::OfferCoinche(seat) => AuctionTurn::OfferCoinche(seat.plus(places)),
        AuctionTurn::OfferSurcoinche(seat) => AuctionTurn::OfferSurcoinche(seat.plus(places)),
        AuctionTurn::Over => AuctionTurn::Over,
    };
    while state.auction().state().turn() != waits {
        call(&mut state, Call::Pass)?;
    }
    for card in history(view) {
        let Turn::Play(seat) = state.turn() else { return None };
        if !report(&state, seat, Choice::Card(card)) {
            return None;
        }
        let mut play = Play::from(card);
        play.announce_belote = view.belote(card.suit()).is_some_and(|belote| belote.announced == Some(true));
        if view.rules().melds.enabled && state.tricks().is_empty() {
            let kinds = || view.announced_kinds(seat.plus(4 - places % 4));
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

/// Iterates over the cards played so far, in order.
pub(crate) fn history<'a>(view: &View<'a>) -> impl Iterator<Item = Card> + use<'a> {
    view.tricks().iter().flat_map(|trick| trick.cards).chain(view.trick().map(|(_, card)| card))
}
