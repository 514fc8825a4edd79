//! The cost of each card of one deal, for the person who has just played it.

use coinche_engine::solver::Solver;
use coinche_engine::{Card, Seat};

use super::auction::AuctionJudge;
use super::played::{Judged, Played};
use super::value;

/// A card chosen among several, and its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CardCost {
    /// Who played it.
    pub seat: Seat,
    /// Counted from 1.
    pub trick: usize,
    /// The card.
    pub card: Card,
    /// The best card; the chosen one if it is as good as any.
    pub best: Card,
    /// In card points, never negative.
    pub points: i32,
    /// In the score of the deal; `None` where it has no exact value.
    pub score: Option<i32>,
}

/// Returns the cost of each chosen card of a record, and of the auction for each team; `None` if the deal was
/// not played.
pub fn one_deal(solver: &mut Solver, line: &[u8]) -> Option<(Vec<CardCost>, Option<[i32; 2]>)> {
    let (_, Judged::Played(played)) = Played::read(line).ok()? else { return None };
    let auction = AuctionJudge::default().losses(solver, &played.dealt, played.contract);
    let (decisions, _) = value::decisions(solver, &played);
    let cost = |decision: &super::decision::Decision| CardCost {
        seat: decision.seat,
        trick: decision.trick + 1,
        card: decision.card,
        best: decision.best_card,
        points: decision.loss(),
        score: decision.score_loss,
    };
    Some((decisions.iter().map(cost).collect(), auction.map(|losses| losses.map(|loss| loss.total()))))
}
