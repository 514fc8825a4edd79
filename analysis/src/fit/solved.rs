//! Fits how played points depend on solved points.

use coinche_bots::table::SolvedFit;

/// One contract: the points of the declarers, and whether they took all tricks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    /// With double-dummy play by both sides.
    pub(super) solved: (u16, bool),
    pub(super) played: (u16, bool),
}

/// Sums over contracts.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    /// Contracts played without a slam.
    count: f64,
    solved: f64,
    played: f64,
    squares: [f64; 2],
    product: f64,
    /// Contracts and slams in play, for contracts without and with a double-dummy slam.
    slams: [(f64, f64); 2],
}

impl Pairs {
    pub(super) fn add(&mut self, pair: Pair) {
        let (all, taken) = &mut self.slams[usize::from(pair.solved.1)];
        *all += 1.0;
        if pair.played.1 {
            *taken += 1.0;
            return;
        }
        let (solved, played) = (f64::from(pair.solved.0), f64::from(pair.played.0));
        self.count += 1.0;
        self.solved += solved;
        self.played += played;
        self.squares[0] += solved * solved;
        self.squares[1] += played * played;
        self.product += solved * played;
    }

    /// Returns the regression of played on solved points.
    pub(super) fn fit(&self) -> SolvedFit {
        if self.count < 2.0 {
            return SolvedFit { numbers: [0, 1000, 200, 700, 10] };
        }
        let (mean, target) = (self.solved / self.count, self.played / self.count);
        let spread = (self.squares[0] / self.count - mean * mean).max(1.0);
        let slope = (self.product / self.count - mean * target) / spread;
        let rest = self.squares[1] / self.count - target * target - slope * slope * spread;
        let share = |(all, taken): (f64, f64)| if all > 0.0 { 1000.0 * taken / all } else { 0.0 };
        let numbers = [
            10.0 * (target - slope * mean),
            1000.0 * slope,
            10.0 * rest.max(0.0).sqrt(),
            share(self.slams[1]),
            share(self.slams[0]),
        ];
        SolvedFit { numbers: numbers.map(whole) }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a saturating conversion of a small number")]
fn whole(number: f64) -> i32 {
    number.clamp(-30_000.0, 30_000.0).round() as i32
}
