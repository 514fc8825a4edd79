//! The systems that come with the program.

use super::System;

/// A system that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// Its name in specifications, which is that of its file.
    pub name: &'static str,
    /// Its file.
    pub text: &'static str,
}

macro_rules! shipped {
    ($($name:literal)*) => {
        /// All systems that come with the program, by name.
        pub const SHIPPED: &[Shipped] =
            &[$(Shipped { name: $name, text: include_str!(concat!("../../systems/", $name, ".toml")) }),*];
    };
}

shipped! {
    "aces-and-tens"
    "colver-balanced"
    "colver-conventional"
    "colver-v5-guide"
    "colver-v6-tables"
    "jack-or-nine"
    "nimbustier-classic"
    "sound-beginner"
}

impl Shipped {
    /// Reads it.
    ///
    /// # Panics
    ///
    /// Never in practice: a test reads all of them.
    pub fn read(&self) -> System {
        System::read(self.text, &[]).expect("the systems of the repository are right")
    }
}

/// Returns the text of a system by its name.
pub(super) fn text_of(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|shipped| shipped.name == name).map(|shipped| shipped.text)
}
