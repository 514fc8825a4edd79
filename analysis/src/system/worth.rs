//! `arena system worth`: what each rule and each number of a system is worth.

use coinche_bots::system::SystemError;
use coinche_inference::PairedSums;
use coinche_selfplay::{Block, Document, Section, measured, named, signed, with_half};

use super::SystemFile;
use super::learn::{Example, Ground, Move, read};
use super::meeting::{Meeting, points};
use crate::typed::Language;

/// A rule, and what leaving it out gains.
pub(super) struct Part {
    /// Its place in the file, from 1.
    pub(super) number: usize,
    name: String,
    call: String,
    /// The calls that it makes.
    pub(super) calls: u64,
    without: PairedSums,
    /// One of them.
    pub(super) example: Option<Example>,
}

impl Part {
    /// What the system loses without it, in points per deal.
    pub(super) fn worth(&self) -> (f64, Option<f64>) {
        let (mean, half) = points(&self.without);
        (0.0 - mean, half)
    }
}

/// A number that is one step less or more, and what that gains.
struct Step {
    what: String,
    gain: PairedSums,
}

/// What the parts of a system are worth.
pub struct Worth {
    score: PairedSums,
    pub(super) parts: Vec<Part>,
    steps: Vec<Step>,
    /// All calls of the system.
    pub(super) calls: u64,
}

/// Counts what each rule and each number is worth, with everything else as it is.
///
/// # Errors
///
/// When the system is not for the rules.
pub fn worth(file: &SystemFile, meeting: &Meeting) -> Result<Worth, SystemError> {
    let (mut worth, mut ground) = of_rules(file, meeting)?;
    let steps = read(&file.text)?.stepped().into_iter();
    let step = |step: Move| Some(Step { what: step.what, gain: ground.compare(&step.draft.system().ok()?) });
    worth.steps = steps.filter_map(step).collect();
    Ok(worth)
}

/// Counts what each rule is worth on the deals of a meeting, without the steps of numbers.
///
/// # Errors
///
/// When the system is not for the rules.
pub fn worth_of_rules(file: &SystemFile, meeting: &Meeting) -> Result<Worth, SystemError> {
    Ok(of_rules(file, meeting)?.0)
}

/// Counts what each rule is worth, in the order of the file; returns the deals too.
fn of_rules(file: &SystemFile, meeting: &Meeting) -> Result<(Worth, Ground), SystemError> {
    file.system.check(&meeting.rules)?;
    let mut ground = meeting.ground(0, meeting.deals);
    let draft = read(&file.text)?;
    let score = ground.set(&file.system);
    let number = file.system.rules().len();
    let ((applied, calls), examples) = (ground.applied(number), ground.examples(number));
    let mut parts = Vec::new();
    let rules = draft.without_one().into_iter().zip(file.system.rules()).zip(applied).zip(examples);
    for (number, (((without, rule), calls), example)) in (1..).zip(rules) {
        // Of one rule alone nothing is left.
        let Ok(system) = without.draft.system() else { continue };
        let without = ground.compare(&system);
        let (name, call) = (rule.name.clone(), rule.call.clone());
        parts.push(Part { number, name, call, calls, without, example });
    }
    Ok((Worth { score, parts, steps: Vec::new(), calls }, ground))
}

/// Creates the report.
pub fn document(file: &SystemFile, meeting: &Meeting, worth: &Worth) -> Document {
    let (mean, half) = points(&worth.score);
    let (name, score) = (file.system.name(), with_half(mean, half));
    let verdict = format!("{name} scores {score} points per deal against its opponents.");
    let mut parts: Vec<&Part> = worth.parts.iter().collect();
    parts.sort_by(|a, b| b.worth().0.total_cmp(&a.worth().0));
    let dear = parts
        .first()
        .map(|part| format!("Worth most: `{}`, {} points per deal.", part.name, signed(part.worth().0)));
    let caption = "Each rule: how often it makes the call, and what it is worth: the points per deal that the system loses \
                   without it, everything else as it is.";
    let all = worth.calls;
    let rules = coinche_selfplay::Table::of("worth", caption, parts)
        .text(named("rule", "its name"), |part| part.name.clone())
        .text(named("call", "what it calls, as it is written"), |part| part.call.clone())
        .count(named("calls", "calls that it made"), |part| part.calls)
        .share(named("share", "share of the calls of the system"), move |part| {
            part.calls as f64 / all.max(1) as f64
        })
        .count(named("deals", "deals whose score is another without it"), |part| part.without.differing)
        .estimate(measured("worth", "points", "points per deal that are lost without it"), |part| {
            part.worth()
        })
        .build();
    let mut steps: Vec<&Step> = worth.steps.iter().collect();
    steps.sort_by(|a, b| points(&b.gain).0.total_cmp(&points(&a.gain).0));
    let caption = "Each number one step less and one more, the best change first: what the system gains by it on these deals. \
                   The best of many gains less on others.";
    let numbers = coinche_selfplay::Table::of("steps", caption, steps)
        .text(named("change", "the number as it would be"), |step| step.what.clone())
        .count(named("deals", "deals whose score is another"), |step| step.gain.differing)
        .estimate(measured("gain", "points", "points per deal that it gains"), |step| points(&step.gain))
        .build();
    let section = |id: &str, title: &str, block| Section::new(id, title, vec![block]);
    Document {
        title: format!("What is worth what: {name}"),
        command: "system worth",
        verdicts: [verdict].into_iter().chain(dear).collect(),
        scope: vec![meeting.scope(Language::English)],
        sections: vec![
            section("rules", "Rules", Block::Table(rules)),
            section("numbers", "Numbers", Block::Folded(numbers)),
        ],
        ..Document::default()
    }
}
