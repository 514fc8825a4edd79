//! One leg in flight.

use coinche_bots::Question as BatchQuestion;
use coinche_engine::encoding::{Action, ActionSpace};
use coinche_engine::record::{Fault, FaultKind};
use coinche_engine::{ByTeam, Call, Card, DealState, Key, Melds, Play, Purpose, RuleSet, Seat, Turn};
use coinche_selfplay::base::guard::{BotPanic, guarded};
use coinche_selfplay::play::match_run::MatchRun;
use coinche_selfplay::play::played::Thought;
use coinche_selfplay::play::schedule::Leg;
use coinche_selfplay::play::seating::replacement;
use coinche_selfplay::play::times::timed;
use coinche_selfplay::{
    Ending, FinishedDeal, Gathered, InMatch, KeyStream, LegResult, Lineup, PlayedDeal, Schedule, Seating,
    Side, Unit,
};

use crate::message::excerpt;
use crate::programs::link::{Link, LinkEvent, Request};
use crate::question::{Choice, Question, Writer, melds_text};

/// A finished leg with its deals, kept until those before it are handed out.
#[derive(Debug)]
pub(super) struct FinishedLeg {
    pub(super) leg: Leg,
    pub(super) deals: Vec<FinishedDeal>,
    pub(super) result: LegResult,
}

/// The target of the questions for one part of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route {
    /// A program, by the index of its link.
    Program(usize),
    /// A bot that decides for many deals at once.
    Batch(usize),
}

/// The route of each part of each seat that is not played in place: `[side][seat][0: calls, 1: cards]`.
pub(super) type Routes = [[[Option<Route>; 2]; 4]; 2];

/// The next event that a leg needs to continue.
pub(super) enum LegStep {
    /// The answer of a program to a question.
    Ask(usize, Request),
    /// The answer of a bot that decides for many deals at once.
    Batch(usize),
    /// A deal is over.
    DealOver,
}

/// The kind of question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QuestionKind {
    Call,
    Play,
    /// Whether to announce a belote with the card.
    Belote,
    /// Which melds to announce with the card.
    Melds,
}

/// A leg in flight, with reusable memory.
#[derive(Debug)]
pub(super) struct LegSlot {
    rules: RuleSet,
    schedule: Schedule,
    lineup: Lineup,
    /// The clocks of built-in bots, by side.
    clocks: Option<[Gathered; 2]>,
    leg: Leg,
    /// The built-in bots, by seating; built on first use.
    seatings: [Option<Seating>; 2],
    state: DealState,
    game: Option<MatchRun>,
    deal: u64,
    in_match: Option<InMatch>,
    keys: [KeyStream; 4],
    /// The pending question: its kind and seat.
    pending: (QuestionKind, Seat),
    /// The route of the pending question, and the number of faults when it was asked.
    pending_route: (Route, usize),
    /// The random key of the pending question.
    key: Key,
    /// The next question to the player of `play`.
    next: Option<QuestionKind>,
    /// The card that a program plays, while follow-up questions are pending.
    play: Option<Play>,
    /// The meld announcements to choose from.
    meld_options: Vec<Melds>,
    forfeit: Option<Seat>,
    faults: Vec<Fault>,
    thoughts: Vec<Thought>,
    finished: Vec<FinishedDeal>,
    result: LegResult,
}

impl LegSlot {
    /// Allocates a slot for a leg.
    pub(super) fn new(
        rules: &RuleSet,
        lineup: &Lineup,
        schedule: Schedule,
        leg: &Leg,
        clocks: Option<[Gathered; 2]>,
    ) -> Self {
        let deal = schedule.deal(&rules.deal, 0);
        Self {
            rules: *rules,
            schedule,
            lineup: lineup.clone(),
            clocks,
            leg: *leg,
            seatings: [None, None],
            state: DealState::new(rules, &deal),
            game: None,
            deal: 0,
            in_match: None,
            keys: schedule.keys(leg.index).0.map(KeyStream::new),
            pending: (QuestionKind::Call, Seat::S0),
            pending_route: (Route::Program(0), 0),
            key: Key::from_bits(0),
            next: None,
            play: None,
            meld_options: Vec::new(),
            forfeit: None,
            faults: Vec::new(),
            thoughts: Vec::new(),
            finished: Vec::new(),
            result: LegResult { score: ByTeam([0; 2]), winner: None },
        }
    }

    /// Returns the leg.
    pub(super) const fn leg(&self) -> &Leg {
        &self.leg
    }

    /// Returns the number of the deal, which both legs share; it is unique across matches.
    pub(super) const fn deal(&self) -> u64 {
        self.deal
    }

    /// Begins a leg.
    pub(super) fn begin(&mut self, leg: Leg) {
        self.leg = leg;
        match self.schedule.unit {
            Unit::Deal => {
                self.game = None;
                self.deal = leg.index;
                self.in_match = None;
                self.state.restart(&self.schedule.deal(&self.rules.deal, leg.index));
                self.keys = self.schedule.keys(leg.index).0.map(KeyStream::new);
                self.begin_deal();
            }
            Unit::Match => {
                self.game = Some(MatchRun::new(&self.rules, &self.schedule, leg, Vec::new()));
                self.begin_deal_of_match();
            }
        }
    }

    fn begin_deal_of_match(&mut self) {
        if let Some(game) = &self.game {
            let (deal, in_match, keys) = game.next_deal(&mut self.state);
            (self.deal, self.in_match, self.keys) = (deal, Some(in_match), keys);
            self.begin_deal();
        }
    }

    fn begin_deal(&mut self) {
        self.play = None;
        self.next = None;
        self.forfeit = None;
        self.faults.clear();
        self.thoughts.clear();
        self.with_bots(|seating, _, _| seating.start());
    }

    /// Runs built-in bots; a panic forfeits the deal.
    fn with_bots(&mut self, work: impl FnOnce(&mut Seating, &mut DealState, &mut [KeyStream; 4])) {
        let (lineup, clocks) = (&self.lineup, &self.clocks);
        let build = |side: Side, seat| match clocks {
            Some(clocks) => timed(lineup.build(side, seat), &clocks[side.index()], lineup.own()),
            None => lineup.build(side, seat),
        };
        let seating = self.seatings[self.leg.leg as usize & 1]
            .get_or_insert_with(|| Seating::build(&build, self.leg.leg));
        let (state, keys) = (&mut self.state, &mut self.keys);
        let worked = guarded(|| work(&mut *seating, state, keys));
        self.faults.append(&mut seating.faults);
        self.thoughts.append(&mut seating.thoughts);
        if let Err(BotPanic(detail)) = worked {
            let seat = seating.asking;
            self.seatings[self.leg.leg as usize & 1] = None;
            self.forfeit_deal(seat, FaultKind::Crash, detail);
        }
    }

    fn forfeit_deal(&mut self, seat: Seat, kind: FaultKind, detail: String) {
        self.faults.push(Fault { seat, kind, detail });
        self.forfeit = Some(seat);
    }

    /// Plays until a question must be asked or the deal is over.
    pub(super) fn step(&mut self, asker: &mut AskContext<'_>) -> LegStep {
        loop {
            if self.forfeit.is_some() {
                self.end_deal();
                return LegStep::DealOver;
            }
            let (kind, seat) = match (self.next.take(), self.state.turn()) {
                (_, Turn::Over) => {
                    self.end_deal();
                    return LegStep::DealOver;
                }
                (Some(kind), Turn::Call(seat) | Turn::Play(seat)) => (kind, seat),
                (None, Turn::Call(seat)) => (QuestionKind::Call, seat),
                (None, Turn::Play(seat)) => {
                    if let Some(open) = self.lineup.open() {
                        open.play_out(&mut self.state);
                        continue;
                    }
                    (QuestionKind::Play, seat)
                }
            };
            let side = self.leg.sides[seat];
            match asker.routes[side.index()][seat.index()][usize::from(kind != QuestionKind::Call)] {
                Some(Route::Program(link)) => {
                    return LegStep::Ask(link, self.question(kind, seat, link, asker));
                }
                Some(Route::Batch(bot)) => {
                    self.pending = (kind, seat);
                    self.pending_route = (Route::Batch(bot), self.faults.len());
                    self.key = self.keys[seat.index()].next();
                    return LegStep::Batch(bot);
                }
                None => self.with_bots(|seating, state, keys| {
                    let decide = if kind == QuestionKind::Call { Seating::call } else { Seating::card };
                    decide(seating, state, seat, &mut keys[seat.index()]);
                }),
            }
        }
    }

    /// Formats the question of a decision.
    fn question(
        &mut self,
        kind: QuestionKind,
        seat: Seat,
        link: usize,
        asker: &mut AskContext<'_>,
    ) -> Request {
        self.pending = (kind, seat);
        self.pending_route = (Route::Program(link), self.faults.len());
        let legal = self.state.legal_calls();
        let choice = match (kind, self.play) {
            (QuestionKind::Call, _) => Choice::Call(&legal),
            (QuestionKind::Belote, Some(play)) => Choice::Belote(play.card),
            (QuestionKind::Melds, _) => Choice::Melds(&self.meld_options),
            _ => Choice::Play(self.state.legal_plays()),
        };
        let question = Question {
            deal: self.identifier(seat, asker.names),
            choice,
            view: self.state.view(seat),
            key: self.keys[seat.index()].next(),
            budget: asker.links[link].budget(),
        };
        let mut text = Vec::with_capacity(1024);
        asker.writer.question(&mut text, &question);
        Request { from: asker.slot, text }
    }

    /// Handles the answer to the pending question.
    pub(super) fn apply_event(&mut self, event: LinkEvent) {
        let (kind, seat) = self.pending;
        match event {
            LinkEvent::Fault { kind, detail, .. } => self.forfeit_deal(seat, kind, detail),
            LinkEvent::Answer { text, points, chance, .. } => {
                if points.is_some() || chance.is_some() {
                    let decision = self.keys[seat.index()].decisions() - 1;
                    let calls = (kind == QuestionKind::Call).then(|| self.state.auction().calls().len());
                    self.thoughts.push(Thought { seat: seat as u8, decision, calls, points, chance });
                }
                self.answer(kind, seat, text.trim());
            }
        }
    }

    /// Returns the route of the last question.
    pub(super) const fn route(&self) -> Route {
        self.pending_route.0
    }

    /// Returns the link of the last program asked and the fault it committed then, if any.
    pub(super) fn new_fault(&self) -> Option<(usize, &Fault)> {
        let (Route::Program(link), before) = self.pending_route else { return None };
        self.faults.get(before).map(|fault| (link, fault))
    }

    /// Returns the question for a bot that decides for many deals at once.
    pub(super) const fn batch_question(&self) -> BatchQuestion<'_> {
        BatchQuestion { view: self.state.view(self.pending.1), key: self.key }
    }

    /// Tests if the question is to be asked again, of a copy of the bot: one in a thousand, and those of one seat of one leg of a
    /// deal alone. Nothing that a bot knows leads to the draw.
    pub(super) fn is_asked_again(&self) -> bool {
        let seat = self.pending.1.index();
        let draw = |number| self.schedule.secrets.key(Purpose::Sample, self.deal, number);
        draw(3 + self.keys[seat].decisions()).below(128) == 0
            && draw(2).below(8) == 2 * seat + (self.leg.leg as usize & 1)
    }

    /// Notes that a bot has two answers to one question.
    pub(super) fn compare(&mut self, space: &ActionSpace, action: i64, again: Result<i64, String>) {
        if again.as_ref() == Ok(&action) {
            return;
        }
        let name = |number: i64| {
            let known = usize::try_from(number).ok().and_then(|number| space.action(number));
            known.map_or_else(|| number.to_string(), |action| action.to_string())
        };
        let seat = self.pending.1;
        let decision = self.keys[seat.index()].decisions();
        let again = again
            .map_or_else(|error| format!("failed: {error}"), |again| format!("answered {}", name(again)));
        let detail = format!(
            "decision {decision} of the seat: it answered {}, and a copy that was asked alone {again}: its answers depend on more \
             than the question",
            name(action)
        );
        self.faults.push(Fault { seat, kind: FaultKind::Inconsistent, detail });
    }

    /// Applies the action of a bot that decides for many deals at once. An illegal action is replaced, as for any bot.
    pub(super) fn act(&mut self, space: &ActionSpace, number: i64) {
        let (kind, seat) = self.pending;
        let legal = usize::try_from(number).ok().filter(|number| space.is_legal(&self.state, *number));
        let action = legal.and_then(|number| space.action(number));
        if action.is_none() {
            let known = usize::try_from(number).ok().and_then(|number| space.action(number));
            let known = known.map_or_else(String::new, |action| format!(" ({action})"));
            let detail = format!("the action {number}{known}");
            self.faults.push(Fault { seat, kind: FaultKind::Illegal, detail });
        }
        if kind == QuestionKind::Call {
            let call =
                action.and_then(|action| if let Action::Call(call) = action { Some(call) } else { None });
            return self.call(call);
        }
        let first = || self.state.legal_plays().first().expect("a player to play has a legal card");
        let play = action.and_then(Action::play).unwrap_or_else(|| Play::from(first()));
        self.play = Some(play);
        // A follow-up question that a bot of one seat would be asked also consumes a key.
        let mut kind = kind;
        while let Some(next) = self.follow_up(kind, seat) {
            self.keys[seat.index()].next();
            kind = next;
        }
        self.play = None;
        self.state.play(play).expect("a legal card is accepted");
    }

    /// Makes a call; without a legal one, its replacement.
    fn call(&mut self, call: Option<Call>) {
        let call = call.unwrap_or_else(|| replacement(&self.state.legal_calls()));
        self.state.call(call).expect("a legal call is accepted");
    }

    fn answer(&mut self, kind: QuestionKind, seat: Seat, text: &str) {
        let illegal = |what: &str| Fault {
            seat,
            kind: FaultKind::Illegal,
            detail: format!("the {what} {}", excerpt(text.as_bytes())),
        };
        match kind {
            QuestionKind::Call => {
                let legal = self.state.legal_calls();
                let call = text.parse().ok().filter(|call: &Call| legal.contains(*call));
                if call.is_none() {
                    self.faults.push(illegal("call"));
                }
                self.call(call);
            }
            QuestionKind::Play => {
                let legal = self.state.legal_plays();
                let card = text.parse().ok().filter(|card: &Card| legal.contains(*card));
                if card.is_none() {
                    self.faults.push(illegal("card"));
                }
                let card = card.or_else(|| legal.first()).expect("a player to play has a legal card");
                self.play = Some(Play::from(card));
            }
            QuestionKind::Belote => {
                let yes = text.eq_ignore_ascii_case("yes");
                if !yes && !text.eq_ignore_ascii_case("no") {
                    self.faults.push(illegal("word on the belote"));
                } else if let Some(play) = &mut self.play {
                    play.announce_belote = yes;
                }
            }
            QuestionKind::Melds => {
                let chosen =
                    self.meld_options.iter().find(|melds| melds_text(melds).eq_ignore_ascii_case(text));
                if chosen.is_none() {
                    self.faults.push(illegal("announcement"));
                }
                if let Some(play) = &mut self.play {
                    play.melds = chosen.copied();
                }
            }
        }
        self.next = self.follow_up(kind, seat);
        if self.next.is_none()
            && let Some(play) = self.play.take()
        {
            self.state.play(play).expect("a legal card is accepted");
        }
    }

    /// Returns the follow-up question about the card, in the order of the built-in bots.
    fn follow_up(&mut self, kind: QuestionKind, seat: Seat) -> Option<QuestionKind> {
        let card = self.play?.card;
        if kind == QuestionKind::Play && self.state.may_announce_belote(card) {
            return Some(QuestionKind::Belote);
        }
        if kind != QuestionKind::Melds && self.rules.melds.enabled && self.state.tricks().is_empty() {
            self.meld_options = self.state.meld_options(seat);
            return (self.meld_options.len() > 1).then_some(QuestionKind::Melds);
        }
        None
    }

    /// Stores the result of the deal.
    fn end_deal(&mut self) {
        let ending = match self.forfeit {
            Some(seat) => Ending::Forfeit(seat),
            None => Ending::Regular(self.state.outcome().expect("the deal is over")),
        };
        self.finished.push(FinishedDeal {
            deal: self.deal,
            in_match: self.in_match,
            state: self.state.clone(),
            ending,
            score: ending.score(&self.rules),
            faults: core::mem::take(&mut self.faults),
            thoughts: core::mem::take(&mut self.thoughts),
        });
    }

    /// Returns the last finished deal.
    pub(super) fn last_deal(&self) -> Option<PlayedDeal<'_>> {
        Some(self.finished.last()?.played(&self.leg))
    }

    /// Returns the identifier of the deal for the program at a seat of a table with these bots.
    pub(super) fn identifier(&self, seat: Seat, names: &str) -> u64 {
        self.schedule.identifier(self.deal, self.leg.leg, seat, names)
    }

    /// Sets up the next deal; returns whether the leg is over.
    pub(super) fn next_deal(&mut self) -> bool {
        let Some(last) = self.finished.last() else { return true };
        match &mut self.game {
            None => {
                self.result = LegResult { score: last.score, winner: None };
                true
            }
            Some(game) => {
                if game.add(&last.state, &last.ending, last.score) {
                    self.result = game.result();
                    return true;
                }
                self.begin_deal_of_match();
                false
            }
        }
    }

    /// Returns the result of the leg and frees the slot.
    pub(super) fn finish(&mut self) -> FinishedLeg {
        FinishedLeg { leg: self.leg, deals: core::mem::take(&mut self.finished), result: self.result }
    }
}

/// The context for asking a program.
pub(super) struct AskContext<'a> {
    pub(super) routes: &'a Routes,
    pub(super) links: &'a [Link],
    pub(super) writer: &'a Writer,
    /// The index of the slot.
    pub(super) slot: usize,
    /// The names of the bots.
    pub(super) names: &'a str,
}
