//! Jobs: commands that are divided into parts, made on one machine or many, resumed, checked and merged.
//!
//! | module | |
//! |---|---|
//! | `list` | the jobs |
//! | `identity` | everything that affects the results of a part |
//! | `state` | `part.json`: the identity of a part, its progress, its sums |
//! | `dir`, `saver` | the directory of a part: opening, saving, closing it |
//! | `held`, `sink` | its lock; its tables |
//! | `sums` | jobs whose result is sums over deals |
//! | `parts` | all parts of a job: checks that they belong together and cover each deal once |
//!
//! A part is a directory:
//!
//! | file | |
//! |---|---|
//! | `part.json` | its identity, progress and exact sums |
//! | `part.lock` | locked while a process makes the part; for a run the lock is `config.toml` |
//! | tables | `arena run`: the summary and the records; `arena judge`: `decisions.csv.zst`; data sets: one per chunk |
//! | `checksums.txt` | the checksums of all files, while nothing is being written |
//!
//! Every few seconds, and when the command ends, the tables are flushed and synced and `part.json` is replaced
//! atomically: from then on its deals are done. The same command resumes with the first missing deal. Anything in the
//! tables after the positions in `part.json` was written by a process that was killed; the next process truncates it.

mod dir;
mod error;
mod held;
mod identity;
mod list;
mod pace;
pub mod pairs;
mod parts;
mod saver;
pub(crate) mod sink;
mod state;
mod sums;

pub use dir::{LOCK, PartDir};
pub use error::MergeError;
pub use held::Held;
pub use identity::Identity;
pub use list::{Form, Job};
pub use pace::Pace;
pub use parts::Parts;
pub(crate) use saver::Content;
pub use sink::SavedSink;
pub(crate) use state::{CONFIG, FIGURES};
pub use state::{NotEnded, STATE, State, Task, raw};
pub use sums::{Making, SumJob};
