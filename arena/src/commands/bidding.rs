//! `arena bidding`: which of two or more bidders bids best, and where they lose.

use std::io::Write;
use std::path::Path;

use clap::Args;
use coinche_bots::{BotSpec, ParseBotError, Registry, TeamSpec, shell_quoted};
use coinche_engine::Seed;
use coinche_selfplay::{Exit, Format, Freeze, FrozenPlayer, ModuleError, OutOfRange, ProgressMode, Result};
use serde::{Deserialize, Serialize};

use super::count::count;
use super::flags::{PageFlags, RulesFlags, SeedFlag, ShardFlag};
use super::run::exit_of;
use coinche_analysis::bidding::{self, BiddingJob, BiddingTotals};
use coinche_protocol::STOP;
use coinche_runs::{
    CommandLine, Damage, Identity, Job, MOST_DEALS, Parts, Records, RulesText, RunConfig, RunFile, Shard,
    State, SumJob, Task, TimesMode,
};

/// The flags of `arena bidding`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("bidding"))]
pub(crate) struct BiddingArgs {
    /// The bidders, two or more; `arena bots` lists them
    ///
    /// Bots without a card player, such as `rules` or `dd:worlds=20`.
    #[arg(value_name = "BIDDER", required = true)]
    pub bidders: Vec<String>,
    /// Number of deals
    #[arg(long, value_name = "N", default_value_t = coinche_runs::DEFAULT_DEALS, value_parser = count::<u64>)]
    pub deals: u64,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
    /// Who plays the cards
    ///
    /// The card player of a bot, or the exact solver, which plays double dummy.
    #[arg(long, value_name = "PLAYER", default_value = "solver")]
    pub play: String,
    /// Number of deals shown
    ///
    /// For each pair of bidders, the deals in which they differ most.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = count::<usize>)]
    pub show: usize,
    /// The rules, and the number of threads.
    #[command(flatten)]
    pub rules: RulesFlags,
    /// In which forms, beside the text.
    #[command(flatten)]
    pub page: PageFlags,
    /// Of which deals.
    #[command(flatten)]
    pub shard: ShardFlag,
    /// Progress: auto, plain, json, none
    #[arg(long, value_enum, value_name = "MODE", default_value = "auto")]
    pub progress: ProgressMode,
}

/// Every two meet: more bidders would need hundreds of tables per thread.
const MOST_BIDDERS: usize = 16;
/// The maximum number of deals shown for every two bidders.
const MOST_SHOWN: u64 = 100;

/// Why the arguments are wrong.
#[derive(Debug, thiserror::Error)]
enum BiddingArgsError {
    #[error(
        "expected 2 to {MOST_BIDDERS} bidders, as in `arena bidding rules table`, but got {0}; `arena bots` lists \
             them"
    )]
    Number(usize),
    #[error("bidder `{0}` is named twice: name two different bidders")]
    Twice(String),
    #[error("--play: {0}; or `solver`")]
    Play(ParseBotError),
}

impl ModuleError for BiddingArgsError {}

/// The options that affect the result, other than the number of deals.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    bidders: Vec<String>,
    play: String,
    seed: Seed,
    show: usize,
    rules: RulesText,
}

impl Asked {
    fn config(
        &self,
        deals: u64,
        threads: Option<usize>,
        progress: ProgressMode,
        registry: &Registry,
    ) -> Result<RunConfig> {
        let (bidders, rules) = (self.bidders(registry)?, self.rules.load()?);
        for bidder in &bidders {
            bidder.check_rules(&rules)?;
        }
        OutOfRange::check("deals", deals, 1..=MOST_DEALS)?;
        OutOfRange::check("show", self.show as u64, 0..=MOST_SHOWN)?;
        let player = self.player(registry)?;
        let file = RunFile {
            deals: Some(deals),
            seed: Some(self.seed.clone()),
            rules: Some(self.rules.clone()),
            records: Some(Records::None),
            times: Some(TimesMode::None),
            threads,
            progress: Some(progress),
            ..RunFile::default()
        };
        let format = if bidders.len() == 2 { Format::Match } else { Format::RoundRobin };
        let bots = bidders.into_iter().map(Into::into).collect();
        let config = file.complete(bots, format, None, registry)?;
        Ok(RunConfig { freeze: Freeze::Play(player), ..config })
    }

    fn bidders(&self, registry: &Registry) -> Result<Vec<BotSpec>> {
        let number = self.bidders.len();
        if !(2..=MOST_BIDDERS).contains(&number) {
            return Err(BiddingArgsError::Number(number).into());
        }
        let mut bidders: Vec<BotSpec> = Vec::with_capacity(number);
        for text in &self.bidders {
            let bidder = registry.parse_bidder(text)?;
            if bidders.contains(&bidder) {
                return Err(BiddingArgsError::Twice(bidder.to_string()).into());
            }
            bidders.push(bidder);
        }
        Ok(bidders)
    }

    /// Parses the card player.
    fn player(&self, registry: &Registry) -> Result<FrozenPlayer> {
        if self.play == "solver" {
            return Ok(FrozenPlayer::Solver);
        }
        let player = registry.parse_player(&self.play).map_err(BiddingArgsError::Play)?;
        Ok(FrozenPlayer::Bot(Box::new(player)))
    }

    /// Prints the totals, and writes the requested files.
    fn show(
        &self,
        config: &RunConfig,
        totals: &BiddingTotals,
        page: &PageFlags,
        out: &mut dyn Write,
    ) -> Result<Exit> {
        page.show(&bidding::document(config, &self.command(config), totals), None, out)?;
        Ok(exit_of(config, totals.duels()))
    }

    /// Returns the command that gives the same bytes.
    fn command(&self, config: &RunConfig) -> String {
        CommandLine::new("bidding")
            .bots(config.bots.iter().map(TeamSpec::quoted))
            .flag("play", shell_quoted(&self.play))
            .flag("deals", config.deals)
            .seed(config)
            .flag("show", self.show)
            .rules(config)
    }
}

/// Runs the command.
pub(crate) fn bidding(args: &BiddingArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let part = args.shard.part(&args.page)?;
    let seed = match part {
        None => args.seed.or_drawn(),
        Some((shard, _)) => args.seed.or_there(None, Some(shard))?,
    };
    let (bidders, play) = (args.bidders.clone(), args.play.clone());
    let rules = RulesText::of(&args.rules.load_for_deals()?)?;
    let asked = Asked { bidders, play, seed, show: args.show, rules };
    let config = asked.config(args.deals, args.rules.threads, args.progress, registry)?;
    let (config, _) = config.meet(registry)?;
    if let Some((shard, path)) = part {
        return make(asked, config, shard, path, out);
    }
    let totals = bidding::play(&config, args.show)?;
    asked.show(&config, &totals, &args.page, out)
}

/// Makes a part.
fn make(asked: Asked, config: RunConfig, shard: Shard, path: &Path, out: &mut dyn Write) -> Result<Exit> {
    // Programs are recorded with the names they reported, so that the merge need not start them.
    let bidders = config.bots.iter().map(|bot| bot.as_str().to_owned()).collect();
    let asked = Asked { bidders, ..asked };
    let (identity, threads) = (Identity::try_of(&asked)?.with_files(config.files()), config.threads);
    let task = Task::shard(Job::Bidding, identity, shard, 0..config.deals).by(threads);
    let config = RunConfig { shard: Some(shard), ..config };
    BiddingJob { config: &config, show: asked.show }.make_part(path, &task, &STOP)?.tell("played", out)
}

/// Prints and writes the result of the whole command.
pub(super) fn merge(
    parts: &Parts,
    page: &PageFlags,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Exit> {
    let asked: Asked = parts.settings()?;
    let config = asked.config(parts.deals(), None, ProgressMode::None, registry)?;
    let totals = BiddingJob { config: &config, show: asked.show }.total(parts)?;
    asked.show(&config, &totals, page, out)
}

/// Checks that the totals of a part are those of its bidders.
pub(super) fn check(state: &State, registry: &Registry) -> Result<Result<(), Damage>> {
    let asked: Asked = match state.settings() {
        Ok(asked) => asked,
        Err(why) => return Ok(Err(why)),
    };
    let config = asked.config(state.asked.max(1), None, ProgressMode::None, registry)?;
    Ok(BiddingJob { config: &config, show: asked.show }.read(state).map(drop))
}
