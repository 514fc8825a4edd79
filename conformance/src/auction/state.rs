//! The state of an auction, call by call.

use super::{Auction, AuctionError, Bid, Call, Contract, Level, Stake, Turn};
use crate::cards::{Card, Strain, Suit};
use crate::options::{Bids, ClosedBy, Coinche, Highest, Method, OverCoinche, PassedOut};
use crate::rules::Rules;

#[derive(Clone, Debug)]
pub(super) struct State<'a> {
    rules: &'a Rules,
    /// The turned card of a turn-up deal.
    turned: Option<Card>,
    /// Whose turn it is when no offer is open.
    speaker: usize,
    /// Seats still to answer an offer, the first of them now.
    offers: Vec<usize>,
    /// The last bid and its bidder.
    bid: Option<(usize, Bid)>,
    stake: Stake,
    /// Passes in a row at turns to speak.
    passes: usize,
    /// Whether nobody speaks any more.
    closed: bool,
}

impl<'a> State<'a> {
    pub(super) fn new(rules: &'a Rules, dealer: usize, turned: Option<Card>) -> Result<Self, AuctionError> {
        if rules.deal.method == Method::TurnUp && turned.is_none() {
            return Err(AuctionError::NoTurnedCard);
        }
        Ok(Self {
            rules,
            turned,
            speaker: (dealer + 1) % 4,
            offers: Vec::new(),
            bid: None,
            stake: Stake::Plain,
            passes: 0,
            closed: false,
        })
    }

    pub(super) fn is_offer(&self) -> bool {
        !self.offers.is_empty()
    }

    fn seat(&self) -> usize {
        self.offers.first().copied().unwrap_or(self.speaker)
    }

    /// The end of the auction, if this is it.
    pub(super) fn end(&self) -> Option<Auction> {
        let over = self.closed || (!self.is_offer() && self.passes == self.passes_that_end());
        over.then_some(match self.bid {
            Some((declarer, Bid { level: Level::Strain, strain })) => {
                let bid = Bid { level: Level::Take, strain };
                Auction::Contract(Contract { bid, declarer, stake: self.stake })
            }
            Some((declarer, bid)) => Auction::Contract(Contract { bid, declarer, stake: self.stake }),
            None => Auction::ThrownIn,
        })
    }

    fn passes_that_end(&self) -> usize {
        match (self.bid, self.rules.deal.method) {
            (Some(_), _) => 3,
            (None, Method::Full | Method::Split) => 4,
            (None, Method::TurnUp) => 8,
        }
    }

    pub(super) fn turn(&self) -> Turn {
        let calls = self.calls().iter().map(Call::to_string).collect();
        Turn { seat: self.seat(), offer: self.is_offer(), calls }
    }

    pub(super) fn allows(&self, seat: usize, call: Call) -> bool {
        seat == self.seat() && self.calls().contains(&call)
    }

    /// Every call allowed now.
    fn calls(&self) -> Vec<Call> {
        let mut calls = match self.rules.deal.method {
            Method::Full | Method::Split => self.full_calls(),
            Method::TurnUp => self.turn_up_calls(),
        };
        // Where a deal is never passed out, the pass that would do it is not allowed.
        if self.rules.deal.passed_out == PassedOut::Never
            && self.bid.is_none()
            && self.passes + 1 == self.passes_that_end()
        {
            calls.retain(|call| !matches!(call, Call::Pass | Call::Wait));
        }
        calls
    }

    fn turn_up_calls(&self) -> Vec<Call> {
        let turned_suit = self.turned.map(|card| card.suit);
        let mut calls = vec![Call::Pass];
        if let Some((taker, _)) = self.bid {
            // Nobody takes after another: a take is doubled or not.
            let takers = self.seat() % 2 == taker % 2;
            match self.stake {
                Stake::Plain if !takers => calls.push(Call::Coinche),
                Stake::Coinche if takers => calls.push(Call::Surcoinche),
                _ => {}
            }
        } else if self.passes < 4 {
            calls.push(Call::Take);
        } else {
            calls.extend(Suit::ALL.into_iter().filter(|&suit| Some(suit) != turned_suit).map(Call::TakeSuit));
            for strain in [Strain::NoTrump, Strain::AllTrump] {
                if self.rules.strains().contains(&strain) {
                    calls.push(Call::Bid(Bid { level: Level::Strain, strain }));
                }
            }
        }
        calls
    }

    fn full_calls(&self) -> Vec<Call> {
        let mut calls = vec![Call::Pass];
        if self.rules.auction.signal_pass && !self.is_offer() {
            calls.push(Call::Wait);
        }
        let Some((bidder, _)) = self.bid else {
            calls.extend(self.higher_bids());
            return calls;
        };
        let bidding_side = self.seat() % 2 == bidder % 2;
        match self.stake {
            Stake::Plain => {
                if !self.is_offer() {
                    calls.extend(self.higher_bids());
                }
                if !bidding_side && self.rules.auction.coinche != Coinche::Off {
                    calls.push(Call::Coinche);
                }
            }
            Stake::Coinche => {
                let may_bid = match self.rules.auction.over_coinche {
                    OverCoinche::Closed => false,
                    OverCoinche::Raise => bidding_side,
                    OverCoinche::Open => true,
                };
                if may_bid {
                    calls.extend(self.higher_bids());
                }
                if bidding_side {
                    calls.push(Call::Surcoinche);
                }
            }
            // Only where anybody may bid the auction is not over.
            Stake::Surcoinche => calls.extend(self.higher_bids()),
        }
        calls
    }

    /// Every bid strictly higher than the last.
    fn higher_bids(&self) -> Vec<Call> {
        let auction = &self.rules.auction;
        if auction.bids == Bids::Strains {
            let higher = |strain: &Strain| self.bid.is_none_or(|(_, last)| *strain > last.strain);
            let strains = self.rules.strains().into_iter().filter(higher);
            return strains.map(|strain| Call::Bid(Bid { level: Level::Strain, strain })).collect();
        }
        let highest = match auction.highest {
            Highest::Value(value) => value,
            Highest::Unlimited(_) => 990,
        };
        let mut levels = vec![auction.lowest];
        levels.extend((auction.lowest + 1..=highest).filter(|value| value % 10 == 0));
        let mut levels: Vec<Level> = levels.into_iter().map(Level::Points).collect();
        if auction.capot {
            levels.push(Level::Capot);
        }
        if auction.generale {
            levels.push(Level::Generale);
        }
        let strains = self.rules.strains();
        levels
            .into_iter()
            .filter(|&level| self.bid.is_none_or(|(_, last)| level > last.level))
            .flat_map(|level| strains.iter().map(move |&strain| Call::Bid(Bid { level, strain })))
            .collect()
    }

    /// Says a call that is allowed.
    pub(super) fn say(&mut self, call: Call) {
        let seat = self.seat();
        match call {
            Call::Pass if self.is_offer() => {
                self.offers.remove(0);
                // Once a coinche of any time is declined by both of the bidding side, all is said; so it is when both
                // opponents of a taker let the take be.
                self.closed = self.offers.is_empty() && (self.stake == Stake::Coinche || self.is_turn_up());
            }
            Call::Pass | Call::Wait => {
                self.passes += 1;
                self.speaker = (seat + 1) % 4;
            }
            Call::Bid(bid) if self.is_turn_up() => self.taken(seat, bid.strain),
            Call::Bid(bid) => self.bid_made(seat, bid),
            Call::Coinche => {
                self.stake = Stake::Coinche;
                self.passes = 0;
                self.speaker = (seat + 1) % 4;
                if self.rules.auction.coinche == Coinche::AnyTime
                    && let Some((bidder, _)) = self.bid
                {
                    self.offers = vec![bidder, (bidder + 2) % 4];
                }
            }
            Call::Surcoinche => {
                self.stake = Stake::Surcoinche;
                if self.rules.auction.over_coinche == OverCoinche::Open && !self.is_turn_up() {
                    self.passes = 0;
                    self.speaker = (seat + 1) % 4;
                } else {
                    self.closed = true;
                }
            }
            Call::Take => {
                let suit = self.turned.map_or(Suit::Clubs, |card| card.suit);
                self.taken(seat, Strain::Suit(suit));
            }
            Call::TakeSuit(suit) => self.taken(seat, Strain::Suit(suit)),
        }
    }

    fn bid_made(&mut self, seat: usize, bid: Bid) {
        self.bid = Some((seat, bid));
        self.stake = Stake::Plain;
        self.passes = 0;
        self.speaker = (seat + 1) % 4;
        self.offers = Vec::new();
        self.closed = match self.rules.auction.closed_by {
            ClosedBy::None => false,
            ClosedBy::Slam => matches!(bid.level, Level::Capot | Level::Generale),
            ClosedBy::Bid => true,
        };
        if !self.closed && self.rules.auction.coinche == Coinche::AnyTime {
            self.offers = vec![(seat + 1) % 4, (seat + 3) % 4];
        }
    }

    fn taken(&mut self, seat: usize, strain: Strain) {
        self.bid_made(seat, Bid { level: Level::Take, strain });
        self.closed |= self.rules.auction.coinche == Coinche::Off;
    }

    fn is_turn_up(&self) -> bool {
        self.rules.deal.method == Method::TurnUp
    }
}
