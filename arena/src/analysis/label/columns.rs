//! The columns of labels, and their form as text.

use std::fmt::Write as _;

use coinche_engine::rules::Undertrump;
use coinche_engine::solver::DealPoints;
use coinche_engine::{BySeat, CardSet, Seat, Strain, Team};

use super::{SCHEMA, Settings};

/// The columns of points, in the order of the strains.
pub(super) const STRAINS: [&str; 6] = ["c", "d", "h", "s", "sa", "ta"];

/// A deal led by one seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    /// The number of the deal.
    pub(super) deal: u64,
    pub(super) leader: Seat,
    pub(super) hands: BySeat<CardSet>,
    /// Points of seats 0 and 2 by strain; `None` where it was not solved.
    pub(super) points: [Option<u8>; 6],
    /// By team, the strains in which it takes every trick, a bit each.
    pub(super) slams: [u8; 2],
}

impl Row {
    /// Takes from a solved deal what belongs to one leader.
    pub(super) fn new(deal: u64, leader: Seat, solved: &DealPoints) -> Self {
        let mut row = Self { deal, leader, hands: *solved.hands(), points: [None; 6], slams: [0; 2] };
        for strain in Strain::ALL {
            let Some(value) = solved.get(strain, leader) else { continue };
            // Rules with more than 255 points in a deal are refused.
            row.points[strain.index()] = Some(u8::try_from(value.points[Team::Even]).unwrap_or(u8::MAX));
            if let Some(team) = value.slam {
                row.slams[team.index()] |= 1 << strain.index();
            }
        }
        row
    }

    /// Makes a row of what was read; `None` where it cannot be one.
    pub(crate) fn read(
        deal: u64,
        leader: Seat,
        hands: BySeat<CardSet>,
        points: [Option<u8>; 6],
        slams: [u8; 2],
    ) -> Option<Self> {
        let all = hands.0.iter().fold(CardSet::EMPTY, |all, hand| all | *hand);
        let eights = hands.0.iter().all(|hand| hand.len() == 8);
        (all == CardSet::FULL && eights).then_some(Self { deal, leader, hands, points, slams })
    }

    /// The number of the deal.
    pub(crate) const fn deal(&self) -> u64 {
        self.deal
    }

    /// Who leads.
    pub(crate) const fn leader(&self) -> Seat {
        self.leader
    }

    /// The hands.
    pub(crate) const fn hands(&self) -> &BySeat<CardSet> {
        &self.hands
    }

    /// The points of seats 0 and 2, where the strain was solved.
    pub(crate) const fn points(&self, strain: Strain) -> Option<u8> {
        self.points[strain.index()]
    }

    /// Tests if a team takes every trick.
    pub(crate) const fn is_slam(&self, strain: Strain, team: Team) -> bool {
        self.slams[team.index()] >> strain.index() & 1 == 1
    }
}

/// The name of the rules: a preset's, or `custom`.
pub(super) fn rules_name(settings: &Settings) -> &'static str {
    settings.rules.preset_name().unwrap_or("custom")
}

/// The word of the rule on undertrumping.
pub(super) fn undertrump(settings: &Settings) -> &'static str {
    match settings.rules.play.undertrump {
        Undertrump::Forced => "forced",
        Undertrump::Free => "free",
    }
}

/// Returns rows as comma-separated values with a first line of names.
pub(super) fn csv(settings: &Settings, rows: &[Row]) -> Vec<u8> {
    let mut text = format!(
        "version,rules,undertrump,deal,leader,hand0,hand1,hand2,hand3,{},slams02,slams13\n",
        STRAINS.join(",")
    );
    let (rules, undertrump) = (rules_name(settings), undertrump(settings));
    for row in rows {
        let _ = write!(text, "{SCHEMA},{rules},{undertrump},{},{}", row.deal, row.leader);
        for hand in row.hands.0 {
            let _ = write!(text, ",{hand}");
        }
        for points in row.points {
            let _ = match points {
                Some(points) => write!(text, ",{points}"),
                None => write!(text, ","),
            };
        }
        let [even, odd] = row.slams;
        let _ = writeln!(text, ",{even},{odd}");
    }
    text.into_bytes()
}
