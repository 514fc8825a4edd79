//! The specification of a bot, read once.

mod part;
mod setting;
mod team;

pub use team::TeamSpec;

use core::fmt;
use std::collections::BTreeMap;
use std::sync::Arc;

use coinche_engine::RuleSet;

use crate::files::Files;
use crate::info::{MakeBidder, MakePlayer};
use crate::program::{renamed, split_at};
use crate::{BatchMaker, Bot, BotInfo, Champion, ParseBotError, Program, shell_quoted};
use part::{Half, SpecPart, Use, split_name};

/// Returns the bot of a name.
type Find<'a> = dyn Fn(&str) -> Result<Arc<BotInfo>, ParseBotError> + 'a;

/// The specification of a bot: which bidder and which card player, with which parameters.
///
/// Its text is `name:key=value,…`, or two of these joined by `+`: the first bids, the second plays.
/// `cmd:COMMAND` is a [`Program`], whole or as one of the two, and `cmd:name=NAME,run=COMMAND` one with a name. A card player that sees all hands is called so
/// in the text, given or not: `rules+open` is read as `rules+open:sees=all`. `NAME=` before all of it says what the bot
/// is called: `Club=system:file=club.toml+rules`.
///
/// [`Registry::parse`](crate::Registry::parse) reads it, with its parameters and the files that they name; it holds
/// what it needs to build bots, which reads nothing and cannot fail. Two are equal when their texts are and the same
/// parts bid and play, whatever registries they are of.
#[derive(Debug, Clone)]
pub struct BotSpec {
    text: String,
    /// The name given in the text, else the text with the names of programs for their commands and of systems for theirs.
    name: String,
    /// The name given in the text.
    label: Option<String>,
    /// The parts of the text.
    parts: Vec<SpecPart>,
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
    pub(crate) fn read(text: &str, find: &Find<'_>) -> Result<Self, ParseBotError> {
        let (label, text) = read_label(text, find)?;
        let parts = split_at(text, '+');
        if parts.len() > 2 {
            return Err(ParseBotError::Form(text.to_owned()));
        }
        let parts = parts.into_iter().map(|part| SpecPart::find(part, find)).collect::<Result<_, _>>()?;
        Ok(Self::of_parts(parts, Files::default())?.labelled(label))
    }

    /// Gives the bot a name, which its text then says.
    fn labelled(mut self, label: Option<&str>) -> Self {
        if let Some(label) = label {
            self.text = format!("{label}={}", self.text);
            // Whoever reads the name alone must see it.
            self.name = if self.sees_all() { format!("{label}:sees=all") } else { label.to_owned() };
            self.label = Some(label.to_owned());
        }
        self
    }

    /// Reads a bidder, whose cards `rules` plays; a card player beside it is read and left out.
    pub(crate) fn read_bidder(text: &str, find: &Find<'_>) -> Result<Self, ParseBotError> {
        let Self { mut parts, bidder, files, label, .. } = Self::read_half(text, Use::Bidder, find)?;
        parts.truncate(1);
        let this = Self::of_halves(parts, bidder.used_as(Use::Bidder), Half::rules(), files);
        Ok(this.labelled(label.as_deref()))
    }

    /// Reads a card player, for which `rules` bids; a bidder before it is read and left out.
    pub(crate) fn read_player(text: &str, find: &Find<'_>) -> Result<Self, ParseBotError> {
        let Self { mut parts, player, files, label, .. } = Self::read_half(text, Use::Player, find)?;
        parts.drain(..parts.len() - 1);
        let this = Self::of_halves(parts, Half::rules_bidder(), player.used_as(Use::Player), files);
        Ok(this.labelled(label.as_deref()))
    }

    /// Reads a bot of which one half is wanted: of one part, the other half is that of `rules`.
    fn read_half(text: &str, used: Use, find: &Find<'_>) -> Result<Self, ParseBotError> {
        if split_at(text, '+').len() > 1 {
            return Self::read(text, find);
        }
        let (label, text) = read_label(text, find)?;
        let (part, files) = (SpecPart::find(text, find)?, Files::default());
        let used = part.alone(used);
        let (bidder, player) = match used {
            Use::Both => (part.bidder(used, &files)?, part.player(used, &files)?),
            Use::Bidder => (part.bidder(used, &files)?, Half::rules()),
            Use::Player => (Half::rules_bidder(), part.player(used, &files)?),
        };
        Ok(Self::of_halves(vec![part], bidder, player, files).labelled(label))
    }

    /// Reads one part for both, or a bidder and a card player.
    fn of_parts(parts: Vec<SpecPart>, files: Files) -> Result<Self, ParseBotError> {
        let (bids, plays) =
            if parts.len() == 1 { (Use::Both, Use::Both) } else { (Use::Bidder, Use::Player) };
        let bidder = parts[0].bidder(bids, &files)?;
        let player = parts[parts.len() - 1].player(plays, &files)?;
        Ok(Self::of_halves(parts, bidder, player, files))
    }

    /// Puts together what was read, and says in the text if the player sees all hands.
    fn of_halves(
        mut parts: Vec<SpecPart>,
        mut bidder: Half<MakeBidder>,
        mut player: Half<MakePlayer>,
        files: Files,
    ) -> Self {
        if let Some(last) = parts.last_mut().filter(|_| player.origin.sees_all) {
            let before = last.text.clone();
            mark(&mut last.text);
            player.origin.text.clone_from(&last.text);
            if bidder.origin.text == before {
                bidder.origin.text.clone_from(&last.text);
            }
        }
        let join = |text: &dyn Fn(&SpecPart) -> String| parts.iter().map(text).collect::<Vec<_>>().join("+");
        let (text, name) = (join(&|part| part.text.clone()), join(&|part| part.name(&files)));
        Self { text, name, label: None, parts, bidder, player, files }
    }

    /// Returns the files that were read for the bot, by the names that its text gives them, each with a checksum of its
    /// bytes in 16 hexadecimal digits: with the same text and other files it is another bot.
    pub fn files(&self) -> BTreeMap<String, String> {
        self.files.sums()
    }

    /// Builds the bot, for one seat.
    ///
    /// It reads no file and cannot fail. A part that is a [program](BotSpec::bidder_program) is not in it: the arena's
    /// tables ask the program, and whoever asks that part of the bot instead gets a panic that says so.
    pub fn build(&self) -> Bot {
        Bot::new(&self.text, (self.bidder.make)(), (self.player.make)())
    }

    /// Checks that the bot is for the rules of a game: all are, but a bidder that goes by a file which says otherwise.
    ///
    /// # Errors
    ///
    /// Names what the rules lack, the place in the file, and the remedy.
    pub fn check_rules(&self, rules: &RuleSet) -> Result<(), ParseBotError> {
        match &self.bidder.fits {
            Some(fits) => Ok(fits(rules)?),
            None => Ok(()),
        }
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

    /// Returns the text of the bot that bids as this one and plays cards as `other`.
    ///
    /// ```
    /// use coinche_bots::Registry;
    ///
    /// let bot = |text| Registry::builtin().parse(text);
    /// assert_eq!(bot("rules:caution=5")?.with_cards_of(&bot("table+random")?), "rules:caution=5+random");
    /// assert_eq!(bot("table+random")?.with_cards_of(&bot("rules:caution=5")?), "table+rules");
    /// # Ok::<(), coinche_bots::ParseBotError>(())
    /// ```
    pub fn with_cards_of(&self, other: &Self) -> String {
        format!("{}+{}", self.half(Use::Bidder), other.half(Use::Player))
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

    /// Returns the bot that makes the calls of many deals at once, where it is one.
    pub const fn bidder_batch(&self) -> Option<&BatchMaker> {
        self.bidder.origin.batch.as_ref()
    }

    /// Returns the bot that plays the cards of many deals at once, where it is one.
    pub const fn player_batch(&self) -> Option<&BatchMaker> {
        self.player.origin.batch.as_ref()
    }

    /// Returns the specifications of the bidder and of the player if nothing but their word says that they forget other hands of a
    /// deal: bots of other crates in this process.
    pub fn may_remember(&self) -> [Option<String>; 2] {
        let [bidder, player] = [&self.bidder.origin, &self.player.origin];
        [
            bidder.may_remember.then(|| format!("{}+rules", bidder.text)),
            player.may_remember.then(|| format!("rules+{}", player.text)),
        ]
    }

    /// Tests if one program makes the calls and plays the cards.
    pub fn is_one_program(&self) -> bool {
        // Halves that are exchanged for others have a process each, even of one command.
        self.bidder_program().is_some()
            && self.bidder.origin == self.player.origin
            && self.parts.len() == 1
            && self.bidder.origin.text == self.parts[0].text
    }

    /// Returns the same bot under the same name with changes to how its programs are run.
    #[must_use]
    pub fn map_program(&self, change: impl Fn(&mut Program)) -> Self {
        let mut this = self.clone();
        let programs = [&mut this.bidder.origin.program, &mut this.player.origin.program];
        programs.into_iter().flatten().for_each(change);
        this
    }

    /// Returns the same bot with names for its programs where `name` knows one; letters that a name cannot have are
    /// replaced.
    #[must_use]
    pub fn with_program_names(&self, name: &dyn Fn(&Program) -> Option<String>) -> Self {
        let Self { mut parts, mut bidder, mut player, files, label, .. } = self.clone();
        for part in parts.iter_mut().filter(|part| part.bot.is_none()) {
            let program = Program::parse(&part.text).ok();
            let Some(name) = program.and_then(|program| Program::to_name(&name(&program)?)) else { continue };
            let text = renamed(&part.text, &name);
            bidder.rename(&part.text, &text, &name);
            player.rename(&part.text, &text, &name);
            part.text = text;
        }
        Self::of_halves(parts, bidder, player, files).labelled(label.as_deref())
    }

    /// Returns the text of the specification in the quotes that a shell needs.
    pub fn quoted(&self) -> String {
        shell_quoted(&self.text)
    }

    /// Returns what the bot is called in tables, records and pages: the name that it was given, else its specification,
    /// with the names of systems and of programs that have one for what they are.
    ///
    /// ```
    /// use coinche_bots::Registry;
    ///
    /// let name = |text: &str| Registry::builtin().parse(text).map(|bot| bot.name().to_owned());
    /// assert_eq!(name("Jack or nine=system:name=jack-or-nine+net")?, "Jack or nine");
    /// assert_eq!(name("system:name=jack-or-nine+net")?, "jack-or-nine+net");
    /// assert_eq!(name("Oracle=rules+open")?, "Oracle:sees=all");
    /// # Ok::<(), coinche_bots::ParseBotError>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tests if a program has a part in the bot, which then plays at the arena's tables only.
    pub const fn has_program(&self) -> bool {
        self.bidder.origin.program.is_some() || self.player.origin.program.is_some()
    }

    /// Returns the text of the specification.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the name that the text gives the bot, where it gives one.
    pub fn label(&self) -> Option<&str> {
        self.label.as_deref()
    }
}

/// The most letters of a name that a specification gives a bot: what fits beside a figure on a phone.
const LONGEST_LABEL: usize = 30;

/// Tests if a text may be the name of a bot: letters, digits, `_`, `-`, `.` and single spaces between them, a letter first.
pub(crate) fn is_label(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && text.chars().count() <= LONGEST_LABEL
        && text.split(' ').all(crate::program::is_alias)
}

/// Splits a specification into the name before its first `=` and the rest; what cannot be a name is part of the rest.
fn split_label(text: &str) -> (Option<&str>, &str) {
    let text = text.trim();
    let named = text.split_once('=').map(|(label, rest)| (label.trim_end(), rest.trim_start()));
    match named.filter(|(label, _)| label.split(' ').all(crate::program::is_alias)) {
        Some((label, rest)) => (Some(label), rest),
        None => (None, text),
    }
}

/// Splits a specification as [`split_label`] does, and checks the name.
fn read_label<'a>(text: &'a str, find: &Find<'_>) -> Result<(Option<&'a str>, &'a str), ParseBotError> {
    let (label, rest) = split_label(text);
    if let Some(spec) = label.and_then(|_| crate::command::recognised(text)) {
        return Err(ParseBotError::UnmarkedProgram { text: text.to_owned(), spec });
    }
    match label {
        Some(label) if !is_label(label) || label == "cmd" || find(label).is_ok() => {
            Err(ParseBotError::Label { label: label.to_owned(), most: LONGEST_LABEL })
        }
        _ => Ok((label, rest)),
    }
}

/// Tests if the text of a specification or a team says that a player sees all hands.
///
/// It needs no registry: a bot whose player does is called so, wherever it is named.
///
/// ```
/// use coinche_bots::says_sees_all;
///
/// assert!(says_sees_all("rules&table+open:sees=all") && says_sees_all("Oracle:sees=all"));
/// assert!(!says_sees_all("rules+pimc:worlds=20"));
/// ```
pub fn says_sees_all(text: &str) -> bool {
    says(text, |_, param| param == "sees=all")
}

/// Tests if the text of a specification or a team says that a bot looks at the clock: its choices differ from machine to
/// machine. What a program does is not known.
///
/// ```
/// use coinche_bots::says_clock;
///
/// assert!(says_clock("net+pimc:time=500us") && says_clock("Slow=champion:time=10ms"));
/// assert!(!says_clock("net+pimc:time=none,worlds=20"));
/// // Stands for a number of worlds.
/// assert!(!says_clock("champion:time=1ms"));
/// ```
pub fn says_clock(text: &str) -> bool {
    says(text, |name, param| match param.strip_prefix("time=") {
        None | Some("none") => false,
        Some(time) if name == "champion" => Champion::player(time).is_none_or(|it| it.contains("time=")),
        Some(_) => true,
    })
}

/// Tests the names and parameters of a text, but those of programs.
fn says(text: &str, is_said: impl Fn(&str, &str) -> bool) -> bool {
    let bots = split_at(text, '&').into_iter().map(|bot| split_label(bot).1);
    let mut parts = bots.flat_map(|bot| split_at(bot, '+'));
    parts.any(|part| {
        let (name, params) = split_name(part);
        !Program::is_meant(part.trim()) && params.split(',').any(|it| is_said(name.trim(), it.trim()))
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
    /// Shows the [name](BotSpec::name).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
