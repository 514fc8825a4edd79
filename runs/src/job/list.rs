//! The jobs: commands that can be divided into parts.

use serde::{Deserialize, Serialize};

/// A command that can be divided into parts. Every list of jobs is a `match`, so the compiler finds the places to
/// extend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Job {
    /// `arena run`.
    Run,
    /// `arena label`: points.
    Label,
    /// `arena label --decisions`.
    Decisions,
    /// `arena label --games`.
    Games,
    /// `arena train cards --rows`.
    Rows,
    /// `arena stats --deals`.
    Stats,
    /// `arena stats hands --deals`.
    Hands,
    /// `arena bidding`.
    Bidding,
    /// `arena judge`.
    Judge,
    /// `arena sprt`.
    Sprt,
    /// `arena tune`.
    Tune,
}

/// The result that a job makes of its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A directory equal to that of the undivided command.
    Directory,
    /// Sums, printed when they are merged.
    Sums,
    /// The next step of a directory; each step depends on the previous ones.
    Steps,
}

impl Job {
    /// All jobs.
    pub const ALL: [Self; 11] = [
        Self::Run,
        Self::Label,
        Self::Decisions,
        Self::Games,
        Self::Rows,
        Self::Stats,
        Self::Hands,
        Self::Bidding,
        Self::Judge,
        Self::Sprt,
        Self::Tune,
    ];

    /// Returns the name used in files, the command as typed after `arena` with the flag that makes it divisible, and the form
    /// of the result.
    const fn facts(self) -> (&'static str, &'static str, Form) {
        match self {
            Self::Run => ("run", "run", Form::Directory),
            Self::Label => ("label", "label", Form::Directory),
            Self::Decisions => ("decisions", "label --decisions", Form::Directory),
            Self::Games => ("games", "label --games", Form::Directory),
            Self::Rows => ("rows", "train cards --rows", Form::Directory),
            Self::Stats => ("stats", "stats --deals", Form::Sums),
            Self::Hands => ("hands", "stats hands --deals", Form::Sums),
            Self::Bidding => ("bidding", "bidding", Form::Sums),
            Self::Judge => ("judge", "judge", Form::Sums),
            Self::Sprt => ("sprt", "sprt", Form::Steps),
            Self::Tune => ("tune", "tune", Form::Steps),
        }
    }

    /// Returns the name used in files.
    pub const fn name(self) -> &'static str {
        self.facts().0
    }

    /// Returns the command as typed after `arena`, with the flag that makes it divisible.
    pub const fn command(self) -> &'static str {
        self.facts().1
    }

    /// Returns the form of its result.
    pub const fn form(self) -> Form {
        self.facts().2
    }

    /// Tests if a part depends on earlier merges, so that parts are made in steps.
    pub const fn is_stepwise(self) -> bool {
        matches!(self.form(), Form::Steps)
    }

    /// Tests if its parts are sums, from which pages and tables are made at the merge.
    pub const fn is_of_sums(self) -> bool {
        matches!(self.form(), Form::Sums)
    }

    /// Tests if it may end before all deals are played.
    pub const fn may_end_early(self) -> bool {
        matches!(self, Self::Sprt)
    }

    /// Returns all commands, formatted for an error.
    pub fn commands() -> String {
        let words = Self::ALL.map(Self::command);
        let [first @ .., last] = &words;
        format!("{} and {last}", first.join(", "))
    }
}
