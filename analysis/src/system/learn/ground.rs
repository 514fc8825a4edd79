//! Deals on which systems are compared exactly: the same deals, opponents and card play for all of them.
//!
//! Cards are played by `rules`, whose play depends on the strain, the declarer, on whether the contract is a slam, and on
//! the suits that each seat has bid. So a deal is played out once for each of these, and bid as often as there are
//! systems to compare. Of a candidate only the auctions are bid again in which it calls otherwise than the current system.

use core::ops::Range;
use std::sync::Arc;

use coinche_bots::system::{Floor, Moment, System, SystemBidder};
use coinche_bots::{Bidder, Bot, BotSpec, CardPlayer, Considered, RulesPlayer};
use coinche_engine::{
    BidValue, Call, CardSet, Contract, DealResult, DealState, Goal, Key, RuleSet, Seat, Secrets, Team, Turn,
};
use coinche_inference::{Merge, PairedSums};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use crate::train::{dealt, play_out};

/// A call of the current system.
#[derive(Debug, Clone)]
pub(in crate::system) struct Own {
    pub(in crate::system) moment: Box<Moment>,
    pub(in crate::system) hand: CardSet,
    /// The rule that made it; `None` of the floor.
    pub(in crate::system) rule: Option<usize>,
    pub(in crate::system) call: Call,
    /// The number of calls before it.
    at: usize,
}

/// An auction with the system at the seats of one team.
#[derive(Debug, Clone, Default)]
struct Auction {
    calls: Vec<(Seat, Call)>,
    own: Vec<Own>,
    /// The score of the system's side less the other's.
    score: i32,
}

/// A deal, its play as far as it was needed, and the auctions of the current system as each team.
struct Board {
    index: u64,
    start: DealState,
    played: Vec<(u32, DealResult)>,
    auctions: [Auction; 2],
}

/// The first call in which a candidate differs from the current system, and what comes of it.
#[derive(Debug, Clone)]
pub(in crate::system) struct Change {
    /// The number of the deal.
    pub(in crate::system) deal: u64,
    /// The team of the system: 0 for seats 0 and 2.
    pub(in crate::system) leg: usize,
    /// The calls before it.
    pub(in crate::system) calls: Vec<(Seat, Call)>,
    /// The turn of the current system.
    pub(in crate::system) own: Own,
    /// The rule of the candidate and its call.
    pub(in crate::system) rule: Option<usize>,
    pub(in crate::system) call: Call,
    /// What the candidate scores more.
    pub(in crate::system) gain: i32,
}

/// A call that a rule made.
#[derive(Debug, Clone)]
pub(in crate::system) struct Example {
    pub(in crate::system) seat: Seat,
    /// The calls before it.
    pub(in crate::system) before: Vec<(Seat, Call)>,
    pub(in crate::system) hand: CardSet,
    pub(in crate::system) call: Call,
}

/// Adds up the two legs of deals.
fn total(legs: impl IntoIterator<Item = [i32; 2]>) -> PairedSums {
    let mut sums = PairedSums::default();
    legs.into_iter().for_each(|legs| sums.add(legs.map(i64::from)));
    sums
}

/// Returns the mean in points per deal, and its plain standard error.
pub(super) fn mean(sums: &PairedSums) -> (f64, f64) {
    let [mean, variance] = sums.moments().unwrap_or_default();
    (mean, (variance / sums.pairs.max(1) as f64).sqrt())
}

/// Deals, the current system on them, and who it meets.
pub(in crate::system) struct Ground {
    rules: RuleSet,
    company: Vec<BotSpec>,
    secrets: Secrets,
    boards: Vec<Board>,
    /// The current system.
    system: Option<System>,
}

/// The floor of a system where it may make every call.
fn free_floor(system: &System) -> Option<Floor> {
    system.promises().is_empty().then(|| system.floor())
}

impl Ground {
    /// Deals the cards. On deal `n` the opponents are bidder `n` of the company, in rotation.
    pub(in crate::system) fn new(
        rules: &RuleSet,
        company: &[BotSpec],
        secrets: Secrets,
        deals: Range<u64>,
    ) -> Self {
        let board = |index| Board {
            index,
            start: DealState::new(rules, &dealt(rules, secrets, index)),
            played: Vec::new(),
            auctions: Default::default(),
        };
        let boards = deals.map(board).collect();
        Self { rules: *rules, company: company.to_vec(), secrets, boards, system: None }
    }

    /// Returns the number of deals.
    pub(in crate::system) fn len(&self) -> usize {
        self.boards.len()
    }

    /// Returns the rules.
    pub(in crate::system) const fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Does something with each deal of a range on all threads; results are in order.
    fn each<R: Send>(
        &mut self,
        system: &System,
        range: Range<usize>,
        of: impl Fn(&mut Board, &mut Players) -> R + Sync,
    ) -> Vec<R> {
        let (company, secrets) = (&self.company, self.secrets);
        let current = self.system.as_ref();
        let floor = current.and_then(free_floor);
        let same_floor = floor.is_some() && floor == free_floor(system);
        let known = current.map_or_else(Vec::new, |current| system.rules_of(current));
        let bidder = SystemBidder::new(Arc::new(system.clone()));
        let players = || Players {
            system: bidder.clone(),
            others: company.iter().map(BotSpec::build).collect(),
            secrets,
            same_floor,
            known: known.clone(),
            teacher: None,
        };
        let boards = self.boards[range].par_iter_mut().with_min_len(64);
        boards.map_init(players, |players, board| of(board, players)).collect()
    }

    /// Bids all deals by a system, which is the current one from then on, and returns its score.
    pub(in crate::system) fn set(&mut self, system: &System) -> PairedSums {
        self.system = Some(system.clone());
        let all = 0..self.len();
        let scores = self.each(system, all, |board, players| {
            for team in Team::ALL {
                let mut auction = Auction::default();
                let mut state = board.start.clone();
                players.bid(board.index, &mut state, team, |_, _, _, own| {
                    let call = own.call;
                    auction.own.push(own);
                    call
                });
                auction.calls = state.auction().calls().to_vec();
                auction.score = board.score(&state, team);
                board.auctions[team as usize] = auction;
            }
            board.auctions.each_ref().map(|auction| auction.score)
        });
        total(scores)
    }

    /// Returns how often each rule of the current system has called, of how many calls.
    pub(in crate::system) fn applied(&self, rules: usize) -> (Vec<u64>, u64) {
        let (mut applied, mut all) = (vec![0; rules], 0);
        for own in self.boards.iter().flat_map(|board| &board.auctions).flat_map(|auction| &auction.own) {
            all += 1;
            own.rule.and_then(|rule| applied.get_mut(rule)).into_iter().for_each(|count| *count += 1);
        }
        (applied, all)
    }

    /// Returns for each rule of the current system a call that it made, the one with the fewest calls before it: the seat, the calls
    /// before, and the turn.
    pub(in crate::system) fn examples(&self, rules: usize) -> Vec<Option<Example>> {
        let mut examples: Vec<Option<Example>> = vec![None; rules];
        for auction in self.boards.iter().flat_map(|board| &board.auctions) {
            for own in &auction.own {
                let Some(place) = own.rule.and_then(|rule| examples.get_mut(rule)) else { continue };
                if place.as_ref().is_none_or(|it| own.at < it.before.len()) {
                    let ((seat, _), before) = (auction.calls[own.at], auction.calls[..own.at].to_vec());
                    *place = Some(Example { seat, before, hand: own.hand, call: own.call });
                }
            }
        }
        examples
    }

    /// Returns what a candidate gains over the current system on some of the deals.
    fn gain(&mut self, candidate: &System, range: Range<usize>) -> PairedSums {
        total(self.each(candidate, range, |board, players| {
            Team::ALL.map(|team| board.change(players, team).map_or(0, |(.., gain)| gain))
        }))
    }

    /// Returns what a candidate gains over the current system on all deals.
    pub(in crate::system) fn compare(&mut self, candidate: &System) -> PairedSums {
        self.gain(candidate, 0..self.len())
    }

    /// Returns what a candidate gains, unless it is plain before the last deal that it does not gain `least` points:
    /// deals are added in stages.
    pub(in crate::system) fn race(&mut self, candidate: &System, least: f64) -> Option<PairedSums> {
        const STAGES: [usize; 5] = [5, 15, 40, 70, 100];
        let (mut gain, mut from) = (PairedSums::default(), 0);
        for stage in STAGES {
            let to = self.len() * stage / 100;
            gain.merge(&self.gain(candidate, from..to));
            from = to;
            let (mean, error) = mean(&gain);
            if mean + 1.5 * error < least || gain.differing == 0 && least >= 0.0 && stage >= 40 {
                return None;
            }
        }
        Some(gain)
    }

    /// Returns the first differences of a candidate from the current system, of both teams, in the order of deals.
    pub(in crate::system) fn changes(&mut self, candidate: &System) -> Vec<Change> {
        let all = 0..self.len();
        let changes = self.each(candidate, all, |board, players| {
            let change = |team: Team| {
                let (n, rule, call, gain) = board.change(players, team)?;
                let Auction { calls, own, .. } = &board.auctions[team as usize];
                let (own, deal) = (own[n].clone(), board.index);
                let calls = calls[..own.at].to_vec();
                Some(Change { deal, leg: team as usize, calls, own, rule, call, gain })
            };
            Team::ALL.into_iter().filter_map(change).collect::<Vec<_>>()
        });
        changes.into_iter().flatten().collect()
    }

    /// Asks a teacher at each turn of a side that bids by a system or, if `alone`, by the teacher itself. `row` returns a row of each
    /// turn, given what the teacher thinks of the calls; there is none where it reports no thought.
    pub(in crate::system) fn asked<R: Send>(
        &mut self,
        system: &System,
        teacher: &BotSpec,
        alone: bool,
        row: impl Fn(&Own, &[Considered]) -> R + Sync,
    ) -> Vec<R> {
        let all = 0..self.len();
        let rows = self.each(system, all, |board, players| {
            let mut asked = players.teacher.take().unwrap_or_else(|| teacher.build());
            let mut rows = Vec::new();
            for team in Team::ALL {
                asked.start();
                players.bid(board.index, &mut board.start.clone(), team, |state, seat, key, own| {
                    let call = asked.bidder.call(&state.view(seat), &state.legal_calls(), key);
                    rows.extend(asked.thought(true).map(|thought| row(&own, &thought.options)));
                    if alone { call } else { own.call }
                });
            }
            players.teacher = Some(asked);
            rows
        });
        rows.into_iter().flatten().collect()
    }
}

/// The bidders of a thread.
struct Players {
    system: SystemBidder,
    others: Vec<Bot>,
    secrets: Secrets,
    /// Whether the floor of the system calls as that of the current one.
    same_floor: bool,
    /// For each rule of the system the rule of the current one that is the same.
    known: Vec<Option<usize>>,
    /// Who is asked, once it was.
    teacher: Option<Bot>,
}

impl Players {
    /// The call of the system, and the rule that makes it.
    fn own_call(
        &mut self,
        state: &DealState,
        seat: Seat,
        moment: &Moment,
        key: Key,
    ) -> (Option<usize>, Call) {
        let view = state.view(seat);
        match self.system.system().decide(moment, view.first_hand()) {
            Some(claim) => (Some(claim.rule), claim.call),
            None => (None, self.system.call(&view, &state.legal_calls(), key)),
        }
    }

    /// Tests if the system calls as the current one at its turn, as far as its rules tell. Of the rules that both have, those before the one
    /// that made the call did not apply; only the others are asked.
    fn calls_as(&self, own: &Own) -> bool {
        let made = |rule: &usize| own.rule.is_some() && self.known[*rule] == own.rule;
        let may_apply = |rule: &usize| match (self.known[*rule], own.rule) {
            (None, _) => true,
            (Some(known), Some(rule)) => known > rule,
            (Some(_), None) => false,
        };
        let last = (0..self.known.len()).find(made);
        let asked = (0..last.unwrap_or(self.known.len())).filter(may_apply);
        match self.system.system().decide_by(&own.moment, own.hand, asked) {
            Some(claim) => claim.call == own.call,
            None => last.is_some() || own.rule.is_none() && self.same_floor,
        }
    }

    /// Bids an auction to its end, with the system at the seats of a team: `call` returns what is called at its turns, given what
    /// the system calls.
    fn bid(
        &mut self,
        deal: u64,
        state: &mut DealState,
        team: Team,
        mut call: impl FnMut(&DealState, Seat, Key, Own) -> Call,
    ) {
        let other = usize::try_from(deal % self.others.len() as u64).unwrap_or_default();
        self.others[other].start();
        while let Turn::Call(seat) = state.turn() {
            let at = state.auction().calls().len();
            let key = Key::decisions(self.secrets, deal, seat).and(at as u64);
            let legal = state.legal_calls();
            let call = if seat.team() == team {
                let view = state.view(seat);
                let (moment, hand) = (Moment::of(&view, &legal), view.first_hand());
                let (rule, own) = self.own_call(state, seat, &moment, key);
                call(state, seat, key, Own { moment: Box::new(moment), hand, rule, call: own, at })
            } else {
                self.others[other].bidder.call(&state.view(seat), &legal, key)
            };
            if state.call(call).is_err() {
                break;
            }
        }
    }
}

impl Board {
    /// The state after some calls.
    fn after(&self, calls: &[(Seat, Call)]) -> DealState {
        let mut state = self.start.clone();
        for (_, call) in calls {
            let legal = state.call(*call);
            debug_assert!(legal.is_ok(), "it was made before");
        }
        state
    }

    /// The score of a team less the other's after an auction.
    fn score(&mut self, state: &DealState, team: Team) -> i32 {
        let Some(contract) = state.contract() else { return 0 };
        let key = play_key(state, contract);
        let known = self.played.iter().find(|(other, _)| *other == key).map(|(_, result)| *result);
        let Some(result) = known.or_else(|| self.play(state, key)) else { return 0 };
        let score = DealResult { contract, ..result }.score(state.rules());
        score.points[team] - score.points[team.other()]
    }

    fn play(&mut self, state: &DealState, key: u32) -> Option<DealResult> {
        let card = |state: &DealState, seat| {
            RulesPlayer.play(&state.view(seat), state.legal_plays(), Key::from_bits(0))
        };
        let (result, _) = play_out(&mut state.clone(), card)?;
        self.played.push((key, result));
        Some(result)
    }

    /// The first call of a candidate that differs from the current system's: which of its calls, the rule and call of the
    /// candidate, and what it scores more; `None` if there is none.
    fn change(&mut self, players: &mut Players, team: Team) -> Option<(usize, Option<usize>, Call, i32)> {
        let auction = std::mem::take(&mut self.auctions[team as usize]);
        let found = auction.own.iter().enumerate().find_map(|(n, own)| {
            if players.calls_as(own) {
                return None;
            }
            let mut state = self.after(&auction.calls[..own.at]);
            let Turn::Call(seat) = state.turn() else { return None };
            let key = Key::decisions(players.secrets, self.index, seat).and(own.at as u64);
            let (rule, call) = players.own_call(&state, seat, &own.moment, key);
            if call == own.call {
                return None;
            }
            state.call(call).ok()?;
            Some((n, rule, call, state))
        });
        let change = found.map(|(n, rule, call, mut state)| {
            players.bid(self.index, &mut state, team, |_, _, _, own| own.call);
            (n, rule, call, self.score(&state, team) - auction.score)
        });
        self.auctions[team as usize] = auction;
        change
    }
}

/// What the card play of `rules` depends on, besides the deal.
fn play_key(state: &DealState, contract: Contract) -> u32 {
    let slam = matches!(contract.goal, Goal::Bid(BidValue::CAPOT | BidValue::GENERALE));
    let mut key = 1 << contract.strain.index() | 1 << (6 + contract.declarer as u32) | u32::from(slam) << 10;
    for (seat, call) in state.auction().calls() {
        if let Call::Bid(bid) = call
            && let Some(suit) = bid.strain.trump()
        {
            key |= 1 << (11 + 4 * (*seat as usize) + suit.index());
        }
    }
    key
}
