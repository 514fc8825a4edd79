//! What can be in a cell.

use std::borrow::Cow;

use super::{Cells, Column, Kind, Packing, Walk};
use crate::base::text::{Padded, Short, push_cell, push_long_cell, push_number_cell};

/// The type of a field that is a column.
pub trait Value<'a>: Sized {
    /// The kind of the column.
    const KIND: Kind;
    /// Whether a cell may be empty.
    const OPTIONAL: bool = false;
    /// The value where the whole column may be left out, and is.
    const LEFT_OUT: Option<Self> = None;
    /// What a cell has, in words.
    const EXPECTED: &'static str;

    /// Returns the column of this name.
    fn column(name: &'static str) -> Column {
        Column {
            name: Cow::Borrowed(name),
            kind: Self::KIND,
            optional: Self::OPTIONAL,
            packing: Packing::Dictionary,
        }
    }

    /// Tests if the column is there.
    fn is_column(&self) -> bool {
        true
    }

    /// Adds the cell to its column.
    fn push(&self, cells: &mut Cells);

    /// Reads the next cell of its column; `None` where it has none of this type.
    fn get(walk: &mut Walk<'a>) -> Option<Self>;

    /// Appends the cell as CSV and a comma; arrays and lists have no form there.
    fn print(&self, _out: &mut Vec<u8>) {
        unreachable!("no table with arrays or lists is written as CSV")
    }

    /// Reads a cell of CSV; `None` where it is none of this type.
    fn parse(_cell: &'a [u8]) -> Option<Self> {
        None
    }
}

/// Reads a whole number.
#[inline]
fn int_of(cell: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match cell {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    // So many digits have room.
    if !(1..=18).contains(&digits.len()) {
        return core::str::from_utf8(cell).ok()?.parse().ok();
    }
    let mut number = 0;
    for digit in digits {
        let value = digit.wrapping_sub(b'0');
        if value > 9 {
            return None;
        }
        number = 10 * number + i64::from(value);
    }
    Some(if is_negative { -number } else { number })
}

macro_rules! ints {
    ($($type:ty: $kind:ident, $expected:literal, $get:expr, $push:expr;)*) => {$(
        impl Value<'_> for $type {
            const KIND: Kind = Kind::$kind;
            const EXPECTED: &'static str = $expected;

            #[inline]
            fn push(&self, cells: &mut Cells) {
                cells.push_int(i64::try_from(*self).unwrap_or(i64::MAX));
            }

            #[inline]
            fn get(walk: &mut Walk<'_>) -> Option<Self> {
                let get: fn(i64) -> Option<$type> = $get;
                get(walk.int()?)
            }

            #[inline]
            fn print(&self, out: &mut Vec<u8>) {
                let push: fn(&mut Vec<u8>, $type) = $push;
                push(out, *self);
            }

            #[inline]
            fn parse(cell: &[u8]) -> Option<Self> {
                Self::try_from(int_of(cell)?).ok()
            }
        }
    )*};
}

/// Reads a number of 32 bits, whatever their sign is in the file.
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "32 bits, whatever their sign")]
fn bits_of(number: i64) -> Option<u32> {
    (i32::try_from(number).is_ok() || u32::try_from(number).is_ok()).then_some(number as u32)
}

ints! {
    u8: U8, "a number of 0 to 255", |it| it.try_into().ok(), |out, number| push_number_cell(out, number.into());
    u16: U16, "a number of 0 to 65535", |it| it.try_into().ok(), |out, it| push_number_cell(out, it.into());
    u32: U32, "a number of 0 to 4294967295", bits_of, |out, number| push_number_cell(out, number.into());
    u64: U64, "a whole number from 0", |it| it.try_into().ok(), push_number_cell;
    i32: I32, "a whole number", |it| it.try_into().ok(), |out, number| push_long_cell(out, number.into());
    i64: I64, "a whole number", Some, push_long_cell;
}

impl Value<'_> for bool {
    const KIND: Kind = Kind::Bool;
    const EXPECTED: &'static str = "true or false";

    #[inline]
    fn push(&self, cells: &mut Cells) {
        cells.push_bool(*self);
    }

    #[inline]
    fn get(walk: &mut Walk<'_>) -> Option<Self> {
        walk.bool()
    }

    #[inline]
    fn print(&self, out: &mut Vec<u8>) {
        static CELLS: [Padded; 2] = [Padded::cell("false"), Padded::cell("true")];
        CELLS[usize::from(*self)].push(out);
    }

    #[inline]
    fn parse(cell: &[u8]) -> Option<Self> {
        match cell {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        }
    }
}

/// A text that is written in many rows, with its cell of CSV.
#[derive(Debug, Clone)]
pub struct Known {
    text: String,
    /// With the comma, and with quotes where it needs them.
    cell: Vec<u8>,
    /// The cell, where it is short and has no quotes.
    short: Option<Short<24>>,
}

impl Known {
    /// Takes a text.
    pub fn new(text: &str) -> Self {
        let mut cell = Vec::new();
        push_cell(&mut cell, text.as_bytes());
        let is_plain = cell == text.as_bytes();
        cell.push(b',');
        let short = (is_plain && cell.len() <= 24).then(|| Short::cell(text));
        Self { text: text.to_owned(), cell, short }
    }

    /// Returns it as a cell.
    pub const fn name(&self) -> Name<'_> {
        Name { text: self.text.as_bytes(), known: Some(self) }
    }
}

/// Text of any encoding.
#[derive(Debug, Clone, Copy)]
pub struct Name<'a> {
    text: &'a [u8],
    known: Option<&'a Known>,
}

impl<'a> Name<'a> {
    /// Takes a text.
    pub const fn new(text: &'a str) -> Self {
        Self::of(text.as_bytes())
    }

    const fn of(text: &'a [u8]) -> Self {
        Self { text, known: None }
    }

    /// Returns the text; bytes that are none are replaced.
    pub fn to_text(self) -> String {
        String::from_utf8_lossy(self.text).into_owned()
    }
}

impl PartialEq for Name<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Name<'_> {}

impl<'a> Value<'a> for Name<'a> {
    const KIND: Kind = Kind::Text;
    const EXPECTED: &'static str = "text";

    #[inline]
    fn push(&self, cells: &mut Cells) {
        cells.push_text(|out| out.extend_from_slice(self.text));
    }

    #[inline]
    fn get(walk: &mut Walk<'a>) -> Option<Self> {
        walk.bytes().map(Self::of)
    }

    #[inline]
    fn print(&self, out: &mut Vec<u8>) {
        match self.known {
            Some(Known { short: Some(short), .. }) => short.push(out),
            Some(Known { cell, .. }) => out.extend_from_slice(cell),
            None => {
                push_cell(out, self.text);
                out.push(b',');
            }
        }
    }

    #[inline]
    fn parse(cell: &'a [u8]) -> Option<Self> {
        Some(Self::of(cell))
    }
}

impl<'a> Value<'a> for &'a str {
    const KIND: Kind = Kind::Text;
    const EXPECTED: &'static str = "text";

    fn push(&self, cells: &mut Cells) {
        cells.push_text(|out| out.extend_from_slice(self.as_bytes()));
    }

    fn get(walk: &mut Walk<'a>) -> Option<Self> {
        core::str::from_utf8(walk.bytes()?).ok()
    }

    fn print(&self, out: &mut Vec<u8>) {
        push_cell(out, self.as_bytes());
        out.push(b',');
    }

    fn parse(cell: &'a [u8]) -> Option<Self> {
        core::str::from_utf8(cell).ok()
    }
}

/// A cell that may be empty.
impl<'a, V: Value<'a>> Value<'a> for Option<V> {
    const KIND: Kind = V::KIND;
    const OPTIONAL: bool = true;
    const EXPECTED: &'static str = V::EXPECTED;

    #[inline]
    fn push(&self, cells: &mut Cells) {
        cells.set_there(self.is_some());
        if let Some(value) = self {
            value.push(cells);
        }
    }

    #[inline]
    fn get(walk: &mut Walk<'a>) -> Option<Self> {
        if walk.is_there() { V::get(walk).map(Some) } else { Some(None) }
    }

    #[inline]
    fn print(&self, out: &mut Vec<u8>) {
        match self {
            Some(value) => value.print(out),
            None => out.push(b','),
        }
    }

    #[inline]
    fn parse(cell: &'a [u8]) -> Option<Self> {
        if cell.is_empty() { Some(None) } else { V::parse(cell).map(Some) }
    }
}

/// A column that only some files have: in all of their rows, or in none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tail<V>(pub Option<V>);

impl<'a, V: Value<'a>> Value<'a> for Tail<V> {
    const KIND: Kind = V::KIND;
    const LEFT_OUT: Option<Self> = Some(Self(None));
    const EXPECTED: &'static str = V::EXPECTED;

    #[inline]
    fn is_column(&self) -> bool {
        self.0.is_some()
    }

    #[inline]
    fn push(&self, cells: &mut Cells) {
        if let Some(value) = &self.0 {
            value.push(cells);
        }
    }

    #[inline]
    fn get(walk: &mut Walk<'a>) -> Option<Self> {
        V::get(walk).map(|value| Self(Some(value)))
    }

    #[inline]
    fn print(&self, out: &mut Vec<u8>) {
        if let Some(value) = &self.0 {
            value.print(out);
        }
    }

    #[inline]
    fn parse(cell: &'a [u8]) -> Option<Self> {
        V::parse(cell).map(|value| Self(Some(value)))
    }
}

macro_rules! arrays {
    ($($type:ty: $kind:ident($size:literal);)*) => {$(
        /// As many numbers in every row, the lowest byte first.
        impl<const N: usize> Value<'_> for [$type; N] {
            const KIND: Kind = Kind::$kind($size * N);
            const EXPECTED: &'static str = "numbers";

            fn push(&self, cells: &mut Cells) {
                cells.push_bytes(|out| out.extend_from_slice(self.map(<$type>::to_le_bytes).as_flattened()));
            }

            fn get(walk: &mut Walk<'_>) -> Option<Self> {
                let (numbers, []) = walk.bytes()?.as_chunks() else { return None };
                let numbers: &[_; N] = numbers.try_into().ok()?;
                Some(numbers.map(<$type>::from_le_bytes))
            }
        }
    )*};
}

arrays! {
    u8: Bytes(1);
    u32: Bytes(4);
    f32: Bytes(4);
    i16: I16s(1);
}

/// As many numbers as there are, at least one.
impl Value<'_> for Cow<'_, [u16]> {
    const KIND: Kind = Kind::List;
    const EXPECTED: &'static str = "numbers of 0 to 65535";

    fn push(&self, cells: &mut Cells) {
        cells.push_list(self);
    }

    fn get(walk: &mut Walk<'_>) -> Option<Self> {
        walk.list().map(Cow::Owned)
    }
}
