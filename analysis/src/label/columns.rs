//! The columns of labels, as CSV and as Parquet.

use coinche_engine::rules::Undertrump;
use coinche_engine::solver::DealPoints;
use coinche_engine::{BySeat, CardSet, RuleSet, Seat, Strain, Team};

use coinche_selfplay::base::columns::parquet::encode;
use coinche_selfplay::base::columns::{Batch, Column, Form, Kind, Pages, Row as _, Schema, row};
use parquet::errors::ParquetError;

use super::{SCHEMA, Settings};

row! {
    /// A deal led by one seat as it is written: hands as cards, in Parquet as bits.
    pub struct LabelRow<'a> {
        version: u8,
        rules: &'a str,
        undertrump: &'a str,
        deal: u64 => Delta,
        leader: Seat,
        // Nearly every hand is another.
        hand0: CardSet => Plain,
        hand1: CardSet => Plain,
        hand2: CardSet => Plain,
        hand3: CardSet => Plain,
        c: Option<u16>,
        d: Option<u16>,
        h: Option<u16>,
        s: Option<u16>,
        sa: Option<u16>,
        ta: Option<u16>,
        slams02: u8,
        slams13: u8,
    }
}

/// What files of labels have in common.
const FORM: Form =
    Form { name: "labels", what: "labels", pages: Pages::Plain, sought: None, zero_lengths: false };

/// Returns the columns of labels; of points above 255 `wide` ones.
pub fn schema(wide: bool) -> Schema {
    narrowed(Schema::of::<LabelRow<'_>>(FORM), wide)
}

fn narrowed(mut schema: Schema, wide: bool) -> Schema {
    for column in schema.columns.iter_mut().filter(|column| column.kind == Kind::U16 && !wide) {
        *column = Column { kind: Kind::U8, ..column.clone() };
    }
    schema
}

/// Fits the columns of labels to a rule set.
pub(super) fn fitted(schema: Schema, rules: &RuleSet) -> Schema {
    let is_wide =
        |strain: &Strain| rules.allows_strain(*strain) && rules.all_points(*strain) > u16::from(u8::MAX);
    narrowed(schema, Strain::ALL.iter().any(is_wide))
}

/// A deal led by one seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The number of the deal.
    pub deal: u64,
    /// Who leads.
    pub leader: Seat,
    /// The hands.
    pub hands: BySeat<CardSet>,
    /// Points of seats 0 and 2 by strain; `None` where it was not solved.
    pub points: [Option<u16>; 6],
    /// By team, the strains in which it takes every trick, a bit each.
    slams: [u8; 2],
}

impl Row {
    /// Takes from a solved deal what belongs to one leader.
    pub(super) fn new(deal: u64, leader: Seat, solved: &DealPoints) -> Self {
        let mut row = Self { deal, leader, hands: *solved.hands(), points: [None; 6], slams: [0; 2] };
        for strain in Strain::ALL {
            let Some(value) = solved.get(strain, leader) else { continue };
            row.points[strain.index()] = Some(value.points[Team::Even]);
            if let Some(team) = value.slam {
                row.slams[team.index()] |= 1 << strain.index();
            }
        }
        row
    }

    /// Makes a row of what was read; `None` where it cannot be one.
    pub fn of(row: &LabelRow<'_>) -> Option<Self> {
        let LabelRow { deal, leader, hand0, hand1, hand2, hand3, c, d, h, s, sa, ta, .. } = *row;
        let hands = BySeat([hand0, hand1, hand2, hand3]);
        let all = hands.0.iter().fold(CardSet::EMPTY, |all, hand| all | *hand);
        let eights = hands.0.iter().all(|hand| hand.len() == 8);
        let (points, slams) = ([c, d, h, s, sa, ta], [row.slams02, row.slams13]);
        (all == CardSet::FULL && eights).then_some(Self { deal, leader, hands, points, slams })
    }

    /// Returns the row as it is written.
    pub(super) fn columns(self, rules: &RuleSet) -> LabelRow<'static> {
        let Self { deal, leader, hands, points, slams } = self;
        let ([hand0, hand1, hand2, hand3], [c, d, h, s, sa, ta]) = (hands.0, points);
        let [slams02, slams13] = slams;
        let undertrump = match rules.play.undertrump {
            Undertrump::Forced => "forced",
            Undertrump::Free => "free",
            Undertrump::Forbidden => "forbidden",
        };
        let rules = rules.preset_name().unwrap_or("custom");
        #[rustfmt::skip]
        let row = LabelRow {
            version: SCHEMA, rules, undertrump, deal, leader, hand0, hand1, hand2, hand3, c, d, h, s, sa, ta, slams02, slams13,
        };
        row
    }

    /// Tests if a team takes every trick.
    pub const fn is_slam(&self, strain: Strain, team: Team) -> bool {
        self.slams[team.index()] >> strain.index() & 1 == 1
    }
}

/// Returns rows as comma-separated values with a first line of names.
pub(super) fn csv(settings: &Settings, rows: &[Row]) -> Vec<u8> {
    let mut text = fitted(schema(true), &settings.rules).header().into_bytes();
    for row in rows {
        row.columns(&settings.rules).print(&mut text);
    }
    text
}

/// Returns rows as a Parquet file of one row group.
pub(super) fn parquet(settings: &Settings, rows: &[Row]) -> Result<Vec<u8>, ParquetError> {
    let schema = fitted(schema(true), &settings.rules);
    encode(&Batch::of(schema, rows.iter().map(|row| row.columns(&settings.rules))))
}
