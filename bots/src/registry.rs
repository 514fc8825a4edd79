//! Bots by name.

use std::sync::Arc;

use crate::batch::{Absent, PYTHON};
use crate::program::is_alias;
use crate::system::{System, SystemBidder};
use crate::{BotInfo, BotSpec, ParseBotError, RegistryError, TeamSpec, builtin};

/// The bots that specifications can name: those built in, and any others.
///
/// It is a value: the arena's commands are given one, so that a bot of one's own is a bot as any other.
///
/// ```
/// use coinche_bots::{BotInfo, Registry, RulesBidder, RulesPlayer};
///
/// let mine = BotInfo::new("mine", "the club player, twice as bold")
///     .bidder(&[], |_| Ok(RulesBidder::default))
///     .player(&[], |_| Ok(|| RulesPlayer));
/// let registry = Registry::builtin().with(mine)?;
/// let bot = registry.parse("mine+pimc:worlds=20")?.build();
/// assert_eq!(bot.name(), "mine+pimc:worlds=20");
/// assert!(registry.parse("mime").unwrap_err().to_string().contains("mc, mine, net, open"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Registry {
    /// In alphabetical order.
    bots: Vec<Arc<BotInfo>>,
}

impl Registry {
    /// Makes a registry without bots, in which specifications can name programs alone.
    pub const fn empty() -> Self {
        Self { bots: Vec::new() }
    }

    /// Returns the registry of the bots of this crate.
    pub fn builtin() -> Self {
        let mut bots: Vec<_> = builtin::bots().into_iter().map(Arc::new).collect();
        bots.sort_by(|a, b| a.name().cmp(b.name()));
        Self { bots }
    }

    /// Adds a bot.
    ///
    /// # Errors
    ///
    /// When another bot has its name, it can neither bid nor play, or a specification could not name it or one of its
    /// parameters. Before a name may stand `python:`, which says where the bot is at home.
    pub fn with(self, bot: BotInfo) -> Result<Self, RegistryError> {
        self.add(bot, true)
    }

    /// Adds a bidder by a system that is in no file. It is one of this crate: seats of it cannot tell each other their hands.
    ///
    /// # Errors
    ///
    /// As [`Registry::with`].
    pub fn with_system(self, name: &str, system: System) -> Result<Self, RegistryError> {
        let bidder = SystemBidder::new(Arc::new(system));
        let bot = BotInfo::new(name.to_owned(), "bids by a system that is in no file");
        let bot = bot.bidder(&[], move |_| {
            let bidder = bidder.clone();
            Ok(move || bidder.clone())
        });
        self.add(bot, false)
    }

    fn add(mut self, mut bot: BotInfo, is_outside: bool) -> Result<Self, RegistryError> {
        let name = || bot.name().to_owned();
        let plain = bot.name().strip_prefix(PYTHON).unwrap_or(bot.name());
        if !is_alias(plain) || ["cmd", "python"].contains(&bot.name()) {
            return Err(RegistryError::Name(name()));
        }
        if !bot.bids() && !bot.plays() {
            return Err(RegistryError::Nothing(name()));
        }
        for params in [bot.bidder_params(), bot.player_params()] {
            let is_double = |n: usize| params[..n].iter().any(|other| other.name == params[n].name);
            let wrong = (0..params.len()).find(|n| !is_alias(params[*n].name) || is_double(*n));
            if let Some(n) = wrong {
                return Err(RegistryError::Param { bot: name(), name: params[n].name.to_owned() });
            }
        }
        match self.bots.binary_search_by(|other| other.name().cmp(bot.name())) {
            Ok(_) => return Err(RegistryError::Taken(name())),
            Err(at) => {
                bot.is_outside = is_outside;
                self.bots.insert(at, Arc::new(bot));
            }
        }
        Ok(self)
    }

    /// Iterates over the bots in alphabetical order.
    pub fn bots(&self) -> impl Iterator<Item = &BotInfo> {
        self.bots.iter().map(AsRef::as_ref)
    }

    /// Reads the specification of a bot, with the files that its parameters name.
    ///
    /// # Errors
    ///
    /// When it is none, or a file is not what it should be.
    pub fn parse(&self, text: &str) -> Result<BotSpec, ParseBotError> {
        BotSpec::read(text, &|name| self.find(name))
    }

    /// Reads a bidder: a bot under the bidder's name whose cards `rules` plays, for where somebody else plays the cards
    /// anyway. A card player may be named beside it, and is left out.
    ///
    /// ```
    /// use coinche_bots::Registry;
    ///
    /// let registry = Registry::builtin();
    /// assert_eq!(registry.parse_bidder("table")?.as_str(), "table");
    /// assert_eq!(registry.parse_bidder("table+pimc")?.as_str(), "table");
    /// # Ok::<(), coinche_bots::ParseBotError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When it is no bidder, or the card player beside it is none.
    pub fn parse_bidder(&self, text: &str) -> Result<BotSpec, ParseBotError> {
        BotSpec::read_bidder(text, &|name| self.find(name))
    }

    /// Reads a card player: a bot under the player's name for which `rules` bids, for where somebody else makes the
    /// calls anyway. A bidder may be named before it, and is left out.
    ///
    /// ```
    /// use coinche_bots::Registry;
    ///
    /// let registry = Registry::builtin();
    /// assert_eq!(registry.parse_player("pimc:worlds=20")?.as_str(), "pimc:worlds=20");
    /// assert_eq!(registry.parse_player("table+pimc")?.as_str(), "pimc");
    /// # Ok::<(), coinche_bots::ParseBotError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When it is no card player, or the bidder before it is none.
    pub fn parse_player(&self, text: &str) -> Result<BotSpec, ParseBotError> {
        BotSpec::read_player(text, &|name| self.find(name))
    }

    /// Reads the specification of a team: a bot for both seats, or two partners `A&B`.
    ///
    /// # Errors
    ///
    /// When it is none.
    pub fn parse_team(&self, text: &str) -> Result<TeamSpec, ParseBotError> {
        TeamSpec::read(text, &|bot| self.parse(bot))
    }

    fn find(&self, name: &str) -> Result<Arc<BotInfo>, ParseBotError> {
        let found = self.bots.binary_search_by(|bot| bot.name().cmp(name));
        if found.is_err() && name.strip_prefix(PYTHON).is_some_and(is_alias) {
            // A run in which it played can be read and checked without it.
            let absent = BotInfo::new(name.to_owned(), "a bot in Python, which is not here");
            return Ok(Arc::new(absent.batch(Absent)));
        }
        found.map(|at| Arc::clone(&self.bots[at])).map_err(|_| ParseBotError::UnknownBot {
            name: name.to_owned(),
            known: self.bots().map(BotInfo::name).collect::<Vec<_>>().join(", "),
        })
    }
}

#[cfg(test)]
mod tests;
