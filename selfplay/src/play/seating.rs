//! The bots of one seating, and how they are asked.

use coinche_bots::{Agent as _, Bot, Thought as BotThought};
use coinche_engine::record::{Fault, FaultKind};
use coinche_engine::rules::Announce;
use coinche_engine::{Call, DealState, Key, LegalCalls, Play, Seat, Turn};

use crate::play::played::Thought;
use crate::play::schedule::Side;

/// The bots of one seating.
#[derive(Debug)]
pub struct Seating {
    bots: [Bot; 4],
    /// By seat, whether the bidder and the player report thoughts.
    thinks: [[bool; 2]; 4],
    /// The thoughts reported since the last clear.
    pub thoughts: Vec<Thought>,
    /// The seat that is being asked.
    pub asking: Seat,
    /// The faults since the last clear.
    pub faults: Vec<Fault>,
}

impl Seating {
    /// Builds the bots of a seating.
    pub fn build(make: &dyn Fn(Side, Seat) -> Bot, leg: u32) -> Self {
        let bots = Seat::ALL.map(|seat| make(Side::ALL[(seat.index() + leg as usize) % 2], seat));
        let thinks = bots.each_ref().map(|bot| [bot.bidder.thinks(), bot.player.thinks()]);
        Self { bots, thinks, thoughts: Vec::new(), asking: Seat::S0, faults: Vec::new() }
    }

    /// Records a bot's thought on a decision; for a call also the number of calls before it.
    #[cold]
    fn note(&mut self, seat: Seat, decision: u64, calls: Option<usize>) {
        let bot = &self.bots[seat.index()];
        let thought = if calls.is_some() { bot.bidder.thought() } else { bot.player.thought() };
        let Some(&BotThought { points, chance, .. }) = thought else { return };
        if points.is_some() || chance.is_some() {
            self.thoughts.push(Thought { seat: seat as u8, decision, calls, points, chance });
        }
    }

    /// Records a fault of a bot.
    pub(super) fn fault(&mut self, seat: Seat, kind: FaultKind, detail: String) {
        self.faults.push(Fault { seat, kind, detail });
    }

    /// Notifies all bots that a new deal begins.
    pub fn start(&mut self) {
        for seat in Seat::ALL {
            self.asking = seat;
            self.bots[seat.index()].start();
        }
    }

    /// Plays a deal from the first call to the last card.
    pub fn play(&mut self, state: &mut DealState, mut keys: [KeyStream; 4]) {
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
    pub fn bid(&mut self, state: &mut DealState, mut keys: [KeyStream; 4]) {
        self.start();
        while let Turn::Call(seat) = state.turn() {
            self.call(state, seat, &mut keys[seat.index()]);
        }
    }

    /// Asks a seat for its call.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "programs are asked elsewhere: the loop of a deal keeps its own copy"
    )]
    pub fn call(&mut self, state: &mut DealState, seat: Seat, keys: &mut KeyStream) {
        self.asking = seat;
        let legal = state.legal_calls();
        let mut call = self.bots[seat.index()].bidder.call(&state.view(seat), &legal, keys.next());
        if self.thinks[seat.index()][0] {
            self.note(seat, keys.decisions() - 1, Some(state.auction().calls().len()));
        }
        if !legal.contains(call) {
            self.fault(seat, FaultKind::Illegal, format!("the call {call}"));
            call = replacement(&legal);
        }
        state.call(call).expect("a legal call is accepted");
    }

    /// Asks a seat for its card.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "programs are asked elsewhere: the loop of a deal keeps its own copy"
    )]
    pub fn card(&mut self, state: &mut DealState, seat: Seat, keys: &mut KeyStream) {
        self.asking = seat;
        let legal = state.legal_plays();
        let player = &mut self.bots[seat.index()].player;
        let mut card = player.play(state, seat, legal, keys.next());
        if self.thinks[seat.index()][1] {
            self.note(seat, keys.decisions() - 1, None);
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
        if rules.melds.enabled && state.tricks().is_empty() && may_choose_melds(state, seat) {
            self.choose_melds(state, seat, keys, &mut play);
        }
        state.play(play).expect("a legal card is accepted");
    }

    /// Asks which melds to announce if there is a choice.
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

/// Returns the call that replaces an illegal one.
pub fn replacement(legal: &LegalCalls) -> Call {
    if legal.contains(Call::Pass) { Call::Pass } else { legal.nth(0).unwrap_or(Call::Pass) }
}

/// Tests cheaply if there may be a choice of melds; where all are announced, that needs four of a rank.
fn may_choose_melds(state: &DealState, seat: Seat) -> bool {
    let hand = state.hands()[seat].bits();
    hand & hand >> 8 & hand >> 16 & hand >> 24 & 0xff != 0
        || state.rules().melds.announce == Announce::Voluntary
}

/// The keys of one seat's decisions in one leg, in order.
#[derive(Debug, Clone, Copy)]
pub struct KeyStream {
    key: Key,
    decision: u64,
}

impl KeyStream {
    /// Creates a stream before the first decision.
    pub const fn new(key: Key) -> Self {
        Self { key, decision: 0 }
    }

    /// Returns the number of decisions so far.
    pub const fn decisions(&self) -> u64 {
        self.decision
    }

    /// Returns the key of the next decision.
    #[inline]
    pub const fn next(&mut self) -> Key {
        let key = self.key.and(self.decision);
        self.decision += 1;
        key
    }
}
