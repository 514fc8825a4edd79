//! An order of the suits that does not depend on their names, of what is public and a hand.

use coinche_engine::encoding::SuitOrder;
use coinche_engine::{Call, CardSet, Strain, Suit, View};

/// What is public of the suits: which comes first whatever the hand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mentioned {
    /// By suit: when it was turned up, bid or played first.
    first: [u8; 4],
    /// The trump suit, in the play.
    trump: Option<Suit>,
    is_play: bool,
}

impl Mentioned {
    pub(super) fn of(view: &View<'_>) -> Self {
        let mut first = [u8::MAX; 4];
        let mut count = 0;
        let mut mention = |suit: Suit| {
            count += 1;
            let place = &mut first[suit.index()];
            *place = (*place).min(count);
        };
        view.turned().into_iter().for_each(|card| mention(card.suit()));
        for (_, call) in view.auction().calls() {
            match call {
                Call::Bid(bid) => bid.strain.trump().into_iter().for_each(&mut mention),
                Call::TakeIn(suit) => mention(*suit),
                _ => {}
            }
        }
        let finished = view.tricks().iter().flat_map(|trick| trick.cards);
        finished.chain(view.trick().map(|(_, card)| card)).for_each(|card| mention(card.suit()));
        let is_play = view.contract().is_some();
        Self { first, trump: view.strain().and_then(Strain::trump), is_play }
    }

    /// In the auction the suits by their first mention, then by the hand; in the play the trump suit, then by the hand.
    ///
    /// Suits that this does not tell apart have no card in the hand and were never mentioned.
    pub(super) fn order(&self, first_hand: CardSet) -> SuitOrder {
        let key = |suit: Suit| {
            let [cards, ..] = (first_hand.bits() >> (8 * suit.index())).to_le_bytes();
            let first = self.first[suit.index()];
            let major = if self.is_play { u8::from(self.trump != Some(suit)) } else { first };
            // One number to compare; its last digits tell which suit it is.
            let fields = [u64::from(major), cards.count_zeros().into(), u64::from(!cards), u64::from(first)];
            fields.into_iter().fold(0, |key, field| key << 8 | field) << 8 | suit.index() as u64
        };
        let mut keys = Suit::ALL.map(key);
        keys.sort_unstable();
        let suits = keys.map(|key| Suit::ALL[(key & 3) as usize]);
        SuitOrder::new(suits).unwrap_or(SuitOrder::IDENTITY)
    }
}

/// The number of an order, below [`ORDERS`].
pub(super) fn number(order: SuitOrder) -> usize {
    let [a, b, c, _] = order.suits();
    a.index() + 4 * b.index() + 16 * c.index()
}

/// How many numbers orders have.
pub(super) const ORDERS: usize = 64;
