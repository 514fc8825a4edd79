//! The auction: who speaks, what may be said, and the contract that comes out.
//!
//! [`AuctionState`] is the small `Copy` summary on which every rule depends; [`Auction`] adds the list
//! of calls. Both the auction of full deals and that of the turn-up game are here, as RULES section 3
//! has them. With an any-time coinche the opponents of a bid are *offered* a coinche before the next
//! player speaks; such a turn is answered with [`Call::Pass`], which is not part of the list of calls.

use crate::{Bid, BidValue, Call, CoincheMode, DealMethod, OverCoinche, RuleSet, Seat, Stake, Strain, Suit};

/// The values that may be bid under a rule set, low to high: `lowest`, the tens above it up to
/// `highest`, capot, générale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ladder {
    lowest: u16,
    /// How many values are numbers.
    numbers: u8,
    capot: bool,
    generale: bool,
}

impl Ladder {
    /// Returns the ladder of a rule set.
    pub const fn new(rules: &RuleSet) -> Self {
        let lowest = rules.auction.lowest;
        let highest = match rules.auction.highest {
            Some(highest) => highest,
            None => BidValue::MAX_POINTS,
        };
        let tens = (highest / 10).saturating_sub(lowest / 10);
        Self {
            lowest,
            numbers: 1 + (tens & 0xff) as u8,
            capot: rules.auction.capot,
            generale: rules.auction.generale,
        }
    }

    /// Returns the number of values, at least one.
    #[inline]
    pub const fn len(self) -> usize {
        self.numbers as usize + self.capot as usize + self.generale as usize
    }

    /// Tests if there is no value: never so.
    pub const fn is_empty(self) -> bool {
        false
    }

    /// Returns the value number `index`, from 0, or `None` above the top.
    #[inline]
    pub const fn value(self, index: usize) -> Option<BidValue> {
        let numbers = self.numbers as usize;
        if index == 0 {
            BidValue::points(self.lowest)
        } else if index < numbers {
            BidValue::points(10 * (self.lowest / 10 + index.to_le_bytes()[0] as u16))
        } else if index == numbers && self.capot {
            Some(BidValue::CAPOT)
        } else if index < self.len() {
            Some(BidValue::GENERALE)
        } else {
            None
        }
    }

    /// Returns the index of a value, or `None` when it may not be bid.
    #[inline]
    pub const fn index_of(self, value: BidValue) -> Option<usize> {
        let numbers = self.numbers as usize;
        match value {
            BidValue::CAPOT if self.capot => Some(numbers),
            BidValue::GENERALE if self.generale => Some(numbers + self.capot as usize),
            _ => match value.as_points() {
                Some(points) if points == self.lowest => Some(0),
                Some(points) if points > self.lowest && points % 10 == 0 => {
                    let index = (points / 10 - self.lowest / 10) as usize;
                    if index < numbers { Some(index) } else { None }
                }
                _ => None,
            },
        }
    }

    /// Iterates over the values, low to high.
    pub fn iter(self) -> impl Iterator<Item = BidValue> {
        (0..self.len()).filter_map(move |index| self.value(index))
    }
}

/// What a side has promised to reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Goal {
    /// A bid of the auction of full deals.
    Bid(BidValue),
    /// The turn-up game: more points than the other side.
    Majority,
}

/// What an auction decides: who plays what, for which stake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Contract {
    /// Who made the last bid, or took.
    pub declarer: Seat,
    /// What is trump.
    pub strain: Strain,
    /// What must be reached.
    pub goal: Goal,
    /// Whether it was coinched.
    pub stake: Stake,
}

impl Contract {
    /// Returns the value `V` of the contract in the score; 0 in the turn-up game.
    pub const fn worth(&self, rules: &RuleSet) -> u16 {
        match self.goal {
            Goal::Bid(value) => rules.bid_worth(value),
            Goal::Majority => 0,
        }
    }

    /// Returns the bid in the notation of records: `100S`, `CAPOTH`, `TAKEH`.
    pub fn bid_code(&self) -> String {
        match self.goal {
            Goal::Bid(value) => Bid::new(value, self.strain).to_string(),
            Goal::Majority => format!("TAKE{}", self.strain),
        }
    }
}

/// Where an auction stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AuctionTurn {
    /// This seat must speak.
    Speak(Seat),
    /// An any-time coinche is offered to this seat: coinche or decline.
    OfferCoinche(Seat),
    /// A surcoinche is offered to this seat after an any-time coinche: surcoinche or decline.
    OfferSurcoinche(Seat),
    /// The auction is over.
    Over,
}

impl AuctionTurn {
    /// Returns the seat that must answer, unless the auction is over.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Speak(seat) | Self::OfferCoinche(seat) | Self::OfferSurcoinche(seat) => Some(seat),
            Self::Over => None,
        }
    }
}

/// Why a call is not legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalCall {
    /// The auction is over.
    #[error("{0} after the end of the auction")]
    Over(Call),
    /// The bid is not higher than the last.
    #[error("{bid} is not higher than the last bid, {last}")]
    TooLow {
        /// The bid that was tried.
        bid: Bid,
        /// The bid to be topped.
        last: Bid,
    },
    /// The rules do not have this value.
    #[error("{0} is not a value that these rules allow")]
    NoSuchValue(Bid),
    /// The rules do not have this strain.
    #[error("{0} is a strain that these rules do not allow")]
    NoSuchStrain(Bid),
    /// A bid over a coinche.
    #[error("{0}: nobody may bid over a coinche")]
    OverCoinche(Call),
    /// A bid or a signal pass where only a coinche is offered.
    #[error("{0}: an offer is answered by a coinche or a pass")]
    Offered(Call),
    /// Coinche or surcoinche where there is nothing to double.
    #[error("{0}: there is no bid of the right side to double")]
    NothingToDouble(Call),
    /// A call of the other kind of auction, or a signal pass where there is none.
    #[error("{0} is not a call of this auction")]
    NotInThisAuction(Call),
    /// A bid in the turn-up game's second round in the turned suit.
    #[error("TAKE {0}: the turned suit was refused in the first round")]
    TurnedSuit(Suit),
}

/// Everything that the rules of an auction depend on, small and `Copy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AuctionState {
    ladder: Ladder,
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
    signal_pass: bool,
}

impl AuctionState {
    /// Starts an auction: the player after the dealer speaks first.
    ///
    /// `turned` is the suit of the turned card, and makes it the auction of the turn-up game.
    pub fn new(rules: &RuleSet, dealer: Seat, turned: Option<Suit>) -> Self {
        debug_assert_eq!(turned.is_some(), rules.deal.method == DealMethod::TurnUp);
        let strains = 0b1111
            | u8::from(rules.auction.no_trump) << Strain::NoTrump as u8
            | u8::from(rules.auction.all_trump) << Strain::AllTrump as u8;
        Self {
            ladder: Ladder::new(rules),
            turn: AuctionTurn::Speak(dealer.next()),
            contract: None,
            coincher: None,
            passes: 0,
            strains,
            turned,
            mode: rules.auction.coinche,
            over_coinche: rules.auction.over_coinche,
            signal_pass: rules.auction.signal_pass,
        }
    }

    /// Returns whose turn it is and of what kind.
    #[inline]
    pub const fn turn(&self) -> AuctionTurn {
        self.turn
    }

    /// Returns the contract as it stands: the last bid and its stake.
    #[inline]
    pub const fn contract(&self) -> Option<Contract> {
        self.contract
    }

    /// Returns the seat that coinched the last bid.
    pub const fn coincher(&self) -> Option<Seat> {
        self.coincher
    }

    /// Returns the ladder of values.
    #[inline]
    pub const fn ladder(&self) -> Ladder {
        self.ladder
    }

    /// Tests if it is the second round of the turn-up game.
    pub const fn is_second_round(&self) -> bool {
        self.turned.is_some() && self.passes >= 4
    }

    /// Tests if the seat may double the standing bid.
    fn can_coinche(&self, seat: Seat) -> bool {
        self.mode != CoincheMode::Off
            && self.turned.is_none()
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
            Some(contract) if contract.stake == Stake::Surcoinche => false,
            Some(contract) if contract.stake == Stake::Coinche => {
                self.over_coinche == OverCoinche::Raise && contract.declarer.team() == seat.team()
            }
            _ => true,
        }
    }

    /// Returns the index in the ladder from which bids are high enough.
    fn next_level(&self) -> usize {
        match self.contract {
            Some(Contract { goal: Goal::Bid(value), .. }) => {
                self.ladder.index_of(value).map_or(self.ladder.len(), |index| index + 1)
            }
            _ => 0,
        }
    }

    /// Returns the set of legal calls; empty when the auction is over.
    #[inline]
    pub fn legal_calls(&self) -> LegalCalls {
        let mut legal =
            LegalCalls { ladder: self.ladder, from: self.next_level(), strains: 0, take_suits: 0, others: 0 };
        match self.turn {
            AuctionTurn::Over => {}
            AuctionTurn::Speak(seat) => {
                legal.others |= LegalCalls::PASS;
                if let Some(turned) = self.turned {
                    if self.passes < 4 {
                        legal.others |= LegalCalls::TAKE;
                    } else {
                        legal.take_suits = 0b1111 & !(1 << turned.index());
                    }
                    return legal;
                }
                if self.signal_pass {
                    legal.others |= LegalCalls::WAIT;
                }
                if self.can_bid(seat) {
                    legal.strains = self.strains;
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
                    legal.strains = self.strains;
                }
            }
        }
        if legal.from >= self.ladder.len() {
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
        if !self.legal_calls().contains(call) {
            return Err(self.explain(seat, call));
        }
        match call {
            Call::Pass | Call::Wait => self.pass(seat),
            Call::Bid(bid) => {
                self.stand(seat, bid.strain, Goal::Bid(bid.value));
                self.turn = if self.mode == CoincheMode::AnyTime {
                    AuctionTurn::OfferCoinche(seat.next())
                } else {
                    AuctionTurn::Speak(seat.next())
                };
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
                self.turn = AuctionTurn::Over;
            }
            Call::Take => {
                let suit = self.turned.expect("a legal take has a turned card");
                self.stand(seat, Strain::of(suit), Goal::Majority);
                self.turn = AuctionTurn::Over;
            }
            Call::TakeIn(suit) => {
                self.stand(seat, Strain::of(suit), Goal::Majority);
                self.turn = AuctionTurn::Over;
            }
        }
        Ok(seat)
    }

    fn stand(&mut self, declarer: Seat, strain: Strain, goal: Goal) {
        self.contract = Some(Contract { declarer, strain, goal, stake: Stake::Plain });
        self.coincher = None;
        self.passes = 0;
    }

    fn pass(&mut self, seat: Seat) {
        match self.turn {
            AuctionTurn::OfferCoinche(_) => {
                // Both opponents of the bidder are asked, then the next player speaks.
                let bidder = self.contract.expect("an offer follows a bid").declarer;
                self.turn = if seat == bidder.next() {
                    AuctionTurn::OfferCoinche(bidder.plus(3))
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
                let last = match (self.turned, self.contract) {
                    (Some(_), _) => 8,
                    (None, None) => 4,
                    (None, Some(_)) => 3,
                };
                self.turn =
                    if self.passes == last { AuctionTurn::Over } else { AuctionTurn::Speak(seat.next()) };
            }
        }
    }

    /// Says which rule an illegal call breaks.
    fn explain(&self, seat: Seat, call: Call) -> IllegalCall {
        match call {
            Call::Bid(_) | Call::Wait if matches!(self.turn, AuctionTurn::OfferCoinche(_)) => {
                IllegalCall::Offered(call)
            }
            Call::Bid(bid) if self.turned.is_none() => {
                if self.strains >> bid.strain as u8 & 1 == 0 {
                    IllegalCall::NoSuchStrain(bid)
                } else if !self.can_bid(seat) {
                    IllegalCall::OverCoinche(call)
                } else {
                    match (self.ladder.index_of(bid.value), self.contract) {
                        (Some(_), Some(Contract { goal: Goal::Bid(value), strain, .. })) => {
                            IllegalCall::TooLow { bid, last: Bid::new(value, strain) }
                        }
                        _ => IllegalCall::NoSuchValue(bid),
                    }
                }
            }
            Call::Coinche | Call::Surcoinche if self.turned.is_none() => IllegalCall::NothingToDouble(call),
            Call::TakeIn(suit) if self.is_second_round() => IllegalCall::TurnedSuit(suit),
            _ => IllegalCall::NotInThisAuction(call),
        }
    }
}

/// A set of calls: what may be said at one turn.
///
/// The bids in it are all values from one level of the ladder up, in each of some strains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LegalCalls {
    ladder: Ladder,
    from: usize,
    strains: u8,
    take_suits: u8,
    others: u8,
}

impl LegalCalls {
    const PASS: u8 = 1;
    const WAIT: u8 = 2;
    const COINCHE: u8 = 4;
    const SURCOINCHE: u8 = 8;
    const TAKE: u8 = 16;
    const OTHERS: [Call; 5] = [Call::Pass, Call::Wait, Call::Coinche, Call::Surcoinche, Call::Take];

    /// Tests if the call is legal.
    #[inline]
    pub const fn contains(&self, call: Call) -> bool {
        match call {
            Call::Pass => self.others & Self::PASS != 0,
            Call::Wait => self.others & Self::WAIT != 0,
            Call::Coinche => self.others & Self::COINCHE != 0,
            Call::Surcoinche => self.others & Self::SURCOINCHE != 0,
            Call::Take => self.others & Self::TAKE != 0,
            Call::TakeIn(suit) => self.take_suits >> suit as u8 & 1 != 0,
            Call::Bid(bid) => {
                self.strains >> bid.strain as u8 & 1 != 0
                    && matches!(self.ladder.index_of(bid.value), Some(index) if index >= self.from)
            }
        }
    }

    /// Returns the number of legal bids (calls with a value and a strain).
    #[inline]
    pub const fn bids(&self) -> usize {
        self.ladder.len().saturating_sub(self.from) * self.strains.count_ones() as usize
    }

    /// Returns the number of calls.
    #[inline]
    pub const fn len(&self) -> usize {
        (self.others.count_ones() + self.take_suits.count_ones()) as usize + self.bids()
    }

    /// Tests if nothing may be said: the auction is over.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the lowest value that may be bid.
    #[inline]
    pub const fn lowest_value(&self) -> Option<BidValue> {
        if self.strains == 0 { None } else { self.ladder.value(self.from) }
    }

    /// Iterates over the values that may be bid, low to high.
    pub fn values(&self) -> impl Iterator<Item = BidValue> + use<> {
        let (ladder, from) = (self.ladder, if self.strains == 0 { usize::MAX } else { self.from });
        (from..ladder.len()).filter_map(move |index| ladder.value(index))
    }

    /// Returns the call number `n`, from 0: pass, wait, coinche, surcoinche, take, the suits to
    /// name, then the bids by value and strain.
    #[inline]
    pub fn nth(&self, n: usize) -> Option<Call> {
        let others = self.others.count_ones() as usize;
        let suits = self.take_suits.count_ones() as usize;
        if n < others {
            let bit = crate::bits::nth_bit(self.others.into(), n.to_le_bytes()[0].into());
            return Some(Self::OTHERS[bit.trailing_zeros() as usize]);
        }
        if n < others + suits {
            let n = n - others;
            let bit = crate::bits::nth_bit(self.take_suits.into(), n.to_le_bytes()[0].into());
            return Some(Call::TakeIn(Suit::from_index(bit.trailing_zeros() as usize)));
        }
        let n = n - others - suits;
        if n >= self.bids() {
            return None;
        }
        let per_value = self.strains.count_ones() as usize;
        let value = self.ladder.value(self.from + n / per_value)?;
        let strain = (n % per_value).to_le_bytes()[0];
        let bit = crate::bits::nth_bit(self.strains.into(), strain.into());
        Some(Call::Bid(Bid::new(value, Strain::ALL[bit.trailing_zeros() as usize])))
    }

    /// Iterates over the calls in the order of [`LegalCalls::nth`].
    pub fn iter(&self) -> impl Iterator<Item = Call> + use<> {
        let this = *self;
        (0..this.len()).filter_map(move |n| this.nth(n))
    }
}

/// An auction with its list of calls, append-only.
///
/// ```
/// use coinche_engine::{Auction, AuctionTurn, RuleSet, Seat};
///
/// let mut auction = Auction::new(&RuleSet::BGA, Seat::S3, None);
/// for call in ["82H", "P", "100H", "X", "P", "P", "P"] {
///     auction.call(call.parse()?)?;
/// }
/// assert_eq!(auction.state().turn(), AuctionTurn::Over);
/// assert_eq!(auction.state().contract().map(|c| c.declarer), Some(Seat::S2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Auction {
    state: AuctionState,
    calls: Vec<(Seat, Call)>,
}

impl Auction {
    /// Starts an auction, see [`AuctionState::new`].
    pub fn new(rules: &RuleSet, dealer: Seat, turned: Option<Suit>) -> Self {
        Self { state: AuctionState::new(rules, dealer, turned), calls: Vec::with_capacity(32) }
    }

    /// Starts another auction in the same memory.
    pub fn restart(&mut self, rules: &RuleSet, dealer: Seat, turned: Option<Suit>) {
        self.state = AuctionState::new(rules, dealer, turned);
        self.calls.clear();
    }

    /// Returns where the auction stands.
    #[inline]
    pub const fn state(&self) -> &AuctionState {
        &self.state
    }

    /// Returns the calls so far with their seats; declined offers of an any-time coinche are left out.
    #[inline]
    pub fn calls(&self) -> &[(Seat, Call)] {
        &self.calls
    }

    /// Makes a call for the seat whose turn it is, and returns that seat.
    ///
    /// # Errors
    ///
    /// Says which rule the call breaks; the auction is then unchanged.
    pub fn call(&mut self, call: Call) -> Result<Seat, IllegalCall> {
        let offered = !matches!(self.state.turn(), AuctionTurn::Speak(_));
        let seat = self.state.call(call)?;
        if !(offered && call == Call::Pass) {
            self.calls.push((seat, call));
        }
        Ok(seat)
    }
}
