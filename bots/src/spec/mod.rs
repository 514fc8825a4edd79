//! The specification of a bot, read once.

mod part;
mod setting;
mod team;

pub use team::TeamSpec;

use core::fmt;
use std::sync::Arc;

use crate::info::{MakeBidder, MakePlayer};
use crate::params::Files;
use crate::program::split_at;
use crate::{Bot, BotInfo, ParseBotError, Program};
use part::{Half, Part, Use, split_name};

/// The specification of a bot: which bidder and which card player, with which parameters.
///
/// Its text is `name:key=value,…`, or two of these joined by `+`: the first bids, the second plays.
/// `cmd:COMMAND` is a [`Program`], whole or as one of the two. A card player that sees all hands is called so
/// in the text, given or not: `rules+open` is read as `rules+open:sees=all`.
///
/// [`Registry::parse`](crate::Registry::parse) reads it, with its parameters and the files that they name; it holds
/// what it needs to build bots, which reads nothing and cannot fail. Two are equal when their texts are and the same
/// parts bid and play, whatever registries they are of.
#[derive(Debug, Clone)]
pub struct BotSpec {
    text: String,
    /// The parts of the text.
    parts: Vec<Part>,
    bidder: Half<MakeBidder>,
    player: Half<MakePlayer>,
    files: Files,
}

impl PartialEq for BotSpec {
    fn eq(&self, other: &Self) -> bool {
        let halves =
            |this: &Self| (this.text.clone(), this.bidder.origin.clone(), this.player.origin.clone());
        halves(self) == halves(other)
    }
}

impl Eq for BotSpec {}

impl BotSpec {
    /// Reads a specification; `find` returns the bot of a name.
    pub(crate) fn read(
        text: &str,
        find: &dyn Fn(&str) -> Result<Arc<BotInfo>, ParseBotError>,
    ) -> Result<Self, ParseBotError> {
        let text = text.trim();
        let parts = split_at(text, '+');
        if parts.len() > 2 {
            return Err(ParseBotError::Form(text.to_owned()));
        }
        let parts = parts.into_iter().map(|part| Part::find(part, find)).collect::<Result<_, _>>()?;
        Self::of_parts(parts, Files::default())
    }

    /// Reads the specification of a bidder alone, whose cards `rules` plays.
    pub(crate) fn read_bidder(
        text: &str,
        find: &dyn Fn(&str) -> Result<Arc<BotInfo>, ParseBotError>,
    ) -> Result<Self, ParseBotError> {
        let text = text.trim();
        if split_at(text, '+').len() > 1 {
            return Err(ParseBotError::Player(text.to_owned()));
        }
        let (part, files) = (Part::find(text, find)?, Files::default());
        let bidder = part.bidder(Use::Bidder, &files)?;
        Ok(Self { text: text.to_owned(), parts: vec![part], bidder, player: Half::rules(), files })
    }

    /// Reads one part for both, or a bidder and a card player.
    fn of_parts(mut parts: Vec<Part>, files: Files) -> Result<Self, ParseBotError> {
        let (mut bidder, mut player) = match &parts[..] {
            [bidder, player] => (bidder.bidder(Use::Bidder, &files)?, player.player(Use::Player, &files)?),
            [one, ..] => (one.bidder(Use::Both, &files)?, one.player(Use::Both, &files)?),
            [] => return Err(ParseBotError::Form(String::new())),
        };
        let is_one = parts.len() == 1;
        if let Some(last) = parts.last_mut().filter(|_| player.origin.sees_all) {
            mark(&mut last.text);
            player.origin.text.clone_from(&last.text);
            if is_one {
                bidder.origin.text.clone_from(&last.text);
            }
        }
        let text = parts.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join("+");
        Ok(Self { text, parts, bidder, player, files })
    }

    /// Builds the bot, for one seat.
    ///
    /// It reads no file and cannot fail. A part that is a [program](BotSpec::bidder_program) is not in it: the arena's
    /// tables ask the program, and whoever asks that part of the bot instead gets a panic that says so.
    pub fn build(&self) -> Bot {
        Bot::new(&self.text, (self.bidder.make)(), (self.player.make)())
    }

    /// Tests if the player sees all hands: what it reaches is a bound and no bot's strength.
    pub const fn sees_all(&self) -> bool {
        self.player.origin.sees_all
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

    /// Returns the bot of this name whose cards the player of `rules` plays.
    #[must_use]
    pub fn with_rules_player(&self) -> Self {
        Self { player: Half::rules(), ..self.clone() }
    }

    /// Returns the program that makes the calls, where it is one.
    pub const fn bidder_program(&self) -> Option<&Program> {
        self.bidder.origin.program.as_ref()
    }

    /// Returns the program that plays the cards, where it is one: that of the calls if the specification
    /// is a single program.
    pub const fn player_program(&self) -> Option<&Program> {
        self.player.origin.program.as_ref()
    }

    /// Tests if one program makes the calls and plays the cards.
    pub fn is_one_program(&self) -> bool {
        // Halves that are exchanged for others have a process each, even of one command.
        self.bidder_program().is_some()
            && self.bidder.origin == self.player.origin
            && self.bidder.origin.text == self.text
    }

    /// Returns the same bot under the same name with changes to how its programs are run.
    #[must_use]
    pub fn map_program(&self, change: impl Fn(&mut Program)) -> Self {
        let mut this = self.clone();
        let programs = [&mut this.bidder.origin.program, &mut this.player.origin.program];
        programs.into_iter().flatten().for_each(change);
        this
    }

    /// Returns the text in the quotes that a shell needs.
    pub fn quoted(&self) -> String {
        shell_quoted(&self.text)
    }

    /// Tests if a program has a part in the bot, which then plays at the arena's tables only.
    pub const fn has_program(&self) -> bool {
        self.bidder.origin.program.is_some() || self.player.origin.program.is_some()
    }

    /// Returns the text of the specification.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Tests if the text of a specification or a team says that a player sees all hands.
///
/// It needs no registry: a bot whose player does is called so, wherever it is named.
///
/// ```
/// use coinche_bots::says_sees_all;
///
/// assert!(says_sees_all("rules&table+open:sees=all"));
/// assert!(!says_sees_all("rules+pimc:worlds=20"));
/// ```
pub fn says_sees_all(text: &str) -> bool {
    let mut parts = split_at(text, '&').into_iter().flat_map(|bot| split_at(bot, '+'));
    parts.any(|part| {
        !Program::is_meant(part.trim()) && split_name(part).1.split(',').any(|it| it == "sees=all")
    })
}

/// Says in the text of a part that the player sees all hands.
fn mark(part: &mut String) {
    let (name, params) = split_name(part);
    if !params.split(',').any(|param| param.starts_with("sees=")) {
        let between = if params.is_empty() { ":" } else { "," };
        *part = format!("{}{between}sees=all", if params.is_empty() { name } else { part.as_str() });
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
