//! Programs in a configuration: detects unmarked ones, starts each once, and names them.

use std::path::Path;

use coinche_bots::{BotSpec, ParseBotError, Program, Registry, TeamSpec, is_on_path, shell_quoted};
use coinche_selfplay::{ArenaError, Freeze, FrozenPlayer, Result};

use super::error::ConfigError;
use super::{Confine, Crossplay, RunConfig};
use coinche_protocol::ProgramInfo;

/// Adds the corrected list of bots to the error if one of them is a program's command without `cmd:` or, as separate
/// words, without quotes.
pub(super) fn with_correction(error: ArenaError, given: &[String]) -> ArenaError {
    let ArenaError::Bot(error) = error else { return error };
    let place = |name: &str| given.iter().position(|bot| bot.trim() == name);
    // `cmd:python3 bot.py` given as two words.
    let continued = |name: &str| {
        let at = place(name).filter(|at| *at > 0 && Path::new(name).is_file())?;
        let before = given[at - 1].trim();
        is_on_path(before.strip_prefix("cmd:")?)
            .then(|| (at - 1..at + 1, format!("{before} {}", shell_quoted(name))))
    };
    let corrected = match &error {
        ParseBotError::UnmarkedProgram { text: name, .. } | ParseBotError::UnknownBot { name, .. }
            if continued(name).is_some() =>
        {
            continued(name)
        }
        ParseBotError::UnmarkedProgram { text, spec } => place(text).map(|at| (at..at + 1, spec.clone())),
        ParseBotError::UnknownBot { name, .. } if is_on_path(name) => {
            // `python3 bot.py` given as two words.
            let at = given.windows(2).position(|pair| pair[0] == *name && Path::new(&pair[1]).is_file());
            at.map(|at| (at..at + 2, format!("cmd:{} {}", given[at], shell_quoted(&given[at + 1]))))
        }
        _ => None,
    };
    let Some((words, spec)) = corrected else { return error.into() };
    let mut bots: Vec<_> = given.iter().map(|bot| shell_quoted(bot)).collect();
    let text = given[words.clone()].join(" ");
    bots.splice(words, [shell_quoted(&spec)]);
    ConfigError::UnmarkedProgram { text, bots: bots.join(" ") }.into()
}

impl RunConfig {
    /// Returns the programs that will be used, each once, with the bot that contains it.
    pub fn programs(&self) -> Vec<(String, Program)> {
        let mut found: Vec<(String, Program)> = Vec::new();
        let mut add = |bot: &BotSpec, program: Option<&Program>| {
            if let Some(program) = program.filter(|program| found.iter().all(|(_, other)| other != *program))
            {
                found.push((bot.to_string(), program.clone()));
            }
        };
        let own = self.bots.iter().flat_map(TeamSpec::partners);
        for bot in own {
            if !self.freeze.is_auction() {
                add(bot, bot.bidder_program());
            }
            if !matches!(self.freeze, Freeze::Play(_)) {
                add(bot, bot.player_program());
            }
        }
        match &self.freeze {
            Freeze::None | Freeze::Play(FrozenPlayer::Solver) => {}
            Freeze::Auction(bot) => add(bot, bot.bidder_program()),
            Freeze::Play(FrozenPlayer::Bot(bot)) => add(bot, bot.player_program()),
        }
        found
    }

    /// Starts every program once, to report problems before the run, and returns their self-descriptions.
    pub fn probe(&self) -> Result<Vec<ProgramInfo>> {
        coinche_protocol::probe(&self.rules, self.programs())
    }

    /// Probes the programs, and returns the configuration in which unnamed programs have the names that they reported.
    pub fn meet(self, registry: &Registry) -> Result<(Self, Vec<ProgramInfo>)> {
        self.check_batch_bots()?;
        let programs = self.programs();
        if programs.is_empty() {
            return Ok((self, Vec::new()));
        }
        let sandbox = self.confine.map(|confine| (confine == Confine::Network, self.out.as_deref()));
        coinche_protocol::confine(sandbox)?;
        let mut infos = self.probe()?;
        let names = Self::names_of(&programs, &infos, registry);
        let this = self.renamed(&|program| {
            let at = programs.iter().position(|(_, other)| other == program)?;
            names[at].clone()
        });
        for (info, (bot, _)) in infos.iter_mut().zip(this.programs()) {
            info.bot = bot;
        }
        Ok((this, infos))
    }

    /// Checks that the batch bots can play this configuration.
    fn check_batch_bots(&self) -> Result<(), ConfigError> {
        let bots = self.bots.iter().flat_map(TeamSpec::partners).chain(self.freeze.bot());
        for bot in bots {
            for batch in [bot.bidder_batch(), bot.player_batch()].into_iter().flatten() {
                let bot = bot.to_string();
                batch.ready().map_err(|reason| ConfigError::CannotPlay { bot, reason })?;
            }
        }
        Ok(())
    }

    /// Chooses a name for each program: the given one, or the one from its `hello`, with a number appended if a
    /// built-in bot or another program already has it.
    fn names_of(
        programs: &[(String, Program)],
        infos: &[ProgramInfo],
        registry: &Registry,
    ) -> Vec<Option<String>> {
        let mut names: Vec<Option<String>> = Vec::new();
        for ((_, program), info) in programs.iter().zip(infos) {
            let wanted = program.name.clone().or_else(|| Program::to_name(&info.name));
            names.push(wanted.and_then(|wanted| {
                let numbered = (2..).map(|number| format!("{wanted}-{number}"));
                let is_free = |name: &String| {
                    registry.bots().all(|bot| bot.name() != name)
                        && names.iter().flatten().all(|other| other != name)
                };
                core::iter::once(wanted.clone()).chain(numbered).find(is_free)
            }));
        }
        names
    }

    /// Returns the configuration with names for programs.
    fn renamed(self, name: &dyn Fn(&Program) -> Option<String>) -> Self {
        let of_bot = |bot: &BotSpec| bot.with_program_names(name);
        let crossplay = self.crossplay.map(|Crossplay { bots, against }| Crossplay {
            bots: bots.iter().map(of_bot).collect(),
            against: of_bot(&against),
        });
        let bots = match &crossplay {
            Some(crossplay) => crossplay.teams(),
            None => self.bots.iter().map(|team: &TeamSpec| team.with_program_names(name)).collect(),
        };
        let freeze = match self.freeze {
            Freeze::Auction(bot) => Freeze::Auction(Box::new(of_bot(&bot))),
            Freeze::Play(FrozenPlayer::Bot(bot)) => Freeze::Play(FrozenPlayer::Bot(Box::new(of_bot(&bot)))),
            other => other,
        };
        Self { bots, crossplay, freeze, ..self }
    }
}
