//! Which card to part with: in a trick that is lost, or in one that is the partner's.

use coinche_engine::{Card, CardSet};

use super::table::Table;

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
pub(super) fn throw(table: &Table<'_>, cards: CardSet) -> Card {
    if table.slam {
        // Only tricks count: what could still win one stays.
        return Table::cheapest(cards, |card| 4 * keep_value(table, card) + table.points(card));
    }
    Table::cheapest(cards, |card| 2 * table.points(card) + keep_value(table, card))
}

/// A trick of our own: gives the card that brings the most, unless it would win later.
pub(super) fn give(table: &Table<'_>, cards: CardSet) -> Card {
    Table::cheapest(cards, |card| keep_value(table, card) - 2 * table.points(card))
}

/// What a card is worth in the hand, beyond its points.
fn keep_value(table: &Table<'_>, card: Card) -> i32 {
    let mut value = 0;
    if table.trumps.contains(card) {
        value += TRUMP_COST;
    } else {
        let length = table.hand.of(card.suit()).len();
        value += LENGTH_COST * i32::try_from(length).unwrap_or(0);
        if length == 1 && !(table.hand & table.trumps).is_empty() {
            value -= VOID_GAIN;
        }
    }
    if table.masters.contains(card) {
        value += MASTER_COST;
    } else if guards(table, card) {
        value += GUARD_COST;
    }
    value
}

/// Whether a card is the only one under a card that is second best in its suit.
fn guards(table: &Table<'_>, card: Card) -> bool {
    let suit = table.hand.of(card.suit());
    if suit.len() != 2 {
        return false;
    }
    let top = table.highest(suit);
    top != card && (table.strain.above(top) & table.unseen).len() == 1
}
