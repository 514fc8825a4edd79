//! Fits a side's points to its hands and the auction.

use coinche_bots::table::{AUCTION_FEATURES, EVALUATIONS, Holdings, kind};

use super::least_squares::LeastSquares;
use super::sample::PointsRow;

/// Byte features of a suit.
const FEATURES: usize = 24;
/// The maximum number of rows to which an evaluation is fitted.
const MOST_ROWS: usize = 300_000;

/// Prior weights of the regression, in rows: of what all suits of a kind share, of differences by trump length,
/// of single holdings, of auction features.
const HOLD_SHARED: f64 = 2.0;
const HOLD_CLASS: f64 = 60.0;
const HOLD_HOLDING: f64 = 120.0;
const HOLD_TOLD: f64 = 20.0;

/// The columns of one evaluation: a constant; features and single holdings of the trump suit; features that
/// side suits share; features and single holdings of side suits by class; auction features.
struct Columns {
    trump: usize,
    shared: usize,
    side: usize,
    told: usize,
    count: usize,
    /// The features of each byte of a trump and of a side suit.
    features: [Vec<Vec<usize>>; 2],
}

impl Columns {
    fn new(kind: usize) -> Self {
        let (trumps, sides) = Holdings::sizes(kind);
        let classes = sides / 256;
        let trump = 1;
        let shared = trump + if trumps > 0 { FEATURES + 256 } else { 0 };
        let side = shared + FEATURES;
        let told = side + classes * (FEATURES + 256);
        let side_order = if kind == 2 { TRUMP_ORDER } else { PLAIN_ORDER };
        let features =
            [TRUMP_ORDER, side_order].map(|order| (0..256).map(|byte| features(byte, order)).collect());
        Self { trump, shared, side, told, count: told + AUCTION_FEATURES, features }
    }

    /// Calls `add` with the columns of one look-up place of a hand.
    fn of_place(&self, place: usize, mut add: impl FnMut(usize)) {
        let byte = place % 256;
        let trumps = (self.shared - self.trump) / (FEATURES + 256);
        if place / 256 < trumps {
            self.features[0][byte].iter().for_each(|feature| add(self.trump + feature));
            add(self.trump + FEATURES + byte);
        } else {
            let class = self.side + (place / 256 - trumps) * (FEATURES + 256);
            for feature in &self.features[1][byte] {
                add(self.shared + feature);
                add(class + feature);
            }
            add(class + FEATURES + byte);
        }
    }

    fn holds(&self) -> Vec<f64> {
        let mut holds = vec![HOLD_SHARED; self.count];
        let groups = [(self.trump, self.shared, HOLD_SHARED), (self.side, self.told, HOLD_CLASS)];
        for (from, to, features) in groups {
            for (at, hold) in holds[from..to].iter_mut().enumerate() {
                *hold = if at % (FEATURES + 256) < FEATURES { features } else { HOLD_HOLDING };
            }
        }
        holds[self.told..].fill(HOLD_TOLD);
        holds[0] = 1e-6;
        holds
    }
}

/// The bits of a suit's byte from the best card down.
const PLAIN_ORDER: [usize; 8] = [7, 6, 5, 4, 3, 2, 1, 0];
const TRUMP_ORDER: [usize; 8] = [3, 2, 7, 6, 5, 4, 1, 0];

/// The features that a suit has.
fn features(byte: usize, order: [usize; 8]) -> Vec<usize> {
    let length = byte.count_ones() as usize;
    let [first, second, third, ..] = order.map(|bit| byte >> bit & 1 == 1);
    let couple = byte & 0b11_0000 == 0b11_0000;
    let holds = [
        first && second,
        first && second && third,
        first && third,
        second && third,
        !first && second && length > 1,
        !first && second && length == 1,
        !first && !second && third && length > 2,
        couple,
        first && length > 3,
        first && second && length > 3,
    ];
    let cards = order[..5].iter().enumerate().filter(|(_, bit)| byte >> **bit & 1 == 1).map(|(at, _)| at);
    let others = holds.iter().enumerate().filter(|(_, holds)| **holds).map(|(at, _)| 14 + at);
    cards.chain([5 + length]).chain(others).collect()
}

/// An evaluation: the worth of holdings, and what the auction adds.
pub(super) type Evaluation = (Holdings, [i32; AUCTION_FEATURES]);

/// Fits one evaluation; `None` without rows.
pub(super) fn fit(number: usize, rows: &[PointsRow]) -> Option<Evaluation> {
    let kind_of = if number == EVALUATIONS - 1 { 0 } else { number % 3 };
    let columns = Columns::new(kind_of);
    let mut squares = LeastSquares::new(columns.count);
    let mine =
        rows.iter().filter(|row| row.input.role.evaluation(kind(row.input.strain)) == number).take(MOST_ROWS);
    let mut counts: Vec<usize> = Vec::new();
    let mut line: Vec<(usize, f64)> = Vec::new();
    for row in mine {
        counts.clear();
        counts.push(0);
        Holdings::places(row.input.hand, row.input.strain, |place| {
            columns.of_place(place, |column| counts.push(column));
        });
        counts.sort_unstable();
        line.clear();
        for group in counts.chunk_by(|one, other| one == other) {
            line.push((group[0], f64::from(u32::try_from(group.len()).unwrap_or_default())));
        }
        for (at, told) in row.input.features.iter().enumerate().filter(|(_, told)| **told != 0) {
            line.push((columns.told + at, f64::from(*told)));
        }
        squares.add(&line, 10.0 * f64::from(row.points));
    }
    if squares.rows == 0 {
        return None;
    }
    let weights = squares.solve(&vec![0.0; columns.count], &columns.holds())?;
    let (trumps, sides) = Holdings::sizes(kind_of);
    let value = |place: usize| {
        let mut value = 0.0;
        columns.of_place(place, |column| value += weights[column]);
        tenths(value)
    };
    let holdings = Holdings {
        constant: tenths(weights[0]),
        trump: (0..trumps).map(value).collect(),
        side: (trumps..trumps + sides).map(value).collect(),
    };
    let told = core::array::from_fn(|at| tenths(weights[columns.told + at]));
    Some((holdings, told))
}

#[expect(clippy::cast_possible_truncation, reason = "a saturating conversion of a small number")]
pub(super) fn tenths(value: f64) -> i32 {
    value.clamp(-30_000.0, 30_000.0).round() as i32
}
