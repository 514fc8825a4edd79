//! The scripts of a plan: short, so that users can read and edit them.
//!
//! All of them use two: `part.sh` makes one part, `merge.sh` merges all. The others here make a scheduler call
//! these. They are files of this folder with placeholders such as `@SHARDS@`.

use std::fmt::Write as _;
use std::path::Path;

use clap::ValueEnum;
use coinche_selfplay::Result;
use coinche_selfplay::base::hash::Fnv;

use super::file::{PlanFile, line, text};

/// Who carries a plan out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Scheduler {
    /// Slurm.
    Slurm,
    /// HyperQueue.
    Hq,
    /// `make` on one machine.
    Make,
    /// A shell on one machine.
    Shell,
}

impl Scheduler {
    /// Returns the command that runs a plan, in its directory.
    pub const fn command(self, stepwise: bool) -> &'static str {
        match self {
            Self::Slurm => "sh submit.sh",
            Self::Hq if stepwise => "sh waves-hq.sh",
            Self::Hq => "sh submit-hq.sh",
            Self::Make => "make -j8",
            Self::Shell => "sh run.sh",
        }
    }
}

/// The time in seconds for a part of a plan without an estimate.
const NO_ESTIMATE: u64 = 24 * 3600;

/// Returns the scripts of a plan by name.
pub(super) fn all(
    plan: &PlanFile,
    scheduler: Scheduler,
    directory: &Path,
) -> Result<Vec<(&'static str, String)>> {
    let fill = Fill::new(plan, directory)?;
    let mut scripts = vec![
        ("part.sh", fill.all(include_str!("part.sh"))),
        ("merge.sh", fill.all(include_str!("merge.sh"))),
    ];
    let own: &[(&str, &str)] = match (scheduler, plan.stepwise) {
        (Scheduler::Slurm, false) => &[
            ("plan.sbatch", include_str!("plan.sbatch")),
            ("merge.sbatch", include_str!("merge.sbatch")),
            ("submit.sh", include_str!("submit.sh")),
        ],
        (Scheduler::Slurm, true) => {
            &[("plan.sbatch", include_str!("waves.sbatch")), ("submit.sh", include_str!("submit-waves.sh"))]
        }
        (Scheduler::Hq, false) => &[("submit-hq.sh", include_str!("submit-hq.sh"))],
        (Scheduler::Hq, true) => &[("waves-hq.sh", include_str!("waves-hq.sh"))],
        (Scheduler::Make, false) => &[("Makefile", include_str!("Makefile"))],
        (Scheduler::Make, true) => &[("Makefile", include_str!("Makefile.waves"))],
        (Scheduler::Shell, _) => &[("run.sh", include_str!("run.sh"))],
    };
    scripts.extend(own.iter().map(|(name, template)| (*name, fill.all(template))));
    if (scheduler, plan.stepwise) == (Scheduler::Hq, false) {
        scripts.push(("plan.hq.toml", job_file(plan, &fill, directory)?));
    }
    Ok(scripts)
}

/// The values for placeholders of templates.
struct Fill(Vec<(&'static str, String)>);

impl Fill {
    fn new(plan: &PlanFile, directory: &Path) -> Result<Self> {
        let quoted = |path: &Path| -> Result<String> { Ok(line(&[text(path)?.to_owned()])) };
        let arena = quoted(&plan.arena)?;
        let width = plan.shards.to_string().len().max(4);
        let done = |part: u64| {
            if plan.stepwise { format!("part-{part}") } else { format!("parts/{part:0width$}/done") }
        };
        let parts: Vec<String> = (1..=plan.shards).map(done).collect();
        let name = format!("{}\n{}", directory.display(), plan.line());
        let name = format!("arena-{}-{:08x}", plan.kind.name(), Fnv::of(&name) >> 32);
        let estimate = plan.estimate.as_ref();
        let right = if plan.kind.may_end_early() { "0 | 10 | 11" } else { "0" };
        let pairs = [
            ("SHARDS", plan.shards.to_string()),
            ("THREADS", plan.threads.to_string()),
            ("FORMAT", format!("%0{width}d")),
            ("HEAD", include_str!("head.sh").trim_end().replace("@ARENA@", &arena)),
            ("ARENA", arena),
            ("FROM", quoted(&plan.from)?),
            ("COMMAND", line(&plan.command)),
            ("OUT", if plan.stepwise { "$PLAN/whole" } else { "$PLAN/parts/$NAME" }.to_owned()),
            ("MERGE", merge(plan)),
            ("RESULT", result(plan).to_owned()),
            ("CODES", codes(plan).to_owned()),
            ("RIGHT", right.to_owned()),
            ("CHECK", if plan.stepwise { "" } else { include_str!("check.sh") }.to_owned()),
            ("QUEUED", include_str!("queued.sh").trim_end().replace("@NAME@", &name)),
            ("NAME", name),
            ("TIME", clock(estimate.map_or(NO_ESTIMATE, |estimate| estimate.time_request))),
            ("SECONDS", least_time(plan).to_string()),
            ("DONE", lines(&parts)),
        ];
        Ok(Self(pairs.into()))
    }

    /// Replaces all placeholders of a template in one pass: values contain none.
    fn all(&self, template: &str) -> String {
        let mut filled = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('@') {
            filled += before;
            let found = after.split_once('@').and_then(|(name, after)| {
                Some((&*self.0.iter().find(|(known, _)| *known == name)?.1, after))
            });
            let (value, after) = found.unwrap_or(("@", after));
            filled += value;
            rest = after;
        }
        filled + rest
    }
}

/// Returns the words after `arena merge`.
fn merge(plan: &PlanFile) -> String {
    if plan.stepwise {
        return "\"$PLAN/whole\"".to_owned();
    }
    let whole = if plan.kind.is_of_sums() { "whole.html" } else { "whole" };
    let output = if plan.output.is_empty() { String::new() } else { format!(" {}", line(&plan.output)) };
    format!("\"$PLAN\"/parts/[0-9]* --out \"$PLAN/{whole}\"{output}")
}

/// Describes where the result is, besides the printed text.
const fn result(plan: &PlanFile) -> &'static str {
    if plan.kind.is_of_sums() { ", whole.html its page" } else { ", whole/ what it writes" }
}

/// Describes the exit codes.
const fn codes(plan: &PlanFile) -> &'static str {
    if plan.kind.may_end_early() {
        ": 0 upper bound accepted, 10 lower, 11 undecided, 12 another wave of parts is needed, others failed"
    } else if plan.stepwise {
        ": 0 done, 12 another wave of parts is needed, others failed"
    } else {
        ": 0 done, others failed, and the end of logs/merge.err says why"
    }
}

/// The minimum time in seconds that a worker must have left for a part; an interrupted part resumes elsewhere.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "seconds, rounded up")]
fn least_time(plan: &PlanFile) -> u64 {
    plan.estimate.as_ref().map_or(0, |estimate| (estimate.seconds_per_part * 1.5).ceil() as u64 + 60)
}

/// Formats seconds for schedulers: `hours:minutes:seconds`.
fn clock(seconds: u64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Formats words in lines of eight, for `make`.
fn lines(words: &[String]) -> String {
    words.chunks(8).map(|line| line.join(" ")).collect::<Vec<_>>().join(" \\\n  ")
}

/// Returns the HyperQueue job file: a task for each part, and one for the merge.
fn job_file(plan: &PlanFile, fill: &Fill, directory: &Path) -> Result<String> {
    let string = |text: &str| toml::Value::from(text).to_string();
    let [part, merge] = ["part.sh", "merge.sh"].map(|name| directory.join(name));
    let (part, merge) = (string(text(&part)?), string(text(&merge)?));
    let mut job = fill.all(
        "# The tasks of a plan for HyperQueue: `sh submit-hq.sh` submits them. Written by `arena plan`; change what you like.\n\
         # Tasks 1 to @SHARDS@ make a part each, the last one merges them.\n\
         name = \"@NAME@\"\n",
    );
    let request = fill.all(
        "stdout = \"none\"\nstderr = \"none\"\nenv = { THREADS = \"@THREADS@\" }\n\n\
         [[task.request]]\nresources = { cpus = @THREADS@ }\ntime_request = \"@SECONDS@s\"\n",
    );
    for number in 1..=plan.shards {
        let _ = write!(job, "\n[[task]]\nid = {number}\ncommand = [\"sh\", {part}, \"{number}\"]\n{request}");
    }
    let deps = lines(&(1..=plan.shards).map(|number| format!("{number},")).collect::<Vec<_>>());
    let _ = write!(
        job,
        "\n[[task]]\nid = {}\ncommand = [\"sh\", {merge}]\nstdout = \"none\"\nstderr = \"none\"\ndeps = [\n  {}\n]\n",
        plan.shards + 1,
        deps.replace(" \\\n", "\n"),
    );
    Ok(job)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_once() {
        let fill = Fill(vec![("A", "x@B@y".to_owned()), ("B", "z".to_owned())]);
        assert_eq!(fill.all("@A@ @B@ @C@ a@b %A @"), "x@B@y z @C@ a@b %A @");
        assert_eq!(clock(100_000), "27:46:40");
    }
}
