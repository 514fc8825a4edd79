//! Checks the looks of a test before the last one. The deals up to them are not stored, so they cannot be
//! recounted. But their numbers must result from whole points, and each look includes the deals of the one
//! before it.

use coinche_inference::{Checkpoint, Decision, PairedSums, SprtPlan};

use super::files::from_row;

/// The sums of a look over the pairs up to it.
#[derive(Debug, Clone, Copy)]
struct Sums {
    pairs: f64,
    /// The sum of twice the differences, and of their squares.
    sum: f64,
    squares: f64,
}

/// Returns the rounding tolerance of an integer after the divisions and roots that lead to the stored number: a
/// few units in the last place.
fn tolerance(number: f64) -> f64 {
    1e-6 + 1e-13 * number.abs()
}

fn is_whole(number: f64) -> bool {
    (number - number.round()).abs() <= tolerance(number)
}

impl Sums {
    fn of_look(look: &Checkpoint) -> Self {
        let pairs = look.pairs as f64;
        let Checkpoint { mean, sd, .. } = *look;
        Self { pairs, sum: 2.0 * pairs * mean, squares: 4.0 * pairs * (sd * sd + mean * mean) }
    }

    fn of_all(sums: &PairedSums) -> Self {
        let numbers = sums.numbers().map(|(_, number)| number as f64);
        let [pairs, _, sum, squares, ..] = numbers;
        Self { pairs, sum, squares }
    }

    /// Returns what is inconsistent between these pairs and those up to a later look.
    fn against(&self, later: &Self) -> Option<&'static str> {
        let [pairs, sum, squares] =
            [later.pairs - self.pairs, later.sum - self.sum, later.squares - self.squares];
        if pairs < 1.0 {
            // Equal sums are compared as such.
            return None;
        }
        // For a given sum, the squares are minimal if all numbers are equal.
        let fits = squares * pairs + tolerance(later.squares) * pairs >= sum * sum;
        (!fits).then_some("mean and sd do not fit the look behind it")
    }
}

/// Returns what is wrong with the looks of a table whose last look is at these sums.
pub(super) fn impossible(rows: &str, plan: &SprtPlan, sums: &PairedSums) -> Vec<String> {
    let looks: Vec<Checkpoint> = rows.lines().skip(1).filter_map(from_row).collect();
    let mut found = Vec::new();
    let mut before = Sums { pairs: 0.0, sum: 0.0, squares: 0.0 };
    let [low, high] = plan.thresholds();
    for look in &looks {
        let of = |why: &str| format!("the look at {}: {why}", look.pairs);
        let now = Sums::of_look(look);
        if !is_whole(now.sum) {
            found.push(of(&format!("a mean of {} is not one of whole points", look.mean)));
        } else if !is_whole(now.squares) {
            found.push(of(&format!("an sd of {} is not one of whole points", look.sd)));
        } else if let Some(why) = before.against(&now) {
            found.push(of(&why.replace("behind", "before")));
        } else if !plan.fits(look) {
            found.push(of("llr does not fit its mean and sd"));
        }
        if look.decision == Decision::GoOn && !(low < look.llr && look.llr < high) {
            found.push(of(&format!("an llr of {} ends the test, and go-on is written", look.llr)));
        }
        before = now;
    }
    // The last look may lack the pairs since.
    if let Some(why) = before.against(&Sums::of_all(sums)) {
        found.push(format!("the last look: {}", why.replace("the look behind it", "the totals")));
    }
    found
}
