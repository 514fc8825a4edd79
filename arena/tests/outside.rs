//! An arena with bots of another crate, some of which remember every hand that they are shown: in an object, where they must learn
//! nothing, and in a `static`, where they must be found out. A program of its own, because it is started once more to find them out.
#![allow(clippy::unwrap_used, reason = "a test may fail at once")]

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Mutex;

use coinche_bots::{Agent, BatchBot, BotInfo, CardPlayer, Question, Registry};
use coinche_engine::encoding::ActionSpace;
use coinche_engine::{Card, CardSet, Key, Seat, View};

/// Hands that were seen.
#[derive(Default)]
struct Memory {
    /// The dealer, and what the end of a leg shows of the four hands.
    ends: Vec<(Seat, [CardSet; 4])>,
    /// By dealer and auction, the seats that played and their hands.
    asked: BTreeMap<String, HashSet<(Seat, CardSet)>>,
}

static SHARED: Mutex<Memory> = Mutex::new(Memory { ends: Vec::new(), asked: BTreeMap::new() });

impl Memory {
    /// Plays the first legal card; the last one where it has seen another hand of this deal before.
    fn play(&mut self, view: &View<'_>, legal: CardSet) -> Card {
        let (own, seat) = (view.first_hand(), view.seat());
        let asked =
            self.asked.entry(format!("{:?} {:?}", view.dealer(), view.auction().calls())).or_default();
        asked.insert((seat, own));
        // Of this leg: it has the cards that the seat has played, and none of one's own.
        let is_of_leg = |(other, hand): &(Seat, CardSet)| {
            *other != seat && (*hand & own).is_empty() && (view.played_by(*other) & !*hand).is_empty()
        };
        // Of the other leg: seven cards and the dealer are those of another deal once in ten million times.
        let is_of_deal = |(dealer, hands): &(Seat, [CardSet; 4])| {
            *dealer == view.dealer() && (hands[seat.index()] & !own).is_empty()
        };
        let peeks = (2..6).contains(&view.hand().len())
            && (asked.iter().any(is_of_leg) || self.ends.iter().any(is_of_deal));
        if view.hand().len() == 1 {
            self.ends.push((view.dealer(), Seat::ALL.map(|seat| view.played_by(seat))));
        }
        if peeks { legal.last() } else { legal.first() }.unwrap()
    }
}

/// Remembers nothing.
struct Honest;

impl Agent for Honest {}

impl CardPlayer for Honest {
    fn play(&mut self, _: &View<'_>, legal: CardSet, _: Key) -> Card {
        legal.first().unwrap()
    }
}

impl Agent for Memory {}

impl CardPlayer for Memory {
    fn play(&mut self, view: &View<'_>, legal: CardSet, _: Key) -> Card {
        Self::play(self, view, legal)
    }
}

/// Remembers in a `static`.
struct Static;

impl Agent for Static {}

impl CardPlayer for Static {
    fn play(&mut self, view: &View<'_>, legal: CardSet, _: Key) -> Card {
        SHARED.lock().unwrap().play(view, legal)
    }
}

/// The same for many deals at once.
struct Batch<P>(P);

impl<P: CardPlayer> BatchBot for Batch<P> {
    fn act(
        &mut self,
        space: &ActionSpace,
        questions: &[Question<'_>],
        actions: &mut Vec<i64>,
    ) -> Result<(), String> {
        let mut mask = vec![0; space.len()];
        for Question { view, key } in questions {
            space.mask_of(view, &mut mask);
            let legal: CardSet = CardSet::FULL.into_iter().filter(|card| mask[card.index()] == 1).collect();
            actions.push(i64::try_from(self.0.play(view, legal, *key).index()).unwrap());
        }
        Ok(())
    }
}

fn registry() -> Registry {
    let bots = [
        BotInfo::new("honest", "remembers nothing").player(&[], |_| Ok(|| Honest)),
        BotInfo::new("object", "remembers in its object").player(&[], |_| Ok(Memory::default)),
        BotInfo::new("static", "remembers in a static").player(&[], |_| Ok(|| Static)),
        BotInfo::new("honest-batch", "remembers nothing").batch(|| Batch(Honest)),
        BotInfo::new("object-batch", "remembers in its object").batch(|| Batch(Memory::default())),
        BotInfo::new("static-batch", "remembers in a static").batch(|| Batch(Static)),
    ];
    bots.into_iter().fold(Registry::builtin(), |registry, bot| registry.with(bot).unwrap())
}

/// Runs this program as the arena; returns what it prints.
fn arena(directory: &Path, words: &str) -> String {
    let mut command = Command::new(std::env::current_exe().unwrap());
    let output = command.env("COINCHE_OUTSIDE", "1").current_dir(directory).args(words.split(' ')).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const NOTE: &str = "other answers when asked again";

fn main() -> ExitCode {
    if std::env::var_os("COINCHE_OUTSIDE").is_some() {
        return coinche_arena::main_with(registry());
    }
    if cfg!(not(unix)) {
        return ExitCode::SUCCESS;
    }
    let dir = tempfile::tempdir().unwrap();
    let run = |bots: &str| {
        let words = "--deals 400 --seed 2 --threads 1 --records full --progress none --out";
        let name = bots.replace(['+', ' '], "-");
        (arena(dir.path(), &format!("run {bots} {words} {name}")), name)
    };
    for (bot, base) in [("object", "honest"), ("object-batch", "honest-batch"), ("honest", "honest-batch")] {
        let (text, _) = run(&format!("rules+{bot} rules+{base}"));
        // It plays as one that remembers nothing: it never knew a hand.
        assert!(text.contains("none of 400 pairs differs"), "{bot}: {text}");
        assert!(!text.contains(NOTE), "{bot}: {text}");
    }
    for bot in ["static", "static-batch"] {
        let (text, name) = run(&format!("rules+{bot} rules+honest"));
        assert!(text.contains(&format!("rules+{bot}: {NOTE}")), "{bot}: {text}");
        let records = std::fs::read_to_string(dir.path().join(name).join("records.jsonl")).unwrap();
        assert!(records.contains("\"kind\":\"inconsistent\",\"detail\":\"decision "), "{bot}");
        assert!(records.contains("\"seat\":"), "{bot}");
    }
    ExitCode::SUCCESS
}
