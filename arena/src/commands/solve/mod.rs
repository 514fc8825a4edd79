//! `arena solve`: solves positions, double dummy.

mod answer;
mod drawing;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::time::Duration;

use clap::Args;
use coinche_engine::RuleSet;
use coinche_engine::rules::Tie;
use coinche_engine::solver::{Position, PositionError, Solver};
use coinche_runs::{ConfigError, check_fields};
use coinche_selfplay::base::cpu::{Spread, thread_time};
use coinche_selfplay::{
    ArenaError, Exit, ModuleError, Result, Solvers, complain, next_line, open, print, thousands,
};
use serde_json::json;

use super::flags::RulesFlags;

use answer::Question;

/// The flags of `arena solve`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("solve"))]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct SolveArgs {
    /// A file of positions, `-` (stdin) or one position
    #[arg(value_name = "FILE|-|POSITION", default_value = "-", hide_default_value = true)]
    pub input: String,
    /// Give the points of every legal card
    #[arg(long, group = "question")]
    pub all: bool,
    /// Test whether the leader's side gets at least N points
    #[arg(long, value_name = "N", group = "question")]
    pub target: Option<u16>,
    /// Give the best contract of each side (whole deals)
    ///
    /// Prints the points of seats 0 and 2 in each strain from leader 0, 1, 2 and 3, then the best contract of each side
    /// with its score.
    #[arg(long, group = "question")]
    pub par: bool,
    /// Give one line of best play of both sides
    #[arg(long, group = "question")]
    pub line: bool,
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
    /// The rules, and the number of threads.
    #[command(flatten)]
    pub rules: RulesFlags,
    /// Measure processor time and nodes
    ///
    /// Prints mean, median and 95th percentile per position on stderr. Every position is then solved with an empty
    /// table.
    #[arg(long)]
    pub times: bool,
}

impl SolveArgs {
    /// Rejects fields of the rules on which the answer does not depend.
    fn check_fields(&self, rules: &RuleSet) -> Result<(), ConfigError> {
        let set = &self.rules.set;
        let is_of_play =
            |path: &str| ["play.", "cards.", "scoring.last_trick"].iter().any(|of| path.starts_with(of));
        // Another method needs fields that depend on it.
        if !self.par {
            check_fields(set, is_of_play, "only `play`, `cards` and `scoring.last_trick`")
        } else if set.iter().any(|setting| setting.trim_start().starts_with("deal.method")) {
            Ok(())
        } else {
            // A tie makes a contract, or nothing that is made depends on it.
            let is_made = |path: &str| path == "match.tie" && rules.game.tie == Tie::Made;
            let is_of_par = |path: &str| is_made(path) || !NOT_OF_PAR.iter().any(|of| path.starts_with(of));
            check_fields(set, is_of_par, "only fields of plain contracts, without générale and melds,")
        }
    }

    /// Returns the question, if a specific one is asked.
    const fn question(&self) -> Option<Question> {
        if let Some(points) = self.target {
            return Some(Question::Target(points));
        }
        match (self.all, self.par, self.line) {
            (true, ..) => Some(Question::Cards),
            (_, true, _) => Some(Question::Par),
            (.., true) => Some(Question::Line),
            _ => None,
        }
    }
}

/// The fields on which the best contract does not depend: those of a coinche, of a générale and of melds.
const NOT_OF_PAR: [&str; 22] = [
    "deal.shuffle",
    "deal.packets",
    "deal.rotation",
    "deal.misdeal_penalty",
    "deal.misdeal_credit",
    "deal.passed_out",
    "deal.reshuffle",
    "deal.least_cut",
    "auction.generale",
    "auction.signal_pass",
    "auction.coinche",
    "auction.over_coinche",
    "auction.closed_by",
    "contract.generale",
    "belote.announce",
    "belote.coinched",
    "melds.",
    "scoring.solo_slam",
    "scoring.coinche.",
    "scoring.surcoinche.",
    "match.tie",
    "match.finish",
];

/// Why a position cannot be answered.
#[derive(Debug, thiserror::Error)]
pub(super) enum PositionFault {
    #[error("a line of {0} bytes or more is not a position")]
    TooLong(usize),
    #[error("not UTF-8 text")]
    Encoding,
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error("--par needs whole deals: expected eight cards in each hand")]
    ParOfPart,
}

/// Why nothing could be solved.
#[derive(Debug, thiserror::Error)]
pub(super) enum SolveError {
    #[error("the position: {0}")]
    Position(#[from] PositionFault),
    #[error("{} is empty: expected positions, one per line, such as `H 2 | JH 9H | AS TS | 7C 8C | KD QD`", .0.display())]
    Empty(PathBuf),
}

impl ModuleError for SolveError {}

/// The number of lines answered at a time.
const LINES: usize = 1024;
/// The maximum length of a position, in bytes: a complete deal has about 110.
const LONGEST: usize = 4096;

/// Runs the command.
pub(crate) fn solve(args: &SolveArgs, out: &mut dyn Write) -> Result<Exit> {
    let rules = args.rules.load_for_deals()?;
    args.check_fields(&rules)?;
    let job = Job {
        rules,
        question: args.question().unwrap_or(Question::Points),
        json: args.json,
        fresh: args.times,
    };
    if args.input.contains('|') {
        let drawn = args.question().is_none() && !args.json && !args.times;
        return one(&job, &args.input, drawn, args.times, out);
    }
    let solvers = Solvers::new(args.rules.threads)?;
    let lines = read_ahead(PathBuf::from(&args.input));
    let mut totals = Totals::default();
    loop {
        let batch = next_batch(&lines)?;
        if batch.is_empty() {
            break;
        }
        let first = totals.lines;
        let numbered = batch.into_iter().zip(first + 1..).collect();
        let answers = solvers.map(numbered, |solver, (line, number)| job.line(solver, number, &line));
        let text: String = answers.iter().map(|answer| totals.add(&args.input, answer)).collect();
        print(out, &text)?;
    }
    totals.finish(&args.input, args.times)
}

/// Answers the position of the command line.
fn one(job: &Job, text: &str, drawn: bool, time: bool, out: &mut dyn Write) -> Result<Exit> {
    let wrong = |error: PositionFault| SolveError::from(error);
    let mut solver = Solver::new();
    if drawn {
        let position: Position = text.parse().map_err(|error| wrong(PositionFault::Position(error)))?;
        let drawn = drawing::draw(&mut solver, &job.rules, &position);
        print(out, &drawn.map_err(|error| wrong(error.into()))?)?;
    } else {
        let answer = job.line(&mut solver, 1, text.as_bytes());
        if let Some(error) = answer.error {
            return Err(wrong(error).into());
        }
        let mut totals = Totals::default();
        print(out, &totals.add("", &answer))?;
        totals.finish("", time)?;
    }
    Ok(Exit::Done)
}

/// The processing of every line.
struct Job {
    rules: RuleSet,
    question: Question,
    json: bool,
    /// Whether the table is cleared before each.
    fresh: bool,
}

/// A line and its answer.
struct Answered {
    line: u64,
    /// The line of the answer.
    text: String,
    /// What is wrong with a non-blank line.
    error: Option<PositionFault>,
    /// The time and nodes of a position.
    cost: Option<(Duration, u64)>,
}

impl Job {
    fn line(&self, solver: &mut Solver, line: u64, bytes: &[u8]) -> Answered {
        let mut answered = Answered { line, text: String::new(), error: None, cost: None };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return answered;
        }
        if self.fresh {
            solver.forget();
        }
        let answer = read(bytes).and_then(|position| {
            let (began, nodes) = (thread_time(), solver.nodes());
            let answer = self.question.answer(solver, &self.rules, &position)?;
            answered.cost = Some((thread_time().saturating_sub(began), solver.nodes() - nodes));
            Ok((position, answer))
        });
        match answer {
            Ok((position, answer)) => {
                answered.text = if self.json {
                    let mut fields = answer.to_json();
                    fields["line"] = line.into();
                    fields["position"] = position.to_string().into();
                    fields.to_string()
                } else {
                    answer.to_text()
                };
            }
            Err(error) => {
                answered.text = if self.json {
                    json!({ "line": line, "error": error.to_string() }).to_string()
                } else {
                    format!("error: {error}")
                };
                answered.error = Some(error);
            }
        }
        answered
    }
}

/// Parses the position of a line.
fn read(bytes: &[u8]) -> Result<Position, PositionFault> {
    if bytes.len() >= LONGEST {
        return Err(PositionFault::TooLong(LONGEST));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| PositionFault::Encoding)?;
    Ok(text.parse()?)
}

/// Reads lines in a separate thread, so that each is answered as soon as it arrives: a client that writes a
/// position and waits gets its answer.
fn read_ahead(path: PathBuf) -> Receiver<Result<Vec<u8>>> {
    fn read(path: &Path, sender: &SyncSender<Result<Vec<u8>>>) -> Result<()> {
        let mut input = open(path)?;
        while let Some(mut line) = next_line(&mut *input).map_err(|source| ArenaError::read(path, source))? {
            line.truncate(LONGEST);
            line.shrink_to_fit();
            if sender.send(Ok(line)).is_err() {
                break;
            }
        }
        Ok(())
    }
    let (sender, receiver) = mpsc::sync_channel(LINES);
    // Not joined: when the output is closed, the thread may be waiting for input.
    std::thread::spawn(move || {
        if let Err(error) = read(&path, &sender) {
            let _ = sender.send(Err(error));
        }
    });
    receiver
}

/// Waits for a line, and takes the others already available.
fn next_batch(lines: &Receiver<Result<Vec<u8>>>) -> Result<Vec<Vec<u8>>> {
    let mut batch = Vec::new();
    let Ok(first) = lines.recv() else { return Ok(batch) };
    batch.push(first?);
    while batch.len() < LINES
        && let Ok(line) = lines.try_recv()
    {
        batch.push(line?);
    }
    Ok(batch)
}

/// The totals so far.
#[derive(Default)]
struct Totals {
    lines: u64,
    bad: u64,
    nodes: u64,
    times: Spread,
}

impl Totals {
    /// Counts an answer, reports an error in its line, and returns the line to print.
    fn add(&mut self, input: &str, answered: &Answered) -> String {
        self.lines += 1;
        if let Some(error) = &answered.error {
            self.bad += 1;
            let name = if input == "-" { "stdin" } else { input };
            complain(format_args!("{name}, line {}: {error}", answered.line));
        }
        if let Some((time, nodes)) = answered.cost {
            self.times.add(time);
            self.nodes += nodes;
        }
        format!("{}\n", answered.text)
    }

    fn finish(&self, input: &str, time: bool) -> Result<Exit> {
        let positions = self.times.number();
        if positions + self.bad == 0 {
            let name = if input == "-" { "stdin" } else { input };
            return Err(SolveError::Empty(name.into()).into());
        }
        if time {
            let _ = std::io::stderr().write_all(self.timing().as_bytes());
        }
        Ok(if self.bad == 0 { Exit::Done } else { Exit::Disagreements })
    }

    fn timing(&self) -> String {
        let positions = self.times.number();
        let micro = |time: Duration| format!("{:.1} µs", time.as_secs_f64() * 1e6);
        format!(
            "{} {}: mean {}, median {}, p95 {} of thread CPU time; {} nodes, {} a position\n",
            thousands(positions),
            if positions == 1 { "position" } else { "positions" },
            micro(self.times.mean()),
            micro(self.times.quantile(50)),
            micro(self.times.quantile(95)),
            thousands(self.nodes),
            thousands(self.nodes / positions.max(1)),
        )
    }
}
