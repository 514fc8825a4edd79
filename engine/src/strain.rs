//! What is trump: strength and points of the cards.

use core::fmt;

use crate::{Card, CardSet, Rank, Suit};

/// The kind of a contract: one of four trump suits, no trump (sans atout), all trump (tout atout).
///
/// One flat enum instead of an `Option<Suit>`, because two of the six have no trump suit and still
/// differ in strength, in points and in what must be beaten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Strain {
    /// Clubs are trump.
    Clubs,
    /// Diamonds are trump.
    Diamonds,
    /// Hearts are trump.
    Hearts,
    /// Spades are trump.
    Spades,
    /// No suit is trump: `SA`.
    NoTrump,
    /// Every suit has the order of trumps, none ruffs another: `TA`.
    AllTrump,
}

impl Strain {
    /// The six strains in the order C D H S SA TA.
    pub const ALL: [Self; 6] =
        [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades, Self::NoTrump, Self::AllTrump];

    /// The four strains with a trump suit.
    pub const SUITS: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// Returns the strain with this suit as trump.
    #[inline]
    pub const fn of(suit: Suit) -> Self {
        Self::SUITS[suit as usize]
    }

    /// Returns the index of the strain, `0..6`.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the trump suit, if there is one.
    #[inline]
    pub const fn trump(self) -> Option<Suit> {
        match self {
            Self::Clubs => Some(Suit::Clubs),
            Self::Diamonds => Some(Suit::Diamonds),
            Self::Hearts => Some(Suit::Hearts),
            Self::Spades => Some(Suit::Spades),
            Self::NoTrump | Self::AllTrump => None,
        }
    }

    /// Returns the notation: `C D H S SA TA`.
    pub const fn code(self) -> &'static str {
        ["C", "D", "H", "S", "SA", "TA"][self as usize]
    }

    /// Returns the symbol that a person reads: `♣ ♦ ♥ ♠ SA TA`.
    pub const fn symbol(self) -> &'static str {
        ["♣", "♦", "♥", "♠", "SA", "TA"][self as usize]
    }

    /// Returns the cards that have the order of trumps: one suit, none, or all.
    #[inline]
    pub const fn trump_ordered(self) -> CardSet {
        match self {
            Self::NoTrump => CardSet::EMPTY,
            Self::AllTrump => CardSet::FULL,
            _ => CardSet::from_bits(0xff << (8 * self as u32)),
        }
    }

    /// Tests if the suit has the order of trumps.
    #[inline]
    pub const fn orders_as_trump(self, suit: Suit) -> bool {
        matches!(self, Self::AllTrump) || self as u8 == suit as u8
    }

    /// Returns the strength of a card within its suit, `0..8`, the best 7.
    ///
    /// Trumps: J 9 A T K Q 8 7; other suits and no trump: A T K Q J 9 8 7 (`docs/rules.md`, "Cards").
    #[inline]
    pub const fn strength(self, card: Card) -> u8 {
        const TRUMP: [u8; 8] = [0, 1, 6, 7, 2, 3, 4, 5];
        if self.orders_as_trump(card.suit()) { TRUMP[card.rank() as usize] } else { card.rank() as u8 }
    }

    /// Returns the cards of `card`'s suit that are stronger than it.
    #[inline]
    pub fn above(self, card: Card) -> CardSet {
        let layout = Layout::new(self);
        let bit = layout.bit(card);
        let suit = layout.rank_set(CardSet::suit(card.suit()));
        layout.card_set(suit & !(bit | (bit - 1)))
    }

    /// Returns the cards of a hand that are above every card of `others` in their suit: the masters,
    /// when `others` are all cards that may still be played against them.
    ///
    /// All four suits at once, without a loop.
    ///
    /// ```
    /// use coinche_engine::Strain;
    ///
    /// let masters = Strain::Hearts.masters("JH AH TS 8S".parse()?, "9H AS".parse()?);
    /// assert_eq!(masters.to_string(), "JH");
    /// # Ok::<(), coinche_engine::ParseHandError>(())
    /// ```
    #[inline]
    pub const fn masters(self, hand: CardSet, others: CardSet) -> CardSet {
        let layout = Layout::new(self);
        // Each byte is filled from its highest card down: what lies above is master.
        let mut below = layout.rank_set(others);
        below |= (below >> 1) & 0x7f7f_7f7f;
        below |= (below >> 2) & 0x3f3f_3f3f;
        below |= (below >> 4) & 0x0f0f_0f0f;
        layout.card_set(layout.rank_set(hand) & !below)
    }

    /// Returns the strongest card of a set that lies in one suit, or of its suit with the highest
    /// index; `None` for the empty set.
    #[inline]
    pub fn highest(self, cards: CardSet) -> Option<Card> {
        let layout = Layout::new(self);
        let ranked = layout.rank_set(cards);
        (ranked != 0).then(|| layout.card(1 << (ranked.ilog2())))
    }

    /// Returns the weakest card of a set that lies in one suit, or of its suit with the lowest index;
    /// `None` for the empty set.
    #[inline]
    pub fn lowest(self, cards: CardSet) -> Option<Card> {
        let layout = Layout::new(self);
        let ranked = layout.rank_set(cards);
        (ranked != 0).then(|| layout.card(ranked & ranked.wrapping_neg()))
    }
}

impl From<Suit> for Strain {
    fn from(suit: Suit) -> Self {
        Self::of(suit)
    }
}

impl fmt::Display for Strain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

from_text!(Strain, ParseStrainError, "`{0}` is not a strain: expected C, D, H, S, SA or TA", |text| {
    let code =
        [Self::NoTrump, Self::AllTrump].into_iter().find(|it| it.code().eq_ignore_ascii_case(text.trim()));
    code.or_else(|| text.parse::<Suit>().ok().map(Self::of))
});

/// The points of the cards: those of no trump and all trump differ between rule sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CardRules {
    /// Points of a suit in no trump, in the order A T K Q J 9 8 7.
    #[cfg_attr(feature = "serde", serde(default = "no_trump", skip_serializing_if = "is_no_trump"))]
    pub no_trump: [u8; 8],
    /// Points of a suit in all trump, in the order J 9 A T K Q 8 7.
    pub all_trump: [u8; 8],
}

/// Points by rank in the order 7 8 9 J Q K T A.
const PLAIN: [u8; 8] = [0, 0, 0, 2, 3, 4, 10, 11];
const TRUMP: [u8; 8] = [0, 0, 14, 20, 3, 4, 10, 11];

/// The points of no trump where a rule set does not say any: it was written before it could.
#[cfg(feature = "serde")]
const fn no_trump() -> [u8; 8] {
    [19, 10, 4, 3, 2, 0, 0, 0]
}

#[cfg(feature = "serde")]
fn is_no_trump(points: &[u8; 8]) -> bool {
    *points == no_trump()
}

impl CardRules {
    /// The most points that a suit can have in no trump and all trump.
    pub(crate) const MOST: u16 = 100;

    /// Returns the points of a suit by [`Rank::index`].
    #[inline]
    pub(crate) const fn by_rank(&self, strain: Strain, suit: Suit) -> [u8; 8] {
        match strain {
            Strain::NoTrump => {
                let [ace, ten, king, queen, jack, nine, eight, seven] = self.no_trump;
                [seven, eight, nine, jack, queen, king, ten, ace]
            }
            Strain::AllTrump => {
                let [jack, nine, ace, ten, king, queen, eight, seven] = self.all_trump;
                [seven, eight, nine, jack, queen, king, ten, ace]
            }
            _ => {
                if strain as u8 == suit as u8 {
                    TRUMP
                } else {
                    PLAIN
                }
            }
        }
    }

    /// Returns the points of a card.
    #[inline]
    pub const fn points(&self, strain: Strain, card: Card) -> u16 {
        // No table is put in another order for one card.
        let place = 7 - strain.strength(card) as usize;
        let points = match strain {
            Strain::NoTrump => self.no_trump[place],
            Strain::AllTrump => self.all_trump[place],
            _ if strain as u8 == card.suit() as u8 => TRUMP[card.rank() as usize],
            _ => PLAIN[card.rank() as usize],
        };
        points as u16
    }

    /// Returns the points of a set of cards without the last trick: of all 152 in most rule sets.
    #[inline]
    pub fn points_of(&self, strain: Strain, cards: CardSet) -> u16 {
        let weigh = |cards: CardSet, table: [u8; 8]| -> u32 {
            Rank::ALL
                .iter()
                .map(|rank| {
                    (cards & CardSet::rank(*rank)).bits().count_ones() * u32::from(table[rank.index()])
                })
                .sum()
        };
        let points = match strain.trump() {
            // The trump suit has its Jack 18 and its Nine 14 points above those of a plain suit.
            Some(suit) => {
                weigh(cards, PLAIN)
                    + 18 * u32::from(cards.contains(Card::new(suit, Rank::Jack)))
                    + 14 * u32::from(cards.contains(Card::new(suit, Rank::Nine)))
            }
            None => weigh(cards, self.by_rank(strain, Suit::Clubs)),
        };
        u16::try_from(points).expect("at most 255 points a card")
    }
}

/// How the cards of a strain are laid out in *ranked* words, the form in which tricks are played.
///
/// In a ranked word each suit is a byte in order of strength, and the trump suit, if there is one, is
/// the top byte. Then the winner of a trick is the largest card among those of the suit led and the
/// trumps, "beats" is a comparison of bits, and no table by card is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Layout {
    /// The bits (before rotation) that have the order of trumps.
    trumps: u32,
    /// How far a word is rotated left so that the trump suit comes to the top.
    rotation: u32,
    /// The ranked cards that outrank every other suit: the trump suit, where there is one.
    pub(crate) cut: u32,
    /// The ranked cards of suits in which the best card of a trick must be beaten.
    pub(crate) duty: u32,
}

impl Layout {
    const ALL: [Self; 6] = {
        let mut layouts = [Self { trumps: 0, rotation: 0, cut: 0, duty: 0 }; 6];
        let mut suit = 0u32;
        while suit < 4 {
            layouts[suit as usize] = Self {
                trumps: 0xff << (8 * suit),
                rotation: 8 * (3 - suit),
                cut: 0xff00_0000,
                duty: 0xff00_0000,
            };
            suit += 1;
        }
        layouts[Strain::AllTrump as usize].trumps = u32::MAX;
        layouts[Strain::AllTrump as usize].duty = u32::MAX;
        layouts
    };

    #[inline]
    pub(crate) const fn new(strain: Strain) -> &'static Self {
        &Self::ALL[strain as usize]
    }

    /// Turns a set into a ranked word.
    #[inline]
    pub(crate) const fn rank_set(&self, cards: CardSet) -> u32 {
        let bits = cards.bits();
        let t = bits & self.trumps;
        // 7 8 | 9 J | Q K T A becomes 7 8 | Q K T A | 9 J.
        let ranked =
            (bits & !self.trumps) | (t & 0x0303_0303) | ((t & 0xf0f0_f0f0) >> 2) | ((t & 0x0c0c_0c0c) << 4);
        ranked.rotate_left(self.rotation)
    }

    /// Turns a ranked word back into a set.
    #[inline]
    pub(crate) const fn card_set(&self, ranked: u32) -> CardSet {
        let bits = ranked.rotate_right(self.rotation);
        let t = bits & self.trumps;
        CardSet::from_bits(
            (bits & !self.trumps) | (t & 0x0303_0303) | ((t & 0x3c3c_3c3c) << 2) | ((t & 0xc0c0_c0c0) >> 4),
        )
    }

    /// Returns the ranked bit of a card.
    #[inline]
    pub(crate) const fn bit(&self, card: Card) -> u32 {
        self.rank_set(CardSet::only(card))
    }

    /// Returns the card of a ranked bit.
    #[inline]
    pub(crate) const fn card(&self, bit: u32) -> Card {
        Card::from_low_bits(self.card_set(bit).bits().trailing_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_is_the_order_of_strength() {
        for strain in Strain::ALL {
            let layout = Layout::new(strain);
            for card in Card::all() {
                let bit = layout.bit(card);
                assert_eq!(bit.count_ones(), 1);
                assert_eq!(layout.card(bit), card);
                assert_eq!(bit.trailing_zeros() % 8, u32::from(strain.strength(card)));
                if strain.trump() == Some(card.suit()) {
                    assert!(bit >= 1 << 24);
                }
                let stronger: CardSet = CardSet::suit(card.suit())
                    .into_iter()
                    .filter(|other| strain.strength(*other) > strain.strength(card))
                    .collect();
                assert_eq!(strain.above(card), stronger);
            }
        }
    }

    #[test]
    fn masters_are_the_cards_that_nothing_beats() {
        let mut word = 0x9e37_79b9u32;
        for _ in 0..2_000 {
            word = word.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            let hand = CardSet::from_bits(word & (word >> 7));
            let others = CardSet::from_bits(word.rotate_left(11) & !word);
            for strain in Strain::ALL {
                let slow: CardSet =
                    hand.into_iter().filter(|card| strain.above(*card).is_disjoint(others)).collect();
                assert_eq!(strain.masters(hand, others), slow);
            }
        }
    }

    #[test]
    fn every_strain_has_152_points() {
        for all_trump in [[14, 9, 6, 5, 3, 1, 0, 0], [13, 9, 6, 5, 3, 2, 0, 0]] {
            let rules = CardRules { no_trump: [19, 10, 4, 3, 2, 0, 0, 0], all_trump };
            for strain in Strain::ALL {
                assert_eq!(rules.points_of(strain, CardSet::FULL), 152);
                for card in Card::all() {
                    let one = rules.points_of(strain, CardSet::only(card));
                    assert_eq!(one, rules.points(strain, card));
                }
            }
        }
    }
}
