//! What a hand is worth in a strain: to play it, to support the partner's play, to defend against it.
//!
//! The unit is a tenth of a card point (with belote) of the declaring side. All weights were fitted by
//! least squares to what four `rules` players made of random deals in which the seat with the best
//! trumps declared (316,000 deals with a trump suit, 240,000 each in SA and in TA; seed 77, rules of
//! `bga`), first on the declarer's hand alone (it explains 26 % of the variance and leaves a standard
//! deviation of 25 points), then on what the partner's and an opponent's hand add to that (with the
//! partner's 19 points are left). They are sums of what the single suits bring, so that a hand is evaluated by four
//! look-ups, and renaming the suits changes nothing.

use coinche_engine::{CardSet, Rank, Strain, Suit};

/// What the cards of one suit bring, by the byte of the suit (bit 0 the seven … bit 7 the ace).
type SuitTable = [i16; 256];

const SEVEN_TO_ACE: u32 = 8;
const NINE: usize = 1 << 2;
const JACK: usize = 1 << 3;
const QUEEN: usize = 1 << 4;
const KING: usize = 1 << 5;
const TEN: usize = 1 << 6;
const ACE: usize = 1 << 7;

/// Weights of the cards of the trump suit.
struct TrumpWeights {
    jack: i16,
    nine: i16,
    ace: i16,
    ten: i16,
    jack_and_nine: i16,
    /// King and queen: twenty points of their own.
    belote: i16,
    /// By number of trumps, `0..=8`.
    length: [i16; 9],
}

/// Weights of the cards of a plain suit.
struct SideWeights {
    ace: i16,
    ace_ten: i16,
    ace_king: i16,
    guarded_ten: i16,
    bare_ten: i16,
    guarded_king: i16,
    /// No card of the suit, or one: the next rounds can be ruffed.
    void: i16,
    singleton: i16,
}

/// Weights of the cards of any suit in SA and TA; best, second and third are A T K or J 9 A.
struct EvenWeights {
    best: i16,
    best_two: i16,
    best_three: i16,
    guarded_second: i16,
    bare_second: i16,
    second_and_third: i16,
    guarded_third: i16,
    /// Each card beyond the best two.
    length: i16,
}

/// Tests if a byte has all cards of a mask.
const fn has(byte: usize, cards: usize) -> bool {
    byte & cards == cards
}

/// Adds a weight when something holds.
const fn when(holds: bool, weight: i16) -> i16 {
    if holds { weight } else { 0 }
}

const fn trump_table(weights: &TrumpWeights) -> SuitTable {
    let mut table = [0; 256];
    let mut byte = 0usize;
    while byte < 256 {
        table[byte] = weights.length[byte.count_ones() as usize]
            + when(has(byte, JACK), weights.jack)
            + when(has(byte, NINE), weights.nine)
            + when(has(byte, ACE), weights.ace)
            + when(has(byte, TEN), weights.ten)
            + when(has(byte, JACK | NINE), weights.jack_and_nine)
            + when(has(byte, KING | QUEEN), weights.belote);
        byte += 1;
    }
    table
}

const fn side_table(weights: &SideWeights) -> SuitTable {
    let mut table = [0; 256];
    let mut byte = 0usize;
    while byte < 256 {
        let (length, ace, ten) = (byte.count_ones(), has(byte, ACE), has(byte, TEN));
        table[byte] = when(ace, weights.ace)
            + when(ace && ten, weights.ace_ten)
            + when(ace && !ten && has(byte, KING), weights.ace_king)
            + when(!ace && ten && length > 1, weights.guarded_ten)
            + when(!ace && ten && length == 1, weights.bare_ten)
            + when(!ace && !ten && has(byte, KING) && length > 1, weights.guarded_king)
            + when(length == 0, weights.void)
            + when(length == 1, weights.singleton);
        byte += 1;
    }
    table
}

const fn even_table(weights: &EvenWeights, best: usize, second: usize, third: usize) -> SuitTable {
    let mut table = [0; 256];
    let mut byte = 0usize;
    while byte < 256 {
        let (length, first, next) = (byte.count_ones(), has(byte, best), has(byte, second));
        let mut value = when(first, weights.best)
            + when(first && next, weights.best_two)
            + when(first && next && has(byte, third), weights.best_three)
            + when(!first && next && length > 1, weights.guarded_second)
            + when(!first && next && length == 1, weights.bare_second)
            + when(!first && next && has(byte, third), weights.second_and_third)
            + when(!first && !next && has(byte, third) && length > 1, weights.guarded_third);
        if first && next {
            // At most six cards beyond the best two.
            let mut rest = length - 2;
            while rest > 0 {
                value += weights.length;
                rest -= 1;
            }
        }
        table[byte] = value;
        byte += 1;
    }
    table
}

/// A linear evaluation: a constant, and what the suits add.
struct Evaluation {
    /// With a trump suit: the constant, the trump suit, the others.
    suit: (i16, SuitTable, SuitTable),
    /// SA and TA: the constant and every suit.
    no_trump: (i16, SuitTable),
    all_trump: (i16, SuitTable),
}

impl Evaluation {
    /// The values of a hand in the six strains, in the order of [`Strain::ALL`].
    fn values(&self, hand: CardSet) -> [i32; 6] {
        let bytes = hand.bits().to_le_bytes().map(usize::from);
        let every = |table: &SuitTable| bytes.iter().map(|byte| i32::from(table[*byte])).sum::<i32>();
        let (constant, trumps, sides) = &self.suit;
        let plain = i32::from(*constant) + every(sides);
        let [clubs, diamonds, hearts, spades] =
            bytes.map(|byte| plain + i32::from(trumps[byte]) - i32::from(sides[byte]));
        let no_trump = i32::from(self.no_trump.0) + every(&self.no_trump.1);
        let all_trump = i32::from(self.all_trump.0) + every(&self.all_trump.1);
        [clubs, diamonds, hearts, spades, no_trump, all_trump]
    }

    /// The value of a hand in one strain.
    fn value(&self, hand: CardSet, strain: Strain) -> i32 {
        let every = |table: &SuitTable| {
            hand.bits().to_le_bytes().iter().map(|byte| i32::from(table[usize::from(*byte)])).sum::<i32>()
        };
        match strain.trump() {
            Some(trump) => {
                let (constant, trumps, sides) = &self.suit;
                let byte = suit_byte(hand, trump);
                i32::from(*constant) + every(sides) + i32::from(trumps[byte]) - i32::from(sides[byte])
            }
            None if strain == Strain::NoTrump => i32::from(self.no_trump.0) + every(&self.no_trump.1),
            None => i32::from(self.all_trump.0) + every(&self.all_trump.1),
        }
    }
}

/// The cards of one suit as a byte.
const fn suit_byte(hand: CardSet, suit: Suit) -> usize {
    (hand.bits() >> (SEVEN_TO_ACE * suit as u32) & 0xff) as usize
}

/// The points, in tenths, that a side makes when this hand declares, with an average partner; in each
/// strain, in the order of [`Strain::ALL`].
pub(super) fn own(hand: CardSet) -> [i32; 6] {
    static OWN: Evaluation = Evaluation {
        suit: (
            665,
            trump_table(&TrumpWeights {
                jack: 225,
                nine: 112,
                ace: 45,
                ten: 25,
                jack_and_nine: 6,
                belote: 175,
                length: [-300, -200, -100, 0, 129, 211, 266, 292, 300],
            }),
            side_table(&SideWeights {
                ace: 104,
                ace_ten: 76,
                ace_king: 16,
                guarded_ten: 68,
                bare_ten: -34,
                guarded_king: 10,
                void: 88,
                singleton: 39,
            }),
        ),
        no_trump: (
            494,
            even_table(
                &EvenWeights {
                    best: 182,
                    best_two: 84,
                    best_three: 21,
                    guarded_second: 80,
                    bare_second: 3,
                    second_and_third: 26,
                    guarded_third: 6,
                    length: 36,
                },
                ACE,
                TEN,
                KING,
            ),
        ),
        all_trump: (
            574,
            even_table(
                &EvenWeights {
                    best: 148,
                    best_two: 91,
                    best_three: 25,
                    guarded_second: 66,
                    bare_second: -16,
                    second_and_third: 11,
                    guarded_third: 9,
                    length: 49,
                },
                JACK,
                NINE,
                ACE,
            ),
        ),
    };
    OWN.values(hand)
}

/// The points, in tenths, that a side makes in the turn-up game when the player of these six cards, the
/// turned one among them, takes.
///
/// Fitted like the rest to 581,000 deals of `belote` (seed 78) in which the seat with the best trumps took;
/// what the two cards to come bring is in the constant. A standard deviation of 29 points is left.
pub(super) fn own_of_six(six: CardSet, trump: Suit) -> i32 {
    static TRUMPS: SuitTable = trump_table(&TrumpWeights {
        jack: 195,
        nine: 95,
        ace: 38,
        ten: 18,
        jack_and_nine: 14,
        belote: 166,
        length: [-250, -130, 0, 121, 225, 294, 324, 324, 324],
    });
    static SIDES: SuitTable = side_table(&SideWeights {
        ace: 93,
        ace_ten: 71,
        ace_king: 12,
        guarded_ten: 60,
        bare_ten: 6,
        guarded_king: 8,
        void: 45,
        singleton: 17,
    });
    const CONSTANT: i32 = 695;
    Suit::ALL.into_iter().fold(CONSTANT, |value, suit| {
        let table = if suit == trump { &TRUMPS } else { &SIDES };
        value + i32::from(table[suit_byte(six, suit)])
    })
}

/// How much a hand would help a bid of the partner's in a suit not yet known, in tenths of points: its
/// aces and tens.
pub(super) fn help(hand: CardSet) -> i32 {
    let (aces, tens) = (hand & CardSet::rank(Rank::Ace), hand & CardSet::rank(Rank::Ten));
    let guarded = tens.into_iter().filter(|ten| hand.of(ten.suit()).len() > 1).count();
    (130 * aces.len() + 60 * guarded).try_into().unwrap_or(0)
}

/// The points, in tenths, that this hand adds to a contract of the partner's, above an average hand.
pub(super) fn support(hand: CardSet, strain: Strain) -> i32 {
    static SUPPORT: Evaluation = Evaluation {
        suit: (
            -385,
            trump_table(&TrumpWeights {
                jack: 263,
                nine: 110,
                ace: 43,
                ten: 25,
                jack_and_nine: 22,
                belote: 200,
                length: [0, 81, 174, 272, 407, 450, 450, 450, 450],
            }),
            side_table(&SideWeights {
                ace: 147,
                ace_ten: 61,
                ace_king: 12,
                guarded_ten: 61,
                bare_ten: -1,
                guarded_king: 10,
                void: 50,
                singleton: 11,
            }),
        ),
        no_trump: (
            -217,
            even_table(
                &EvenWeights {
                    best: 215,
                    best_two: 110,
                    best_three: 28,
                    guarded_second: 95,
                    bare_second: 61,
                    second_and_third: 16,
                    guarded_third: 15,
                    length: 0,
                },
                ACE,
                TEN,
                KING,
            ),
        ),
        all_trump: (
            -224,
            even_table(
                &EvenWeights {
                    best: 232,
                    best_two: 129,
                    best_three: 38,
                    guarded_second: 96,
                    bare_second: 44,
                    second_and_third: 12,
                    guarded_third: 16,
                    length: 0,
                },
                JACK,
                NINE,
                ACE,
            ),
        ),
    };
    SUPPORT.value(hand, strain)
}

/// The points, in tenths, that this hand adds to an opponents' contract, above an average hand: a good
/// defence is negative.
pub(super) fn defence(hand: CardSet, strain: Strain) -> i32 {
    static DEFENCE: Evaluation = Evaluation {
        suit: (
            118,
            trump_table(&TrumpWeights {
                jack: -146,
                nine: -63,
                ace: -27,
                ten: -15,
                jack_and_nine: -36,
                belote: -20,
                length: [0, 75, 44, -104, -268, -360, -360, -360, -360],
            }),
            side_table(&SideWeights {
                ace: -82,
                ace_ten: -23,
                ace_king: -1,
                guarded_ten: -38,
                bare_ten: 14,
                guarded_king: -7,
                void: -39,
                singleton: -10,
            }),
        ),
        no_trump: (
            112,
            even_table(
                &EvenWeights {
                    best: -110,
                    best_two: -22,
                    best_three: -23,
                    guarded_second: -58,
                    bare_second: 25,
                    second_and_third: -15,
                    guarded_third: -8,
                    length: -20,
                },
                ACE,
                TEN,
                KING,
            ),
        ),
        all_trump: (
            116,
            even_table(
                &EvenWeights {
                    best: -113,
                    best_two: -43,
                    best_three: -25,
                    guarded_second: -56,
                    bare_second: 34,
                    second_and_third: -11,
                    guarded_third: -9,
                    length: -21,
                },
                JACK,
                NINE,
                ACE,
            ),
        ),
    };
    DEFENCE.value(hand, strain)
}

/// How many tricks, in tenths, a hand must expect to lose when it draws trumps and plays from the top,
/// with nothing of the partner's.
///
/// A card loses to the better cards that are still out when its turn comes: two of the suit are
/// gathered in each earlier round.
pub(super) fn losers(hand: CardSet, strain: Strain) -> i32 {
    static PLAIN: [u8; 256] = losers_table([7, 6, 5, 4, 3, 2, 1, 0]);
    static TRUMP: [u8; 256] = losers_table([3, 2, 7, 6, 5, 4, 1, 0]);
    Suit::ALL
        .into_iter()
        .map(|suit| {
            let table = if strain.orders_as_trump(suit) { &TRUMP } else { &PLAIN };
            i32::from(table[suit_byte(hand, suit)])
        })
        .sum()
}

/// The losers of a suit in tenths, by its byte; `order` are the bits from the best card down.
const fn losers_table(order: [usize; 8]) -> [u8; 256] {
    /// Cards of the suit that an earlier round has gathered from the other three hands.
    const GATHERED: u32 = 2;
    let mut table = [0; 256];
    let mut byte = 0usize;
    while byte < 256 {
        let missing = 8 - byte.count_ones();
        let (mut at, mut mine, mut better) = (0, 0, 0);
        while at < 8 {
            if byte >> order[at] & 1 == 0 {
                better += 1;
            } else {
                let left = missing.saturating_sub(GATHERED * mine);
                if better > 0 && left > 0 {
                    table[byte] += (10 * left / missing).to_le_bytes()[0];
                }
                mine += 1;
            }
            at += 1;
        }
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hand(text: &str) -> CardSet {
        text.parse().unwrap()
    }

    #[test]
    fn better_hands_are_worth_more() {
        let strong = hand("JS 9S AS KS AH TH AD 7C");
        let weak = hand("TS KS 8S 7H QH 9D 8C 7C");
        assert!(own(strong)[Strain::Spades.index()] > 1300, "{}", own(strong)[Strain::Spades.index()]);
        assert!(own(weak)[Strain::Spades.index()] < 800);
        assert!(support(strong, Strain::Hearts) > support(weak, Strain::Hearts));
        assert!(defence(strong, Strain::Spades) < defence(weak, Strain::Spades));
    }

    #[test]
    fn a_solid_hand_has_no_losers() {
        assert_eq!(losers(hand("JS 9S AS TS KS AH TH AD"), Strain::Spades), 0);
        assert!(losers(hand("JS 9S AS TS KS AH TH 7D"), Strain::Spades) >= 10);
        assert_eq!(losers(hand("AC AD AH AS TC TD TH TS"), Strain::NoTrump), 0);
        assert_eq!(losers(hand("JC JD JH JS 9C 9D 9H 9S"), Strain::AllTrump), 0);
    }

    #[test]
    fn renaming_suits_changes_nothing() {
        let mut word = 1u32;
        for _ in 0..500 {
            word = word.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            let (here, there) = (CardSet::from_bits(word), CardSet::from_bits(word.rotate_left(8)));
            for (strain, renamed) in [(Strain::Clubs, Strain::Diamonds), (Strain::Spades, Strain::Clubs)] {
                assert_eq!(own(here)[strain.index()], own(there)[renamed.index()]);
                assert_eq!(support(here, strain), support(there, renamed));
                assert_eq!(defence(here, strain), defence(there, renamed));
            }
        }
    }
}
