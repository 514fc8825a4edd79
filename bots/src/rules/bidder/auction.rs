//! What the auction has shown: how good each side thinks its contract is.

use coinche_engine::{BySeat, ByTeam, Call, Seat, Strain, Team, View};

use super::Style;

/// The points that a bid slam is read as.
const SLAM_SHOWS: u16 = 160;

/// What a side has shown of a strain, in tenths of points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    /// Who named the strain first.
    pub(super) opener: Seat,
    /// What the opener thinks the side makes with an average partner.
    pub(super) own: i32,
    /// What the partner has shown to add to that.
    pub(super) support: i32,
}

/// What both sides have shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct AuctionSummary {
    shown: ByTeam<[Option<Shown>; 6]>,
    /// Whether a side has bid at all.
    has_bid: ByTeam<bool>,
    /// Whether a seat has made the signal pass.
    waits: BySeat<bool>,
}

impl AuctionSummary {
    /// Reads the calls so far.
    pub(super) fn new(view: &View<'_>, style: &Style) -> Self {
        let mut summary =
            Self { shown: ByTeam([[None; 6]; 2]), has_bid: ByTeam([false; 2]), waits: BySeat([false; 4]) };
        // A bid of less than this is the lowest that was possible.
        let mut no_jump = i32::from(view.rules().auction.lowest) + 1;
        for (seat, call) in view.auction().calls() {
            if *call == Call::Wait {
                summary.waits[*seat] = true;
            }
            if let Call::Bid(bid) = call {
                // A slam says what its number would: all points there are.
                let points = i32::from(bid.value.as_points().unwrap_or(SLAM_SHOWS));
                // Partners bid alike; how the opponents bid is not known, and they are taken to bid like most.
                let theirs = Style::default();
                let style = if seat.team() == view.seat().team() { style } else { &theirs };
                summary.note(*seat, bid.strain, points, points >= no_jump, style);
                no_jump = points + 11;
            }
        }
        summary
    }

    /// A bid says: my side makes this, with something to spare; and not much more, or it would have been
    /// higher.
    fn note(&mut self, seat: Seat, strain: Strain, points: i32, jump: bool, style: &Style) {
        self.has_bid[seat.team()] = true;
        let shown = &mut self.shown[seat.team()][strain.index()];
        *shown = Some(match *shown {
            None => Shown { opener: seat, own: 10 * points + style.opening.shows(jump), support: 0 },
            Some(Shown { opener, own, support }) => {
                let total = 10 * points + style.raise.shows(jump);
                if opener == seat {
                    Shown { opener, own: own.max(total - support), support }
                } else {
                    Shown { opener, own, support: support.max(total - own) }
                }
            }
        });
    }

    /// What a side has shown of a strain.
    pub(super) const fn shown(&self, team: Team, strain: Strain) -> Option<Shown> {
        self.shown.0[team as usize][strain as usize]
    }

    /// Whether a side has bid.
    pub(super) const fn has_bid(&self, team: Team) -> bool {
        self.has_bid.0[team as usize]
    }

    /// Whether a seat has made the signal pass.
    pub(super) const fn waits(&self, seat: Seat) -> bool {
        self.waits.0[seat as usize]
    }
}
