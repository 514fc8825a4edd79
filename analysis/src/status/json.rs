//! The status for programs: `docs/user/clusters.md` describes its fields.

use std::path::Path;

use serde_json::{Value, json};

use super::found::Found;
use super::plan::range;
use super::{Job, Part};

/// The version of the format.
const FORM: u32 = 1;

/// Returns the status of jobs.
pub fn json(jobs: &[Job]) -> Value {
    json!({ "v": FORM, "jobs": jobs.iter().map(of_job).collect::<Vec<_>>() })
}

fn of_job(job: &Job) -> Value {
    let pace = job.pace();
    json!({
        "plan": job.plan.as_deref().map(shown),
        "command": job.command,
        "kind": job.kind,
        "stepwise": job.kind.is_stepwise(),
        "commit": job.commit,
        "unit": job.unit()[1],
        "state": job.state().name(),
        "asked": job.asked,
        "done": pace.done,
        "per_second": pace.per_second,
        "seconds_left": pace.left,
        "missing": job.missing(),
        "parts": job.parts.iter().map(|part| of_part(part, job)).collect::<Vec<_>>(),
        "problems": job.problems,
        "merged": job.is_merged,
        "merge_exit": job.merge_failed.as_ref().map(|(exit, _)| *exit),
        "merge_stderr": job.merge_failed.as_ref().map(|(_, lines)| lines),
        "verdict": job.verdict,
    })
}

fn of_part(part: &Part, job: &Job) -> Value {
    let found = part.found.as_ref();
    let planned = || range(part.number?, job.asked.filter(|_| !job.kind.is_stepwise())?);
    let range = found.map(Found::range).or_else(planned);
    json!({
        "number": part.number.map(|(number, _)| number),
        "of": part.number.map(|(_, of)| of),
        "path": shown(&part.path),
        "state": part.state.name(),
        "start": range.as_ref().map(|range| range.start),
        "end": range.as_ref().map(|range| range.end),
        "done": part.done(),
        "per_second": part.per_second(),
        "seconds": found.and_then(|found| found.seconds),
        "exit": part.exit,
        "stderr": part.stderr,
        "problem": part.problem,
    })
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
