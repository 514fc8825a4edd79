//! Programs that a run cannot go on with.

use coinche_selfplay::base::error::ModuleError;
use coinche_selfplay::base::exit::Exit;
use coinche_selfplay::play::schedule::Unit;

/// A program that fails for good: it has ended and cannot be started again, or answers nothing. What it is asked from
/// then on would say nothing about how well it plays.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{bot} {what} ({} {deal}): {fault}{stderr}\n{remedy}",
    unit.singular()
)]
pub struct ProgramLost {
    /// The bot that the program is, or is a part of.
    pub bot: String,
    /// What it does not do.
    what: &'static str,
    /// What is to be done.
    remedy: &'static str,
    unit: Unit,
    /// The deal or match that could not be played to its end, the first of several.
    pub deal: u64,
    /// What was seen last.
    pub fault: String,
    /// The last lines of its standard error, each after a line's end.
    pub stderr: String,
}

/// What a program that is lost does not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lost {
    /// It was never ready at this table.
    Start,
    /// It was, and has ended.
    Restart,
    /// It is started again and again, and answers nothing.
    Answers,
    /// It decides for many deals at once in this process, and fails again and again.
    Batch,
}

const FIX_PROGRAM: &str = "Fix the program (test it with `arena check-bot`) and repeat the command to resume. With \
                           --forfeit (`arena run`, `sprt` and `tune`) the run continues, and the bot forfeits its deals.";
const FIX_BOT: &str = "Fix the bot and repeat the run to resume. With `forfeit` the run continues, and the bot forfeits \
                       its deals.";

impl ProgramLost {
    pub(super) fn new(how: Lost, bot: &str, unit: Unit, deal: u64, fault: &str, stderr: String) -> Self {
        let what = match how {
            Lost::Start => "cannot be started",
            Lost::Restart => "cannot be restarted",
            Lost::Answers | Lost::Batch => "failed in 3 deals in a row",
        };
        let remedy = if how == Lost::Batch { FIX_BOT } else { FIX_PROGRAM };
        Self { bot: bot.to_owned(), what, remedy, unit, deal, fault: fault.to_owned(), stderr }
    }
}

impl ModuleError for Box<ProgramLost> {
    fn exit(&self) -> Exit {
        Exit::Program
    }
}

/// Why tables with programs stop.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Halted {
    /// They were asked to.
    #[error("interrupted")]
    Asked,
    /// A program fails for good.
    #[error(transparent)]
    Lost(Box<ProgramLost>),
}

impl ModuleError for Halted {
    fn exit(&self) -> Exit {
        match self {
            Self::Asked => Exit::Interrupted,
            Self::Lost(lost) => lost.exit(),
        }
    }
}
