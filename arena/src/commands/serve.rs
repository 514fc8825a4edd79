//! `arena serve`: a table, an analysis board and the runs of a directory, in a browser.

use std::io::Write;
use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::{Exit, Result};
use coinche_serve::{Origin, Settings};

use super::flags::{ConfineFlag, RulesFlags};
use super::play::programs;

/// The flags of `arena serve`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("serve"))]
pub(crate) struct ServeArgs {
    /// A directory of runs, to read as reports
    #[arg(value_name = "DIR")]
    pub shelf: Option<PathBuf>,
    /// The port [default: one that is free]
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    pub port: u16,
    /// Listen here, not only on this machine
    ///
    /// For example 0.0.0.0. The address that is printed then has a token, without which nothing is answered; links of seats have tokens of their own. Nothing is encrypted.
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<IpAddr>,
    /// Directory of the tables
    ///
    /// Each has a directory of its own, with its records and all that was played.
    #[arg(long, value_name = "DIR", default_value = "results/tables")]
    pub tables: PathBuf,
    /// Also offer this bot; repeatable
    ///
    /// A program, or a bot that reads a file: the page cannot name these.
    #[arg(long, value_name = "BOT")]
    pub bot: Vec<String>,
    /// Let pages of this origin ask; repeatable
    ///
    /// For example `https://example.org`: to embed the engine in a page of your own. Other pages are refused.
    #[arg(long, value_name = "URL")]
    pub allow_origin: Vec<Origin>,
    /// Cards of tables: own or duplicate [default: own]
    #[arg(long, value_enum, value_name = "CARDS")]
    pub table: Option<TableCards>,
    /// The sandbox.
    #[command(flatten)]
    pub confine: ConfineFlag,
    /// The rules, and the number of threads.
    #[command(flatten)]
    pub rules: RulesFlags,
}

/// Which cards the tables get.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TableCards {
    /// Each has its own
    Own,
    /// The same at all tables, to compare people
    Duplicate,
}

/// Runs the command.
pub(crate) fn serve(args: ServeArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let rules = args.rules.load()?;
    let mut bots = Vec::new();
    for bot in &args.bot {
        let [bot, _] = programs([bot, bot], &args.rules, args.confine, registry)?;
        bot.check_rules(&rules)?;
        bots.push(bot);
    }
    let settings = Settings {
        listen: args.listen,
        port: args.port,
        tables: args.tables,
        shelf: args.shelf,
        rules,
        bots,
        origins: args.allow_origin,
        threads: args.rules.threads()?,
        duplicate: (args.table == Some(TableCards::Duplicate)).then(coinche_runs::draw_seed),
    };
    coinche_serve::serve(settings, registry, out)
}
