//! What is written of a decision.

use coinche_engine::encoding::Encoder;
use coinche_selfplay::base::columns::{Cells, Form, Kind, Pages, Schema, Value, Walk, row};

/// The value of a card that is not legal, or has no exact value.
pub(super) const NONE: i16 = i16::MIN;

row! {
    /// One decision; suits are renamed throughout, or nowhere.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(super) struct Decision {
        pub(super) deal: u64 => Delta,
        pub(super) seat: u8,
        /// How many decisions of the deal came before it.
        pub(super) number: u16 as "decision",
        pub(super) dealer: u8,
        /// What the seat knew, the lowest bit first.
        pub(super) obs: [u32; Encoder::WORDS] => Plain,
        /// The legal actions.
        pub(super) mask: Mask => Plain,
        /// The exact score after each card, or [`NONE`].
        pub(super) values: [i16; 32] => Plain,
        /// The action that was taken.
        pub(super) played: u16,
        /// Whether it was chance that took it.
        pub(super) stray: bool,
        /// The score of the deal as it ended, the own side's less the other's.
        pub(super) outcome: i32,
    }
}

/// Actions, a byte of 0 or 1 each; written as bits, the first as the lowest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mask(pub(super) Vec<u8>);

impl Value<'_> for Mask {
    /// [`schema`] says how many bytes.
    const KIND: Kind = Kind::Bytes(0);
    const EXPECTED: &'static str = "bits";

    fn push(&self, cells: &mut Cells) {
        let packed = |bits: &[u8]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | bit);
        cells.push_bytes(|out| out.extend(self.0.chunks(8).map(packed)));
    }

    fn get(walk: &mut Walk<'_>) -> Option<Self> {
        let bytes = walk.bytes()?;
        Some(Self(bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1)).collect()))
    }
}

/// What files of decisions have in common. Of an observation most bits are 0, or those of the row before of the seat: zstd
/// leaves a seventh.
const FORM: Form =
    Form { name: "decisions", what: "decisions", pages: Pages::Zstd, sought: None, zero_lengths: true };

/// Returns the columns under rules with so many actions.
pub(super) fn schema(actions: usize) -> Schema {
    let mut schema = Schema::of::<Decision>(FORM);
    for column in schema.columns.iter_mut().filter(|column| column.kind == Kind::Bytes(0)) {
        column.kind = Kind::Bytes(actions.div_ceil(8));
    }
    schema
}
