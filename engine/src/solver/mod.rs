//! Exact play with all cards open.
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

mod order;
mod search;
mod table;
mod tables;
mod weights;

pub use order::Ordering;

use crate::strain::Layout;
use crate::{Card, CardRules, PlayState, RuleSet, Strain};

use search::Search;
use table::Table;
use tables::Points;

/// Runs a search whose code is made for the kind of strain.
macro_rules! with_search {
    ($solver:expr, $rules:expr, $state:expr, |$search:ident| $run:expr) => {{
        let solver = &mut *$solver;
        let state: &PlayState = $state;
        let points = solver.points.as_deref().expect("prepared");
        let ordering = solver.ordering.as_deref().unwrap_or(Self::ordering(state.strain()));
        let dealt = solver.deal.expect("prepared").0;
        macro_rules! run {
            ($cut:literal, $duty:literal) => {{
                let mut $search =
                    Search::<$cut, $duty>::new(&mut solver.table, points, ordering, $rules, state, dealt);
                let value = $run;
                solver.nodes += $search.nodes;
                value
            }};
        }
        match state.strain() {
            Strain::NoTrump => run!(0, 0),
            Strain::AllTrump => run!(0, 0xffff_ffff),
            _ => run!(0xff00_0000, 0xff00_0000),
        }
    }};
}

/// An exact solver with its table, to be kept and used again.
///
/// Memory: 256 KiB for the table, allocated once; nothing is allocated while solving.
#[derive(Debug, Clone)]
pub struct Solver {
    table: Table,
    points: Option<Box<Points>>,
    /// An order of moves under test.
    ordering: Option<Box<Ordering>>,
    /// The hands from which the table's entries come.
    deal: Option<([u32; 4], Strain, CardRules, u16, bool, bool)>,
    nodes: u64,
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// Makes a solver with an empty table.
    pub fn new() -> Self {
        Self { table: Table::new(), points: None, ordering: None, deal: None, nodes: 0 }
    }

    /// Makes a solver that tries moves in another order: the values are the same, the time is not.
    pub fn with_ordering(ordering: Ordering) -> Self {
        Self { ordering: Some(Box::new(ordering)), ..Self::new() }
    }

    /// Returns the order of moves for a strain.
    pub const fn ordering(strain: Strain) -> &'static Ordering {
        match strain {
            Strain::NoTrump => &weights::NO_TRUMP,
            Strain::AllTrump => &weights::ALL_TRUMP,
            _ => &weights::SUIT,
        }
    }

    /// Returns the number of positions at the starts of tricks that were searched so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the card points that the side to play takes from here on with best play of both sides: the
    /// trick under way and all later ones, last trick included.
    pub fn value(&mut self, rules: &RuleSet, state: &PlayState) -> u16 {
        self.bounded(rules, state, -1, 1000)
    }

    /// Tests if the side to play takes at least `points` from here on.
    pub fn reaches(&mut self, rules: &RuleSet, state: &PlayState, points: u16) -> bool {
        let points = i32::from(points);
        i32::from(self.bounded(rules, state, points - 1, points)) >= points
    }

    /// Calls `report` with the value of every legal card, as of [`Solver::value`].
    pub fn values(&mut self, rules: &RuleSet, state: &PlayState, mut report: impl FnMut(Card, u16)) {
        self.prepare(rules, state);
        let layout = Layout::new(state.strain());
        let mut guess = None;
        for card in state.legal_plays() {
            let value =
                with_search!(self, rules, state, |search| search.card_value(state, layout.bit(card), guess));
            guess = Some(value);
            report(card, u16::try_from(value).expect("points are not negative"));
        }
    }

    fn bounded(&mut self, rules: &RuleSet, state: &PlayState, alpha: i32, beta: i32) -> u16 {
        self.prepare(rules, state);
        let value = with_search!(self, rules, state, |search| search.position(state, alpha, beta));
        u16::try_from(value).expect("points are not negative")
    }

    /// Prepares a search; entries of the same deal and strain are kept.
    fn prepare(&mut self, rules: &RuleSet, state: &PlayState) {
        let layout = Layout::new(state.strain());
        let mut hands = state.hands;
        for (seat, card) in state.trick() {
            hands[seat as usize] |= layout.bit(card);
        }
        let last = rules.scoring.last_trick_in(state.strain());
        let same = self.deal.is_some_and(|(deal, strain, cards, deal_last, free, over)| {
            (strain, cards, deal_last) == (state.strain(), rules.cards, last)
                && (free, over) == (state.free_undertrump, state.overtrump_partner)
                && hands.iter().zip(deal).all(|(hand, dealt)| hand & !dealt == 0)
        });
        if !same {
            self.table.forget();
            self.deal = Some((
                hands,
                state.strain(),
                rules.cards,
                last,
                state.free_undertrump,
                state.overtrump_partner,
            ));
        }
        if !same || self.points.is_none() {
            self.points = Some(Box::new(Points::new(&rules.cards, state.strain())));
        }
    }
}
