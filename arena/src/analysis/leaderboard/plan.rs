//! What a leaderboard is of: who plays, under which rules, in which classes of time, and how many deals.

use std::time::Duration;

use coinche_bots::{BotSpec, Registry};
use coinche_engine::{RuleSet, Seed};

use super::error::{BoardError, PlanError};
use super::jobs::Board;
use super::read::{class_of, entry};

/// A checked leaderboard.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// The presets, by name.
    pub(crate) rules: Vec<(String, RuleSet)>,
    /// The classes, the fastest first.
    pub(crate) classes: Vec<Class>,
    /// All entries.
    pub(crate) entries: Vec<Entry>,
    /// The number of the entry from which ratings are counted; it is in every class.
    pub(crate) anchor: usize,
    /// Whose partnerships are compared.
    pub(crate) crossplay: Option<Crossplay>,
}

/// A class of bots that decide in about the same time.
#[derive(Debug, Clone)]
pub(crate) struct Class {
    pub(crate) name: String,
    /// The most that a decision may take, in the mean.
    pub(crate) limit: Duration,
    pub(crate) deals: u64,
    pub(crate) seed: Seed,
    /// The numbers of its entries, in the order of the file.
    pub(crate) entries: Vec<usize>,
}

/// A bot of the leaderboard.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) bot: BotSpec,
    pub(crate) about: String,
}

/// Entries whose partnerships are compared, and against whom.
#[derive(Debug, Clone)]
pub(crate) struct Crossplay {
    pub(crate) entries: Vec<usize>,
    pub(crate) against: usize,
    pub(crate) deals: u64,
    pub(crate) seed: Seed,
}

impl Plan {
    /// Returns the number of the class of this name.
    ///
    /// # Errors
    ///
    /// When there is none; the message names those that there are.
    pub(crate) fn class(&self, name: &str) -> Result<usize, PlanError> {
        class_of(&self.classes, name)
    }

    /// Keeps one of the rules.
    ///
    /// # Errors
    ///
    /// When the file does not have them.
    pub(crate) fn keep_rules(&mut self, name: &str) -> Result<(), BoardError> {
        let names = || self.rules.iter().map(|(name, _)| name.clone()).collect();
        let Some(kept) = self.rules.iter().position(|(preset, _)| preset == name) else {
            return Err(BoardError::NotOfFile { name: name.to_owned(), rules: names() });
        };
        self.rules = vec![self.rules.swap_remove(kept)];
        Ok(())
    }

    /// Returns what people call some runs.
    pub(crate) fn title(&self, board: &Board) -> String {
        let class = board.class.map_or("cross-play", |class| &self.classes[class].name);
        format!("{}, {class}", self.rules[board.rules].0)
    }

    /// Adds a bot to a class, and returns its number.
    ///
    /// # Errors
    ///
    /// When it is no bot, cannot play the rules, or has no proper name.
    pub(crate) fn enter(
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
