//! Other names for the suits, so that deals that differ only by these look the same.

use crate::rules::Bids;
use crate::{Call, Card, CardSet, Strain, Suit, View};

/// An order of the four suits: which suit stands in which slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SuitOrder {
    suits: [Suit; 4],
    slots: [u8; 4],
}

impl SuitOrder {
    /// Every suit in its own slot: clubs, diamonds, hearts, spades.
    pub const IDENTITY: Self = Self { suits: Suit::ALL, slots: [0, 1, 2, 3] };

    /// Returns the order of these suits, or `None` when one is missing.
    pub fn new(suits: [Suit; 4]) -> Option<Self> {
        let mut slots = [u8::MAX; 4];
        for (slot, suit) in (0..).zip(suits) {
            slots[suit.index()] = slot;
        }
        slots.iter().all(|slot| *slot < 4).then_some(Self { suits, slots })
    }

    /// Returns the order in which a view is the same for all names of the suits: the trump suit first, once there is one, then
    /// by the own first hand, the smaller byte of ranks first, then by which suit was turned up, bid, named or played first (one
    /// that was never mentioned before these), then by the cards that the others have shown.
    ///
    /// Suits that this does not tell apart have the same cards in the own hand and were never mentioned, so that their order
    /// does not matter. [`SuitOrder::IDENTITY`] in an auction in which strains alone are bid: there suits have a rank.
    pub fn canonical(view: &View<'_>) -> Self {
        if view.rules().auction.bids == Bids::Strains && view.contract().is_none() {
            return Self::IDENTITY;
        }
        let hand = view.first_hand();
        let trump = view.strain().and_then(Strain::trump);
        let key = |suit: Suit| {
            let turned = view.turned().filter(|card| card.suit() == suit).map(|card| card.rank().index());
            (trump != Some(suit), byte(hand, suit), turned)
        };
        let mut suits = Suit::ALL;
        // Four elements: an insertion sort, whose comparisons mostly end at the hand.
        suits.sort_by(|a, b| key(*a).cmp(&key(*b)).then_with(|| mention(view, *a).cmp(&mention(view, *b))));
        Self::new(suits).expect("the four suits in another order")
    }

    /// Returns the suits, that of slot 0 first.
    #[inline]
    pub const fn suits(self) -> [Suit; 4] {
        self.suits
    }

    /// Iterates over the cards of a set, suit by suit in this order.
    #[inline]
    pub fn cards(self, cards: CardSet) -> impl Iterator<Item = Card> {
        self.suits.into_iter().flat_map(move |suit| cards.of(suit))
    }

    /// Returns the suit of a slot, modulo 4.
    #[inline]
    pub const fn suit(self, slot: usize) -> Suit {
        self.suits[slot & 3]
    }

    /// Returns the slot of a suit, `0..4`.
    #[inline]
    pub const fn slot(self, suit: Suit) -> usize {
        self.slots[suit.index()] as usize
    }

    /// Returns the slot of a strain, `0..6`; no trump and all trump keep theirs.
    #[inline]
    pub const fn strain_slot(self, strain: Strain) -> usize {
        match strain.trump() {
            Some(suit) => self.slot(suit),
            None => strain as usize,
        }
    }

    /// Renames the suits of a set: that of slot 0 becomes clubs, and so on.
    #[inline]
    pub const fn rename(self, cards: CardSet) -> CardSet {
        let [a, b, c, d] = self.suits;
        CardSet::from_bits(byte(cards, a) | byte(cards, b) << 8 | byte(cards, c) << 16 | byte(cards, d) << 24)
    }

    /// Gives the suits of a set their names back, the reverse of [`SuitOrder::rename`].
    #[inline]
    pub const fn restore(self, cards: CardSet) -> CardSet {
        let (bits, [a, b, c, d]) = (cards.bits(), self.suits);
        CardSet::from_bits(
            (bits & 0xff) << (8 * a as u32)
                | (bits >> 8 & 0xff) << (8 * b as u32)
                | (bits >> 16 & 0xff) << (8 * c as u32)
                | (bits >> 24 & 0xff) << (8 * d as u32),
        )
    }

    /// Returns the order that undoes this one.
    #[must_use]
    pub fn inverse(self) -> Self {
        let suits = self.slots.map(|slot| Suit::from_index(slot.into()));
        Self { suits, slots: self.suits.map(|suit| suit as u8) }
    }
}

/// The ranks of a suit in a set, as a byte.
const fn byte(cards: CardSet, suit: Suit) -> u32 {
    cards.bits() >> (8 * suit as u32) & 0xff
}

/// When a suit was first mentioned (the number of the call, or of the card with its rank), and which of its cards the
/// others showed without playing them, the next player first.
fn mention(view: &View<'_>, suit: Suit) -> (Option<(usize, usize)>, [u32; 3]) {
    let named = |call: &Call| match call {
        Call::Bid(bid) => bid.strain.trump() == Some(suit),
        Call::TakeIn(named) => *named == suit,
        _ => false,
    };
    let call = view.auction().calls().iter().position(|(_, call)| named(call)).map(|at| (at, usize::MAX));
    let card = || {
        let finished = view.tricks().iter().flat_map(|trick| trick.cards);
        let cards = finished.chain(view.trick().map(|(_, card)| card)).enumerate();
        cards.filter(|(_, card)| card.suit() == suit).map(|(at, card)| (at, card.rank().index())).next()
    };
    let [_, others @ ..] = view.seat().around();
    (call.or_else(card), others.map(|seat| byte(view.known(seat), suit)))
}
