//! `arena bidding`: which of two or more bidders bids best, and where they lose.

use std::io::Write;

use clap::Args;
use coinche_bots::{BotSpec, ParseBotError, Registry, TeamSpec, shell_quoted};
use coinche_selfplay::base::error::{ArenaError, ModuleError, OutOfRange};
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::base::output::print;
use coinche_selfplay::base::progress::ProgressMode;
use coinche_selfplay::document::text::Detail;
use coinche_selfplay::play::freeze::{Freeze, FrozenPlayer};
use coinche_selfplay::play::schedule::{Format, Unit};
use coinche_selfplay::records::forms::{LinesForm, TableForm};

use super::count::count;
use super::flags::{PageFlags, RulesFlags, SeedFlag};
use crate::analysis::bidding;
use crate::run::config::{MOST_DEALS, Records, RunConfig, TimesMode, quoted, rules_flags};

/// The flags of `arena bidding`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
All bidders play the same deals: every pair in both seatings, and each bidder against itself. One player (or the exact solver) plays all cards. Results, with intervals: points per deal, what auctions lose against the best possible contract and why, who agrees with whom, contracts bid and made, how well calibrated the bidders' own chances are, and the deals in which two bidders differ most. docs/strategy.md defines every figure.

Examples:
  arena bidding rules table                       10,000 deals, double dummy
  arena bidding rules table dd:worlds=20 --deals 500 --out bidding.html
  arena bidding rules rules:caution=10 --play rules --rules contree --csv tables

Exit codes: 0 done, 2 wrong arguments, 3 output cannot be written.")]
pub struct BiddingArgs {
    /// The bidders, two or more; `arena bots` lists them
    ///
    /// Bots without a card player, such as `rules` or `dd:worlds=20`.
    #[arg(value_name = "BIDDER", required = true)]
    pub bidders: Vec<String>,
    /// Number of deals
    #[arg(long, value_name = "N", default_value_t = crate::run::config::DEFAULT_DEALS, value_parser = count::<u64>)]
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
    /// Progress: auto, plain, json, none
    #[arg(long, value_enum, value_name = "MODE", default_value = "auto")]
    pub progress: ProgressMode,
}

/// Every two meet: more would mean hundreds of tables on each thread.
const MOST_BIDDERS: usize = 16;
/// The most deals that are shown of every two bidders.
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

impl BiddingArgs {
    fn config(&self, registry: &Registry) -> Result<RunConfig, ArenaError> {
        let (bidders, rules) = (self.bidders(registry)?, self.rules.load_for_deals()?);
        for bidder in &bidders {
            bidder.check_rules(&rules)?;
        }
        OutOfRange::check("deals", self.deals, 1..=MOST_DEALS)?;
        OutOfRange::check("show", self.show as u64, 0..=MOST_SHOWN)?;
        Ok(RunConfig {
            format: if bidders.len() == 2 { Format::Match } else { Format::RoundRobin },
            bots: bidders.into_iter().map(Into::into).collect(),
            crossplay: None,
            control: None,
            freeze: Freeze::Play(self.player(registry)?),
            deals: self.deals,
            unit: Unit::Deal,
            seed: self.seed.or_drawn(),
            rules,
            records: Records::None,
            table: TableForm::Csv,
            lines: LinesForm::Jsonl,
            shard: None,
            times: TimesMode::None,
            threads: self.rules.threads()?,
            out: None,
            progress: self.progress,
            forfeit: false,
        })
    }

    fn bidders(&self, registry: &Registry) -> Result<Vec<BotSpec>, ArenaError> {
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

    /// Reads who plays.
    fn player(&self, registry: &Registry) -> Result<FrozenPlayer, ArenaError> {
        if self.play == "solver" {
            return Ok(FrozenPlayer::Solver);
        }
        let player = registry.parse_player(&self.play).map_err(BiddingArgsError::Play)?;
        Ok(FrozenPlayer::Bot(Box::new(player)))
    }

    /// The command that gives the same bytes.
    fn command(&self, config: &RunConfig) -> String {
        let bidders: Vec<_> = config.bots.iter().map(TeamSpec::quoted).collect();
        let (bidders, play) = (bidders.join(" "), shell_quoted(&self.play));
        let (Self { deals, show, .. }, seed) = (self, quoted(&config.seed));
        let rules = rules_flags(&config.rules);
        format!("arena bidding {bidders} --play {play} --deals {deals} --seed {seed} --show {show}{rules}")
    }
}

/// Runs the command.
///
/// # Errors
///
/// When the arguments are wrong, a program does not start, or something cannot be written.
pub(crate) fn bidding(
    args: &BiddingArgs,
    registry: &Registry,
    out: &mut dyn Write,
) -> Result<Exit, ArenaError> {
    let (config, _) = args.config(registry)?.meet(registry)?;
    let totals = bidding::play(&config, args.show)?;
    let document = bidding::document(&config, &args.command(&config), &totals);
    let text = document.render(Detail::Full);
    let written = args.page.write(&document, None)?;
    print(out, &format!("{text}{written}"))?;
    Ok(Exit::Done)
}
