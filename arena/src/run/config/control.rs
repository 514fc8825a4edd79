//! The control of a run: a cheap pair of bots that plays the same deals, as a control variate.

use core::fmt;

use coinche_bots::{Registry, TeamSpec};
use coinche_selfplay::base::error::{ArenaError, OutOfRange};
use coinche_selfplay::play::schedule::{Encounter, Format};

use super::error::ConfigError;
use super::{MOST_DEALS, Records, RunConfig, TimesMode};

/// On how many other deals the control's mean is measured when no number is given.
const DEFAULT_CONTROL_DEALS: u64 = 1_000_000;

/// The fewest: fewer say too little of the mean.
const LEAST_CONTROL_DEALS: u64 = 1000;

/// A cheap pair of bots that plays the deals of a run beside its bots.
///
/// The difference of the pair goes up and down with that of the bots, and its mean is measured on many other deals:
/// what the deals of the run happen to be worth to the pair tells how lucky they are for the bots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control {
    /// The pair.
    pub bots: [TeamSpec; 2],
    /// On how many other deals its mean is measured, those of other shards included.
    pub deals: u64,
}

impl Control {
    /// Reads the control of a run; `None` where none is asked for.
    pub(super) fn read(
        bots: Option<&[String]>,
        deals: Option<u64>,
        format: Format,
        is_of_matches: bool,
        registry: &Registry,
    ) -> Result<Option<Self>, ArenaError> {
        let Some(bots) = bots else {
            return if deals.is_some() { Err(ConfigError::DealsWithoutControl.into()) } else { Ok(None) };
        };
        let [a, b] = bots else { return Err(ConfigError::ControlBots(bots.len()).into()) };
        if format != Format::Match {
            return Err(ConfigError::ControlOfSeveral(format).into());
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

impl fmt::Display for Control {
    /// Shows whose difference it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.bots;
        write!(f, "{a} − {b}")
    }
}

impl RunConfig {
    /// Returns the encounter of the control: behind those of the bots.
    pub(super) fn encounter_of_control(&self) -> Option<Encounter> {
        let bots = self.bots.len();
        self.control.as_ref().map(|_| Encounter { a: bots, b: bots + 1 })
    }

    /// Iterates over all who play: the bots, then those of the control.
    pub(crate) fn all_players(&self) -> impl Iterator<Item = &TeamSpec> {
        self.bots.iter().chain(self.control.iter().flat_map(|control| &control.bots))
    }

    /// Returns the run that measures the mean of the control: the same game on deals that have nothing to do with those
    /// of this run. Its shards are those of this run.
    pub(crate) fn of_control(&self) -> Option<Self> {
        let Control { bots, deals } = self.control.clone()?;
        Some(Self {
            bots: bots.into(),
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
