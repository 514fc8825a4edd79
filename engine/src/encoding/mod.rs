//! Actions and observations as numbers, for programs that learn.
//!
//! An [`ActionSpace`] numbers the calls and cards of a rule set; an [`Encoder`] writes what a seat knows (its
//! [`View`](crate::View)) as bits. Both have a version, and their layout is part of what a trained net depends on: it is
//! described in `docs/encoding.md`, and changes only together with the version.

mod action;
mod encoder;
mod features;
mod form;
mod memory;
mod space;
mod suits;

pub use action::{Action, IllegalAction, ParseActionError};
pub use encoder::{Encoder, Suits};
pub use features::{FEATURES, Feature};
pub use form::{ObservationForm, ParseObservationFormError};
pub use memory::Memory;
pub use space::ActionSpace;
pub use suits::SuitOrder;

/// Writes each bit of `words`, the lowest first, as a byte of 0 or 1.
///
/// # Panics
///
/// Panics when `bytes` has not 32 places for each word.
#[inline]
pub fn bits_to_bytes(words: &[u32], bytes: &mut [u8]) {
    assert_eq!(bytes.len(), 32 * words.len(), "32 bytes for each word");
    for (word, bytes) in words.iter().zip(bytes.as_chunks_mut::<32>().0) {
        *bytes = spread(*word);
    }
}

/// The bits of a word as bytes of 0 or 1, the lowest first.
///
/// Each byte is repeated eight times and one bit of it is kept in each place: a handful of vector instructions where there are
/// any, about twice as fast as a table of eight places for each byte (`cargo bench -p coinche-benches --bench encoding`).
#[inline]
fn spread(word: u32) -> [u8; 32] {
    const BITS: [u8; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
    let mut bytes = [0; 32];
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = word.to_le_bytes()[place / 8];
    }
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from(*byte & BITS[place % 8] != 0);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_the_bits() {
        let mut word = 0x9e37_79b9u32;
        for _ in 0..1_000 {
            word = word.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
            let mut bytes = [9; 64];
            bits_to_bytes(&[word, !word], &mut bytes);
            for (place, byte) in bytes.iter().enumerate() {
                let source = if place < 32 { word } else { !word };
                assert_eq!(u32::from(*byte), source >> (place % 32) & 1);
            }
        }
    }
}
