//! What the table knows a position by.

#![expect(clippy::inline_always, reason = "to be compiled for the form of the search")]

use crate::bits::{Form, byte_counts};

/// Owner planes: bit set in the first for seats 1 and 3, in the second for seats 2 and 3.
#[inline]
pub(super) const fn planes(hands: &[u32; 4]) -> [u32; 2] {
    [hands[1] | hands[3], hands[2] | hands[3]]
}

/// The shape of a position: for each suit the sequence of the owners of the remaining cards.
pub(super) struct Shape<F> {
    form: F,
    pub(super) remaining: u32,
    pub(super) owners: [u32; 2],
    lengths: u32,
    pub(super) hash: u64,
    /// Ten bits: leader, living prizes, and some of the hash.
    pub(super) key: u16,
}

impl<F: Form> Shape<F> {
    #[inline(always)]
    pub(super) fn new(form: F, hands: [u32; 4], dealt: [u32; 2], leader: usize, alive: u8) -> Self {
        let remaining = hands[0] | hands[1] | hands[2] | hands[3];
        let owners = form.gather_bits(dealt, remaining);
        let lengths = byte_counts(remaining);
        let mixed = (u64::from(owners[0]) | u64::from(owners[1]) << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (u64::from(lengths) << 4 | u64::from(alive) << 2 | leader as u64)
                .wrapping_mul(0xd6e8_feb8_6659_fd93);
        let hash = (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb);
        let key = (hash & 0x3f0) as u16 | (u16::from(alive) << 2) | u16::from(leader.to_le_bytes()[0]);
        Self { form, remaining, owners, lengths, hash, key }
    }

    /// Tests if other remaining cards of the same deal have this shape.
    #[inline(always)]
    pub(super) fn is_shape_of(&self, remaining: u32, dealt: [u32; 2]) -> bool {
        byte_counts(remaining) == self.lengths && self.form.gather_bits(dealt, remaining) == self.owners
    }
}
