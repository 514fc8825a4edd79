//! The statistics on numbers worked by hand or published.

use coinche_inference::{Merge, PairedSums, student_t};

fn close(a: f64, b: f64, within: f64) {
    assert!((a - b).abs() < within, "{a} is not {b}");
}

fn sums(pairs: &[[i64; 2]]) -> PairedSums {
    let mut sums = PairedSums::default();
    for legs in pairs {
        sums.add(*legs);
    }
    sums
}

#[test]
fn quantiles_of_student_are_those_of_the_tables() {
    // NIST/SEMATECH e-Handbook, section 1.3.6.7.2: two-sided 95 %.
    for (degrees, t) in
        [(1.0, 12.706), (2.0, 4.303), (5.0, 2.571), (10.0, 2.228), (30.0, 2.042), (100.0, 1.984)]
    {
        close(student_t(0.95, degrees), t, 6e-4);
    }
    close(student_t(0.99, 10.0), 3.169, 6e-4);
    // The two ways of computing it meet: no step at the seam, falling all the way.
    for degrees in 2..400 {
        let [less, more] = [degrees - 1, degrees].map(|degrees| student_t(0.95, f64::from(degrees)));
        assert!(less > more, "{degrees}: {less} {more}");
        if degrees > 60 {
            let slope = (less - more) * f64::from(degrees).powi(2);
            close(slope, 2.45, 0.15);
        }
    }
    // The normal limit.
    for degrees in [1e5, 1e6, 1e7, 1e9, 1e12] {
        close(student_t(0.95, degrees), 1.959_964, 3e-5);
    }
}

#[test]
fn the_paired_t_interval_of_student_1908() {
    // Student (1908), "The Probable Error of a Mean": additional hours of sleep of ten patients, in tenths
    // of an hour: mean 1.58, sd 1.230; R's t.test gives the interval 0.7001142 to 2.4598858.
    let hours = [12, 24, 13, 13, 0, 10, 18, 8, 46, 14];
    let pairs: Vec<_> = hours.iter().map(|tenths| [*tenths, *tenths]).collect();
    let estimate = sums(&pairs).estimate().unwrap();
    close(estimate.mean, 15.8, 1e-12);
    close(estimate.sd.unwrap(), 12.299_955, 1e-6);
    let half = student_t(0.95, 9.0) * estimate.sd.unwrap() / 10f64.sqrt();
    close(estimate.mean - half, 7.001_142, 1e-4);
    close(estimate.mean + half, 24.598_858, 1e-4);
    // With three pseudo-pairs of some size about that of a leg, whose mean square is 385.8: ten of these were seen. And with
    // the skewness: the cubes about the mean add up to 17.176 times the squares.
    let size = 385.8 * (1.0 + 24.0 * (2.0 / 12.0f64).powi(2));
    let error = ((1361.6 + 3.0 * size) / 90.0f64).sqrt() + 1.717_615;
    close(estimate.standard_error.unwrap(), error, 1e-6);
    close(estimate.half_width.unwrap(), student_t(0.95, 9.0) * error, 6e-6);
    // Ten pairs do not decide: some of another size may be missing.
    assert!(!estimate.is_decided());
}

#[test]
fn a_pair_is_the_mean_of_its_legs() {
    // x = 3, 11, 3: mean 17/3, variance 64/3.
    let estimate = sums(&[[10, -4], [20, 2], [7, -1]]).estimate().unwrap();
    close(estimate.mean, 17.0 / 3.0, 1e-12);
    close(estimate.sd.unwrap(), (64.0f64 / 3.0).sqrt(), 1e-12);
    // Six legs with a mean square of 95, of which the pairs' squares are 139/95; the cubes are 8/3 of the squares.
    let size = 95.0 * (1.0 + 24.0 * (2.0 / (2.0 + 139.0 / 95.0_f64)).powi(2));
    let error = (64.0f64 / 9.0 + 3.0 * size / 6.0).sqrt() + 8.0 / 9.0;
    close(estimate.half_width.unwrap(), 4.302_652_7 * error, 1e-4);
    close(estimate.leg_means[0], 37.0 / 3.0, 1e-12);
    close(estimate.leg_means[1], -1.0, 1e-12);
    assert!(!estimate.is_decided());
}

#[test]
fn few_pairs_decide_nothing() {
    assert!(PairedSums::default().estimate().is_none());
    let one = sums(&[[500, 500]]).estimate().unwrap();
    assert_eq!((one.mean, one.sd, one.half_width), (500.0, None, None));
    assert!(!one.is_decided());
    let same = sums(&[[100, -100], [40, -40]]).estimate().unwrap();
    assert_eq!((same.mean, same.sd, same.differing), (0.0, Some(0.0), 0));
    assert!(!same.is_decided() && same.half_width.unwrap() > 100.0);
    // Where no leg has a difference, nothing is known of the size of one.
    let nothing = sums(&[[0, 0]; 50]).estimate().unwrap();
    assert_eq!((nothing.mean, nothing.half_width, nothing.p_value()), (0.0, None, Some(1.0)));
}

#[test]
fn sums_are_exact_in_any_order_and_far_from_zero() {
    let pairs: Vec<_> = (0..10_000i64).map(|n| [1_000_000_000 + n % 7, 1_000_000_000 - n % 5]).collect();
    let whole = sums(&pairs);
    let mut parts = PairedSums::default();
    for part in pairs.chunks(77).rev() {
        parts.merge(&sums(part));
    }
    assert_eq!(whole, parts);
    // Computed from floating sums of squares this would be lost: the variance is about 2.
    let sd = whole.estimate().unwrap().sd.unwrap();
    assert!((1.0..2.0).contains(&sd), "{sd}");
}

#[test]
fn shares_of_matches_have_an_interval_that_holds_at_all_and_nothing() {
    // 500 matches in pairs, each leg won: as 500 trials at least, of which Wilson's interval begins at n / (n + z²).
    let [share, low, high] = sums(&[[1, 1]; 500]).estimate().unwrap().share_won();
    close(share, 1.0, 1e-12);
    close(low, 500.0 / (500.0 + 1.959_964_f64.powi(2)), 1e-6);
    close(high, 1.0, 1e-12);
    let [share, low, high] = sums(&[[-1, -1]; 1000]).estimate().unwrap().share_won();
    assert!(share.abs() < 1e-12 && low.abs() < 1e-12);
    close(high, 1.0 - 1000.0 / (1000.0 + 1.959_964_f64.powi(2)), 1e-6);
    // Two pairs are no proof, whatever their variance says.
    assert!(sums(&[[1, 1]; 2]).estimate().unwrap().share_won()[1] < 0.5);
    // Legs that are independent tell as much as twice as many trials; legs that are alike, as the pairs.
    let apart: Vec<_> = [[1, 1], [1, -1], [-1, 1], [-1, -1]].repeat(50);
    let alike: Vec<_> = [[1, 1], [-1, -1]].repeat(100);
    let [apart, alike] = [apart, alike].map(|pairs| sums(&pairs).estimate().unwrap().share_won());
    close(apart[0], 0.5, 1e-12);
    let half = |trials: f64| 0.5 * 1.959_964 / (trials + 1.959_964_f64.powi(2)).sqrt();
    close(apart[2] - 0.5, half(400.0), 1e-3);
    close(alike[2] - 0.5, half(200.0), 1e-3);
    // Where shares are in the middle it is the interval of the mean, halved.
    let estimate =
        sums(&[[1, 1], [1, -1], [-1, 1], [1, -1], [1, 1], [-1, -1]].repeat(40)).estimate().unwrap();
    let [share, low, high] = estimate.share_won();
    close(high - share, 0.5 * estimate.half_width.unwrap(), 2e-3);
    close(share - low, 0.5 * estimate.half_width.unwrap(), 2e-3);
}
