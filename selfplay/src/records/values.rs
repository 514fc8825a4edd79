//! What the engine has, as cells of tables.

use std::io::Write as _;

use coinche_engine::{CardSet, Seat, Stake, Strain};

use crate::base::columns::{Cells, Kind, Value, Walk};
use crate::base::text::Padded;

/// The number of a seat.
impl Value<'_> for Seat {
    const KIND: Kind = Kind::U8;
    const EXPECTED: &'static str = "a seat, 0 to 3";

    #[inline]
    fn push(&self, cells: &mut Cells) {
        cells.push_int(*self as i64);
    }

    #[inline]
    fn get(walk: &mut Walk<'_>) -> Option<Self> {
        Self::ALL.get(usize::from(u8::get(walk)?)).copied()
    }

    #[inline]
    fn print(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&[b'0' + *self as u8, b',']);
    }

    #[inline]
    fn parse(cell: &[u8]) -> Option<Self> {
        Self::ALL.get(usize::from(u8::parse(cell)?)).copied()
    }
}

macro_rules! words {
    ($($type:ty: $all:expr, $word:ident, $expected:literal;)*) => {$(
        impl Value<'_> for $type {
            const KIND: Kind = Kind::Text;
            const EXPECTED: &'static str = $expected;

            #[inline]
            fn push(&self, cells: &mut Cells) {
                cells.push_text(|out| out.extend_from_slice(self.$word().as_bytes()));
            }

            #[inline]
            fn get(walk: &mut Walk<'_>) -> Option<Self> {
                Self::parse(walk.bytes()?)
            }

            #[inline]
            fn print(&self, out: &mut Vec<u8>) {
                static CELLS: [Padded; $all.len()] = {
                    let (mut cells, mut n) = ([Padded::cell(""); $all.len()], 0);
                    while n < cells.len() {
                        cells[n] = Padded::cell($all[n].$word());
                        n += 1;
                    }
                    cells
                };
                CELLS[*self as usize].push(out);
            }

            #[inline]
            fn parse(cell: &[u8]) -> Option<Self> {
                $all.into_iter().find(|word| word.$word().as_bytes() == cell)
            }
        }
    )*};
}

words! {
    Strain: Strain::ALL, code, "C, D, H, S, SA or TA";
    Stake: Stake::ALL, name, "plain, coinche or surcoinche";
}

/// A bit for each card; as text the cards.
impl Value<'_> for CardSet {
    const KIND: Kind = Kind::U32;
    const EXPECTED: &'static str = "cards";

    fn push(&self, cells: &mut Cells) {
        self.bits().push(cells);
    }

    fn get(walk: &mut Walk<'_>) -> Option<Self> {
        u32::get(walk).map(Self::from_bits)
    }

    fn print(&self, out: &mut Vec<u8>) {
        let _ = write!(out, "{self},");
    }

    fn parse(cell: &[u8]) -> Option<Self> {
        core::str::from_utf8(cell).ok()?.parse().ok()
    }
}
