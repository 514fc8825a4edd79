//! An order of the suits that does not depend on their names.

use coinche_engine::{Card, CardSet, Suit, View};

/// The suits in an order that follows from what a seat knows about them.
///
/// Random numbers are drawn in this order, so renaming the suits only renames a bot's answer. Suits about which
/// the seat knows the same (both unbid, unplayed and with the same cards in its hand) stay in the order of their
/// names: nothing distinguishes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuitOrder([Suit; 4]);

impl SuitOrder {
    /// Finds the order for a view: by trump, own cards, cards played, calls.
    pub fn of(view: &View<'_>) -> Self {
        let trump = view.strain().and_then(coinche_engine::Strain::trump);
        let mut suits = Suit::ALL.map(|suit| {
            let own = view.first_hand().of(suit).bits() >> (8 * suit.index());
            let turned = view.turned().filter(|card| card.suit() == suit).map(|card| card.rank().index());
            (trump != Some(suit), own, turned, story(view, suit), suit)
        });
        suits.sort_by(|a, b| (a.0, a.1, a.2, &a.3).cmp(&(b.0, b.1, b.2, &b.3)));
        Self(suits.map(|(.., suit)| suit))
    }

    /// Returns the suits in order.
    pub const fn suits(self) -> [Suit; 4] {
        self.0
    }

    /// Iterates over the cards of a set, suit by suit in this order.
    pub fn cards(self, cards: CardSet) -> impl Iterator<Item = Card> {
        self.0.into_iter().flat_map(move |suit| cards.of(suit))
    }

    /// Moves the cards of the suits into the places of the order.
    #[inline]
    pub(crate) fn sort(self, cards: CardSet) -> u32 {
        let cards = cards.bits();
        (0..4).fold(0, |sorted, place| sorted | (cards >> (8 * self.0[place].index()) & 0xff) << (8 * place))
    }

    /// Moves the cards back, the reverse of [`SuitOrder::sort`].
    #[inline]
    pub(crate) fn unsort(self, sorted: u32) -> CardSet {
        let place = |place: usize| (sorted >> (8 * place) & 0xff) << (8 * self.0[place].index());
        CardSet::from_bits((0..4).fold(0, |cards, n| cards | place(n)))
    }
}

/// What happened in a suit: which call named it, and which of its cards was played when.
fn story(view: &View<'_>, suit: Suit) -> Vec<(usize, usize)> {
    let named = |call: coinche_engine::Call| match call {
        coinche_engine::Call::Bid(bid) => bid.strain.trump() == Some(suit),
        _ => false,
    };
    let calls = view.auction().calls().iter().enumerate().filter(|(_, (_, call))| named(*call));
    let tricks = view.tricks().iter().flat_map(|trick| trick.cards);
    let cards = tricks.chain(view.trick().map(|(_, card)| card)).enumerate();
    calls
        .map(|(at, _)| (at, usize::MAX))
        .chain(cards.filter(|(_, card)| card.suit() == suit).map(|(at, card)| (at, card.rank().index())))
        .collect()
}
