//! The exit codes of the program.

/// How the program ended: the one list of its exit codes.
///
/// Every command that does what it was asked exits with 0, also when whoever reads its standard output
/// stops reading (`arena run … | head`). A panic, which is a bug, exits with 101.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// 0: done.
    Done = 0,
    /// 1: `arena verify` or `arena judge` found records that disagree with the rules or lines that are no
    /// records, `arena verify` totals that are not those of the records; `arena merge` shards that do not
    /// make a run or a data set; a file of a run is damaged; `arena solve` found lines that are no positions,
    /// `arena label` lines that are no deals; `arena check-bot` something wrong with the program.
    Disagreements = 1,
    /// 2: a wrong command line, configuration, rule set or bot; an input that cannot be read.
    Usage = 2,
    /// 3: something could not be written: no permission, a full disk, something that is there already, a
    /// directory that another process uses.
    Output = 3,
    /// 4: a program that is a bot fails for good, and the run stopped before the deal that it could not play: it has
    /// ended and cannot be started again, or answers nothing. What was played is saved, and the run can be resumed.
    Program = 4,
    /// 10: `arena sprt` accepted the lower bound (with the upper bound it exits with 0).
    Lower = 10,
    /// 11: `arena sprt` played all deals that it may without a decision.
    Undecided = 11,
    /// 12: `arena merge` has taken the shards of a step of a command that is not over: those of another step are needed.
    More = 12,
    /// 130: interrupted by Ctrl-C; what was played until then is written and in the verdict.
    Interrupted = 130,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
