//! The sequential test with a control: its error rates by simulation, and what goes wrong without the error of the
//! control's mean.
//!
//! The long form prints the figures of `docs/statistics.md`:
//! `COINCHE_LONG=1 cargo test --release -p coinche-inference --test it controlled -- --nocapture`
#![allow(clippy::cast_possible_truncation, reason = "points are small")]

use coinche_inference::{
    Checkpoint, Covariate, CovariateSums, Decision, PairedSums, SequentialTest, SprtPlan,
    log_likelihood_ratio,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::simulation::{Draw, error, normals};

/// Pairs and their control: what both have in common, and what only the pair has.
struct Model {
    name: &'static str,
    /// What is left of a pair without the control; its mean is the truth.
    rest: fn(f64) -> Draw,
    /// The difference of the control, of which a pair has `share`.
    control: Draw,
    share: f64,
    /// Whether the rest grows with the control: a line does not explain that.
    uneven: bool,
    /// On how many other deals the control's mean is measured.
    others: f64,
}

impl Model {
    /// What the pairs of bots with a control are like, and some that are harder.
    fn all() -> Vec<Self> {
        let model =
            |name, rest, control, share, uneven, others| Self { name, rest, control, share, uneven, others };
        vec![
            model("normal", Draw::normal, Draw::normal(4.0), 0.8, false, 1e6),
            model("as of bots", Draw::discrete, Draw::discrete(7.0), 0.6, false, 1e6),
            model("as of bots, mean on 20,000 deals", Draw::discrete, Draw::discrete(7.0), 0.6, false, 2e4),
            model("skewed", Draw::skewed, Draw::skewed(3.0), 0.8, false, 1e6),
            model("uneven", Draw::discrete, Draw::discrete(-5.0), 0.6, true, 1e6),
            model("explains nothing", Draw::discrete, Draw::discrete(7.0), 0.0, false, 1e5),
        ]
    }

    /// Draws a pair and its control.
    fn next(&self, rest: &Draw, truth: f64, rng: &mut Xoshiro256PlusPlus) -> [i64; 2] {
        let z = self.control.next(rng);
        let mut own = rest.next(rng) as f64;
        if self.uneven {
            // From half as much where the control is near 0 to three times as much: the mean stays.
            own = truth + (own - truth) * (0.5 + (z as f64).abs() / 200.0).min(3.0);
        }
        let x = own + self.share * (z as f64 - self.mean());
        // Rounded at random, so that the mean stays.
        let low = x.floor();
        [low as i64 + i64::from(crate::simulation::uniform(rng) < x - low), z]
    }

    fn mean(&self) -> f64 {
        self.control.mean
    }

    /// Plays a test to its end; without `honest` the control's mean is taken as exact.
    fn test(&self, plan: SprtPlan, truth: f64, seed: u64, honest: bool) -> Checkpoint {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let rest = (self.rest)(truth);
        let standard_error = self.control.sd / self.others.sqrt();
        let mean = self.mean() + standard_error * normals(&mut rng)[0];
        let known = Covariate { mean, standard_error: if honest { standard_error } else { 0.0 } };
        let mut test = SequentialTest::new(plan).unwrap();
        let mut joint = CovariateSums::default();
        while let Some(look) = test.next_look() {
            let mut part = PairedSums::default();
            for _ in test.sums().pairs..look {
                let [x, z] = self.next(&rest, truth, &mut rng);
                part.add([x, x]);
                joint.add(x, z);
            }
            test.feed_with(&part, &joint.adjust(known).unwrap()).unwrap();
        }
        *test.last().unwrap()
    }
}

fn plan(most: u64) -> SprtPlan {
    SprtPlan { lower: 0.0, upper: 6.0, alpha: 0.05, beta: 0.05, every: 256, first: 512, most }
}

/// The shares of tests that accept the wrong bound and none, and their mean number of pairs.
fn errors(model: &Model, truth: f64, most: u64, runs: u32, honest: bool) -> [f64; 3] {
    let wrong = if truth > 0.0 { Decision::Lower } else { Decision::Upper };
    let (mut errors, mut undecided, mut pairs) = (0, 0, 0);
    for run in 0..runs {
        let last = model.test(plan(most), truth, 3 << 40 | u64::from(run), honest);
        errors += u32::from(last.decision == wrong);
        undecided += u32::from(last.decision == Decision::Undecided);
        pairs += last.pairs;
    }
    let runs = f64::from(runs);
    [f64::from(errors) / runs, f64::from(undecided) / runs, pairs as f64 / runs]
}

#[test]
fn the_test_with_a_control_errs_as_seldom_as_asked() {
    let runs = if crate::long() { 10_000 } else { 400 };
    for model in Model::all() {
        for truth in [0.0, 6.0] {
            let [wrong, undecided, pairs] = errors(&model, truth, 1_000_000, runs, true);
            println!("{}, truth {truth}: wrong {wrong:.4}, {pairs:.0} pairs", model.name);
            assert!(undecided == 0.0, "{}", model.name);
            assert!(wrong <= 0.06 + error(0.05, runs, 3.0), "{}, {truth}: {wrong}", model.name);
            // A test that never errs is not the one that was asked for.
            assert!(wrong >= 0.02 - error(0.02, runs, 3.0), "{}, {truth}: {wrong}", model.name);
        }
    }
}

#[test]
fn a_mean_that_is_known_badly_does_not_decide() {
    // The mean is known to 2.5 points, the bounds are 6 apart.
    let model = Model {
        name: "badly known",
        rest: Draw::discrete,
        control: Draw::discrete(7.0),
        share: 1.0,
        uneven: false,
        others: 3000.0,
    };
    let runs = if crate::long() { 4000 } else { 300 };
    let [honest, undecided, _] = errors(&model, 0.0, 20_000, runs, true);
    let [naive, _, _] = errors(&model, 0.0, 20_000, runs, false);
    println!("known badly: wrong {honest:.4}, undecided {undecided:.4}; taken as exact: wrong {naive:.4}");
    assert!(honest <= 0.06 + error(0.05, runs, 3.0), "{honest}");
    // The errors of the mean alone decide such a test.
    assert!(naive > 0.10, "{naive}");
    assert!(undecided > 0.1, "{undecided}");
}

#[test]
fn a_look_with_a_control_is_that_of_the_adjusted_mean() {
    let (mut sums, mut joint) = (PairedSums::default(), CovariateSums::default());
    for pair in 0..700_i64 {
        let z = pair % 11 - 5;
        let x = 3 * z + pair % 7 - 2;
        sums.add([x + 1, x - 1]);
        joint.add(x, z);
    }
    let adjusted = joint.adjust(Covariate { mean: 0.25, standard_error: 0.1 }).unwrap();
    let plan = SprtPlan { every: 700, first: 700, ..plan(700) };
    let look = plan.look_with(&sums, &adjusted).unwrap();
    assert_eq!((look.pairs, look.mean, look.sd), (700, adjusted.mean, adjusted.residual_sd));
    let half = adjusted.half_width / coinche_inference::student_t(0.95, 698.0);
    // Hundreds of legs were seen, so that the size of pseudo-pairs is that of a leg, and the pairs lean nowhere.
    let known = sums.mean_of_pairs().unwrap();
    let seen = 699.0 * known.variance + 700.0 * known.mean.powi(2);
    let size = known.leg_square * (1.0 + 24.0 * (2.0 / (2.0 + seen / known.leg_square)).powi(2));
    let error = (half * half + 10.0 * size / 700.0 / 699.0).sqrt() + 1.5 * known.skewness.abs() / 700.0;
    let expected = log_likelihood_ratio(700.0, adjusted.mean, 700.0 * error * error, 0.0, 6.0);
    assert!((look.llr - expected).abs() < 1e-9 * expected.abs(), "{} is not {expected}", look.llr);
    // Without a control the same pairs have eight times the spread.
    assert!(plan.look(&sums).unwrap().sd > 4.0 * look.sd);
    let mut test = SequentialTest::new(plan).unwrap();
    let mut more = sums;
    more.add([0, 0]);
    assert!(test.feed_with(&more, &adjusted).is_err());
    assert_eq!(test.feed_with(&sums, &adjusted).unwrap(), look);
}
