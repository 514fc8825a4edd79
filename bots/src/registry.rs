//! Bots by name: `rules`, `random:pass=0.9`, `rules+random`.

use core::fmt;
use core::ops::RangeInclusive;
use core::str::FromStr;

use crate::program::{Elsewhere, Program, split_at};
use crate::{
    AlphaMuPlayer, Bidder, Bot, DdBidder, IsmctsPlayer, McPlayer, PimcPlayer, Player, RandomBidder,
    RandomPlayer, RulesBidder, RulesPlayer, SolverPlayer, TableBidder,
};

/// A parameter of a bot, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParamInfo {
    /// Its name, as in `name=value`.
    pub name: &'static str,
    /// The value when it is not given.
    pub default: &'static str,
    /// The legal values in words.
    pub legal: &'static str,
    /// What it does.
    pub about: &'static str,
}

type BuildBidder = fn(&Params) -> Result<Box<dyn Bidder>, ParseBotError>;
type BuildPlayer = fn(&Params) -> Result<Player, ParseBotError>;

/// An entry of the registry: a bidder, a card player, or both.
#[derive(Debug, Clone, Copy)]
pub struct BotInfo {
    /// The name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// The parameters of its bidder.
    pub bidder_params: &'static [ParamInfo],
    /// The parameters of its card player.
    pub player_params: &'static [ParamInfo],
    bidder: Option<BuildBidder>,
    player: Option<BuildPlayer>,
}

impl BotInfo {
    /// Tests if it has a bidder.
    pub const fn bids(&self) -> bool {
        self.bidder.is_some()
    }

    /// Tests if it has a card player.
    pub const fn plays(&self) -> bool {
        self.player.is_some()
    }
}

/// Returns all bots by name, in alphabetical order.
pub const fn registry() -> &'static [BotInfo] {
    &[
        BotInfo {
            name: "alphamu",
            about: "solves worlds as pimc does, but chooses its next cards without knowing the world (αμ)",
            bidder_params: &[],
            player_params: AlphaMuPlayer::PARAMS,
            bidder: None,
            player: Some(|params| Ok(Player::fair(AlphaMuPlayer::from_params(params)?))),
        },
        BotInfo {
            name: "dd",
            about: "bids by deals that fit the calls so far: lets the auction go on in each and solves the contract",
            bidder_params: DdBidder::PARAMS,
            player_params: &[],
            bidder: Some(|params| Ok(Box::new(DdBidder::from_params(params)?))),
            player: None,
        },
        BotInfo {
            name: "ismcts",
            about: "grows a tree of information sets over worlds that fit, and plays the card visited most",
            bidder_params: &[],
            player_params: IsmctsPlayer::PARAMS,
            bidder: None,
            player: Some(|params| Ok(Player::fair(IsmctsPlayer::from_params(params)?))),
        },
        BotInfo {
            name: "mc",
            about: "plays worlds that fit out by a policy, and plays the card of the best mean score",
            bidder_params: &[],
            player_params: McPlayer::PARAMS,
            bidder: None,
            player: Some(|params| Ok(Player::fair(McPlayer::from_params(params)?))),
        },
        BotInfo {
            name: "open",
            about: "sees all hands and plays by the exact solver: no fair player, but an upper bound for them",
            bidder_params: &[],
            player_params: SolverPlayer::PARAMS,
            bidder: None,
            player: Some(|params| Ok(Player::open(SolverPlayer::from_params(params)?))),
        },
        BotInfo {
            name: "pimc",
            about: "solves worlds that fit what the seat knows, and plays the card of the best mean score",
            bidder_params: &[],
            player_params: PimcPlayer::PARAMS,
            bidder: None,
            player: Some(|params| Ok(Player::fair(PimcPlayer::from_params(params)?))),
        },
        BotInfo {
            name: "random",
            about: "uniform over legal calls (biased to pass, so that auctions end) and legal cards",
            bidder_params: RandomBidder::PARAMS,
            player_params: &[],
            bidder: Some(|params| Ok(Box::new(RandomBidder::from_params(params)?))),
            player: Some(|_| Ok(Player::fair(RandomPlayer))),
        },
        BotInfo {
            name: "rules",
            about: "the sense of a decent club player: counts trumps, masters and voids",
            bidder_params: RulesBidder::PARAMS,
            player_params: RulesPlayer::PARAMS,
            bidder: Some(|params| Ok(Box::new(RulesBidder::from_params(params)?))),
            player: Some(|params| Ok(Player::fair(RulesPlayer::from_params(params)?))),
        },
        BotInfo {
            name: "table",
            about: "bids by a table of what hands make and what calls gain, fitted to played deals",
            bidder_params: TableBidder::PARAMS,
            player_params: &[],
            bidder: Some(|params| Ok(Box::new(TableBidder::from_params(params)?))),
            player: None,
        },
    ]
}

fn names() -> String {
    registry().iter().map(|bot| bot.name).collect::<Vec<_>>().join(", ")
}

/// What is wrong with the specification of a bot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseBotError {
    /// No bot of this name.
    #[error(
        "there is no bot `{0}`: expected one of {bots}, a program as `cmd:COMMAND`, or two of them as \
         `bidder+player`",
        bots = names()
    )]
    UnknownBot(String),
    /// Only a card player, where a bidder is needed.
    #[error("bot `{0}` does not bid: name a bidder before it, as in `rules+{0}`")]
    NoBidder(String),
    /// Only a bidder, where a card player is needed.
    #[error("bot `{0}` does not play cards: name a card player after it, as in `{0}+rules`")]
    NoPlayer(String),
    /// The bot has no parameter of this name.
    #[error("bot `{bot}` has no parameter `{name}`: expected {}", if .legal.is_empty() { "none" } else { .legal })]
    UnknownParam {
        /// The bot.
        bot: String,
        /// The parameter that was given.
        name: String,
        /// The parameters that there are.
        legal: String,
    },
    /// A parameter has a value that is not legal.
    #[error("bot `{bot}`: `{name}` cannot be `{value}`: expected {legal}")]
    IllegalValue {
        /// The bot.
        bot: String,
        /// The parameter.
        name: String,
        /// The value that was given.
        value: String,
        /// The legal values in words.
        legal: String,
    },
    /// A file that a parameter names is not what it should be.
    #[error("bot `{bot}`: `{name}`: {why}")]
    File {
        /// The bot.
        bot: String,
        /// The parameter.
        name: String,
        /// What is wrong, and the remedy.
        why: String,
    },
    /// A parameter is not of the form `name=value`, or is there twice.
    #[error("bot `{bot}`: `{text}` is not a parameter: expected `name=value`, each name once")]
    Param {
        /// The bot.
        bot: String,
        /// What was given.
        text: String,
    },
    /// Bidder and card player both have a parameter of this name.
    #[error("both halves of `{bot}` have a parameter `{name}`: say `bidder.{name}` or `player.{name}`")]
    TwoParams {
        /// The bot.
        bot: String,
        /// The parameter.
        name: String,
    },
    /// A program without a command.
    #[error("`{0}` has no command: expected `cmd:COMMAND` or `cmd:key=value,…,run=COMMAND`")]
    NoCommand(String),
    /// A card player beside a bidder, where bidders alone are wanted.
    #[error("`{0}` names a card player: only a bidder is expected here, as in `rules` or `table`")]
    Player(String),
    /// More than one `+`.
    #[error("`{0}` is not a bot: expected `name:key=value,…` or `bidder+player`")]
    Form(String),
    /// More than one `&`.
    #[error("`{0}` is not a team: expected a bot for both seats, or two partners as `A&B`")]
    Team(String),
}

/// The parameters of one bidder or card player: those given, over the defaults.
#[derive(Debug, Clone)]
pub struct Params {
    bot: String,
    known: Vec<ParamInfo>,
    given: Vec<(String, String)>,
}

impl Params {
    /// Returns the text of a parameter: as given, else its default.
    ///
    /// # Panics
    ///
    /// Panics when the bot has no such parameter, which is a bug in the bot.
    pub fn text(&self, name: &str) -> &str {
        let given = self.given.iter().find(|(other, _)| other == name);
        match given {
            Some((_, value)) => value,
            None => self.info(name).default,
        }
    }

    fn info(&self, name: &str) -> ParamInfo {
        *self.known.iter().find(|info| info.name == name).expect("a bot asks for its own parameters")
    }

    /// Returns a parameter that is a number in a range.
    ///
    /// # Errors
    ///
    /// When it is not one.
    pub fn number<T: FromStr + PartialOrd>(
        &self,
        name: &str,
        range: RangeInclusive<T>,
    ) -> Result<T, ParseBotError> {
        let text = self.text(name);
        text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| self.illegal(name))
    }

    /// Tests if a parameter was given.
    pub fn is_given(&self, name: &str) -> bool {
        self.given.iter().any(|(other, _)| other == name)
    }

    /// Returns the error that a parameter's value is not legal.
    pub fn illegal(&self, name: &str) -> ParseBotError {
        ParseBotError::IllegalValue {
            bot: self.bot.clone(),
            name: name.to_owned(),
            value: self.text(name).to_owned(),
            legal: self.info(name).legal.to_owned(),
        }
    }

    /// Parameters of which none was given.
    #[cfg(test)]
    pub(crate) fn defaults(known: &[ParamInfo]) -> Self {
        Self { bot: "test".to_owned(), known: known.to_vec(), given: Vec::new() }
    }

    /// The error of a file that a parameter names.
    pub(crate) fn illegal_file(&self, name: &str, why: &dyn fmt::Display) -> ParseBotError {
        ParseBotError::File { bot: self.bot.clone(), name: name.to_owned(), why: why.to_string() }
    }
}

/// The specification of a bot: which bidder and which card player, with which parameters.
///
/// Its text is `name:key=value,…`, or two of these joined by `+`: the first bids, the second plays.
/// `cmd:COMMAND` is a [`Program`], whole or as one of the two. A card player that sees all hands is called so
/// in the text, given or not: `rules+open` is read as `rules+open:sees=all`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BotSpec {
    text: String,
    bidder: Half,
    player: Half,
}

/// What makes the calls, or what plays the cards.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Half {
    /// The part of a specification that it is taken from.
    text: String,
    used: Use,
    program: Option<Program>,
    /// Whether it sees all hands.
    sees_all: bool,
}

impl Half {
    fn parse(part: &str, used: Use) -> Result<Self, ParseBotError> {
        let program = Program::is_meant(part).then(|| Program::parse(part)).transpose()?;
        Ok(Self { text: part.to_owned(), used, program, sees_all: false })
    }
}

/// One `name:key=value,…`.
struct Part {
    info: &'static BotInfo,
    given: Vec<(String, String)>,
}

impl Part {
    fn parse(text: &str) -> Result<Self, ParseBotError> {
        let (name, params) = text.split_once(':').unwrap_or((text, ""));
        let info = registry()
            .iter()
            .find(|info| info.name == name)
            .ok_or_else(|| ParseBotError::UnknownBot(name.to_owned()))?;
        let mut given: Vec<(String, String)> = Vec::new();
        for param in params.split(',').filter(|param| !param.is_empty()) {
            let error = || ParseBotError::Param { bot: name.to_owned(), text: param.to_owned() };
            let (key, value) = param.split_once('=').ok_or_else(error)?;
            if given.iter().any(|(other, _)| other == key) {
                return Err(error());
            }
            given.push((key.to_owned(), value.to_owned()));
        }
        Ok(Self { info, given })
    }

    /// Checks that all given parameters are known to what is used of the bot.
    fn params(&self, known: &[&'static [ParamInfo]]) -> Result<Params, ParseBotError> {
        let known = known.concat();
        for (name, _) in &self.given {
            if !known.iter().any(|info| info.name == name) {
                return Err(ParseBotError::UnknownParam {
                    bot: self.info.name.to_owned(),
                    name: name.clone(),
                    legal: known.iter().map(|info| info.name).collect::<Vec<_>>().join(", "),
                });
            }
        }
        Ok(Params { bot: self.info.name.to_owned(), known, given: self.given.clone() })
    }
}

/// What is used of a part, with the parameters that then are legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Both,
    Bidder,
    Player,
}

impl Part {
    fn params_for(&self, used: Use) -> Result<Params, ParseBotError> {
        match used {
            Use::Both => self.params(&[self.info.bidder_params, self.info.player_params]),
            Use::Bidder => self.params(&[self.info.bidder_params]),
            Use::Player => self.params(&[self.info.player_params]),
        }
    }
}

fn build_bidder(text: &str, used: Use) -> Result<Box<dyn Bidder>, ParseBotError> {
    if Program::is_meant(text) {
        return Ok(Box::new(Elsewhere));
    }
    let part = Part::parse(text)?;
    let build = part.info.bidder.ok_or_else(|| ParseBotError::NoBidder(part.info.name.to_owned()))?;
    build(&part.params_for(used)?)
}

fn build_player(text: &str, used: Use) -> Result<Player, ParseBotError> {
    if Program::is_meant(text) {
        return Ok(Player::fair(Elsewhere));
    }
    let part = Part::parse(text)?;
    let build = part.info.player.ok_or_else(|| ParseBotError::NoPlayer(part.info.name.to_owned()))?;
    build(&part.params_for(used)?)
}

impl BotSpec {
    /// Reads the specification of a bidder alone: a bot under the bidder's name whose cards `rules` plays, for where
    /// cards are played by somebody else anyway.
    ///
    /// ```
    /// use coinche_bots::BotSpec;
    ///
    /// assert_eq!(BotSpec::of_bidder("table")?.as_str(), "table");
    /// assert!(BotSpec::of_bidder("table+rules").is_err());
    /// # Ok::<(), coinche_bots::ParseBotError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When it is no bidder, or a card player is named beside it.
    pub fn of_bidder(text: &str) -> Result<Self, ParseBotError> {
        let text = text.trim();
        if split_at(text, '+').len() > 1 {
            return Err(ParseBotError::Player(text.to_owned()));
        }
        let player = Self::from_str("rules")?.player;
        let bot = Self { text: text.to_owned(), bidder: Half::parse(text, Use::Bidder)?, player };
        bot.try_build()?;
        Ok(bot)
    }

    /// Builds the bot, for one seat.
    ///
    /// A part that is a [program](BotSpec::bidder_program) is not in it: the arena's tables ask the program,
    /// and whoever asks that part of the bot instead gets a panic that says so.
    ///
    /// # Panics
    ///
    /// Never: the specification was built once when it was read.
    pub fn build(&self) -> Bot {
        self.try_build().expect("a specification is checked when it is read")
    }

    /// Says in the name that the player sees all hands.
    fn mark(&mut self) {
        self.player.sees_all = true;
        if !self.player.text.contains("sees=") {
            self.player.text = format!("{}:sees=all", self.player.text.trim_end_matches(':'));
            self.text = format!("{}+{}", self.bidder.text, self.player.text);
        }
    }

    /// Tests if the player sees all hands: what it reaches is a bound and no bot's strength.
    pub const fn sees_all(&self) -> bool {
        self.player.sees_all
    }

    fn try_build(&self) -> Result<Bot, ParseBotError> {
        let bidder = build_bidder(&self.bidder.text, self.bidder.used)?;
        let player = build_player(&self.player.text, self.player.used)?;
        Ok(Bot::new(&self.text, bidder, player))
    }

    /// Returns the bot of this name whose calls `other` makes.
    #[must_use]
    pub fn with_bidder_of(&self, other: &Self) -> Self {
        Self { bidder: other.bidder.clone(), ..self.clone() }
    }

    /// Returns the bot of this name whose cards `other` plays.
    #[must_use]
    pub fn with_player_of(&self, other: &Self) -> Self {
        Self { player: other.player.clone(), ..self.clone() }
    }

    /// Returns the program that makes the calls, where it is one.
    pub const fn bidder_program(&self) -> Option<&Program> {
        self.bidder.program.as_ref()
    }

    /// Returns the program that plays the cards, where it is one: that of the calls if the specification
    /// is a single program.
    pub const fn player_program(&self) -> Option<&Program> {
        self.player.program.as_ref()
    }

    /// Tests if one program makes the calls and plays the cards.
    pub fn is_one_program(&self) -> bool {
        // Halves that are exchanged for others have a process each, even of one command.
        self.bidder.program.is_some() && self.bidder == self.player && self.bidder.text == self.text
    }

    /// Returns the same bot under the same name with changes to how its programs are run.
    #[must_use]
    pub fn map_program(&self, change: impl Fn(&mut Program)) -> Self {
        let mut this = self.clone();
        this.bidder.program.iter_mut().chain(&mut this.player.program).for_each(change);
        this
    }

    /// Returns the text in the quotes that a shell needs.
    pub fn quoted(&self) -> String {
        shell_quoted(&self.text)
    }

    /// Tests if a program has a part in the bot, which then plays at the arena's tables only.
    pub const fn has_program(&self) -> bool {
        self.bidder.program.is_some() || self.player.program.is_some()
    }

    /// Returns the text of the specification.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for BotSpec {
    type Err = ParseBotError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim().to_owned();
        let (bidder, player) = match split_at(&text, '+')[..] {
            [one] => (Half::parse(one, Use::Both)?, Half::parse(one, Use::Both)?),
            [bidder, player] => (Half::parse(bidder, Use::Bidder)?, Half::parse(player, Use::Player)?),
            _ => return Err(ParseBotError::Form(text)),
        };
        let mut this = Self { text, bidder, player };
        let bot = this.try_build()?;
        if bot.player.sees_all() {
            this.mark();
        }
        Ok(this)
    }
}

impl fmt::Display for BotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns a text in the quotes that a shell needs.
pub fn shell_quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || ":=,.+-_/".contains(letter);
    if text.chars().all(plain) {
        return text.to_owned();
    }
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_what_is_legal() {
        let error = |text: &str| text.parse::<BotSpec>().unwrap_err().to_string();
        assert!(error("").contains("random, rules"));
        assert!(error("random:passs=1").contains("expected pass"));
        assert!(error("random:pass=2").contains("0 to 1"));
        assert!(error("random:pass=NaN").contains("0 to 1"));
        assert!(error("random:pass").contains("name=value"));
        assert!(error("rules+random:pass=1").contains("expected none"));
        assert!(error("rules:capot=81").contains("0 to 80"));
        assert!(error("rules:jump=1.5").contains("-50 to 100"));
        assert!(error("table:file=/none+rules").contains("cannot read the table /none"));
        assert!(error("dd:worlds=0+rules").contains("1 to 1000000"));
        assert!(error("dd:read=all+rules").contains("none or calls"));
        assert!(error("rules+ismcts:observer=two").contains("single or multiple"));
        assert!(error("rules+ismcts:iterations=0").contains("1 to 1000000"));
        assert!(error("rules+ismcts:c=NaN").contains("0 to 100"));
        assert!(error("rules+ismcts:reuse=maybe").contains("yes or no"));
        assert!(error("rules+mc:policy=pimc").contains("random, or"));
        assert!(error("rules+mc:policy=random,tricks=3").contains("with policy=random 8 alone"));
        assert!(error("rules+pimc:equity=1").contains("on or off"));
        assert!(error("rules+pimc:pool=0").contains("1 to 1000000"));
        assert!(error("rules+alphamu:m=4").contains("1 to 3"));
        assert!(error("rules+alphamu:width=0").contains("1 to 1000"));
        assert!(error("a+b+c").contains("bidder+player"));
        assert!(error("pimc").contains("name a bidder before it, as in `rules+pimc`"));
        assert!(error("rules+open:sees=own").contains("expected all"));
        for text in ["random", "rules", "random:pass=0.5", "random:pass=0.5+rules", " rules+random "] {
            assert_eq!(text.parse::<BotSpec>().unwrap().build().name(), text.trim());
        }
    }

    #[test]
    fn a_bidder_alone_needs_no_player() {
        for text in ["table", "rules:caution=5", "dd:worlds=20", "cmd:./x a'+'b"] {
            let spec = BotSpec::of_bidder(text).unwrap();
            assert_eq!(spec.as_str(), text);
            assert!(spec.player_program().is_none() && !spec.is_one_program());
        }
        let error = |text: &str| BotSpec::of_bidder(text).unwrap_err().to_string();
        assert!(error("table+pimc").contains("`table+pimc` names a card player"));
        assert!(error("pimc").contains("does not bid"));
        assert!(error("nobody").contains("there is no bot `nobody`"));
        assert!(error("table:worlds=3").contains("no parameter `worlds`"));
    }

    #[test]
    fn who_sees_all_hands_is_called_so() {
        for text in ["rules+open", "rules+open:", "rules+open:sees=all"] {
            let spec: BotSpec = text.parse().unwrap();
            assert!(spec.sees_all() && spec.build().player.sees_all());
            assert_eq!(spec.as_str(), "rules+open:sees=all", "{text}");
            assert_eq!(spec.as_str().parse::<BotSpec>().unwrap(), spec);
            let other: BotSpec = "random".parse().unwrap();
            assert!(other.with_player_of(&spec).sees_all() && !spec.with_player_of(&other).sees_all());
        }
    }

    #[test]
    fn halves_are_exchanged_under_the_same_name() {
        let [whole, other]: [BotSpec; 2] =
            ["cmd:./x", "random:pass=0.5+cmd:./y"].map(|text| text.parse().unwrap());
        assert!(whole.is_one_program());
        let mixed = whole.with_bidder_of(&other);
        assert_eq!(mixed.as_str(), "cmd:./x");
        assert!(mixed.bidder_program().is_none() && !mixed.is_one_program());
        assert_eq!(mixed.player_program(), whole.player_program());
        let mixed = other.with_bidder_of(&whole);
        assert_eq!(mixed.bidder_program(), whole.bidder_program());
        assert_eq!(mixed.player_program(), other.player_program());
        assert!(!mixed.is_one_program());
        assert!(!mixed.with_player_of(&whole).is_one_program());
        assert!(whole.with_player_of(&whole).is_one_program());
    }
}
