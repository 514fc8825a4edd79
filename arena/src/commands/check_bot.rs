//! `arena check-bot`: checks that a program follows the protocol.

use std::io::Write;

use clap::Args;
use coinche_bots::{Registry, shell_quoted};
use coinche_engine::RuleSet;
use coinche_selfplay::{Exit, ModuleError, OutOfRange, Result, print};

use super::count::count;
use super::flags::{ConfineFlag, SeedFlag};
use coinche_protocol::{CheckPlan, Finding, FindingKind, check, confine};
use coinche_runs::{Confine, load_rules};

/// The flags of `arena check-bot`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("check-bot"))]
pub(crate) struct CheckBotArgs {
    /// The command, or what follows `cmd:` in a bot's name
    #[arg(value_name = "CMD", required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true)]
    pub command: Vec<String>,
    /// Rules: a preset or a rule file [default: all presets]
    ///
    /// For a program that plays only these.
    #[arg(long, value_name = "NAME|FILE")]
    pub rules: Option<String>,
    /// Number of deals under each rule set
    ///
    /// Each is played in two legs.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count::<u64>)]
    pub deals: u64,
    /// The sandbox.
    #[command(flatten)]
    pub confine: ConfineFlag,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
}

/// What is wrong with the command.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    #[error("the command has a zero byte")]
    ZeroByte,
    #[error("`{0}` is not one program: put a `+` of the command in quotes")]
    NotOneProgram(String),
    #[error("`{command}` does not start the program: write\n  arena check-bot {corrected}")]
    File { command: String, corrected: String },
}

impl ModuleError for CommandError {}

/// Runs the command.
pub(crate) fn check_bot(args: &CheckBotArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let text = match &args.command[..] {
        [one] => one.clone(),
        // The shell words, quoted again.
        words => shlex::try_join(words.iter().map(String::as_str)).map_err(|_| CommandError::ZeroByte)?,
    };
    let is_spec = ["cmd:", "python:"].iter().any(|prefix| text.starts_with(prefix));
    let text = if is_spec { text } else { format!("cmd:{text}") };
    let spec = registry.parse(&text)?;
    let Some(program) = spec.bidder_program().filter(|_| spec.is_one_program()) else {
        return Err(CommandError::NotOneProgram(spec.to_string()).into());
    };
    if let Some(command) = program.corrected_command() {
        let before = args.command.join(" ");
        let at = before.find("run=").filter(|_| args.command.len() == 1).map(|at| &before[..at + 4]);
        let corrected = at.map_or_else(|| command.clone(), |at| shell_quoted(&format!("{at}{command}")));
        return Err(CommandError::File { command: program.to_string(), corrected }.into());
    }
    OutOfRange::check("deals", args.deals, 2..=100_000)?;
    confine(args.confine.confine.map(|how| (how == Confine::Network, None)))?;
    let rules = match &args.rules {
        Some(name) => vec![(name.clone(), load_rules(name)?)],
        None => RuleSet::PRESETS.map(|(name, rules)| (name.to_owned(), rules)).into(),
    };
    let plan = CheckPlan { rules, deals: args.deals, seed: args.seed.or_drawn() };
    print(out, &format!("seed {}\n", plan.seed))?;
    let good = check(program, &spec, &plan, &mut |finding: &Finding| {
        let mark = match finding.kind {
            FindingKind::Passed => "ok",
            FindingKind::Note => "note",
            FindingKind::Failed => "WRONG",
        };
        print(out, &format!("{mark:<6}{:<15}{}\n", finding.test, finding.text))
    })?;
    Ok(if good { Exit::Done } else { Exit::Disagreements })
}
