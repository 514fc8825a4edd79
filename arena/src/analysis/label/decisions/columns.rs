//! What is written of a decision, as columns of bytes.

use coinche_engine::encoding::Encoder;

/// The value of a card that is not legal, or has no exact value.
pub(super) const NONE: i16 = i16::MIN;

/// One decision; suits are renamed throughout, or nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decision {
    pub(super) deal: u64,
    pub(super) seat: u8,
    /// How many decisions of the deal came before it.
    pub(super) number: u16,
    pub(super) dealer: u8,
    /// What the seat knew.
    pub(super) obs: [u32; Encoder::WORDS],
    /// The legal actions, a byte of 0 or 1 each.
    pub(super) mask: Vec<u8>,
    /// The exact score after each card, or [`NONE`].
    pub(super) values: [i16; 32],
    /// The action that was taken.
    pub(super) played: u16,
    /// Whether it was chance that took it.
    pub(super) stray: bool,
    /// The score of the deal as it ended, the own side's less the other's.
    pub(super) outcome: i32,
}

/// What is in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Uint8,
    Uint16,
    Uint64,
    Int32,
    /// 0 or 1.
    Flag,
    /// So many bytes of bits, the lowest bit first.
    Bits(usize),
    /// 32 numbers of 16 bits with a sign.
    Values,
}

impl Kind {
    /// Returns the bytes of a row.
    pub(super) const fn size(self) -> usize {
        match self {
            Self::Uint8 | Self::Flag => 1,
            Self::Uint16 => 2,
            Self::Int32 => 4,
            Self::Uint64 => 8,
            Self::Bits(bytes) => bytes,
            Self::Values => 64,
        }
    }
}

/// A column: all its rows, numbers with the lowest byte first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) bytes: Vec<u8>,
}

/// Returns the columns of decisions under rules with so many actions.
pub(super) fn columns(rows: &[Decision], actions: usize) -> Vec<Column> {
    let column = |name, kind: Kind, write: &dyn Fn(&Decision, &mut Vec<u8>)| {
        let mut bytes = Vec::with_capacity(rows.len() * kind.size());
        for row in rows {
            write(row, &mut bytes);
        }
        debug_assert_eq!(bytes.len(), rows.len() * kind.size(), "{name}");
        Column { name, kind, bytes }
    };
    vec![
        column("deal", Kind::Uint64, &|row, bytes| bytes.extend(row.deal.to_le_bytes())),
        column("seat", Kind::Uint8, &|row, bytes| bytes.push(row.seat)),
        column("decision", Kind::Uint16, &|row, bytes| bytes.extend(row.number.to_le_bytes())),
        column("dealer", Kind::Uint8, &|row, bytes| bytes.push(row.dealer)),
        column("obs", Kind::Bits(4 * Encoder::WORDS), &|row, bytes| {
            bytes.extend(row.obs.iter().flat_map(|word| word.to_le_bytes()));
        }),
        column("mask", Kind::Bits(actions.div_ceil(8)), &|row, bytes| {
            bytes.extend(row.mask.chunks(8).map(packed));
        }),
        column("values", Kind::Values, &|row, bytes| {
            bytes.extend(row.values.iter().flat_map(|value| value.to_le_bytes()));
        }),
        column("played", Kind::Uint16, &|row, bytes| bytes.extend(row.played.to_le_bytes())),
        column("stray", Kind::Flag, &|row, bytes| bytes.push(row.stray.into())),
        column("outcome", Kind::Int32, &|row, bytes| bytes.extend(row.outcome.to_le_bytes())),
    ]
}

/// Packs up to eight bytes of 0 or 1, the first as the lowest bit.
fn packed(bits: &[u8]) -> u8 {
    bits.iter().rev().fold(0, |byte, bit| byte << 1 | bit)
}
