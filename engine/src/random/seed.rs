//! Seeds as people type them.

use core::fmt;
use core::str::FromStr;
use std::sync::Arc;

/// What the randomness of a run is made from: a number or any other text.
///
/// Whoever guesses a seed knows every card of a run, and all numbers below 2³² are guessed in minutes. A seed that
/// nobody guesses is drawn ([`Seed::from_random`]) or as long as one.
///
/// A number is the same seed in every way of writing it; a text is taken as it is, without space around it.
///
/// ```
/// use coinche_engine::Seed;
///
/// let seed: Seed = "final 2026".parse()?;
/// assert_eq!(seed.as_str(), "final 2026");
/// assert_eq!("007".parse::<Seed>()?, Seed::from(7));
/// # Ok::<(), coinche_engine::ParseSeedError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seed(Arc<str>);

/// The error of reading a [`Seed`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a seed is a number or a text of 1 to {} letters without control characters", Seed::MAX_CHARS)]
pub struct ParseSeedError;

impl Seed {
    /// The most characters of a seed.
    pub const MAX_CHARS: usize = 100;

    /// Makes the seed of 128 random bits: their hexadecimal digits.
    pub fn from_random(bits: u128) -> Self {
        Self(format!("{bits:032x}").into())
    }

    /// Returns the seed as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the seed of something else that belongs to a run, as `control of 42`: it can be typed again.
    ///
    /// One that would be too long is hashed, which gives 128 bits as a drawn seed has.
    #[must_use]
    pub fn derived(&self, what: &str) -> Self {
        let text = format!("{what} of {self}");
        text.parse().unwrap_or_else(|_| {
            Self::from_random(super::secrets::hashed("coinche 2026-11-22 derived seed", &text))
        })
    }

    /// Returns the number, if the seed is one below 2⁵³: what JSON and TOML write as a number.
    pub fn as_small_number(&self) -> Option<u64> {
        self.0.parse().ok().filter(|number| *number < 1 << 53)
    }
}

impl From<u64> for Seed {
    fn from(number: u64) -> Self {
        Self(number.to_string().into())
    }
}

impl FromStr for Seed {
    type Err = ParseSeedError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if let Ok(number) = text.parse::<u64>() {
            return Ok(number.into());
        }
        let is_short = (1..=Self::MAX_CHARS).contains(&text.chars().count());
        // A sign at the start is that of a number out of range, or of a flag that was forgotten.
        let is_plain = !text.starts_with('-') && !text.chars().any(char::is_control);
        if is_short && is_plain { Ok(Self(text.into())) } else { Err(ParseSeedError) }
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

#[cfg(feature = "serde")]
mod serde_form {
    use core::fmt;

    use serde::de::{self, Unexpected, Visitor};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Seed;

    /// A number where every reader of JSON and TOML takes it exactly, a text elsewhere.
    impl Serialize for Seed {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self.as_small_number() {
                Some(number) => serializer.serialize_u64(number),
                None => serializer.serialize_str(self.as_str()),
            }
        }
    }

    struct NumberOrText;

    impl Visitor<'_> for NumberOrText {
        type Value = Seed;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a seed: a whole number from 0, or a text")
        }

        fn visit_u64<E: de::Error>(self, number: u64) -> Result<Seed, E> {
            Ok(number.into())
        }

        fn visit_i64<E: de::Error>(self, number: i64) -> Result<Seed, E> {
            let number = u64::try_from(number);
            number
                .map(Seed::from)
                .map_err(|_| E::invalid_value(Unexpected::Other("a negative number"), &self))
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Seed, E> {
            text.parse().map_err(E::custom)
        }
    }

    impl<'de> Deserialize<'de> for Seed {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(NumberOrText)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_numbers_or_texts() {
        let seed = |text: &str| text.parse::<Seed>();
        assert_eq!(seed(" 42 ").unwrap(), Seed::from(42));
        assert_eq!(seed("+042").unwrap(), Seed::from(42));
        assert_eq!(seed("18446744073709551616").unwrap().as_str(), "18446744073709551616");
        assert_eq!(seed("final, table 3").unwrap().to_string(), "final, table 3");
        for wrong in ["", "  ", "-1", "a\nb", "a\u{1b}[2J", &"x".repeat(101)] {
            assert_eq!(seed(wrong), Err(ParseSeedError), "{wrong:?}");
        }
        assert_eq!(Seed::from(42).derived("control").as_str(), "control of 42");
        let long = [Seed(Arc::from("a".repeat(100))), Seed(Arc::from("a".repeat(99)))]
            .map(|seed| seed.derived("control"));
        assert!(long[0] != long[1] && long.iter().all(|seed| seed.as_str().len() == 32));
        let drawn = Seed::from_random(0xabc);
        assert_eq!(drawn.as_str(), "00000000000000000000000000000abc");
        assert_eq!(seed(drawn.as_str()).unwrap(), drawn);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn seeds_of_json_and_toml_are_read_as_written() {
        for text in ["0", "42", "9007199254740991", "9007199254740992", "18446744073709551615", "a b"] {
            let seed: Seed = text.parse().unwrap();
            let json = serde_json::to_string(&seed).unwrap();
            let is_small = text.parse::<u64>().is_ok_and(|number| number < 1 << 53);
            assert_eq!(json.starts_with('"'), !is_small, "{json}");
            assert_eq!(serde_json::from_str::<Seed>(&json).unwrap(), seed);
            let table: toml::Table = format!("seed = {json}").parse().unwrap();
            assert_eq!(table["seed"].clone().try_into::<Seed>().unwrap(), seed);
        }
        assert!(serde_json::from_str::<Seed>("-3").is_err());
        assert!(serde_json::from_str::<Seed>("0.5").is_err());
    }
}
