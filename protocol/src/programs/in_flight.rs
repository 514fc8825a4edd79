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
use coinche_engine::{RuleSet, Seat};
use coinche_selfplay::{Ending, Gathered, LegResult, Lineup, Schedule, Scribe, Side};

use crate::log::StderrLog;
use crate::lost::{FailureKind, Halted, ProgramLost};
use crate::programs::batch_queue::{BatchAnswer, BatchQueue, Copy};
use crate::programs::failures::Failures;
use crate::programs::leg::{AskContext, FinishedLeg, LegSlot, LegStep, Route, Routes};
use crate::programs::link::{Link, LinkEvent, QUIT_TIMEOUT, poll, quit, wait_until_ready};
use crate::programs::process::ReadyPipes;
use crate::question::{Over, Writer};

/// The most legs in flight.
const MAX_LEGS: usize = 1024;
/// The grace period for legs in flight when the run is to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

/// Tables with programs.
#[derive(Debug)]
pub(crate) struct ConcurrentTable {
    rules: RuleSet,
    schedule: Schedule,
    lineup: Lineup,
    space: ActionSpace,
    links: Vec<Link>,
    /// By link: the failures of the process since its last answer.
    failures: Vec<Failures>,
    batched: Vec<BatchQueue>,
    /// Of each bot that is batched.
    copies: Vec<Copy>,
    batch_answers: Vec<BatchAnswer>,
    /// Whether a program that fails for good forfeits its deals.
    forfeits: bool,
    lost: Option<Box<ProgramLost>>,
    routes: Routes,
    writer: Writer,
    slots: Vec<LegSlot>,
    /// Finished legs that are not yet handed out, by pair and leg.
    played: BTreeMap<(u64, u32), FinishedLeg>,
    events: Vec<LinkEvent>,
    /// The names of the bots.
    names: String,
    /// The clocks of built-in bots by side, and whether all legs are timed.
    clocks: Option<([Gathered; 2], bool)>,
    /// The grace period for programs to exit.
    quit_timeout: Duration,
    /// Recorded only for `arena check-bot`.
    incidents: Option<Vec<Incident>>,
}

impl ConcurrentTable {
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
            copies: Vec::new(),
            batch_answers: Vec::new(),
            forfeits: false,
            lost: None,
            routes: Routes::default(),
            writer: Writer::new(),
            slots: Vec::new(),
            played: BTreeMap::new(),
            events: Vec::new(),
            names: lineup.names(),
            clocks: None,
            quit_timeout: QUIT_TIMEOUT,
            incidents: None,
        };
        for side in Side::ALL {
            for part in [0, 1] {
                for seat in Seat::ALL {
                    let spec = lineup.bot(side, seat);
                    let halves = [spec.bidder_batch(), spec.player_batch()];
                    let Some(maker) = halves[part] else { continue };
                    let routes = &mut this.routes[side.index()][seat.index()];
                    // A side sits at a seat in one of the two legs only: no object sees another hand of a deal.
                    if part == 1 && halves[0] == halves[1] {
                        routes[1] = routes[0];
                        continue;
                    }
                    let known = this.copies.iter().position(|copy| copy.maker == *maker);
                    let copy = known.unwrap_or_else(|| {
                        this.copies.push(Copy::new(maker));
                        this.copies.len() - 1
                    });
                    this.batched.push(BatchQueue::new(maker, copy, spec.name()));
                    routes[part] = Some(Route::Batch(this.batched.len() - 1));
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
                            let prefix =
                                if program.by_seat { format!("seat {seat}: ") } else { String::new() };
                            this.links.push(Link::new(rules, program, spec.name(), prefix, log.clone()));
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

    /// Plays some pairs, and keeps their results for [`ConcurrentTable::play_pair`]. Once `is_over` returns `true`, the legs in
    /// flight have a grace period to end.
    pub(crate) fn play_ahead(&mut self, pairs: Range<u64>, is_over: &dyn Fn() -> bool) -> Result<(), Halted> {
        if let Some(lost) = &self.lost {
            return Err(Halted::Lost(lost.clone()));
        }
        let played = self.play_concurrently(pairs, is_over);
        if let Err(halted) = &played {
            if let Halted::Lost(lost) = halted {
                self.lost = Some(lost.clone());
            }
            self.played.clear();
        }
        played
    }

    fn play_concurrently(&mut self, pairs: Range<u64>, is_over: &dyn Fn() -> bool) -> Result<(), Halted> {
        let mut until = None;
        let mut is_over =
            || is_over() && Instant::now() >= *until.get_or_insert_with(|| Instant::now() + STOP_TIMEOUT);
        if !wait_until_ready(&mut self.links, &mut is_over) {
            return Err(Halted::Interrupted);
        }
        self.check_links(pairs.start)?;
        let in_batches = self.links.iter().all(|link| link.batch() > 1 || link.given_up().is_some());
        let most = if in_batches { MAX_LEGS } else { 1 };
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
                    self.slots.push(LegSlot::new(&self.rules, &self.lineup, self.schedule, &leg, clocks));
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
                    return Err(Halted::Interrupted);
                }
            }
        }
    }

    /// Checks that no program was given up; `start` is the first pair in flight.
    fn check_links(&self, start: u64) -> Result<(), Halted> {
        let lost = self.links.iter().find_map(|link| Some((link, link.given_up()?)));
        let Some((link, failure)) = lost.filter(|_| !self.forfeits) else { return Ok(()) };
        let kind = if link.was_up { FailureKind::Restart } else { FailureKind::Start };
        let deal = link.unreported_sender().map_or(start, |slot| self.slots[slot].leg().index);
        Err(self.halt(kind, link, deal, failure))
    }

    fn halt(&self, kind: FailureKind, link: &Link, deal: u64, fault: &str) -> Halted {
        let (bot, fault, unit) = (link.bot.clone(), fault.to_owned(), self.schedule.unit);
        Halted::Lost(Box::new(ProgramLost { bot, kind, unit, deal, fault, stderr: link.stderr_tail("    ") }))
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
                Ok(()) | Err(Halted::Interrupted) => {}
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
    pub(crate) fn has_recent_failures(&self) -> bool {
        let mut failures = self.failures.iter().chain(self.batched.iter().map(|it| &it.failures));
        !self.forfeits && failures.any(Failures::is_any)
    }

    /// Plays a leg until its question is sent; returns whether it is over.
    fn step(&mut self, index: usize) -> bool {
        let slot = &mut self.slots[index];
        loop {
            let mut asker = AskContext {
                routes: &self.routes,
                links: &self.links,
                writer: &self.writer,
                slot: index,
                names: &self.names,
            };
            match slot.step(&mut asker) {
                LegStep::Ask(link, ask) => {
                    self.links[link].ask(ask);
                    return false;
                }
                LegStep::Batch(bot) => {
                    self.batched[bot].ask(index);
                    return false;
                }
                LegStep::DealOver => {
                    send_over(slot, &self.routes, &mut self.links, &self.writer, &self.names);
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
            link.pump(now, ReadyPipes::default(), &mut self.events);
        }
        for batched in &mut self.batched {
            batched.send(&self.space, &self.slots);
        }
        for batched in &mut self.batched {
            let copy = &mut self.copies[batched.copy];
            batched.answer(&self.space, &self.slots, copy, self.forfeits, &mut self.batch_answers);
        }
        if self.events.is_empty() && self.batch_answers.is_empty() {
            poll(&mut self.links, &mut self.events);
        }
        self.apply_actions(to_step)?;
        let mut silent = None;
        for event in self.events.drain(..) {
            let from = match &event {
                LinkEvent::Answer { from, .. } | LinkEvent::Fault { from, .. } => *from,
            };
            let slot = &mut self.slots[from];
            let Route::Program(link) = slot.route() else { continue };
            let failures = &mut self.failures[link];
            match &event {
                LinkEvent::Answer { .. } => failures.reset(),
                LinkEvent::Fault { detail, .. } => {
                    failures.add(slot.deal());
                    if failures.is_final() && !self.forfeits && silent.is_none() {
                        silent = Some((link, slot.leg().index, detail.clone()));
                    }
                }
            }
            slot.apply_event(event);
            if let Some(incidents) = self.incidents.as_mut().filter(|kept| kept.len() < MAX_INCIDENTS)
                && let Some((link, fault)) = slot.new_fault()
                && let Some(last) = self.links[link].last_lines()
            {
                let continues = fault.kind == FaultKind::Illegal;
                let stderr = if continues { String::new() } else { self.links[link].stderr_tail("      ") };
                incidents.push(Incident {
                    fault: fault.clone(),
                    sent: last.sent,
                    received: last.received,
                    stderr,
                });
            }
            to_step.push(from);
        }
        match silent {
            Some((link, deal, fault)) => {
                Err(self.halt(FailureKind::Answers, &self.links[link], deal, &fault))
            }
            None => Ok(()),
        }
    }

    /// Passes the actions of batch bots to the legs.
    fn apply_actions(&mut self, to_step: &mut Vec<usize>) -> Result<(), Halted> {
        for BatchAnswer { slot: from, action, again } in self.batch_answers.drain(..) {
            let slot = &mut self.slots[from];
            let Route::Batch(bot) = slot.route() else { continue };
            let batched = &mut self.batched[bot];
            match action {
                Ok(action) => {
                    batched.failures.reset();
                    if let Some(again) = again {
                        slot.compare(&self.space, action, again);
                    }
                    slot.act(&self.space, action);
                }
                Err(detail) => {
                    batched.failures.add(slot.deal());
                    if batched.failures.is_final() && !self.forfeits {
                        return Err(Halted::Lost(Box::new(ProgramLost {
                            bot: batched.name.clone(),
                            kind: FailureKind::Batch,
                            unit: self.schedule.unit,
                            deal: slot.leg().index,
                            fault: detail,
                            stderr: String::new(),
                        })));
                    }
                    slot.apply_event(LinkEvent::Fault { from, kind: FaultKind::Crash, detail });
                }
            }
            to_step.push(from);
        }
        Ok(())
    }

    /// Returns the number of questions asked.
    pub(super) fn questions(&self) -> u64 {
        self.links.iter().map(|link| link.asked).sum()
    }

    /// Records the lines around each fault; exact when one question is asked at a time.
    pub(super) fn record_lines(&mut self) {
        self.links.iter_mut().for_each(Link::record_lines);
        self.incidents = Some(Vec::new());
    }

    /// Disables waiting for the programs to exit.
    pub(super) const fn skip_quit_timeout(&mut self) {
        self.quit_timeout = Duration::ZERO;
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
    pub(super) sent: String,
    /// The last line received.
    pub(super) received: String,
    /// The last lines of its stderr, unless it continued.
    pub(super) stderr: String,
}

/// The most incidents recorded.
const MAX_INCIDENTS: usize = 100;

impl Drop for ConcurrentTable {
    /// Asks the programs to quit, and kills those that do not.
    fn drop(&mut self) {
        quit(&mut self.links, self.quit_timeout);
    }
}

/// Sends the programs at a table the result of the deal.
fn send_over(slot: &LegSlot, routes: &Routes, links: &mut [Link], writer: &Writer, names: &str) {
    let Some(last) = slot.last_deal() else { return };
    for seat in Seat::ALL {
        let [bidder, player] = routes[slot.leg().sides[seat].index()][seat.index()];
        for route in [bidder, player.filter(|_| player != bidder)].into_iter().flatten() {
            let Route::Program(link) = route else { continue };
            let over = Over {
                deal: slot.identifier(seat, names),
                state: last.state,
                view: last.state.view(seat),
                score: last.score.0,
                forfeited: matches!(last.ending, Ending::Forfeit(_)),
            };
            links[link].send_over(writer, &over);
        }
    }
}
