//! `arena verify`: replays records, and checks the contents of a directory as a whole.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use coinche_bots::Registry;
use coinche_engine::record::{Disagreement, Place, Record, replay};
use coinche_engine::{ByTeam, MatchState, Seat};
use coinche_selfplay::base::files::checksums::Checksums;
use coinche_selfplay::base::shown::brief;
use coinche_selfplay::play::played::forfeit;
use coinche_selfplay::records::json;
use coinche_selfplay::records::json::ReadJsonError;
use coinche_selfplay::records::lines::{read_all, records_in};
use coinche_selfplay::records::seen::Seen;
use coinche_selfplay::{ArenaError, Exit, Label, Result, print, thousands};

use coinche_analysis::leaderboard;
use coinche_runs::audit::Told;
use coinche_runs::{Job, NotEnded, STATE, State};

mod control;
mod figures;
mod part;
mod run;

pub use part::check as check_part;

/// The flags of `arena verify`.
#[derive(Debug, Args)]
#[command(after_long_help = help!("verify"))]
pub(crate) struct VerifyArgs {
    /// A directory or a file of records; `-` is stdin
    ///
    /// The directory of a run, a sequential test, a tuning, labels or a shard of sums, or a file of deal records (JSON Lines, also compressed with zstd).
    #[arg(value_name = "DIR|FILE|-")]
    pub file: PathBuf,
}

/// Runs the command.
pub(crate) fn verify(args: &VerifyArgs, registry: &Registry, out: &mut dyn Write) -> Result<Exit> {
    let directory = &args.file;
    if !directory.is_dir() || holds_records_alone(directory) {
        return records(directory, true, &mut |_| {}, out);
    }
    if let Some(wrong) = leaderboard::check(directory)? {
        let agrees = "the seed is the one committed to\n".to_owned();
        print(out, &if wrong.is_empty() { agrees } else { wrong.join("\n") + "\n" })?;
        return Ok(if wrong.is_empty() { Exit::Done } else { Exit::Disagreements });
    }
    if directory.join("tune.toml").exists() {
        return run::verify_tuning(directory, registry, out);
    }
    match State::read(directory) {
        Ok(Some(state)) if state.job != Job::Run => part::verify(directory, state, registry, out),
        Ok(None) if !Checksums::are_in(directory) => Err(NotEnded::NoPart(directory.clone()).into()),
        // The files that differ are named, including this one.
        Ok(_) | Err(ArenaError::Damaged { .. }) => run::verify(directory, registry, out),
        Err(error) => Err(error),
    }
}

/// Tests if a directory has records and no other files of a run, as written by `arena play`.
fn holds_records_alone(directory: &Path) -> bool {
    let of_a_run = ["config.toml", STATE, "run.json"];
    records_in(directory).is_some() && !of_a_run.iter().any(|file| directory.join(file).exists())
}

/// Checks a file of records, and hands on what they tell. Missing deals are warned of only if the file should be complete.
fn records(path: &Path, is_whole: bool, each: &mut dyn FnMut(&Told), out: &mut dyn Write) -> Result<Exit> {
    let mut totals = Totals::default();
    let mut thread = MatchThread::default();
    read_all(
        path,
        |_, line| check(line),
        |checked| {
            if let Checked::Record(_, told, ..) = &checked {
                each(told);
            }
            let text = totals.add(checked, &mut thread);
            if text.is_empty() { Ok(()) } else { print(out, &text) }
        },
    )?;
    totals.seen.warnings(is_whole).iter().try_for_each(|warning| print(out, warning))?;
    print(out, &totals.summary())?;
    Ok(if totals.is_right() { Exit::Done } else { Exit::Disagreements })
}

/// The result for one line.
#[expect(clippy::large_enum_variant, reason = "nearly all lines are records")]
enum Checked {
    /// Only white space.
    Empty,
    /// What a record tells, the record if it is of a match, and what is wrong with it.
    Record(Label, Told, Option<Box<Record>>, Vec<Disagreement>),
    /// Not a record.
    Other(ReadJsonError),
}

fn check(line: &[u8]) -> Checked {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Checked::Empty;
    }
    match json::whole(line) {
        Ok((record, pairing, _)) => {
            let found = match forfeiter(&record) {
                Some(seat) => check_forfeit(&record, seat),
                None => replay(&record),
            };
            let label = Label::of_record(&record, pairing);
            let told = Told::of_record(&record, pairing);
            Checked::Record(label, told, record.game.map(|_| Box::new(record)), found)
        }
        Err(error) => Checked::Other(error),
    }
}

/// The seat whose bot forfeited the deal.
fn forfeiter(record: &Record) -> Option<Seat> {
    record.faults.iter().find(|fault| fault.kind.forfeits()).map(|fault| fault.seat)
}

/// Checks a forfeited deal: nothing of it counts but the score of the forfeit.
fn check_forfeit(record: &Record, seat: Seat) -> Vec<Disagreement> {
    let mut found = Vec::new();
    let mut report = |rule: String| {
        let (deal, leg) = (record.deal, record.leg);
        found.push(Disagreement { deal, leg, place: Place::Score, seat: Some(seat), rule });
    };
    match record.rules.rules() {
        Err(error) => report(error.to_string()),
        Ok(rules) => {
            let mut score = ByTeam([0; 2]);
            score[seat.team().other()] = forfeit(&rules);
            if record.score != score {
                report(format!(
                    "score of a forfeit: the record has {:?}, the rules give {:?}",
                    record.score.0, score.0
                ));
            }
        }
    }
    if record.contract.is_some() || record.made.is_some() {
        report("a forfeited deal has no contract and is not made".to_owned());
    }
    found
}

/// The totals so far.
#[derive(Default)]
struct Totals {
    lines: u64,
    records: u64,
    wrong: u64,
    others: u64,
    disagreements: u64,
    seen: Seen,
}

impl Totals {
    /// Adds the result of the next line and returns the text to print.
    fn add(&mut self, checked: Checked, thread: &mut MatchThread) -> String {
        self.lines += 1;
        let line = self.lines;
        match checked {
            Checked::Empty => String::new(),
            Checked::Other(error) => {
                self.others += 1;
                brief(&format!("line {line}: {error}")) + "\n"
            }
            Checked::Record(label, told, record, mut found) => {
                self.records += 1;
                self.seen.add(&label);
                found.extend(thread.follow(record.as_deref(), &told));
                self.wrong += u64::from(!found.is_empty());
                self.disagreements += found.len() as u64;
                let mut text = String::new();
                for disagreement in found {
                    let _ = writeln!(text, "line {line}: {disagreement}");
                }
                text
            }
        }
    }

    const fn is_right(&self) -> bool {
        self.others == 0 && self.wrong == 0
    }

    fn summary(&self) -> String {
        let records = thousands(self.records);
        if self.is_right() {
            return format!("{records} records, all agree with their rules\n");
        }
        format!(
            "{records} records, {} of them with {} disagreements; {} lines are not records\n",
            thousands(self.wrong),
            thousands(self.disagreements),
            thousands(self.others)
        )
    }
}

/// Follows the records of one leg of a match.
#[derive(Default)]
struct MatchThread {
    /// Match, leg, number of the next deal, and the state of the match before it.
    at: Option<(u64, u32, u64, MatchState)>,
}

impl MatchThread {
    /// Checks that a record continues the previous one, if both are of the same leg of a match.
    fn follow(&mut self, record: Option<&Record>, told: &Told) -> Vec<Disagreement> {
        let mut found = Vec::new();
        let before = self.at.take();
        let Some(record) = record else { return found };
        let (Some(number), Some(deal), Ok(rules)) = (record.game, record.deal_in_match, record.rules.rules())
        else {
            return found;
        };
        let mut state = match before {
            Some((match_before, leg, next, state))
                if deal > 0 && match_before == number && leg == record.leg =>
            {
                compare(record, deal, next, &state, &mut found);
                if found.is_empty() { Some(state) } else { None }
            }
            _ if deal == 0 => Some(MatchState::new(&rules, record.dealer)),
            // The preceding records are elsewhere.
            _ => None,
        };
        if let Some(state) = &mut state {
            for _ in 0..record.misdeals {
                state.misdeal();
            }
            if record.match_score.is_some_and(|score| score != state.score()) {
                let rule = format!(
                    "match_score: the record has {:?}, the deals before give {:?}",
                    record.match_score.unwrap_or_default().0,
                    state.score().0
                );
                found.push(disagreement(record, rule));
            }
            told.advance(state);
        }
        self.at = state.map(|state| (number, record.leg, deal + 1, state));
        found
    }
}

fn disagreement(record: &Record, rule: String) -> Disagreement {
    Disagreement { deal: record.deal, leg: record.leg, place: Place::Deal, seat: None, rule }
}

/// Compares a record with the state after the preceding deals.
fn compare(record: &Record, deal: u64, next: u64, state: &MatchState, found: &mut Vec<Disagreement>) {
    if deal != next {
        found.push(disagreement(record, format!("deal {deal} of the match follows deal {}", next - 1)));
    } else if let Some(winner) = state.winner() {
        found.push(disagreement(record, format!("team {winner} had won the match before this deal")));
    } else if state.dealer() != record.dealer {
        let rule =
            format!("dealer: the record has seat {}, the turn is seat {}'s", record.dealer, state.dealer());
        found.push(disagreement(record, rule));
    }
}
