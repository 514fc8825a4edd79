//! Many legs in flight: tables with programs, and with bots that decide for many deals at once.
//!
//! Each leg is played until it needs one of them; then its question is sent to the process of that seat, or queued for
//! the next batch of its bot, and the leg waits while others continue. The result of a leg depends only on its answers,
//! and results are handed out in request order, so nothing depends on how many legs are in flight, on how questions are
//! batched, or on which process answers first.
//!
//! With a program that takes one question at a time only one leg is in flight, so that each thread has one process
//! thinking at a time, as with built-in bots.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use coinche_bots::BotSpec;
use coinche_engine::encoding::ActionSpace;
use coinche_engine::record::{Fault, FaultKind};
use coinche_engine::{DealState, RuleSet, Seat};
use coinche_selfplay::play::lineup::Lineup;
use coinche_selfplay::play::played::{Ending, LegResult, Scribe};
use coinche_selfplay::play::schedule::{Schedule, Side};
use coinche_selfplay::play::times::Gathered;

use super::link::{Event, Link, listen, settle};
use super::log::StderrLog;
use super::lost::{Halted, Lost, ProgramLost};
use super::process::Ready;
use super::start::start_message;
use crate::batched::{Acted, Batched};
use crate::failures::Failures;
use crate::finished::PlayedLeg;
use crate::leg::{Asker, Route, Routes, Slot, Step};
use crate::question::{Over, Writer};

/// The most legs in flight.
const MOST_LEGS: usize = 1024;
/// The grace period for programs to exit after `quit`.
const QUIT: Duration = Duration::from_secs(1);
/// The grace period for legs in flight when the run is to stop.
const GRACE: Duration = Duration::from_secs(1);

/// Tables with programs.
#[derive(Debug)]
pub(crate) struct Flights {
    rules: RuleSet,
    schedule: Schedule,
    lineup: Lineup,
    space: ActionSpace,
    links: Vec<Link>,
    /// By link: the failures of the process since its last answer.
    failures: Vec<Failures>,
    batched: Vec<Batched>,
    acted: Vec<Acted>,
    /// Whether a program that fails for good forfeits its deals.
    forfeits: bool,
    lost: Option<Box<ProgramLost>>,
    routes: Routes,
    writer: Writer,
    slots: Vec<Slot>,
    /// Finished legs that are not yet handed out, by pair and leg.
    played: BTreeMap<(u64, u32), PlayedLeg>,
    events: Vec<Event>,
    questions: u64,
    /// The clocks of built-in bots by side, and whether all legs are timed.
    clocks: Option<([Gathered; 2], bool)>,
    /// The grace period for programs to exit.
    patience: Duration,
    /// Recorded only for `arena check-bot`.
    incidents: Option<Vec<Incident>>,
}

impl Flights {
    /// Creates the tables; the processes start with the first deal.
    pub(crate) fn new(rules: &RuleSet, schedule: Schedule, lineup: &Lineup, log: &StderrLog) -> Self {
        let mut this = Self {
            rules: *rules,
            schedule,
            lineup: lineup.clone(),
            space: ActionSpace::new(rules),
            links: Vec::new(),
            failures: Vec::new(),
            batched: Vec::new(),
            acted: Vec::new(),
            forfeits: false,
            lost: None,
            routes: Routes::default(),
            writer: Writer::new(),
            slots: Vec::new(),
            played: BTreeMap::new(),
            events: Vec::new(),
            questions: 0,
            clocks: None,
            patience: QUIT,
            incidents: None,
        };
        for side in Side::ALL {
            for part in [0, 1] {
                for seat in Seat::ALL {
                    let spec = lineup.bot(side, seat);
                    let Some(bot) = [spec.bidder_batch(), spec.player_batch()][part] else { continue };
                    // All questions to one bot go into the same batches.
                    let known = this.batched.iter().position(|batched| batched.bot == *bot);
                    let at = known.unwrap_or_else(|| {
                        this.batched.push(Batched::new(bot.clone(), spec.name()));
                        this.batched.len() - 1
                    });
                    this.routes[side.index()][seat.index()][part] = Some(Route::Batch(at));
                }
                // One process of a bot for all seats, if it wants that.
                let mut shared: Option<(&BotSpec, usize)> = None;
                for seat in Seat::ALL {
                    let spec = lineup.bot(side, seat);
                    let program = [spec.bidder_program(), spec.player_program()][part];
                    let Some(program) = program else { continue };
                    let routes = &mut this.routes[side.index()][seat.index()];
                    if part == 1 && spec.is_one_program() {
                        routes[1] = routes[0];
                        continue;
                    }
                    let link = shared.filter(|(other, _)| !program.by_seat && *other == spec);
                    let link = link.map_or_else(
                        || {
                            let mark = if program.by_seat { format!("seat {seat}: ") } else { String::new() };
                            let start = start_message(rules, program);
                            this.links.push(Link::new(program, start, spec.name(), mark, log.clone()));
                            this.links.len() - 1
                        },
                        |(_, link)| link,
                    );
                    shared = Some((spec, link));
                    routes[part] = Some(Route::Program(link));
                }
            }
        }
        this.failures = vec![Failures::default(); this.links.len()];
        this
    }

    /// Makes programs that fail for good forfeit their deals.
    pub(crate) fn forfeit(&mut self) {
        self.forfeits = true;
        self.links.iter_mut().for_each(Link::forfeit);
    }

    /// Times the decisions of built-in bots, by side: in all legs, or in one of those in flight.
    pub(crate) fn time(&mut self, clocks: [Gathered; 2], of_all: bool) {
        self.clocks = Some((clocks, of_all));
    }

    /// Plays some pairs, and keeps their results for [`Flights::play_pair`]. Once `is_over` returns `true`, the legs in
    /// flight have a grace period to end.
    pub(crate) fn play_ahead(&mut self, pairs: Range<u64>, is_over: &dyn Fn() -> bool) -> Result<(), Halted> {
        if let Some(lost) = &self.lost {
            return Err(Halted::Lost(lost.clone()));
        }
        let played = self.fly(pairs, is_over);
        if let Err(halted) = &played {
            if let Halted::Lost(lost) = halted {
                self.lost = Some(lost.clone());
            }
            self.played.clear();
        }
        played
    }

    fn fly(&mut self, pairs: Range<u64>, is_over: &dyn Fn() -> bool) -> Result<(), Halted> {
        let mut until = None;
        let mut is_over =
            || is_over() && Instant::now() >= *until.get_or_insert_with(|| Instant::now() + GRACE);
        if !settle(&mut self.links, &mut is_over) {
            return Err(Halted::Asked);
        }
        self.check_links(pairs.start)?;
        let in_batches = self.links.iter().all(|link| link.batch() > 1 || link.given_up().is_some());
        let most = if in_batches { MOST_LEGS } else { 1 };
        let start = pairs.start;
        let mut legs = pairs.flat_map(|index| self.schedule.pair(index)).collect::<Vec<_>>().into_iter();
        // The first slot is taken first: it has the clocks.
        let mut free: Vec<usize> = (0..self.slots.len()).rev().collect();
        let mut to_step: Vec<usize> = Vec::new();
        let mut in_flight = 0;
        loop {
            while in_flight < most
                && let Some(leg) = legs.next()
            {
                let slot = free.pop().unwrap_or_else(|| {
                    let at = self.slots.len();
                    let clocks = self.clocks.as_ref().filter(|(_, of_all)| *of_all || at == 0);
                    let clocks = clocks.map(|(clocks, _)| clocks.clone());
                    self.slots.push(Slot::new(&self.rules, &self.lineup, self.schedule, &leg, clocks));
                    at
                });
                self.slots[slot].begin(leg);
                to_step.push(slot);
                in_flight += 1;
            }
            for slot in core::mem::take(&mut to_step) {
                if self.step(slot) {
                    let leg = self.slots[slot].finish();
                    self.played.insert((leg.leg.index, leg.leg.leg), leg);
                    free.push(slot);
                    in_flight -= 1;
                }
            }
            if in_flight == 0 && legs.len() == 0 {
                return Ok(());
            }
            if in_flight == most || legs.len() == 0 {
                self.exchange(&mut to_step)?;
                self.check_links(start)?;
                if is_over() {
                    return Err(Halted::Asked);
                }
            }
        }
    }

    /// Checks that no program was given up; `start` is the first pair in flight.
    fn check_links(&self, start: u64) -> Result<(), Halted> {
        let lost = self.links.iter().find_map(|link| Some((link, link.given_up()?)));
        let Some((link, failure)) = lost.filter(|_| !self.forfeits) else { return Ok(()) };
        let how = if link.was_up() { Lost::Restart } else { Lost::Start };
        let deal = link.untold_of().map_or(start, |slot| self.slots[slot].leg().index);
        Err(self.halt(how, link, deal, failure))
    }

    fn halt(&self, how: Lost, link: &Link, deal: u64, fault: &str) -> Halted {
        let unit = self.schedule.unit;
        let stderr = link.stderr_tail("    ");
        Halted::Lost(Box::new(ProgramLost::new(how, link.bot(), unit, deal, fault, stderr)))
    }

    /// Plays both legs of a deal or match, unless they were played ahead.
    pub(crate) fn play_pair(
        &mut self,
        index: u64,
        scribe: &mut impl Scribe,
    ) -> Result<[LegResult; 2], Box<ProgramLost>> {
        if !self.played.contains_key(&(index, 0)) {
            match self.play_ahead(index..index + 1, &|| false) {
                Err(Halted::Lost(lost)) => return Err(lost),
                // Cannot happen: nothing asks to stop here.
                Ok(()) | Err(Halted::Asked) => {}
            }
        }
        Ok([0, 1].map(|leg| {
            let leg = self.played.remove(&(index, leg)).expect("both legs of a pair are played together");
            for deal in &leg.deals {
                scribe.deal(&deal.played(&leg.leg));
            }
            leg.result
        }))
    }

    /// Tests if a program failed at its last questions, and might fail for good.
    pub(crate) fn is_in_doubt(&self) -> bool {
        let mut failures = self.failures.iter().chain(self.batched.iter().map(|it| &it.failures));
        !self.forfeits && failures.any(Failures::is_any)
    }

    /// Plays a leg until its question is sent; returns whether it is over.
    fn step(&mut self, index: usize) -> bool {
        let slot = &mut self.slots[index];
        loop {
            let mut asker = Asker {
                routes: &self.routes,
                links: &self.links,
                writer: &self.writer,
                slot: index,
                questions: &mut self.questions,
            };
            match slot.step(&mut asker) {
                Step::Ask(link, ask) => {
                    self.links[link].ask(ask);
                    return false;
                }
                Step::Batch(bot) => {
                    self.batched[bot].ask(index);
                    return false;
                }
                Step::DealOver => {
                    tell_over(slot, &self.routes, &mut self.links, &self.writer);
                    if slot.next_deal() {
                        return true;
                    }
                }
            }
        }
    }

    /// Waits for the programs, and passes their answers to the legs.
    fn exchange(&mut self, to_step: &mut Vec<usize>) -> Result<(), Halted> {
        let now = Instant::now();
        // Sends everything before waiting.
        for link in &mut self.links {
            link.pump(now, Ready::default(), &mut self.events);
        }
        for batched in &mut self.batched {
            batched.answer(&self.space, &self.slots, self.forfeits, &mut self.acted);
        }
        if self.events.is_empty() && self.acted.is_empty() {
            listen(&mut self.links, &mut self.events);
        }
        self.take_actions(to_step)?;
        let mut silent = None;
        for event in self.events.drain(..) {
            let from = match &event {
                Event::Answer { from, .. } | Event::Fault { from, .. } => *from,
            };
            let slot = &mut self.slots[from];
            let Route::Program(link) = slot.asked_of() else { continue };
            let failures = &mut self.failures[link];
            match &event {
                Event::Answer { .. } => failures.forget(),
                Event::Fault { detail, .. } => {
                    failures.add(slot.deal());
                    if failures.are_final() && !self.forfeits && silent.is_none() {
                        silent = Some((link, slot.leg().index, detail.clone()));
                    }
                }
            }
            slot.hear(event);
            if let Some(incidents) = self.incidents.as_mut().filter(|kept| kept.len() < MOST_INCIDENTS)
                && let Some((link, fault)) = slot.new_fault()
                && let Some(seen) = self.links[link].seen()
            {
                let goes_on = fault.kind == FaultKind::Illegal;
                let stderr = if goes_on { String::new() } else { self.links[link].stderr_tail("      ") };
                incidents.push(Incident { fault: fault.clone(), asked: seen.asked, said: seen.said, stderr });
            }
            to_step.push(from);
        }
        match silent {
            Some((link, deal, fault)) => Err(self.halt(Lost::Answers, &self.links[link], deal, &fault)),
            None => Ok(()),
        }
    }

    /// Passes the actions of batch bots to the legs.
    fn take_actions(&mut self, to_step: &mut Vec<usize>) -> Result<(), Halted> {
        for (from, answer) in self.acted.drain(..) {
            let slot = &mut self.slots[from];
            let Route::Batch(bot) = slot.asked_of() else { continue };
            let batched = &mut self.batched[bot];
            match answer {
                Ok(action) => {
                    batched.failures.forget();
                    slot.act(&self.space, action);
                }
                Err(detail) => {
                    batched.failures.add(slot.deal());
                    if batched.failures.are_final() && !self.forfeits {
                        let (unit, deal) = (self.schedule.unit, slot.leg().index);
                        let lost =
                            ProgramLost::new(Lost::Batch, &batched.name, unit, deal, &detail, String::new());
                        return Err(Halted::Lost(Box::new(lost)));
                    }
                    slot.hear(Event::Fault { from, kind: FaultKind::Crash, detail });
                }
            }
            to_step.push(from);
        }
        Ok(())
    }

    /// Returns the number of questions asked.
    pub(super) const fn questions(&self) -> u64 {
        self.questions
    }

    /// Records the lines around each fault; exact when one question is asked at a time.
    pub(super) fn watch_closely(&mut self) {
        self.links.iter_mut().for_each(Link::watch_closely);
        self.incidents = Some(Vec::new());
    }

    /// Disables waiting for the programs to exit.
    pub(super) const fn be_impatient(&mut self) {
        self.patience = Duration::ZERO;
    }

    /// Returns the recorded incidents.
    pub(super) fn incidents(&mut self) -> Vec<Incident> {
        self.incidents.take().unwrap_or_default()
    }
}

/// A fault of a program, with the lines around it.
#[derive(Debug, Clone)]
pub(super) struct Incident {
    pub(super) fault: Fault,
    /// The last line sent.
    pub(super) asked: String,
    /// The last line received.
    pub(super) said: String,
    /// The last lines of its stderr, unless it continued.
    pub(super) stderr: String,
}

/// The most incidents recorded.
const MOST_INCIDENTS: usize = 100;

impl Drop for Flights {
    /// Asks the programs to quit, and kills those that do not.
    fn drop(&mut self) {
        for link in &mut self.links {
            link.quit();
        }
        let until = Instant::now() + self.patience;
        while !self.links.iter_mut().all(Link::has_quit) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Sends the programs at a table the result of the deal.
fn tell_over(slot: &Slot, routes: &Routes, links: &mut [Link], writer: &Writer) {
    let Some((deal, last)) = slot.last_deal() else { return };
    for seat in Seat::ALL {
        let [bidder, player] = routes[slot.leg().sides[seat].index()][seat.index()];
        for route in [bidder, player.filter(|_| player != bidder)].into_iter().flatten() {
            let Route::Program(link) = route else { continue };
            if let Some(out) = links[link].telling_over() {
                let state: &DealState = last.state;
                let over = Over {
                    deal,
                    state,
                    view: state.view(seat),
                    score: last.score.0,
                    forfeited: matches!(last.ending, Ending::Forfeit(_)),
                };
                writer.over(out, &over);
                out.push(b'\n');
            }
        }
    }
}
