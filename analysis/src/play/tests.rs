//! Tests that a person who types the first legal thing can play whole deals under all rules, and that the
//! records are correct.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use coinche_bots::Registry;
use coinche_engine::record::{Record, replay};
use coinche_engine::{RuleSet, Seat};
use coinche_selfplay::{Exit, Solvers};

use super::{Desk, Line, Settings, play};
use crate::advise::Models;
use crate::texts::{fill, texts};
use crate::typed::Language;

fn settings(rules: RuleSet, seat: Seat, deals: u64, out: Option<PathBuf>) -> Settings {
    let bot = |name: &str| Registry::builtin().parse(name).unwrap();
    Settings {
        rules,
        seat,
        partner: bot("rules"),
        others: bot("random:pass=0.8+rules"),
        models: Models::new(bot("rules"), bot("rules")),
        seed: 7.into(),
        deals: Some(deals),
        out,
        time: Duration::from_millis(20),
        language: if seat.index().is_multiple_of(2) { Language::English } else { Language::French },
    }
}

/// The printed text, readable by the person.
#[derive(Default)]
struct Screen(RefCell<String>);

impl Write for &Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().push_str(std::str::from_utf8(bytes).unwrap());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Simulates a person who types something illegal to see what is legal, and then takes the first of it.
fn person(language: Language, screen: &Screen) -> Line {
    let texts = texts(language);
    let text = screen.0.borrow();
    let question = text.lines().next_back().unwrap();
    let legal = text.lines().rev().find_map(|line| line.strip_prefix(texts.legal)).unwrap_or_default();
    let prompts = |prompt: &str| question.starts_with(prompt.split_once('{').map_or(prompt, |it| it.0));
    let answer = if prompts(texts.ask_belote) {
        "oui"
    } else if prompts(texts.ask_melds) {
        "1"
    } else if prompts(texts.your_call) {
        if text.matches(texts.your_call).count() % 5 == 1 { "90 pique" } else { "passe" }
    } else if text
        .lines()
        .rev()
        .nth(1)
        .is_some_and(|line| line.starts_with(['`', '«']) || line.starts_with(texts.legal))
        && legal != texts.any_card
    {
        legal.split(' ').next().unwrap()
    } else {
        "zz"
    };
    Line::Text(answer.to_owned())
}

/// Plays, and returns the printed text.
fn game(settings: &Settings, mut line: impl FnMut(&Screen) -> Line) -> (String, Exit) {
    let (screen, solvers) = (Screen::default(), Solvers::new(Some(1)).unwrap());
    let mut out = &screen;
    let mut read = || line(&screen);
    let exit = play(settings, &solvers, &mut Desk { read: &mut read, out: &mut out, echo: true }).unwrap();
    (screen.0.into_inner(), exit)
}

fn records(path: &Path) -> Vec<Record> {
    let text = std::fs::read_to_string(path.join("records.jsonl")).unwrap();
    text.lines().map(|line| Record::from_json(line).unwrap()).collect()
}

#[test]
fn a_person_plays_under_all_rules() {
    let dir = tempfile::tempdir().unwrap();
    let (mut played, mut costs) = (0, 0);
    for (n, (name, rules)) in RuleSet::PRESETS.into_iter().enumerate() {
        let (seat, out) = (Seat::from_index(n), dir.path().join(name));
        let settings_of = |deals, out| settings(rules, seat, deals, out);
        let language = settings_of(1, None).language;
        let texts = texts(language);
        let (text, exit) = game(&settings_of(3, Some(out.clone())), |screen| person(language, screen));
        assert_eq!(exit, Exit::Done);
        let last_trick = ["Trick 8: ", "Pli 8\u{a0}: "][usize::from(language == Language::French)];
        assert!(text.contains(last_trick), "{text}");
        let records = records(&out);
        assert_eq!(records.len(), 3, "{name}");
        for (n, record) in records.iter().enumerate() {
            assert_eq!(replay(record), [], "{name}");
            // A match continues, or has ended and is followed by another.
            let place = (record.game, record.deal_in_match);
            let before =
                n.checked_sub(1).map(|n| (records[n].game.unwrap(), records[n].deal_in_match.unwrap()));
            let next = before.map_or([(0, 0); 2], |(game, deal)| [(game, deal + 1), (game + 1, 0)]);
            assert!(next.map(|(game, deal)| (Some(game), Some(deal))).contains(&place), "{name}: {place:?}");
            let human = Seat::ALL.map(|seat| record.bots[seat] == "human");
            assert_eq!(human, Seat::ALL.map(|other| other == seat));
            assert_eq!(record.bots[seat.partner()], "rules");
            played += usize::from(record.contract.is_some());
        }
        costs += text.matches(texts.costs_head).count();
        // The printed score is the recorded one.
        let own = seat.team();
        let sums = [own, own.other()].map(|team| records.iter().map(|it| it.score[team]).sum::<i32>());
        let pair = fill(texts.pair, &[("own", &sums[0]), ("other", &sums[1])]);
        let played_all = fill(texts.deals_played, &[("n", &3), ("pair", &pair)]);
        assert!(text.contains(&played_all), "{text}");
        let is_one_match = records.iter().all(|record| record.game == Some(0));
        let total = fill(texts.match_score, &[("pair", &pair)]);
        assert!(!is_one_match || text.contains(&total), "{total}: {text}");
        // Left and right follow the rotation.
        let next = if name == "coinchee" { texts.right } else { texts.left };
        let picture = settings_of(1, None).picture();
        assert_eq!(
            (picture.who(seat), picture.who(seat.next()), picture.who(seat.partner())),
            (texts.you, next, texts.partner)
        );
    }
    assert!(played >= 12 && costs == played, "{played} {costs}");
}

#[test]
fn a_seed_plays_the_same_again() {
    let settings = settings(RuleSet::BGA, Seat::S2, 2, None);
    let play = || game(&settings, |screen| person(settings.language, screen));
    assert_eq!(play(), play());
}

#[test]
fn stopping_keeps_what_is_finished() {
    let dir = tempfile::tempdir().unwrap();
    for (end, exit) in [
        (Line::End, Exit::Done),
        (Line::Interrupted, Exit::Interrupted),
        (Line::Text("quit".to_owned()), Exit::Done),
    ] {
        let out = dir.path().join(format!("{end:?}").replace(|letter: char| !letter.is_alphanumeric(), ""));
        let settings = settings(RuleSet::BGA, Seat::S0, 9, Some(out.clone()));
        let (text, ended) = game(&settings, |screen| {
            let is_second = screen.0.borrow().contains("── Deal 2");
            if is_second { end.clone() } else { person(Language::English, screen) }
        });
        assert_eq!(ended, exit);
        assert!(text.contains("1 deal played"), "{text}");
        assert_eq!(records(&out).len(), 1);
        let solvers = Solvers::new(Some(1)).unwrap();
        let mut desk = Desk { read: &mut || Line::End, out: &mut Vec::new(), echo: false };
        let error = play(&settings, &solvers, &mut desk).unwrap_err().to_string();
        assert!(error.contains("records.jsonl") && error.contains("--out"), "{error}");
    }
}

#[test]
fn help_advice_and_the_table_are_there_when_asked_for() {
    let settings = settings(RuleSet::BGA, Seat::S0, 1, None);
    let mut asked = 0;
    let (text, _) = game(&settings, |screen| {
        let question = screen.0.borrow().lines().next_back().unwrap_or_default().to_owned();
        asked += usize::from(question.starts_with("Your card"));
        match asked {
            1 => Line::Text("?".to_owned()),
            2 => Line::Text("HELP".to_owned()),
            3 => Line::Text(String::new()),
            4 => Line::Text("VC".to_owned()),
            5 => Line::Text("quit".to_owned()),
            _ => person(Language::English, screen),
        }
    });
    assert!(text.contains("Play ") && text.contains("What the others hold"), "{text}");
    assert!(text.contains("RP (roi de pique)") && text.matches("Trick 1, ").count() == 2, "{text}");
    assert!(text.contains("`VC` can be read as JC (valet de trèfle) or JH (valet de cœur)"), "{text}");
    assert!(text.contains("Legal: ") && text.contains("0 deals played"), "{text}");
}

#[test]
fn a_person_plays_in_french() {
    let settings = settings(RuleSet::BGA, Seat::S1, 1, None);
    let mut asked = 0;
    let (text, _) = game(&settings, |screen| {
        let question = screen.0.borrow().lines().next_back().unwrap_or_default().to_owned();
        asked += usize::from(question.starts_with("Votre carte"));
        match asked {
            1 => Line::Text("?".to_owned()),
            2 => Line::Text("aide".to_owned()),
            3 => Line::Text("VC".to_owned()),
            _ => person(Language::French, screen),
        }
    });
    for part in [
        "Jouez ",
        "Ce que les autres ont en main",
        "Entrée",
        "«\u{a0}VC\u{a0}» peut être",
        "1 donne jouée",
        "La donne\u{a0}: ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // No sentence was left in English.
    for word in [" the ", "Your ", "Legal", "Play ", "points: "] {
        assert!(!text.contains(word), "{word}: {text}");
    }
}
