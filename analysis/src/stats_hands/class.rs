//! Classes of hands that a person can tell apart at the table.

use core::fmt;
use std::collections::BTreeMap;

use coinche_engine::{CardSet, Rank, Strain};
use serde::{Deserialize, Serialize};

/// The kind of strain, which determines what separates classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// A suit is trump.
    Suit,
    /// No trump.
    NoTrump,
    /// All suits are trump.
    AllTrump,
}

impl Kind {
    /// All classes.
    pub const ALL: [Self; 3] = [Self::Suit, Self::NoTrump, Self::AllTrump];

    /// Returns the class of a strain.
    pub const fn of(strain: Strain) -> Self {
        match strain {
            Strain::NoTrump => Self::NoTrump,
            Strain::AllTrump => Self::AllTrump,
            _ => Self::Suit,
        }
    }

    /// Returns a strain of the kind.
    const fn strain(self) -> Strain {
        match self {
            Self::Suit => Strain::Clubs,
            Self::NoTrump => Strain::NoTrump,
            Self::AllTrump => Strain::AllTrump,
        }
    }

    /// Returns the name in tables.
    pub const fn name(self) -> &'static str {
        ["suit", "SA", "TA"][self as usize]
    }
}

/// A class of hands in a strain.
///
/// In a suit: the trumps (which of jack, nine and ace, and how many there are), the aces of other suits, and
/// the voids. In SA: aces, tens with their ace, and the longest suit. In TA: jacks, nines with their jack, and
/// the longest suit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "(Kind, [u8; 4])", into = "(Kind, [u8; 4])")]
pub struct HandClass {
    kind: Kind,
    /// In a suit: the tops (jack 4, nine 2, ace 1), all trumps, the aces of the others, the voids. Otherwise: aces or jacks,
    /// tens or nines behind them, the cards of the longest suit, 0.
    numbers: [u8; 4],
}

/// No hand has these numbers.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} are not the numbers of a class of hands")]
pub struct NoHands([u8; 4]);

impl TryFrom<(Kind, [u8; 4])> for HandClass {
    type Error = NoHands;

    fn try_from((kind, numbers): (Kind, [u8; 4])) -> Result<Self, NoHands> {
        let [top, second, third, voids] = numbers;
        let exists = match kind {
            Kind::Suit => {
                top < 8 && (count(top.count_ones())..=8).contains(&second) && third <= 4 && voids < 4
            }
            Kind::NoTrump | Kind::AllTrump => top <= 4 && second <= top && third <= 8 && voids == 0,
        };
        if exists { Ok(Self { kind, numbers }) } else { Err(NoHands(numbers)) }
    }
}

impl From<HandClass> for (Kind, [u8; 4]) {
    fn from(class: HandClass) -> Self {
        (class.kind, class.numbers)
    }
}

/// Returns the cards of a rank.
const fn of_rank(rank: Rank) -> u32 {
    0x0101_0101 << rank.index()
}

/// Counts the voids.
fn voids(cards: u32) -> u8 {
    cards.to_le_bytes().into_iter().map(|suit| u8::from(suit == 0)).sum()
}

fn longest(cards: u32) -> u8 {
    cards.to_le_bytes().into_iter().map(u8::count_ones).max().map_or(0, count)
}

fn count(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

impl HandClass {
    /// Finds the class of a hand of eight cards in a strain.
    pub fn of(hand: CardSet, strain: Strain) -> Self {
        let cards = hand.bits();
        let held = |rank: Rank| cards & of_rank(rank);
        let Some(trump) = strain.trump() else {
            let [top, second] = match strain {
                Strain::AllTrump => [Rank::Jack, Rank::Nine],
                _ => [Rank::Ace, Rank::Ten],
            };
            // The second card of a suit counts only with the top card of the same suit.
            let behind = (held(top) >> top.index()) & (held(second) >> second.index());
            let [tops, behind] = [held(top), behind].map(|cards| count(cards.count_ones()));
            return Self { kind: Kind::of(strain), numbers: [tops, behind, longest(cards), 0] };
        };
        let trumps = hand.of(trump);
        let has = |rank: Rank, bit: u8| if trumps.bits() & of_rank(rank) == 0 { 0 } else { bit };
        let tops = has(Rank::Jack, 4) | has(Rank::Nine, 2) | has(Rank::Ace, 1);
        let [all, aces] =
            [trumps.bits(), held(Rank::Ace) & !trumps.bits()].map(|cards| count(cards.count_ones()));
        Self { kind: Kind::Suit, numbers: [tops, all, aces, voids(cards) - u8::from(trumps.is_empty())] }
    }

    /// Returns the kind of strain.
    pub const fn kind(self) -> Kind {
        self.kind
    }

    /// Formats the trumps or the tops: `J9+2`, `2 aces 1 ten`.
    pub fn holding(self) -> String {
        let [top, second, ..] = self.numbers;
        match self.kind {
            Kind::Suit => {
                let held = [(4, 'J'), (2, '9'), (1, 'A')].into_iter().filter(|(bit, _)| top & bit != 0);
                let tops: String = held.map(|(_, letter)| letter).collect();
                let others = second - count(top.count_ones());
                match (tops.is_empty(), others) {
                    (true, others) => format!("{others} low"),
                    (false, 0) => tops,
                    (false, others) => format!("{tops}+{others}"),
                }
            }
            Kind::NoTrump => format!("{} {}", plural(top, "ace"), plural(second, "ten")),
            Kind::AllTrump => format!("{} {}", plural(top, "jack"), plural(second, "nine")),
        }
    }

    /// Formats the rest of the hand: `1 ace, 2 voids`, `longest 4`.
    pub fn rest(self) -> String {
        let [.., third, voids] = self.numbers;
        match self.kind {
            Kind::Suit => format!("{} {}", plural(third, "ace"), plural(voids, "void")),
            _ => format!("longest {third}"),
        }
    }

    /// Returns the number of trumps or of tops, the side aces or the longest suit, and the voids, for programs.
    pub const fn numbers(self) -> [u8; 4] {
        self.numbers
    }
}

fn plural(number: u8, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

impl fmt::Display for HandClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.holding(), self.rest())
    }
}

/// The number of hands of eight cards.
pub const HANDS: u64 = 10_518_300;

/// Counts the hands of every class of a kind among all [`HANDS`]; for a suit, with clubs as trump.
pub(crate) fn count_hands(kind: Kind) -> BTreeMap<HandClass, u64> {
    count_hands_of(kind, 4)
}

/// Counts the hands of eight cards from this many suits, clubs first.
///
/// The class of a hand depends only on the classes of its suits and on their lengths, so one set of cards
/// represents all sets of its suit that agree in these.
fn count_hands_of(kind: Kind, suits: u32) -> BTreeMap<HandClass, u64> {
    let strain = kind.strain();
    let mut hands = vec![(CardSet::EMPTY, 1)];
    for suit in 0..suits {
        let mut alike = BTreeMap::new();
        for bits in 0..=0xff_u32 {
            let cards = CardSet::from_bits(bits << (8 * suit));
            alike.entry((HandClass::of(cards, strain), cards.len())).or_insert((cards, 0)).1 += 1;
        }
        let longer = |(hand, number): (CardSet, u64)| {
            let room = 8 - hand.len();
            let fitting = alike.values().filter(move |(cards, _)| cards.len() <= room);
            fitting.map(move |(cards, many)| (hand | *cards, number * many))
        };
        hands = hands.into_iter().flat_map(longer).collect();
    }
    let mut counts = BTreeMap::new();
    for (hand, number) in hands.into_iter().filter(|(hand, _)| hand.len() == 8) {
        *counts.entry(HandClass::of(hand, strain)).or_insert(0) += number;
    }
    counts
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn class(hand: &str, strain: &str) -> String {
        HandClass::of(hand.parse().unwrap(), strain.parse().unwrap()).to_string()
    }

    #[test]
    fn classes_are_named_as_people_do() {
        assert_eq!(class("JS 9S AS TS AD KD 7C 8C", "S"), "J9A+1, 1 ace 1 void");
        assert_eq!(class("JS 9S AS TS AD KD 7C 8C", "H"), "0 low, 2 aces 0 voids");
        assert_eq!(class("7S 8S AH TH AD KD AC 8C", "S"), "2 low, 3 aces 0 voids");
        assert_eq!(class("JS 9S AS TS KS QS 8S 7S", "S"), "J9A+5, 0 aces 3 voids");
        assert_eq!(class("AS TS AH TD KD QD 9D 8D", "SA"), "2 aces 1 ten, longest 5");
        assert_eq!(class("JS 9S JH 9D KD QD 7D 8D", "TA"), "2 jacks 1 nine, longest 5");
    }

    /// Returns the hands of eight cards from this many suits.
    pub(crate) fn hands(suits: u32) -> impl Iterator<Item = CardSet> {
        let next = |hand: &u64| {
            // The next number with the same bit count (Gosper, HAKMEM item 175).
            let low = hand & hand.wrapping_neg();
            let high = hand + low;
            Some(high | (((hand ^ high) >> 2) / low))
        };
        let all = core::iter::successors(Some(0xff), next).take_while(move |hand| *hand < 1 << (8 * suits));
        all.map(|hand| CardSet::from_bits(u32::try_from(hand).unwrap()))
    }

    /// Counts the hands from this many suits one by one.
    fn count_plainly(kind: Kind, suits: u32) -> BTreeMap<HandClass, u64> {
        let mut counts = BTreeMap::new();
        hands(suits).for_each(|hand| *counts.entry(HandClass::of(hand, kind.strain())).or_insert(0) += 1);
        counts
    }

    #[test]
    fn every_hand_is_in_one_class() {
        for kind in Kind::ALL {
            let classes = count_hands(kind);
            assert_eq!(classes.values().sum::<u64>(), HANDS, "{kind:?}");
            assert!(classes.keys().all(|class| class.kind() == kind));
            assert!((30..=500).contains(&classes.len()), "{kind:?}: {}", classes.len());
            // The hands of three suits are a fourteenth of all.
            assert_eq!(count_hands_of(kind, 3), count_plainly(kind, 3), "{kind:?}");
        }
        // All eight trumps: one hand.
        let all = HandClass::of(CardSet::from_bits(0xff), Kind::Suit.strain());
        assert_eq!(count_hands(Kind::Suit)[&all], 1);
    }
}
