//! The status for people.

use coinche_selfplay::{Block, Cell, Document, Section, Table, span, thousands};

use super::{Job, JobState, Part, PartState};

/// Returns the status of jobs, one section each.
pub fn document(jobs: &[Job]) -> Document {
    let section = |(number, job): (usize, &Job)| {
        Section::new(format!("job-{number}"), format!("Job {}", number + 1), of_job(job))
    };
    Document { sections: jobs.iter().enumerate().map(section).collect(), ..Document::default() }
}

fn of_job(job: &Job) -> Vec<Block> {
    let mut blocks = vec![Block::Text(format!("arena {}", job.command)), Block::Text(summary(job))];
    if let Some(verdict) = &job.verdict {
        let so_far = if job.is_merged { "" } else { "so far: " };
        blocks.push(Block::Text(format!("{so_far}{}", verdict.text)));
    }
    let shown: Vec<&Part> = job.parts.iter().filter(|part| is_shown(part, job)).collect();
    if !shown.is_empty() {
        blocks.push(Block::Table(table(&shown, job)));
    }
    blocks.extend(
        job.parts.iter().filter(|part| part.state == PartState::Failed).map(|part| Block::Code(failed(part))),
    );
    if let Some((exit, lines)) = &job.merge_failed {
        blocks.push(Block::Code(format!("the merge failed with exit code {exit}: {}", lines.join("\n  "))));
    }
    if !job.problems.is_empty() {
        blocks.push(Block::Items(job.problems.clone()));
    }
    blocks.push(Block::Text(next(job)));
    blocks
}

/// Tests if a part gets a row: if it needs attention, or there are few parts.
fn is_shown(part: &Part, job: &Job) -> bool {
    const FEW: usize = 16;
    !matches!(part.state, PartState::Done | PartState::Waiting)
        || (job.parts.len() <= FEW && !job.is_merged && !job.kind.is_stepwise())
}

/// Returns the number of parts in each state, and the total progress.
fn summary(job: &Job) -> String {
    let (pace, unit) = (job.pace(), job.unit()[1]);
    let of = job.asked.map_or_else(String::new, |asked| format!(" of {}", thousands(asked)));
    let done = format!("{}{of} {unit}", thousands(pace.done));
    if job.is_merged && job.kind.is_stepwise() {
        // The parts of the last wave are no longer needed.
        return format!("over: {done}");
    }
    let state = |state: PartState| {
        let numbers = Some(numbers(job, state)).filter(|text| !text.is_empty() && job.parts.len() > 1);
        let which = numbers.map_or_else(String::new, |numbers| format!(" ({numbers})"));
        format!("{} {}{which}", thousands(job.count(state) as u64), state.name())
    };
    let states = PartState::ALL.into_iter().filter(|state| job.count(*state) > 0);
    let states: Vec<String> = states.map(state).collect();
    let number = thousands(job.parts.len() as u64);
    let parts = if job.parts.len() == 1 { "part" } else { "parts" };
    let rate = pace.per_second.map(|rate| format!("{} {unit}/s", rate_text(rate)));
    let left = pace.left.map(|left| format!("{} left", span(left)));
    let done = format!("{number} {parts}: {}; {done}", states.join(", "));
    [Some(done), rate, left].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Returns the numbers of the parts in a state, as ranges; empty if there are too many ranges to read.
fn numbers(job: &Job, state: PartState) -> String {
    const MOST: usize = 12;
    let parts = job.parts.iter().filter(|part| part.state == state);
    let numbers: Vec<u64> = parts.filter_map(|part| Some(part.number?.0)).collect();
    let text = |range: &[u64]| match range {
        [first, .., last] => format!("{first}-{last}"),
        alone => alone.iter().map(u64::to_string).collect(),
    };
    let ranges: Vec<String> = numbers.chunk_by(|one, next| one + 1 == *next).map(text).collect();
    if ranges.len() > MOST { String::new() } else { ranges.join(", ") }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate for people, above 100")]
fn rate_text(rate: f64) -> String {
    if rate < 100.0 { format!("{rate:.1}") } else { thousands(rate.round() as u64) }
}

fn table(parts: &[&Part], job: &Job) -> Table {
    let size = |part: &Part| part.found.as_ref().map(|found| found.state.end - found.state.start);
    Table::of("parts", "", parts)
        .count("part", |part| part.number.map(|(number, _)| number))
        .text("state", |part| part.state.name())
        .count("done", |part| part.done())
        .count("of", |part| size(part))
        .shown("a second", |part| {
            part.per_second().map_or(Cell::Empty, |rate| Cell::Figures(rate_text(rate)))
        })
        .text("directory", |part| directory(part, job))
        .build()
}

/// Returns the directory of a part, relative to the plan's directory if it is inside.
fn directory(part: &Part, job: &Job) -> String {
    let path = job.plan.as_deref().and_then(|plan| part.path.strip_prefix(plan).ok()).unwrap_or(&part.path);
    path.display().to_string()
}

fn failed(part: &Part) -> String {
    let number = part.number.map_or_else(String::new, |(number, _)| format!(" {number}"));
    let exit = part.exit.map_or_else(String::new, |exit| format!(" with exit code {exit}"));
    let lines: Vec<String> = part.stderr.iter().map(|line| format!("\n  {line}")).collect();
    format!("part{number} failed{exit}:{}", lines.concat())
}

/// Returns what to do next.
fn next(job: &Job) -> String {
    match (job.state(), &job.plan) {
        (JobState::Done, Some(plan)) => format!("done: {}", plan.join("whole.txt").display()),
        (JobState::Done, None) => "done".to_owned(),
        (JobState::Working, _) => "at work".to_owned(),
        (JobState::Failed | JobState::Waiting, Some(_)) => {
            "no process is working on it: run the script of the plan again to make what is missing".to_owned()
        }
        (JobState::Failed | JobState::Waiting, None) => {
            "no process is working on it: repeat the command of each missing part".to_owned()
        }
        (JobState::Ready, Some(plan)) => {
            format!("all parts are done: sh {}", plan.join("merge.sh").display())
        }
        (JobState::Ready, None) => "all parts are done: `arena merge` merges them".to_owned(),
    }
}
