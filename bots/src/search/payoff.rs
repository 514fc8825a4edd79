//! What a deal is worth to a side, by the points that the declarers take.

use coinche_engine::solver::Solver;
use coinche_engine::{
    BidValue, BySeat, ByTeam, Card, CardSet, Contract, DealResult, DealScore, DealState, Goal, PlayState,
    RuleSet, Seat, Team, Turn,
};

use super::{Situation, solve_cards};

/// What one side scores more than the other at the end of a deal, as a function of its card points.
///
/// The function never falls: more points are never worse. So the score that best play of both sides leads to
/// is the function's value at the points that best play for points leads to, with a slam (all eight tricks of
/// one side) counted as one point more than all points. That makes the exact solver one for scores: only
/// points inside [`Payoff::window`] have to be told apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Payoff {
    side: Team,
    /// By the side's card points, from -1 (every trick lost) to all points and one more (every trick won).
    scores: Vec<i32>,
    /// The least number of points above which the score is not that of none.
    low: i32,
    /// The least number of points at which the score is that of all.
    high: i32,
    prizes: ByTeam<u16>,
    /// Whether the contract is made, by the same points.
    made: Vec<bool>,
    /// By seat, the score and whether the contract is made where one player wins all tricks; only where the rules pay
    /// more or less for that than for a slam of two.
    alone: Option<BySeat<(i32, bool)>>,
    is_exact: bool,
}

impl Payoff {
    /// What each team gets for all tricks wherever it may matter: a solver with these keeps what it knows of a deal.
    pub const PRIZES: ByTeam<u16> = ByTeam([1; 2]);

    /// Computes the function for the rest of a deal.
    ///
    /// `belote` and `melds` are what each team scores for them, as [`DealResult`] has them. The players of the
    /// tricks won so far are known from `play`; where a whole slam is still to come, it is taken to be one of
    /// two partners, except that a générale is taken to be made by a slam in which the declarer has won all tricks so
    /// far. A solver counts the tricks of sides only; whoever sees a deal played to its end asks [`Self::alone`].
    pub fn new(
        rules: &RuleSet,
        contract: Contract,
        play: &PlayState,
        side: Team,
        belote: ByTeam<u16>,
        melds: ByTeam<u16>,
    ) -> Self {
        let difference = |score: &DealScore| score.points[side] - score.points[side.other()];
        Self::by(rules, contract, play, side, (belote, melds), difference)
    }

    /// Computes the function for the side to play, from all hands of a deal; `None` outside of the play.
    ///
    /// Belotes count where they were announced or still will be, melds where they score or will. Some microseconds.
    pub fn of_state(state: &DealState) -> Option<Self> {
        let Turn::Play(seat) = state.turn() else { return None };
        let view = state.view(seat);
        let hands = state.hands().map(|hand| hand - view.played());
        Some(Situation::of(&view)?.payoff(&hands).clone())
    }

    /// Computes the function where the score of a deal has another worth to the side than the difference of points.
    ///
    /// The worth must not fall when the side scores more or the other less.
    pub fn by(
        rules: &RuleSet,
        contract: Contract,
        play: &PlayState,
        side: Team,
        (belote, melds): (ByTeam<u16>, ByTeam<u16>),
        worth: impl Fn(&DealScore) -> i32,
    ) -> Self {
        let all = rules.cards.points_of(contract.strain, CardSet::FULL)
            + rules.scoring.last_trick_in(contract.strain);
        let score = |own: u16, tricks: BySeat<u8>| {
            let mut card_points = ByTeam([all - own; 2]);
            card_points[side] = own;
            let score = DealResult { contract, card_points, tricks, belote, melds }.score(rules);
            (worth(&score), score.made)
        };
        let slam = |team: Team| {
            let alone = |seat: Seat| play.tricks_by(seat) == play.tricks_played();
            let solo = match contract.goal {
                Goal::Bid(BidValue::GENERALE) => alone(contract.declarer),
                _ => false,
            };
            let mut tricks = DealResult::tricks_of_slam(Some(team));
            if solo && contract.declarer.team() == team {
                tricks = BySeat([0; 4]);
                tricks[contract.declarer] = 8;
            }
            score(if team == side { all } else { 0 }, tricks)
        };
        let differs = rules.scoring.solo_slam != rules.scoring.unbid_slam;
        let alone = differs.then(|| {
            BySeat::from_fn(|seat: Seat| {
                let mut tricks = BySeat([0; 4]);
                tricks[seat] = 8;
                score(if seat.team() == side { all } else { 0 }, tricks)
            })
        });
        let even = BySeat([2; 4]);
        let mut outcomes = vec![slam(side.other())];
        outcomes.extend((0..=all).map(|own| score(own, even)));
        outcomes.push(slam(side));
        // A slam that cannot be, or that pays no more than the points, is none to the solver, which is
        // quicker without.
        let mut prizes = ByTeam([0; 2]);
        let last = outcomes.len() - 1;
        for (team, slam, points) in [(side, last, last - 1), (side.other(), 0, 1)] {
            if play.tricks_won(team.other()) > 0 {
                outcomes[slam] = outcomes[points];
            }
            prizes[team] = u16::from(outcomes[slam] != outcomes[points]);
        }
        let (scores, made): (Vec<i32>, Vec<bool>) = outcomes.into_iter().unzip();
        let is_exact = scores.is_sorted() && contract.goal != Goal::Bid(BidValue::GENERALE);
        let first = scores.iter().position(|score| *score != scores[0]).unwrap_or(scores.len());
        let full = scores.iter().position(|score| *score == scores[last]).unwrap_or(last);
        let points = |index: usize| i32::try_from(index).unwrap_or(i32::MAX) - 1;
        Self { side, low: points(first), high: points(full), scores, prizes, made, alone, is_exact }
    }

    /// Calls `report` with some of the legal cards and the score of the deal after each, the own side's less the
    /// other's, with best play of all who see all hands.
    ///
    /// `play` is a position of the deal in which the side of the payoff is to play. Cards that are not legal are left
    /// out. About a millisecond at the first lead and far less later; positions that were solved before with the same
    /// solver help, the later ones most.
    pub fn solve(
        &self,
        solver: &mut Solver,
        rules: &RuleSet,
        play: &PlayState,
        cards: CardSet,
        mut report: impl FnMut(Card, i32),
    ) {
        let cards = play.legal_plays() & cards;
        let report = |card, points| report(card, self.at(points));
        solve_cards(solver, rules, self, play, (cards, Self::PRIZES), report);
    }

    /// Tests if best play for points is best play for the score.
    ///
    /// It is not for a générale, which a partner's trick defeats, nor under rules by which more points can score less.
    pub const fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Returns the side whose score it is.
    pub const fn side(&self) -> Team {
        self.side
    }

    /// Returns the score at so many points: the side's own less the other's.
    #[inline]
    pub fn at(&self, points: i32) -> i32 {
        self.scores[self.index(points)]
    }

    /// Tests if the contract is made at so many points.
    #[inline]
    pub fn is_made_at(&self, points: i32) -> bool {
        self.made[self.index(points)]
    }

    /// Returns the score and whether the contract is made where this player wins all eight tricks; `None` where that
    /// is worth what any slam is.
    #[inline]
    pub fn alone(&self, seat: Seat) -> Option<(i32, bool)> {
        self.alone.map(|alone| alone[seat])
    }

    fn index(&self, points: i32) -> usize {
        usize::try_from(points + 1).unwrap_or(0).min(self.scores.len() - 1)
    }

    /// Returns the bounds for a solver: at and below the first the score is that of no points, at and above the
    /// second that of all.
    #[inline]
    pub const fn window(&self) -> (i32, i32) {
        (self.low - 1, self.high)
    }

    /// Tests if points that a solver found within the window are exact; at its bounds the score is the same beyond.
    pub(crate) const fn tells_apart(&self, points: i32) -> bool {
        self.low <= points && points < self.high
    }

    /// Tests if the score is settled, whatever is still played.
    pub const fn is_settled(&self) -> bool {
        self.low > self.high
    }

    /// Returns what each team gets for all tricks in the count of points: one or nothing.
    pub const fn prizes(&self) -> ByTeam<u16> {
        self.prizes
    }
}
