//! A score for each of the 32 cards, and the best of a set.
//!
//! With AVX-512 a set of ranked cards *is* the mask of a vector of 32 scores, so that neither loops nor branches are needed.

/// The scores of the 32 cards in one situation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Row(pub(super) [i16; 32]);

#[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
pub(super) use wide::Lanes;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx512bw")))]
pub(super) use portable::Lanes;

#[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
#[allow(unsafe_code)]
mod wide {
    use super::Row;
    use core::arch::x86_64::*;

    /// One score for each card.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Lanes(__m512i);

    impl Lanes {
        #[inline]
        pub(in super::super) fn new() -> Self {
            unsafe { Self(_mm512_set1_epi16(i16::MIN)) }
        }

        #[inline]
        pub(in super::super) fn set(&mut self, cards: u32, row: &Row) {
            unsafe { self.0 = _mm512_mask_loadu_epi16(self.0, cards, row.0.as_ptr()) }
        }

        #[inline]
        pub(in super::super) fn add(&mut self, cards: u32, amount: i16) {
            unsafe { self.0 = _mm512_mask_add_epi16(self.0, cards, self.0, _mm512_set1_epi16(amount)) }
        }

        #[inline]
        pub(in super::super) fn best(&self, cards: u32) -> u32 {
            unsafe {
                let low = _mm512_set1_epi16(i16::MIN);
                let all = _mm512_mask_mov_epi16(low, cards, self.0);
                let half = _mm256_max_epi16(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64::<1>(all));
                let quarter = _mm_max_epi16(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
                // The highest signed is the lowest unsigned after turning the bits of all but the sign.
                let turned = _mm_xor_si128(quarter, _mm_set1_epi16(0x7fff));
                let top = _mm_xor_si128(_mm_minpos_epu16(turned), _mm_set1_epi16(0x7fff));
                let found = _mm512_mask_cmpeq_epi16_mask(cards, self.0, _mm512_broadcastw_epi16(top));
                found & found.wrapping_neg()
            }
        }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "avx512bw")))]
mod portable {
    use super::Row;

    /// One score for each card.
    #[derive(Clone, Copy)]
    pub(in super::super) struct Lanes([i16; 32]);

    impl Lanes {
        #[inline]
        pub(in super::super) const fn new() -> Self {
            Self([i16::MIN; 32])
        }

        #[inline]
        pub(in super::super) fn set(&mut self, cards: u32, row: &Row) {
            for (card, (lane, score)) in self.0.iter_mut().zip(row.0).enumerate() {
                *lane = if cards & 1 << card != 0 { score } else { *lane };
            }
        }

        #[inline]
        pub(in super::super) fn add(&mut self, cards: u32, amount: i16) {
            for (card, lane) in self.0.iter_mut().enumerate() {
                *lane = if cards & 1 << card != 0 { *lane + amount } else { *lane };
            }
        }

        #[inline]
        pub(in super::super) fn best(&self, mut cards: u32) -> u32 {
            let mut best = i32::MIN;
            while cards != 0 {
                let card = cards.trailing_zeros();
                cards &= cards - 1;
                best = best.max(i32::from(self.0[card as usize & 31]) << 5 | (31 - card as i32));
            }
            1 << (31 - (best & 31))
        }
    }
}
