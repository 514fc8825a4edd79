//! Types that are written as text: the reader of each, and the error that keeps the text.

/// Implements `FromStr` by a function that returns `None` of another text, which the error then shows.
macro_rules! from_text {
    ($(#[$doc:meta])* $name:ident, $error:ident, $message:literal, |$text:ident| $read:expr) => {
        #[doc = concat!("The error of reading a text as `", stringify!($name), "`.")]
        #[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
        #[error($message)]
        pub struct $error(pub String);

        impl core::str::FromStr for $name {
            type Err = $error;

            $(#[$doc])*
            fn from_str($text: &str) -> Result<Self, Self::Err> {
                let read: Option<Self> = $read;
                read.ok_or_else(|| $error($text.to_owned()))
            }
        }
    };
}

/// Reads a text of one character.
pub(crate) fn single<T>(text: &str, read: fn(char) -> Option<T>) -> Option<T> {
    let mut chars = text.trim().chars();
    chars.next().and_then(read).filter(|_| chars.next().is_none())
}
