//! Whole deals from hands, and what a cut deck gives away.

use coinche_engine::{BySeat, Card, CardSet, Deal, Deck, Seat, View};
use rand_xoshiro::rand_core::Rng;

/// Shuffles cards that are given in an order that does not depend on the names of suits.
pub(super) fn shuffled(cards: impl Iterator<Item = Card>, rng: &mut impl Rng) -> Vec<Card> {
    let mut pile: Vec<Card> = cards.collect();
    shuffle(&mut pile, rng);
    pile
}

/// Shuffles a list.
pub(crate) fn shuffle<T>(list: &mut [T], rng: &mut impl Rng) {
    for n in (1..list.len()).rev() {
        let (_, at) = rng.next_u64().carrying_mul(n as u64 + 1, 0);
        list.swap(n, usize::try_from(at).unwrap_or(n));
    }
}

/// Makes the deal in which the seats are dealt these piles first, then `turned` and the rest in this order.
///
/// Of each pile the packets of the rules are dealt; what is left of a pile (after the auction) is what the seat gets later.
pub(super) fn deal(view: &View<'_>, mut piles: BySeat<Vec<Card>>, stock: Vec<Card>) -> Option<Deal> {
    let rules = &view.rules().deal;
    let first = view.dealer().next();
    let mut order = Vec::with_capacity(32);
    for packet in rules.packets.iter() {
        for seat in first.around() {
            let pile = &mut piles[seat];
            order.extend(pile.drain(..packet.min(pile.len())));
        }
    }
    order.extend(view.turned());
    for seat in first.around() {
        order.append(&mut piles[seat]);
    }
    order.extend(stock);
    let deck = Deck::from_cards(order.try_into().ok()?)?;
    Some(Deal::new(rules, deck, view.dealer()))
}

/// Returns the hands with which a deal is played, or in an auction those dealt so far.
pub(super) fn hands(view: &View<'_>, deal: &Deal) -> BySeat<CardSet> {
    view.contract().map_or(*deal.hands(), |contract| deal.complete(contract.declarer))
}

/// Returns the deals that fit what the seat saw of earlier deals, where the deck is only cut and the first of
/// these was played: its tricks give the order of the deck, and only the cut is unknown.
///
/// `None` if the deck is shuffled, or if all earlier deals were passed out: then the order of the deck is not
/// known, and the own cards in them are ignored.
pub(super) fn after_cuts(view: &View<'_>) -> Option<Vec<Deal>> {
    let rules = &view.rules().deal;
    let mut past = view.past();
    let tricks = past.next()?.tricks().try_into().ok()?;
    let mut decks = vec![Deck::gather(tricks)];
    let cuts = |deck: &Deck, dealer: Seat| -> Vec<Deal> {
        rules.cut_places().map(|n| Deal::new(rules, deck.cut(n), dealer)).collect()
    };
    for seen in past {
        let fits = |deal: &Deal| deal.hands()[view.seat()] == seen.hand() && deal.turned() == seen.turned();
        decks = decks
            .iter()
            .flat_map(|deck| cuts(deck, seen.dealer()))
            .filter(fits)
            .map(|deal| Deck::gather_thrown_in(&deal))
            .collect();
    }
    let fits =
        |deal: &Deal| hands(view, deal)[view.seat()] == view.first_hand() && deal.turned() == view.turned();
    Some(decks.iter().flat_map(|deck| cuts(deck, view.dealer())).filter(fits).collect())
}
