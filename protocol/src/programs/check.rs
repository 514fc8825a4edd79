//! The checks of `arena check-bot`: plays with a program and reports its faults.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use coinche_bots::{BotSpec, Program, Registry};
use coinche_engine::record::Fault;
use coinche_engine::{RuleSet, Seed};
use coinche_selfplay::{JsonLines, Lineup, PlayedDeal, Result, Schedule, Scribe, Side, Unit};

use crate::log::StderrLog;
use crate::programs::in_flight::{ConcurrentTable, Incident};
use crate::programs::link::{self, Link, NO_OUTPUT_HINT, QUIT_TIMEOUT};
use crate::programs::tail::escaped as plain;

/// The most incidents reported per test.
const MAX_REPORTED: usize = 3;

/// The outcome of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FindingKind {
    /// Passed.
    Passed,
    /// Passed, but worth knowing.
    Note,
    /// Failed.
    Failed,
}

/// The result of one test.
#[derive(Debug)]
pub struct Finding {
    /// The outcome.
    pub kind: FindingKind,
    /// The name of the test.
    pub test: String,
    /// The result, with the lines that show it.
    pub text: String,
}

/// The deals to play.
#[derive(Debug, Clone)]
pub struct CheckPlan {
    /// The rule sets, at least one, with their names.
    pub rules: Vec<(String, RuleSet)>,
    /// Deals under each of them, in two legs each.
    pub deals: u64,
    /// The seed of the deals.
    pub seed: Seed,
}

/// Tests a program; `report` receives the findings one by one. Returns whether all tests passed.
///
/// # Panics
///
/// Panics if the plan has no rules.
///
/// # Errors
///
/// Those of `report`.
pub fn check(
    program: &Program,
    spec: &BotSpec,
    plan: &CheckPlan,
    report: &mut dyn FnMut(&Finding) -> Result<()>,
) -> Result<bool> {
    let mut passed = true;
    let mut report = |kind: FindingKind, test: &str, text: String| {
        passed &= kind != FindingKind::Failed;
        report(&Finding { kind, test: test.to_owned(), text })
    };
    let Some(batch) = greeting(program, &plan.rules[0].1, &mut report)? else { return Ok(false) };
    let one_at_a_time = with_batch(spec, 1);
    let mut one_by_one = Vec::new();
    for (name, rules) in &plan.rules {
        let played = play(rules, plan, &one_at_a_time)?;
        report(played.kind(), name, played.text())?;
        one_by_one.push(played);
    }
    let (decisions, time) = total(&one_by_one);
    report(FindingKind::Passed, "speed", per_decision(decisions, time, "one at a time"))?;
    let all_rules = |spec: &BotSpec| -> Result<Vec<RuleSetGames>> {
        plan.rules.iter().map(|(_, rules)| play(rules, plan, spec)).collect()
    };
    let again = all_rules(&one_at_a_time)?;
    let same = difference(plan, &one_by_one, &again);
    match &same {
        None => report(FindingKind::Passed, "seed", "the same moves for the same seeds".to_owned())?,
        Some(place) => {
            let text = format!(
                "different moves for the same seeds ({place}): runs with it are not \
                 reproducible; take all randomness from the field `seed`"
            );
            report(FindingKind::Note, "seed", text)?;
        }
    }
    if batch.is_none() {
        report(
            FindingKind::Note,
            "batch",
            "not offered: batches save round trips, which take most of a fast bot's time".to_owned(),
        )?;
        return Ok(passed);
    }
    let batched = all_rules(spec)?;
    let wrong = batched.iter().flat_map(|played| &played.faults).next();
    let (decisions, time) = total(&batched);
    match (wrong, difference(plan, &one_by_one, &batched)) {
        (Some(fault), _) if one_by_one.iter().all(|played| played.faults.is_empty()) => {
            report(FindingKind::Failed, "batch", format!("{:?}: {}", fault.kind, fault.detail))?;
        }
        (_, Some(place)) if same.is_none() => {
            report(
                FindingKind::Failed,
                "batch",
                format!("different moves in batches than one at a time ({place})"),
            )?;
        }
        _ => report(FindingKind::Passed, "batch", per_decision(decisions, time, "in batches"))?,
    }
    Ok(passed)
}

/// The time after which a program that has said nothing is reported, though it may yet.
const SILENT: Duration = Duration::from_secs(5);

/// Starts the program and ends it; returns whether it takes batches, if it is usable.
#[expect(clippy::option_option, reason = "no program, or one without batches")]
fn greeting(
    program: &Program,
    rules: &RuleSet,
    report: &mut dyn FnMut(FindingKind, &str, String) -> Result<()>,
) -> Result<Option<Option<usize>>> {
    let began = Instant::now();
    let mut noted = None;
    let link = Link::trial(rules, program, "", &mut || {
        if noted.is_none() && began.elapsed() > SILENT {
            let text = format!(
                "no greeting for {} s{NO_OUTPUT_HINT}. Waiting up to {} s",
                SILENT.as_secs(),
                program.start.as_secs()
            );
            noted = Some(report(FindingKind::Note, "start", text));
        }
        false
    });
    noted.transpose()?;
    let mut link = link.expect("nothing asks to stop");
    if let Some(failure) = link.given_up() {
        let mut text = failure.to_owned();
        if let Some(line) = link.last_lines().map(|last| last.received).filter(|line| !line.is_empty()) {
            let _ = write!(text, "\n  it said: {}", plain(&line));
        }
        text.push_str(&link.stderr_tail("    "));
        text.push_str(
            "\n  expected: {\"type\":\"hello\",\"protocol\":1,\"name\":\"…\"}, then {\"type\":\"ready\"}",
        );
        report(FindingKind::Failed, "start", text)?;
        return Ok(None);
    }
    let hello = &link.hello;
    let mut text = plain(format!("{} {}", hello.name, hello.version).trim_end());
    if !hello.author.is_empty() {
        let _ = write!(text, " by {}", plain(&hello.author));
    }
    let _ = write!(text, ", ready after {:.0?}", began.elapsed());
    for option in &hello.options {
        let default = option.default.as_deref().unwrap_or("none");
        let about = option.about.as_deref().map_or_else(String::new, |about| format!(": {about}"));
        let _ = write!(text, "\n  option {}", plain(&format!("{}={default}{about}", option.name)));
    }
    let batch = hello.batch;
    report(FindingKind::Passed, "start", text)?;
    let began = Instant::now();
    if link::quit(core::slice::from_mut(&mut link), QUIT_TIMEOUT) {
        report(FindingKind::Passed, "quit", format!("ends after {:.0?}", began.elapsed()))?;
    } else {
        let text = "does not exit on `quit` when its input is closed: it was killed";
        report(FindingKind::Note, "quit", text.to_owned())?;
    }
    Ok(Some(batch))
}

/// Returns the specification with a limit on the questions per line.
fn with_batch(spec: &BotSpec, most: usize) -> BotSpec {
    spec.map_program(|program| program.batch = program.batch.min(most))
}

/// The results of some deals.
struct RuleSetGames {
    form: JsonLines,
    lines: Vec<u8>,
    faults: Vec<Fault>,
    incidents: Vec<Incident>,
    questions: u64,
    /// How many of them were timed, and the time they took.
    timed: u64,
    time: Duration,
}

impl Scribe for RuleSetGames {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.form.push(&mut self.lines, deal);
        self.faults.extend_from_slice(deal.faults);
    }
}

/// Plays against the bot `random`, in both seatings.
fn play(rules: &RuleSet, plan: &CheckPlan, spec: &BotSpec) -> Result<RuleSetGames> {
    let random = Registry::builtin().parse("random").expect("it is built in");
    let schedule = Schedule { secrets: (&plan.seed).into(), unit: Unit::Deal, pairs: plan.deals };
    let specs = [spec.clone(), random];
    let lineup = Lineup::of_bots(specs.clone());
    let mut table = ConcurrentTable::new(rules, schedule, &lineup, &StderrLog::none());
    table.record_lines();
    // Play must continue, to find every fault.
    table.forfeit();
    // Whether it exits after `quit` was tested before.
    table.skip_quit_timeout();
    let mut played = RuleSetGames {
        form: JsonLines::new(rules, [specs[Side::A.index()].as_str(), "random"], None),
        lines: Vec::new(),
        faults: Vec::new(),
        incidents: Vec::new(),
        questions: 0,
        timed: 0,
        time: Duration::ZERO,
    };
    // The first deal waits for the start of the processes.
    table.play_pair(0, &mut played)?;
    let (before, began) = (table.questions(), Instant::now());
    table.play_ahead(1..plan.deals, &|| false)?;
    played.time = began.elapsed();
    played.timed = table.questions() - before;
    for index in 1..plan.deals {
        table.play_pair(index, &mut played)?;
    }
    played.questions = table.questions();
    played.incidents = table.incidents();
    Ok(played)
}

impl RuleSetGames {
    const fn kind(&self) -> FindingKind {
        if self.faults.is_empty() { FindingKind::Passed } else { FindingKind::Failed }
    }

    fn text(&self) -> String {
        let mut text = format!("{} questions", self.questions);
        if self.faults.is_empty() {
            return text;
        }
        let _ = write!(text, ", {} faults", self.faults.len());
        let mut last = "";
        for incident in self.incidents.iter().take(MAX_REPORTED) {
            let kind = format!("{:?}", incident.fault.kind).to_lowercase();
            let _ = write!(text, "\n  {kind}: {}", incident.fault.detail);
            let _ = write!(text, "\n    asked: {}", incident.sent);
            if !incident.received.is_empty() {
                let _ = write!(text, "\n    it said: {}", plain(&incident.received));
            }
            if incident.stderr != last {
                text.push_str(&incident.stderr);
                last = &incident.stderr;
            }
        }
        text
    }
}

fn total(played: &[RuleSetGames]) -> (u64, Duration) {
    (played.iter().map(|played| played.timed).sum(), played.iter().map(|played| played.time).sum())
}

fn per_decision(decisions: u64, time: Duration, how: &str) -> String {
    let each = u32::try_from(decisions.max(1)).map_or(Duration::ZERO, |decisions| time / decisions);
    format!("{each:.1?} a decision {how}, round trip included ({decisions} decisions)")
}

/// Finds the first deal that was played differently.
fn difference(plan: &CheckPlan, first: &[RuleSetGames], second: &[RuleSetGames]) -> Option<String> {
    plan.rules.iter().zip(first.iter().zip(second)).find_map(|((name, _), (first, second))| {
        let lines = |played: &RuleSetGames| -> Vec<Vec<u8>> {
            played.lines.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
        };
        let at = lines(first).iter().zip(&lines(second)).position(|(first, second)| first != second)?;
        Some(format!("first under {name}, deal {}, leg {}", at / 2, at % 2))
    })
}
