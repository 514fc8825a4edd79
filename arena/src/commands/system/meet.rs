//! The flags of commands that try systems on deals, and three of these commands.

use std::io::Write;

use clap::Args;
use coinche_analysis::system::meeting::{COMPANY, Meeting};
use coinche_analysis::system::{SystemFile, diff, print, worth};
use coinche_analysis::typed::Language;
use coinche_bots::{BotSpec, ParseBotError, Registry};
use coinche_engine::RuleSet;
use coinche_selfplay::{Detail, Exit, ModuleError, OutOfRange, Result, finish};

use super::rules_of;
use crate::commands::count::count;
use crate::commands::flags::{PageFlags, RulesFlags, SeedFlag};

/// The most deals.
const MOST_DEALS: u64 = 10_000_000;

/// Who is met, and under which rules.
#[derive(Debug, Args)]
pub(crate) struct MeetFlags {
    /// An opponent; repeatable [default: eight]
    ///
    /// A bidder, as in `--opponent net --opponent system:file=club.toml`; each is met on as many deals. By default:
    /// net three times, rules, sound-beginner, nimbustier-classic, colver-v6-tables, drawn-11.
    #[arg(long = "opponent", value_name = "BIDDER")]
    pub opponents: Vec<String>,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
    /// The rules, and the number of threads.
    #[command(flatten)]
    pub rules: RulesFlags,
}

/// Why an opponent cannot be met.
#[derive(Debug, thiserror::Error)]
enum MeetError {
    #[error("{0}: {1}")]
    Bidder(&'static str, #[source] ParseBotError),
    #[error("{0}")]
    System(#[source] ParseBotError),
    #[error("{0}: it is about the deals that --deals N plays: give that too, or leave it out")]
    WithoutDeals(&'static str),
    #[error("{0}: `{1}` bids outside the arena; name a built-in one (`arena bots` lists them)")]
    Outside(&'static str, String),
}

impl ModuleError for MeetError {}

/// Reads the bidder of a flag, which must bid by the rules and in this program.
pub(super) fn inside(flag: &'static str, name: &str, rules: &RuleSet) -> Result<BotSpec> {
    let wrong = |error| MeetError::Bidder(flag, error);
    let spec = Registry::builtin().parse_bidder(name).map_err(wrong)?;
    if spec.bidder_program().is_some() || spec.bidder_batch().is_some() {
        return Err(MeetError::Outside(flag, name.to_owned()).into());
    }
    spec.check_rules(rules).map_err(wrong)?;
    Ok(spec)
}

impl MeetFlags {
    /// Returns the deals and the opponents; the rules are the first that a system is for, where none are named.
    pub(super) fn meeting(&self, deals: u64, file: Option<&SystemFile>) -> Result<Meeting> {
        let rules = file.map_or_else(|| self.rules.load(), |file| rules_of(&self.rules, file))?;
        let names: Vec<&str> = match &*self.opponents {
            [] => COMPANY.to_vec(),
            names => names.iter().map(String::as_str).collect(),
        };
        let registry = Registry::builtin();
        // No system bids where bids have no value.
        let system = registry.parse_bidder("system").and_then(|system| system.check_rules(&rules));
        system.map_err(MeetError::System)?;
        let is_default = self.opponents.is_empty();
        let company = names.into_iter().filter_map(|name| {
            let bidder = inside("opponent", name, &rules);
            // Some of the defaults are not for all rules.
            (bidder.is_ok() || !is_default).then_some(bidder)
        });
        let company: Vec<_> = company.collect::<Result<_, _>>()?;
        Ok(Meeting { rules, seed: self.seed.or_drawn(), company, deals })
    }
}

/// The flags of `arena system worth`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("system-worth"))]
pub(crate) struct SystemWorthArgs {
    /// A file, or a system of `arena system list`
    #[arg(value_name = "SYSTEM")]
    pub system: String,
    /// Number of deals, bid at both sides
    #[arg(long, value_name = "N", default_value = "20k", value_parser = count::<u64>)]
    pub deals: u64,
    /// Who is met.
    #[command(flatten)]
    pub meet: MeetFlags,
    /// In which forms, beside the text.
    #[command(flatten)]
    pub page: PageFlags,
}

/// The flags of `arena system diff`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("system-diff"))]
pub(crate) struct SystemDiffArgs {
    /// System A: a file, or a system of `arena system list`
    #[arg(value_name = "A")]
    pub a: String,
    /// System B
    #[arg(value_name = "B")]
    pub b: String,
    /// Number of deals, bid at both sides
    #[arg(long, value_name = "N", default_value = "20k", value_parser = count::<u64>)]
    pub deals: u64,
    /// Who is met.
    #[command(flatten)]
    pub meet: MeetFlags,
    /// In which forms, beside the text.
    #[command(flatten)]
    pub page: PageFlags,
}

/// The flags of `arena system print`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("system-print"))]
pub(crate) struct SystemPrintArgs {
    /// A file, or a system of `arena system list`
    #[arg(value_name = "SYSTEM")]
    pub system: String,
    /// Language: english or french
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value = "english")]
    pub language: Language,
    /// Also show what each rule is worth, on N deals
    ///
    /// With it each rule has its share of the calls, the points per deal that are lost without it, and a hand that it
    /// decides.
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub deals: Option<u64>,
    /// Who is met.
    #[command(flatten)]
    pub meet: MeetFlags,
    /// In which forms, beside the text.
    #[command(flatten)]
    pub page: PageFlags,
}

/// Runs `arena system worth`.
pub(super) fn tell_worth(args: &SystemWorthArgs, out: &mut dyn Write) -> Result<Exit> {
    let file = SystemFile::read(&args.system)?;
    let deals = OutOfRange::check("deals", args.deals, 1..=MOST_DEALS)?;
    let meeting = args.meet.meeting(deals, Some(&file))?;
    let pool = args.meet.rules.pool()?;
    let found = pool.install(|| worth::worth(&file, &meeting)).map_err(|error| file.wrong(error))?;
    args.page.show(&worth::document(&file, &meeting, &found), None, out).map(|()| Exit::Done)
}

/// Runs `arena system diff`.
pub(super) fn tell_diff(args: &SystemDiffArgs, out: &mut dyn Write) -> Result<Exit> {
    let files = [SystemFile::read(&args.a)?, SystemFile::read(&args.b)?];
    let deals = OutOfRange::check("deals", args.deals, 1..=MOST_DEALS)?;
    let meeting = args.meet.meeting(deals, Some(&files[0]))?;
    let pool = args.meet.rules.pool()?;
    let found = pool.install(|| diff::diff(&files, &meeting));
    let found = found.map_err(|(n, error)| files[n].wrong(error))?;
    args.page.show(&diff::document(&files, &meeting, &found), None, out).map(|()| Exit::Done)
}

/// Runs `arena system print`.
pub(super) fn print(args: &SystemPrintArgs, out: &mut dyn Write) -> Result<Exit> {
    let file = SystemFile::read(&args.system)?;
    let deals = args.deals.map(|deals| OutOfRange::check("deals", deals, 1..=MOST_DEALS)).transpose()?;
    let MeetFlags { opponents, seed, rules, .. } = &args.meet;
    let given = [
        ("--opponent", !opponents.is_empty()),
        ("--seed", seed.seed.is_some()),
        ("--rules", rules.rules.is_some()),
        ("--set", !rules.set.is_empty()),
    ];
    if let Some((flag, _)) = given.into_iter().find(|(_, is_given)| *is_given && deals.is_none()) {
        return Err(MeetError::WithoutDeals(flag).into());
    }
    let meeting = deals.map(|deals| args.meet.meeting(deals, Some(&file))).transpose()?;
    let pool = args.meet.rules.pool()?;
    let worth = meeting.as_ref().map(|meeting| {
        let worth = pool.install(|| worth::worth_of_rules(&file, meeting));
        worth.map(|worth| (meeting, worth)).map_err(|error| file.wrong(error))
    });
    let worth = worth.transpose()?;
    let page = |language| {
        let weighed = worth.as_ref().map(|(meeting, worth)| (*meeting, worth));
        print::print(&file, language, weighed).map_err(|error| file.wrong(error))
    };
    let (page, written) = args.page.write_in(args.language, None, page)?;
    finish(out, &(page.render(Detail::Full) + &written))
}
