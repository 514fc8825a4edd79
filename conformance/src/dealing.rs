//! Dealing, gathering and cutting. A deck is a list of 32 cards, the top first.

use crate::cards::Card;
use crate::options::Method;
use crate::record::RecordTrick;
use crate::rules::Rules;

/// The seats in order of play from the dealer's left.
fn from_left(dealer: usize) -> [usize; 4] {
    [1, 2, 3, 4].map(|step| (dealer + step) % 4)
}

/// The cards of each seat before the auction, in the order dealt.
///
/// # Panics
/// When the deck has fewer cards than are dealt.
pub fn dealt(rules: &Rules, deck: &[Card], dealer: usize) -> Vec<Vec<Card>> {
    let mut hands = vec![Vec::new(); 4];
    let mut top = deck.iter();
    for &packet in &rules.deal.packets {
        for seat in from_left(dealer) {
            for _ in 0..packet {
                hands[seat].push(*top.next().expect("the deck has 32 cards"));
            }
        }
    }
    hands
}

/// The card that is turned up after the first twenty, in a turn-up deal.
pub fn turned(rules: &Rules, deck: &[Card]) -> Option<Card> {
    (rules.deal.method == Method::TurnUp).then(|| deck[20])
}

/// The eight cards of each seat: in a turn-up deal the taker gets the turned card and two more, the others three; in a
/// split deal each gets the rest of eight at once.
pub fn completed(rules: &Rules, deck: &[Card], dealer: usize, taker: usize) -> Vec<Vec<Card>> {
    let mut hands = dealt(rules, deck, dealer);
    if rules.deal.method == Method::TurnUp {
        hands[taker].push(deck[20]);
        let mut left = deck[21..].to_vec();
        for seat in from_left(dealer) {
            let more = if seat == taker { 2 } else { 3 };
            hands[seat].extend(left.drain(..more));
        }
    }
    if rules.deal.method == Method::Split {
        let mut left = deck[hands.concat().len()..].to_vec();
        for seat in from_left(dealer) {
            let more = 8 - hands[seat].len();
            hands[seat].extend(left.drain(..more));
        }
    }
    hands
}

/// The deck gathered after a deal that was played.
///
/// Each team stacks its tricks in the order won, later tricks on top, each with its cards in the order played, later
/// cards on top. The pile of the team that won the last trick goes on top of the other. Nothing is turned over.
pub fn gathered(tricks: &[RecordTrick]) -> Vec<Card> {
    let mut piles = [Vec::new(), Vec::new()];
    for trick in tricks {
        for card in &trick.cards {
            let card: Card = card.parse().expect("a trick has cards");
            // The top of the pile is the front of the list.
            piles[trick.winner % 2].insert(0, card);
        }
    }
    let last = tricks.last().map_or(0, |trick| trick.winner % 2);
    [piles[last].clone(), piles[1 - last].clone()].concat()
}

/// The deck gathered after a deal that was passed out.
///
/// The hands are stacked in order of play from the dealer's left, each in the order dealt; cards that were not dealt
/// stay below in their order.
pub fn gathered_passed_out(rules: &Rules, deck: &[Card], dealer: usize) -> Vec<Card> {
    let hands = dealt(rules, deck, dealer);
    let not_dealt = deck.len() - hands.concat().len();
    let mut stack = deck[deck.len() - not_dealt..].to_vec();
    for seat in from_left(dealer) {
        for &card in &hands[seat] {
            stack.insert(0, card);
        }
    }
    stack
}

/// The deck with its top `n` cards under the rest.
pub fn cut(deck: &[Card], n: usize) -> Vec<Card> {
    [&deck[n..], &deck[..n]].concat()
}

#[cfg(test)]
mod tests;
