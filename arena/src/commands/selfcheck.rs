//! `arena selfcheck`: plays the arena's own figures as claims.

use std::io::Write;

use clap::Args;
use coinche_bots::Registry;
use coinche_selfplay::{Exit, OutOfRange, Result};

use super::count::count;
use super::flags::{PageFlags, RulesFlags, SeedFlag};
use coinche_analysis::selfcheck::{self, Check};

/// The flags of `arena selfcheck`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("selfcheck"))]
pub(crate) struct SelfcheckArgs {
    /// Claims to check [default: all]
    ///
    /// self, solver, intervals, tests, power, champion, chances, points or advice.
    #[arg(value_name = "CLAIM", value_parser = claim)]
    pub claims: Vec<String>,
    /// Runs of each kind
    ///
    /// Of intervals and tests so many runs are played; of predictions five to twenty times as many deals.
    #[arg(long, value_name = "N", default_value = "200", value_parser = count::<u64>)]
    pub runs: u64,
    /// The seed.
    #[command(flatten)]
    pub seed: SeedFlag,
    /// The rules, and the number of threads.
    #[command(flatten)]
    pub rules: RulesFlags,
    /// The output.
    #[command(flatten)]
    pub page: PageFlags,
}

/// Parses the name of a claim.
fn claim(name: &str) -> Result<String, String> {
    let known: Vec<&str> = selfcheck::claims().collect();
    if known.contains(&name) {
        Ok(name.to_owned())
    } else {
        Err(format!("expected one of {}", known.join(", ")))
    }
}

/// Runs the command.
pub(crate) fn selfcheck(args: SelfcheckArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let check = Check {
        rules: args.rules.load_for_deals()?,
        seed: args.seed.or_drawn(),
        runs: OutOfRange::check("runs", args.runs, 1..=1_000_000)?,
        threads: args.rules.threads()?,
        claims: args.claims,
    };
    let checked = selfcheck::check(&check, registry)?;
    args.page.show(&checked.document(&check), None, out)?;
    Ok(if checked.failed() == 0 { Exit::Done } else { Exit::Disagreements })
}

#[cfg(test)]
mod tests {
    use clap::Args as _;

    use super::*;

    #[test]
    fn the_help_names_all_claims() {
        let mut command = SelfcheckArgs::augment_args(clap::Command::new("selfcheck"));
        let help = command.render_long_help().to_string();
        let known: Vec<&str> = selfcheck::claims().collect();
        let (last, others) = known.split_last().unwrap();
        assert!(help.contains(&format!("{} or {last}.", others.join(", "))), "{help}");
    }
}
