//! What the network knows of a call: a few dozen of [`INPUTS`] numbers, the others are zero.
//!
//! Suits are seen from the strain of the call: the trump suit first, then the others in an order that depends on what they hold and on
//! what was bid in them. So renaming the suits changes nothing.

use coinche_engine::{BidValue, Call, Contract, Goal, Melds, RuleSet, Seat, Stake, Strain, Suit};

use crate::families::family;
use crate::table::{
    AuctionSummary, BiddingContext, CallContext, ConsideredCall, kind, net_of_cards, suit_byte,
};

/// The number of inputs.
pub const INPUTS: usize = AT_MELDS + 1;

const CONTEXTS: usize = 7;
const TERMS: usize = 29 + 14 + 20;
const LEVELS: usize = 14;
/// What a player said of the strain, of four suits, of SA and TA: whether and how high.
const SAID: usize = 2 * (1 + 4 + 2);
const AT_CONTEXT: usize = 0;
const AT_TERMS: usize = AT_CONTEXT + CONTEXTS;
const AT_LEVEL: usize = AT_TERMS + TERMS;
const AT_KIND: usize = AT_LEVEL + LEVELS;
const AT_CARDS: usize = AT_KIND + 3;
const AT_SAID: usize = AT_CARDS + 32;
const AT_STANDING: usize = AT_SAID + 4 * SAID;
const AT_PLAYERS: usize = AT_STANDING + 7;
const AT_CONTRACT: usize = AT_PLAYERS + 4 * 5;
const AT_PASSES: usize = AT_CONTRACT + 5 + 1 + 2;
const AT_LEADER: usize = AT_PASSES + 4;
const AT_RULES: usize = AT_LEADER + 4;
const AT_MELDS: usize = AT_RULES + 4 + 2 + RULES;
const _: () = assert!(INPUTS <= 256);

/// How many numbers tell what contracts score.
const RULES: usize = 6;

/// The inputs that are not zero: their numbers and values.
pub type Input = Vec<(u8, f32)>;

/// What contracts score under a rule set, in hundreds of points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RuleNumbers([f32; RULES]);

impl RuleNumbers {
    /// How many there are.
    pub const COUNT: usize = RULES;

    /// Returns the numbers.
    pub const fn values(&self) -> [f32; RULES] {
        self.0
    }

    /// Asks the engine.
    pub fn new(rules: &RuleSet) -> Self {
        let net = |stake: Stake, points: u16| {
            let goal = Goal::Bid(BidValue::points(100).expect("a value"));
            let contract = Contract { declarer: Seat::S0, strain: Strain::Clubs, goal, stake };
            hundreds(net_of_cards(rules, contract, points, [2; 4]))
        };
        let [plain, coinche] = [Stake::Plain, Stake::Coinche];
        Self([
            net(plain, 110),
            net(plain, 90),
            net(coinche, 110),
            net(coinche, 90),
            net(plain, 130) - net(plain, 110),
            net(Stake::Surcoinche, 110),
        ])
    }
}

/// The numbers of the rules that were asked for last.
#[derive(Debug, Clone, Default)]
pub(in crate::net) struct KnownNumbers(Option<(RuleSet, RuleNumbers)>);

impl KnownNumbers {
    pub(in crate::net) fn of(&mut self, rules: &RuleSet) -> RuleNumbers {
        match &self.0 {
            Some((of, numbers)) if of == rules => *numbers,
            _ => self.0.insert((*rules, RuleNumbers::new(rules))).1,
        }
    }
}

fn hundreds(points: i32) -> f32 {
    f32::from(i16::try_from(points).unwrap_or(i16::MAX)) / 100.0
}

fn small(n: usize) -> f32 {
    f32::from(u8::try_from(n).unwrap_or(u8::MAX))
}

/// Makes the inputs of the calls of one turn.
#[derive(Debug)]
pub(super) struct Encoder<'a> {
    bidding: &'a BiddingContext<'a>,
    summary: AuctionSummary,
}

/// The strain from which a call is seen, with the suits in the order of the inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    strain: Strain,
    suits: [Suit; 4],
}

/// The inputs that have a value.
struct Filler<'a>(&'a mut Input);

impl Filler<'_> {
    fn set(&mut self, at: usize, value: f32) {
        if value != 0.0 {
            self.0.push((u8::try_from(at).expect("inputs are numbered in a byte"), value));
        }
    }

    fn flag(&mut self, at: usize, holds: bool) {
        self.set(at, if holds { 1.0 } else { 0.0 });
    }
}

impl<'a> Encoder<'a> {
    pub(super) fn new(bidding: &'a BiddingContext<'a>) -> Self {
        Self { bidding, summary: AuctionSummary::new(bidding) }
    }

    /// The players: the seat itself, its partner, the opponents to the left and to the right.
    fn players(&self) -> [Seat; 4] {
        [0, 2, 1, 3].map(|n| self.bidding.seat.plus(n))
    }

    /// Returns the strain from which a call is seen: its own, or the standing contract's, or the best of the own.
    pub(super) fn seen(&self, option: &ConsideredCall, best: Option<Strain>) -> Seen {
        let standing = || self.summary.standing.map(|contract| contract.strain);
        let strain = match option.call {
            Call::Bid(bid) => bid.strain,
            _ => standing().or(best).unwrap_or(Strain::NoTrump),
        };
        let hand = self.bidding.hand;
        let mut suits = Suit::ALL;
        // What tells one suit from another: whether it is trump, what it holds, and who bid it how high.
        suits.sort_by_key(|suit| {
            let said = self.players().map(|seat| self.summary.said[seat].levels[Strain::of(*suit).index()]);
            core::cmp::Reverse((strain.trump() == Some(*suit), suit_byte(hand, *suit), said))
        });
        Seen { strain, suits }
    }

    /// What all calls of the turn have in common.
    pub(super) fn common(&self, numbers: &RuleNumbers, to: &mut Input) {
        let mut to = Filler(to);
        for (n, seat) in self.players().into_iter().enumerate() {
            let said = &self.summary.said[seat];
            let at = AT_PLAYERS + 5 * n;
            to.flag(at, said.spoke);
            to.flag(at + 1, said.passed());
            to.flag(at + 2, said.waits);
            to.set(at + 3, f32::from(said.bids) / 3.0);
            to.flag(at + 4, said.jumped);
        }
        match self.summary.standing {
            None => to.set(AT_CONTRACT, 1.0),
            Some(contract) => {
                let whose = self.players().iter().position(|seat| *seat == contract.declarer).unwrap_or(0);
                to.set(AT_CONTRACT + 1 + whose, 1.0);
                to.set(AT_CONTRACT + 5, level(contract.goal) / 8.0);
                to.flag(AT_CONTRACT + 6, contract.stake == Stake::Coinche);
                to.flag(AT_CONTRACT + 7, contract.stake == Stake::Surcoinche);
            }
        }
        to.set(AT_PASSES + self.summary.passes.min(3), 1.0);
        to.set(AT_LEADER + self.summary.to_leader.min(3), 1.0);
        let rules = self.bidding.rules;
        to.set(AT_RULES + family(rules), 1.0);
        to.flag(AT_RULES + 4, rules.auction.no_trump);
        to.flag(AT_RULES + 5, rules.auction.all_trump);
        for (n, number) in numbers.0.into_iter().enumerate() {
            to.set(AT_RULES + 6 + n, number / 2.0);
        }
        if rules.melds.enabled {
            let points = Melds::best(&rules.melds, self.bidding.hand).points(&rules.melds);
            to.set(AT_MELDS, f32::from(points) / 100.0);
        }
    }

    /// The hand and the auction, seen from a strain.
    pub(super) fn of_strain(&self, seen: &Seen, to: &mut Input) {
        let mut to = Filler(to);
        to.set(AT_KIND + kind(seen.strain), 1.0);
        for (n, suit) in seen.suits.into_iter().enumerate() {
            let byte = suit_byte(self.bidding.hand, suit);
            for bit in 0..8 {
                to.flag(AT_CARDS + 8 * n + bit, byte >> bit & 1 == 1);
            }
        }
        for (n, seat) in self.players().into_iter().enumerate() {
            let said = &self.summary.said[seat];
            if said.bids == 0 {
                continue;
            }
            let mut one = |place: usize, strain: Strain| {
                let (at, level) = (AT_SAID + SAID * n + 2 * place, said.levels[strain.index()]);
                to.flag(at, level > 0);
                to.set(at + 1, f32::from(level) / 8.0);
            };
            one(0, seen.strain);
            for (place, suit) in seen.suits.into_iter().enumerate() {
                if Strain::of(suit) != seen.strain {
                    one(1 + place, Strain::of(suit));
                }
            }
            for (place, strain) in [Strain::NoTrump, Strain::AllTrump].into_iter().enumerate() {
                if strain != seen.strain {
                    one(5 + place, strain);
                }
            }
        }
        if let Some(contract) = self.summary.standing {
            let place = if contract.strain == seen.strain {
                0
            } else {
                match contract.strain.trump() {
                    Some(trump) => 1 + seen.suits.iter().position(|suit| *suit == trump).unwrap_or(0),
                    None if contract.strain == Strain::NoTrump => 5,
                    None => 6,
                }
            };
            to.set(AT_STANDING + place, 1.0);
        }
    }

    /// The call itself.
    pub(super) fn of_call(option: &ConsideredCall, to: &mut Input) {
        let mut to = Filler(to);
        let (context, from, terms) = match option.context {
            CallContext::Open => (0, 0, 29),
            CallContext::Raise => (1, 0, 29),
            CallContext::Overcall => (2, 0, 29),
            CallContext::Slam => (3, 0, 29),
            CallContext::Coinche => (4, 29, 14),
            CallContext::Surcoinche => (5, 29, 14),
            _ => (6, 43, 20),
        };
        to.set(AT_CONTEXT + context, 1.0);
        for (n, term) in option.terms[..terms].iter().enumerate() {
            // Squares of margins and of jumps reach some dozens.
            to.set(AT_TERMS + from + n, term.clamp(-36.0, 36.0) / if from == 0 { SCALE[n] } else { 1.0 });
        }
        if let Call::Bid(bid) = option.call {
            let level = level(Goal::Bid(bid.value));
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number")]
            to.set(AT_LEVEL + (level as usize).min(LEVELS - 1), 1.0);
        }
    }
}

/// How large the terms of a bid are.
const SCALE: [f32; 29] = [
    1.0, 1.0, 1.0, 1.0, 1.0, 3.0, 9.0, 1.0, 4.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0, 1.0, 9.0,
    3.0, 9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0,
];

/// The level of a contract: 0 for up to 82 points, one more for each ten, 12 for a capot, 13 for a générale.
fn level(goal: Goal) -> f32 {
    match goal {
        Goal::Majority => 0.0,
        Goal::Bid(BidValue::CAPOT) => 12.0,
        Goal::Bid(BidValue::GENERALE) => 13.0,
        Goal::Bid(value) => {
            small(usize::from(value.as_points().unwrap_or(0).saturating_sub(80) / 10).min(11))
        }
    }
}
