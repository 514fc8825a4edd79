//! A table of one thread: bots play a deal, and the solver says what their cards were worth.

use coinche_bots::search::Payoff;
use coinche_engine::encoding::{Action, ActionSpace, Encoder, SuitOrder};
use coinche_engine::rules::Announce;
use coinche_engine::solver::Solver;
use coinche_engine::{
    ByTeam, Call, CardSet, Deal, DealState, Deck, Key, Outcome, Purpose, Seat, Secrets, Turn, random_card,
};
use coinche_selfplay::base::guard::{BotPanic, guarded, silence_bots};
use coinche_selfplay::{KeyStream, Seating};

use super::columns::{Decision, Mask, NONE};
use super::{Crash, Settings};
use crate::label::dealer;

/// Why a deal has no rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DealError {
    /// A bot panicked.
    Crash(Crash),
    /// A score of a card has no place in 16 bits.
    Score(i32),
}

/// The table.
pub(super) struct Table<'a> {
    settings: &'a Settings,
    space: ActionSpace,
    encoder: Encoder,
    /// For each bot of the settings one at every seat.
    seatings: Vec<Seating>,
    state: DealState,
    solver: Solver,
    /// Of the deal that is played.
    rows: Vec<Decision>,
}

/// The keys of what chance decides in a deal beside the cards and the bots: which bot has each seat, by its number, then
/// each decision.
const FIRST_DECISION: u64 = 4;

impl<'a> Table<'a> {
    pub(super) fn new(settings: &'a Settings) -> Self {
        silence_bots();
        let rules = &settings.rules;
        Self {
            settings,
            space: ActionSpace::new(rules),
            encoder: settings.encoder(),
            seatings: Self::seat(settings),
            state: DealState::new(rules, &Deal::new(&rules.deal, Deck::sorted(), Seat::S0)),
            solver: Solver::new(),
            rows: Vec::new(),
        }
    }

    fn seat(settings: &Settings) -> Vec<Seating> {
        settings.bots.iter().map(|bot| Seating::build(&|_, _| bot.build(), 0)).collect()
    }

    /// Plays a deal and returns its decisions.
    pub(super) fn play(&mut self, secrets: Secrets, deal: u64) -> Result<Vec<Decision>, DealError> {
        let rules = &self.settings.rules;
        self.state.restart(&Deal::new(&rules.deal, Deck::shuffled(secrets, deal), dealer(deal)));
        self.rows.clear();
        let chance = |detail: u64| secrets.key(Purpose::Experiment, deal, detail);
        let bots = Seat::ALL.map(|seat| chance(seat as u64).below(self.seatings.len()));
        let mut keys = secrets.decisions(deal).0.map(KeyStream::new);
        for seating in &mut self.seatings {
            seating.faults.clear();
            seating.thoughts.clear();
        }
        for bot in 0..self.seatings.len() {
            self.ask(bot, |seating, _| seating.start())?;
        }
        for decision in 0u16.. {
            let (Turn::Call(seat) | Turn::Play(seat)) = self.state.turn() else { break };
            let key = chance(FIRST_DECISION + u64::from(decision));
            self.decide(decision, bots[seat.index()], &mut keys[seat.index()], key)?;
        }
        let score = match self.state.outcome() {
            Some(Outcome::Played { score, .. }) => score.points,
            _ => ByTeam([0; 2]),
        };
        for row in &mut self.rows {
            let side = Seat::from_index(row.seat.into()).team();
            row.deal = deal;
            row.outcome = score[side] - score[side.other()];
        }
        Ok(core::mem::take(&mut self.rows))
    }

    /// Asks a bot; the seatings are built anew when it panics.
    fn ask(&mut self, bot: usize, ask: impl FnOnce(&mut Seating, &mut DealState)) -> Result<(), DealError> {
        let asked = guarded(|| ask(&mut self.seatings[bot], &mut self.state));
        asked.map_err(|BotPanic(why)| {
            self.seatings = Self::seat(self.settings);
            DealError::Crash(Crash { bot: self.settings.bots[bot].to_string(), why })
        })
    }

    /// Lets the seat whose turn it is decide, or chance; writes the decision down where it is wanted.
    fn decide(&mut self, decision: u16, bot: usize, keys: &mut KeyStream, key: Key) -> Result<(), DealError> {
        let (seat, is_card) = match self.state.turn() {
            Turn::Call(seat) => (seat, false),
            Turn::Play(seat) => (seat, true),
            Turn::Over => return Ok(()),
        };
        let order = if self.settings.which.has(is_card) { Some(self.observe(seat, decision)?) } else { None };
        // The two halves of a key are unrelated: one says whether, the other what.
        let stray = order.filter(|_| key.happens(self.settings.stray)).map(|_| key);
        let action =
            if is_card { self.card(seat, bot, keys, stray)? } else { self.call(seat, bot, keys, stray)? };
        if let (Some(order), Some(row)) = (order, self.rows.last_mut()) {
            let number = self.space.index(action).and_then(|number| self.space.rename(number, order));
            row.played = u16::try_from(number.expect("a legal action has a number")).unwrap_or(u16::MAX);
            row.stray = stray.is_some();
        }
        Ok(())
    }

    /// Lets a card be played, by chance where there is a key, and returns it.
    fn card(
        &mut self,
        seat: Seat,
        bot: usize,
        keys: &mut KeyStream,
        stray: Option<Key>,
    ) -> Result<Action, DealError> {
        let state = &mut self.state;
        let (legal, before) = (state.legal_plays(), state.view(seat).played_by(seat));
        let mut with_choice = CardSet::EMPTY;
        if state.rules().belote.announce == Announce::Voluntary {
            with_choice = legal.into_iter().filter(|card| state.may_announce_belote(*card)).collect();
        }
        match stray.and_then(|key| random_card(legal, key)) {
            Some(card) => drop(state.play(card).expect("a legal card is accepted")),
            None => self.ask(bot, |seating, state| seating.card(state, seat, keys))?,
        }
        let state = &self.state;
        let card = (state.view(seat).played_by(seat) - before).first().expect("a card was played");
        let is_announced = state.belote(card.suit()).and_then(|belote| belote.announced) == Some(true);
        let is_silent = with_choice.contains(card) && !is_announced;
        Ok(if is_silent { Action::SilentCard(card) } else { Action::Card(card) })
    }

    /// Lets a call be made, by chance where there is a key, and returns it.
    fn call(
        &mut self,
        seat: Seat,
        bot: usize,
        keys: &mut KeyStream,
        stray: Option<Key>,
    ) -> Result<Action, DealError> {
        let (legal, before) = (self.state.legal_calls(), self.state.auction().calls().len());
        match stray.and_then(|key| legal.nth(key.below(legal.len()))) {
            Some(call) => drop(self.state.call(call).expect("a legal call is accepted")),
            None => self.ask(bot, |seating, state| seating.call(state, seat, keys))?,
        }
        // An offer that is declined is no call of the auction.
        let calls = self.state.auction().calls();
        Ok(Action::Call(calls.get(before).map_or(Call::Pass, |(_, call)| *call)))
    }

    /// Adds a row with what the seat knows and, of a card, what each is worth.
    fn observe(&mut self, seat: Seat, decision: u16) -> Result<SuitOrder, DealError> {
        let state = &self.state;
        let mut row = Decision {
            deal: 0,
            seat: seat as u8,
            number: decision,
            dealer: state.deal().dealer() as u8,
            obs: [0; Encoder::WORDS],
            mask: Mask(vec![0; self.space.len()]),
            values: [NONE; 32],
            played: 0,
            stray: false,
            outcome: 0,
        };
        let order = self.encoder.encode(&state.view(seat), &mut row.obs);
        self.space.mask(state, &mut row.mask.0);
        self.space.rename_mask(&mut row.mask.0, order);
        let mut wrong = None;
        if let (Some(play), Some(payoff)) = (state.play_state(), Payoff::of_state(state))
            && payoff.is_exact()
        {
            payoff.solve(&mut self.solver, state.rules(), play, play.legal_plays(), |card, score| {
                let card = order.rename(CardSet::only(card)).first().unwrap_or(card);
                match i16::try_from(score) {
                    Ok(score) if score != NONE => row.values[card.index()] = score,
                    _ => wrong = Some(score),
                }
            });
        }
        self.rows.push(row);
        wrong.map_or(Ok(order), |score| Err(DealError::Score(score)))
    }
}
