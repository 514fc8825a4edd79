//! Numbers and cells of text, written by hand: most of what a run writes.

/// A short text.
#[derive(Debug, Clone, Copy)]
pub struct Short<const N: usize> {
    text: [u8; N],
    len: u8,
}

/// The digits of the numbers below 1000, most numbers that are written; commas behind them.
static SMALL: [Short<3>; 1000] = small();

#[expect(clippy::cast_possible_truncation, reason = "digits")]
const fn small() -> [Short<3>; 1000] {
    let mut all = [Short { text: [b','; 3], len: 0 }; 1000];
    let mut n = 0;
    while n < 1000 {
        let [hundreds, tens, ones] =
            [b'0' + (n / 100) as u8, b'0' + (n / 10 % 10) as u8, b'0' + (n % 10) as u8];
        all[n] = match n {
            0..10 => Short { text: [ones, b',', b','], len: 1 },
            10..100 => Short { text: [tens, ones, b','], len: 2 },
            _ => Short { text: [hundreds, tens, ones], len: 3 },
        };
        n += 1;
    }
    all
}

/// A cell with its comma that is copied at a fixed size; what is too much is cut off. This needs no call, which a copy of
/// a slice would be.
pub type Padded = Short<12>;

impl<const N: usize> Short<N> {
    /// Takes a text of fewer than `N` bytes, and puts a comma behind it.
    pub const fn cell(text: &str) -> Self {
        let (mut short, mut n) = (Self { text: [b','; N], len: 0 }, 0);
        while n < text.len() {
            short.text[n] = text.as_bytes()[n];
            n += 1;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a longer text does not fit")]
        let len = n as u8 + 1;
        short.len = len;
        short
    }

    /// Appends it.
    #[inline]
    pub fn push(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.text);
        out.truncate(out.len() - N + usize::from(self.len));
    }
}

/// Appends an unsigned number and a comma.
#[inline]
pub fn push_number_cell(out: &mut Vec<u8>, number: u64) {
    if number < 10 {
        out.extend_from_slice(&[b'0' + number.to_le_bytes()[0], b',']);
    } else {
        push_digits_cell(out, number);
    }
}

/// The same for any number, as a call.
#[inline(never)]
fn push_digits_cell(out: &mut Vec<u8>, number: u64) {
    if let Ok(index) = usize::try_from(number)
        && let Some(digits) = SMALL.get(index)
    {
        let [hundreds, tens, ones] = digits.text;
        out.extend_from_slice(&[hundreds, tens, ones, b',']);
        // Of fewer digits the rest is commas.
        out.truncate(out.len() - 3 + usize::from(digits.len));
        return;
    }
    push_number(out, number);
    out.push(b',');
}

/// Appends an unsigned number.
#[inline]
pub fn push_number(out: &mut Vec<u8>, mut number: u64) {
    if let Ok(index) = usize::try_from(number)
        && let Some(digits) = SMALL.get(index)
    {
        digits.push(out);
        return;
    }
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    while number > 0 {
        at -= 1;
        digits[at] = b'0' + (number % 10).to_le_bytes()[0];
        number /= 10;
    }
    out.extend_from_slice(&digits[at..]);
}

/// Appends a signed number.
#[inline]
pub fn push_signed(out: &mut Vec<u8>, number: i32) {
    if number < 0 {
        out.push(b'-');
    }
    push_number(out, number.unsigned_abs().into());
}

/// Appends a signed number of 64 bits and a comma.
#[inline]
pub fn push_long_cell(out: &mut Vec<u8>, number: i64) {
    if number < 0 {
        out.push(b'-');
    }
    push_number_cell(out, number.unsigned_abs());
}

/// Appends a signed number of 64 bits.
#[inline]
pub fn push_long(out: &mut Vec<u8>, number: i64) {
    if number < 0 {
        out.push(b'-');
    }
    push_number(out, number.unsigned_abs());
}

/// Tests if a cell of text needs quotes among comma-separated values.
fn needs_quotes(text: &[u8]) -> bool {
    text.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r'))
}

/// Appends a cell of text to comma-separated values, in quotes where it needs them.
pub fn push_cell(out: &mut Vec<u8>, text: &[u8]) {
    if !needs_quotes(text) {
        out.extend_from_slice(text);
        return;
    }
    out.push(b'"');
    for byte in text {
        if *byte == b'"' {
            out.push(b'"');
        }
        out.push(*byte);
    }
    out.push(b'"');
}

/// Appends a text as it is.
#[inline]
pub fn push_str(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_everywhere() {
        let mut numbers: Vec<i64> = (0..2100).collect();
        numbers.extend([9_999, 10_000, 123_456_789, i64::MAX]);
        for number in numbers.iter().flat_map(|number| [*number, -number]) {
            let mut out = Vec::new();
            push_long(&mut out, number);
            assert_eq!(String::from_utf8(out).unwrap(), number.to_string());
        }
    }
}
