//! An entry of the registry: what a bot is called, and how to make it.

use core::fmt;
use std::borrow::Cow;
use std::sync::Arc;

use coinche_engine::RuleSet;

use crate::batch::{BatchMaker, BatchSeat, MakeBatchBot};
use crate::{Bidder, CardPlayer, OpenPlayer, ParamError, ParamInfo, Params, Player};

/// Makes bidders that read the same parameters.
pub(crate) type MakeBidder = Arc<dyn Fn() -> Box<dyn Bidder> + Send + Sync>;
/// Makes card players that read the same parameters.
pub(crate) type MakePlayer = Arc<dyn Fn() -> Player + Send + Sync>;
/// The parameters that depend on others, such as a file.
type MoreParams = fn(&Params) -> Result<Vec<ParamInfo>, ParamError>;
/// Checks that a bidder with these parameters is for the rules of a game.
type FitsRules = fn(&Params, &RuleSet) -> Result<(), ParamError>;
/// What a bot is called, and the parameters that the name stands for.
pub(crate) type Called = fn(&Params) -> Option<(String, &'static [&'static str])>;
type ReadBidder = Arc<dyn Fn(&Params) -> Result<MakeBidder, ParamError> + Send + Sync>;
type ReadPlayer = Arc<dyn Fn(&Params) -> Result<MakePlayer, ParamError> + Send + Sync>;

/// The parameter of every player that sees all hands. It cannot be chosen: it is there to be part of the name, so that
/// wherever the player is named it says what it is.
const SEES: ParamInfo = params! {
    "sees" = "all", "all", "marks a cheater: it sees all hands; always part of the name";
}[0];

/// An entry of a [`Registry`](crate::Registry): a bidder, a card player, or both.
///
/// A bot is made in two steps. When a specification is parsed, its parameters are read, and with them the files that
/// they name ([`Params::file`]): here everything that is wrong is refused. What that gives back makes the bidder or
/// player of each seat, as often as it is asked, and cannot fail.
///
/// ```
/// use coinche_bots::{Agent, Bidder, BotInfo, ParamInfo, Registry};
/// use coinche_engine::{Call, Key, LegalCalls, View};
///
/// /// Passes now and then, else makes the first call.
/// struct Shy {
///     pass: f64,
/// }
///
/// impl Agent for Shy {}
///
/// impl Bidder for Shy {
///     fn call(&mut self, _view: &View<'_>, legal: &LegalCalls, key: Key) -> Call {
///         if key.happens(self.pass) { Call::Pass } else { legal.nth(0).unwrap_or(Call::Pass) }
///     }
/// }
///
/// const PASS: ParamInfo =
///     ParamInfo { name: "pass", default: "0.9", legal: "0 to 1", about: "the probability of a pass" };
///
/// let shy = BotInfo::new("shy", "mostly passes").bidder(&[PASS], |params| {
///     let pass = params.number("pass", 0.0..=1.0)?;
///     Ok(move || Shy { pass })
/// });
/// let registry = Registry::builtin().with(shy)?;
/// assert_eq!(registry.parse("shy:pass=0.5+rules")?.build().name(), "shy:pass=0.5+rules");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct BotInfo {
    name: Cow<'static, str>,
    about: Cow<'static, str>,
    details: Cow<'static, str>,
    bidder_params: Vec<ParamInfo>,
    player_params: Vec<ParamInfo>,
    pub(crate) bidder: Option<ReadBidder>,
    pub(crate) player: Option<ReadPlayer>,
    pub(crate) batch: Option<BatchMaker>,
    /// Whether it was added to the bots of this crate.
    pub(crate) is_outside: bool,
    pub(crate) more: Option<MoreParams>,
    pub(crate) fits: Option<FitsRules>,
    pub(crate) called: Option<Called>,
}

impl BotInfo {
    /// Names a bot, and says what it does in a sentence.
    pub fn new(name: impl Into<Cow<'static, str>>, about: impl Into<Cow<'static, str>>) -> Self {
        Self {
            name: name.into(),
            about: about.into(),
            details: Cow::Borrowed(""),
            bidder_params: Vec::new(),
            player_params: Vec::new(),
            bidder: None,
            player: None,
            batch: None,
            is_outside: false,
            more: None,
            fits: None,
            called: None,
        }
    }

    /// Describes the bot in some sentences more, for people.
    #[must_use]
    pub fn with_details(mut self, details: impl Into<Cow<'static, str>>) -> Self {
        self.details = details.into();
        self
    }

    /// Gives it a bidder: `read` reads these parameters, and returns how to make the bidder of a seat.
    #[must_use]
    pub fn bidder<B: Bidder + 'static, M: Fn() -> B + Send + Sync + 'static>(
        mut self,
        params: &[ParamInfo],
        read: impl Fn(&Params) -> Result<M, ParamError> + Send + Sync + 'static,
    ) -> Self {
        self.bidder_params = params.to_vec();
        self.bidder = Some(Arc::new(move |params| {
            let make = read(params)?;
            Ok(Arc::new(move || Box::new(make())))
        }));
        self
    }

    /// Gives its bidder parameters that depend on the others, such as the numbers in a file that one of them names.
    #[must_use]
    pub fn more_params(mut self, more: fn(&Params) -> Result<Vec<ParamInfo>, ParamError>) -> Self {
        self.more = Some(more);
        self
    }

    /// Says how its bidder is checked against the rules of a game, for a bidder that is not for all rules.
    #[must_use]
    pub fn for_rules(mut self, fits: fn(&Params, &RuleSet) -> Result<(), ParamError>) -> Self {
        self.fits = Some(fits);
        self
    }

    /// Says what a bot of these parameters is called, and which of them the name stands for.
    #[must_use]
    pub(crate) fn called_by(mut self, called: Called) -> Self {
        self.called = Some(called);
        self
    }

    /// Gives it a card player: `read` reads these parameters, and returns how to make the player of a seat.
    #[must_use]
    pub fn player<P: CardPlayer + 'static, M: Fn() -> P + Send + Sync + 'static>(
        mut self,
        params: &[ParamInfo],
        read: impl Fn(&Params) -> Result<M, ParamError> + Send + Sync + 'static,
    ) -> Self {
        self.player_params = params.to_vec();
        self.player = Some(Arc::new(move |params| {
            let make = read(params)?;
            Ok(Arc::new(move || Player::fair(make())))
        }));
        self
    }

    /// Gives it a card player that sees all hands, with `sees=all` as one more parameter.
    #[must_use]
    pub fn open_player<P: OpenPlayer + 'static, M: Fn() -> P + Send + Sync + 'static>(
        mut self,
        params: &[ParamInfo],
        read: impl Fn(&Params) -> Result<M, ParamError> + Send + Sync + 'static,
    ) -> Self {
        self.player_params = [params, &[SEES]].concat();
        self.player = Some(Arc::new(move |params| {
            if params.text(SEES.name) != SEES.default {
                return Err(params.illegal(SEES.name));
            }
            let make = read(params)?;
            Ok(Arc::new(move || Player::open(make())))
        }));
        self
    }

    /// Makes it a bot that bids and plays by deciding for many deals at once. The arena's tables ask the objects that are made here
    /// about all legs in flight; wherever else it plays, each question is a batch of one.
    #[must_use]
    pub fn batch(self, make: impl MakeBatchBot + 'static) -> Self {
        let bot = BatchMaker(Arc::new(make));
        let (bidder, player) = (bot.clone(), bot.clone());
        let this = self
            .bidder(&[], move |_| {
                let bot = bidder.clone();
                Ok(move || BatchSeat::new(bot.make()))
            })
            .player(&[], move |_| {
                let bot = player.clone();
                Ok(move || BatchSeat::new(bot.make()))
            });
        Self { batch: Some(bot), ..this }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what it does, in a sentence.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Returns what else there is to say of it; empty where nothing is.
    pub fn details(&self) -> &str {
        &self.details
    }

    /// Returns the parameters of its bidder.
    pub fn bidder_params(&self) -> &[ParamInfo] {
        &self.bidder_params
    }

    /// Returns the parameters of its card player.
    pub fn player_params(&self) -> &[ParamInfo] {
        &self.player_params
    }

    /// Tests if it has a bidder.
    pub const fn bids(&self) -> bool {
        self.bidder.is_some()
    }

    /// Tests if it has a card player.
    pub const fn plays(&self) -> bool {
        self.player.is_some()
    }

    /// Tests if its card player sees all hands.
    pub fn sees_all(&self) -> bool {
        self.player_params.contains(&SEES)
    }
}

impl fmt::Debug for BotInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BotInfo")
            .field("name", &self.name)
            .field("bids", &self.bids())
            .field("plays", &self.plays())
            .finish_non_exhaustive()
    }
}
