//! The tricks of a deal in the order played.

use crate::{Card, CardSet, Seat};

/// A finished trick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trick {
    /// Who led.
    pub leader: Seat,
    /// The four cards in the order played.
    pub cards: [Card; 4],
    /// Who won.
    pub winner: Seat,
}

/// The cards played, with the finished tricks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlayLog {
    tricks: [Trick; 8],
    finished: u8,
    /// Cards of the trick under way.
    open: u8,
    played: CardSet,
}

impl PlayLog {
    pub(crate) const fn new() -> Self {
        let none = Card::from_low_bits(0);
        let trick = Trick { leader: Seat::S0, cards: [none; 4], winner: Seat::S0 };
        Self { tricks: [trick; 8], finished: 0, open: 0, played: CardSet::EMPTY }
    }

    pub(crate) const fn clear(&mut self) {
        self.finished = 0;
        self.open = 0;
        self.played = CardSet::EMPTY;
    }

    #[inline]
    pub(crate) fn push(&mut self, card: Card) {
        self.tricks[usize::from(self.finished & 7)].cards[usize::from(self.open & 3)] = card;
        self.open += 1;
        self.played = self.played.with(card);
    }

    #[inline]
    pub(crate) fn finish_trick(&mut self, leader: Seat, winner: Seat) {
        let trick = &mut self.tricks[usize::from(self.finished & 7)];
        trick.leader = leader;
        trick.winner = winner;
        self.finished += 1;
        self.open = 0;
    }

    /// Adds a whole trick, between tricks.
    pub(crate) fn push_trick(&mut self, trick: Trick) {
        for card in trick.cards {
            self.push(card);
        }
        self.finish_trick(trick.leader, trick.winner);
    }

    #[inline]
    pub(crate) fn tricks(&self) -> &[Trick] {
        &self.tricks[..usize::from(self.finished)]
    }

    pub(crate) const fn played(&self) -> CardSet {
        self.played
    }
}
