//! Plays deal after deal, match after match, until the person stops.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use coinche_engine::rules::Rotation;
use coinche_engine::{BySeat, ByTeam, Team};
use coinche_selfplay::base::files::{OutFile, make_directory};
use coinche_selfplay::{ArenaError, Exit, Result, Solvers};

use super::Settings;
use super::desk::{Desk, Stop};
use super::game::{Cards, Finished, Game};
use super::hand::Hand;
use super::result::{costs, of_deal, pair};

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
            if let Some(directory) = records.path.parent().filter(|_| *deals > 0) {
                let _ = writeln!(text, "What your decisions cost: arena report {}", directory.display());
            }
        }
        self.desk.say(&text)
    }

    fn matches(&mut self) -> Result<(), Stop> {
        let settings = self.settings;
        let bots = BySeat::from_fn(|seat| settings.bot(seat).clone());
        let mut game = Game::new(&settings.rules, bots, &settings.seed, Cards::Matches);
        while settings.deals != Some(self.played.deals) {
            game.next_deal();
            self.deal(&mut game)?;
            let finished = game.finish(&settings.names(), 0).expect("the deal is over");
            if let Some(records) = &mut self.records {
                records.add(&finished.record)?;
            }
            self.tell(&finished)?;
            if let Some(winner) = finished.winner {
                self.tell_winner(winner)?;
            }
        }
        Ok(())
    }

    fn deal(&mut self, game: &mut Game) -> Result<(), Stop> {
        let (picture, own) = (self.settings.picture(), self.settings.seat.team());
        let (_, place) = game.place();
        let place = place.expect("a match is played");
        let dealer = picture.who(game.state().deal().dealer());
        let deals = if dealer == "you" { "you deal".to_owned() } else { format!("{dealer} deals") };
        let end = match self.settings.rules.game {
            game if game.deals > 0 => format!("of a match of {} deals", game.deals),
            game => format!("of {} points", game.target),
        };
        let mut text = format!(
            "\n── Deal {} · match {}, {} {end} · {deals}\n",
            self.played.deals + 1,
            place.number + 1,
            pair(own, place.score),
        );
        if let Some(turned) = game.state().deal().turned() {
            let _ = writeln!(text, "Turned up: {}", picture.language.card(turned));
        }
        self.desk.say(&text)?;
        let (settings, solvers) = (self.settings, self.solvers);
        Hand { settings, solvers, game, desk: self.desk }.play()
    }

    fn tell(&mut self, finished: &Finished) -> Result<()> {
        let Finished { ending, score, total, record, .. } = finished;
        self.played.deals += 1;
        for (sum, score) in self.played.score.0.iter_mut().zip(score.0) {
            *sum += score;
        }
        let mut text = of_deal(self.settings, ending, *score);
        let _ = writeln!(text, "The match: {}.", pair(self.settings.seat.team(), *total));
        text += &costs(self.settings, self.solvers, record.trim_ascii_end());
        self.desk.say(&text)
    }

    fn tell_winner(&mut self, winner: Team) -> Result<()> {
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
