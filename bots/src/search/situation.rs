//! A decision in the play, as a search sees it.

use std::sync::Arc;

use coinche_engine::rules::BeloteAllTrump;
use coinche_engine::{
    Belote, BySeat, ByTeam, Card, CardSet, Contract, DealScore, Melds, PlayState, RuleSet, Strain, Team, View,
};

use super::{Equity, Payoff};
use crate::Thought;

/// What a search asks of the table at a decision, and what deals are worth from there.
pub(crate) struct Situation<'a> {
    view: View<'a>,
    contract: Contract,
    played: BySeat<CardSet>,
    /// The payoffs met so far, by what is scored for belotes and melds.
    payoffs: Vec<(ByTeam<u16>, ByTeam<u16>, Payoff)>,
    /// Where the match is to be won.
    equity: Option<Arc<Equity>>,
}

/// What a payoff counts a match that is won for sure.
const MATCH: f64 = 1e6;

impl<'a> Situation<'a> {
    /// Looks at a decision; `None` outside of the play.
    pub(crate) fn of(view: &View<'a>) -> Option<Self> {
        let contract = view.contract()?;
        let played = BySeat::from_fn(|seat| view.played_by(seat));
        Some(Self { view: *view, contract, played, payoffs: Vec::new(), equity: None })
    }

    /// Looks for the chance to win the match, in millionths, instead of points if that is wanted.
    pub(crate) fn for_match(self, wanted: bool) -> Self {
        Self { equity: wanted.then(|| Equity::of(self.rules())), ..self }
    }

    /// Returns a thought in the unit shown to people: in a match the probability of winning it, in percent.
    pub(crate) fn in_units(&self, mut thought: Thought) -> Thought {
        if self.equity.is_some() {
            thought.points = None;
            for option in &mut thought.options {
                option.mean *= 100.0 / MATCH;
                option.half_width *= 100.0 / MATCH;
            }
        }
        thought
    }

    /// What a score is worth to the own side.
    fn worth(&self, score: &DealScore) -> i32 {
        let side = self.side();
        let Some(equity) = &self.equity else { return score.points[side] - score.points[side.other()] };
        let (before, held) = (self.view.match_score(), self.view.held());
        let left = self.view.deals_left();
        let chance = equity.chance_after(before, held, left, score, self.contract.declarer.team(), side);
        #[expect(clippy::cast_possible_truncation, reason = "at most a million")]
        {
            (chance * MATCH).round() as i32
        }
    }

    /// Returns the contract.
    pub(crate) const fn contract(&self) -> Contract {
        self.contract
    }

    /// Returns the rules.
    pub(crate) const fn rules(&self) -> &'a RuleSet {
        self.view.rules()
    }

    /// Returns the own side.
    pub(crate) const fn side(&self) -> Team {
        self.view.seat().team()
    }

    /// Returns the points that the own side has taken so far.
    pub(crate) fn taken(&self) -> i32 {
        self.view.points_taken()[self.side()].into()
    }

    /// Returns the play in a world.
    pub(crate) fn play(&self, hands: &BySeat<CardSet>) -> PlayState {
        self.view.imagine_play(hands).expect("cards are played")
    }

    /// Returns what the deal is worth to the own side in a world.
    pub(crate) fn payoff(&mut self, hands: &BySeat<CardSet>) -> &Payoff {
        let first = BySeat::from_fn(|seat| hands[seat] | self.played[seat]);
        let (belotes, melds) = (self.belotes(&first), self.melds(&first));
        let known = self.payoffs.iter().position(|(b, m, _)| (*b, *m) == (belotes, melds));
        let at = known.unwrap_or_else(|| {
            let play = self.play(hands);
            let (rules, scored) = (self.view.rules(), (belotes, melds));
            let payoff =
                Payoff::by(rules, self.contract, &play, self.side(), scored, |score| self.worth(score));
            self.payoffs.push((belotes, melds, payoff));
            self.payoffs.len() - 1
        });
        &self.payoffs[at].2
    }

    /// What belotes score: those announced, and those that will be.
    fn belotes(&self, first: &BySeat<CardSet>) -> ByTeam<u16> {
        let (rules, strain) = (self.view.rules(), self.contract.strain);
        let mut points = Belote::points(rules, strain, first);
        if self.view.belote_is_automatic() && rules.belote.all_trump != BeloteAllTrump::NoDiscard {
            return points;
        }
        // One of which a card was played in silence does not score.
        for (seat, hand) in first.iter() {
            for suit in coinche_engine::Suit::ALL {
                let announced = self.view.belote(suit).and_then(|belote| belote.announced);
                let mut single = BySeat([CardSet::EMPTY; 4]);
                single[seat] = hand.of(suit);
                let worth = Belote::points(rules, strain, &single)[seat.team()];
                let silent = self.played[seat].of(suit).into_iter().any(is_of_a_couple);
                if worth > 0 && silent && announced != Some(true) {
                    points[seat.team()] -= worth;
                }
            }
        }
        points
    }

    /// What melds score: those that do, or before the end of the first trick those that the hands would.
    fn melds(&self, first: &BySeat<CardSet>) -> ByTeam<u16> {
        let rules = self.view.rules();
        if !rules.melds.in_strain(self.contract.strain) {
            return ByTeam([0; 2]);
        }
        let scored = self.view.scored_melds().copied().unwrap_or_else(|| {
            let best = first.map(|hand| Melds::best(&rules.melds, hand));
            Melds::contest(&rules.melds, self.contract.strain, self.view.dealer().next(), best)
        });
        Melds::points_of(&rules.melds, &scored)
    }

    /// Returns one of each kind of legal card, in an order free of the names of suits: of cards that do the same
    /// the weakest.
    pub(crate) fn candidates(&self, legal: CardSet, order: impl Iterator<Item = Card>) -> Vec<Card> {
        let strain = self.contract.strain;
        let others = not_in_hand(&self.view);
        let mut candidates: Vec<Card> = Vec::new();
        for card in order.filter(|card| legal.contains(*card)) {
            match candidates.iter_mut().find(|other| do_the_same(&self.view, others, **other, card)) {
                Some(other) if strain.strength(card) < strain.strength(*other) => *other = card,
                Some(_) => {}
                None => candidates.push(card),
            }
        }
        // Cheap cards first: of equal ones the first is played.
        let price = |card: &Card| (points_of(&self.view, strain, *card), strain.strength(*card));
        candidates.sort_by_key(price);
        candidates
    }
}

/// Tests if two cards of the seat's hand do the same: of one suit, worth the same, and no card that others hold or
/// that lies in the trick between them.
pub fn same_card(view: &View<'_>, one: Card, other: Card) -> bool {
    do_the_same(view, not_in_hand(view), one, other)
}

/// The cards that others hold, and those in the trick.
fn not_in_hand(view: &View<'_>) -> CardSet {
    view.unseen() | view.trick().map(|(_, card)| card).collect::<CardSet>()
}

fn do_the_same(view: &View<'_>, others: CardSet, one: Card, other: Card) -> bool {
    let Some(strain) = view.strain() else { return false };
    one.suit() == other.suit()
        && points_of(view, strain, one) == points_of(view, strain, other)
        && ((strain.above(one) ^ strain.above(other)) & others).is_empty()
}

fn points_of(view: &View<'_>, strain: Strain, card: Card) -> u16 {
    view.rules().cards.points(strain, card)
}

fn is_of_a_couple(card: Card) -> bool {
    matches!(card.rank(), coinche_engine::Rank::King | coinche_engine::Rank::Queen)
}
