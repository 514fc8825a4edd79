//! Plays deal after deal, match after match, until the person stops.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use coinche_engine::rules::Rotation;
use coinche_engine::{BySeat, ByTeam, Deal, DealState, Deck, Seat};
use coinche_selfplay::base::files::{OutFile, make_directory};
use coinche_selfplay::base::guard::silence_bots;
use coinche_selfplay::play::match_run::MatchRun;
use coinche_selfplay::{
    ArenaError, Ending, Exit, InMatch, JsonLines, KeyStream, PlayedDeal, Result, Schedule, Seating, Side,
    Solvers, Unit,
};

use super::Settings;
use super::desk::{Desk, Stop};
use super::hand::Hand;
use super::result::{costs, of_deal, pair};
use coinche_protocol::{SeatedPrograms, seat_bot};

/// The file of the records in their directory.
const RECORDS: &str = "records.jsonl";

/// Plays until the person stops or all deals are played.
pub fn play(settings: &Settings, solvers: &Solvers, desk: &mut Desk<'_>) -> Result<Exit> {
    let records = settings.out.as_deref().map(Records::create).transpose()?;
    let mut session = Session { settings, solvers, desk, records, played: Played::default() };
    session.greet()?;
    let exit = match session.matches() {
        Ok(()) => Exit::Done,
        Err(Stop::Quit(exit)) => exit,
        Err(Stop::Error(error)) => return Err(error),
    };
    session.take_leave()?;
    Ok(exit)
}

/// The results so far.
#[derive(Debug, Default)]
struct Played {
    deals: u64,
    score: ByTeam<i32>,
    /// Matches won.
    matches: ByTeam<i32>,
}

struct Session<'a, 'd> {
    settings: &'a Settings,
    solvers: &'a Solvers,
    desk: &'a mut Desk<'d>,
    records: Option<Records>,
    played: Played,
}

impl Session<'_, '_> {
    fn greet(&mut self) -> Result<()> {
        let Settings { seat, partner, others, seed, rules, .. } = &self.settings;
        let name = rules.preset_name().unwrap_or("of your own");
        let turn = match rules.deal.rotation {
            Rotation::Clockwise => "clockwise",
            Rotation::Counterclockwise => "counterclockwise",
        };
        self.desk.say(&format!(
            "You are seat {seat}. Partner: {partner}; left and right: {others}. Rules {name}; play goes {turn}.\nSeed {seed}: \
             the same seed deals the same cards. Type help to see what you can type.\n"
        ))
    }

    fn take_leave(&mut self) -> Result<()> {
        let Played { deals, score, matches } = &self.played;
        let own = self.settings.seat.team();
        let noun = if *deals == 1 { "deal" } else { "deals" };
        let mut text = format!("\n{deals} {noun} played; your side to theirs: {}", pair(own, *score));
        if matches.0 != [0, 0] {
            let _ = write!(text, "; matches {}", pair(own, *matches));
        }
        text += ".\n";
        if let Some(records) = &self.records {
            let _ = writeln!(text, "Records: {}", records.path.display());
        }
        self.desk.say(&text)
    }

    fn matches(&mut self) -> Result<(), Stop> {
        silence_bots();
        let schedule = Schedule { secrets: (&self.settings.seed).into(), unit: Unit::Match, pairs: u64::MAX };
        let mut state = DealState::new(
            &self.settings.rules,
            &Deal::new(&self.settings.rules.deal, Deck::sorted(), Seat::S0),
        );
        let (mut seating, mut programs) = self.seat_bots();
        let (mut number, mut past) = (0, Vec::new());
        loop {
            let [leg, _] = schedule.pair(number);
            let mut run = MatchRun::new(&self.settings.rules, &schedule, leg, past);
            loop {
                if self.settings.deals == Some(self.played.deals) {
                    return Ok(());
                }
                let (deal, in_match, keys) = run.next_deal(&mut state);
                let ending = self.deal(&mut state, &mut seating, in_match, keys)?;
                let score = ending.score(&self.settings.rules);
                let is_over = run.add(&state, &ending, score);
                let total = run.result().score;
                let record = self.record(&PlayedDeal {
                    leg: &leg,
                    deal,
                    in_match: Some(in_match),
                    state: &state,
                    ending,
                    score,
                    faults: &seating.faults,
                    thoughts: &[],
                })?;
                self.tell(&ending, score, total, &record)?;
                let forfeited = matches!(ending, Ending::Forfeit(_));
                for (seat, programs) in programs.iter() {
                    programs.send_over(&state, seat, score, forfeited);
                }
                if forfeited {
                    (seating, programs) = self.seat_bots();
                }
                if is_over {
                    self.tell_winner(&run)?;
                    break;
                }
            }
            past = run.into_past();
            number += 1;
        }
    }

    /// Builds the bots; the one at the person's seat is never asked.
    fn seat_bots(&self) -> (Seating, BySeat<SeatedPrograms>) {
        let programs = RefCell::new(BySeat::from_fn(|_| SeatedPrograms::default()));
        let make = |_: Side, seat| {
            let (bot, seated) = seat_bot(&self.settings.rules, self.settings.bot(seat));
            programs.borrow_mut()[seat] = seated;
            bot
        };
        let seating = Seating::build(&make, 0);
        (seating, programs.into_inner())
    }

    fn deal(
        &mut self,
        state: &mut DealState,
        seating: &mut Seating,
        place: InMatch,
        keys: [KeyStream; 4],
    ) -> Result<Ending, Stop> {
        let (picture, own) = (self.settings.picture(), self.settings.seat.team());
        let dealer = picture.who(state.deal().dealer());
        let deals = if dealer == "you" { "you deal".to_owned() } else { format!("{dealer} deals") };
        let target = self.settings.rules.game.target;
        let mut text = format!(
            "\n── Deal {} · match {}, {} of {target} points · {deals}\n",
            self.played.deals + 1,
            place.number + 1,
            pair(own, place.score),
        );
        if let Some(turned) = state.deal().turned() {
            let _ = writeln!(text, "Turned up: {}", picture.language.card(turned));
        }
        self.desk.say(&text)?;
        seating.faults.clear();
        seating.thoughts.clear();
        let (settings, solvers) = (self.settings, self.solvers);
        Hand { settings, solvers, seating, desk: self.desk, keys }.play(state)
    }

    /// Returns the record of a deal, and writes it if records are wanted.
    fn record(&mut self, deal: &PlayedDeal<'_>) -> Result<Vec<u8>> {
        let names = self.settings.names().0;
        // By team, the lower seat first.
        let teams = [[names[0], names[2]], [names[1], names[3]]];
        let mut line = Vec::new();
        JsonLines::of_teams(&self.settings.rules, teams, None).push(&mut line, deal);
        if let Some(records) = &mut self.records {
            records.add(&line)?;
        }
        Ok(line)
    }

    fn tell(&mut self, ending: &Ending, score: ByTeam<i32>, total: ByTeam<i32>, record: &[u8]) -> Result<()> {
        self.played.deals += 1;
        for (sum, score) in self.played.score.0.iter_mut().zip(score.0) {
            *sum += score;
        }
        let mut text = of_deal(self.settings, ending, score);
        let _ = writeln!(text, "The match: {}.", pair(self.settings.seat.team(), total));
        text += &costs(self.settings, self.solvers, record.trim_ascii_end());
        self.desk.say(&text)
    }

    fn tell_winner(&mut self, run: &MatchRun) -> Result<()> {
        let Some(winner) = run.result().winner else { return Ok(()) };
        self.played.matches[winner] += 1;
        let who = if winner == self.settings.seat.team() { "You win" } else { "They win" };
        self.desk.say(&format!("\n{who} the match.\n"))
    }
}

/// The file of the records: each deal is written when it ends.
struct Records {
    path: PathBuf,
    file: OutFile,
}

impl Records {
    fn create(directory: &Path) -> Result<Self> {
        make_directory(directory)?;
        let path = directory.join(RECORDS);
        let file = OutFile::create_new(&path).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists => {
                ArenaError::RunExists { path: directory.to_owned(), file: RECORDS }
            }
            _ => ArenaError::write(&path, source),
        })?;
        Ok(Self { path, file })
    }

    fn add(&mut self, line: &[u8]) -> Result<()> {
        self.file.write_all(line).map_err(|source| ArenaError::write(&self.path, source))
    }
}
