//! The play of a decision with its suits in a canonical order.

use coinche_engine::encoding::SuitOrder;
use coinche_engine::{BySeat, Card, CardSet, PlayState, Strain, Suit, View};

use crate::worlds::{Worlds, history};

/// The play at a decision with canonical suits: the first of the [`SuitOrder`] is called clubs, and so on.
///
/// There a search may choose by the order of cards, or at random, and its answer still does not depend on the
/// names of the suits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Canonical {
    order: SuitOrder,
    play: PlayState,
}

impl Canonical {
    /// Makes the play of a view canonical, in which there is one; `hands` are a world.
    pub(crate) fn new(view: &View<'_>, worlds: &Worlds<'_>, hands: &BySeat<CardSet>) -> Self {
        let order = worlds.suits();
        let set = |cards| order.rename(cards);
        let first = BySeat::from_fn(|seat| set(hands[seat] | view.played_by(seat)));
        let strain = view.strain().expect("cards are played");
        // The trump suit is the first of the order.
        let strain = strain.trump().map_or(strain, |_| Strain::of(Suit::Clubs));
        let mut play = PlayState::new(&view.rules().play, strain, first, view.dealer().next());
        for card in history(view) {
            play.play_unchecked(set(CardSet::only(card)).first().expect("a card has a name"));
        }
        Self { order, play }
    }

    /// Returns the play in a world.
    #[inline]
    pub(crate) fn play(&self, hands: &BySeat<CardSet>) -> PlayState {
        self.play.with_hands_unchecked(&hands.map(|hand| self.set(hand)))
    }

    /// Returns the canonical names of cards.
    #[inline]
    pub(crate) fn set(&self, cards: CardSet) -> CardSet {
        self.order.rename(cards)
    }

    /// Returns the canonical name of a card.
    pub(crate) fn card(&self, card: Card) -> Card {
        self.set(CardSet::only(card)).first().expect("a card has a name")
    }

    /// Returns the card of a canonical name.
    pub(crate) fn original(&self, card: Card) -> Card {
        self.order.restore(CardSet::only(card)).first().expect("a name has a card")
    }
}
