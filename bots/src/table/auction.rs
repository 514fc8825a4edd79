//! What the auction has shown: a few small numbers for each side and strain.

use coinche_engine::rules::MeldContest;
use coinche_engine::{BidValue, BySeat, Call, Contract, Goal, Seat, Stake, Strain};

use super::context::{BiddingContext, RulesKind};
use super::holding::Role;
use super::melds::MELD_CLASSES;

/// The number of features of the calls, per strain.
const SAID: usize = 25;
/// The number of features where melds count for the contract, since the calls then carry information about melds:
/// the same once more, and the class of the own melds.
const WITH_MELDS: usize = SAID + MELD_CLASSES;
/// The features repeated for rules with suit contracts only, and a constant 1.
const OF_SUITS: usize = SAID + 1;
/// The number of features per strain: of the calls; once more for rules with suit contracts only; of calls and melds,
/// for each way to contest melds.
pub const AUCTION_FEATURES: usize = SAID + OF_SUITS + 2 * WITH_MELDS;
/// The features of a strain, in the order of the weights in the table.
pub type AuctionFeatures = [i8; AUCTION_FEATURES];

/// The level of a slam.
const SLAM_LEVEL: i8 = 10;

/// The calls of one seat.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Said {
    /// The highest level that it has bid in each strain, counted from 1.
    pub(crate) levels: [i8; 6],
    /// How many bids it made.
    pub(crate) bids: i8,
    /// Whether it has called.
    pub(crate) spoke: bool,
    pub(crate) waits: bool,
    /// Whether its first bid was higher than it had to be.
    pub(crate) jumped: bool,
}

impl Said {
    pub(crate) const fn passed(&self) -> bool {
        self.spoke && self.bids == 0
    }

    /// The highest level in another strain, and which.
    fn other(&self, strain: Strain) -> (i8, Option<Strain>) {
        let others = Strain::ALL.into_iter().filter(|other| *other != strain);
        let best = others.max_by_key(|other| self.levels[other.index()]);
        let level = best.map_or(0, |best| self.levels[best.index()]);
        (level, best.filter(|_| level > 0))
    }
}

/// The calls of all seats.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AuctionSummary {
    pub(crate) said: BySeat<Said>,
    /// Who named a strain first, by team and strain.
    first: [[Option<Seat>; 6]; 2],
    me: Seat,
    /// The seats from the own to that of the first lead, in the order of play.
    pub(crate) to_leader: usize,
    /// The passes since the last bid.
    pub(crate) passes: usize,
    pub(crate) standing: Option<Contract>,
    pub(super) kind: RulesKind,
}

/// The levels from which a level carries more or less information.
const BENDS: [i8; 3] = [4, 7, 10];

/// The information in the calls, by kind of rules.
fn under(said: [i8; SAID], kind: RulesKind) -> AuctionFeatures {
    let mut told = [0; AUCTION_FEATURES];
    told[..SAID].copy_from_slice(&said);
    let from = match kind {
        RulesKind::AllStrains => return told,
        RulesKind::Suits => SAID,
        RulesKind::Melds(MeldContest::ByKind, _) => SAID + OF_SUITS,
        RulesKind::Melds(MeldContest::ByPoints, _) => SAID + OF_SUITS + WITH_MELDS,
    };
    told[from..from + SAID].copy_from_slice(&said);
    let more = if let RulesKind::Melds(_, class) = kind { class } else { 0 };
    told[from + SAID + more] = 1;
    told
}

impl AuctionSummary {
    pub(crate) fn new(bidding: &BiddingContext<'_>) -> Self {
        let mut said = BySeat([Said::default(); 4]);
        let mut first = [[None; 6]; 2];
        let (mut passes, mut lowest) = (0, 1);
        for (seat, call) in bidding.auction.calls() {
            let mine = &mut said[*seat];
            mine.spoke = true;
            match call {
                Call::Pass => passes += 1,
                Call::Wait => {
                    passes += 1;
                    mine.waits = true;
                }
                Call::Bid(bid) => {
                    passes = 0;
                    let level = level(bid.value.as_points());
                    mine.jumped |= mine.bids == 0 && level > lowest;
                    mine.bids += 1;
                    mine.levels[bid.strain.index()] = level;
                    lowest = level + 1;
                    first[seat.team().index()][bid.strain.index()].get_or_insert(*seat);
                }
                _ => {}
            }
        }
        let leader = bidding.dealer.next();
        let standing = bidding.auction.state().contract();
        let to_leader = bidding.seat.distance_to(leader);
        Self { said, first, me: bidding.seat, to_leader, passes, standing, kind: bidding.kind() }
    }

    /// Whether a side has bid.
    pub(super) fn has_bid(&self, seat: Seat) -> bool {
        self.said[seat].bids > 0 || self.said[seat.partner()].bids > 0
    }

    pub(super) fn has_passed(&self, seat: Seat) -> bool {
        self.said[seat].passed()
    }

    pub(super) fn has_spoken(&self) -> bool {
        self.said[self.me].spoke
    }

    /// Who of a side named a strain first.
    pub(super) const fn opener(&self, side: Seat, strain: Strain) -> Option<Seat> {
        self.first[side.team() as usize][strain as usize]
    }

    /// The role in a contract of a side.
    pub(super) fn role(&self, own_side: bool, strain: Strain) -> Role {
        match self.opener(self.me, strain) {
            _ if !own_side => Role::Defence,
            Some(opener) if opener != self.me => Role::Support,
            _ => Role::Own,
        }
    }

    /// Whether a slam in a strain is the standing contract.
    pub(super) fn slam_is_bid(&self, strain: Strain) -> bool {
        let bid = self.standing.filter(|contract| contract.strain == strain).map(|contract| contract.goal);
        matches!(bid, Some(Goal::Bid(value)) if value >= BidValue::CAPOT)
    }

    /// Whether the partner's bids tell of a strain of the own side.
    pub(super) fn partner_has_told(&self, strain: Strain) -> bool {
        self.said[self.me.partner()].levels[strain.index()] > 0
    }

    /// What the features say about a contract of the own or the other side in a strain.
    pub(super) fn features(&self, own_side: bool, strain: Strain) -> AuctionFeatures {
        let (partner, [left, right]) =
            (&self.said[self.me.partner()], [1, 3].map(|n| &self.said[self.me.plus(n)]));
        let at = strain.index();
        let flag = i8::from;
        let mut told = [0; SAID];
        let stake = self.standing.filter(|contract| contract.strain == strain).map(|contract| contract.stake);
        told[0] = flag(partner.passed());
        told[1] = flag(partner.waits);
        told[15] = flag(stake.is_some_and(|stake| stake != Stake::Plain));
        if let 0..3 = self.to_leader {
            told[16 + self.to_leader] = 1;
        }
        told[19] = flag(self.said[self.me].levels[at] > 0);
        told[24] = self.said[self.me].levels[at];
        let (partner_other, which) = partner.other(strain);
        told[2] = flag(partner_other > 0);
        told[3] = partner_other;
        let others = [left, right].map(|said| said.other(strain).0);
        let (level, passed) =
            (left.levels[at].max(right.levels[at]), flag(left.passed()) + flag(right.passed()));
        told[10] = passed;
        told[11] = flag(others[0].max(others[1]) > 0);
        told[12] = others[0].max(others[1]);
        if own_side {
            told[4] = flag(which == Some(Strain::NoTrump));
            told[5] = flag(which == Some(Strain::AllTrump));
            told[6] = flag(partner.levels[at] > 0);
            told[7] = partner.levels[at];
            told[8] = flag(partner.jumped);
            told[9] = (partner.bids - 1).max(0);
            told[13] = flag(level > 0);
            told[14] = level;
        } else {
            told[4] = flag(partner.levels[at] > 0);
            told[6] = flag(left.levels[at] > 0 && right.levels[at] > 0);
            told[7] = level;
            told[8] = flag(left.jumped || right.jumped);
            told[9] = left.bids + right.bids;
            told[13] = flag(self.opener(self.me.next(), strain) == Some(self.me.next()));
        }
        for (at, bend) in BENDS.iter().enumerate() {
            told[20 + at] = (told[7] - bend).max(0);
        }
        told[23] = flag(self.slam_is_bid(strain));
        under(told, self.kind)
    }
}

/// The level of a bid: 1 for up to 82 points, one more for each ten, to 16.
fn level(points: Option<u16>) -> i8 {
    let of = |points: u16| i8::try_from((points.saturating_sub(70) / 10).clamp(1, 16)).unwrap_or(16);
    points.map_or(SLAM_LEVEL, of)
}

/// The features of a take: the round, and who leads.
pub(super) fn features_of_take(bidding: &BiddingContext<'_>, kind: RulesKind) -> AuctionFeatures {
    let mut said = [0; SAID];
    said[0] = i8::from(bidding.auction.state().is_second_round());
    let to_leader = bidding.seat.distance_to(bidding.dealer.next());
    if let 0..3 = to_leader {
        said[16 + to_leader] = 1;
    }
    under(said, kind)
}
