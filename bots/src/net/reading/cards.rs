//! What is known of a card that is played: what everybody sees, and the hand.

use coinche_engine::encoding::SuitOrder;
use coinche_engine::{BySeat, CardSet, Suit, View};

use crate::net::cards::public;

const AT_TRICK: usize = 32;
const AT_PLAYED: usize = AT_TRICK + 3 * 32;
const AT_LED: usize = AT_PLAYED + 4 * 32;
const AT_SHOWN: usize = AT_LED + 4 * 32;
const AT_VOID: usize = AT_SHOWN + 3 * 32;
const AT_REST: usize = AT_VOID + 3 * 4;
/// The number of inputs; the first are the cards of the hand.
pub const CARD_INPUTS: usize = AT_REST + public::INPUTS;

/// Writes what everybody sees before a card, from the seat that is to play it.
pub(super) fn seen(view: &View<'_>, order: SuitOrder, input: &mut Vec<u16>) {
    let mut cards = |at: usize, cards: CardSet| {
        for card in order.rename(cards) {
            input.push(u16::try_from(at + card.index()).unwrap_or_default());
        }
    };
    let around = view.seat().around();
    for (seat, card) in view.trick() {
        cards(AT_TRICK + 32 * (view.seat().distance_to(seat) - 1), CardSet::only(card));
    }
    let mut led = BySeat([CardSet::EMPTY; 4]);
    for trick in view.tricks() {
        led[trick.leader] = led[trick.leader].with(trick.cards[0]);
    }
    for (place, seat) in around.into_iter().enumerate() {
        cards(AT_PLAYED + 32 * place, view.played_by(seat));
        cards(AT_LED + 32 * place, led[seat]);
        if place > 0 {
            cards(AT_SHOWN + 32 * (place - 1), view.known(seat));
        }
    }
    for (place, seat) in around.into_iter().enumerate().skip(1) {
        for suit in Suit::ALL.into_iter().filter(|suit| view.is_void(seat, *suit)) {
            input.push(u16::try_from(AT_VOID + 4 * (place - 1) + order.slot(suit)).unwrap_or_default());
        }
    }
    public::encode(view, order, CardSet::EMPTY, |at| input.push(public::place(AT_REST + at)));
}
