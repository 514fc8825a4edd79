//! A match: deals until a side has won (`docs/rules.md`, "Match").

use crate::rules::{BothReached, Finish, PassedOut};
use crate::{ByTeam, DealScore, RuleSet, Seat, Team};

/// The state of a match between deals.
///
/// ```
/// use coinche_engine::{ByTeam, DealScore, MatchState, RuleSet, Seat, Team};
///
/// let mut game = MatchState::new(&RuleSet::COINCHE, Seat::S0);
/// let score = DealScore { made: true, points: ByTeam([1010, 40]), held: 0, slam: None };
/// game.add(&score, Team::Even);
/// assert_eq!(game.winner(), Some(Team::Even));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchState {
    rules: RuleSet,
    score: ByTeam<i32>,
    held: i32,
    /// The points that end the match.
    target: i64,
    dealer: Seat,
    deals: u32,
    /// How many of them were played.
    played: u32,
    /// An extra deal decides, since both sides have reached the target.
    extra: bool,
    winner: Option<Team>,
}

impl MatchState {
    /// Starts a match; the first dealer is drawn by the caller.
    pub const fn new(rules: &RuleSet, dealer: Seat) -> Self {
        let target = rules.options().game.target as i64;
        Self {
            rules: *rules,
            score: ByTeam([0; 2]),
            held: 0,
            target,
            dealer,
            deals: 0,
            played: 0,
            extra: false,
            winner: None,
        }
    }

    /// Returns the points of both teams.
    pub const fn score(&self) -> ByTeam<i32> {
        self.score
    }

    /// Returns the points that wait for the winner of the next deal.
    pub const fn held(&self) -> i32 {
        self.held
    }

    /// Returns the dealer of the next deal.
    pub const fn dealer(&self) -> Seat {
        self.dealer
    }

    /// Returns the number of deals so far, thrown-in ones included.
    pub const fn deals(&self) -> u32 {
        self.deals
    }

    /// Returns how many played deals end the match, the next one included, where their number does; else 0.
    pub fn deals_left(&self) -> u16 {
        let left = u32::from(self.rules.game.deals).saturating_sub(self.played);
        // A tie is decided by one more.
        u16::from(self.rules.game.deals > 0) * u16::try_from(left).unwrap_or(u16::MAX).max(1)
    }

    /// Returns the team that has won, once one has.
    pub const fn winner(&self) -> Option<Team> {
        self.winner
    }

    /// Adds a deal that nobody bid on: no points.
    pub const fn add_thrown_in(&mut self) {
        self.deals += 1;
        if !matches!(self.rules.options().deal.passed_out, PassedOut::Same) {
            self.dealer = self.dealer.next();
        }
    }

    /// Adds a played deal; `declarers` is the team of the declarer.
    ///
    /// The winner of a deal, for a tie on the last deal and for points that wait, is the side of the
    /// declarer when the contract is made, else the other. What would wait when a number of deals is over, its side scores.
    pub fn add(&mut self, deal: &DealScore, declarers: Team) {
        let deal_winner = if deal.made { declarers } else { declarers.other() };
        for team in Team::ALL {
            // Scores of records can be any numbers.
            self.score[team] = self.score[team].saturating_add(deal.points[team]);
        }
        let is_last = self.deals_left() == 1;
        let waiting = self.held.saturating_add(deal.held);
        let (to, points) = match deal.held {
            0 => (deal_winner, waiting),
            _ if is_last => (declarers, waiting),
            _ => (deal_winner, 0),
        };
        self.score[to] = self.score[to].saturating_add(points);
        self.held = if deal.held == 0 || is_last { 0 } else { waiting };
        self.deals += 1;
        self.played += 1;
        self.dealer = self.dealer.next();
        self.decide(deal_winner);
        if self.winner.is_some_and(|team| !self.may_finish(deal, declarers, team)) {
            self.winner = None;
        }
        if deal.slam.is_some()
            && self.rules.game.deals == 0
            && !self.rules.game.slam_wins
            && self.winner.is_some()
        {
            // Another deal must take the leader further.
            let leader = self.score.0[0].max(self.score.0[1]);
            (self.winner, self.target) = (None, i64::from(leader) + 1);
        }
    }

    /// Notes a misdeal reported from outside: the dealer's team pays or the other is paid, the same dealer deals again.
    pub fn misdeal(&mut self) {
        let (team, deal) = (self.dealer.team(), self.rules.deal);
        self.score[team] = self.score[team].saturating_sub(i32::from(deal.misdeal_penalty));
        self.score[team.other()] = self.score[team.other()].saturating_add(i32::from(deal.misdeal_credit));
    }

    /// Tests if a deal lets a team win the match, if its points do.
    fn may_finish(&self, deal: &DealScore, declarers: Team, team: Team) -> bool {
        let has_trick = deal.slam != Some(team.other());
        match self.rules.game.finish {
            _ if self.rules.game.deals > 0 => true,
            Finish::Any => true,
            Finish::Trick => has_trick,
            Finish::Unfailed => has_trick && (deal.made || deal.held != 0 || declarers != team),
        }
    }

    fn has_reached(&self, team: Team) -> bool {
        match self.rules.game.deals {
            0 => i64::from(self.score[team]) >= self.target + i64::from(self.rules.game.exceed),
            deals => self.played >= deals.into(),
        }
    }

    fn decide(&mut self, deal_winner: Team) {
        let [even, odd] = self.score.0;
        let higher = match even.cmp(&odd) {
            core::cmp::Ordering::Greater => Some(Team::Even),
            core::cmp::Ordering::Less => Some(Team::Odd),
            core::cmp::Ordering::Equal => None,
        };
        self.winner = match Team::ALL.map(|team| self.has_reached(team)) {
            _ if self.extra => higher,
            [false, false] => None,
            [true, false] => Some(Team::Even),
            [false, true] => Some(Team::Odd),
            [true, true] => match self.rules.game.both_reached {
                BothReached::MostPoints => higher,
                BothReached::LastWinner => Some(higher.unwrap_or(deal_winner)),
                BothReached::ExtraDeal => {
                    self.extra = true;
                    None
                }
            },
        };
    }
}
