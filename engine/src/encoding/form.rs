use super::{Encoder, Memory, SuitOrder, bits_to_bytes};
use crate::view::View;

/// How observations are written into an array of bytes, one row each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObservationForm {
    /// Not at all: rows are empty.
    None,
    /// As words of 32 bits, little-endian, [`Encoder::BITS`]` / 8` bytes.
    Bits,
    /// As a byte of 0 or 1 for each bit, [`Encoder::BITS`] bytes.
    Bytes,
}

from_text! {
    ObservationForm, ParseObservationFormError, "'{0}', expected 'bytes' or 'bits'",
    |text| match text {
        "bits" => Some(Self::Bits),
        "bytes" => Some(Self::Bytes),
        _ => None,
    }
}

impl ObservationForm {
    /// Returns the bytes of one row.
    pub const fn row_len(self) -> usize {
        match self {
            Self::None => 0,
            Self::Bits => Encoder::BITS / 8,
            Self::Bytes => Encoder::BITS,
        }
    }

    /// Writes the observation of a view as [`Encoder::encode_with`] does, and returns the order of its suits.
    ///
    /// # Panics
    ///
    /// Panics when `row` has not [`row_len`](Self::row_len) bytes.
    #[inline]
    pub fn write(self, encoder: &Encoder, memory: &mut Memory, view: &View<'_>, row: &mut [u8]) -> SuitOrder {
        assert_eq!(row.len(), self.row_len(), "the bytes of one row");
        if self == Self::None {
            return encoder.order(view);
        }
        let mut words = [0; Encoder::WORDS];
        let order = encoder.encode_with(memory, view, &mut words);
        if self == Self::Bytes {
            bits_to_bytes(&words, row);
        } else {
            for (bytes, word) in row.as_chunks_mut::<4>().0.iter_mut().zip(words) {
                *bytes = word.to_le_bytes();
            }
        }
        order
    }
}
