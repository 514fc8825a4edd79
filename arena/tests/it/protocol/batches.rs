//! Bots that decide for many deals at once: they play what they would play one deal at a time, and what they do wrong is
//! theirs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use coinche_arena::{Format, RunConfig, RunFile, Unit, play_run};
use coinche_bots::{BatchBot, BotInfo, MakeBatchBot, Question, Registry};
use coinche_engine::encoding::ActionSpace;
use coinche_engine::record::{Fault, FaultKind};
use coinche_engine::rules::Announce;
use coinche_engine::{CardSet, RuleSet, Seat};
use coinche_protocol::{MixedTable, StderrLog};
use coinche_selfplay::play::table::Table;
use coinche_selfplay::{JsonLines, PlayedDeal, Schedule, Scribe};

/// What `random` is, by masks; and what it is made to do wrong.
#[derive(Default)]
struct Masked {
    /// Fails at every question whose key is divisible by this.
    fails_at: Option<u64>,
    /// Answers a number that is no action where the key is divisible by this.
    illegal_at: Option<u64>,
    fails_always: bool,
    /// Chooses by how many it is asked at a time.
    counts: bool,
    /// Fails at every question of a seat with all of such a hand.
    fails_with: Vec<CardSet>,
    largest: AtomicUsize,
    /// Of each object: the seat and key of each question.
    shown: Mutex<BTreeMap<usize, Vec<(Seat, u64)>>>,
    objects: AtomicUsize,
}

/// The object of a seat, by its number.
struct Object(Arc<Masked>, usize);

impl BatchBot for Object {
    fn act(
        &mut self,
        space: &ActionSpace,
        questions: &[Question<'_>],
        actions: &mut Vec<i64>,
    ) -> Result<(), String> {
        let Self(this, number) = self;
        this.largest.fetch_max(questions.len(), Ordering::Relaxed);
        let mut mask = vec![0; space.len()];
        for Question { view, key } in questions {
            let is_at = |every: Option<u64>| every.is_some_and(|every| key.bits() % every == 0);
            this.shown.lock().unwrap().entry(*number).or_default().push((view.seat(), key.bits()));
            if this.fails_always || is_at(this.fails_at) || this.fails_with.contains(&view.hand()) {
                return Err("out of order".to_owned());
            }
            space.mask_of(view, &mut mask);
            // Silent cards are no choice of `random`.
            mask[ActionSpace::SILENT..40].fill(0);
            let legal: Vec<usize> = (0..mask.len()).filter(|n| mask[*n] == 1).collect();
            let is_call = legal[0] >= 40;
            let action = if is_at(this.illegal_at) {
                9_999
            } else if this.counts && !is_call {
                legal[questions.len() % legal.len()]
            } else if is_call && key.happens(0.75) {
                40
            } else {
                legal[key.below(legal.len())]
            };
            actions.push(i64::try_from(action).unwrap());
        }
        Ok(())
    }
}

struct Maker(Arc<Masked>);

impl MakeBatchBot for Maker {
    fn make(&self) -> Box<dyn BatchBot> {
        Box::new(Object(Arc::clone(&self.0), self.0.objects.fetch_add(1, Ordering::Relaxed)))
    }

    fn batch(&self) -> usize {
        64
    }
}

fn registry(bot: &Arc<Masked>) -> Registry {
    let mine = BotInfo::new("python:mine", "random by masks").batch(Maker(Arc::clone(bot)));
    Registry::builtin().with(mine).unwrap()
}

struct Records {
    form: JsonLines,
    lines: Vec<u8>,
    faults: Vec<Fault>,
}

impl Scribe for Records {
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.form.push(&mut self.lines, deal);
        self.faults.extend_from_slice(deal.faults);
    }
}

fn play(rules: &RuleSet, unit: Unit, pairs: u64, registry: &Registry, bots: [&str; 2]) -> Records {
    let bots = bots.map(|bot| registry.parse(bot).unwrap());
    let schedule = Schedule { secrets: 11.into(), unit, pairs };
    let mut table = MixedTable::new(rules, schedule, bots, &StderrLog::none());
    let mut records =
        Records { form: JsonLines::new(rules, ["a", "b"], None), lines: vec![], faults: vec![] };
    table.play_pairs(0..pairs / 3, &mut records).unwrap();
    table.play_pairs(pairs / 3..pairs, &mut records).unwrap();
    records
}

#[test]
fn it_plays_what_the_same_bot_plays_alone() {
    let bot = Arc::new(Masked::default());
    let registry = registry(&bot);
    let silent = RuleSet::COINCHE_MELDS.with(|options| options.melds.announce = Announce::Voluntary);
    let belote = RuleSet::COINCHE.with(|options| options.belote.announce = Announce::Voluntary);
    let more = [("voluntary melds", silent.unwrap()), ("voluntary belote", belote.unwrap())];
    for (name, rules) in RuleSet::PRESETS.into_iter().chain(more) {
        for (mine, built_in) in [
            (["python:mine", "rules"], ["random", "rules"]),
            (["rules+python:mine", "python:mine+rules"], ["rules+random", "random+rules"]),
            (["python:mine", "python:mine"], ["random", "random"]),
        ] {
            let [mine, built_in] = [mine, built_in].map(|bots| play(&rules, Unit::Deal, 40, &registry, bots));
            assert!(mine.faults.is_empty(), "{name}: {:?}", mine.faults);
            assert!(mine.lines == built_in.lines, "{name}");
        }
    }
    assert!(bot.largest.load(Ordering::Relaxed) > 20, "it was asked one at a time");
    let rules = RuleSet::CONTREE;
    let [mine, built_in] =
        ["python:mine", "random"].map(|it| play(&rules, Unit::Match, 5, &registry, [it, "rules"]));
    assert!(mine.lines == built_in.lines);
}

#[test]
fn what_it_does_wrong_falls_on_the_deal_that_it_was_asked_about() {
    let bot = Arc::new(Masked { illegal_at: Some(97), fails_at: Some(409), ..Masked::default() });
    let registry = registry(&bot);
    let together = play(&RuleSet::BGA, Unit::Deal, 120, &registry, ["python:mine", "rules"]);
    let of_kind = |kind| together.faults.iter().filter(|fault| fault.kind == kind).count();
    assert!(of_kind(FaultKind::Illegal) > 3 && of_kind(FaultKind::Crash) > 2, "{:?}", together.faults);
    let crash = together.faults.iter().find(|fault| fault.kind == FaultKind::Crash).unwrap();
    assert_eq!(crash.detail, "out of order");
    // One at a time, at a table without a batch: the same deals are forfeited, and the same calls and cards replaced.
    let schedule = Schedule { secrets: 11.into(), unit: Unit::Deal, pairs: 120 };
    let bots = ["python:mine", "rules"].map(|bot| registry.parse(bot).unwrap());
    let mut table = Table::new(&RuleSet::BGA, schedule, bots);
    let form = JsonLines::new(&RuleSet::BGA, ["a", "b"], None);
    let mut alone = Records { form, lines: vec![], faults: vec![] };
    for index in 0..120 {
        table.play_pair(index, &mut alone);
    }
    let kinds = |records: &Records| -> Vec<_> {
        records.faults.iter().map(|fault| (fault.seat, fault.kind)).collect()
    };
    assert_eq!(kinds(&together), kinds(&alone));
}

fn config(registry: &Registry, threads: usize, deals: u64) -> RunConfig {
    let file = RunFile {
        bots: Some(vec!["rules+python:mine".to_owned(), "random".to_owned()]),
        deals: Some(deals),
        seed: Some(5u64.into()),
        threads: Some(threads),
        ..RunFile::default()
    };
    let mut config = file.check(registry).unwrap();
    config.progress = coinche_arena::ProgressMode::None;
    config
}

#[test]
fn a_run_is_the_same_for_any_number_of_threads_and_after_a_stop() {
    let bot = Arc::new(Masked { illegal_at: Some(97), ..Masked::default() });
    let registry = registry(&bot);
    let root = tempfile::tempdir().unwrap();
    let run = |name: &str, threads: usize, stop_after: u64| {
        let stop = AtomicBool::new(false);
        let mut config = config(&registry, threads, 300);
        config.out = Some(root.path().join(name));
        let mut differences = Vec::new();
        let played = play_run(config, &registry, true, &stop, &mut |totals, batch| {
            differences.extend(batch.into_iter().flat_map(|batch| batch.doubled().map(|pair| pair[0])));
            stop.fetch_or(totals.pairs() >= stop_after, Ordering::Relaxed);
        });
        (played.unwrap(), differences)
    };
    let (one, differences) = run("one", 1, u64::MAX);
    assert_eq!((differences.len(), one.totals.pairs()), (300, 300));
    run("two", 2, 100);
    let (two, rest) = run("two", 3, u64::MAX);
    assert_eq!(two.totals.pairs(), 300);
    assert_eq!(differences[300 - rest.len()..], rest);
    for file in ["summary.csv", "part.json"] {
        let read = |run: &str| std::fs::read_to_string(root.path().join(run).join(file)).unwrap();
        assert!(read("one") == read("two"), "{file}");
    }
    // The same in memory.
    let memory =
        play_run(config(&registry, 2, 300), &registry, false, &AtomicBool::new(false), &mut |_, _| {});
    let memory = memory.unwrap();
    assert_eq!(memory.verdict(), one.verdict());
    assert!(memory.path.is_none() && memory.headline().contains("python:mine"));
    assert_eq!(memory.figures.figures.unwrap().points, one.figures.figures.unwrap().points);
    // The command line knows the bot by name, and says where it can play.
    crate::common::run(root.path(), "verify one").success();
    let refused = crate::common::run(root.path(), "run --config one/config.toml --out again");
    crate::common::fails(refused, 2, &["bot `rules+python:mine`", "coinche.run"]);
}

#[test]
fn failures_count_once_for_both_legs_of_a_deal() {
    let rules = RuleSet::BGA;
    let schedule = Schedule { secrets: 11.into(), unit: Unit::Deal, pairs: 40 };
    let play = |deals: &[u64]| {
        // The first question of a leg, in which the deal is forfeited, is asked of a seat that has its whole hand.
        let hands = |deal| Seat::ALL.map(|seat| schedule.deal(&rules.deal, deal).hands()[seat]);
        let fails_with = deals.iter().flat_map(|deal| hands(*deal)).collect();
        let registry = registry(&Arc::new(Masked { fails_with, ..Masked::default() }));
        let bots = ["python:mine", "rules"].map(|bot| registry.parse(bot).unwrap());
        let mut table = MixedTable::new(&rules, schedule, bots, &StderrLog::none());
        let form = JsonLines::new(&rules, ["a", "b"], None);
        let mut records = Records { form, lines: vec![], faults: vec![] };
        table.play_pairs(0..40, &mut records).map(|()| records.faults.len())
    };
    assert_eq!(play(&[4]).unwrap(), 2);
    // Two deals in a row of those in which the same seat is asked first.
    assert_eq!(play(&[4, 5]).unwrap(), 4);
    // With answers between, as often as one likes.
    assert_eq!(play(&[4, 5, 10, 11, 20, 21]).unwrap(), 12);
    let lost = play(&[4, 5, 8]).unwrap_err();
    assert_eq!(lost.deal, 8);
    assert!(
        lost.to_string().contains("python:mine failed in 3 deals in a row (deal 8): out of order"),
        "{lost}"
    );
}

#[test]
fn a_bot_that_always_fails_stops_the_run_or_forfeits() {
    let bot = Arc::new(Masked { fails_always: true, ..Masked::default() });
    let registry = registry(&bot);
    let never = AtomicBool::new(false);
    let error = play_run(config(&registry, 2, 300), &registry, false, &never, &mut |_, _| {}).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("python:mine failed in 3 deals in a row (deal "), "{error}");
    assert!(error.contains("out of order") && error.contains("forfeit"), "{error}");
    let mut forfeits = config(&registry, 2, 40);
    forfeits.forfeit = true;
    let played = play_run(forfeits, &registry, false, &never, &mut |_, _| {}).unwrap();
    assert!(played.figures.figures.unwrap().forfeited > 70);
}

#[test]
fn an_object_is_shown_one_seat_of_one_leg() {
    let bot = Arc::new(Masked::default());
    let registry = registry(&bot);
    let never = AtomicBool::new(false);
    let teams = ["python:mine", "rules+python:mine", "python:mine&rules", "python:mine"];
    for (format, bots) in [(Format::RoundRobin, &teams[..]), (Format::Crossplay, &teams[..2])] {
        let file = RunFile {
            bots: Some(bots.iter().map(ToString::to_string).collect()),
            against: (format == Format::Crossplay).then(|| "python:mine".to_owned()),
            format: Some(format),
            ..RunFile::default()
        };
        let config = RunFile { deals: Some(60), seed: Some(5u64.into()), threads: Some(2), ..file };
        let mut config = config.check(&registry).unwrap();
        config.progress = coinche_arena::ProgressMode::None;
        let schedule = config.schedule();
        play_run(config, &registry, false, &never, &mut |_, _| {}).unwrap();
        let shown = core::mem::take(&mut *bot.shown.lock().unwrap());
        assert!(shown.len() >= 24, "{}", shown.len());
        let deals: Vec<_> = (0..60).map(|deal| schedule.keys(deal)).collect();
        for shown in shown.into_values() {
            // Other legs of a deal, here and in other pairings, ask with the same keys.
            let keys: BTreeSet<_> = shown.iter().map(|(_, key)| *key).collect();
            assert_eq!(keys.len(), shown.len(), "one object was asked about two legs");
            for deal in &deals {
                let is_shown = |seat: &Seat| (0..40).any(|n| keys.contains(&deal[*seat].and(n).bits()));
                assert!(Seat::ALL.iter().filter(|seat| is_shown(seat)).count() <= 1, "and about two seats");
            }
        }
    }
}

#[test]
fn answers_that_depend_on_the_batch_are_found() {
    let bot = Arc::new(Masked { counts: true, ..Masked::default() });
    let played = play(&RuleSet::BGA, Unit::Deal, 900, &registry(&bot), ["rules+python:mine", "rules"]);
    assert!(!played.faults.is_empty());
    for fault in &played.faults {
        assert_eq!(fault.kind, FaultKind::Inconsistent);
        let says = [
            "decision ",
            " of the seat: it answered ",
            "asked alone answered ",
            "depend on more than the question",
        ];
        assert!(says.iter().all(|says| fault.detail.contains(says)), "{}", fault.detail);
    }
}
