//! What a hand is worth in a strain: to play it, to support the partner's play, to defend against it.
//!
//! The unit is a tenth of a card point (with belote) of the declaring side. A value is a sum of what the
//! single suits bring (the tables of [`weights`]), so that a hand is evaluated by a few look-ups, and
//! renaming the suits changes nothing.

use coinche_engine::{CardSet, Rank, Strain, Suit};

use super::weights::{self, Evaluation, SuitTable};

impl Evaluation {
    /// The values of a hand in the six strains, in the order of [`Strain::ALL`].
    fn values(&self, hand: CardSet) -> [i32; 6] {
        self.values_by(hand, |table, byte| table[byte].into())
    }

    /// The same, where a function says what a table makes of the cards of a suit.
    #[inline]
    fn values_by(&self, hand: CardSet, value: impl Fn(&SuitTable, usize) -> i32) -> [i32; 6] {
        let bytes = hand.bits().to_le_bytes().map(usize::from);
        let every = |table: &SuitTable| bytes.iter().map(|byte| value(table, *byte)).sum::<i32>();
        let (constant, trumps, sides) = &self.suit;
        let plain = i32::from(*constant) + every(sides);
        let [clubs, diamonds, hearts, spades] =
            bytes.map(|byte| plain + value(trumps, byte) - value(sides, byte));
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

/// The points, in tenths, that a side makes in each strain when this hand declares, of which not all cards are dealt: the mean over
/// those to come, each as if it were dealt by itself.
pub(super) fn first_cards(hand: CardSet) -> [i32; 6] {
    let [missing, unseen] = [8, 32].map(|all: usize| i64::try_from(all - hand.len().min(8)).unwrap_or(0));
    let mean = |table: &SuitTable, byte: usize| -> i32 {
        let free = !byte & 0xff;
        let (mut sum, mut all, mut drawn) = (0, 0, 0);
        loop {
            let (comes, stays) =
                (drawn_weight(drawn, missing), drawn_weight(free & !drawn, unseen - missing));
            sum += comes * stays * i64::from(table[byte | drawn]);
            all += comes * stays;
            drawn = drawn.wrapping_sub(free) & free;
            if drawn == 0 {
                return i32::try_from(sum / all).unwrap_or(0);
            }
        }
    };
    weights::OWN.values_by(hand, mean)
}

/// The weight of a set of cards, each with this one.
const fn drawn_weight(cards: usize, weight: i64) -> i64 {
    weight.pow(cards.count_ones())
}

/// The cards of one suit as a byte.
const fn suit_byte(hand: CardSet, suit: Suit) -> usize {
    (hand.bits() >> (8 * suit as u32) & 0xff) as usize
}

/// The points, in tenths, that a side makes when this hand declares, with an average partner; in each
/// strain, in the order of [`Strain::ALL`].
pub(super) fn own(hand: CardSet) -> [i32; 6] {
    weights::OWN.values(hand)
}

/// The points, in tenths, that a side makes in the turn-up game when the player of these six cards, the
/// turned one among them, takes.
pub(super) fn own_of_six(six: CardSet, trump: Suit) -> i32 {
    let (_, trumps, sides) = &weights::OWN_OF_SIX;
    Suit::ALL.into_iter().fold(i32::from(weights::OWN_OF_SIX.0), |value, suit| {
        let table = if suit == trump { trumps } else { sides };
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
    weights::SUPPORT.value(hand, strain)
}

/// The points, in tenths, that this hand adds to an opponents' contract, above an average hand: a good
/// defence is negative.
pub(super) fn defence(hand: CardSet, strain: Strain) -> i32 {
    weights::DEFENCE.value(hand, strain)
}

/// How many tricks, in tenths, a hand loses when it draws trumps and plays from the top, with nothing of
/// the partner's.
#[derive(Debug, Clone, Copy)]
pub(super) struct Losers {
    /// With the missing cards spread as they mostly are.
    pub(super) likely: i32,
    /// With all missing cards of each suit in one hand.
    pub(super) at_worst: i32,
}

/// Counts the losers of a hand.
pub(super) fn losers(hand: CardSet, strain: Strain) -> Losers {
    const PLAIN: [usize; 8] = [7, 6, 5, 4, 3, 2, 1, 0];
    const TRUMP: [usize; 8] = [3, 2, 7, 6, 5, 4, 1, 0];
    // Plain suits, then suits with the order of trumps.
    static LIKELY: [[u8; 256]; 2] = [losers_table(PLAIN, 2), losers_table(TRUMP, 2)];
    static AT_WORST: [[u8; 256]; 2] = [losers_table(PLAIN, 1), losers_table(TRUMP, 1)];
    let count = |tables: &[[u8; 256]; 2]| -> i32 {
        let of = |suit| tables[usize::from(strain.orders_as_trump(suit))][suit_byte(hand, suit)];
        Suit::ALL.into_iter().map(|suit| i32::from(of(suit))).sum()
    };
    Losers { likely: count(&LIKELY), at_worst: count(&AT_WORST) }
}

/// The losers of a suit in tenths, by its byte; `order` are the bits from the best card down.
///
/// A card loses to the better cards that are still out when its turn comes; each earlier round has
/// gathered `gathered` of them from the other hands.
const fn losers_table(order: [usize; 8], gathered: u32) -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0usize;
    while byte < 256 {
        let missing = 8 - byte.count_ones();
        let (mut at, mut mine, mut better) = (0, 0, 0);
        while at < 8 {
            if byte >> order[at] & 1 == 0 {
                better += 1;
            } else {
                let left = missing.saturating_sub(gathered * mine);
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
        let solid = losers(hand("JS 9S AS TS KS AH TH AD"), Strain::Spades);
        assert_eq!((solid.likely, solid.at_worst), (0, 0));
        // The queen may well fall, but need not.
        let likely = losers(hand("JS 9S AS TS KS 7S AH AD"), Strain::Spades);
        assert_eq!((likely.likely, likely.at_worst > 0), (0, false));
        assert!(losers(hand("JS 9S AS TS KS AH TH 7D"), Strain::Spades).likely >= 10);
        assert_eq!(losers(hand("AC AD AH AS TC TD TH TS"), Strain::NoTrump).at_worst, 0);
        assert_eq!(losers(hand("JC JD JH JS 9C 9D 9H 9S"), Strain::AllTrump).at_worst, 0);
        let queens = losers(hand("JC 9C AC KC JD JH JS AS"), Strain::AllTrump);
        assert!(queens.at_worst > 0);
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
