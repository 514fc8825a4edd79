//! The distribution of a side's points, given what is expected.

/// Points at which the chance to reach them is in the table: with the last trick and belote, and with melds
/// where they count.
pub const GRID: usize = 28;
/// The first of these, and the step to the next.
pub const GRID_FROM: i32 = 40;
/// The step between them.
pub const GRID_STEP: i32 = 10;

/// How many expectations there are in a table of chances.
pub const BINS: usize = 41;
/// The first of these, in points.
pub const BINS_FROM: i32 = 20;
/// The step between them.
pub const BINS_STEP: i32 = 6;

/// The last expectation between two of a table, in tenths of points above the first.
const LAST: i32 = 10 * BINS_STEP * 40 - 1;
const _: () = assert!(BINS == 41);

/// The chances of one expectation, in thousandths: to reach each number of the grid, to take all tricks, to
/// take them alone.
pub const CHANCES: usize = GRID + 2;

/// Chances by expectation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spread {
    /// Row after row of [`CHANCES`] numbers.
    pub rows: Vec<i32>,
}

/// The distribution for one expectation.
#[derive(Debug, Clone, Copy)]
pub struct Points {
    reach: [f32; GRID],
    /// The expected points above each number of the grid.
    above: [f32; GRID],
    /// The chance to take all tricks.
    pub all_tricks: f32,
    /// The chance of one player to take all tricks.
    pub alone: f32,
}

/// A number small enough for the exact conversion.
pub(super) fn float(number: i32) -> f32 {
    f32::from(i16::try_from(number).unwrap_or(if number < 0 { i16::MIN } else { i16::MAX }))
}

impl Spread {
    /// Returns the distribution when `mean` tenths of points are expected.
    pub fn at(&self, mean: i32) -> Points {
        let place = (mean - 10 * BINS_FROM).clamp(0, LAST);
        let (bin, part) = (place / (10 * BINS_STEP), place % (10 * BINS_STEP));
        let part = float(part) / float(10 * BINS_STEP);
        let start = usize::try_from(bin).unwrap_or_default() * CHANCES;
        let (here, next) = (&self.rows[start..start + CHANCES], &self.rows[start + CHANCES..]);
        let chance = |at: usize| {
            let here = float(here[at]);
            (here + (float(next[at]) - here) * part) / 1000.0
        };
        let mut points = Points {
            reach: core::array::from_fn(chance),
            above: [0.0; GRID],
            all_tricks: chance(GRID),
            alone: chance(GRID + 1),
        };
        for at in (0..GRID - 1).rev() {
            let slice = f32::midpoint(points.reach[at], points.reach[at + 1]) * float(GRID_STEP);
            points.above[at] = points.above[at + 1] + slice;
        }
        points
    }
}

impl Points {
    /// Returns the chance to reach a number of points, and the expected points beyond it.
    pub fn reach(&self, points: i32) -> (f32, f32) {
        let place = points - GRID_FROM;
        if place <= 0 {
            return (1.0, self.above[0] + float(-place));
        }
        let (at, part) = (usize::try_from(place / GRID_STEP).unwrap_or_default(), place % GRID_STEP);
        if at >= GRID - 1 {
            return (0.0, 0.0);
        }
        let part = float(part) / float(GRID_STEP);
        let chance = self.reach[at] + (self.reach[at + 1] - self.reach[at]) * part;
        // The trapezium between the number and the next of the grid.
        let slice = f32::midpoint(chance, self.reach[at + 1]) * (1.0 - part) * float(GRID_STEP);
        (chance, self.above[at + 1] + slice)
    }
}
