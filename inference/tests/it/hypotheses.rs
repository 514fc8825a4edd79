//! P-values, corrections, intervals of shares, power, control variates and the log-likelihood ratio of the
//! sequential test, on published numbers and against slow computations.

use coinche_inference::{
    Covariate, CovariateSums, Decision, Merge, PairedSums, SequentialTest, SprtPlan, StatsError,
    detectable_effect, holm, log_likelihood_ratio, pairs_needed, student_p, student_t, wilson,
};
use statrs::distribution::{Beta, Binomial, ContinuousCDF, Discrete};
use statrs::function::gamma::ln_gamma;

fn close(a: f64, b: f64, within: f64) {
    assert!((a - b).abs() < within, "{a} is not {b}");
}

/// The two-sided p-value by Simpson's rule on the density of Student's distribution.
fn integrated(t: f64, degrees: f64) -> f64 {
    let factor = ln_gamma(f64::midpoint(degrees, 1.0))
        - ln_gamma(degrees / 2.0)
        - (degrees * std::f64::consts::PI).ln() / 2.0;
    let density = |x: f64| (factor - f64::midpoint(degrees, 1.0) * (x * x / degrees).ln_1p()).exp();
    let steps = 4000;
    let width = t / f64::from(steps);
    let simpson: f64 = (0..=steps)
        .map(|n| {
            let weight = if n == 0 || n == steps { 1.0 } else { f64::from(2 + 2 * (n % 2)) };
            weight * density(f64::from(n) * width)
        })
        .sum();
    1.0 - 2.0 * simpson * width / 3.0
}

#[test]
fn p_values_are_the_tails_of_student() {
    for degrees in [3.0, 10.0, 50.0, 99.0, 100.0, 101.0, 250.0, 2000.0] {
        for t in [0.1, 0.7, 1.5, 2.0, 3.0, 4.5] {
            close(student_p(t, degrees), integrated(t, degrees), 2e-9);
            close(student_p(-t, degrees), student_p(t, degrees), 1e-15);
        }
    }
    // The quantile is the inverse, also where both are expansions.
    for degrees in [2.0, 30.0, 150.0, 1e4, 1e6, 1e9, 1e12] {
        for level in [0.5, 0.9, 0.95, 0.99] {
            close(student_p(student_t(level, degrees), degrees), 1.0 - level, 2e-7);
        }
    }
    close(student_p(0.0, 5.0), 1.0, 1e-12);
    close(student_p(0.0, 1e6), 1.0, 1e-12);
    // Far out it is small, not 0 and not negative: 2 Φ(−10) is 1.52e-23.
    let far = student_p(10.0, 1e7);
    assert!(far > 1.4e-23 && far < 1.7e-23, "{far:e}");
}

#[test]
fn the_paired_t_test_of_student_1908() {
    // R's t.test on the ten differences of sleep: t = 4.0621, p-value = 0.002833.
    let mut sums = PairedSums::default();
    for tenths in [12, 24, 13, 13, 0, 10, 18, 8, 46, 14] {
        sums.add([tenths, tenths]);
    }
    let estimate = sums.estimate().unwrap();
    close(student_p(estimate.mean / (estimate.sd.unwrap() / 10f64.sqrt()), 9.0), 0.002_833, 5e-7);
    // Pairs of other sizes that may be missing make ten pairs less sure.
    let p = estimate.p_value().unwrap();
    assert!(p > 0.07 && p < 0.08, "{p}");
    // Pairs without a difference are no evidence; two that are equal are none either.
    for pair in [0, 3] {
        let mut sums = PairedSums::default();
        sums.add([pair, pair]);
        assert_eq!(sums.estimate().unwrap().p_value(), None);
        sums.add([pair, pair]);
        assert!(sums.estimate().unwrap().p_value().unwrap() >= 0.5);
    }
}

/// The fifteen p-values of Benjamini & Hochberg (1995), section 3.2.
const THROMBOLYSIS: [f64; 15] = [
    0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
    0.7590, 1.0000,
];

#[test]
fn corrections_find_what_the_paper_found() {
    // "Bonferroni rejects three", as Holm does.
    assert_eq!(holm(&THROMBOLYSIS).iter().filter(|p| **p <= 0.05).count(), 3);
    close(holm(&THROMBOLYSIS)[2], 13.0 * 0.0019, 1e-12);
    // The order of the input does not matter, and nothing is above 1 or below what it was.
    let mut turned = THROMBOLYSIS;
    turned.rotate_left(6);
    turned.swap(0, 9);
    assert!(holm(&THROMBOLYSIS).is_sorted());
    for (before, after) in turned.iter().zip(&holm(&turned)) {
        let place = THROMBOLYSIS.iter().position(|p| p.to_bits() == before.to_bits()).unwrap();
        close(*after, holm(&THROMBOLYSIS)[place], 1e-15);
        assert!(after >= before && *after <= 1.0);
    }
    assert!(holm(&[]).is_empty());
    assert_eq!(holm(&[0.3]), [0.3]);
}

#[test]
fn holm_begins_as_bonferroni() {
    // Any finding needs the smallest p-value to be at most α/m, which keeps the chance of a false one.
    for m in [1, 3, 10] {
        let mut p_values = vec![0.9; m];
        let edge = 0.05 / m as f64;
        for (smallest, finds) in [(edge * 0.999, true), (edge * 1.001, false)] {
            p_values[m / 2] = smallest;
            assert_eq!(holm(&p_values)[m / 2] <= 0.05, finds);
        }
    }
}

#[test]
fn wilson_is_as_published() {
    // Newcombe (1998), table I, method 3.
    for (part, whole, low, high) in
        [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
    {
        let [a, b] = wilson(part, whole, 0.95).unwrap();
        close(a, low, 5.1e-5);
        close(b, high, 5.1e-5);
        // From the other side it is the mirror image.
        let [c, d] = wilson(whole - part, whole, 0.95).unwrap();
        close(a, 1.0 - d, 1e-12);
        close(b, 1.0 - c, 1e-12);
    }
    assert_eq!(wilson(0, 0, 0.95), None);
    assert!(wilson(7, 5, 0.95).unwrap()[1] >= 1.0);
}

/// The interval of Clopper & Pearson (1934), which covers at least as often as it says for every share.
fn clopper_pearson(part: u64, whole: u64) -> [f64; 2] {
    let [k, n] = [part as f64, whole as f64];
    let quantile = |a: f64, b: f64, p: f64| Beta::new(a, b).unwrap().inverse_cdf(p);
    [
        if part == 0 { 0.0 } else { quantile(k, n - k + 1.0, 0.025) },
        if part == whole { 1.0 } else { quantile(k + 1.0, n - k, 0.975) },
    ]
}

/// The exact chance that an interval covers a share.
fn coverage(n: u64, share: f64, interval: impl Fn(u64) -> [f64; 2]) -> f64 {
    let binomial = Binomial::new(share, n).unwrap();
    (0..=n)
        .filter(|part| {
            let [low, high] = interval(*part);
            low <= share && share <= high
        })
        .map(|part| binomial.pmf(part))
        .sum()
}

#[test]
fn wilson_covers_as_often_as_it_says() {
    // Newcombe (1998), table I, method 5 for the exact interval that it is compared with.
    for (part, whole, low, high) in
        [(81, 263, 0.2527, 0.3676), (15, 148, 0.0578, 0.1617), (1, 29, 0.0009, 0.1776)]
    {
        let [a, b] = clopper_pearson(part, whole);
        close(a, low, 5.1e-5);
        close(b, high, 5.1e-5);
    }
    for n in [10, 40, 200] {
        let shares = (1..200).map(|n| f64::from(n) / 200.0);
        let mean = |interval: &dyn Fn(u64) -> [f64; 2]| {
            shares.clone().map(|share| coverage(n, share, interval)).sum::<f64>() / 199.0
        };
        close(mean(&|part| wilson(part, n, 0.95).unwrap()), 0.95, 0.01);
        // The exact interval covers more than needed: it is the longer one.
        assert!(mean(&|part| clopper_pearson(part, n)) > 0.95);
    }
}

#[test]
fn power_is_that_of_the_tables() {
    // The noncentral t-test, as by G*Power: effect in standard deviations, power, pairs.
    for (effect, power, pairs) in [(0.5, 0.8, 34), (0.2, 0.8, 199), (0.8, 0.8, 15), (0.5, 0.9, 44)] {
        assert_eq!(pairs_needed(effect, 1.0, 0.05, power), Ok(pairs));
        assert_eq!(pairs_needed(-166.0 * effect, 166.0, 0.05, power), Ok(pairs));
    }
    // Pairs of a standard deviation of 166 points: 5 points take some 8,700, 10 points some 2,200.
    assert_eq!(pairs_needed(5.0, 166.0, 0.05, 0.8).unwrap().div_ceil(100), 87);
    assert_eq!(pairs_needed(10.0, 166.0, 0.05, 0.8).unwrap().div_ceil(100), 22);
    for (effect, alpha, power) in [(5.0, 0.05, 0.8), (40.0, 0.01, 0.95), (0.3, 0.1, 0.5)] {
        let pairs = pairs_needed(effect, 166.0, alpha, power).unwrap();
        assert!(detectable_effect(pairs, 166.0, alpha, power).unwrap() <= effect);
        assert!(detectable_effect(pairs - 1, 166.0, alpha, power).unwrap() > effect);
    }
    for wrong in [
        pairs_needed(0.0, 166.0, 0.05, 0.8),
        pairs_needed(f64::NAN, 166.0, 0.05, 0.8),
        pairs_needed(5.0, 0.0, 0.05, 0.8),
        pairs_needed(5.0, 166.0, 0.0, 0.8),
        pairs_needed(5.0, 166.0, 0.05, 1.0),
        pairs_needed(5.0, 166.0, 0.5, 0.4),
    ] {
        assert!(matches!(wrong, Err(StatsError::Range { .. })), "{wrong:?}");
    }
    assert!(detectable_effect(3, 166.0, 0.05, 0.8).is_err());
}

/// The mean and the variance with divisor `n` of a distribution on equally spaced scores from 0 to 1.
fn scores(counts: &[f64]) -> [f64; 3] {
    let score = |index: usize| index as f64 / (counts.len() - 1) as f64;
    let n: f64 = counts.iter().sum();
    let mean = counts.iter().enumerate().map(|(index, count)| count * score(index)).sum::<f64>() / n;
    let square = |(index, count): (usize, &f64)| count * (score(index) - mean).powi(2);
    [n, mean, counts.iter().enumerate().map(square).sum::<f64>() / n]
}

#[test]
fn the_log_likelihood_ratio_is_that_of_published_tests() {
    // The generalised test on matches of chess engines: the reference computes the most likely
    // distribution with a given mean, which the normal one stands for here. Bounds in logistic Elo, and
    // the ratio, to two decimals: fastchess, app/tests/sprt_test.cpp, "logistic" (losses first).
    let expected = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    for (counts, bounds, llr) in [
        (&[21184.0, 40708.0, 21404.0] as &[f64], [0.5, 2.5], -1.57),
        (&[57030.0, 106_593.0, 57433.0], [0.0, 2.0], -2.59),
        (&[223.0, 9863.0, 21279.0, 10037.0, 246.0], [0.5, 2.5], -3.07),
        (&[871.0, 26175.0, 55983.0, 26678.0, 821.0], [0.0, 2.0], -4.98),
    ] {
        let [n, mean, variance] = scores(counts);
        let [lower, upper] = bounds.map(expected);
        close(log_likelihood_ratio(n, mean, variance, lower, upper), llr, 0.005);
    }
    // Bounds in standard deviations of a game, "normalized Elo" (Van den Bergh): the same file, and tests
    // of Stockfish as kept in racetrack, src/tests/sprt_tests.rs.
    for (counts, bounds, llr) in [
        ([365.0, 16618.0, 36229.0, 16974.0, 390.0], [0.0, 2.0], 2.25),
        ([127.0, 4883.0, 10712.0, 5150.0, 104.0], [-1.75, 0.25], 3.01),
        ([440.0, 2910.0, 5170.0, 2888.0, 455.0], [0.0, 5.0], -2.27),
        ([142.0, 620.0, 1122.0, 699.0, 188.0], [0.0, 5.0], 2.99),
        ([349.0, 1561.0, 3340.0, 1604.0, 359.0], [-5.0, 0.0], 2.90),
        ([98.0, 382.0, 674.0, 369.0, 71.0], [-5.0, 0.0], -1.11),
    ] {
        let [n, mean, variance] = scores(&counts);
        let unit = (2.0 * variance).sqrt() * 10f64.ln() / 800.0;
        let [lower, upper] = bounds.map(|elo| 0.5 + elo * unit);
        close(log_likelihood_ratio(n, mean, variance, lower, upper), llr, 0.01);
    }
}

fn plan() -> SprtPlan {
    SprtPlan { lower: 0.0, upper: 5.0, alpha: 0.05, beta: 0.10, every: 100, first: 250, most: 1050 }
}

fn equal_pairs(count: u64, points: i64) -> PairedSums {
    let mut sums = PairedSums::default();
    (0..count).for_each(|_| sums.add([points, points]));
    sums
}

#[test]
fn looks_are_at_fixed_numbers_of_pairs() {
    let [low, high] = plan().thresholds();
    close(low, (0.1f64 / 0.95).ln(), 1e-12);
    close(high, 18f64.ln(), 1e-12);
    let looks: Vec<_> = std::iter::successors(plan().next_look(0), |look| plan().next_look(*look)).collect();
    assert_eq!(looks, [300, 400, 500, 600, 700, 800, 900, 1000, 1050]);
    assert_eq!(SprtPlan { first: 5000, ..plan() }.next_look(0), Some(1050));
    assert_eq!(SprtPlan { every: 1, first: 0, ..plan() }.next_look(0), Some(1));
    let huge = SprtPlan { every: u64::MAX, first: u64::MAX, most: u64::MAX, ..plan() };
    assert_eq!((huge.next_look(0), huge.next_look(u64::MAX)), (Some(u64::MAX), None));
    // Pairs that do not end at a look are refused, and change nothing.
    let mut test = SequentialTest::new(plan()).unwrap();
    for wrong in [0, 299, 301] {
        assert!(matches!(test.feed(&equal_pairs(wrong, 2)), Err(StatsError::Size { .. })));
        assert_eq!((test.next_look(), test.decision()), (Some(300), Decision::GoOn));
    }
}

#[test]
fn an_end_between_two_looks_decides_nothing() {
    // Far past the upper bound at 1000 pairs and at 1050, but only the first is a look in a longer test too.
    for (most, first, decision) in [
        (1000, 250, Decision::Upper),
        (1050, 250, Decision::Undecided),
        (1000, 1001, Decision::Undecided),
        (2000, 250, Decision::Upper),
    ] {
        let look = SprtPlan { most, first, ..plan() }.look(&equal_pairs(most, 30)).unwrap();
        assert!(look.llr > plan().thresholds()[1]);
        assert_eq!(look.decision, decision, "{most} {first}");
    }
}

#[test]
fn moments_have_the_divisor_n() {
    // 3, 11, 3: the mean is 17/3, the mean square about it 128/9.
    let mut sums = PairedSums::default();
    assert_eq!(sums.moments(), None);
    for legs in [[10, -4], [20, 2], [7, -1]] {
        sums.add(legs);
    }
    let [mean, variance] = sums.moments().unwrap();
    close(mean, 17.0 / 3.0, 1e-12);
    close(variance, 128.0 / 9.0, 1e-12);
    assert_eq!(sums.total(), 34);
    // Exactly none where all are equal, also far from 0.
    assert_eq!(equal_pairs(1001, 1_000_000_007).moments(), Some([1_000_000_007.0, 0.0]));
}

#[test]
fn the_test_ends_in_each_way() {
    let ends = |points: &dyn Fn(u64) -> i64| {
        let mut test = SequentialTest::new(plan()).unwrap();
        while let Some(look) = test.next_look() {
            let mut part = PairedSums::default();
            (test.sums().pairs..look).for_each(|pair| part.add([points(pair), points(pair)]));
            test.feed(&part).unwrap();
        }
        assert!(test.feed(&equal_pairs(100, 0)).is_err());
        (test.decision(), test.sums().pairs)
    };
    let around = |middle: i64, sd: i64| {
        move |pair: u64| if pair.is_multiple_of(2) { middle + sd } else { middle - sd }
    };
    assert_eq!(ends(&around(30, 50)), (Decision::Upper, 300));
    assert_eq!(ends(&around(-20, 50)), (Decision::Lower, 300));
    // 2.45 at 300 pairs, short of ln 18 = 2.89; 3.26 at 400.
    assert_eq!(ends(&around(5, 39)), (Decision::Upper, 400));
    // LLR = −n/2 · ln(1 + 25/900) ≈ −0.0137 n below −2.25 from 165 pairs on; at half of that at 300.
    assert_eq!(ends(&around(0, 30)), (Decision::Lower, 300));
    // 0.0031 n: −2.25 is passed at 720 pairs, so at the look at 800.
    let look = plan().look(&equal_pairs(300, 0)).unwrap();
    assert_eq!((look.llr, look.decision), (f64::NEG_INFINITY, Decision::Lower));
    assert_eq!(ends(&around(0, 63)), (Decision::Lower, 800));
    assert_eq!(ends(&around(0, 160)), (Decision::Undecided, 1050));
    // Without variance: at a bound all is clear, between them it is the nearer one.
    assert_eq!(ends(&|_| 5), (Decision::Upper, 300));
    assert_eq!(ends(&|_| 3), (Decision::Upper, 300));
    assert_eq!(ends(&|_| 2), (Decision::Lower, 300));
}

#[test]
fn a_plan_out_of_range_is_named() {
    for (plan, name) in [
        (SprtPlan { lower: f64::NAN, ..plan() }, "lower"),
        (SprtPlan { upper: 0.0, ..plan() }, "upper"),
        (SprtPlan { upper: f64::INFINITY, ..plan() }, "upper"),
        (SprtPlan { alpha: 0.0, ..plan() }, "alpha"),
        (SprtPlan { beta: 1.0, ..plan() }, "beta"),
        (SprtPlan { alpha: 0.6, beta: 0.5, ..plan() }, "alpha + beta"),
        (SprtPlan { every: 0, ..plan() }, "every"),
        (SprtPlan { most: 0, ..plan() }, "most"),
    ] {
        let error = SequentialTest::new(plan).unwrap_err();
        assert!(error.to_string().starts_with(name), "{error}");
    }
}

#[test]
fn a_control_variate_takes_out_what_it_explains() {
    // x = 2 z + 1 exactly: at the true mean of z, 4, x is 9 for certain.
    let mut sums = CovariateSums::default();
    for z in [1, 2, 3, 5] {
        sums.add(2 * z + 1, z);
    }
    let known = |mean| Covariate { mean, standard_error: 0.0 };
    let exact = sums.adjust(known(4.0)).unwrap();
    close(exact.plain, 6.5, 1e-12);
    close(exact.mean, 9.0, 1e-12);
    close(exact.slope, 2.0, 1e-12);
    close(exact.half_width + exact.variance_ratio, 0.0, 1e-9);
    // What is not known of z is not known of x: 2 · 0.5 points of standard error, t with 2 degrees.
    let rough = sums.adjust(Covariate { mean: 4.0, standard_error: 0.5 }).unwrap();
    close(rough.half_width, student_t(0.95, 2.0), 1e-9);

    // A regression worked by hand: x = 1, 3, 2, 6 at z = 0, 1, 2, 3: slope 7/5, intercept 0.9, residual
    // variance (14 − 49/5) / 2 = 2.1. At z = 2: 3.7 ± t · √(2.1 (1/4 + 0.25/5)).
    let mut sums = CovariateSums::default();
    let mut other = CovariateSums::default();
    sums.add(1, 0);
    sums.add(3, 1);
    other.add(2, 2);
    other.add(6, 3);
    sums.merge(&other);
    let adjusted = sums.adjust(known(2.0)).unwrap();
    close(adjusted.mean, 3.7, 1e-12);
    close(adjusted.half_width, student_t(0.95, 2.0) * 0.63f64.sqrt(), 1e-9);
    close(adjusted.variance_ratio, 0.63 / (14.0 / 3.0 / 4.0), 1e-9);
    // At its own mean the estimate does not move.
    close(sums.adjust(known(1.5)).unwrap().mean, 3.0, 1e-12);

    // A covariate that never changes, and too few deals.
    let mut flat = CovariateSums::default();
    for x in [1, 5, 9] {
        flat.add(x, 7);
    }
    let adjusted = flat.adjust(known(3.0)).unwrap();
    assert_eq!((adjusted.mean, adjusted.slope), (5.0, 0.0));
    assert!(CovariateSums { n: 2, ..sums }.adjust(known(0.0)).is_err());
    assert!(sums.adjust(known(f64::NAN)).is_err());
    assert!(sums.adjust(Covariate { mean: 0.0, standard_error: -1.0 }).is_err());
}

/// Rare pairs: as many as told find the effect in about the chance that is told, and not with fewer; the search is that of trying all.
#[test]
fn pairs_such_as_those_of_a_run_are_found_as_told() {
    let mut random = 7_u64;
    let mut below = move |n: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % n
    };
    let mut rare = |share: u64| {
        let leg = if below(2) == 0 { 220 } else { -180 };
        if below(1000) < share { [leg + 300, 100 - leg] } else { [leg, -leg] }
    };
    for share in [10, 40, 200] {
        let all: Vec<_> = (0..200_000).map(|_| rare(share)).collect();
        let sums = |legs: &[[i64; 2]]| {
            let mut sums = coinche_inference::PairedSums::default();
            for legs in legs {
                sums.add(*legs);
            }
            sums
        };
        let known = sums(&all).mean_of_pairs().unwrap();
        let needed = known.pairs_needed(known.mean, 0.0, 0.05, 0.8).unwrap().unwrap();
        // Skewness and sizes as figures tell them are nearly those of the sums.
        let told = sums(&all).estimate().unwrap().mean_of_pairs().unwrap();
        let by_told = told.pairs_needed(known.mean, 0.0, 0.05, 0.8).unwrap().unwrap();
        assert!(by_told.abs_diff(needed) <= 1 + needed / 100, "{by_told} {needed}");
        assert!(needed >= pairs_needed(known.mean, known.variance.sqrt(), 0.05, 0.8).unwrap());
        let effect = known.detectable_effect(needed, 0.0, 0.05, 0.8).unwrap().unwrap();
        assert!(effect <= known.mean * (1.0 + 1e-6));
        let fewer = known.detectable_effect(needed - 1, 0.0, 0.05, 0.8).unwrap();
        assert!(fewer.is_none_or(|effect| effect > known.mean));
        let runs = all.chunks_exact(usize::try_from(needed).unwrap());
        let (count, found) = runs.fold((0.0, 0.0), |(count, found), legs| {
            let is_found = sums(legs).estimate().unwrap().is_decided();
            (count + 1.0, found + f64::from(u8::from(is_found)))
        });
        let slack = 4.0 * (0.16_f64 / count).sqrt();
        assert!(found / count > 0.78 - slack && found / count < 0.95 + slack, "{share}: {found} of {count}");
    }
    // Nothing decides between bots that never differ.
    let mut same = coinche_inference::PairedSums::default();
    (0..100).for_each(|_| same.add([50, -50]));
    let same = same.mean_of_pairs().unwrap();
    assert_eq!(same.pairs_needed(5.0, 0.0, 0.05, 0.8), Ok(None));
    assert_eq!(same.detectable_effect(100, 0.0, 0.05, 0.8), Ok(None));
}
