//! Parses counts on the command line: `10000`, `10_000`, `10k`, `1e5`, `1.5M`.

/// Why a text is not a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum CountError {
    #[error("expected a whole number, such as 10000, 10_000, 10k, 1e5 or 1.5M")]
    Form,
    #[error("it is not a whole number")]
    Fraction,
    #[error("it is too large")]
    TooLarge,
}

/// Parses a count: digits, optionally separated by `_`, with a suffix `k`, `M` or `G` or an exponent.
///
/// The arithmetic is exact: a count that is not an integer, or does not fit the type, is an error.
pub(super) fn count<T: TryFrom<u64>>(text: &str) -> Result<T, CountError> {
    let text = text.trim();
    let (text, thousands) = match text.as_bytes() {
        [.., b'k' | b'K'] => (&text[..text.len() - 1], 1),
        [.., b'm' | b'M'] => (&text[..text.len() - 1], 2),
        [.., b'g' | b'G'] => (&text[..text.len() - 1], 3),
        _ => (text, 0),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) if thousands == 0 => {
            (mantissa, exponent.parse::<u32>().map_err(|_| CountError::Form)?)
        }
        Some(_) => return Err(CountError::Form),
        None => (text, 3 * thousands),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (digits(whole)?, digits(fraction)?),
        None => (digits(mantissa)?, String::new()),
    };
    let fraction = fraction.trim_end_matches('0');
    let number: u64 = format!("{whole}{fraction}").parse().map_err(|_| CountError::TooLarge)?;
    let behind = u32::try_from(fraction.len()).map_err(|_| CountError::Fraction)?;
    let power = exponent.checked_sub(behind).ok_or(CountError::Fraction)?;
    let number = match number {
        0 => 0,
        _ => 10_u64
            .checked_pow(power)
            .and_then(|power| number.checked_mul(power))
            .ok_or(CountError::TooLarge)?,
    };
    T::try_from(number).map_err(|_| CountError::TooLarge)
}

/// Returns the digits of a text that may have `_` between groups of them.
fn digits(text: &str) -> Result<String, CountError> {
    let is_group = |group: &str| !group.is_empty() && group.bytes().all(|letter| letter.is_ascii_digit());
    if text.split('_').all(is_group) { Ok(text.replace('_', "")) } else { Err(CountError::Form) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn counts_are_read_in_every_form() {
        for text in ["10000", "10_000", "10k", "10K", "1e4", "1E4", "0.01M", " 10000 "] {
            assert_eq!(count(text), Ok(10_000), "{text}");
        }
        for (text, number) in [
            ("0", 0),
            ("1e5", 100_000),
            ("1M", 1_000_000),
            ("1.5M", 1_500_000),
            ("2.50k", 2_500),
            ("2G", 2_000_000_000),
            ("1.25e2", 125),
            ("0e99", 0),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(count(text), Ok(number), "{text}");
        }
    }

    #[test]
    fn what_is_no_count_is_refused() {
        let words = ["", "many", "k", "-1", "+1", "0x10", "١"];
        let digits = ["_1", "1_", "1__0", ".5k", "5.", "1e", "1e-3", "1e3k", "10 k", "1kk"];
        let large = ["18446744073709551616", "1e20", "1e4000000000", "99999999999G"];
        for (texts, error) in [
            (&words[..], CountError::Form),
            (&digits, CountError::Form),
            (&["1.5", "1.2345k"], CountError::Fraction),
            (&large, CountError::TooLarge),
        ] {
            for text in texts {
                assert_eq!(count::<u64>(text), Err(error), "{text}");
            }
        }
        assert_eq!(count::<u32>("5G"), Err(CountError::TooLarge));
        assert_eq!(count::<u32>("4G"), Ok(4_000_000_000));
    }

    proptest! {
        #[test]
        fn a_number_is_read_as_it_is_written(number: u64) {
            prop_assert_eq!(count(&number.to_string()), Ok(number));
            let mut grouped = number.to_string();
            for at in (1..grouped.len()).rev().filter(|at| (grouped.len() - at) % 3 == 0).collect::<Vec<_>>() {
                grouped.insert(at, '_');
            }
            prop_assert_eq!(count(&grouped), Ok(number));
        }

        #[test]
        fn a_suffix_and_an_exponent_are_powers_of_ten(number in 0u64..1_000_000_000, thousands in 0u32..4) {
            let value = number * 1000u64.pow(thousands);
            let suffix = ["", "k", "M", "G"][thousands as usize];
            prop_assert_eq!(count(&format!("{number}{suffix}")), Ok(value));
            prop_assert_eq!(count(&format!("{number}e{}", 3 * thousands)), Ok(value));
        }

        #[test]
        fn a_fraction_is_exact(whole in 0u64..1_000_000, thousandths in 0u64..1000) {
            let text = format!("{whole}.{thousandths:03}");
            prop_assert_eq!(count(&format!("{text}k")), Ok(1000 * whole + thousandths));
            prop_assert_eq!(count(&format!("{text}M")), Ok(1000 * (1000 * whole + thousandths)));
            let plain = if thousandths == 0 { Ok(whole) } else { Err(CountError::Fraction) };
            prop_assert_eq!(count(&text), plain);
        }

        #[test]
        fn no_text_is_too_much(text in "\\PC{0,12}|[0-9_.eEkMG]{0,12}") {
            let _ = count::<u64>(&text);
        }
    }
}
