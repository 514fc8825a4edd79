//! Fits the distribution of a side's points around the expectation.

use coinche_bots::table::{BINS, BINS_FROM, BINS_STEP, CHANCES, GRID, GRID_FROM, GRID_STEP, Spread};

use super::sample::PointsRow;

/// The width of the kernel, in points.
const WIDTH: f64 = 4.0;
/// The prior weight, in rows, of a normal distribution, for expectations with few rows.
const PRIOR: f64 = 12.0;
/// Its standard deviation, in points.
const DEVIATION: f64 = 25.0;

/// One more than the highest number of points that is distinguished.
const MOST: usize = 400;

/// Estimates the distribution for every expectation, in tenths of points, from the results near it.
///
/// `slams` are the prior chances of a slam, and of a solo slam.
pub(super) fn fit(rows: &[(i32, &PointsRow)], slams: [f64; 2]) -> Option<Spread> {
    // Results by expectation in whole points: counts by points, slams, solo slams.
    let (lowest, highest) = (-20, 300);
    let mut counts = vec![([0u32; MOST], [0u32; 2]); 321];
    for (mean, row) in rows {
        let at = (mean.div_euclid(10).clamp(lowest, highest) - lowest).unsigned_abs() as usize;
        let points = usize::try_from(row.points).unwrap_or_default().min(MOST - 1);
        counts[at].0[points] += 1;
        counts[at].1[0] += u32::from(row.all_tricks);
        counts[at].1[1] += u32::from(row.alone);
    }
    let mut spread = Spread { rows: Vec::with_capacity(BINS * CHANCES) };
    let mut before = slams;
    for bin in 0..BINS {
        let middle = f64::from(BINS_FROM + BINS_STEP * i32::try_from(bin).ok()?);
        let mut all = PRIOR;
        let mut reach: [f64; GRID] = core::array::from_fn(|at| {
            let from = grid(at);
            PRIOR * tail((from - 0.5 - middle) / DEVIATION)
        });
        // Without data, slams are as rare as at the previous expectation.
        let mut slams = before.map(|chance| PRIOR * chance);
        for (at, (points, of_slams)) in counts.iter().enumerate() {
            let mean = f64::from(lowest + i32::try_from(at).ok()?) + 0.5;
            let weight = libm::exp(-((mean - middle) / WIDTH).powi(2) / 2.0);
            if weight < 1e-4 {
                continue;
            }
            let mut sum = 0.0;
            for (number, count) in points.iter().enumerate().rev() {
                sum += weight * f64::from(*count);
                if let Some(at) = grid_place(number) {
                    reach[at] += sum;
                }
            }
            all += sum;
            for (slam, count) in slams.iter_mut().zip(of_slams) {
                *slam += weight * f64::from(*count);
            }
        }
        before = slams.map(|slam| slam / all);
        spread.rows.extend(reach.iter().chain(&slams).map(|chance| thousandths(chance / all)));
    }
    Some(spread)
}

/// The chance that a normal variable is above `z` deviations.
fn tail(z: f64) -> f64 {
    libm::erfc(z / core::f64::consts::SQRT_2) / 2.0
}

fn grid(at: usize) -> f64 {
    f64::from(GRID_FROM + GRID_STEP * i32::try_from(at).unwrap_or_default())
}

/// Returns the index of a number in the grid, if it is on the grid.
fn grid_place(number: usize) -> Option<usize> {
    let place = i32::try_from(number).ok()? - GRID_FROM;
    if place < 0 || place % GRID_STEP != 0 {
        return None;
    }
    usize::try_from(place / GRID_STEP).ok().filter(|at| *at < GRID)
}

#[expect(clippy::cast_possible_truncation, reason = "a chance is a small number")]
fn thousandths(chance: f64) -> i32 {
    (1000.0 * chance).clamp(0.0, 1000.0).round() as i32
}
