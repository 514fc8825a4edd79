//! The definition of a leaderboard: entries, rules, classes by time limit, and number of deals.

use std::time::Duration;

use coinche_bots::{BotSpec, Registry};
use coinche_engine::{RuleSet, Seed};

use super::error::{BoardError, PlanError};
use super::jobs::Board;
use super::read::{class_of, entry};

/// A checked leaderboard.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The presets, by name.
    pub rules: Vec<(String, RuleSet)>,
    /// The classes, fastest first.
    pub classes: Vec<Class>,
    /// All entries.
    pub entries: Vec<Entry>,
    /// The number of the entry whose rating is zero; it is in every class.
    pub anchor: usize,
    /// The partnerships to compare.
    pub crossplay: Option<Crossplay>,
}

/// A class of bots with similar decision times.
#[derive(Debug, Clone)]
pub struct Class {
    pub name: String,
    /// The maximum mean time of a decision.
    pub limit: Duration,
    pub deals: u64,
    pub seed: Seed,
    /// The numbers of its entries, in file order.
    pub entries: Vec<usize>,
}

/// A bot of the leaderboard.
#[derive(Debug, Clone)]
pub struct Entry {
    pub name: String,
    pub bot: BotSpec,
    pub about: String,
}

/// Entries whose partnerships are compared, and their opponent.
#[derive(Debug, Clone)]
pub struct Crossplay {
    pub entries: Vec<usize>,
    pub against: usize,
    pub deals: u64,
    pub seed: Seed,
}

impl Plan {
    /// Returns the number of the class with this name.
    pub fn class(&self, name: &str) -> Result<usize, PlanError> {
        class_of(&self.classes, name)
    }

    /// Returns the seeds, by class.
    pub(super) fn seeds(&self) -> impl Iterator<Item = (&str, &Seed)> {
        let crossplay = self.crossplay.iter().map(|of| ("crossplay", &of.seed));
        self.classes.iter().map(|class| (class.name.as_str(), &class.seed)).chain(crossplay)
    }

    /// Keeps only one of the rules.
    pub fn keep_rules(&mut self, name: &str) -> Result<(), BoardError> {
        let names = || self.rules.iter().map(|(name, _)| name.clone()).collect();
        let Some(kept) = self.rules.iter().position(|(preset, _)| preset == name) else {
            return Err(BoardError::NotOfFile { name: name.to_owned(), rules: names() });
        };
        self.rules = vec![self.rules.swap_remove(kept)];
        Ok(())
    }

    /// Returns the title of some runs.
    pub fn title(&self, board: &Board) -> String {
        let class = board.class.map_or("cross-play", |class| &self.classes[class].name);
        format!("{}, {class}", self.rules[board.rules].0)
    }

    /// Adds a bot to a class, and returns its number.
    pub fn enter(
        &mut self,
        name: &str,
        bot: &str,
        class: usize,
        registry: &Registry,
    ) -> Result<usize, PlanError> {
        self.entries.push(entry(name, bot, "", &self.rules, registry)?);
        let number = self.entries.len() - 1;
        self.classes[class].entries.push(number);
        Ok(number)
    }
}
