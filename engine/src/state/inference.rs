//! What a card tells everyone about the hand it came from, by the rules alone.

use crate::{CardSet, PlayState, RuleSet, Strain, Undertrump};

/// Returns the cards that the player to move cannot hold if it plays `card`, which is legal.
///
/// Exact for the duty to follow, to beat, to trump and to overtrump; a card that would have had to be
/// played instead is not in the hand. (With `play.partner_trump = overtrump` nothing is read from a
/// trump over the partner's, since other cards in the hand lift that duty.)
#[inline]
pub(super) fn cards_excluded_by(rules: &RuleSet, before: &PlayState, card: crate::Card) -> CardSet {
    let (Some((_, led)), Some((winner, best))) = (before.trick().next(), before.winning()) else {
        return CardSet::EMPTY;
    };
    let strain = before.strain();
    if card.suit() == led.suit() {
        let duty = strain.orders_as_trump(led.suit());
        return if duty { not_beaten(strain, best, card) } else { CardSet::EMPTY };
    }
    let mut excluded = CardSet::suit(led.suit());
    let Some(trump) = strain.trump() else { return excluded };
    if led.suit() == trump || winner == before.to_play().partner() {
        return excluded;
    }
    if card.suit() == trump {
        if best.suit() == trump {
            excluded |= not_beaten(strain, best, card);
        }
    } else if rules.play.undertrump == Undertrump::Free && best.suit() == trump {
        excluded |= strain.above(best);
    } else {
        excluded |= CardSet::suit(trump);
    }
    excluded
}

/// The cards above `best`, when `card` of the same suit is not one of them.
#[inline]
fn not_beaten(strain: Strain, best: crate::Card, card: crate::Card) -> CardSet {
    let above = strain.above(best);
    if above.contains(card) { CardSet::EMPTY } else { above }
}
