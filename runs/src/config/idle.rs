//! Rejects flags that have no effect given the others, because the user expects one.

use coinche_bots::{BotSpec, TeamSpec};
use coinche_engine::RuleSet;
use coinche_engine::rules::PassedOut;
use coinche_selfplay::{Unit, complain};

use super::command::differing_fields;
use super::{ConfigError, RunConfig};

/// The fields of rules that only affect the end of a match; a tie also affects single deals.
const OF_MATCHES: [&str; 9] = [
    "match.target",
    "match.deals",
    "match.exceed",
    "match.both_reached",
    "match.slam_wins",
    "match.finish",
    "deal.passed_out",
    "deal.reshuffle",
    "deal.least_cut",
];

/// Returns rules for single deals, with the match end of the nearest preset, since no match is played: the same game
/// then always has the same rules and the same command.
pub fn rules_of_deals(rules: &RuleSet, set: &[String]) -> Result<RuleSet, ConfigError> {
    note_misdeals(set);
    // Who must bid is of deals.
    let must_bid = rules.deal.passed_out == PassedOut::Never;
    let is_of_matches =
        |field: &&'static str| OF_MATCHES.contains(field) && !(must_bid && *field == "deal.passed_out");
    let of_deals =
        |preset: &RuleSet| differing_fields(rules, preset).filter(|field| !is_of_matches(field)).count();
    let nearest = RuleSet::ALL.into_iter().min_by_key(|(_, preset)| of_deals(preset));
    let Some((name, preset)) = nearest else { return Ok(*rules) };
    let given = |field: &&str| {
        set.iter().any(|setting| setting.split_once('=').is_some_and(|(path, _)| path.trim() == *field))
    };
    let of_matches = || differing_fields(rules, &preset).filter(is_of_matches);
    if let Some(field) = of_matches().find(given) {
        return Err(ConfigError::FieldOfMatches(field));
    }
    for field in of_matches() {
        complain(format_args!(
            "note: {field} of the rules has no effect on single deals, which are written with that of `{name}`"
        ));
    }
    let same = rules.with(|options| {
        options.game.target = preset.game.target;
        options.game.deals = preset.game.deals;
        options.game.exceed = preset.game.exceed;
        options.game.both_reached = preset.game.both_reached;
        options.game.slam_wins = preset.game.slam_wins;
        options.game.finish = preset.game.finish;
        options.deal.reshuffle = preset.deal.reshuffle;
        options.deal.least_cut = preset.deal.least_cut;
        if !must_bid {
            options.deal.passed_out = preset.deal.passed_out;
        }
    });
    // Other fields do not depend on these.
    Ok(same.unwrap_or(*rules))
}

/// Rejects fields of rules given on the command line that a command does not use.
pub fn check_fields(
    set: &[String],
    is_used: impl Fn(&str) -> bool,
    used: &'static str,
) -> Result<(), ConfigError> {
    let mut fields = set.iter().filter_map(|setting| setting.split_once('=')).map(|(path, _)| path.trim());
    match fields.find(|path| !is_used(path)) {
        Some(field) => Err(ConfigError::UnusedField { field: field.to_owned(), used }),
        None => Ok(()),
    }
}

/// Notes that nobody misdeals where deals are played by bots.
fn note_misdeals(set: &[String]) {
    for field in ["deal.misdeal_penalty", "deal.misdeal_credit"] {
        if set.iter().any(|setting| setting.trim_start().starts_with(field)) {
            complain(format_args!(
                "note: {field} has no effect on deals that are played here: nobody misdeals"
            ));
        }
    }
}

impl RunConfig {
    /// Rejects or normalises settings of a command line that have no effect, so that equal runs have equal files.
    pub fn of_flags(self, set: &[String]) -> Result<Self, ConfigError> {
        let mut bots = self.bots.iter().flat_map(TeamSpec::partners).chain(self.freeze.bot());
        let may_fail =
            |bot: &BotSpec| bot.has_program() || bot.bidder_batch().is_some() || bot.player_batch().is_some();
        if self.forfeit && !bots.any(may_fail) {
            return Err(ConfigError::WithoutProgram("forfeit"));
        }
        if self.confine.is_some() && self.programs().is_empty() {
            return Err(ConfigError::WithoutProgram("confine"));
        }
        let rules = if self.unit == Unit::Deal {
            rules_of_deals(&self.rules, set)?
        } else {
            note_misdeals(set);
            self.rules
        };
        Ok(Self { rules, ..self })
    }

    /// Checks that the file formats given on the command line are used.
    pub fn check_forms(&self, table: bool, lines: bool) -> Result<(), ConfigError> {
        if table && !self.records.has_table() {
            return Err(ConfigError::NoTable(self.records));
        }
        if lines && !self.records.has_lines() {
            return Err(ConfigError::NoLines(self.records));
        }
        Ok(())
    }
}
