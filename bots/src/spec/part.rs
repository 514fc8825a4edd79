//! The parts of a specification, and what is made of them.

use core::fmt;
use std::sync::Arc;

use coinche_engine::RuleSet;

use crate::batch::{BatchMaker, PYTHON};
use crate::files::Files;
use crate::info::{MakeBidder, MakePlayer};
use crate::program::StandIn;
use crate::spec::{Find, is_label};
use crate::{
    BotInfo, ParamError, ParamInfo, Params, ParseBotError, Player, Program, RulesBidder, RulesPlayer, command,
};

/// One `name:key=value,…` or program of a specification.
#[derive(Debug, Clone)]
pub(super) struct SpecPart {
    pub(super) text: String,
    /// The bot of the name; `None` of a program.
    pub(super) bot: Option<Arc<BotInfo>>,
}

/// What is used of a part, with the parameters that then are legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Both,
    Bidder,
    Player,
}

/// What makes the calls, or what plays the cards.
#[derive(Clone)]
pub(super) struct Half<M> {
    pub(super) origin: Origin,
    pub(super) make: M,
    /// Whether it is for the rules of a game; for all where there is no such check.
    pub(super) fits: Option<Fits>,
}

/// Checks that what was read is for the rules of a game.
pub(super) type Fits = Arc<dyn Fn(&RuleSet) -> Result<(), ParamError> + Send + Sync>;

/// Where a half comes from: halves of one origin are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    /// The part of a specification that it is taken from.
    pub(super) text: String,
    used: Use,
    pub(super) program: Option<Program>,
    pub(super) batch: Option<BatchMaker>,
    /// Whether it may remember what other objects of it were asked: no bot of this crate does.
    pub(super) may_remember: bool,
    /// Whether it sees all hands.
    pub(super) sees_all: bool,
}

impl Origin {
    /// Of a half that is not asked.
    fn rules() -> Self {
        Self {
            text: "rules".to_owned(),
            used: Use::Both,
            program: None,
            batch: None,
            may_remember: false,
            sees_all: false,
        }
    }

    fn of(part: &SpecPart, used: Use) -> Result<Self, ParseBotError> {
        let program = part.bot.is_none().then(|| Program::parse(&part.text)).transpose()?;
        let batch = part.bot.as_ref().and_then(|bot| bot.batch.clone());
        let may_remember = part.bot.as_ref().is_some_and(|bot| bot.is_outside)
            && batch.as_ref().is_none_or(|batch| !batch.is_apart());
        Ok(Self { text: part.text.clone(), used, program, batch, may_remember, sees_all: false })
    }
}

impl<M> fmt::Debug for Half<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.origin.fmt(f)
    }
}

/// The name of a bidder or card player in a specification, and its parameters.
pub(super) fn split_name(part: &str) -> (&str, &str) {
    let from = if part.starts_with(PYTHON) { PYTHON.len() } else { 0 };
    match part[from..].split_once(':') {
        Some((name, params)) => (&part[..from + name.len()], params),
        None => (part, ""),
    }
}

/// The parameters that a bot declares.
fn declared(bot: &BotInfo, used: Use) -> Vec<ParamInfo> {
    match used {
        Use::Both => [bot.bidder_params(), bot.player_params()].concat(),
        Use::Bidder => bot.bidder_params().to_vec(),
        Use::Player => bot.player_params().to_vec(),
    }
}

impl SpecPart {
    /// Finds the bot of a part, unless it is a program.
    pub(super) fn find(text: &str, find: &Find<'_>) -> Result<Self, ParseBotError> {
        let found = (!Program::is_meant(text)).then(|| find(split_name(text).0)).transpose();
        let bot = found.map_err(|error| match command::recognised(text) {
            Some(spec) => ParseBotError::UnmarkedProgram { text: text.to_owned(), spec },
            None => error,
        })?;
        Ok(Self { text: text.to_owned(), bot })
    }

    /// What is used of a part that stands where only a bidder or only a player is wanted: of a bot that is both, the
    /// parameters of both are legal.
    pub(super) fn alone(&self, used: Use) -> Use {
        if self.bot.as_ref().is_some_and(|bot| bot.bids() && bot.plays()) { Use::Both } else { used }
    }

    /// What it is called: the name of a program that has one, and of a system with the parameters beside it; else its text.
    pub(super) fn name(&self, files: &Files) -> String {
        let name = match &self.bot {
            None => Program::parse(&self.text).ok().and_then(|program| program.name),
            Some(bot) => self.name_of(bot, files),
        };
        name.unwrap_or_else(|| self.text.clone())
    }

    fn name_of(&self, bot: &BotInfo, files: &Files) -> Option<String> {
        let called = bot.called?;
        let params = self.params(bot, bot.bidder_params(), Use::Bidder, files).ok()?;
        let (name, by) = called(&params).filter(|(name, _)| is_label(name))?;
        let others = split_name(&self.text).1.split(',').filter_map(|param| param.split_once('='));
        let others: Vec<_> = others.filter(|(key, _)| !by.contains(key)).collect();
        let others: Vec<_> = others.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let between = if others.is_empty() { "" } else { ":" };
        Some(format!("{name}{between}{}", others.join(",")))
    }

    /// The parameters that it may have.
    pub(super) fn known(&self, used: Use, files: &Files) -> Vec<ParamInfo> {
        let Some(bot) = &self.bot else { return Vec::new() };
        self.all_known(bot, used, files).unwrap_or_else(|_| declared(bot, used))
    }

    /// The same with those that depend on others.
    fn all_known(&self, bot: &BotInfo, used: Use, files: &Files) -> Result<Vec<ParamInfo>, ParamError> {
        let mut known = declared(bot, used);
        if let Some(more) = bot.more.filter(|_| used != Use::Player) {
            let given = Params::unchecked(bot.name(), &known, split_name(&self.text).1, files)?;
            known.extend(more(&given)?);
        }
        Ok(known)
    }

    /// The parameters of a half, `own`, beside those of the other: of a name that both have each half has its own default.
    fn params(
        &self,
        bot: &BotInfo,
        own: &[ParamInfo],
        used: Use,
        files: &Files,
    ) -> Result<Params, ParamError> {
        let known = [own, &self.all_known(bot, used, files)?].concat();
        Params::with_files(bot.name(), &known, split_name(&self.text).1, files)
    }

    /// Reads the bidder.
    pub(super) fn bidder(&self, used: Use, files: &Files) -> Result<Half<MakeBidder>, ParseBotError> {
        let origin = Origin::of(self, used)?;
        let mut fits: Option<Fits> = None;
        let make: MakeBidder = match &self.bot {
            None => Arc::new(|| Box::new(StandIn)),
            Some(bot) => {
                let read =
                    bot.bidder.as_ref().ok_or_else(|| ParseBotError::NoBidder(bot.name().to_owned()))?;
                let params = self.params(bot, bot.bidder_params(), used, files)?;
                let make = read(&params)?;
                if let Some(check) = bot.fits {
                    fits = Some(Arc::new(move |rules| check(&params, rules)));
                }
                make
            }
        };
        Ok(Half { origin, make, fits })
    }

    /// Reads the card player.
    pub(super) fn player(&self, used: Use, files: &Files) -> Result<Half<MakePlayer>, ParseBotError> {
        let mut origin = Origin::of(self, used)?;
        let make: MakePlayer = match &self.bot {
            None => Arc::new(|| Player::fair(StandIn)),
            Some(bot) => {
                let read =
                    bot.player.as_ref().ok_or_else(|| ParseBotError::NoPlayer(bot.name().to_owned()))?;
                read(&self.params(bot, bot.player_params(), used, files)?)?
            }
        };
        origin.sees_all = make().sees_all();
        Ok(Half { origin, make, fits: None })
    }
}

impl<M> Half<M> {
    /// Says what is used of its part, where the other half is left out.
    pub(super) fn used_as(mut self, used: Use) -> Self {
        self.origin.used = used;
        self
    }

    /// Gives the program of a part another name, with the text of the part that says so.
    pub(super) fn rename(&mut self, from: &str, to: &str, name: &str) {
        let Origin { text, program, .. } = &mut self.origin;
        if let Some(program) = program.as_mut().filter(|_| text == from) {
            program.name = Some(name.to_owned());
            to.clone_into(text);
        }
    }
}

impl Half<MakeBidder> {
    /// The bidder `rules`, for players for whom somebody else bids anyway.
    pub(super) fn rules_bidder() -> Self {
        Self { origin: Origin::rules(), make: Arc::new(|| Box::new(RulesBidder::default())), fits: None }
    }
}

impl Half<MakePlayer> {
    /// The card player `rules`, for bidders whose cards somebody else plays anyway.
    pub(super) fn rules() -> Self {
        Self { origin: Origin::rules(), make: Arc::new(|| Player::fair(RulesPlayer)), fits: None }
    }
}
