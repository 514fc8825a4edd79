//! The play of the cards: strength, points, what may be played, who wins.

use crate::cards::{Card, Rank, Strain};
use crate::options::{PartnerTrump, Undertrump};
use crate::rules::Rules;

/// Strength of a trump suit, high to low.
pub const TRUMP_ORDER: [Rank; 8] =
    [Rank::Jack, Rank::Nine, Rank::Ace, Rank::Ten, Rank::King, Rank::Queen, Rank::Eight, Rank::Seven];

/// Strength of a side suit, high to low.
pub const SIDE_ORDER: [Rank; 8] =
    [Rank::Ace, Rank::Ten, Rank::King, Rank::Queen, Rank::Jack, Rank::Nine, Rank::Eight, Rank::Seven];

/// Why a player may play just the cards that they may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Duty {
    /// Nothing is on the table.
    Lead,
    /// Follow a suit that is not trump.
    Follow,
    /// Follow the trump led and beat it.
    Beat,
    /// Follow the trump led, which cannot be beaten.
    FollowBelow,
    /// Cannot follow, and the partner is winning.
    PartnerWins,
    /// Cannot follow, only trumps, and the partner is winning by a trump that must be overtrumped.
    OvertrumpPartner,
    /// Cannot follow, the partner is winning, and must trump or overtrump nevertheless.
    OverPartner,
    /// The same, and can only play a trump below the partner's.
    UnderPartner,
    /// Cannot follow and must trump.
    Trump,
    /// Cannot follow and must overtrump.
    Overtrump,
    /// Cannot follow nor overtrump, and must play a lower trump.
    Undertrump,
    /// Cannot follow nor overtrump, and may play anything.
    UndertrumpFree,
    /// Cannot follow, and must not go below the best trump while there is another card.
    AboveTrump,
    /// Can neither follow nor trump.
    Discard,
}

/// The place of a rank in an order, counted from the low end.
fn strength(order: [Rank; 8], rank: Rank) -> usize {
    8 - order.iter().position(|&r| r == rank).expect("an order has every rank")
}

/// Whether `a` beats `b`, a card of the same suit.
fn higher(strain: Strain, a: Card, b: Card) -> bool {
    let order = if strain.is_trump(a.suit) { TRUMP_ORDER } else { SIDE_ORDER };
    strength(order, a.rank) > strength(order, b.rank)
}

/// The points of a card.
pub fn card_points(rules: &Rules, strain: Strain, card: Card) -> i32 {
    let in_order = |order: [Rank; 8], points: &[i32; 8]| points[8 - strength(order, card.rank)];
    match strain {
        Strain::AllTrump => in_order(TRUMP_ORDER, &rules.cards.all_trump),
        Strain::NoTrump => in_order(SIDE_ORDER, &rules.cards.no_trump),
        Strain::Suit(trump) if trump == card.suit => in_order(TRUMP_ORDER, &[20, 14, 11, 10, 4, 3, 0, 0]),
        Strain::Suit(_) => in_order(SIDE_ORDER, &[11, 10, 4, 3, 2, 0, 0, 0]),
    }
}

/// The points of the last trick.
pub fn last_trick_points(rules: &Rules, strain: Strain) -> i32 {
    match strain {
        Strain::Suit(_) => rules.scoring.last_trick,
        Strain::NoTrump => rules.scoring.last_trick_no_trump,
        Strain::AllTrump => rules.scoring.last_trick_all_trump,
    }
}

/// The place in the trick, 0 for the card led, of the card that wins it so far.
///
/// # Panics
/// When the trick is empty.
pub fn trick_winner(strain: Strain, trick: &[Card]) -> usize {
    assert!(!trick.is_empty(), "nobody wins an empty trick");
    let led = trick[0].suit;
    let trumped = match strain {
        Strain::Suit(trump) => trick.iter().any(|card| card.suit == trump).then_some(trump),
        Strain::NoTrump | Strain::AllTrump => None,
    };
    let suit = trumped.unwrap_or(led);
    let mut best: Option<usize> = None;
    for (place, &card) in trick.iter().enumerate() {
        if card.suit == suit && best.is_none_or(|b| higher(strain, card, trick[b])) {
            best = Some(place);
        }
    }
    best.expect("the trick holds a card of that suit")
}

/// The cards that may be played, and why. `trick` begins with the card led; the player is the next.
pub fn duty(rules: &Rules, strain: Strain, hand: &[Card], trick: &[Card]) -> (Duty, Vec<Card>) {
    let anything = hand.to_vec();
    let Some(led) = trick.first() else {
        return (Duty::Lead, anything);
    };
    let best = trick_winner(strain, trick);

    // 1 and 2: follow suit; trumps must beat the highest of the suit.
    let same_suit: Vec<Card> = hand.iter().copied().filter(|card| card.suit == led.suit).collect();
    if !same_suit.is_empty() {
        if !strain.is_trump(led.suit) {
            return (Duty::Follow, same_suit);
        }
        let beating: Vec<Card> =
            same_suit.iter().copied().filter(|&card| higher(strain, card, trick[best])).collect();
        return if beating.is_empty() { (Duty::FollowBelow, same_suit) } else { (Duty::Beat, beating) };
    }

    // 4: in SA and TA a player who cannot follow plays anything.
    let Strain::Suit(trump) = strain else {
        return (Duty::Discard, anything);
    };

    // 3: a suit contract, and the player cannot follow.
    let trumps: Vec<Card> = hand.iter().copied().filter(|card| card.suit == trump).collect();
    let trick_trumped = trick[best].suit == trump;
    let overtrumps: Vec<Card> =
        trumps.iter().copied().filter(|&card| !trick_trumped || higher(strain, card, trick[best])).collect();

    // A lower trump, where that is forbidden, is for a hand that has nothing else to play.
    let not_under: Vec<Card> = hand
        .iter()
        .copied()
        .filter(|&card| !trick_trumped || card.suit != trump || higher(strain, card, trick[best]))
        .collect();
    let cards_left = |duty: Duty, cards: Vec<Card>| {
        let is_forbidden = rules.play.undertrump == Undertrump::Forbidden;
        if is_forbidden && !not_under.is_empty() && not_under.len() < hand.len() {
            (Duty::AboveTrump, not_under.clone())
        } else {
            (duty, cards)
        }
    };

    let partner_is_winning = trick.len() >= 2 && best == trick.len() - 2;
    let trumps_over_partner = partner_is_winning && rules.play.partner_trump == PartnerTrump::Always;
    if partner_is_winning && !trumps_over_partner {
        let must_overtrump = rules.play.partner_trump == PartnerTrump::Overtrump
            && trick_trumped
            && trumps.len() == hand.len()
            && !overtrumps.is_empty();
        return if must_overtrump {
            (Duty::OvertrumpPartner, overtrumps)
        } else {
            cards_left(Duty::PartnerWins, anything)
        };
    }
    if trumps.is_empty() {
        return (Duty::Discard, anything);
    }
    if !trick_trumped {
        return (if trumps_over_partner { Duty::OverPartner } else { Duty::Trump }, trumps);
    }
    if !overtrumps.is_empty() {
        return (if trumps_over_partner { Duty::OverPartner } else { Duty::Overtrump }, overtrumps);
    }
    match rules.play.undertrump {
        Undertrump::Forced if trumps_over_partner => (Duty::UnderPartner, trumps),
        Undertrump::Forced => (Duty::Undertrump, trumps),
        Undertrump::Free => (Duty::UndertrumpFree, anything),
        // A hand of lower trumps only.
        Undertrump::Forbidden => cards_left(Duty::Undertrump, trumps),
    }
}

/// The cards that may be played. `trick` begins with the card led; the player is the next.
pub fn legal_cards(rules: &Rules, strain: Strain, hand: &[Card], trick: &[Card]) -> Vec<Card> {
    duty(rules, strain, hand, trick).1
}

#[cfg(test)]
mod tests;
