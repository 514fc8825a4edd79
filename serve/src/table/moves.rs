//! What happens at a table, line by line: `moves.jsonl`.

use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use coinche_analysis::play::game::Step;
use coinche_engine::{Call, Card, DealState, Play, Seat};
use coinche_selfplay::ArenaError;
use coinche_selfplay::base::files::OutFile;
use serde::{Deserialize, Serialize};

use crate::error::Answer;
use crate::view::to_act;

/// A line of `moves.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Move {
    /// The next cards are dealt.
    Deal,
    Call {
        call: Call,
        #[serde(default, skip_serializing_if = "is_false")]
        bot: bool,
    },
    Play {
        card: Card,
        #[serde(default, skip_serializing_if = "is_false")]
        bot: bool,
        /// A belote that is not announced.
        #[serde(default, skip_serializing_if = "is_false")]
        silent: bool,
        /// Which melds are announced, where there is a choice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        melds: Option<usize>,
    },
    /// A person takes the last decision back, with what followed it.
    Undo(Seat),
    /// A bot plays for a person until the deal is over.
    Resign(Seat),
    Forfeit {
        seat: Seat,
        detail: String,
    },
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
const fn is_false(it: &bool) -> bool {
    !*it
}

impl Move {
    pub(super) fn line(&self) -> Vec<u8> {
        let mut line = serde_json::to_vec(self).expect("it is plain data");
        line.push(b'\n');
        line
    }

    pub(super) const fn is_of_bot(&self) -> bool {
        match self {
            Self::Call { bot, .. } | Self::Play { bot, .. } => *bot,
            _ => true,
        }
    }

    /// Returns the step of a game, and whether a bot made it.
    pub(super) fn of(&self, state: &DealState) -> Option<(Step, bool)> {
        match self {
            Self::Call { call, bot } => Some((Step::Call(*call), *bot)),
            Self::Play { card, bot, silent, melds } => {
                let options = state.meld_options(to_act(state.turn())?);
                let melds = melds.and_then(|n| options.get(n).copied());
                Some((Step::Play(Play { card: *card, announce_belote: !*silent, melds }), *bot))
            }
            _ => None,
        }
    }
}

/// Reads the whole lines of a file, and cuts what a kill left behind them.
pub(super) fn whole_lines(path: &Path) -> Answer<String> {
    let mut file = OutFile::open(path).map_err(|source| ArenaError::write(path, source))?;
    let mut text = String::new();
    file.read_to_string(&mut text).map_err(|source| ArenaError::read(path, source))?;
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    file.cut(text.len() as u64).map_err(|source| ArenaError::write(path, source))?;
    Ok(text)
}

/// Adds lines to a file, which does not stay open: there may be more tables than a process may have files.
pub(super) fn append(path: &Path, lines: &[u8]) -> Answer<()> {
    let write = || {
        let mut file = OutFile::open(path)?;
        file.seek(SeekFrom::End(0))?;
        file.write_all(lines)
    };
    Ok(write().map_err(|source| ArenaError::write(path, source))?)
}
