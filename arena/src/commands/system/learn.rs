//! `arena system learn`: writes a system that people can learn.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use coinche_analysis::system::SystemFile;
use coinche_analysis::system::learn::{Learned, START, Settings, Stage, document, round};
use coinche_engine::Seed;
use coinche_protocol::STOP;
use coinche_runs::COMMIT;
use coinche_runs::differences::{changed, check_same};
use coinche_selfplay::base::files::checksums::sealed;
use coinche_selfplay::base::files::{if_there, read_json, write_whole};
use coinche_selfplay::{
    ArenaError, Detail, Display, Exit, ModuleError, OutOfRange, ProgressMode, Result, finish, tell, with_half,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::meet::{MeetFlags, inside};
use crate::commands::count::count;

/// The most deals of a round, the most rounds and the most rules.
const MOST_DEALS: u64 = 10_000_000;
const MOST_ROUNDS: u64 = 1_000;
const MOST_RULES: u64 = 400;

/// The flags of `arena system learn`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("system-learn"))]
pub(crate) struct SystemLearnArgs {
    /// Output file
    ///
    /// Its name ends in .toml; the state goes to a file of the same name with .json, the report to one with .html.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// System to improve [default: a short one]
    ///
    /// A file, or a system of `arena system list`.
    #[arg(long, value_name = "SYSTEM")]
    pub from: Option<String>,
    /// Bidder whose values are taught
    ///
    /// One that reports what it thinks of each call: net, table, champion, or mc with its parameters.
    #[arg(long, value_name = "BIDDER", default_value = "net")]
    pub teacher: String,
    /// The most rules
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = count::<u64>)]
    pub max_rules: u64,
    /// Number of rounds
    ///
    /// The same command with more rounds goes on.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count::<u64>)]
    pub rounds: u64,
    /// Number of deals per round
    #[arg(long, value_name = "N", default_value = "32k", value_parser = count::<u64>)]
    pub deals: u64,
    /// Number of deals that judge the result
    #[arg(long, value_name = "N", default_value = "20k", value_parser = count::<u64>)]
    pub held: u64,
    /// Price of a word, in points per deal
    ///
    /// What a change must gain for each word, number and sign by which it makes the system longer.
    #[arg(long, value_name = "POINTS", default_value_t = 0.005)]
    pub price: f64,
    /// The opponents, the rules, the seed and the number of threads.
    #[command(flatten)]
    pub meet: MeetFlags,
    /// Progress: auto, plain, json, none
    #[arg(long, value_enum, value_name = "MODE", default_value = "auto")]
    pub progress: ProgressMode,
}

/// What the result depends on, but for the number of rounds.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    commit: String,
    rules: String,
    seed: Seed,
    opponents: Vec<String>,
    teacher: String,
    from: String,
    deals: u64,
    held: u64,
    max_rules: u64,
    price: f64,
}

/// The file beside the system.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    v: u32,
    asked: Asked,
    learned: Learned,
}

/// Why nothing is learned.
#[derive(Debug, thiserror::Error)]
enum LearnError {
    #[error("price: {0} is not a number from 0")]
    Price(f64),
    #[error("{} is there, and {} beside it is not: remove the file, or name another one", .0.display(), .1.display())]
    There(PathBuf, PathBuf),
    #[error(
        "teacher: `{0}` does not report what calls are worth; name one that does: net, table, champion or mc"
    )]
    Silent(String),
    #[error("out: {} must end in .toml", .0.display())]
    Name(PathBuf),
}

impl ModuleError for LearnError {}

/// Reads the state beside a system; `None` if nothing was learned yet.
fn resume(out: &Path, path: &Path, asked: &Asked) -> Result<Option<Learned>> {
    let Some(text) = if_there(read_json(path))? else {
        let there = out.exists().then(|| LearnError::There(out.to_owned(), path.to_owned()));
        return there.map_or(Ok(None), |error| Err(error.into()));
    };
    let damaged = |error: serde_json::Error| ArenaError::damaged(path, error);
    let state: State = serde_json::from_slice(&text).map_err(damaged)?;
    let [there, now] = [&state.asked, asked].map(|asked| serde_json::to_value(asked).unwrap_or_default());
    let mut differences = changed(&there, &now);
    for long in differences.iter_mut().filter(|difference| difference.starts_with("from: ")) {
        "from: another system".clone_into(long);
    }
    check_same(path, differences).map(|()| Some(state.learned))
}

/// Shows how far it is, and how good the system is.
fn show(display: &mut Display, learned: &Learned) {
    let Some(Stage { rules, score, .. }) = learned.stages.last() else { return };
    let text = || format!("{rules} rules, score {}", with_half(score.mean, Some(score.half_width)));
    let json = || json!({ "event": "progress", "round": learned.rounds(), "rules": rules, "score": score });
    display.show(learned.rounds(), text, json);
}

/// Runs the command.
pub(super) fn learn(args: &SystemLearnArgs, out: &mut dyn Write) -> Result<Exit> {
    if args.out.extension().is_none_or(|extension| extension != "toml") {
        return Err(LearnError::Name(args.out.clone()).into());
    }
    let deals = OutOfRange::check("deals", args.deals, 20..=MOST_DEALS)?;
    let held = OutOfRange::check("held", args.held, 20..=MOST_DEALS)?;
    let rounds = OutOfRange::check("rounds", args.rounds, 1..=MOST_ROUNDS)?;
    let most = OutOfRange::check("max-rules", args.max_rules, 1..=MOST_RULES)?;
    if !(args.price >= 0.0 && args.price.is_finite()) {
        return Err(LearnError::Price(args.price).into());
    }
    let file = args.from.as_deref().map(SystemFile::read).transpose()?;
    let text = file.as_ref().map_or(START, |file| file.text.as_str());
    let meeting = args.meet.meeting(deals, None)?;
    let teacher = inside("teacher", &args.teacher, &meeting.rules)?;
    if !teacher.build().bidder.thinks() {
        return Err(LearnError::Silent(teacher.to_string()).into());
    }
    let asked = Asked {
        commit: COMMIT.to_owned(),
        rules: meeting.rules.to_toml(),
        seed: meeting.seed.clone(),
        opponents: meeting.company.iter().map(ToString::to_string).collect(),
        teacher: teacher.to_string(),
        from: text.to_owned(),
        deals,
        held,
        max_rules: most,
        price: args.price,
    };
    let path = args.out.with_extension("json");
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let settings = Settings { meeting, teacher, most, price: args.price, held };
    let wrong = |error| match &file {
        Some(file) => file.wrong(error),
        None => SystemFile::of_start(error),
    };
    let so_far = resume(&args.out, &path, &asked)?;
    let pool = args.meet.rules.pool()?;
    let learned = match so_far {
        Some(learned) => learned,
        None => pool.install(|| Learned::new(&settings, text)).map_err(wrong)?,
    };
    let mut display = Display::new(args.progress, rounds, "rounds", Duration::ZERO);
    display.skip(learned.rounds());
    let mut state = State { v: 1, asked, learned };
    while state.learned.rounds() < rounds {
        show(&mut display, &state.learned);
        let next = pool.install(|| round(&settings, &state.learned, &STOP)).map_err(wrong)?;
        let Some(next) = next else { break };
        state.learned = next;
        let text = serde_json::to_string_pretty(&state).map_err(|error| ArenaError::damaged(&path, error))?;
        write_whole(&path, sealed(&text).as_bytes())?;
        write_whole(&args.out, state.learned.text.as_bytes())?;
    }
    if display.end() {
        show(&mut display, &state.learned);
    }
    let learned = state.learned;
    let interrupted = STOP.load(Ordering::Relaxed) && learned.rounds() < rounds;
    if interrupted {
        tell("interrupted: the same command goes on with the round that it was in");
    }
    let document = document(&settings, &learned, &args.out.display().to_string());
    write_whole(&args.out.with_extension("html"), document.to_html().as_bytes())?;
    finish(out, &document.render(Detail::Full))?;
    Ok(if interrupted { Exit::Interrupted } else { Exit::Done })
}
