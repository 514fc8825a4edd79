//! The exit codes of the program.

/// How the program ended: the only list of its exit codes.
///
/// Every command that succeeds exits with 0, also when the reader of its stdout stops reading (`arena run … | head`). A
/// panic, which is a bug, exits with 101.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// 0: success.
    Done = 0,
    /// 1: `arena verify` or `arena judge` found records that disagree with the rules or lines that are not records;
    /// `arena verify` found totals that do not match the records; `arena merge` got shards that do not make a run or a
    /// data set; a file of a run is damaged; `arena solve` found lines that are not positions, `arena label` lines that
    /// are not deals; `arena check-bot` found a fault of the program.
    Disagreements = 1,
    /// 2: a wrong command line, configuration, rule set or bot; an input that cannot be read.
    Usage = 2,
    /// 3: an output could not be written: no permission, a full disk, a file that already exists, a directory in use by
    /// another process.
    Output = 3,
    /// 4: a bot program failed for good (it ended and cannot be restarted, or does not answer), and the run stopped
    /// before the deal that it could not play. Finished deals are saved, and the run can be resumed.
    Program = 4,
    /// 10: `arena sprt` accepted the lower bound (with the upper bound it exits with 0).
    Lower = 10,
    /// 11: `arena sprt` played all allowed deals without a decision; or so many legs were forfeited by faults that the result
    /// is no verdict (more than 5 % of a pairing; in `arena sprt` 1 %).
    Undecided = 11,
    /// 12: `arena merge` got the shards of a step of a command that is not over: the shards of another step are needed.
    More = 12,
    /// 130: interrupted by Ctrl-C; what was played until then is written and in the verdict.
    Interrupted = 130,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
