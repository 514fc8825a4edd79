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

/// Tests if a byte has all cards of a mask.
const fn has(byte: usize, cards: usize) -> bool {
    byte & cards == cards
}

/// Adds a weight when something holds.
const fn when(holds: bool, weight: i16) -> i16 {
    if holds { weight } else { 0 }
}

/// Makes the table of the trump suit; a belote, king and queen, has twenty points of its own.
/// `length` is by number of trumps, `0..=8`.
const fn trump_table([jack, nine, ace, ten, jack_and_nine, belote]: [i16; 6], length: [i16; 9]) -> SuitTable {
    let mut table = [0; 256];
    let mut byte = 0usize;
    while byte < 256 {
        table[byte] = length[byte.count_ones() as usize]
            + when(has(byte, JACK), jack)
            + when(has(byte, NINE), nine)
            + when(has(byte, ACE), ace)
            + when(has(byte, TEN), ten)
            + when(has(byte, JACK | NINE), jack_and_nine)
            + when(has(byte, KING | QUEEN), belote);
        byte += 1;
    }
    table
}

/// Makes the table of a plain suit; with no card of it (a void), or one, the next rounds can be ruffed.
const fn side_table(
    [ace, ace_ten, ace_king, guarded_ten, bare_ten, guarded_king, void, singleton]: [i16; 8],
) -> SuitTable {
    let mut table = [0; 256];
    let mut byte = 0usize;
    while byte < 256 {
        let (length, has_ace, has_ten) = (byte.count_ones(), has(byte, ACE), has(byte, TEN));
        table[byte] = when(has_ace, ace)
            + when(has_ace && has_ten, ace_ten)
            + when(has_ace && !has_ten && has(byte, KING), ace_king)
            + when(!has_ace && has_ten && length > 1, guarded_ten)
            + when(!has_ace && has_ten && length == 1, bare_ten)
            + when(!has_ace && !has_ten && has(byte, KING) && length > 1, guarded_king)
            + when(length == 0, void)
            + when(length == 1, singleton);
        byte += 1;
    }
    table
}

/// The ranks that count most in SA and in TA.
const NO_TRUMP: [usize; 3] = [ACE, TEN, KING];
const ALL_TRUMP: [usize; 3] = [JACK, NINE, ACE];

/// Makes the table of any suit in SA or TA; `length` is for each card beyond the best two.
const fn even_table(
    [best, two, three, guarded_second, bare_second, second_and_third, guarded_third, length]: [i16; 8],
    ranks: [usize; 3],
) -> SuitTable {
    let mut table = [0; 256];
    let mut byte = 0usize;
    while byte < 256 {
        let [first, second, third] = [has(byte, ranks[0]), has(byte, ranks[1]), has(byte, ranks[2])];
        let cards = byte.count_ones();
        let mut value = when(first, best)
            + when(first && second, two)
            + when(first && second && third, three)
            + when(!first && second && cards > 1, guarded_second)
            + when(!first && second && cards == 1, bare_second)
            + when(!first && second && third, second_and_third)
            + when(!first && !second && third && cards > 1, guarded_third);
        if first && second {
            // At most six cards beyond the best two.
            let mut rest = cards - 2;
            while rest > 0 {
                value += length;
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
        trump_table([225, 112, 45, 25, 6, 175], [-900, -600, -250, 0, 129, 211, 266, 292, 300]),
        side_table([104, 76, 16, 68, -34, 10, 88, 39]),
    ),
    no_trump: (494, even_table([182, 84, 21, 80, 3, 26, 6, 36], NO_TRUMP)),
    all_trump: (574, even_table([148, 91, 25, 66, -16, 11, 9, 49], ALL_TRUMP)),
};

/// The partner's hand in a contract, above an average one.
pub(super) static SUPPORT: Evaluation = Evaluation {
    suit: (
        -385,
        trump_table([263, 110, 43, 25, 22, 200], [0, 81, 174, 272, 407, 450, 450, 450, 450]),
        side_table([147, 61, 12, 61, -1, 10, 50, 11]),
    ),
    no_trump: (-217, even_table([215, 110, 28, 95, 61, 16, 15, 0], NO_TRUMP)),
    all_trump: (-224, even_table([232, 129, 38, 96, 44, 12, 16, 0], ALL_TRUMP)),
};

/// An opponent's hand, above an average one: a good defence is negative.
pub(super) static DEFENCE: Evaluation = Evaluation {
    suit: (
        118,
        trump_table([-146, -63, -27, -15, -36, -20], [0, 75, 44, -104, -268, -360, -360, -360, -360]),
        side_table([-82, -23, -1, -38, 14, -7, -39, -10]),
    ),
    no_trump: (112, even_table([-110, -22, -23, -58, 25, -15, -8, -20], NO_TRUMP)),
    all_trump: (116, even_table([-113, -43, -25, -56, 34, -11, -9, -21], ALL_TRUMP)),
};

/// Six cards of a taker in the turn-up game: the constant, the trump suit, the others.
pub(super) static OWN_OF_SIX: (i16, SuitTable, SuitTable) = (
    695,
    trump_table([195, 95, 38, 18, 14, 166], [-250, -130, 0, 121, 225, 294, 324, 324, 324]),
    side_table([93, 71, 12, 60, 6, 8, 45, 17]),
);
