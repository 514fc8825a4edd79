//! The systems that come with the program.

use std::borrow::Cow;

use coinche_engine::did_you_mean;

use super::{System, drawn};

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
    "found-bga"
    "found-contree"
    "found-contree-12"
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

/// The style of bids that `net` and `champion` may have: promises alone.
const NATURAL: &str = include_str!("../../data/natural.toml");

/// Returns what an error says of a name that is of no system: the one that may be meant, if there is one, and the names that there are.
pub fn known(name: &str) -> [String; 2] {
    let names = || SHIPPED.iter().map(|it| it.name);
    let all = names().collect::<Vec<_>>().join(", ");
    [did_you_mean(name, names()), format!("{all}, or drawn-N (N: {}, without leading zeros)", drawn::NUMBERS)]
}

/// Returns the file of a system by its name: of one that comes with the program, of the style `natural`, or of one that is drawn at random by its number, as `drawn-17`.
pub fn text_of(name: &str) -> Option<Cow<'static, str>> {
    let shipped = SHIPPED.iter().find(|shipped| shipped.name == name).map(|shipped| shipped.text.into());
    let natural = || (name == "natural").then_some(NATURAL.into());
    shipped.or_else(natural).or_else(|| drawn::text_of(name).map(Cow::Owned))
}
