//! Flags that would change nothing, given the others: refused, since whoever gives one expects something of it.

use coinche_bots::{BotSpec, TeamSpec};
use coinche_engine::RuleSet;
use coinche_selfplay::play::schedule::Unit;

use super::command::differing_fields;
use super::{ConfigError, RunConfig};

/// The fields of rules that only decide how a match ends; a tie also decides a single deal.
const OF_MATCHES: [&str; 3] = ["match.target", "match.exceed", "match.both_reached"];

/// Returns rules for single deals: with the end of a match of the nearest preset, since none is played, so that the same
/// game has the same rules and the same command.
///
/// # Errors
///
/// When a setting (`field=value`) asks for another end of a match.
pub(crate) fn rules_of_deals(rules: &RuleSet, set: &[String]) -> Result<RuleSet, ConfigError> {
    let of_deals = |preset: &RuleSet| {
        differing_fields(rules, preset).filter(|field| !OF_MATCHES.contains(field)).count()
    };
    let nearest = RuleSet::PRESETS.into_iter().map(|(_, preset)| preset).min_by_key(of_deals);
    let Some(preset) = nearest else { return Ok(*rules) };
    let given = |field: &&str| {
        set.iter().any(|setting| setting.split_once('=').is_some_and(|(path, _)| path.trim() == *field))
    };
    if let Some(field) =
        differing_fields(rules, &preset).filter(|field| OF_MATCHES.contains(field)).find(given)
    {
        return Err(ConfigError::FieldOfMatches(field));
    }
    let same = rules.with(|options| {
        options.game.target = preset.game.target;
        options.game.exceed = preset.game.exceed;
        options.game.both_reached = preset.game.both_reached;
    });
    // Other fields do not depend on these.
    Ok(same.unwrap_or(*rules))
}

impl RunConfig {
    /// Returns the configuration of a command line without what has no effect in files, where it can stand for
    /// another run.
    ///
    /// # Errors
    ///
    /// Names the flag that has no effect: a setting, or `--forfeit`.
    pub(crate) fn of_flags(self, set: &[String]) -> Result<Self, ConfigError> {
        let mut bots = self.bots.iter().flat_map(TeamSpec::partners).chain(self.freeze.bot());
        let may_fail =
            |bot: &BotSpec| bot.has_program() || bot.bidder_batch().is_some() || bot.player_batch().is_some();
        if self.forfeit && !bots.any(may_fail) {
            return Err(ConfigError::ForfeitWithoutProgram);
        }
        let rules = if self.unit == Unit::Deal { rules_of_deals(&self.rules, set)? } else { self.rules };
        Ok(Self { rules, ..self })
    }

    /// Checks that the forms that a command line asks for are written.
    ///
    /// # Errors
    ///
    /// Names the flag that has no effect.
    pub(crate) fn check_forms(&self, table: bool, lines: bool) -> Result<(), ConfigError> {
        if table && !self.records.has_table() {
            return Err(ConfigError::NoTable(self.records));
        }
        if lines && !self.records.has_lines() {
            return Err(ConfigError::NoLines(self.records));
        }
        Ok(())
    }
}
