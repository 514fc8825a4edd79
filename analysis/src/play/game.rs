//! A game of people and bots, deal after deal: what `arena play` and `arena serve` have in common.
//!
//! The game knows no person: whoever has it decides which seats to ask ([`Game::ask`]) and which to answer for
//! ([`Game::call`], [`Game::play`]).

use std::cell::RefCell;

use coinche_bots::BotSpec;
use coinche_engine::record::{Fault, FaultKind};
use coinche_engine::{
    BySeat, ByTeam, Call, Deal, DealState, Deck, IllegalCall, IllegalPlay, Key, Play, RuleSet, Seat, Secrets,
    Seed, Team, Turn,
};
use coinche_protocol::{SeatedPrograms, seat_bot};
use coinche_selfplay::base::guard::{BotPanic, guarded, silence_bots};
use coinche_selfplay::play::match_run::MatchRun;
use coinche_selfplay::play::schedule::Leg;
use coinche_selfplay::{Ending, InMatch, JsonLines, KeyStream, PlayedDeal, Schedule, Seating, Side, Unit};

/// Where the cards of a game come from.
#[derive(Debug, Clone)]
pub enum Cards {
    /// Matches, as in a run with `--match`.
    Matches,
    /// One deal.
    One {
        /// The cards and the dealer.
        deal: Box<Deal>,
        /// The number of the deal.
        number: u64,
        /// How often the seats were turned since it was first played.
        leg: u32,
    },
}

/// A game: the deal that is being played, and the match that it belongs to.
#[derive(Debug)]
pub struct Game {
    rules: RuleSet,
    bots: BySeat<BotSpec>,
    cards: Cards,
    schedule: Schedule,
    /// The number of the next match.
    number: u64,
    run: Option<MatchRun>,
    leg: Leg,
    deal: u64,
    in_match: Option<InMatch>,
    /// The deal before the first call.
    start: DealState,
    state: DealState,
    first_keys: [KeyStream; 4],
    keys: [KeyStream; 4],
    seating: Seating,
    programs: BySeat<SeatedPrograms>,
    forfeit: Option<Seat>,
}

/// A deal that is over.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// Its score.
    pub score: ByTeam<i32>,
    /// The score of the match.
    pub total: ByTeam<i32>,
    /// Whether the match is over; of a single deal it is.
    pub is_over: bool,
    /// Who won the match.
    pub winner: Option<Team>,
    /// The record, as a line.
    pub record: Vec<u8>,
}

pub use coinche_engine::record::Step;

impl Game {
    /// Creates a game; [`Game::next_deal`] deals.
    pub fn new(rules: &RuleSet, bots: BySeat<BotSpec>, seed: &Seed, cards: Cards) -> Self {
        silence_bots();
        let unit = if matches!(cards, Cards::Matches) { Unit::Match } else { Unit::Deal };
        let schedule = Schedule { secrets: Secrets::from(seed), unit, pairs: u64::MAX };
        let state = DealState::new(rules, &Deal::new(&rules.deal, Deck::sorted(), Seat::S0));
        let (seating, programs) = seat_bots(rules, &bots);
        let keys = [KeyStream::new(Key::from_bits(0)); 4];
        Self {
            rules: *rules,
            bots,
            cards,
            schedule,
            number: 0,
            run: None,
            leg: schedule.pair(0)[0],
            deal: 0,
            in_match: None,
            start: state.clone(),
            state,
            first_keys: keys,
            keys,
            seating,
            programs,
            forfeit: None,
        }
    }

    /// Deals the next cards.
    pub fn next_deal(&mut self) {
        match &self.cards {
            Cards::Matches => {
                if self.run.is_none() {
                    self.leg = self.schedule.pair(self.number)[0];
                    self.run = Some(MatchRun::new(&self.rules, &self.schedule, self.leg, Vec::new()));
                    self.number += 1;
                }
                let run = self.run.as_ref().expect("started above");
                let (deal, in_match, keys) = run.next_deal(&mut self.state);
                (self.deal, self.in_match, self.first_keys) = (deal, Some(in_match), keys);
            }
            Cards::One { deal, number, leg } => {
                let [first, second] = self.schedule.pair(*number);
                let sides = if leg.is_multiple_of(2) { first.sides } else { second.sides };
                self.leg = Leg { index: *number, leg: *leg, dealer: deal.dealer(), sides };
                self.state.restart(deal);
                self.deal = *number;
                self.first_keys = self.schedule.keys(*number).0.map(KeyStream::new);
            }
        }
        self.start = self.state.clone();
        self.seating.faults.clear();
        self.again();
    }

    /// Returns to the first call of the deal; bots forget what they have seen.
    pub fn again(&mut self) {
        self.state.clone_from(&self.start);
        self.keys = self.first_keys;
        self.seating.thoughts.clear();
        self.forfeit = None;
        if let Err(panic) = guarded(|| self.seating.start()) {
            self.crashed(panic);
        }
    }

    /// Asks the bot whose turn it is, and returns what it did: nothing if it crashes, which forfeits the deal.
    pub fn ask(&mut self) -> Option<Step> {
        let (turn, calls) = (self.turn(), self.state.auction().calls().len());
        let Self { seating, state, keys, .. } = self;
        let asked = match turn {
            Turn::Call(seat) => guarded(|| seating.call(state, seat, &mut keys[seat.index()])),
            Turn::Play(seat) => guarded(|| seating.card(state, seat, &mut keys[seat.index()])),
            Turn::Over => return None,
        };
        if let Err(panic) = asked {
            self.crashed(panic);
            return None;
        }
        Some(match turn {
            // Declined offers of a coinche are not in the list of calls.
            Turn::Call(_) => {
                Step::Call(self.state.auction().calls().get(calls).map_or(Call::Pass, |it| it.1))
            }
            _ => Step::Play(self.last_play()),
        })
    }

    /// Returns the last card, with what was announced with it.
    fn last_play(&self) -> Play {
        let play = self.state.play_state().expect("a card was played");
        let (seat, card) = match (play.trick().last(), self.state.tricks().last()) {
            (Some(last), _) => last,
            (None, Some(trick)) => (trick.leader.plus(3), trick.cards[3]),
            (None, None) => unreachable!("a card was played"),
        };
        let melds = self.state.announced_melds()[seat];
        let is_first = self.state.tricks().len() + usize::from(play.cards_in_trick() > 0) == 1;
        let silent = self.state.belote(card.suit()).is_some_and(|it| it.announced == Some(false));
        Play { card, announce_belote: !silent, melds: is_first.then_some(melds) }
    }

    fn crashed(&mut self, BotPanic(detail): BotPanic) {
        self.forfeit(self.seating.asking, detail);
    }

    /// Ends the deal: a bot has failed.
    pub fn forfeit(&mut self, seat: Seat, detail: String) {
        self.seating.faults.push(Fault { seat, kind: FaultKind::Crash, detail });
        self.forfeit = Some(seat);
    }

    /// Calls for a person.
    pub fn call(&mut self, call: Call) -> Result<Seat, IllegalCall> {
        self.state.call(call)
    }

    /// Plays for a person.
    pub fn play(&mut self, play: Play) -> Result<Seat, IllegalPlay> {
        self.state.play(play)
    }

    /// Repeats what was done before: a bot whose step it was continues with its next random key.
    pub fn repeat(&mut self, step: Step, by_bot: bool) -> bool {
        let (Turn::Call(seat) | Turn::Play(seat)) = self.turn() else { return false };
        if by_bot {
            let keys = &mut self.keys[seat.index()];
            keys.next();
            if let Step::Play(play) = step {
                if self.state.may_announce_belote(play.card) {
                    keys.next();
                }
                if self.state.tricks().is_empty() && self.state.meld_options(seat).len() > 1 {
                    keys.next();
                }
            }
        }
        match step {
            Step::Call(call) => self.state.call(call).is_ok(),
            Step::Play(play) => self.state.play(play).is_ok(),
        }
    }

    /// Returns the deal.
    pub const fn state(&self) -> &DealState {
        &self.state
    }

    /// Returns the deal as it was before the first call.
    pub const fn start(&self) -> &DealState {
        &self.start
    }

    /// Returns the bots by seat.
    pub const fn bots(&self) -> &BySeat<BotSpec> {
        &self.bots
    }

    /// Returns the rules.
    pub const fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Returns the number of the deal, and its place in a match.
    pub const fn place(&self) -> (u64, Option<InMatch>) {
        (self.deal, self.in_match)
    }

    /// Returns the next random key of a seat.
    pub const fn key(&mut self, seat: Seat) -> Key {
        self.keys[seat.index()].next()
    }

    /// Returns whose turn it is.
    pub fn turn(&self) -> Turn {
        if self.forfeit.is_some() { Turn::Over } else { self.state.turn() }
    }

    /// Returns how the deal ended, once it is over.
    pub fn ending(&self) -> Option<Ending> {
        self.forfeit.map(Ending::Forfeit).or_else(|| self.state.outcome().map(Ending::Regular))
    }

    /// Adds a deal that is over to its match, and returns its record, with the names by seat and how many decisions were
    /// taken back; `None` if it is not over.
    pub fn finish(&mut self, names: &BySeat<&str>, undone: u32) -> Option<Finished> {
        let ending = self.ending()?;
        let score = ending.score(&self.rules);
        let (mut total, mut is_over, mut winner) = (score, true, None);
        if let Some(run) = &mut self.run {
            is_over = run.add(&self.state, &ending, score);
            (total, winner) = (run.result().score, run.result().winner);
            if is_over {
                self.run = None;
            }
        }
        let [even, odd] = Team::ALL.map(|team| team.seats().map(|seat| names[seat]));
        let teams = if self.leg.leg.is_multiple_of(2) { [even, odd] } else { [odd, even] };
        let mut record = Vec::new();
        let mut lines = JsonLines::of_teams(&self.rules, teams, None);
        if undone > 0 {
            lines = lines.with("undone", undone);
        }
        lines.push(
            &mut record,
            &PlayedDeal {
                leg: &self.leg,
                deal: self.deal,
                in_match: self.in_match,
                state: &self.state,
                ending,
                score,
                faults: &self.seating.faults,
                thoughts: &[],
            },
        );
        for (seat, programs) in self.programs.iter() {
            programs.send_over(&self.state, seat, score, self.forfeit.is_some());
        }
        if self.forfeit.is_some() {
            (self.seating, self.programs) = seat_bots(&self.rules, &self.bots);
        }
        Some(Finished { ending, score, total, is_over, winner, record })
    }
}

/// Builds the bots; those at people's seats are not asked.
fn seat_bots(rules: &RuleSet, bots: &BySeat<BotSpec>) -> (Seating, BySeat<SeatedPrograms>) {
    let programs = RefCell::new(BySeat::from_fn(|_| SeatedPrograms::default()));
    let make = |_: Side, seat: Seat| {
        let (bot, seated) = seat_bot(rules, &bots[seat]);
        programs.borrow_mut()[seat] = seated;
        bot
    };
    let seating = Seating::build(&make, 0);
    (seating, programs.into_inner())
}
