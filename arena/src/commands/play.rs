//! `arena play`: a person plays against bots, in the terminal.

use std::io::{self, BufReader, IsTerminal as _, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use clap::Args;
use coinche_bots::{BotSpec, Registry};
use coinche_engine::{RuleSet, Seat};
use coinche_selfplay::{Exit, OutOfRange, Result, Solvers, next_line};

use super::advise::time;
use super::count::count;
use super::flags::{ConfineFlag, RulesFlags, SeedFlag};
use coinche_analysis::advise::{Models, quick};
use coinche_analysis::play;
use coinche_analysis::play::{Desk, Line, Settings};
use coinche_analysis::typed::Language;
use coinche_protocol::STOP;
use coinche_runs::{ConfigError, RulesText, RunFile};

/// How soon Ctrl-C is noticed.
const NOTICE: Duration = Duration::from_millis(50);
/// The maximum number of deals.
const MOST_DEALS: u64 = 1_000_000;

/// The flags of `arena play`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("play"))]
pub(crate) struct PlayArgs {
    /// Your seat, 0 to 3 in order of play
    #[arg(long, value_name = "SEAT", default_value = "0")]
    pub seat: Seat,
    /// Your partner
    #[arg(long, value_name = "BOT", default_value = "champion:style=natural")]
    pub partner: String,
    /// Your opponents
    #[arg(long, value_name = "BOT", default_value = "champion")]
    pub others: String,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
    /// The sandbox.
    #[command(flatten)]
    pub confine: ConfineFlag,
    /// Number of deals to play [default: until you stop]
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub deals: Option<u64>,
    /// Write the records to this directory
    ///
    /// As records.jsonl, which `show`, `judge` and `verify` read. Without it nothing is written.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Language: english or french
    ///
    /// Of all that is printed; both languages can be typed.
    #[arg(long, value_enum, default_value = "english")]
    pub language: Language,
    /// Time for advice (`?`) [default: 700ms]
    ///
    /// For example 800ms or 10s.
    #[arg(long, value_name = "TIME")]
    pub time: Option<String>,
    /// The rules, and the number of threads.
    #[command(flatten)]
    pub rules: RulesFlags,
}

/// Runs the command.
pub(crate) fn play(args: PlayArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let rules = args.rules.load()?;
    let seated = [&args.partner, &args.others].map(|bot| default_for(&rules, bot, registry));
    let [partner, others] = programs(seated, &args.rules, args.confine, registry)?;
    let time = time(args.time.as_deref())?;
    if let Some(deals) = args.deals {
        OutOfRange::check("deals", deals, 1..=MOST_DEALS)?;
    }
    for bot in [&partner, &others] {
        bot.check_rules(&rules)?;
    }
    let settings = Settings {
        rules,
        seat: args.seat,
        models: Models::new(model(&partner, registry)?, model(&others, registry)?),
        partner,
        others,
        seed: args.seed.or_drawn(),
        deals: args.deals,
        out: args.out,
        time,
        language: args.language,
    };
    let solvers = Solvers::new(args.rules.threads)?;
    let echo = !io::stdin().is_terminal();
    play::play(&settings, &solvers, &mut Desk { read: &mut lines(), out, echo })
}

/// Parses two bots. Programs are started once, so that errors show up before the game, and are called by the names they
/// report.
pub(super) fn programs(
    texts: [&str; 2],
    rules: &RulesFlags,
    confine: ConfineFlag,
    registry: &Registry,
) -> Result<[BotSpec; 2]> {
    let bots = [registry.parse(texts[0])?, registry.parse(texts[1])?];
    if !bots.iter().any(BotSpec::has_program) {
        return confine.confine.map_or(Ok(bots), |_| Err(ConfigError::WithoutProgram("confine").into()));
    }
    let asked = RunFile {
        bots: Some(texts.map(str::to_owned).to_vec()),
        rules: rules.rules.clone().map(RulesText::Name),
        set: Some(rules.set.clone()),
        confine: confine.confine,
        ..RunFile::default()
    };
    let (met, _) = asked.check(registry)?.meet(registry)?;
    Ok(met.first_two().map(|team| team.partner(0).clone()))
}

/// Returns a bot, `rules+pimc` in the place of `champion` under rules that it was not trained for.
fn default_for<'a>(rules: &RuleSet, bot: &'a str, registry: &Registry) -> &'a str {
    let is_default = ["champion", "champion:style=natural"].contains(&bot);
    let is_fit = || registry.parse(bot).is_ok_and(|spec| spec.check_rules(rules).is_ok());
    if is_default && !is_fit() { "rules+pimc" } else { bot }
}

/// Returns the model of a bot for advice: `rules` for a program.
fn model(bot: &BotSpec, registry: &Registry) -> Result<BotSpec> {
    Ok(if bot.has_program() { registry.parse("rules")? } else { quick(bot, registry)? })
}

/// Returns a function that reads lines from stdin and notices Ctrl-C meanwhile.
fn lines() -> impl FnMut() -> Line {
    let (send, receive) = mpsc::sync_channel(0);
    // It may be waiting for a line when the program ends; it is not joined.
    thread::spawn(move || {
        let mut input = BufReader::new(io::stdin());
        while let Ok(Some(line)) = next_line(&mut input) {
            if send.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    move || loop {
        if STOP.load(Ordering::Relaxed) {
            return Line::Interrupted;
        }
        match receive.recv_timeout(NOTICE) {
            Ok(text) => return Line::Text(text),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Line::End,
        }
    }
}
