//! Which commands can be divided.

use serde::{Deserialize, Serialize};

/// A command that can be divided into shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// `arena run`.
    Run,
    /// `arena label`: points.
    Label,
    /// `arena label --decisions`.
    Decisions,
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
    /// `arena fit`.
    Fit,
}

impl Kind {
    /// The commands that can be divided, as an error names them.
    pub(crate) const COMMANDS: &str = "run, label, train cards --rows, stats --deals, stats hands --deals, bidding, judge, sprt, tune and fit";

    /// Returns the name in files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Label => "label",
            Self::Decisions => "decisions",
            Self::Rows => "rows",
            Self::Stats => "stats",
            Self::Hands => "hands",
            Self::Bidding => "bidding",
            Self::Judge => "judge",
            Self::Sprt => "sprt",
            Self::Tune => "tune",
            Self::Fit => "fit",
        }
    }

    /// Tests if a part depends on what was merged before: it is made in waves.
    pub(crate) const fn is_stepwise(self) -> bool {
        matches!(self, Self::Sprt | Self::Tune | Self::Fit)
    }

    /// Tests if its parts are sums, of which pages and tables are made when they are merged.
    pub(crate) const fn is_of_sums(self) -> bool {
        matches!(self, Self::Stats | Self::Hands | Self::Bidding | Self::Judge)
    }

    /// Tests if it may end before all of its deals are played.
    pub(crate) const fn may_end_early(self) -> bool {
        matches!(self, Self::Sprt)
    }
}
