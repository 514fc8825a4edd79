//! Deals of a population, in which every card is tried.

use std::sync::Arc;

use coinche_bots::net::cards::{CardInput, CardNetwork, NetPlayer, encode};
use coinche_bots::search::{Payoff, same_card};
use coinche_bots::{Bot, BotSpec, CardPlayer, RulesPlayer};
use coinche_engine::solver::Solver;
use coinche_engine::{
    BySeat, Card, CardSet, DealState, Key, Purpose, RuleSet, Seat, Secrets, Team, Turn, random_card,
};

use super::rows::{CardRows, Choice, HAND, NO_CARD, NOT_SOLVED};
use super::{Policy, Trials};
use crate::train::{clamped, dealt, net, play_out};

/// The share of deals in which both sides are of one kind, and that of seats at which the network plays.
const ALIKE: f64 = 0.5;
const NET: f64 = 0.6;
/// The share of deals in which one card strays.
const STRAY: f64 = 0.7;

/// The players of a thread.
pub(super) struct Players {
    bots: Vec<Bot>,
    net: Option<NetPlayer>,
    rules: RulesPlayer,
    trials: Trials,
    solver: Solver,
    input: CardInput,
    /// The share of deals that are held out.
    held_out: f64,
}

impl Players {
    pub(super) fn new(
        population: &[BotSpec],
        net: Option<&Arc<CardNetwork>>,
        trials: Trials,
        held_out: f64,
    ) -> Self {
        Self {
            bots: population.iter().map(BotSpec::build).collect(),
            net: net.map(|network| NetPlayer::new(Arc::clone(network))),
            rules: RulesPlayer,
            trials,
            solver: Solver::new(),
            input: CardInput::default(),
            held_out,
        }
    }

    /// Which bot has each seat, and where the network plays the cards.
    fn seat(&self, key: Key) -> (BySeat<usize>, BySeat<bool>) {
        let bot = |at: u64| key.and(at).below(self.bots.len());
        let sides = if key.and(1).happens(ALIKE) { [bot(2); 2] } else { [bot(2), bot(3)] };
        let seats = BySeat::from_fn(|seat: Seat| sides[usize::from(seat.team() == Team::Odd)]);
        let nets = BySeat::from_fn(|seat: Seat| self.net.is_some() && key.and(8 + seat as u64).happens(NET));
        (seats, nets)
    }

    /// Plays a deal and adds a row for every choice among cards, where what the others played was meant.
    pub(super) fn rows(&mut self, rules: &RuleSet, secrets: Secrets, index: u64, rows: &mut CardRows) {
        let deal = dealt(rules, secrets, index);
        let key = secrets.key(Purpose::Experiment, index, 0);
        let (seats, nets) = self.seat(key.and(1));
        let mut state = DealState::new(rules, &deal);
        let mut count = 0u64;
        self.bots.iter_mut().for_each(|bot| bot.bidder.start());
        while let Turn::Call(seat) = state.turn() {
            count += 1;
            let bidder = &mut self.bots[seats[seat]].bidder;
            let call = bidder.call(&state.view(seat), &state.legal_calls(), key.and(2).and(count));
            if state.call(call).is_err() {
                return;
            }
        }
        let preset = RuleSet::PRESETS.iter().position(|(_, preset)| preset == rules);
        // What is known of every choice.
        let mut choice = Choice {
            deal: index,
            rules: preset.and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX),
            held_out: key.and(6).happens(self.held_out),
            cards: [NO_CARD; HAND],
            ..Choice::default()
        };
        let stray = key.and(3).happens(STRAY).then(|| key.and(4).below(30));
        let mut strayed = None;
        for number in 0.. {
            let Turn::Play(seat) = state.turn() else { break };
            let legal = state.legal_plays();
            let strays = stray == Some(number);
            let card = match random_card(legal, key.and(5)) {
                Some(card) if strays => card,
                _ => self.choose(&state, seat, seats[seat], nets[seat], legal),
            };
            if strayed.is_none_or(|other| other == seat) && legal.len() > 1 {
                choice.stray = strays;
                self.row(&state, seat, legal, card, choice, rows);
            }
            if strays && legal.len() > 1 {
                strayed = Some(seat);
            }
            if state.play(card).is_err() {
                return;
            }
        }
    }

    /// Who plays a deal out after each card.
    fn policy(&mut self) -> &mut dyn CardPlayer {
        match &mut self.net {
            Some(net) if self.trials.policy == Policy::Net => net,
            _ => &mut self.rules,
        }
    }

    fn choose(&mut self, state: &DealState, seat: Seat, bot: usize, net: bool, legal: CardSet) -> Card {
        let (view, key) = (state.view(seat), Key::from_bits(0));
        match &mut self.net {
            Some(player) if net => player.play(&view, legal, key),
            _ => self.bots[bot].player.play(state, seat, legal, key),
        }
    }

    /// Adds the row of a choice, with what every card is worth.
    fn row(
        &mut self,
        state: &DealState,
        seat: Seat,
        legal: CardSet,
        card: Card,
        mut choice: Choice,
        rows: &mut CardRows,
    ) {
        let (Some(play), Some(payoff)) = (state.play_state(), Payoff::of_state(state)) else { return };
        let view = state.view(seat);
        let mut cards = legal.into_iter();
        let first = cards.next();
        if !payoff.is_exact() || first.is_none_or(|first| cards.all(|card| same_card(&view, first, card))) {
            return;
        }
        let order = encode(&view, &mut self.input);
        let place = |card: Card| {
            let card = order.rename(CardSet::only(card)).first().map_or(0, Card::index);
            u8::try_from(card).unwrap_or_default()
        };
        choice.seat = seat as u8;
        choice.trick = u8::try_from(view.tricks().len()).unwrap_or_default();
        choice.played = place(card);
        let mut at = [0usize; 32];
        for (n, other) in legal.into_iter().enumerate() {
            at[other.index()] = n;
            choice.cards[n] = place(other);
            choice.played_out[n] = played_out(self.policy(), state, seat.team(), other);
            choice.same |= u8::from(other == card || same_card(&view, card, other)) << n;
        }
        if choice.trick >= self.trials.solved_from {
            payoff.solve(&mut self.solver, state.rules(), play, legal, |card, score| {
                choice.solved[at[card.index()]] = clamped(score);
            });
        } else {
            choice.solved = [NOT_SOLVED; HAND];
        }
        rows.add(&self.input, choice);
    }
}

/// What the team scores, net, when the policy plays on for all four after a card.
fn played_out(policy: &mut dyn CardPlayer, state: &DealState, team: Team, card: Card) -> i16 {
    let mut state = state.clone();
    if state.play(card).is_err() {
        return 0;
    }
    let choose =
        |state: &DealState, seat| policy.play(&state.view(seat), state.legal_plays(), Key::from_bits(0));
    play_out(&mut state, choose).map_or(0, |(_, score)| net(&score, team))
}
