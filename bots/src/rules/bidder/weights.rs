//! The fitted weights of the evaluation, and how a table by suit is made of them.
//!
//! All weights were fitted by least squares to what four `rules` players made of random deals in which the
//! seat with the best trumps declared (316,000 deals with a trump suit, 240,000 each in SA and in TA;
//! seed 77, rules of `bga`), first on the declarer's hand alone (it explains 26 % of the variance and
//! leaves a standard deviation of 25 points), then on what the partner's and an opponent's hand add to
//! that (with the partner's 19 points are left). Those of the turn-up game are from 581,000 deals of
//! `belote` (seed 78) in which the seat with the best six cards took: 29 points are left, and what the two
//! cards to come bring is in the constant. What was too rare in these deals is set by hand: lengths below
//! three trumps (below two in the turn-up game) and above six.

/// What the cards of one suit bring, by the byte of the suit in the order 7 8 9 J Q K T A, low bit first.
pub(super) type SuitTable = [i16; 256];

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
pub(super) struct Evaluation {
    /// With a trump suit: the constant, the trump suit, the others.
    pub(super) suit: (i16, SuitTable, SuitTable),
    /// SA and TA: the constant and every suit.
    pub(super) no_trump: (i16, SuitTable),
    pub(super) all_trump: (i16, SuitTable),
}

/// A hand that declares, with an average partner.
pub(super) static OWN: Evaluation = Evaluation {
    suit: (
        665,
        trump_table(&TrumpWeights {
            jack: 225,
            nine: 112,
            ace: 45,
            ten: 25,
            jack_and_nine: 6,
            belote: 175,
            length: [-900, -600, -250, 0, 129, 211, 266, 292, 300],
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

/// The partner's hand in a contract, above an average one.
pub(super) static SUPPORT: Evaluation = Evaluation {
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

/// An opponent's hand, above an average one: a good defence is negative.
pub(super) static DEFENCE: Evaluation = Evaluation {
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

/// Six cards of a taker in the turn-up game: the constant, the trump suit, the others.
pub(super) static OWN_OF_SIX: (i16, SuitTable, SuitTable) = (
    695,
    trump_table(&TrumpWeights {
        jack: 195,
        nine: 95,
        ace: 38,
        ten: 18,
        jack_and_nine: 14,
        belote: 166,
        length: [-250, -130, 0, 121, 225, 294, 324, 324, 324],
    }),
    side_table(&SideWeights {
        ace: 93,
        ace_ten: 71,
        ace_king: 12,
        guarded_ten: 60,
        bare_ten: 6,
        guarded_king: 8,
        void: 45,
        singleton: 17,
    }),
);
