//! The points of ranked cards, and of suits as sequences.

use crate::rules::CardRules;
use crate::strain::Layout;
use crate::{CardSet, Strain};

/// The points of the cards of one strain, by ranked bit, and the points of every set of cards of a suit as
/// a sequence from the strongest card down.
#[derive(Debug, Clone)]
pub(super) struct Points {
    card: [u8; 32],
    /// By ranked byte of the word and by its value: the points of its cards, the strongest first.
    sequences: [[[u8; 8]; 256]; 2],
    /// The cards without points.
    pub(super) worthless: u32,
    /// A stronger card of a suit never has fewer points.
    pub(super) monotonic: bool,
    /// The rules that these are of.
    pub(super) rules: CardRules,
}

impl Points {
    pub(super) fn new(rules: &CardRules, strain: Strain) -> Self {
        let layout = Layout::new(strain);
        let mut card = [0; 32];
        for (index, points) in card.iter_mut().enumerate() {
            let of = rules.points_of(strain, layout.card_set(1 << index));
            *points = of.to_le_bytes()[0];
        }
        let worthless = (0..32)
            .filter(|index| card[index & 0x18..=*index].iter().all(|points| *points == 0))
            .fold(0, |cards, index| cards | 1 << index);
        let monotonic = card.chunks(8).all(<[u8]>::is_sorted);
        let mut sequences = [[[0; 8]; 256]; 2];
        // The lowest byte is a plain suit (or any), the top byte the trump suit.
        for (sequences, byte) in sequences.iter_mut().zip([0, 3]) {
            for (cards, sequence) in sequences.iter_mut().enumerate() {
                let ranks = (0..8).rev().filter(|rank| cards >> rank & 1 != 0);
                for (place, rank) in sequence.iter_mut().zip(ranks) {
                    *place = card[8 * byte + rank];
                }
            }
        }
        debug_assert_eq!(layout.rank_set(CardSet::FULL), u32::MAX);
        Self { card, sequences, worthless, monotonic, rules: *rules }
    }

    #[inline]
    pub(super) fn card(&self, bit: u32) -> i32 {
        self.of_card(bit).into()
    }

    #[inline]
    pub(super) const fn of_card(&self, bit: u32) -> u8 {
        self.card[bit.trailing_zeros() as usize & 31]
    }

    pub(super) fn of(&self, mut cards: u32) -> i32 {
        let mut sum = 0;
        while cards != 0 {
            sum += self.card(cards);
            cards &= cards - 1;
        }
        sum
    }

    /// For two sets of the same shape, the points by which aligned cards of the first are below, and above,
    /// those of the second.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "to be compiled for the form of the search")]
    pub(super) fn differences(&self, cards: u32, other: u32) -> (i32, i32) {
        let sequences = |cards: u32| -> [[u8; 8]; 4] {
            let [a, b, c, d] = cards.to_le_bytes();
            let [plain, top] = &self.sequences;
            [plain[usize::from(a)], plain[usize::from(b)], plain[usize::from(c)], top[usize::from(d)]]
        };
        let (own, other) = (sequences(cards), sequences(other));
        let (mut below, mut above) = (0i32, 0i32);
        for suit in 0..4 {
            for place in 0..8 {
                let (own, other) = (own[suit][place], other[suit][place]);
                below += i32::from(other.saturating_sub(own));
                above += i32::from(own.saturating_sub(other));
            }
        }
        (below, above)
    }
}
