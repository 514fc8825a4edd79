//! One table: four bots, a referee, one leg at a time.
//!
//! A table belongs to one thread and is used for all its legs: the bots are built once, the state of the
//! deal keeps its memory, and a decision allocates nothing.
//!
//! # Faults
//!
//! An answer that is not legal is recorded as a fault and replaced: by a pass (the first legal call
//! where a pass is none), by the first legal card in the order of [`CardSet`](coinche_engine::CardSet),
//! by the announcement with the most points. A panic is recorded as a crash and **forfeits the deal**: it
//! stops, the bot's team scores nothing, the other team scores [`forfeit`] (the flat part of a failed
//! contract and the worth of a capot); the bots of the seating are built anew and the run goes on. So does
//! everything else that a program does wrong, see [`crate::protocol`].

use core::any::Any;
use core::cell::Cell;
use core::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use coinche_bots::{Bot, BotSpec, Thought as BotThought};
use coinche_engine::{
    Announce, ByTeam, Call, Deal, DealScore, DealState, Deck, Fault, FaultKind, Key, LegalCalls, MatchState,
    Outcome, PastDeal, Play, RuleSet, Seat, Shuffle, Team, Turn,
};
use serde::Serialize;

use crate::lineup::Lineup;
use crate::protocol::{Flights, StderrLog};
use crate::schedule::{Leg, MAX_DEALS_IN_MATCH, Schedule, Side, Unit};

/// How a leg of a deal ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Regular(Outcome),
    /// The bot at this seat crashed, was silent or could not be understood.
    Forfeit(Seat),
}

impl Ending {
    /// Returns what each team scores.
    pub(crate) fn score(&self, rules: &RuleSet) -> ByTeam<i32> {
        let mut score = ByTeam([0; 2]);
        match self {
            Self::Regular(Outcome::ThrownIn) => {}
            Self::Regular(Outcome::Played { score: deal, .. }) => score = deal.points,
            Self::Forfeit(seat) => score[seat.team().other()] = forfeit(rules),
        }
        score
    }
}

/// Where in a match a deal stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InMatch {
    /// The number of the match.
    pub number: u64,
    /// The number of the deal in the match.
    pub deal: u64,
    /// The score before the deal.
    pub score: ByTeam<i32>,
}

/// One leg of one deal that is over.
#[derive(Debug)]
pub struct PlayedDeal<'a> {
    /// The seating.
    pub leg: &'a Leg,
    /// The number of the deal in the run.
    pub deal: u64,
    /// The match it belongs to.
    pub in_match: Option<InMatch>,
    /// The cards, the auction and the play.
    pub state: &'a DealState,
    /// How it ended.
    pub ending: Ending,
    /// What each team scored.
    pub score: ByTeam<i32>,
    /// What bots did wrong.
    pub faults: &'a [Fault],
    /// What bots told of their decisions.
    pub thoughts: &'a [Thought],
}

/// What a bot told of a decision beside its answer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Thought {
    /// Whose.
    pub seat: u8,
    /// The number of the seat's decision in the deal, from 0; words on belotes and melds are counted too.
    pub decision: u64,
    /// Whether it was of a card.
    #[serde(skip)]
    pub is_play: bool,
    /// The points expected: the score of the own side less that of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// The chance that the contract is made, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

/// Takes note of the deals of a table, in the order played.
pub trait Scribe {
    /// A leg of a deal is over.
    fn deal(&mut self, deal: &PlayedDeal<'_>);

    /// Both legs of a deal or match are over.
    fn pair(&mut self, _index: u64, _legs: &[LegResult; 2]) {}
}

impl Scribe for () {
    fn deal(&mut self, _deal: &PlayedDeal<'_>) {}
}

/// What one leg (a deal or a whole match) came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LegResult {
    /// The points of both teams.
    pub score: ByTeam<i32>,
    /// The winner, of a match that has one.
    pub winner: Option<Team>,
}

/// Returns what a team scores for a deal that the other forfeits.
pub fn forfeit(rules: &RuleSet) -> i32 {
    i32::from(rules.scoring.failed) + i32::from(rules.contract.capot)
}

/// Builds the bot that a side has at a seat.
type MakeBot = dyn Fn(Side, Seat) -> Bot + Send;

/// The bots of one seating.
#[derive(Debug)]
pub(crate) struct Seating {
    bots: [Bot; 4],
    /// By seat, whether the bidder and the player tell what they think.
    thinks: [[bool; 2]; 4],
    /// What they told, since it was last cleared.
    pub(crate) thoughts: Vec<Thought>,
    /// Who is at work.
    pub(crate) asking: Seat,
    /// What was done wrong, since it was last cleared.
    pub(crate) faults: Vec<Fault>,
}

impl Seating {
    /// Builds the bots of a seating.
    pub(crate) fn build(make: &dyn Fn(Side, Seat) -> Bot, leg: u32) -> Self {
        let bots = Seat::ALL.map(|seat| make(Side::ALL[(seat.index() + leg as usize) % 2], seat));
        let thinks = bots.each_ref().map(|bot| [bot.bidder.thinks(), bot.player.thinks()]);
        Self { bots, thinks, thoughts: Vec::new(), asking: Seat::S0, faults: Vec::new() }
    }

    /// Keeps what a bot thought of a decision.
    #[cold]
    fn note(&mut self, seat: Seat, decision: u64, is_play: bool) {
        let bot = &self.bots[seat.index()];
        let thought = if is_play { bot.player.thought() } else { bot.bidder.thought() };
        let Some(&BotThought { points, chance, .. }) = thought else { return };
        if points.is_some() || chance.is_some() {
            self.thoughts.push(Thought { seat: seat as u8, decision, is_play, points, chance });
        }
    }

    fn fault(&mut self, seat: Seat, kind: FaultKind, detail: String) {
        self.faults.push(Fault { seat: seat as u8, kind, detail });
    }

    /// Tells all that a new deal begins.
    pub(crate) fn start(&mut self) {
        for seat in Seat::ALL {
            self.asking = seat;
            self.bots[seat.index()].start();
        }
    }

    /// Plays a deal from the first call to the last card.
    fn play(&mut self, state: &mut DealState, mut keys: [KeyStream; 4]) {
        self.start();
        loop {
            match state.turn() {
                Turn::Call(seat) => self.call(state, seat, &mut keys[seat.index()]),
                Turn::Play(seat) => self.card(state, seat, &mut keys[seat.index()]),
                Turn::Over => return,
            }
        }
    }

    /// Makes the calls of a deal.
    fn bid(&mut self, state: &mut DealState, mut keys: [KeyStream; 4]) {
        self.start();
        while let Turn::Call(seat) = state.turn() {
            self.call(state, seat, &mut keys[seat.index()]);
        }
    }

    /// Makes the call of a seat.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "programs are asked elsewhere: the loop of a deal keeps its own copy"
    )]
    pub(crate) fn call(&mut self, state: &mut DealState, seat: Seat, keys: &mut KeyStream) {
        self.asking = seat;
        let legal = state.legal_calls();
        let mut call = self.bots[seat.index()].bidder.call(&state.view(seat), &legal, keys.next());
        if self.thinks[seat.index()][0] {
            self.note(seat, keys.decisions() - 1, false);
        }
        if !legal.contains(call) {
            self.fault(seat, FaultKind::Illegal, format!("the call {call}"));
            call = replacement(&legal);
        }
        state.call(call).expect("a legal call is accepted");
    }

    /// Plays the card of a seat.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "programs are asked elsewhere: the loop of a deal keeps its own copy"
    )]
    pub(crate) fn card(&mut self, state: &mut DealState, seat: Seat, keys: &mut KeyStream) {
        self.asking = seat;
        let legal = state.legal_plays();
        let player = &mut self.bots[seat.index()].player;
        let mut card = player.play(state, seat, legal, keys.next());
        if self.thinks[seat.index()][1] {
            self.note(seat, keys.decisions() - 1, true);
        }
        if !legal.contains(card) {
            self.fault(seat, FaultKind::Illegal, format!("the card {card}"));
            card = legal.first().expect("a player to play has a legal card");
        }
        let mut play = Play::from(card);
        let rules = state.rules();
        if rules.belote.announce == Announce::Voluntary && state.may_announce_belote(card) {
            let player = &mut self.bots[seat.index()].player;
            play.announce_belote = player.announce_belote(state, seat, card, keys.next());
        }
        if rules.melds.enabled && state.tricks().is_empty() && has_carre(state, seat) {
            self.choose_melds(state, seat, keys, &mut play);
        }
        state.play(play).expect("a legal card is accepted");
    }

    /// Asks which melds to announce where there is a choice.
    #[cold]
    fn choose_melds(&mut self, state: &DealState, seat: Seat, keys: &mut KeyStream, play: &mut Play) {
        let options = state.meld_options(seat);
        if options.len() < 2 {
            return;
        }
        let player = &mut self.bots[seat.index()].player;
        let chosen = player.choose_melds(state, seat, &options, keys.next());
        play.melds = options.get(chosen).copied();
        if play.melds.is_none() {
            let detail = format!("the announcement {chosen} out of {}", options.len());
            self.fault(seat, FaultKind::Illegal, detail);
        }
    }
}

/// Returns the call that is made instead of an illegal one.
pub(crate) fn replacement(legal: &LegalCalls) -> Call {
    if legal.contains(Call::Pass) { Call::Pass } else { legal.nth(0).unwrap_or(Call::Pass) }
}

/// Tests if a hand has four of a rank: only then may there be a choice of melds.
fn has_carre(state: &DealState, seat: Seat) -> bool {
    let hand = state.hands()[seat].bits();
    hand & hand >> 8 & hand >> 16 & hand >> 24 & 0xff != 0
}

/// The keys of one seat's decisions in one leg, in order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyStream {
    key: Key,
    decision: u64,
}

impl KeyStream {
    /// Starts before the first decision.
    pub(crate) const fn new(key: Key) -> Self {
        Self { key, decision: 0 }
    }

    /// Returns how many decisions there were.
    pub(crate) const fn decisions(&self) -> u64 {
        self.decision
    }

    /// Returns the key of the next decision.
    #[inline]
    pub(crate) const fn next(&mut self) -> Key {
        let key = self.key.and(self.decision);
        self.decision += 1;
        key
    }
}

/// A table with the bots of both seatings.
pub struct Table {
    rules: RuleSet,
    schedule: Schedule,
    make: Box<MakeBot>,
    seatings: [Seating; 2],
    state: DealState,
    past: Vec<PastDeal>,
    /// What the regime says; of a table of bots by themselves there is none.
    lineup: Option<Lineup>,
    /// Where a program plays: tables for many legs at a time.
    flights: Option<Flights>,
}

impl Table {
    /// Sets the table for two bots; what programs say on their standard error is left out.
    pub fn new(rules: &RuleSet, schedule: Schedule, bots: [BotSpec; 2]) -> Self {
        Self::logged(rules, schedule, bots, &StderrLog::none())
    }

    /// Sets the table for two bots, with a place for what programs say on their standard error.
    ///
    /// Programs are started by the first deal, and end with the table.
    pub fn logged(rules: &RuleSet, schedule: Schedule, bots: [BotSpec; 2], log: &StderrLog) -> Self {
        Self::set(rules, schedule, Lineup::of_bots(bots), log)
    }

    /// Sets the table for a lineup.
    pub(crate) fn set(rules: &RuleSet, schedule: Schedule, lineup: Lineup, log: &StderrLog) -> Self {
        let flights = lineup.has_program().then(|| Flights::new(rules, schedule, &lineup, log));
        let bots = lineup.clone();
        let table = Self::of_lineup(rules, schedule, lineup, move |side, seat| bots.build(side, seat));
        Self { flights, ..table }
    }

    /// Sets the table for a lineup without programs whose bots `make` builds.
    pub(crate) fn of_lineup(
        rules: &RuleSet,
        schedule: Schedule,
        lineup: Lineup,
        make: impl Fn(Side, Seat) -> Bot + Send + 'static,
    ) -> Self {
        Self { lineup: Some(lineup), ..Self::built(rules, schedule, make) }
    }

    /// Sets the table for bots that `make` builds: for each seat of both seatings at the start, and again
    /// for a seating in which one has crashed.
    pub fn with_bots(
        rules: &RuleSet,
        schedule: Schedule,
        make: impl Fn(Side) -> Bot + Send + 'static,
    ) -> Self {
        Self::built(rules, schedule, move |side, _| make(side))
    }

    fn built(rules: &RuleSet, schedule: Schedule, make: impl Fn(Side, Seat) -> Bot + Send + 'static) -> Self {
        silence_bots();
        let deal = Deal::new(&rules.deal, Deck::sorted(), Seat::S0);
        Self {
            rules: *rules,
            schedule,
            seatings: [0, 1].map(|leg| Seating::build(&make, leg)),
            make: Box::new(make),
            state: DealState::new(rules, &deal),
            past: Vec::new(),
            lineup: None,
            flights: None,
        }
    }

    /// Plays some pairs in a row; the scribe gets their deals and results in order.
    pub fn play_pairs(&mut self, pairs: Range<u64>, scribe: &mut impl Scribe) {
        self.play_ahead(pairs.clone());
        for index in pairs {
            let legs = self.play_pair(index, scribe);
            scribe.pair(index, &legs);
        }
    }

    /// Plays some pairs in advance, where that is quicker: programs that take batches are asked about many
    /// of them at a time. [`Table::play_pair`] then hands out what they came to.
    pub fn play_ahead(&mut self, pairs: Range<u64>) {
        if let Some(flights) = &mut self.flights {
            flights.play_ahead(pairs);
        }
    }

    /// Plays both legs of a deal or match.
    pub fn play_pair(&mut self, index: u64, scribe: &mut impl Scribe) -> [LegResult; 2] {
        if let Some(flights) = &mut self.flights {
            return flights.play_pair(index, scribe);
        }
        let legs = self.schedule.pair(index);
        match self.schedule.unit {
            Unit::Deal => {
                let deal = self.schedule.deal(&self.rules.deal, index);
                legs.map(|leg| self.play_leg(&leg, &deal, scribe))
            }
            Unit::Match => legs.map(|leg| self.play_match(&leg, scribe)),
        }
    }

    /// Plays the first leg of a deal alone: what both legs come to where all seats have the same bot. Where a
    /// program plays both are played, and reported.
    pub(crate) fn play_first_leg(&mut self, index: u64, scribe: &mut impl Scribe) {
        if let Some(flights) = &mut self.flights {
            flights.play_pair(index, scribe);
            return;
        }
        let deal = self.schedule.deal(&self.rules.deal, index);
        self.play_leg(&self.schedule.pair(index)[0], &deal, scribe);
    }

    /// Plays a leg of a single deal.
    #[inline]
    fn play_leg(&mut self, leg: &Leg, deal: &Deal, scribe: &mut impl Scribe) -> LegResult {
        self.state.restart(deal);
        let key = |seat| match &self.lineup {
            Some(lineup) => lineup.deal_key(&self.schedule, leg, seat),
            None => self.schedule.deal_key(leg, seat),
        };
        let keys = Seat::ALL.map(|seat| KeyStream::new(key(seat)));
        let (_, score) = self.play(leg, leg.index, None, keys, scribe);
        LegResult { score, winner: None }
    }

    /// Plays one deal, with the state already set up, and reports it.
    #[inline]
    fn play(
        &mut self,
        leg: &Leg,
        deal: u64,
        in_match: Option<InMatch>,
        keys: [KeyStream; 4],
        scribe: &mut impl Scribe,
    ) -> (Ending, ByTeam<i32>) {
        let seating = &mut self.seatings[leg.leg as usize & 1];
        seating.faults.clear();
        seating.thoughts.clear();
        let state = &mut self.state;
        let played = match self.lineup.as_ref().and_then(Lineup::open) {
            None => guarded(|| seating.play(state, keys)),
            Some(open) => guarded(|| seating.bid(state, keys)).map(|()| open.play_out(state)),
        };
        let ending = match played {
            Ok(()) => Ending::Regular(self.state.outcome().expect("the deal is over")),
            Err(detail) => {
                let seat = seating.asking;
                seating.fault(seat, FaultKind::Crash, detail);
                let Seating { faults, thoughts, .. } =
                    core::mem::replace(seating, Seating::build(&*self.make, leg.leg));
                (seating.faults, seating.thoughts) = (faults, thoughts);
                Ending::Forfeit(seat)
            }
        };
        let score = ending.score(&self.rules);
        let Seating { faults, thoughts, .. } = &self.seatings[leg.leg as usize & 1];
        scribe.deal(&PlayedDeal { leg, deal, in_match, state: &self.state, ending, score, faults, thoughts });
        (ending, score)
    }

    /// Plays one leg of a match.
    fn play_match(&mut self, leg: &Leg, scribe: &mut impl Scribe) -> LegResult {
        let mut game = MatchRun::new(&self.rules, &self.schedule, *leg, core::mem::take(&mut self.past));
        loop {
            let (id, in_match, keys) = game.next_deal(&mut self.state);
            let (ending, score) = self.play(leg, id, Some(in_match), keys, scribe);
            if game.add(&self.state, &ending, score) {
                let result = game.result();
                self.past = game.past;
                return result;
            }
        }
    }
}

/// One leg of a match: what comes from deal to deal.
#[derive(Debug)]
pub(crate) struct MatchRun {
    rules: RuleSet,
    schedule: Schedule,
    leg: Leg,
    game: MatchState,
    /// The number of the next deal.
    deal: u64,
    /// Where the deck is only cut: the deals since the last one that was played, that one included.
    past: Vec<PastDeal>,
}

impl MatchRun {
    /// Starts a match; `past` is a list to be used again.
    pub(crate) fn new(rules: &RuleSet, schedule: &Schedule, leg: Leg, mut past: Vec<PastDeal>) -> Self {
        past.clear();
        let game = MatchState::new(rules, leg.dealer);
        Self { rules: *rules, schedule: *schedule, leg, game, deal: 0, past }
    }

    /// Sets up the next deal and returns its number in the run, its place and the keys of the seats.
    pub(crate) fn next_deal(&self, state: &mut DealState) -> (u64, InMatch, [KeyStream; 4]) {
        let (seed, number, deal) = (self.schedule.seed, self.leg.index, self.deal);
        let deck = match self.past.last() {
            Some(last) => last.gather().cut_for_match(seed, number, deal),
            None if self.rules.deal.shuffle == Shuffle::Cut => {
                Deck::shuffled_for_match(seed, number, 0).cut_for_match(seed, number, 0)
            }
            None => Deck::shuffled_for_match(seed, number, deal),
        };
        state.restart(&Deal::new(&self.rules.deal, deck, self.game.dealer()));
        state.set_match(self.game.score(), self.game.held(), &self.past);
        let keys = Seat::ALL.map(|seat| KeyStream::new(self.schedule.match_key(&self.leg, deal, seat)));
        let in_match = InMatch { number, deal, score: self.game.score() };
        (number * MAX_DEALS_IN_MATCH + deal, in_match, keys)
    }

    /// Adds the deal that was set up last and says if the match is over.
    pub(crate) fn add(&mut self, state: &DealState, ending: &Ending, score: ByTeam<i32>) -> bool {
        add_to_match(&mut self.game, ending, score);
        if self.rules.deal.shuffle == Shuffle::Cut {
            if matches!(ending, Ending::Regular(Outcome::Played { .. })) {
                self.past.clear();
            }
            self.past.push(state.to_past());
        }
        self.deal += 1;
        self.game.winner().is_some() || self.deal == MAX_DEALS_IN_MATCH
    }

    /// Returns what the match came to.
    pub(crate) const fn result(&self) -> LegResult {
        LegResult { score: self.game.score(), winner: self.game.winner() }
    }
}

/// Adds a deal to the score of its match.
pub(crate) fn add_to_match(game: &mut MatchState, ending: &Ending, score: ByTeam<i32>) {
    match ending {
        Ending::Regular(Outcome::ThrownIn) => game.add_thrown_in(),
        Ending::Regular(Outcome::Played { result, score }) => {
            game.add(score, result.contract.declarer.team());
        }
        // The crashed bot's team has lost the deal, as declarers who failed.
        Ending::Forfeit(seat) => {
            game.add(&DealScore { made: false, points: score, held: 0 }, seat.team());
        }
    }
}

/// Lets bots do something; a panic is returned as its text.
#[inline]
pub(crate) fn guarded(work: impl FnOnce()) -> Result<(), String> {
    BOT_AT_WORK.set(true);
    let worked = panic::catch_unwind(AssertUnwindSafe(work));
    BOT_AT_WORK.set(false);
    worked.map_err(|panic| message(panic.as_ref()))
}

/// The text of a panic.
fn message(panic: &(dyn Any + Send)) -> String {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => (*text).to_owned(),
        (None, Some(text)) => text.clone(),
        (None, None) => "a panic without a message".to_owned(),
    }
}

thread_local! {
    /// Whether a panic on this thread is a bot's, which is a fault to record and not to print.
    static BOT_AT_WORK: Cell<bool> = const { Cell::new(false) };
}

/// Keeps the panics of bots, which are recorded as faults, from being printed as well.
pub(crate) fn silence_bots() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !BOT_AT_WORK.get() {
                print(info);
            }
        }));
    });
}
