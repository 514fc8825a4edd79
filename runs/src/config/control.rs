//! The control of a run: a cheap pair of bots that plays the same deals, as a control variate.

use core::fmt;

use coinche_bots::{Registry, TeamSpec};
use coinche_selfplay::{Encounter, Format, OutOfRange, Result};

use super::error::ConfigError;
use super::{MOST_DEALS, Records, RunConfig, TimesMode};

/// The default number of extra deals on which the control's mean is measured.
const DEFAULT_CONTROL_DEALS: u64 = 1_000_000;

/// The minimum number of extra deals: fewer do not determine the mean well enough.
const LEAST_CONTROL_DEALS: u64 = 1000;

/// A cheap pair of bots that plays the deals of a run in addition to its bots.
///
/// The difference of the pair is correlated with that of the bots, and its mean is known from many other deals: its
/// deviation from that mean on the deals of the run shows how lucky they are for the bots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// The pair.
    pub bots: [TeamSpec; 2],
    /// The number of extra deals on which its mean is measured, including those of other shards.
    pub deals: u64,
}

impl Control {
    /// Reads the control of a run; `None` if there is none.
    pub(super) fn read(
        bots: Option<&[String]>,
        deals: Option<u64>,
        format: Format,
        is_of_matches: bool,
        registry: &Registry,
    ) -> Result<Option<Self>> {
        let Some(bots) = bots else {
            return if deals.is_some() { Err(ConfigError::DealsWithoutControl.into()) } else { Ok(None) };
        };
        let [a, b] = bots else { return Err(ConfigError::ControlBots(bots.len()).into()) };
        if format == Format::Crossplay {
            return Err(ConfigError::ControlOfCrossplay.into());
        }
        if is_of_matches {
            return Err(ConfigError::ControlOfMatches.into());
        }
        let bots = [registry.parse_team(a)?, registry.parse_team(b)?];
        if bots[0] == bots[1] {
            return Err(ConfigError::ControlWithItself(bots[0].to_string()).into());
        }
        if let Some(bot) = bots.iter().flat_map(TeamSpec::partners).find(|bot| bot.has_program()) {
            return Err(ConfigError::ControlProgram(bot.to_string()).into());
        }
        let deals = deals.unwrap_or(DEFAULT_CONTROL_DEALS);
        OutOfRange::check("control-deals", deals, LEAST_CONTROL_DEALS..=MOST_DEALS)?;
        Ok(Some(Self { bots, deals }))
    }
}

/// Returns the control that is known to reduce the variance for two bots, by their names: a bidder that is learned or
/// searches against one by rules, with the same card player.
///
/// For other pairs no control is known to help (`docs/statistics.md`), and the cheap pair itself needs none.
pub fn known_control(bots: [&str; 2]) -> Option<[&'static str; 2]> {
    // A program can have any name, and a team has two bidders.
    if bots.iter().any(|bot| bot.contains("cmd:") || bot.contains('&')) {
        return None;
    }
    // A bot with a single name uses it as bidder and as player.
    let [(first, player), (second, other)] = bots.map(|bot| bot.split_once('+').unwrap_or((bot, bot)));
    let by_rules = |half: &str| half == "rules" || half.starts_with("rules:");
    let is_same = player == other || (by_rules(player) && by_rules(other));
    let known = |bidder: &str| match bidder.split(':').next() {
        Some("dd") => true,
        Some("table") => !by_rules(player),
        _ => false,
    };
    let is_known = is_same && ((known(first) && by_rules(second)) || (by_rules(first) && known(second)));
    is_known.then_some(["table+rules", "rules"])
}

impl fmt::Display for Control {
    /// Shows the pair of the difference.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.bots;
        write!(f, "{a} − {b}")
    }
}

impl RunConfig {
    /// Returns the encounter of the control, which follows those of the bots.
    pub(super) fn encounter_of_control(&self) -> Option<Encounter> {
        let bots = self.bots.len();
        self.control.as_ref().map(|_| Encounter { a: bots, b: bots + 1 })
    }

    /// Returns the number of the bots' own encounters; the control follows them.
    pub fn own_encounters(&self) -> usize {
        self.format.encounters(self.bots.len()).len()
    }

    /// Iterates over all teams that play: the bots, then the control.
    pub fn all_players(&self) -> impl Iterator<Item = &TeamSpec> {
        self.bots.iter().chain(self.control.iter().flat_map(|control| &control.bots))
    }

    /// Returns the run that measures the mean of the control: the same game on independent deals. Its shards are those
    /// of this run.
    pub fn of_control(&self) -> Option<Self> {
        let Control { bots, deals } = self.control.clone()?;
        Some(Self {
            bots: bots.into(),
            format: Format::Match,
            control: None,
            deals,
            seed: self.seed.derived("control"),
            records: Records::None,
            times: TimesMode::None,
            out: None,
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::known_control;

    #[test]
    fn only_what_was_measured_is_suggested() {
        let control = Some(["table+rules", "rules"]);
        for (a, b, expected) in [
            ("dd+rules", "rules", control),
            ("rules", "dd:worlds=3+rules", control),
            ("dd+rules", "rules:caution=5", control),
            ("dd+pimc:worlds=10", "rules+pimc:worlds=10", control),
            ("table+pimc", "rules+pimc", control),
            // For these no control is known to help, or it is known that none does.
            ("table+rules", "rules", None),
            ("table+pimc", "rules+pimc:worlds=10", None),
            ("table+pimc", "rules", None),
            ("dd+rules", "table+rules", None),
            ("dd:worlds=3+rules", "dd:worlds=4+rules", None),
            ("rules", "rules:caution=5", None),
            ("dd+rules&rules", "rules", None),
            ("cmd:dd+rules", "rules", None),
        ] {
            assert_eq!(known_control([a, b]), expected, "{a} against {b}");
        }
    }
}
