//! The bit tricks that the processor may have an instruction for, and code compiled for these instructions.
//!
//! A build for the machine at hand has them everywhere. One for any x86-64 has not, so the hottest code is compiled
//! twice there, for [`Plain`] and for [`Fast`], and the program chooses when it runs: a playout then takes half the time,
//! the solver two thirds. That, and 1.58 times the speed of a playout by `pdep`, is why `unsafe` is allowed here.
#![expect(
    clippy::inline_always,
    reason = "what is not inlined into `run_fast` is not compiled for its instructions"
)]

/// What code is compiled for.
pub(crate) trait Form: Copy {
    /// Returns the set bit number `n` (from 0, low to high) of `word`, or 0 when there are fewer.
    ///
    /// Uniform choice from a set of legal cards is this function, half the cost of a random playout.
    fn nth_bit(self, word: u32, n: u32) -> u32;

    /// Gathers the bits of two words at the places of `mask` at the low end.
    ///
    /// The key of the solver's table is this, at every start of a trick.
    fn gather_bits(self, words: [u32; 2], mask: u32) -> [u32; 2];

    /// Does work in code compiled for this form.
    fn run<W: Work>(self, work: W, a: W::A, b: W::B, c: W::C) -> W::Output;
}

/// A function that is compiled for each form, together with all that is inlined into it.
///
/// Its arguments are apart, and not in one tuple, since the solver is faster by 3 % when they are in registers.
pub(crate) trait Work {
    type A;
    type B;
    type C;
    type Output;

    /// Calls it; to be `#[inline(always)]`.
    fn run(self, form: impl Form, a: Self::A, b: Self::B, c: Self::C) -> Self::Output;
}

/// What every processor of the build has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain;

impl Form for Plain {
    #[inline(always)]
    fn nth_bit(self, word: u32, mut n: u32) -> u32 {
        // The bits are counted by twos, fours and so on; then the half in which the bit lies is found, and its half.
        let twos = word - (word >> 1 & 0x5555_5555);
        let fours = (twos & 0x3333_3333) + (twos >> 2 & 0x3333_3333);
        let eights = byte_counts(word);
        let sixteens = eights + (eights >> 8);
        let mut at = 0;
        for (counts, half) in [(sixteens, 16), (eights, 8), (fours, 4), (twos, 2), (word, 1)] {
            let below = counts >> at & (2 * half - 1);
            let above = n >= below;
            n -= if above { below } else { 0 };
            at += if above { half } else { 0 };
        }
        if n == 0 { word & 1 << at } else { 0 }
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "two words are taken apart")]
    fn gather_bits(self, [first, second]: [u32; 2], mut mask: u32) -> [u32; 2] {
        // Both words at once: in each byte the bits move down by one, by two and by four places (Hacker's Delight, 7-4)...
        let both = |word: u32| u64::from(word) | u64::from(word) << 32;
        let [a, b, c, _] = byte_counts(mask).to_le_bytes();
        let mut words = (u64::from(first) | u64::from(second) << 32) & both(mask);
        let mut empty = !mask << 1 & 0xfefe_fefe;
        for step in 0..3 {
            // The places with an odd number of empty ones below.
            let odd = empty ^ (empty << 1 & 0xfefe_fefe);
            let odd = odd ^ (odd << 2 & 0xfcfc_fcfc);
            let odd = odd ^ (odd << 4 & 0xf0f0_f0f0);
            let moved = odd & mask;
            mask = mask ^ moved | moved >> (1 << step);
            let bits = words & both(moved);
            words = words ^ bits | bits >> (1 << step);
            empty &= !odd;
        }
        // ... and then the bytes.
        let (b, c) = (a + b, a + b + c);
        [words as u32, (words >> 32) as u32].map(|word| {
            let byte = |n: u32| word >> (8 * n) & 0xff;
            byte(0) | byte(1) << a | byte(2) << b | byte(3) << c
        })
    }

    #[inline]
    fn run<W: Work>(self, work: W, a: W::A, b: W::B, c: W::C) -> W::Output {
        work.run(self, a, b, c)
    }
}

/// The instructions that x86-64 processors have since 2013 (AMD: 2015); a value is there only where the processor has them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fast(#[cfg(not(target_arch = "x86_64"))] core::convert::Infallible);

#[cfg(not(target_arch = "x86_64"))]
impl Fast {
    /// The build has them.
    pub(crate) const IN_BUILD: Option<Self> = None;

    /// Asks the processor.
    #[inline(always)]
    pub(crate) fn detect() -> Option<Self> {
        None
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Form for Fast {
    fn nth_bit(self, _: u32, _: u32) -> u32 {
        match self.0 {}
    }

    fn gather_bits(self, _: [u32; 2], _: u32) -> [u32; 2] {
        match self.0 {}
    }

    fn run<W: Work>(self, _: W, _: W::A, _: W::B, _: W::C) -> W::Output {
        match self.0 {}
    }
}

#[cfg(target_arch = "x86_64")]
impl Fast {
    /// The build has them.
    pub(crate) const IN_BUILD: Option<Self> = if cfg!(all(
        target_feature = "avx2",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "lzcnt",
        target_feature = "popcnt"
    )) {
        Some(Self())
    } else {
        None
    };

    /// Asks the processor, unless the build has them.
    #[inline(always)]
    pub(crate) fn detect() -> Option<Self> {
        static FOUND: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| {
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
        });
        if Self::IN_BUILD.is_some() { Self::IN_BUILD } else { FOUND.then_some(Self()) }
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "twice the speed of the portable form, see above")]
impl Form for Fast {
    #[inline(always)]
    fn nth_bit(self, word: u32, n: u32) -> u32 {
        // SAFETY: the processor has BMI2, or there were no `self`.
        unsafe { core::arch::x86_64::_pdep_u32(1u32.wrapping_shl(n), word) }
    }

    #[inline(always)]
    fn gather_bits(self, words: [u32; 2], mask: u32) -> [u32; 2] {
        // SAFETY: as above.
        words.map(|word| unsafe { core::arch::x86_64::_pext_u32(word, mask) })
    }

    #[inline(always)]
    fn run<W: Work>(self, work: W, a: W::A, b: W::B, c: W::C) -> W::Output {
        // SAFETY: as above.
        unsafe { run_fast(self, work, a, b, c) }
    }
}

/// Work in a function of its own, for the instructions of [`Fast`].
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_fast<W: Work>(form: Fast, work: W, a: W::A, b: W::B, c: W::C) -> W::Output {
    work.run(form, a, b, c)
}

/// Does work in the best form there is; for playouts.
#[cfg(feature = "rand")]
#[inline(always)]
pub(crate) fn run<W: Work>(work: W, a: W::A, b: W::B, c: W::C) -> W::Output {
    match Fast::detect() {
        Some(form) => form.run(work, a, b, c),
        None => Plain.run(work, a, b, c),
    }
}

/// [`Form::nth_bit`] of the build.
#[inline]
pub(crate) fn nth_bit(word: u32, n: u32) -> u32 {
    match Fast::IN_BUILD {
        Some(form) => form.nth_bit(word, n),
        None => Plain.nth_bit(word, n),
    }
}

/// The byte in which the one bit of a word lies, as a mask.
#[inline(always)]
pub(crate) const fn byte_of(bit: u32) -> u32 {
    let high = (bit | ((bit & 0x7f7f_7f7f) + 0x7f7f_7f7f)) & 0x8080_8080;
    let low = high >> 7;
    (low << 8).wrapping_sub(low)
}

/// The number of set bits of each byte.
#[inline]
pub(crate) const fn byte_counts(word: u32) -> u32 {
    let twos = word - (word >> 1 & 0x5555_5555);
    let fours = (twos & 0x3333_3333) + (twos >> 2 & 0x3333_3333);
    (fours + (fours >> 4)) & 0x0f0f_0f0f
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bit at a time.
    fn nth_bit_slowly(mut word: u32, n: u32) -> u32 {
        for _ in 0..n {
            word &= word.wrapping_sub(1);
        }
        word & word.wrapping_neg()
    }

    /// A bit at a time.
    fn gather_slowly(word: u32, mut mask: u32) -> u32 {
        let (mut gathered, mut place) = (0, 0);
        while mask != 0 {
            gathered |= (word >> mask.trailing_zeros() & 1) << place;
            mask &= mask - 1;
            place += 1;
        }
        gathered
    }

    fn check(form: impl Form, word: u32, mask: u32) {
        for n in 0..32 {
            assert_eq!(form.nth_bit(word & mask, n), nth_bit_slowly(word & mask, n));
        }
        for mask in [mask, word, 0, u32::MAX] {
            let words = [word, mask.rotate_left(7)];
            assert_eq!(form.gather_bits(words, mask), words.map(|word| gather_slowly(word, mask)));
        }
    }

    #[test]
    fn all_forms_agree() {
        let mut word = 0x9e37_79b9u32;
        for turn in 0..10_000 {
            word = word.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            let mask = word.rotate_left(turn);
            check(Plain, word, mask);
            if let Some(form) = Fast::detect() {
                check(form, word, mask);
            }
            let counts = byte_counts(word).to_le_bytes().map(u32::from);
            assert_eq!(counts, word.to_le_bytes().map(u8::count_ones));
        }
    }
}
