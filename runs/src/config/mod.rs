//! The configuration of a run: flags override a TOML file, which overrides defaults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use coinche_bots::{BotSpec, Registry, TeamSpec};
use coinche_engine::ParseRulesError;
use coinche_engine::{RuleSet, Seed};
use coinche_protocol::own_engine;
use coinche_selfplay::base::files::{read_config, read_text};
use coinche_selfplay::base::threads;
use coinche_selfplay::records::summary::Rows;
use coinche_selfplay::{
    ArenaError, Encounter, Format, Freeze, FreezeText, FrozenPlayer, LinesForm, Lineup, OutOfRange,
    ProgressMode, Result, Schedule, Side, TableForm, Unit,
};
use serde::{Deserialize, Serialize};

mod command;
mod confine;
mod control;
mod crossplay;
mod error;
mod forms;
mod idle;
mod pages;
mod programs;

pub use command::{CommandLine, differences, nearest_preset, rules_in_words, seed_slug};
pub use confine::Confine;
pub use control::{Control, known_control};
pub use crossplay::Crossplay;
pub use error::ConfigError;
pub use forms::{Records, Shard};
pub use idle::{check_fields, rules_of_deals};
pub use pages::RulePage;

/// Which decisions are timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimesMode {
    /// No decision.
    None,
    /// Those of a few deals, which costs almost nothing.
    Some,
    /// Every decision.
    All,
}

/// Declares the keys of a configuration file, each of which may be left out.
macro_rules! keys {
    ($($(#[$about:meta])* $key:ident: $value:ty,)*) => {
        /// The keys of a configuration file: the same as the flags of `arena run`. TOML leaves out those that are not set.
        #[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct RunFile {
            $($(#[$about])* pub $key: Option<$value>,)*
        }

        impl RunFile {
            /// Returns these keys, completed by those of `below`.
            fn or(self, below: Self) -> Self {
                Self { $($key: self.$key.or(below.$key),)* }
            }
        }
    };
}

keys! {
    /// The bots.
    bots: Vec<String>,
    /// The format.
    format: Format,
    /// The opponent of all partnerships in cross-play.
    against: String,
    /// A cheap pair that plays the same deals.
    control: Vec<String>,
    /// The number of extra deals on which its mean is measured.
    #[serde(rename = "control-deals")]
    control_deals: u64,
    /// The part of the game that is the same for all bots.
    freeze: FreezeText,
    /// The number of deals (of matches, if matches are played).
    deals: u64,
    /// Whether whole matches are played.
    #[serde(rename = "match")]
    matches: bool,
    /// The seed.
    seed: Seed,
    /// Settings over the rules, as `field=value`.
    set: Vec<String>,
    /// What is recorded of the deals.
    records: Records,
    /// The format of the summary table.
    table: TableForm,
    /// The format of the deal records.
    lines: LinesForm,
    /// The shard to play.
    shard: Shard,
    /// Whether a program that fails for good forfeits its deals.
    forfeit: bool,
    /// The sandbox of programs.
    confine: Confine,
    /// Which decisions are timed.
    times: TimesMode,
    /// The number of threads.
    threads: usize,
    /// The directory of the run.
    out: PathBuf,
    /// The progress display.
    progress: ProgressMode,
    /// The rules; last, because TOML tables must follow plain keys.
    rules: RulesText,
}

/// Rules in a configuration file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected the name of a preset or of a file, or a table of rules")]
pub enum RulesText {
    /// A preset's name, or the path of a rule file.
    Name(String),
    /// A `base` and the fields that differ from it.
    Table(toml::Table),
}

/// A checked configuration: what to play, and where to write it.
#[derive(Debug, Clone, PartialEq)]
pub struct RunConfig {
    /// The bots or teams that meet, two or more; in cross-play all teams that play.
    pub bots: Vec<TeamSpec>,
    /// The format.
    pub format: Format,
    /// The cross-play, if the teams are its partnerships.
    pub crossplay: Option<Crossplay>,
    /// A cheap pair that plays the same deals, as a control variate.
    pub control: Option<Control>,
    /// The part of the game that is the same for all bots.
    pub freeze: Freeze,
    /// The number of deals or matches, including those of other shards.
    pub deals: u64,
    /// The unit: deals or matches.
    pub unit: Unit,
    /// The seed.
    pub seed: Seed,
    /// The rules.
    pub rules: RuleSet,
    /// What is recorded of the deals.
    pub records: Records,
    /// The format of the summary table.
    pub table: TableForm,
    /// The format of the deal records.
    pub lines: LinesForm,
    /// The shard to play; `None` for all deals.
    pub shard: Option<Shard>,
    /// Whether a program that fails for good forfeits its deals; otherwise the run stops.
    pub forfeit: bool,
    /// The sandbox of programs, if they run in one.
    pub confine: Option<Confine>,
    /// Which decisions are timed.
    pub times: TimesMode,
    /// The number of threads.
    pub threads: usize,
    /// The directory of the run; `None` for a new one under `results/runs`.
    pub out: Option<PathBuf>,
    /// The progress display.
    pub progress: ProgressMode,
}

impl RulesText {
    /// Returns rules by name, or with all fields if they are no preset.
    pub fn of(rules: &RuleSet) -> Result<Self> {
        let syntax = |error: toml::de::Error| ArenaError::Rules(ParseRulesError::Syntax(error.to_string()));
        Ok(match rules.preset_name() {
            Some(name) => Self::Name(name.to_owned()),
            None => Self::Table(rules.to_toml().parse().map_err(syntax)?),
        })
    }

    /// Returns the rules.
    pub fn load(&self) -> Result<RuleSet> {
        match self {
            Self::Name(name) => load_rules(name),
            Self::Table(table) => Ok(RuleSet::from_toml_table(table)?),
        }
    }
}

/// The number of deals when none is asked for.
pub const DEFAULT_DEALS: u64 = 10_000;

/// A configuration file is not TOML, or has an unknown key or a value of the wrong type.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.to_string().trim_end())]
struct TomlError(toml::de::Error);

impl RunFile {
    /// Reads a configuration file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is not TOML, or has an unknown key or a value of the wrong type: the message names
    /// the line.
    pub fn read(path: &Path) -> Result<Self> {
        let text = read_config(path)?;
        toml::from_str(&text).map_err(|error| ArenaError::input(path, TomlError(error)))
    }

    /// Returns these keys, completed by those of `below`.
    #[must_use]
    pub fn over(self, below: Self) -> Self {
        let set = match (below.set.clone(), self.set.clone()) {
            // Settings accumulate, unless the rules that they apply to are replaced.
            (Some(mut set), Some(more)) if self.rules.is_none() => {
                set.extend(more);
                Some(set)
            }
            (set, None) if self.rules.is_none() => set,
            (_, set) => set,
        };
        Self { set, ..self.or(below) }
    }

    /// Adds the two bots with the halves of the given ones exchanged, and makes all four play each other.
    pub fn split(self, registry: &Registry) -> Result<Self> {
        let given = self.bots.clone().unwrap_or_default();
        let [a, b] = &given[..] else { return Err(ConfigError::SplitBots.into()) };
        let [first, second] = [a, b].map(|bot| registry.parse(bot));
        let (first, second) = (first?, second?);
        let bots = [a.clone(), b.clone(), first.with_cards_of(&second), second.with_cards_of(&first)];
        Ok(Self { bots: Some(bots.to_vec()), format: Some(Format::RoundRobin), ..self })
    }

    /// Checks everything, looks up the bots in the registry and fills in defaults; draws a seed if none is given.
    ///
    /// # Errors
    ///
    /// Names what is missing or wrong, and the legal values.
    pub fn check(self, registry: &Registry) -> Result<RunConfig> {
        let given = self.bots.clone().unwrap_or_default();
        self.check_given(&given, registry).map_err(|error| programs::with_correction(error, &given))
    }

    fn check_given(self, given: &[String], registry: &Registry) -> Result<RunConfig> {
        let crossplay = match (self.format, self.against.as_deref()) {
            (Some(Format::Crossplay), against) => Some(Crossplay::new(given, against, registry)?),
            (_, None) => None,
            (_, Some(_)) => {
                return Err(ConfigError::AgainstWithoutCrossplay.into());
            }
        };
        let (bots, format) = match &crossplay {
            Some(crossplay) => (crossplay.teams(), Format::Crossplay),
            None => check_bots(given, self.format, registry)?,
        };
        self.complete(bots, format, crossplay, registry)
    }

    /// Completes a configuration whose bots were already read.
    pub fn complete(
        self,
        bots: Vec<TeamSpec>,
        format: Format,
        crossplay: Option<Crossplay>,
        registry: &Registry,
    ) -> Result<RunConfig> {
        if let (None, Some(shard)) = (&self.seed, self.shard) {
            return Err(ConfigError::ShardWithoutSeed(shard).into());
        }
        let freeze = self.freeze.map_or(Ok(Freeze::None), |text| text.read(registry));
        let freeze = freeze.map_err(ConfigError::Freeze)?;
        if freeze.is_auction() && self.matches == Some(true) {
            return Err(ConfigError::FrozenAuctionOfMatch.into());
        }
        let of_matches = self.matches == Some(true);
        let control =
            Control::read(self.control.as_deref(), self.control_deals, format, of_matches, registry)?;
        check_names(bots.iter().chain(control.iter().flat_map(|control| &control.bots)))?;
        let deals = self.deals.unwrap_or(DEFAULT_DEALS);
        OutOfRange::check("deals", deals, 1..=MOST_DEALS)?;
        let threads = threads::check(self.threads)?;
        let settings = self.set.unwrap_or_default();
        let rules = match &self.rules {
            None => RuleSet::default(),
            Some(text) => text.load()?,
        };
        if let Some(shard) = self.shard.filter(|shard| shard.range(deals).is_empty()) {
            return Err(ConfigError::EmptyShard { shard, deals }.into());
        }
        let rules = rules.with_settings(settings.iter().map(String::as_str))?;
        for team in &bots {
            team.check_rules(&rules)?;
        }
        if let Freeze::Auction(bot) = &freeze {
            bot.check_rules(&rules)?;
        }
        Ok(RunConfig {
            bots,
            format,
            crossplay,
            control,
            freeze,
            deals,
            unit: if of_matches { Unit::Match } else { Unit::Deal },
            seed: self.seed.unwrap_or_else(draw_seed),
            rules,
            records: self.records.unwrap_or(Records::Summary),
            table: self.table.unwrap_or(TableForm::Csv),
            lines: self.lines.unwrap_or(LinesForm::Jsonl),
            shard: self.shard,
            forfeit: self.forfeit.unwrap_or(false),
            confine: self.confine,
            times: self.times.unwrap_or(TimesMode::Some),
            threads,
            out: self.out,
            progress: self.progress.unwrap_or(ProgressMode::Auto),
        })
    }
}

/// The most deals of a command.
pub const MOST_DEALS: u64 = 1_000_000_000_000;

/// The most bots of a run, and the most encounters: the sums of products grow with their square.
const MOST_BOTS: usize = 64;
const MOST_ENCOUNTERS: usize = 256;

/// Looks up the bots and checks that the format fits their number.
fn check_bots(
    bots: &[String],
    format: Option<Format>,
    registry: &Registry,
) -> Result<(Vec<TeamSpec>, Format)> {
    if bots.len() < 2 {
        return Err(ConfigError::TooFewBots(bots.len()).into());
    }
    let format = format.unwrap_or(if bots.len() == 2 { Format::Match } else { Format::RoundRobin });
    if format == Format::Match && bots.len() != 2 {
        return Err(ConfigError::NotTwoBots(bots.len()).into());
    }
    // A round robin or a gauntlet of two is a match.
    let format = if bots.len() == 2 { Format::Match } else { format };
    let encounters = format.encounters(bots.len()).len();
    if bots.len() > MOST_BOTS || encounters > MOST_ENCOUNTERS {
        return Err(ConfigError::TooManyEncounters { bots: bots.len(), format, encounters }.into());
    }
    let mut teams: Vec<TeamSpec> = Vec::with_capacity(bots.len());
    for (n, bot) in bots.iter().enumerate() {
        // A repeated bot is not read again: its file may be a pipe.
        let same = bots[..n].iter().position(|other| other == bot).map(|first| teams[first].clone());
        teams.push(same.map_or_else(|| registry.parse_team(bot), Ok)?);
    }
    Ok((teams, format))
}

/// Checks that no two bots have one name, partners and those of the control among them: tables and records know them by it.
/// Programs get numbers once they are met.
fn check_names<'a>(teams: impl Iterator<Item = &'a TeamSpec>) -> Result<()> {
    let mut seen: Vec<&BotSpec> = Vec::new();
    for bot in teams.flat_map(TeamSpec::partners).filter(|bot| !bot.has_program()) {
        let same = |other: &&&BotSpec| other.name() == bot.name() && other.as_str() != bot.as_str();
        if let Some(other) = seen.iter().find(same) {
            let [first, second] = [other, &bot].map(|bot| bot.as_str().to_owned());
            let label = bot.label().map_or(0, |label| label.len() + 1);
            let remedy = format!("Other={}", &second[label..]);
            return Err(ConfigError::SameName { name: bot.name().to_owned(), first, second, remedy }.into());
        }
        seen.push(bot);
    }
    Ok(())
}

/// Draws an unpredictable seed of 128 bits.
pub fn draw_seed() -> Seed {
    use std::hash::BuildHasher;
    // Keyed by the system's randomness; SipHash does not reveal the key.
    let drawn = std::hash::RandomState::new();
    let [high, low] = [0, 1].map(|half: u8| u128::from(drawn.hash_one(half)));
    Seed::from_random(high << 64 | low)
}

/// Returns the rules of a preset, of a published page or of a rule file.
///
/// # Errors
///
/// When there is none, or the file has something wrong.
pub fn load_rules(name: &str) -> Result<RuleSet> {
    if let Some(rules) = RuleSet::preset(name) {
        return Ok(rules);
    }
    if let Some(page) = RulePage::ALL.iter().find(|page| page.name == name) {
        let path = PathBuf::from(format!("rules/{name}.toml"));
        return page.rules().map_err(|error| ArenaError::RuleFile { path, error });
    }
    let path = Path::new(name);
    let is_toml = path.extension().is_some_and(|extension| extension == "toml");
    if !is_toml && !path.exists() {
        let pages = RulePage::ALL.iter().map(|page| page.name);
        let presets = RuleSet::ALL.iter().map(|(name, _)| *name).chain(pages).collect();
        return Err(ConfigError::NoRules { name: name.to_owned(), presets }.into());
    }
    let text = read_text(path)?;
    RuleSet::from_toml(&text).map_err(|error| ArenaError::RuleFile { path: path.to_owned(), error })
}

impl RunConfig {
    /// Returns the schedule.
    pub fn schedule(&self) -> Schedule {
        Schedule { secrets: (&self.seed).into(), unit: self.unit, pairs: self.deals }
    }

    /// Returns the encounters in the order of play; the control, if there is one, is the last.
    pub fn encounters(&self) -> Vec<Encounter> {
        let mut encounters = self.format.encounters(self.bots.len());
        encounters.extend(self.encounter_of_control());
        encounters
    }

    /// Returns the bots A and B of an encounter.
    ///
    /// # Panics
    ///
    /// When the encounter is not of this run.
    pub fn pair(&self, encounter: Encounter) -> [&TeamSpec; 2] {
        let player = |number| self.all_players().nth(number).expect("an encounter of this run");
        Side::ALL.map(|side| player(encounter.bot(side)))
    }

    /// Returns the specifications of the bots; none where each is the bot's name.
    pub fn specs(&self) -> Vec<String> {
        let is_named = self.bots.iter().any(|team| team.name() != team.as_str());
        self.bots.iter().filter(|_| is_named).map(|team| team.as_str().to_owned()).collect()
    }

    /// Returns the names of the bots that see all hands when they play cards.
    pub fn cheaters(&self) -> Vec<String> {
        match &self.freeze {
            Freeze::Play(FrozenPlayer::Bot(player)) if player.sees_all() => vec![player.to_string()],
            // The solver's name already says so.
            Freeze::Play(_) => Vec::new(),
            Freeze::None | Freeze::Auction(_) => {
                self.bots.iter().filter(|team| team.sees_all()).map(ToString::to_string).collect()
            }
        }
    }

    /// Returns the bots of which seats could tell each other their hands: nothing but the word of their authors is against it.
    pub fn unseparated(&self) -> Vec<String> {
        let is_one_process =
            |bot: &BotSpec| bot.may_remember().iter().flatten().any(|spec| own_engine(spec).is_none());
        let players = self.all_players().flat_map(TeamSpec::partners).chain(self.freeze.bot());
        let mut bots: Vec<_> = players.filter(|bot| is_one_process(bot)).map(ToString::to_string).collect();
        bots.dedup();
        bots
    }

    /// Returns the files that the bots were read from, with a checksum of their bytes.
    pub fn files(&self) -> BTreeMap<String, String> {
        let players = self.all_players().flat_map(TeamSpec::partners);
        players.chain(self.freeze.bot()).flat_map(BotSpec::files).collect()
    }

    /// Returns the names of the partners of an encounter, by side.
    pub fn names(&self, encounter: Encounter) -> [[&str; 2]; 2] {
        self.pair(encounter).map(|team| team.partners().each_ref().map(BotSpec::name))
    }

    /// Returns the lineup of an encounter.
    pub fn lineup(&self, encounter: Encounter) -> Lineup {
        Lineup::new(self.pair(encounter), &self.freeze)
    }

    /// Returns an empty buffer of rows for the summary table.
    pub fn new_rows(&self) -> Rows {
        let form = if self.records.has_table() { self.table } else { TableForm::Csv };
        Rows::new(form, self.unit, self.encounters().len() > 1)
    }

    /// Returns the two bots of a match, or the first two of more.
    pub fn first_two(&self) -> [TeamSpec; 2] {
        [self.bots[0].clone(), self.bots[1].clone()]
    }

    /// Returns the bots as given by the user.
    fn given(&self) -> Vec<String> {
        match &self.crossplay {
            Some(crossplay) => crossplay.bots.iter().map(|bot| bot.as_str().to_owned()).collect(),
            None => self.bots.iter().map(|bot| bot.as_str().to_owned()).collect(),
        }
    }

    /// Returns the range of deals to play: all, or those of the shard.
    pub fn range(&self) -> core::ops::Range<u64> {
        self.shard.map_or(0..self.deals, |shard| shard.range(self.deals))
    }

    /// Returns the name of the rules: that of the preset, or `custom`.
    pub fn rules_name(&self) -> &'static str {
        self.rules.preset_name().unwrap_or("custom")
    }

    /// Returns the keys of everything that affects the results, except the number of deals and the shard.
    fn to_file(&self) -> Result<RunFile> {
        Ok(RunFile {
            bots: Some(self.given()),
            against: self.crossplay.as_ref().map(|crossplay| crossplay.against.as_str().to_owned()),
            control: self
                .control
                .as_ref()
                .map(|control| control.bots.iter().map(|bot| bot.as_str().to_owned()).collect()),
            control_deals: self.control.as_ref().map(|control| control.deals),
            freeze: (self.freeze != Freeze::None).then(|| FreezeText::from(&self.freeze)),
            format: (self.format != Format::Match).then_some(self.format),
            matches: Some(self.unit == Unit::Match),
            forfeit: self.forfeit.then_some(true),
            confine: self.confine,
            seed: Some(self.seed.clone()),
            records: Some(self.records),
            table: self.records.has_table().then_some(self.table),
            lines: self.records.has_lines().then_some(self.lines),
            rules: Some(RulesText::of(&self.rules)?),
            ..RunFile::default()
        })
    }

    /// Returns the configuration file that reproduces the results: everything but threads, directory and progress.
    ///
    /// # Errors
    ///
    /// Never in practice; rules and names are plain data.
    pub fn to_toml(&self) -> Result<String> {
        let file = RunFile { deals: Some(self.deals), shard: self.shard, ..self.to_file()? };
        let text = toml::to_string(&file).map_err(ConfigError::from)?;
        Ok(format!("# `arena run --config` on this file plays the same run again.\n{text}"))
    }

    /// Returns all settings that affect the result of a deal and its format, by name. Deals with equal settings can be
    /// merged.
    pub fn settings(&self) -> Result<toml::Table> {
        toml::Table::try_from(self.to_file()?).map_err(|error| ConfigError::from(error).into())
    }
}
