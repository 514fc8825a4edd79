//! Exact double-dummy play.
//!
//! [`Solver`] answers how many card points (last trick included) each side takes with best play of both,
//! for any position of the play, and what every legal card is worth. Values are those of a zero-sum game
//! of card points; slams have no worth of their own here.
//!
//! # How
//!
//! Negamax over the points *still to come* for the side to move, in ranked words (see `Layout`), with a
//! principal variation search and a table at the starts of tricks. The key of the table is the *shape* of a
//! position: for each suit the sequence of the owners of the remaining cards in order of strength. An entry
//! keeps which cards remained when it was written; a position of the same shape with other cards has the
//! same trick-taking game with other points, so its value differs by at most the differences of aligned
//! cards, and the stored bounds, widened by these, still bound it. The deal is fixed, so the remaining
//! cards say everything and two different positions are never mistaken for each other.

mod endings;
mod moves;
mod par;
mod position;
mod search;
mod shape;
mod table;
mod tables;
mod techniques;
mod watch;
mod weights;

pub use par::{DealPoints, LeaderPoints, ParContract, points_to_come, takes_all};
pub use position::{Position, PositionError};

use crate::bits::{Fast, Plain};
use crate::rules::CardRules;
use crate::{ByTeam, Card, CardSet, PlayState, RuleSet, Seat, Strain};

use search::Search;
use table::Table;
use tables::Points;
use tuning::{Candidate, Ordering, Techniques};
use watch::Watch;

/// What the benchmarks and fits of this repository set and watch; no promise is made of it.
#[doc(hidden)]
pub mod tuning {
    pub use crate::solver::{moves::Ordering, techniques::Techniques, watch::Candidate};
}

/// The kind of a strain: suits are alike once their cards are ranked.
const fn kind(strain: Strain) -> usize {
    match strain {
        Strain::NoTrump => 1,
        Strain::AllTrump => 2,
        _ => 0,
    }
}

/// Runs a search whose code is made for the kind of strain.
macro_rules! with_search {
    ($solver:expr, $rules:expr, $state:expr, |$search:ident| $run:expr) => {{
        let solver = &mut *$solver;
        let state: &PlayState = $state;
        let points = solver.points[kind(state.strain())].as_deref().expect("prepared");
        let ordering = solver.ordering.as_deref().unwrap_or(Self::ordering(state.strain()));
        let dealt = solver.deal.expect("prepared").0;
        let (mut techniques, prizes, watched) = (solver.techniques, solver.prizes, solver.watched);
        // The lines of the last two tricks are played by the other rules alone.
        techniques.endings &= !state.no_undertrump;
        macro_rules! run {
            ($form:ident, $cut:literal, $duty:literal, $all:literal) => {{
                let parts = (&mut solver.table, points, ordering);
                let mut $search = Search::<_, $cut, $duty, $all>::new(
                    $form, parts, techniques, $rules, state, dealt, prizes,
                );
                let value = $run;
                solver.nodes += $search.nodes;
                value
            }};
            ($form:ident, $cut:literal, $duty:literal) => {
                if techniques == Techniques::ALL && !watched {
                    run!($form, $cut, $duty, true)
                } else {
                    run!($form, $cut, $duty, false)
                }
            };
            ($form:ident) => {
                match state.strain() {
                    Strain::NoTrump => run!($form, 0, 0),
                    Strain::AllTrump => run!($form, 0, 0xffff_ffff),
                    _ => run!($form, 0xff00_0000, 0xff00_0000),
                }
            };
        }
        let form = Fast::detect();
        #[cfg(test)]
        let form = form.filter(|_| !solver.plain);
        match form {
            Some(form) => run!(form),
            None => run!(Plain),
        }
    }};
}

/// What the entries of a table are of: the hands, the strain, its points with those of the last trick, and the duties.
type Dealt = ([u32; 4], Strain, CardRules, u16, (bool, bool, bool, u8));

/// An exact solver with its table, to be kept and used again.
///
/// Memory: 256 KiB for the table, allocated once; nothing is allocated while solving.
#[derive(Debug, Clone)]
pub struct Solver {
    table: Table,
    /// By kind of strain.
    points: [Option<Box<Points>>; 3],
    techniques: Techniques,
    /// The search under way is watched.
    watched: bool,
    /// An order of moves under test.
    ordering: Option<Box<Ordering>>,
    /// The hands from which the table's entries come.
    deal: Option<Dealt>,
    prizes: [i32; 2],
    nodes: u64,
    /// Searches as on a processor without the instructions of [`Fast`].
    #[cfg(test)]
    plain: bool,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// Makes a solver with an empty table.
    pub fn new() -> Self {
        Self {
            table: Table::new(),
            points: [const { None }; 3],
            techniques: Techniques::ALL,
            watched: false,
            ordering: None,
            deal: None,
            prizes: [0; 2],
            nodes: 0,
            #[cfg(test)]
            plain: false,
        }
    }

    /// Makes a solver that tries moves in another order: the values are the same, the time is not.
    #[doc(hidden)]
    pub fn with_ordering(ordering: Ordering) -> Self {
        Self { ordering: Some(Box::new(ordering)), ..Self::new() }
    }

    /// Makes a solver without some of its techniques: the values are the same, the time is not.
    #[doc(hidden)]
    pub fn with_techniques(techniques: Techniques) -> Self {
        Self { techniques, ..Self::new() }
    }

    /// Returns the order of moves for a strain.
    #[doc(hidden)]
    pub const fn ordering(strain: Strain) -> &'static Ordering {
        weights::ordering(strain)
    }

    /// Returns the number of positions at the starts of tricks that were searched so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Sets what each team gets for taking all eight tricks, beside the points; none at first.
    ///
    /// A value is then a difference: the own points, plus the own prize when the side takes all tricks,
    /// less the other side's prize when that does. Under a rule set with `unbid_slam = 252` the prize of
    /// both is 90; of a bid capot, what the declarers would lose.
    pub fn set_prizes(&mut self, prizes: ByTeam<u16>) {
        let prizes = prizes.map(i32::from).0;
        if prizes != self.prizes {
            self.prizes = prizes;
            self.forget();
        }
    }

    /// Forgets the deal: as if the solver were new, except for the count of nodes.
    pub fn forget(&mut self) {
        self.deal = None;
    }

    /// Returns the card points that the side to play takes from here on with best play of both sides: the
    /// trick under way and all later ones, last trick included.
    pub fn value(&mut self, rules: &RuleSet, state: &PlayState) -> i32 {
        self.value_within(rules, state, i32::MIN / 4, i32::MAX / 4)
    }

    /// Tests if the side to play takes at least `points` from here on: one search with a window of zero
    /// width, at a fraction of the cost of the value.
    pub fn reaches(&mut self, rules: &RuleSet, state: &PlayState, points: i32) -> bool {
        self.value_within(rules, state, points - 1, points) >= points
    }

    /// Returns the value if it lies strictly between the bounds; else some number on the same side of the
    /// window: at most `low` where the value is at most that, at least `high` where it is at least that.
    pub fn value_within(&mut self, rules: &RuleSet, state: &PlayState, low: i32, high: i32) -> i32 {
        self.prepare(rules, state);
        let shift = self.shift(state);
        with_search!(self, rules, state, |search| search.position(state, low + shift, high + shift)) - shift
    }

    /// Calls `report` with every legal card and its value, as of [`Solver::value`].
    ///
    /// Costs some two times the value: the table is shared, and each card's search starts from the value
    /// of the one before.
    pub fn values(&mut self, rules: &RuleSet, state: &PlayState, report: impl FnMut(Card, i32)) {
        let cards = state.legal_plays();
        self.values_within(rules, state, cards, i32::MIN / 4, i32::MAX / 4, report);
    }

    /// Calls `report` with some of the legal cards and their values, as of [`Solver::value_within`]: exact
    /// strictly between the bounds, some number on the same side of the window elsewhere.
    ///
    /// Cards that are not legal are left out.
    pub fn values_within(
        &mut self,
        rules: &RuleSet,
        state: &PlayState,
        cards: CardSet,
        low: i32,
        high: i32,
        mut report: impl FnMut(Card, i32),
    ) {
        self.prepare(rules, state);
        let shift = self.shift(state);
        let mut guess = None;
        for card in state.legal_plays() & cards {
            let value = self.card_value(rules, state, card, guess, (low + shift, high + shift));
            guess = Some(value);
            report(card, value - shift);
        }
    }

    /// Returns the value of a card as the search counts it; the search is prepared.
    ///
    /// A function of its own, so that the search is compiled once and not in every crate that hands a `report` in.
    #[inline(never)]
    fn card_value(
        &mut self,
        rules: &RuleSet,
        state: &PlayState,
        card: Card,
        guess: Option<i32>,
        bounds: (i32, i32),
    ) -> i32 {
        let bit = state.layout().bit(card);
        with_search!(self, rules, state, |search| search.card_value(state, bit, guess, bounds))
    }

    /// Calls `report` with one line of best play of both sides to the end, a card at a time.
    ///
    /// Of cards of equal value the first in the order of the set is played. Costs some two times the value: what
    /// the side to play gets is known all along, so a card is tried with a window of zero width.
    pub fn line(&mut self, rules: &RuleSet, state: &PlayState, mut report: impl FnMut(Seat, Card)) {
        let mut state = *state;
        let mut to_come = i32::from(points_to_come(rules, &state));
        let mut own = ByTeam([0; 2]);
        if !state.is_over() {
            let side = state.to_play().team();
            own[side] = self.value(rules, &state);
            own[side.other()] = to_come - own[side];
        }
        while !state.is_over() {
            let card = self.best_card(rules, &state, own[state.to_play().team()]);
            report(state.to_play(), card);
            if let Some(trick) = state.play_unchecked(card) {
                let left = i32::from(points_to_come(rules, &state));
                own[trick.winner.team()] -= to_come - left;
                to_come = left;
            }
        }
    }

    /// Returns the first card that is worth `value`, which one is and none exceeds.
    fn best_card(&mut self, rules: &RuleSet, state: &PlayState, value: i32) -> Card {
        let (layout, shift) = (state.layout(), self.shift(state));
        let mut cards = state.legal_plays().into_iter();
        let mut card = cards.next().expect("there is a legal card");
        self.prepare(rules, state);
        // What is left when all others fail needs no proof.
        for next in cards {
            let bit = layout.bit(card);
            if with_search!(self, rules, state, |search| search.card_reaches(state, bit, value + shift)) {
                break;
            }
            card = next;
        }
        card
    }

    /// Finds the value of a position and reports a sample of its search: at one in so many nodes with a window
    /// of zero width and several moves, what each of the moves is and whether it cuts off.
    ///
    /// What the orders of moves are fitted to (`benches/examples/solver_fit.rs`); slow, since each move of
    /// such a node is searched by itself, from the same table.
    #[doc(hidden)]
    pub fn watch(
        &mut self,
        rules: &RuleSet,
        state: &PlayState,
        one_in: u64,
        report: &mut dyn FnMut(&[Candidate]),
    ) -> i32 {
        self.prepare(rules, state);
        let shift = self.shift(state);
        self.watched = true;
        let table = Table::new();
        let value = with_search!(self, rules, state, |search| {
            search.watch = Some(Watch { one_in: one_in.max(1), seen: 0, table, report });
            search.position(state, i32::MIN / 4, i32::MAX / 4)
        });
        self.watched = false;
        value - shift
    }

    /// What the search counts for the side to play beyond its value: the prize of the other side, which
    /// it gets in the search as soon as that side loses a trick.
    fn shift(&self, state: &PlayState) -> i32 {
        let side = state.to_play().team();
        if state.tricks_won(side) == 0 { self.prizes[side.other().index()] } else { 0 }
    }

    /// Prepares a search; entries of the same deal and strain are kept.
    fn prepare(&mut self, rules: &RuleSet, state: &PlayState) {
        let layout = state.layout();
        let mut hands = state.hands;
        for (seat, card) in state.trick() {
            hands[seat as usize] |= layout.bit(card);
        }
        let last = rules.scoring.last_trick_in(state.strain());
        let same = self.deal.is_some_and(|(deal, strain, cards, deal_last, duties)| {
            (strain, cards, deal_last) == (state.strain(), rules.cards, last)
                && duties == state.duties()
                && hands.iter().zip(deal).all(|(hand, dealt)| hand & !dealt == 0)
        });
        if !same {
            self.table.forget();
            self.deal = Some((hands, state.strain(), rules.cards, last, state.duties()));
        }
        let points = &mut self.points[kind(state.strain())];
        if points.as_ref().is_none_or(|points| points.rules != rules.cards) {
            *points = Some(Box::new(Points::new(&rules.cards, state.strain())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BySeat, Deck};

    /// The search without the instructions of [`Fast`] takes the same steps.
    #[test]
    fn both_forms_agree() {
        for (name, rules) in RuleSet::ALL {
            let mut solvers = [Solver::new(), Solver { plain: true, ..Solver::new() }];
            for (index, strain) in (0..).zip(Strain::ALL) {
                let mut deck = Deck::shuffled(31, index).cards().to_vec();
                deck.truncate(24);
                let hands = BySeat::from_fn(|seat| deck[6 * seat.index()..][..6].iter().copied().collect());
                let leader = Seat::from_index(deck[0].index());
                let mut state = PlayState::new(&rules.play, strain, hands, leader);
                for inside in 0..4 {
                    let solved = solvers.each_mut().map(|solver| {
                        solver.set_prizes(ByTeam([90 * (inside & 1); 2]));
                        let mut values = vec![(None, solver.value(&rules, &state), solver.nodes())];
                        solver.values(&rules, &state, |card, value| values.push((Some(card), value, 0)));
                        values
                    });
                    assert_eq!(solved[0], solved[1], "{name} {strain}");
                    state.play_unchecked(state.legal_plays().first().unwrap());
                }
            }
            assert_eq!(solvers[0].nodes(), solvers[1].nodes());
        }
    }
}
