//! `system`: bids by what partners have agreed, written down in a file.
//!
//! A file (TOML) has rules in order: a condition about hand and auction, and a call. The first rule that applies makes the
//! call; what none covers is left to a floor. `docs/user/systems.md` describes the format.
//!
//! A text becomes a [`System`] in four steps, a file each: signs (`token`), expressions ([`syntax`], `parse`), their meaning
//! (`words`, `compile`), rules (`form`, `file`); `fit` checks it against the rules of a game. A [`Moment`] is what everybody knows at a call; the rules are asked about it and a
//! hand ([`System::decide`]).

mod auction;
mod bidder;
mod code;
mod compile;
mod drawn;
mod error;
mod file;
mod fit;
mod form;
mod many;
mod parse;
mod rule;
mod shipped;
pub mod syntax;
mod token;
mod words;

pub use auction::Moment;
pub use bidder::SystemBidder;
pub(crate) use bidder::{numbers, of_param};
pub use error::{Fault, Place, SystemError};
pub use many::SystemAt;
pub use rule::{Claim, Promise, Rule};
pub use shipped::{SHIPPED, Shipped, known, text_of};
pub use words::{About, Word, WordKind};

use code::{Id, Op};
use syntax::Node;

/// The most bytes of a file.
const MOST_BYTES: usize = 200_000;
/// The most rules of a file.
const MOST_RULES: usize = 400;
/// The most numbers, and the most definitions.
const MOST_NAMES: usize = 400;
/// The most letters of what a file says for people.
const MOST_TEXT: usize = 2_000;
/// The largest number.
const MOST_NUMBER: i32 = 100_000;
/// How deeply an expression may be nested.
const MOST_DEPTH: usize = 100;
/// The most parts of an expression, and the most different steps of a file.
const MOST_NODES: usize = 8_000;
/// The most steps that an expression may take.
const MOST_COST: u32 = 20_000;

/// Who makes the calls that no rule covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Floor {
    /// The bidder `rules`.
    Rules,
    /// The bidder `table`.
    Table,
    /// The bidder `net`.
    Net,
    /// A pass.
    Pass,
}

impl Floor {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Rules, Self::Table, Self::Net, Self::Pass];

    /// Returns the name in files.
    pub const fn name(self) -> &'static str {
        ["rules", "table", "net", "pass"][self as usize]
    }
}

/// A number of a system that can be tuned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    /// The name.
    pub name: String,
    /// Its value.
    pub value: i32,
    /// Its value in the file.
    pub default: i32,
    /// The least that it may be.
    pub from: i32,
    /// The most that it may be.
    pub to: i32,
    /// What it is, for people.
    pub about: String,
}

/// A bidding system: what partners have agreed.
#[derive(Debug, Clone)]
pub struct System {
    name: String,
    about: String,
    source: String,
    floor: Floor,
    presets: Vec<&'static str>,
    numbers: Vec<Number>,
    ops: Vec<Op>,
    rules: Vec<Rule>,
    promises: Vec<Promise>,
    best: Option<Id>,
    weighs_melds: bool,
}

impl System {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what it is, in the words of the file.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Returns where it comes from, in the words of the file.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns who makes the calls that no rule covers.
    pub const fn floor(&self) -> Floor {
        self.floor
    }

    /// Returns the presets that it is for; none where the file names none.
    pub fn presets(&self) -> &[&'static str] {
        &self.presets
    }

    /// Returns its numbers, by name.
    pub fn numbers(&self) -> &[Number] {
        &self.numbers
    }

    /// Returns its rules, in the order in which they are tried.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns what bids of the floor show.
    pub fn promises(&self) -> &[Promise] {
        &self.promises
    }
}

/// Reads an expression of the language: what it says, without asking what its names are.
///
/// # Errors
///
/// At what is no expression.
pub fn expression(text: &str) -> Result<Node, SystemError> {
    parse::parse(text).map_err(|(at, fault)| SystemError::at(text, at, fault))
}

#[cfg(test)]
mod tests;
