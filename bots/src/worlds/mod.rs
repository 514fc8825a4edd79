//! The deals that fit what a seat knows.
//!
//! [`Worlds`] counts, samples and lists them, by exact conditions: the cards that were played and
//! how many each seat holds; the cards that a seat would have had to play earlier (voids, overtrumps, obligations
//! to beat); belotes announced and refused; melds announced and shown; the card turned up; and with a deck that
//! is only cut, where the cards lay before. All deals that fit are equally likely; [`OpponentModel`] weighs
//! them by what the others did.
//!
//! # How
//!
//! Every hidden card has a set of seats that may hold it. Cards with the same set are interchangeable, so a
//! distribution is a handful of numbers and its count a product of binomials: samples are exact, without
//! rejection. Melds that were announced but not shown are tried one by one as known cards; a sample is then
//! tested against all announcements, and rejected if it disagrees.
//!
//! # Cost
//!
//! [`Worlds::of`] some microseconds; a draw some 100 ns, more where melds are announced
//! (`cargo bench -p coinche-benches -- worlds`).

mod deals;
mod draws;
mod evidence;
mod melds;
mod opponents;
mod retelling;
mod split;
mod weigher;

pub(crate) use deals::shuffle;
pub use draws::Draws;
pub use evidence::{ActionLikelihood, CallMatch, Evidence, TrickPosition};
pub use opponents::{CallReader, Component, OpponentModel};
pub(crate) use retelling::history;
pub use retelling::{retell, rotated, stand_in};
pub use weigher::Weigher;

use coinche_engine::encoding::SuitOrder;
use coinche_engine::rules::{DealMethod, PartnerTrump};
use coinche_engine::{BySeat, CardSet, Deal, Seat, View};
use rand_xoshiro::rand_core::Rng;

use melds::Announced;
use split::Split;

/// How many samples in a row may disagree with the announcements before something must be wrong.
const PATIENCE: u32 = 10_000_000;
/// How many ways to share out the cards of two seats are tried.
const RETRIES: usize = 20;

/// The deals that fit what a seat knows at the moment of a view.
pub struct Worlds<'a> {
    view: View<'a>,
    suits: SuitOrder,
    /// The seats to the left of the own, in the order of the hands of a [`Split`].
    others: [Seat; 3],
    played: BySeat<CardSet>,
    /// The ways to share out the hidden cards, by what the announced melds may be; the ways of a case are
    /// counted up to and with it.
    cases: Vec<Case>,
    announced: Option<Announced>,
    /// With a deck that is only cut: the deals there can be.
    listed: Option<Vec<Deal>>,
}

struct Case {
    split: Split,
    below: u64,
    /// The cards of the melds that each seat has announced.
    melds: BySeat<CardSet>,
}

impl<'a> Worlds<'a> {
    /// Collects what is known.
    ///
    /// # Panics
    ///
    /// If no deal fits, which cannot happen at a table that follows the rules.
    pub fn of(view: &View<'a>) -> Self {
        Self::try_of(view).expect("a deal fits what the seat was told")
    }

    /// Collects what is known; `None` if no deal fits, which is possible for a view that a person entered.
    ///
    /// Where melds were announced, or partners must overtrump each other, there may be a world by this and yet none
    /// that fits: [`Worlds::try_deal`] tells.
    pub fn try_of(view: &View<'a>) -> Option<Self> {
        let view = *view;
        let others = [1, 2, 3].map(|n| view.seat().plus(n));
        let played = BySeat::from_fn(|seat| view.played_by(seat));
        let announced = Announced::of(&view, &played);
        let suits = SuitOrder::canonical(&view);
        let mut this = Self { view, suits, others, played, cases: Vec::new(), announced, listed: None };
        if let Some(mut deals) = deals::after_cuts(&view) {
            deals.retain(|deal| this.is_possible(deal));
            if deals.is_empty() {
                return None;
            }
            this.listed = Some(deals);
        } else if !this.is_before_the_rest() {
            this.count_cases();
            if this.total() == 0 {
                return None;
            }
        }
        Some(this)
    }

    /// Returns an upper bound of the number of worlds: the number itself unless melds were announced, or the
    /// rules have a duty of which the cards alone do not tell (`play.partner_trump = overtrump`).
    ///
    /// A world is a way to share out the cards that the others hold now; in an auction after which cards are dealt,
    /// one of the first cards and the order of the stock, of which there are more than a number holds.
    pub fn total(&self) -> u64 {
        match &self.listed {
            Some(deals) => deals.len() as u64,
            None if self.is_before_the_rest() => u64::MAX,
            None => self.cases.last().map_or(0, |case| case.below),
        }
    }

    /// Returns the order in which suits are to be looked at for answers that do not depend on their names.
    pub const fn suits(&self) -> SuitOrder {
        self.suits
    }

    /// Draws a world: what each seat holds now (in an auction after which cards are dealt, the first of them).
    pub fn hands(&self, rng: &mut impl Rng) -> BySeat<CardSet> {
        self.try_hands(rng, PATIENCE).expect("a deal fits what was announced")
    }

    /// Draws a world as [`Worlds::hands`] does; `None` when so many draws in a row disagree with what was announced.
    pub fn try_hands(&self, rng: &mut impl Rng, patience: u32) -> Option<BySeat<CardSet>> {
        if let Some(deals) = &self.listed {
            let (_, at) = rng.next_u64().carrying_mul(deals.len() as u64, 0);
            return Some(self.now(&deals[usize::try_from(at).unwrap_or(0)]));
        }
        if self.is_before_the_rest() {
            return Some(*self.first_cards(rng).hands());
        }
        for _ in 0..patience {
            let (_, number) = rng.next_u64().carrying_mul(self.total(), 0);
            let case = &self.cases[self.cases.partition_point(|case| case.below <= number)];
            let hands = self.world(case.split.draw(rng));
            if self.agrees(&hands, case) {
                return Some(hands);
            }
        }
        None
    }

    /// Draws a world in which a seat has the same hand as in this one, all of them equally likely if this is drawn; this one where that is not
    /// possible.
    pub(super) fn draw_others(
        &self,
        hands: &BySeat<CardSet>,
        kept: Seat,
        rng: &mut impl Rng,
    ) -> BySeat<CardSet> {
        let case = self.cases.iter().find(|case| self.cases.len() == 1 || self.agrees(hands, case));
        let Some((case, kept)) = case.zip(self.others.iter().position(|seat| *seat == kept)) else {
            return *hands;
        };
        let names = self.others.map(|seat| self.suits.rename(hands[seat]).bits());
        let drawn = (0..RETRIES).map(|_| self.world(case.split.draw_others(names, kept, rng)));
        // Where none of them agrees, the one that is given stands in: it is as likely as any.
        { drawn }.find(|drawn| self.agrees(drawn, case)).unwrap_or(*hands)
    }

    /// Lets two of the others exchange one to three cards: each exchange is as likely as its reverse.
    fn exchange(&self, hands: &BySeat<CardSet>, rng: &mut impl Rng) -> ([Seat; 2], BySeat<CardSet>) {
        let mut below = |n: usize| {
            let (_, number) = rng.next_u64().carrying_mul(n as u64, 0);
            usize::try_from(number).unwrap_or(0)
        };
        let (apart, number) = (below(3), 1 + below(3));
        let pair = [self.others[apart], self.others[(apart + 1) % 3]];
        let given = pair.map(|seat| {
            let mut kept: Vec<_> = self.in_order(hands[seat]).collect();
            (0..number).map(|_| kept.swap_remove(below(kept.len()))).collect::<CardSet>()
        });
        let mut exchanged = *hands;
        exchanged[pair[0]] = (hands[pair[0]] - given[0]) | given[1];
        exchanged[pair[1]] = (hands[pair[1]] - given[1]) | given[0];
        (pair, exchanged)
    }

    /// Draws a world as a whole deal: with the cards that were played, in an order in which they may have been
    /// dealt.
    pub fn deal(&self, rng: &mut impl Rng) -> Deal {
        self.try_deal(rng, PATIENCE).expect("a deal fits what was announced")
    }

    /// Draws a world as a whole deal; `None` when so many draws in a row disagree with what was announced.
    pub fn try_deal(&self, rng: &mut impl Rng, patience: u32) -> Option<Deal> {
        if let Some(deals) = &self.listed {
            let (_, at) = rng.next_u64().carrying_mul(deals.len() as u64, 0);
            return Some(deals[usize::try_from(at).unwrap_or(0)]);
        }
        if self.is_before_the_rest() {
            return Some(self.first_cards(rng));
        }
        let hands = self.try_hands(rng, patience)?;
        Some(self.deal_of(&hands, rng))
    }

    /// Returns a whole deal with these hands, which are a world, in an order in which it may have been dealt.
    ///
    /// # Panics
    ///
    /// When they are none, or in an auction after which cards are dealt.
    pub fn deal_of(&self, hands: &BySeat<CardSet>, rng: &mut impl Rng) -> Deal {
        let turned = self.view.turned();
        let mut piles = BySeat([const { Vec::new() }; 4]);
        // From the own seat on: an order that does not depend on how the seats are numbered.
        for seat in self.view.seat().around() {
            let hand = hands[seat] | self.played[seat];
            let hand = turned.map_or(hand, |card| hand.without(card));
            piles[seat] = deals::shuffled(self.in_order(hand), rng);
        }
        deals::deal(&self.view, piles, Vec::new()).expect("a world is a deal")
    }

    /// Returns all worlds, as [`Worlds::hands`] draws them, if there are at most so many; `None` if there may be
    /// more.
    pub fn all(&self, limit: usize) -> Option<Vec<BySeat<CardSet>>> {
        if let Some(deals) = &self.listed {
            return (deals.len() <= limit).then(|| deals.iter().map(|deal| self.now(deal)).collect());
        }
        if self.total() > limit as u64 {
            return None;
        }
        let mut all = Vec::new();
        for case in &self.cases {
            case.split.all(|hands| {
                let hands = self.world(hands);
                if self.agrees(&hands, case) {
                    all.push(hands);
                }
            });
        }
        Some(all)
    }

    /// Iterates over the cards of a set in an order that does not depend on the names of the suits.
    pub fn in_order(&self, cards: CardSet) -> impl Iterator<Item = coinche_engine::Card> + use<> {
        self.suits.cards(cards)
    }

    /// Tests if it is an auction after which cards are dealt.
    fn is_before_the_rest(&self) -> bool {
        self.view.rules().deal.method != DealMethod::Full && self.view.contract().is_none()
    }

    /// Draws the cards that were dealt first, and the stock.
    fn first_cards(&self, rng: &mut impl Rng) -> Deal {
        let turned = self.view.turned().map_or(CardSet::EMPTY, CardSet::only);
        let mut stock = deals::shuffled(self.in_order(self.view.unseen() - turned), rng);
        let mut piles = BySeat([const { Vec::new() }; 4]);
        piles[self.view.seat()] = self.in_order(self.view.hand()).collect();
        for seat in self.others {
            piles[seat] = stock.split_off(stock.len() - self.view.hand().len());
        }
        deals::deal(&self.view, piles, stock).expect("the cards of a deck")
    }

    /// Counts the ways for every choice of the melds that were announced.
    fn count_cases(&mut self) {
        let could = self.others.map(|seat| self.view.could_hold(seat));
        let mut sizes = [8; 3];
        for (n, seat) in self.others.into_iter().enumerate() {
            sizes[n] -= self.played[seat].len();
        }
        let melds: Vec<Vec<CardSet>> = (0..3)
            .map(|n| match &self.announced {
                Some(announced) => {
                    announced.candidates(&self.view, self.others[n], could[n] | self.played[self.others[n]])
                }
                None => vec![CardSet::EMPTY],
            })
            .collect();
        let mut below = 0;
        for (first, second, third) in triples(&melds) {
            let melds = [first, second, third];
            let mut held = could;
            for (n, cards) in melds.into_iter().enumerate() {
                for m in (0..3).filter(|m| *m != n) {
                    held[m] -= cards;
                }
            }
            let mut cards = [0; 8];
            for card in self.view.unseen() {
                let set = (0..3).fold(0, |set, n| set | usize::from(held[n].contains(card)) << n);
                cards[set] |= self.suits.rename(CardSet::only(card)).bits();
            }
            let split = Split::new(cards, sizes);
            if split.total() > 0 {
                below += split.total();
                let mut by_seat = BySeat([CardSet::EMPTY; 4]);
                for (seat, cards) in self.others.into_iter().zip(melds) {
                    by_seat[seat] = cards;
                }
                self.cases.push(Case { split, below, melds: by_seat });
            }
        }
    }

    /// The hands of all seats from those of the others.
    fn world(&self, others: [u32; 3]) -> BySeat<CardSet> {
        let mut hands = BySeat([CardSet::EMPTY; 4]);
        hands[self.view.seat()] = self.view.hand();
        for (seat, hand) in self.others.into_iter().zip(others) {
            hands[seat] = self.suits.restore(CardSet::from_bits(hand));
        }
        hands
    }

    /// What is left of the hands of a deal.
    fn now(&self, deal: &Deal) -> BySeat<CardSet> {
        let hands = deals::hands(&self.view, deal);
        BySeat::from_fn(|seat| hands[seat] - self.played[seat])
    }

    /// Tests what concerns more than single cards.
    fn agrees(&self, hands: &BySeat<CardSet>, case: &Case) -> bool {
        let first = || BySeat::from_fn(|seat| hands[seat] | self.played[seat]);
        self.announced.as_ref().is_none_or(|announced| announced.agrees(&self.view, &first(), &case.melds))
            && (self.view.rules().play.partner_trump != PartnerTrump::Overtrump || self.was_legal(&first()))
    }

    /// Tests if the cards were played by the rules from these first hands.
    fn was_legal(&self, hands: &BySeat<CardSet>) -> bool {
        let Some(strain) = self.view.strain() else { return true };
        let leader = self.view.dealer().next();
        let mut play = coinche_engine::PlayState::new(&self.view.rules().play, strain, *hands, leader);
        history(&self.view).all(|card| {
            let legal = play.is_legal(card);
            if legal {
                play.play_unchecked(card);
            }
            legal
        })
    }

    /// Tests if a deal, in which the own hand is right, fits what was seen of this deal.
    fn is_possible(&self, deal: &Deal) -> bool {
        self.others.iter().all(|seat| {
            let hand = deals::hands(&self.view, deal)[*seat];
            self.played[*seat].is_subset(hand)
                && (hand - self.played[*seat]).is_subset(self.view.could_hold(*seat))
        }) && retell(&self.view, deal, |_, _, _| {}).is_some()
    }
}

impl core::fmt::Debug for Worlds<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Worlds")
            .field("view", &self.view)
            .field("total", &self.total())
            .finish_non_exhaustive()
    }
}

/// Draws a number from 0 to 1.
pub fn unit(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// All choices of one of each.
fn triples(choices: &[Vec<CardSet>]) -> impl Iterator<Item = (CardSet, CardSet, CardSet)> {
    choices[0].iter().flat_map(move |first| {
        choices[1].iter().filter(|second| second.is_disjoint(*first)).flat_map(move |second| {
            choices[2]
                .iter()
                .filter(|third| third.is_disjoint(*first | *second))
                .map(move |third| (*first, *second, *third))
        })
    })
}
