//! `arena advise`: recommends a call or card for a hand.

use std::io::Write;
use std::time::Duration;

use clap::Args;
use coinche_bots::{Agent as _, BotSpec, ParseBotError, Registry, search};
use coinche_engine::{Key, RuleSet, Seat};
use coinche_selfplay::{Detail, Exit, ModuleError, Result, Solvers, print};

use super::count::count;
use super::flags::{PageFlags, RulesFlags, SeedFlag};
use coinche_analysis::advise;
use coinche_analysis::advise::{Adviser, Asked, Budget, Models, Question};
use coinche_analysis::typed::Language;

/// The maximum number of worlds.
const MOST_WORLDS: u32 = 1_000_000;

/// The flags of `arena advise`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("advise"))]
pub(crate) struct AdviseArgs {
    /// The hand: `JS 9S …` or `C:J97 D:A H:- S:KQ87`
    ///
    /// All eight cards, those already played too (in the auction of the turn-up game: the five dealt first).
    #[arg(value_name = "HAND", required_unless_present = "hand", conflicts_with = "hand")]
    pub cards: Vec<String>,
    /// The hand, as a flag
    #[arg(long, value_name = "HAND")]
    pub hand: Option<String>,
    /// The calls so far, such as `P 80H P`
    ///
    /// They start with the seat after the dealer. `3:X` names the seat, which only a coinche at any time needs; declined
    /// offers are left out.
    #[arg(long, value_name = "CALLS", default_value = "")]
    pub auction: String,
    /// The cards so far, such as `AD 7D 8D KD / JS`
    ///
    /// In order of play, tricks separated by `/`; the last one may be unfinished. Empty for the first lead.
    #[arg(long, value_name = "TRICKS")]
    pub tricks: Option<String>,
    /// The dealer's seat
    #[arg(long, value_name = "SEAT", default_value = "3")]
    pub dealer: Seat,
    /// The seat of the hand [default: whose turn it is]
    ///
    /// It is only checked against the calls and cards.
    #[arg(long, value_name = "SEAT")]
    pub seat: Option<Seat>,
    /// Ask this seat whether to coinche or surcoinche
    ///
    /// Only where a coinche is possible at any time.
    #[arg(long, value_name = "SEAT")]
    pub offered: Option<Seat>,
    /// The card turned up, in the turn-up game
    #[arg(long, value_name = "CARD")]
    pub turned: Option<String>,
    /// Match score before the deal
    ///
    /// Of the built-in bots, only those with equity=on use it.
    #[arg(long, value_name = "US,THEM", default_value = "0,0", allow_hyphen_values = true)]
    pub score: String,
    /// Melds announced, such as `1:tierce 2:carre`
    ///
    /// In the order announced; your own are known.
    #[arg(long, value_name = "MELDS")]
    pub melds: Option<String>,
    /// Melds shown, such as `1:9H TH JH 3:QC KC AC`, or none
    ///
    /// After the first trick: those that scored, your own too.
    #[arg(long, value_name = "MELDS")]
    pub shown: Option<String>,
    /// A seat that announced a belote; repeatable
    ///
    /// Needed once one of its cards has been played; your own is known.
    #[arg(long, value_name = "SEAT")]
    pub belote: Vec<String>,
    /// Ask this bot instead
    ///
    /// Its bidder for a call, its card player for a card. Its ratings are shown, or only its choice if it has none.
    #[arg(long, value_name = "BOT")]
    pub by: Option<String>,
    /// Assume this bot as partner [default: champion]
    ///
    /// How the partner bids and plays, by default champion:style=natural+net: a bot that does not search, such as `table` or `net`.
    #[arg(long, value_name = "BOT")]
    pub partner: Option<String>,
    /// Assume this bot as opponents [default: champion]
    #[arg(long, value_name = "BOT")]
    pub others: Option<String>,
    /// Time to think, such as 800ms or 10s [default: 700ms]
    #[arg(long, value_name = "TIME", conflicts_with = "worlds")]
    pub time: Option<String>,
    /// Number of deals to search instead
    ///
    /// The answer is then the same on every machine.
    #[arg(long, value_name = "N", value_parser = count::<u32>)]
    pub worlds: Option<u32>,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
    /// Language: english or french
    #[arg(long, value_enum, value_name = "LANG", default_value = "english")]
    pub language: Language,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// The rules, and the number of threads.
    #[command(flatten)]
    pub rules: RulesFlags,
    /// In which forms, beside the text.
    #[command(flatten)]
    pub page: PageFlags,
}

/// A time that is none.
#[derive(Debug, thiserror::Error)]
#[error("--time {0}: expected a time such as `800ms` or `10s`, up to an hour")]
pub(super) struct TimeError(String);

impl ModuleError for TimeError {}

/// Returns the time for advice: 700 ms by default.
pub(super) fn time(text: Option<&str>) -> Result<Duration, TimeError> {
    let Some(text) = text else { return Ok(Duration::from_millis(700)) };
    search::duration(text).ok_or_else(|| TimeError(text.to_owned()))
}

/// What is wrong with the arguments.
#[derive(Debug, thiserror::Error)]
enum AdviseArgsError {
    #[error("--worlds {0} is not in 1 to {MOST_WORLDS}")]
    Worlds(u32),
    #[error("--{flag} {bot}: a program cannot be a model of a player; name one of `arena bots`")]
    ProgramAsModel { flag: &'static str, bot: String },
    #[error(
        "--{flag} {bot}: it searches, and a model of a player is asked thousands of times: name a bot that answers at once, \
         as {quick}"
    )]
    SlowModel { flag: &'static str, bot: String, quick: String },
    #[error("--by {0}: a program only plays inside the arena; name one of `arena bots`")]
    Program(String),
    #[error("--by {0}: it sees all hands, and you know only one; name another of `arena bots`")]
    SeesAll(String),
    #[error("--by {0} has its own budget: leave out --time and --worlds; see `arena bots`")]
    OwnBudget(String),
    #[error("{0}")]
    Question(String),
}

impl ModuleError for AdviseArgsError {}

/// Parses a bot, also one that only bids, or only plays, where that suffices: `rules` does the rest.
fn whole(registry: &Registry, text: &str, [bids, plays]: [bool; 2]) -> Result<BotSpec, ParseBotError> {
    match registry.parse(text) {
        Err(ParseBotError::NoPlayer(_)) if bids => registry.parse(&format!("{text}+rules")),
        Err(ParseBotError::NoBidder(_)) if plays => registry.parse(&format!("rules+{text}")),
        spec => spec,
    }
}

impl AdviseArgs {
    fn budget(&self) -> Result<Budget> {
        match (self.worlds, &self.time) {
            (Some(worlds), _) if (1..=MOST_WORLDS).contains(&worlds) => Ok(Budget::Worlds(worlds)),
            (Some(worlds), _) => Err(AdviseArgsError::Worlds(worlds).into()),
            (None, text) => Ok(Budget::Time(time(text.as_deref())?)),
        }
    }

    /// Returns the assumed bots of partner and opponents.
    fn models(&self, registry: &Registry, rules: &RuleSet) -> Result<Models> {
        let read = |flag, text: Option<&str>, default| -> Result<BotSpec> {
            let text = text.unwrap_or(default);
            let spec = whole(registry, text, [true, true])?;
            let bot = text.to_owned();
            spec.check_rules(rules)?;
            if spec.has_program() {
                return Err(AdviseArgsError::ProgramAsModel { flag, bot }.into());
            }
            let quick = advise::quick(&spec, registry)?;
            if quick != spec {
                return Err(AdviseArgsError::SlowModel { flag, bot, quick: quick.to_string() }.into());
            }
            Ok(spec)
        };
        let partner = read("partner", self.partner.as_deref(), advise::PARTNER)?;
        Ok(Models::new(partner, read("others", self.others.as_deref(), advise::OPPONENTS)?))
    }

    /// Returns the bot to ask; one that only bids or only plays suffices.
    fn bot(&self, registry: &Registry) -> Result<Option<BotSpec>> {
        let Some(text) = &self.by else { return Ok(None) };
        let plays = self.tricks.is_some();
        let spec = whole(registry, text, [!plays, plays])?;
        let program = if plays { spec.player_program() } else { spec.bidder_program() };
        if program.is_some() {
            return Err(AdviseArgsError::Program(text.clone()).into());
        }
        if spec.sees_all() {
            return Err(AdviseArgsError::SeesAll(text.clone()).into());
        }
        let bot = spec.build();
        let searches =
            if plays { bot.player.thinks() } else { bot.bidder.thinks() && !advise::tells_at_once(&spec) };
        if searches && (self.time.is_some() || self.worlds.is_some()) {
            return Err(AdviseArgsError::OwnBudget(text.clone()).into());
        }
        Ok(Some(spec))
    }
}

/// Runs the command.
pub(crate) fn advise(args: &AdviseArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let rules = args.rules.load()?;
    let (budget, by, models) = (args.budget()?, args.bot(registry)?, args.models(registry, &rules)?);
    if let Some(by) = &by {
        by.check_rules(&rules)?;
    }
    let hand = args.hand.clone().unwrap_or_else(|| args.cards.join(" "));
    let asked = Asked {
        hand: &hand,
        auction: &args.auction,
        tricks: args.tricks.as_deref(),
        turned: args.turned.as_deref(),
        dealer: args.dealer,
        seat: args.seat,
        offered: args.offered,
        score: &args.score,
        melds: args.melds.as_deref(),
        shown: args.shown.as_deref(),
        belotes: &args.belote,
    };
    let question = Question::read(&rules, &asked)
        .map_err(|error| AdviseArgsError::Question(error.told(args.language)))?;
    let solvers = Solvers::new(args.rules.threads)?;
    let seed = args.seed.or_drawn();
    let key = Key::decisions(&seed, 0, question.view().seat());
    let advice = advise::advise(
        &question,
        &Adviser { solvers: &solvers, budget, by: by.as_ref(), models: &models, key },
    );
    let (_, written) = args
        .page
        .write_in(args.language, None, |language| Ok(advise::document(&question, &advice, language)))?;
    let text = if args.json {
        let mut json = advise::json(&question, &advice);
        json["seed"] = serde_json::json!(seed);
        format!("{json}\n")
    } else {
        format!(
            "{}\n{} {seed}\n{written}",
            advise::brief(&question, &advice, args.language).render(Detail::Full),
            args.language.of("seed", "graine"),
        )
    };
    print(out, &text)?;
    Ok(Exit::Done)
}
