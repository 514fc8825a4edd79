//! Why a command cannot be planned.

use std::path::PathBuf;

use coinche_selfplay::{Exit, ModuleError};

use coinche_runs::Job;

/// Why a command cannot be planned.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum PlanError {
    #[error(
        "expected a command to divide, as in `arena plan 'run rules random --deals 1M' --shards 8 --for shell --out DIR`"
    )]
    NoCommand,
    #[error("the command has a quote that is not closed; or give its words after `--`")]
    Quote,
    #[error("`arena {0}` cannot be divided into shards: {commands} can", commands = Job::commands())]
    NotDivided(String),
    #[error("`arena {command}`: it {why}, and cannot be divided; {remedy}")]
    NotSo { command: &'static str, why: &'static str, remedy: &'static str },
    #[error("{flag}: the plan says it itself; leave it out of the command{}", remedy(.flag))]
    OwnFlag { flag: &'static str },
    #[error("the command is refused:\n{text}")]
    Refused { text: String, exit: Exit },
    #[error("{shards} shards of {pieces} {}: choose at most {pieces}", pieces_of(*.kind))]
    Empty { shards: u64, pieces: u64, kind: Job },
    #[error("{} holds another plan: {}; choose another directory with --out", directory.display(), differences.join("; "))]
    Other { directory: PathBuf, differences: Vec<String> },
    #[error("{} cannot be written in a script: it is not UTF-8; choose another place", .0.display())]
    NotText(PathBuf),
    #[error("cannot start {}: {source}", program.display())]
    NoProgram { program: PathBuf, source: std::io::Error },
    #[error("there is no program `arena` in PATH, which the scripts need")]
    NoArena,
}

/// Returns what to do about a flag that the plan sets.
fn remedy(flag: &str) -> &'static str {
    match flag {
        "--out" => ", and name the directory of the plan with --out behind it",
        "--threads" => ", and give `arena plan` --threads, the threads of each part",
        "--shard" => ", and give `arena plan` --shards",
        _ => "",
    }
}

fn pieces_of(kind: Job) -> &'static str {
    match kind {
        Job::Label | Job::Decisions | Job::Games | Job::Rows => {
            "files of --chunk deals, which are not divided further"
        }
        _ => "deals",
    }
}

impl ModuleError for PlanError {
    fn exit(&self) -> Exit {
        match self {
            Self::Refused { exit, .. } => *exit,
            _ => Exit::Usage,
        }
    }
}
