//! What a hand is worth in a strain: look-ups by suit.
//!
//! The unit is a tenth of a card point (with belote) of the declaring side. A value is a sum over the suits,
//! each looked up by its byte: renaming the suits changes nothing.

use coinche_engine::{CardSet, Strain, Suit};

/// What a seat is to a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Its side declares, in a strain that the partner has not named first.
    Own,
    /// Its side declares in the partner's strain.
    Support,
    /// The other side declares.
    Defence,
    /// It takes, in the turn-up game.
    Take,
}

/// The kinds of strain: a trump suit, no trump, all trump.
pub(super) const KINDS: usize = 3;
/// The evaluations of a table: a role and a kind each, and that of a taker.
pub const EVALUATIONS: usize = 3 * KINDS + 1;
/// The classes of trump length: what a side card is worth depends on it.
const LENGTHS: usize = 4;

/// The kind of a strain, `0..3`.
pub const fn kind(strain: Strain) -> usize {
    match strain {
        Strain::NoTrump => 1,
        Strain::AllTrump => 2,
        _ => 0,
    }
}

impl Role {
    /// Returns the number of the evaluation of a role in a kind of strain.
    pub const fn evaluation(self, kind: usize) -> usize {
        match self {
            Self::Own => kind,
            Self::Support => KINDS + kind,
            Self::Defence => 2 * KINDS + kind,
            Self::Take => 3 * KINDS,
        }
    }
}

/// The cards of one suit as a byte, in the order 7 8 9 J Q K T A, low bit first.
#[inline]
pub const fn suit_byte(hand: CardSet, suit: Suit) -> usize {
    (hand.bits() >> (8 * suit as u32) & 0xff) as usize
}

/// The class of a number of trumps: up to three, four, five, more.
const fn length_class(trumps: usize) -> usize {
    match trumps.count_ones() {
        0..=3 => 0,
        4 => 1,
        5 => 2,
        _ => 3,
    }
}

/// Tests if a suit could be trump by the own hand alone: three cards, or two with the jack or the nine.
#[inline]
pub const fn is_trump_suit(byte: usize) -> bool {
    byte.count_ones() >= 3 || (byte.count_ones() == 2 && byte & 0b1100 != 0)
}

/// One evaluation: what the suits of a hand add up to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Holdings {
    /// The constant.
    pub constant: i32,
    /// By the byte of the trump suit; empty without a trump suit.
    pub trump: Vec<i32>,
    /// By class of trump length and byte of a side suit; one class without a trump suit.
    pub side: Vec<i32>,
}

impl Holdings {
    /// The numbers of columns that a kind of strain has: trump bytes, side bytes by class.
    pub const fn sizes(kind: usize) -> (usize, usize) {
        if kind == 0 { (256, 256 * LENGTHS) } else { (0, 256) }
    }

    /// Calls `add` with the place of every look-up of a hand: trump places first, then side places.
    #[inline]
    pub fn places(hand: CardSet, strain: Strain, mut add: impl FnMut(usize)) {
        match strain.trump() {
            Some(trump) => {
                let byte = suit_byte(hand, trump);
                add(byte);
                let class = 256 * (1 + length_class(byte));
                for suit in Suit::ALL {
                    if suit != trump {
                        add(class + suit_byte(hand, suit));
                    }
                }
            }
            None => Suit::ALL.iter().for_each(|suit| add(suit_byte(hand, *suit))),
        }
    }

    /// Returns the value of a hand.
    #[inline]
    pub fn value(&self, hand: CardSet, strain: Strain) -> i32 {
        let mut value = self.constant;
        Self::places(hand, strain, |place| {
            value += match place.checked_sub(self.trump.len()) {
                Some(side) => self.side[side],
                None => self.trump[place],
            };
        });
        value
    }
}
