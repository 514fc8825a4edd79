//! Plays deal after deal, match after match, until the person stops.

use std::fmt::{Display, Write as _};
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
use crate::texts::fill;

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
        let texts = self.settings.picture().texts();
        let name = rules.preset_name().unwrap_or(texts.rules_of_your_own);
        let turn = match rules.deal.rotation {
            Rotation::Clockwise => texts.clockwise,
            Rotation::Counterclockwise => texts.counterclockwise,
        };
        let values: [(&str, &dyn Display); 6] = [
            ("seat", seat),
            ("partner", partner),
            ("others", others),
            ("rules", &name),
            ("turn", &turn),
            ("seed", seed),
        ];
        self.desk.say(&format!("{}\n", fill(texts.greeting, &values)))
    }

    fn take_leave(&mut self) -> Result<()> {
        let Played { deals, score, matches } = &self.played;
        let (own, texts) = (self.settings.seat.team(), self.settings.picture().texts());
        let played = if self.settings.language.is_singular(*deals) {
            texts.one_deal_played
        } else {
            texts.deals_played
        };
        let mut text = format!("\n{}", fill(played, &[("n", deals), ("pair", &pair(texts, own, *score))]));
        if matches.0 != [0, 0] {
            text += &fill(texts.matches_won, &[("pair", &pair(texts, own, *matches))]);
        }
        text += ".\n";
        if let Some(records) = &self.records {
            let _ = writeln!(text, "{}", fill(texts.records_in, &[("path", &records.path.display())]));
            if let Some(directory) = records.path.parent().filter(|_| *deals > 0) {
                let _ = writeln!(text, "{}", fill(texts.report_by, &[("path", &directory.display())]));
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
        let (texts, dealer) = (picture.texts(), game.state().deal().dealer());
        let deals = if dealer == picture.seat {
            texts.you_deal.to_owned()
        } else {
            fill(texts.deals, &[("who", &picture.who(dealer))])
        };
        let end = match self.settings.rules.game {
            game if game.deals > 0 => fill(texts.of_deals, &[("n", &game.deals)]),
            game => fill(texts.of_points, &[("n", &game.target)]),
        };
        let values: [(&str, &dyn Display); 5] = [
            ("n", &(self.played.deals + 1)),
            ("match", &(place.number + 1)),
            ("pair", &pair(texts, own, place.score)),
            ("end", &end),
            ("deals", &deals),
        ];
        let mut text = format!("\n{}\n", fill(texts.deal_head, &values));
        if let Some(turned) = game.state().deal().turned() {
            let card = picture.language.card(turned);
            let _ = writeln!(text, "{}", fill(texts.turned_up, &[("card", &card)]));
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
        let texts = self.settings.picture().texts();
        let total = pair(texts, self.settings.seat.team(), *total);
        let _ = writeln!(text, "{}", fill(texts.match_score, &[("pair", &total)]));
        text += &costs(self.settings, self.solvers, record.trim_ascii_end());
        self.desk.say(&text)
    }

    fn tell_winner(&mut self, winner: Team) -> Result<()> {
        self.played.matches[winner] += 1;
        let texts = self.settings.picture().texts();
        let line = if winner == self.settings.seat.team() { texts.you_win } else { texts.they_win };
        self.desk.say(&format!("\n{line}\n"))
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
