//! Which card to part with: in a trick that is lost, or in one that is the partner's.

use coinche_engine::{Card, CardSet};

use super::context::PlayContext;

/// What it costs to part with a trump that need not be played.
const TRUMP_COST: i32 = 24;
/// What it costs to part with a card that would win a trick of its own.
const MASTER_COST: i32 = 30;
/// What it costs, for each card of its suit, to part with a card: a long suit may still win.
const LENGTH_COST: i32 = 2;
/// What it gains, holding trumps, to be rid of the last card of a suit: the next round is ruffed.
const VOID_GAIN: i32 = 6;
/// What it costs to leave a ten, or the like, without its last guard.
const GUARD_COST: i32 = 5;

/// A lost trick: throws what is worth the least, now and later.
pub(super) fn throw(context: &PlayContext<'_>, cards: CardSet) -> Card {
    if context.slam {
        // Only tricks count: what could still win one stays.
        return PlayContext::cheapest(cards, |card| 4 * keep_value(context, card) + context.points(card));
    }
    PlayContext::cheapest(cards, |card| 2 * context.points(card) + keep_value(context, card))
}

/// A trick of our own: gives the card that brings the most, unless it would win later.
pub(super) fn give(context: &PlayContext<'_>, cards: CardSet) -> Card {
    PlayContext::cheapest(cards, |card| keep_value(context, card) - 2 * context.points(card))
}

/// What a card is worth in the hand, beyond its points.
#[inline]
fn keep_value(context: &PlayContext<'_>, card: Card) -> i32 {
    let mut value = 0;
    if context.trumps.contains(card) {
        value += TRUMP_COST;
    } else {
        let length = context.hand.of(card.suit()).len();
        value += LENGTH_COST * i32::try_from(length).unwrap_or(0);
        if length == 1 && !(context.hand & context.trumps).is_empty() {
            value -= VOID_GAIN;
        }
    }
    if context.masters.contains(card) {
        value += MASTER_COST;
    } else if guards(context, card) {
        value += GUARD_COST;
    }
    value
}

/// Whether a card is the only one under a card that is second best in its suit.
#[inline]
fn guards(context: &PlayContext<'_>, card: Card) -> bool {
    let suit = context.hand.of(card.suit());
    if suit.len() != 2 {
        return false;
    }
    let top = context.highest(suit);
    top != card && (context.strain.above(top) & context.unseen).len() == 1
}
