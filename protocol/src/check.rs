//! The checks of `arena check-bot`: plays with a program and reports its faults.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use coinche_bots::{BotSpec, Program, Registry};
use coinche_engine::record::Fault;
use coinche_engine::{RuleSet, Seed};
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::play::lineup::Lineup;
use coinche_selfplay::play::played::{PlayedDeal, Scribe};
use coinche_selfplay::play::schedule::{Schedule, Side, Unit};
use coinche_selfplay::records::write::JsonLines;

use super::link::{Link, settle};
use super::log::StderrLog;
use super::start::start_message;
use super::tail::escaped as plain;
use crate::in_flight::{Flights, Incident};

/// The most incidents reported per test.
const MOST_TOLD: usize = 3;

/// The outcome of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Passed.
    Good,
    /// Passed, but worth knowing.
    Note,
    /// Failed.
    Wrong,
}

/// The result of one test.
#[derive(Debug)]
pub struct Finding {
    /// The outcome.
    pub mark: Mark,
    /// The name of the test.
    pub test: String,
    /// The result, with the lines that show it.
    pub text: String,
}

/// The deals to play.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Deals under each preset, in two legs each.
    pub deals: u64,
    /// The seed of the deals.
    pub seed: Seed,
}

/// Tests a program; `tell` receives the findings one by one. Returns whether all tests passed.
///
/// # Errors
///
/// Those of `tell`.
pub fn check(
    program: &Program,
    spec: &BotSpec,
    plan: &Plan,
    tell: &mut dyn FnMut(&Finding) -> Result<(), ArenaError>,
) -> Result<bool, ArenaError> {
    let mut good = true;
    let mut tell = |mark: Mark, test: &str, text: String| {
        good &= mark != Mark::Wrong;
        tell(&Finding { mark, test: test.to_owned(), text })
    };
    let Some(batch) = greeting(program, &mut tell)? else { return Ok(false) };
    let one_at_a_time = with_batch(spec, 1);
    let mut singly = Vec::new();
    for (name, rules) in RuleSet::PRESETS {
        let played = play(&rules, plan, &one_at_a_time)?;
        tell(played.mark(), name, played.text())?;
        singly.push(played);
    }
    let (decisions, time) = total(&singly);
    tell(Mark::Good, "speed", per_decision(decisions, time, "one at a time"))?;
    let all_presets = |spec: &BotSpec| -> Result<Vec<Played>, ArenaError> {
        RuleSet::PRESETS.iter().map(|(_, rules)| play(rules, plan, spec)).collect()
    };
    let again = all_presets(&one_at_a_time)?;
    let same = difference(&singly, &again);
    match &same {
        None => tell(Mark::Good, "seed", "the same moves for the same seeds".to_owned())?,
        Some(place) => {
            let text = format!(
                "different moves for the same seeds ({place}): runs with it are not \
                 reproducible; take all randomness from the field `seed`"
            );
            tell(Mark::Note, "seed", text)?;
        }
    }
    if batch.is_none() {
        tell(
            Mark::Note,
            "batch",
            "not offered: batches save round trips, which take most of a fast bot's time".to_owned(),
        )?;
        return Ok(good);
    }
    let batched = all_presets(spec)?;
    let wrong = batched.iter().flat_map(|played| &played.faults).next();
    let (decisions, time) = total(&batched);
    match (wrong, difference(&singly, &batched)) {
        (Some(fault), _) if singly.iter().all(|played| played.faults.is_empty()) => {
            tell(Mark::Wrong, "batch", format!("{:?}: {}", fault.kind, fault.detail))?;
        }
        (_, Some(place)) if same.is_none() => {
            tell(Mark::Wrong, "batch", format!("different moves in batches than one at a time ({place})"))?;
        }
        _ => tell(Mark::Good, "batch", per_decision(decisions, time, "in batches"))?,
    }
    Ok(good)
}

/// Starts the program and ends it; returns whether it takes batches, if it is usable.
#[expect(clippy::option_option, reason = "no program, or one without batches")]
fn greeting(
    program: &Program,
    tell: &mut dyn FnMut(Mark, &str, String) -> Result<(), ArenaError>,
) -> Result<Option<Option<usize>>, ArenaError> {
    let began = Instant::now();
    let start = start_message(&RuleSet::default(), program);
    let mut link = Link::new(program, start, "", String::new(), StderrLog::none());
    link.watch_closely();
    link.be_hasty();
    settle(core::slice::from_mut(&mut link), &mut || false);
    if let Some(failure) = link.given_up() {
        let mut text = failure.to_owned();
        if let Some(said) = link.seen().map(|seen| seen.said).filter(|said| !said.is_empty()) {
            let _ = write!(text, "\n  it said: {}", plain(&said));
        }
        text.push_str(&link.stderr_tail("    "));
        text.push_str(
            "\n  expected: {\"type\":\"hello\",\"protocol\":1,\"name\":\"…\"}, then {\"type\":\"ready\"}",
        );
        tell(Mark::Wrong, "start", text)?;
        return Ok(None);
    }
    let hello = link.hello();
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
    tell(Mark::Good, "start", text)?;
    let began = Instant::now();
    link.quit();
    while !link.has_quit() {
        if began.elapsed() > Duration::from_secs(1) {
            let text = "does not exit on `quit` when its input is closed: it was killed";
            tell(Mark::Note, "quit", text.to_owned())?;
            return Ok(Some(batch));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    tell(Mark::Good, "quit", format!("ends after {:.0?}", began.elapsed()))?;
    Ok(Some(batch))
}

/// Returns the specification with a limit on the questions per line.
fn with_batch(spec: &BotSpec, most: usize) -> BotSpec {
    spec.map_program(|program| program.batch = program.batch.min(most))
}

/// The results of some deals.
struct Played {
    form: JsonLines,
    lines: Vec<u8>,
    faults: Vec<Fault>,
    incidents: Vec<Incident>,
    questions: u64,
    /// How many of them were timed, and the time they took.
    timed: u64,
    time: Duration,
}

impl Scribe for Played {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.form.push(&mut self.lines, deal);
        self.faults.extend_from_slice(deal.faults);
    }
}

/// Plays against the bot `random`, in both seatings.
fn play(rules: &RuleSet, plan: &Plan, spec: &BotSpec) -> Result<Played, ArenaError> {
    let random = Registry::builtin().parse("random").expect("it is built in");
    let schedule = Schedule { secrets: (&plan.seed).into(), unit: Unit::Deal, pairs: plan.deals };
    let specs = [spec.clone(), random];
    let lineup = Lineup::of_bots(specs.clone());
    let mut flights = Flights::new(rules, schedule, &lineup, &StderrLog::none());
    flights.watch_closely();
    // Play must continue, to find every fault.
    flights.forfeit();
    // Whether it exits after `quit` was tested before.
    flights.be_impatient();
    let mut played = Played {
        form: JsonLines::new(rules, [specs[Side::A.index()].as_str(), "random"], None),
        lines: Vec::new(),
        faults: Vec::new(),
        incidents: Vec::new(),
        questions: 0,
        timed: 0,
        time: Duration::ZERO,
    };
    // The first deal waits for the start of the processes.
    flights.play_pair(0, &mut played)?;
    let (before, began) = (flights.questions(), Instant::now());
    flights.play_ahead(1..plan.deals, &|| false)?;
    played.time = began.elapsed();
    played.timed = flights.questions() - before;
    for index in 1..plan.deals {
        flights.play_pair(index, &mut played)?;
    }
    played.questions = flights.questions();
    played.incidents = flights.incidents();
    Ok(played)
}

impl Played {
    const fn mark(&self) -> Mark {
        if self.faults.is_empty() { Mark::Good } else { Mark::Wrong }
    }

    fn text(&self) -> String {
        let mut text = format!("{} questions", self.questions);
        if self.faults.is_empty() {
            return text;
        }
        let _ = write!(text, ", {} faults", self.faults.len());
        let mut last = "";
        for incident in self.incidents.iter().take(MOST_TOLD) {
            let kind = format!("{:?}", incident.fault.kind).to_lowercase();
            let _ = write!(text, "\n  {kind}: {}", incident.fault.detail);
            let _ = write!(text, "\n    asked: {}", incident.asked);
            if !incident.said.is_empty() {
                let _ = write!(text, "\n    it said: {}", plain(&incident.said));
            }
            if incident.stderr != last {
                text.push_str(&incident.stderr);
                last = &incident.stderr;
            }
        }
        text
    }
}

fn total(played: &[Played]) -> (u64, Duration) {
    (played.iter().map(|played| played.timed).sum(), played.iter().map(|played| played.time).sum())
}

fn per_decision(decisions: u64, time: Duration, how: &str) -> String {
    let each = u32::try_from(decisions.max(1)).map_or(Duration::ZERO, |decisions| time / decisions);
    format!("{each:.1?} a decision {how}, round trip included ({decisions} decisions)")
}

/// Finds the first deal that was played differently.
fn difference(first: &[Played], second: &[Played]) -> Option<String> {
    let presets = RuleSet::PRESETS.iter().map(|(name, _)| *name);
    presets.zip(first.iter().zip(second)).find_map(|(name, (first, second))| {
        let lines = |played: &Played| -> Vec<Vec<u8>> {
            played.lines.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
        };
        let at = lines(first).iter().zip(&lines(second)).position(|(first, second)| first != second)?;
        Some(format!("first under {name}, deal {}, leg {}", at / 2, at % 2))
    })
}
