//! The rules of the auction.

use super::{AuctionTurn, Contract, ContractError, Goal, IllegalCall, Ladder, LegalCalls};
use crate::rules::{ClosedBy, CoincheMode, DealMethod, OverCoinche, PassedOut};
use crate::{Bid, BidValue, Call, DealError, RuleSet, Seat, Stake, Strain, Suit};

/// The four suits among strains, a bit each.
const SUITS: u8 = 0b1111;

/// Everything that the rules of an auction depend on, small and `Copy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AuctionState {
    /// What may be said now.
    legal: LegalCalls,
    turn: AuctionTurn,
    /// The last bid (or take) with its stake.
    contract: Option<Contract>,
    /// Who coinched, where one did.
    coincher: Option<Seat>,
    /// Passes in a row.
    passes: u8,
    /// The strains that may be bid, a bit each.
    strains: u8,
    /// The turned suit in the turn-up game.
    turned: Option<Suit>,
    mode: CoincheMode,
    over_coinche: OverCoinche,
    closed_by: ClosedBy,
    /// Who speaks last must bid.
    must_bid: bool,
    signal_pass: bool,
    /// Bids have a value.
    has_values: bool,
}

impl AuctionState {
    /// Starts an auction: the player after the dealer speaks first.
    ///
    /// `turned` is the suit of the turned card, which there is in the turn-up game only.
    ///
    /// # Panics
    ///
    /// Panics when there is a turned suit and the rules turn none, or the other way round.
    #[inline]
    pub fn new(rules: &RuleSet, dealer: Seat, turned: Option<Suit>) -> Self {
        let is_turn_up = rules.deal.method == DealMethod::TurnUp;
        assert!(turned.is_some() == is_turn_up, "{}", DealError::Turned);
        Self::start(rules, dealer, turned)
    }

    /// Starts an auction as [`AuctionState::new`] does.
    ///
    /// # Errors
    ///
    /// [`DealError::Turned`] when there is a turned suit and the rules turn none, or the other way round.
    pub fn try_new(rules: &RuleSet, dealer: Seat, turned: Option<Suit>) -> Result<Self, DealError> {
        if turned.is_some() == (rules.deal.method == DealMethod::TurnUp) {
            Ok(Self::start(rules, dealer, turned))
        } else {
            Err(DealError::Turned)
        }
    }

    fn start(rules: &RuleSet, dealer: Seat, turned: Option<Suit>) -> Self {
        let strains = SUITS
            | u8::from(rules.auction.no_trump) << Strain::NoTrump as u8
            | u8::from(rules.auction.all_trump) << Strain::AllTrump as u8;
        let mut this = Self {
            legal: LegalCalls::none(Ladder::new(rules)),
            turn: AuctionTurn::Speak(dealer.next()),
            contract: None,
            coincher: None,
            passes: 0,
            strains,
            turned,
            mode: rules.auction.coinche,
            over_coinche: rules.auction.over_coinche,
            closed_by: rules.auction.closed_by,
            must_bid: rules.deal.passed_out == PassedOut::Never,
            signal_pass: rules.auction.signal_pass,
            has_values: rules.has_values(),
        };
        this.legal = this.find_legal();
        this
    }

    /// Ends the auction with a contract of these rules.
    pub(super) fn settle(&mut self, rules: &RuleSet, contract: Contract) -> Result<(), ContractError> {
        match contract.goal {
            Goal::Majority if self.has_values => return Err(ContractError::Goal),
            Goal::Bid(_) if !self.has_values => return Err(ContractError::Goal),
            Goal::Bid(value) if self.ladder().index_of(value).is_none() => {
                return Err(ContractError::Value(Bid::new(value, contract.strain)));
            }
            Goal::Majority | Goal::Bid(_) => {}
        }
        if self.strains >> contract.strain as u8 & 1 == 0 {
            return Err(ContractError::Strain(contract.strain));
        }
        let is_plain = rules.auction.coinche == CoincheMode::Off || self.is_closed_by(contract.goal);
        if contract.stake != Stake::Plain && is_plain {
            return Err(ContractError::Stake(contract.stake));
        }
        self.contract = Some(contract);
        self.turn = AuctionTurn::Over;
        self.legal = LegalCalls::none(self.ladder());
        Ok(())
    }

    /// Returns whose turn it is and of what kind.
    pub const fn turn(&self) -> AuctionTurn {
        self.turn
    }

    /// Returns the contract as it stands: the last bid and its stake.
    pub const fn contract(&self) -> Option<Contract> {
        self.contract
    }

    /// Returns the seat that coinched the last bid.
    pub const fn coincher(&self) -> Option<Seat> {
        self.coincher
    }

    /// Returns the ladder of values.
    pub const fn ladder(&self) -> Ladder {
        self.legal.ladder
    }

    /// Tests if it is the second round of the turn-up game.
    pub const fn is_second_round(&self) -> bool {
        self.turned.is_some() && self.contract.is_none() && self.passes >= 4
    }

    /// Tests if the seat may double the standing bid.
    fn can_coinche(&self, seat: Seat) -> bool {
        self.mode != CoincheMode::Off
            && self.contract.is_some_and(|contract| {
                contract.stake == Stake::Plain && contract.declarer.team() != seat.team()
            })
    }

    /// Tests if the seat may redouble the standing bid.
    fn can_surcoinche(&self, seat: Seat) -> bool {
        self.contract.is_some_and(|contract| {
            contract.stake == Stake::Coinche && contract.declarer.team() == seat.team()
        })
    }

    /// Tests if the seat may bid at all, higher than the standing bid.
    fn can_bid(&self, seat: Seat) -> bool {
        if self.turned.is_some() {
            return false;
        }
        match self.contract {
            None | Some(Contract { stake: Stake::Plain, .. }) => true,
            Some(contract) => match self.over_coinche {
                OverCoinche::Closed => false,
                OverCoinche::Raise => {
                    contract.stake == Stake::Coinche && contract.declarer.team() == seat.team()
                }
                OverCoinche::Open => true,
            },
        }
    }

    /// Returns how many passes in a row end the auction.
    const fn last_pass(&self) -> u8 {
        match (self.turned, self.contract) {
            (Some(_), None) => 8,
            (None, None) => 4,
            (_, Some(_)) => 3,
        }
    }

    /// Tests if the last to speak may not pass, nobody having bid.
    const fn must_bid_now(&self) -> bool {
        self.must_bid && self.contract.is_none() && self.passes + 1 == self.last_pass()
    }

    /// Tests if the auction is over with a bid.
    fn is_closed_by(&self, goal: Goal) -> bool {
        match self.closed_by {
            ClosedBy::None => false,
            ClosedBy::Slam => matches!(goal, Goal::Bid(BidValue::CAPOT | BidValue::GENERALE)),
            ClosedBy::Bid => true,
        }
    }

    /// Returns the strains that may be bid now, a bit each: where they are bid alone, those above the last.
    fn strains_to_bid(&self) -> u8 {
        match self.contract {
            Some(contract) if !self.has_values => self.strains & (u8::MAX << (contract.strain as u8 + 1)),
            _ => self.strains,
        }
    }

    /// Returns the index in the ladder from which bids are high enough.
    fn next_level(&self) -> usize {
        match self.contract {
            Some(Contract { goal: Goal::Bid(value), .. }) => {
                self.ladder().index_of(value).map_or(self.ladder().len(), |index| index + 1)
            }
            _ => 0,
        }
    }

    /// Returns the set of legal calls; empty when the auction is over.
    #[inline]
    pub const fn legal_calls(&self) -> LegalCalls {
        self.legal
    }

    /// Finds the legal calls, once for each turn: a call is checked, chosen and shown by them.
    fn find_legal(&self) -> LegalCalls {
        let mut legal = LegalCalls { from: self.next_level(), ..LegalCalls::none(self.ladder()) };
        match self.turn {
            AuctionTurn::Over => {}
            AuctionTurn::Speak(seat) => {
                if !self.must_bid_now() {
                    legal.others |= LegalCalls::PASS;
                }
                if let (Some(turned), None) = (self.turned, self.contract) {
                    if self.is_second_round() {
                        legal.take_suits = SUITS & !(1 << turned.index());
                        legal.strains = self.strains & !SUITS;
                    } else {
                        legal.others |= LegalCalls::TAKE;
                    }
                    return legal;
                }
                if self.signal_pass && !self.must_bid_now() {
                    legal.others |= LegalCalls::WAIT;
                }
                if self.can_bid(seat) {
                    legal.strains = self.strains_to_bid();
                }
                if self.can_coinche(seat) {
                    legal.others |= LegalCalls::COINCHE;
                }
                if self.can_surcoinche(seat) {
                    legal.others |= LegalCalls::SURCOINCHE;
                }
            }
            AuctionTurn::OfferCoinche(_) => legal.others = LegalCalls::PASS | LegalCalls::COINCHE,
            AuctionTurn::OfferSurcoinche(seat) => {
                legal.others = LegalCalls::PASS | LegalCalls::SURCOINCHE;
                if self.can_bid(seat) {
                    legal.strains = self.strains_to_bid();
                }
            }
        }
        if legal.from >= self.ladder().len() {
            legal.strains = 0;
        }
        legal
    }

    /// Makes a call for the seat whose turn it is, and returns that seat.
    ///
    /// # Errors
    ///
    /// Says which rule the call breaks; the auction is then unchanged.
    pub fn call(&mut self, call: Call) -> Result<Seat, IllegalCall> {
        let seat = self.turn.seat().ok_or(IllegalCall::Over(call))?;
        if !self.legal.contains(call) {
            return Err(self.explain(seat, call));
        }
        self.make(seat, call);
        self.legal = self.find_legal();
        Ok(seat)
    }

    /// Makes a legal call.
    fn make(&mut self, seat: Seat, call: Call) {
        match call {
            Call::Pass | Call::Wait => self.pass(seat),
            Call::Bid(bid) => {
                let goal = if self.has_values { Goal::Bid(bid.value) } else { Goal::Majority };
                self.stand(seat, bid.strain, goal);
            }
            Call::Coinche => {
                self.coincher = Some(seat);
                self.passes = 0;
                let contract = self.contract.as_mut().expect("a legal coinche doubles a bid");
                contract.stake = Stake::Coinche;
                self.turn = if self.mode == CoincheMode::AnyTime {
                    AuctionTurn::OfferSurcoinche(contract.declarer)
                } else {
                    AuctionTurn::Speak(seat.next())
                };
            }
            Call::Surcoinche => {
                let contract = self.contract.as_mut().expect("a legal surcoinche redoubles a bid");
                contract.stake = Stake::Surcoinche;
                self.passes = 0;
                self.turn = if self.over_coinche == OverCoinche::Open && self.turned.is_none() {
                    AuctionTurn::Speak(seat.next())
                } else {
                    AuctionTurn::Over
                };
            }
            Call::Take => {
                let suit = self.turned.expect("a legal take has a turned card");
                self.stand(seat, Strain::of(suit), Goal::Majority);
            }
            Call::TakeIn(suit) => self.stand(seat, Strain::of(suit), Goal::Majority),
        }
    }

    /// A bid or take stands: the others may bid over it, which nobody does over a take, or double it.
    fn stand(&mut self, declarer: Seat, strain: Strain, goal: Goal) {
        self.contract = Some(Contract { declarer, strain, goal, stake: Stake::Plain });
        self.coincher = None;
        self.passes = 0;
        let takes = self.turned.is_some() && self.mode == CoincheMode::Off;
        self.turn = if takes || self.is_closed_by(goal) {
            AuctionTurn::Over
        } else if self.mode == CoincheMode::AnyTime {
            AuctionTurn::OfferCoinche(declarer.next())
        } else {
            AuctionTurn::Speak(declarer.next())
        };
    }

    fn pass(&mut self, seat: Seat) {
        match self.turn {
            AuctionTurn::OfferCoinche(_) => {
                // Both opponents of the bidder are asked, then the next player speaks, but after a take.
                let bidder = self.contract.expect("an offer follows a bid").declarer;
                self.turn = if seat == bidder.next() {
                    AuctionTurn::OfferCoinche(bidder.plus(3))
                } else if self.turned.is_some() {
                    AuctionTurn::Over
                } else {
                    AuctionTurn::Speak(bidder.next())
                };
            }
            AuctionTurn::OfferSurcoinche(_) => {
                let bidder = self.contract.expect("an offer follows a bid").declarer;
                self.turn = if seat == bidder {
                    AuctionTurn::OfferSurcoinche(bidder.partner())
                } else {
                    AuctionTurn::Over
                };
            }
            _ => {
                self.passes += 1;
                self.turn = if self.passes == self.last_pass() {
                    AuctionTurn::Over
                } else {
                    AuctionTurn::Speak(seat.next())
                };
            }
        }
    }

    /// Says which rule an illegal call breaks.
    fn explain(&self, seat: Seat, call: Call) -> IllegalCall {
        match call {
            Call::Pass | Call::Wait if self.must_bid_now() => IllegalCall::MustBid(call),
            Call::Bid(_) | Call::Wait if matches!(self.turn, AuctionTurn::OfferCoinche(_)) => {
                IllegalCall::Offered(call)
            }
            Call::Bid(bid) if self.turned.is_none() => {
                if self.strains >> bid.strain as u8 & 1 == 0 {
                    IllegalCall::NoSuchStrain(bid)
                } else if !self.can_bid(seat) {
                    IllegalCall::OverCoinche(call)
                } else {
                    match (self.ladder().index_of(bid.value), self.contract) {
                        (Some(_), Some(Contract { goal, strain, .. })) => {
                            let value = if let Goal::Bid(value) = goal { value } else { BidValue::NONE };
                            IllegalCall::TooLow { bid, last: Bid::new(value, strain) }
                        }
                        _ => IllegalCall::NoSuchValue(bid),
                    }
                }
            }
            Call::Coinche | Call::Surcoinche if self.turned.is_none() || self.mode != CoincheMode::Off => {
                IllegalCall::NothingToDouble(call)
            }
            Call::TakeIn(suit) if self.is_second_round() => IllegalCall::TurnedSuit(suit),
            _ => IllegalCall::NotInThisAuction(call),
        }
    }
}
