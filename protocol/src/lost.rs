//! Programs that fail for good, so that a run cannot continue.

use coinche_selfplay::{Exit, ModuleError, Unit};

/// A program that fails for good: it ended and cannot be restarted, or does not answer. Further questions would say
/// nothing about how well it plays.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{bot} {} ({} {deal}): {fault}{stderr}\n{}", kind.what(), unit.singular(), kind.remedy())]
pub struct ProgramLost {
    /// The bot that is, or contains, the program.
    pub bot: String,
    /// How it fails.
    pub(super) kind: FailureKind,
    pub(super) unit: Unit,
    /// The deal or match that could not be finished; the first of several.
    pub deal: u64,
    /// The last fault.
    pub fault: String,
    /// The last lines of its stderr, each preceded by a line break.
    pub stderr: String,
}

/// The way in which a program fails for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FailureKind {
    /// It never became ready at this table.
    Start,
    /// It was ready, then ended and could not be restarted.
    Restart,
    /// It is restarted repeatedly, and never answers.
    Answers,
    /// It is a batch bot in this process that fails repeatedly.
    Batch,
}

const FIX_PROGRAM: &str = "Fix the program (test it with `arena check-bot`) and repeat the command to resume. With \
                           --forfeit (`arena run`, `sprt` and `tune`) the run continues, and the bot forfeits its deals.";
const FIX_BOT: &str = "Fix the bot and repeat the run to resume. With `forfeit` the run continues, and the bot forfeits \
                       its deals.";

impl FailureKind {
    const fn what(self) -> &'static str {
        match self {
            Self::Start => "cannot be started",
            Self::Restart => "cannot be restarted",
            Self::Answers | Self::Batch => "failed in 3 deals in a row",
        }
    }

    const fn remedy(self) -> &'static str {
        if matches!(self, Self::Batch) { FIX_BOT } else { FIX_PROGRAM }
    }
}

impl ModuleError for Box<ProgramLost> {
    fn exit(&self) -> Exit {
        Exit::Program
    }
}

/// Why tables with programs stop.
#[derive(Debug, thiserror::Error)]
pub enum Halted {
    /// They were asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// A program fails for good.
    #[error(transparent)]
    Lost(Box<ProgramLost>),
}

impl ModuleError for Halted {
    fn exit(&self) -> Exit {
        match self {
            Self::Interrupted => Exit::Interrupted,
            Self::Lost(lost) => lost.exit(),
        }
    }
}
