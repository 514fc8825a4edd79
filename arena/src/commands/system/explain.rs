//! `arena system explain`: the rule that makes a call.

use std::io::Write;

use clap::Args;
use coinche_engine::{Seat, Turn};
use coinche_selfplay::{Detail, Exit, ModuleError, Result, finish};

use super::rules_of;
use crate::commands::flags::{PageFlags, RulesFlags};
use coinche_analysis::advise::{Asked, Question};
use coinche_analysis::system;
use coinche_analysis::system::SystemFile;
use coinche_analysis::typed::Language;

/// The flags of `arena system explain`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("system-explain"))]
pub(crate) struct SystemExplainArgs {
    /// A file, or a system of `arena system list`
    #[arg(value_name = "SYSTEM")]
    pub system: String,
    /// The hand: `JS 9S …` or `C:J97 D:A H:- S:KQ87`
    #[arg(long, value_name = "HAND")]
    pub hand: String,
    /// The calls so far, such as `P 80H P`
    #[arg(long, value_name = "CALLS", default_value = "")]
    pub auction: String,
    /// The dealer's seat
    #[arg(long, value_name = "SEAT", default_value = "3")]
    pub dealer: Seat,
    /// Ask this seat whether to coinche or surcoinche
    #[arg(long, value_name = "SEAT")]
    pub offered: Option<Seat>,
    /// The card turned up, in the turn-up game
    #[arg(long, value_name = "CARD")]
    pub turned: Option<String>,
    /// Match score before the deal
    #[arg(long, value_name = "US,THEM", default_value = "0,0", allow_hyphen_values = true)]
    pub score: String,
    /// Language: english or french
    #[arg(long, value_enum, value_name = "LANGUAGE", default_value = "english")]
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

/// What is wrong with the arguments.
#[derive(Debug, thiserror::Error)]
enum ExplainArgsError {
    #[error("{0}")]
    Over(&'static str),
    #[error("{0}")]
    Question(String),
}

impl ModuleError for ExplainArgsError {}

/// Runs the command.
pub(super) fn explain(args: &SystemExplainArgs, out: &mut dyn Write) -> Result<Exit> {
    let file = SystemFile::read(&args.system)?;
    let rules = rules_of(&args.rules, &file)?;
    file.system.check(&rules).map_err(|error| file.wrong(error))?;
    let asked = Asked {
        hand: &args.hand,
        auction: &args.auction,
        tricks: None,
        turned: args.turned.as_deref(),
        dealer: args.dealer,
        seat: None,
        offered: args.offered,
        score: &args.score,
        melds: None,
        shown: None,
        belotes: &[],
    };
    let question = Question::read(&rules, &asked)
        .map_err(|error| ExplainArgsError::Question(error.told(args.language)))?;
    let view = question.view();
    if !matches!(view.turn(), Turn::Call(_)) {
        let over = args.language.of(
            "the auction is over: leave out its last calls",
            "les enchères sont finies\u{a0}: ôtez leurs dernières annonces",
        );
        return Err(ExplainArgsError::Over(over).into());
    }
    let pool = args.rules.pool()?;
    let explained = pool.install(|| system::explain(&file, &view));
    let json = args.json.then(|| format!("{}\n", explained.json(&file)));
    let (document, written) =
        args.page.write_in(args.language, None, |language| Ok(explained.document(&file, language)))?;
    finish(out, &json.unwrap_or_else(|| document.render(Detail::Full) + &written))
}
