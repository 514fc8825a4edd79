//! The statistics held to account by simulation: error rates of the sequential test, power, coverage of
//! intervals, recovery of planted strengths.
//!
//! The quick form is of a reduced size. The long one, half a minute, prints the figures that are published in
//! `results/2026-11-20-statistics`:
//! `COINCHE_LONG=1 cargo test -p coinche-inference --test it simulation -- --nocapture --test-threads 1`
#![allow(clippy::cast_possible_truncation, reason = "points are small")]

use coinche_inference::{
    Blocks, Covariate, CovariateSums, Decision, Merge, PairedSums, Pairing, SequentialTest, SprtPlan,
    pairs_needed, rate, wilson,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Returns a uniform number in 0 to 1.
pub(crate) fn uniform(rng: &mut Xoshiro256PlusPlus) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

/// Returns two independent standard normal numbers (Box & Muller 1958).
pub(crate) fn normals(rng: &mut Xoshiro256PlusPlus) -> [f64; 2] {
    let radius = (-2.0 * (1.0 - uniform(rng)).ln()).sqrt();
    let (sine, cosine) = (std::f64::consts::TAU * uniform(rng)).sin_cos();
    [radius * cosine, radius * sine]
}

/// A distribution of the differences of pairs: points and their chances.
#[derive(Debug, Clone)]
pub(crate) struct Draw {
    points: Vec<i64>,
    /// Chances up to and with each, of 2⁶⁴.
    limits: Vec<u64>,
    pub(crate) mean: f64,
    pub(crate) sd: f64,
}

impl Draw {
    /// Tilts chances so that the mean is `mean`: those of positive points grow as far as is needed.
    fn new(table: &[(i64, f64)], mean: f64) -> Self {
        let moment = |power: i32| table.iter().map(|(x, p)| p * (*x as f64).powi(power)).sum::<f64>();
        let tilt = (mean - moment(1)) / (moment(2) - moment(1).powi(2));
        let chance = |x: i64, p: f64| p * (1.0 + tilt * (x as f64 - moment(1)));
        let chances: Vec<f64> = table.iter().map(|(x, p)| chance(*x, *p)).collect();
        assert!(chances.iter().all(|p| *p >= 0.0) && (chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let moment = |power: i32| {
            table.iter().zip(&chances).map(|((x, _), p)| p * (*x as f64).powi(power)).sum::<f64>()
        };
        assert!((moment(1) - mean).abs() < 1e-9);
        let mut sum = 0.0;
        let limits = chances.iter().map(|p| {
            sum += p;
            #[expect(clippy::cast_sign_loss, reason = "chances are not below 0")]
            let limit = (sum * 2f64.powi(64)) as u64;
            limit
        });
        let limits = limits.collect();
        let points = table.iter().map(|(x, _)| *x).collect();
        Self { points, limits, mean, sd: (moment(2) - mean * mean).sqrt() }
    }

    /// Pairs of two good bots: most deals are equal, the rest differ by a contract made or lost.
    pub(crate) fn discrete(mean: f64) -> Self {
        let half = [
            (10, 0.08),
            (40, 0.06),
            (80, 0.05),
            (162, 0.06),
            (250, 0.035),
            (330, 0.02),
            (420, 0.01),
            (500, 0.005),
        ];
        let mut table = vec![(0, 0.36)];
        table.extend(half.iter().flat_map(|(x, p)| [(*x, *p), (-*x, *p)]));
        Self::new(&table, mean)
    }

    /// Pairs of a bot that dares more: losses often, large gains now and then; a skewness of 2.5.
    pub(crate) fn skewed(mean: f64) -> Self {
        let table = [(0, 0.5), (-40, 0.3), (-162, 0.08), (80, 0.05), (250, 0.05), (500, 0.02)];
        Self::new(&table, mean)
    }

    /// As lopsided as no two bots are: rare large gains and nothing else, a skewness of 5.4.
    fn freak(mean: f64) -> Self {
        Self::new(&[(-16, 0.93), (-90, 0.04), (620, 0.03)], mean)
    }

    /// Normal pairs in whole points.
    pub(crate) fn normal(mean: f64) -> Self {
        let table: Vec<(i64, f64)> =
            (-500..=500).map(|x| (x, (-0.5 * (x as f64 / 120.0).powi(2)).exp())).collect();
        let total: f64 = table.iter().map(|(_, p)| p).sum();
        let table: Vec<_> = table.into_iter().map(|(x, p)| (x, p / total)).collect();
        Self::new(&table, mean)
    }

    pub(crate) fn next(&self, rng: &mut Xoshiro256PlusPlus) -> i64 {
        let word = rng.next_u64();
        let place = self.limits.partition_point(|limit| *limit <= word);
        self.points[place.min(self.points.len() - 1)]
    }

    fn pairs(&self, n: u64, rng: &mut Xoshiro256PlusPlus) -> PairedSums {
        let mut sums = PairedSums::default();
        for _ in 0..n {
            let x = self.next(rng);
            sums.add([x, x]);
        }
        sums
    }
}

/// A kind of distribution, by its mean.
type Shape = fn(f64) -> Draw;

const SHAPES: [(&str, Shape); 3] =
    [("normal", Draw::normal), ("discrete", Draw::discrete), ("skewed", Draw::skewed)];

/// The allowance of a simulated share: so many standard deviations.
pub(crate) fn error(share: f64, runs: u32, deviations: f64) -> f64 {
    deviations * (share * (1.0 - share) / f64::from(runs)).sqrt()
}

/// What many sequential tests did.
#[derive(Debug, Default)]
struct Ended {
    upper: f64,
    lower: f64,
    undecided: f64,
    pairs: f64,
    /// The mean of the estimates afterwards, and how often their interval holds the truth.
    estimate: f64,
    covered: f64,
}

fn sequential(plan: SprtPlan, draw: &Draw, truth: f64, runs: u32, seed: u64) -> Ended {
    let mut ended = Ended::default();
    let each = 1.0 / f64::from(runs);
    for run in 0..runs {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed << 32 | u64::from(run));
        let mut test = SequentialTest::new(plan).unwrap();
        while let Some(look) = test.next_look() {
            test.feed(&draw.pairs(look - test.sums().pairs, &mut rng)).unwrap();
        }
        match test.decision() {
            Decision::Upper => ended.upper += each,
            Decision::Lower => ended.lower += each,
            Decision::Undecided | Decision::GoOn => ended.undecided += each,
        }
        ended.pairs += each * test.sums().pairs as f64;
        let estimate = test.estimate().unwrap();
        let [low, high] = estimate.interval.unwrap();
        ended.estimate += each * estimate.mean;
        ended.covered += if low <= truth && truth <= high { each } else { 0.0 };
    }
    ended
}

fn plan(upper: f64) -> SprtPlan {
    SprtPlan { lower: 0.0, upper, alpha: 0.05, beta: 0.05, every: 256, first: 512, most: 1_000_000 }
}

/// Runs many tests, prints what they did and returns it with what was expected: the chance of the upper
/// bound and the pairs.
fn told(name: &str, upper: f64, draw: &Draw, truth: f64, runs: u32) -> (Ended, [f64; 2]) {
    let plan = plan(upper);
    let ended = sequential(plan, draw, truth, runs, 100 + name.len() as u64);
    let chance = plan.chance_of_upper(truth, draw.sd).unwrap();
    let expected = plan.expected_pairs(truth, draw.sd).unwrap();
    println!(
        "{name}, sd {:.0}, bounds 0 and {upper}, truth {truth}: upper {:.4} (expected {chance:.4}), lower \
         {:.4}, {:.0} pairs (expected {expected:.0}), estimate {:.2}, covers {:.4}",
        draw.sd, ended.upper, ended.lower, ended.pairs, ended.estimate, ended.covered
    );
    assert!(ended.undecided == 0.0);
    (ended, [chance, expected])
}

/// Error rates of at most what was asked for, and the chances and pairs that were predicted.
fn sequential_errors(upper: f64, runs: u32) {
    for (name, shape) in SHAPES {
        for truth in [0.0, upper / 2.0, upper] {
            let (ended, [chance, expected]) = told(name, upper, &shape(truth), truth, runs);
            let wrong = if truth > 0.0 { ended.lower } else { ended.upper };
            if truth <= 0.0 || truth >= upper {
                assert!(wrong <= 0.05 + error(0.05, runs, 3.0), "{name}, {truth}: {wrong}");
                // A test that never errs is not the one that was asked for.
                assert!(wrong >= 0.02 - error(0.02, runs, 3.0), "{name}, {truth}: {wrong}");
            }
            let skew = if name == "skewed" { 0.03 } else { 0.01 };
            assert!((ended.upper - chance).abs() < skew + error(chance, runs, 4.0), "{name}, {truth}");
            let longer = ended.pairs / expected;
            // The test is cautious where pairs lean to one side.
            let cautious = if name == "skewed" { 0.3 } else { 0.05 };
            assert!(
                (longer - 1.0).abs() < cautious + 3.0 / f64::from(runs).sqrt(),
                "{name}, {truth}: {longer}"
            );
        }
    }
}

#[test]
fn the_sequential_test_errs_as_seldom_as_asked() {
    if !crate::long() {
        return sequential_errors(6.0, 1000);
    }
    sequential_errors(5.0, 20_000);
    // The variance and the mean of lopsided differences err together, and one error grows past its rate.
    for truth in [0.0, 5.0] {
        let (ended, _) = told("freak", 5.0, &Draw::freak(truth), truth, 20_000);
        let wrong = if truth > 0.0 { ended.lower } else { ended.upper };
        assert!(wrong < 0.07, "{wrong}");
    }
}

/// A test of matches won, 0 against 2 percentage points over half of them: pairs are lost, shared or won.
fn sequential_errors_of_matches(runs: u32) {
    for truth in [0.0, 2.0] {
        let draw = Draw::new(&[(-50, 0.15), (0, 0.7), (50, 0.15)], truth);
        let (ended, _) = told("matches", 2.0, &draw, truth, runs);
        let wrong = if truth > 0.0 { ended.lower } else { ended.upper };
        assert!(wrong <= 0.05 + error(0.05, runs, 3.0), "{truth}: {wrong}");
        assert!(wrong >= 0.02 - error(0.02, runs, 3.0), "{truth}: {wrong}");
    }
}

#[test]
fn the_sequential_test_of_matches_errs_as_seldom_as_asked() {
    sequential_errors_of_matches(if crate::long() { 20_000 } else { 1000 });
}

/// How often the 95 % interval of a mean holds it.
fn mean_coverage(shape: Shape, pairs: u64, runs: u32) -> f64 {
    let truth = 7.0;
    let draw = shape(truth);
    let covers = |run: u32| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(pairs << 32 | u64::from(run));
        let [low, high] = draw.pairs(pairs, &mut rng).estimate().unwrap().interval.unwrap();
        low <= truth && truth <= high
    };
    f64::from((0..runs).filter(|run| covers(*run)).count() as u32) / f64::from(runs)
}

/// The share of runs in which t-tests find an effect with the pairs that it is said to need.
fn power(runs: u32) -> f64 {
    let draw = Draw::discrete(12.0);
    let pairs = pairs_needed(12.0, draw.sd, 0.05, 0.8).unwrap();
    let found = |run: u32| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(u64::from(run));
        draw.pairs(pairs, &mut rng).estimate().unwrap().p_value().unwrap() <= 0.05
    };
    f64::from((0..runs).filter(|run| found(*run)).count() as u32) / f64::from(runs)
}

/// How often Wilson's interval of 100 trials holds a share drawn from 0 to 1.
fn share_coverage(runs: u32) -> f64 {
    let covers = |run: u32| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1 << 40 | u64::from(run));
        let share = uniform(&mut rng);
        let part = (0..100).filter(|_| uniform(&mut rng) < share).count() as u64;
        let [low, high] = wilson(part, 100, 0.95).unwrap();
        low <= share && share <= high
    };
    f64::from((0..runs).filter(|run| covers(*run)).count() as u32) / f64::from(runs)
}

/// How often the interval of an adjusted mean holds it, and the mean of the variance ratio. The covariate's mean is known,
/// or measured on so many other deals.
fn adjusted_coverage(runs: u32, others: u32) -> [f64; 2] {
    let draw = Draw::discrete(7.0);
    let (mut covered, mut ratio) = (0, 0.0);
    for run in 0..runs {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2 << 40 | u64::from(run));
        let mut sums = CovariateSums::default();
        let covariate = |rng: &mut _| (120.0 * normals(rng)[0]).round() as i64;
        for _ in 0..100 {
            let z = covariate(&mut rng);
            sums.add(draw.next(&mut rng) + z, z);
        }
        let mut known = PairedSums::default();
        for _ in 0..others {
            known.add([covariate(&mut rng); 2]);
        }
        let known = known.estimate().map_or([0.0; 2], |known| [known.mean, known.sd.unwrap_or(0.0)]);
        let standard_error = known[1] / f64::from(others.max(1)).sqrt();
        let adjusted = sums.adjust(Covariate { mean: known[0], standard_error }).unwrap();
        let [low, high] = adjusted.interval;
        covered += u32::from(low <= 7.0 && 7.0 <= high);
        ratio += adjusted.variance_ratio / f64::from(runs);
    }
    [f64::from(covered) / f64::from(runs), ratio]
}

/// The strengths of four bots, which add up to 0.
const PLANTED: [f64; 4] = [30.0, 22.0, -7.0, -45.0];
const ENDS: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// A round robin on the same deals: each bot has its own luck with a deal, each meeting some of its own.
fn round_robin(blocks: usize, deals: u64, rng: &mut Xoshiro256PlusPlus) -> (Blocks, Vec<Pairing>) {
    let luck = [Draw::discrete(0.0), Draw::skewed(0.0), Draw::discrete(0.0), Draw::normal(0.0)];
    let chance = Draw::discrete(0.0);
    let mut all = Blocks::new(4, &ENDS).unwrap();
    let mut total = [PairedSums::default(); 6];
    for _ in 0..blocks {
        let mut part = [PairedSums::default(); 6];
        for _ in 0..deals {
            let luck = [0, 1, 2, 3].map(|bot: usize| luck[bot].next(rng) + PLANTED[bot] as i64);
            for ([a, b], sums) in ENDS.into_iter().zip(&mut part) {
                let x = luck[a] - luck[b] + chance.next(rng);
                sums.add([x, x]);
            }
        }
        all.push(deals, &part.map(|sums| sums.total())).unwrap();
        total.iter_mut().zip(&part).for_each(|(total, part)| total.merge(part));
    }
    let pairings = ENDS.into_iter().zip(&total);
    let pairings = pairings.map(|([a, b], sums)| Pairing::new(a, b, &sums.estimate().unwrap()).unwrap());
    (all, pairings.collect())
}

/// Coverage of the intervals of ratings, by the covariance of blocks, by the bootstrap, of differences of
/// ratings, and of those that wrongly take the pairings as independent; then how often the lack-of-fit test
/// rejects at 5 %, and by how many standard deviations the mean of a rating is off at most.
fn rating_coverage(blocks: usize, runs: u32) -> [f64; 6] {
    let mut sums = [0.0; 6];
    let mut errors = [[0.0; 2]; 4];
    for run in 0..runs {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64((blocks as u64) << 32 | u64::from(run));
        let (all, pairings) = round_robin(blocks, 10, &mut rng);
        let ratings = rate(4, &pairings, Some(&all.covariance().unwrap()), 0.95).unwrap();
        let apart = rate(4, &pairings, None, 0.95).unwrap();
        let drawn = all.bootstrap(1000, u64::from(run), 0.95).unwrap();
        let quarter = 0.25 / f64::from(runs);
        for (bot, planted) in PLANTED.into_iter().enumerate() {
            let rating = ratings.ratings[bot];
            let held = [
                (rating.rating - planted).abs() <= rating.half_width,
                drawn.ratings[bot].interval[0] <= planted && planted <= drawn.ratings[bot].interval[1],
                {
                    let difference = ratings.difference(bot, (bot + 1) % 4).unwrap();
                    let planted = planted - PLANTED[(bot + 1) % 4];
                    (difference.points - planted).abs() <= difference.half_width
                },
                (apart.ratings[bot].rating - planted).abs() <= apart.ratings[bot].half_width,
            ];
            for (sum, held) in sums.iter_mut().zip(held) {
                *sum += if held { quarter } else { 0.0 };
            }
            let error = rating.rating - planted;
            errors[bot] = [errors[bot][0] + error, errors[bot][1] + error * error];
        }
        sums[4] += if ratings.fit.unwrap() <= 0.05 { 4.0 * quarter } else { 0.0 };
    }
    let off = errors.map(|[sum, squares]: [f64; 2]| sum.abs() / squares.sqrt());
    sums[5] = off.into_iter().fold(0.0, f64::max);
    sums
}

/// Intervals of 95 % hold the truth in 95 % of runs within `within`.
fn coverage(runs: u32, blocks: &[usize], within: f64) {
    let check = |name: &str, share: f64, expected: f64| {
        println!("{name}: {share:.4}");
        assert!((share - expected).abs() <= within, "{name}: {share} in place of {expected}");
    };
    for (name, shape) in SHAPES {
        for pairs in [400, 2000] {
            check(&format!("mean of {pairs}, {name}"), mean_coverage(shape, pairs, runs), 0.95);
        }
    }
    check("share", share_coverage(runs), 0.95);
    check("power", power(runs), 0.8);
    let [adjusted, ratio] = adjusted_coverage(runs, 0);
    check("adjusted mean", adjusted, 0.95);
    // Of as few deals as were played, the measured mean is half of what is uncertain.
    check("adjusted mean, covariate measured", adjusted_coverage(runs, 100)[0], 0.95);
    // z explains 120² of 120² + 137², and a degree of freedom is spent.
    assert!((ratio - 137f64.powi(2) / (120f64.powi(2) + 137f64.powi(2))).abs() < 0.02, "{ratio}");
    for &blocks in blocks {
        let [ratings, drawn, differences, apart, misfit, error] = rating_coverage(blocks, runs / 5);
        println!(
            "{blocks} blocks of 10: means of ratings are off by at most {error:.2} deviations; taken as \
             independent they hold {apart:.4}"
        );
        assert!(error < 4.0, "{error}");
        check(&format!("ratings, {blocks} blocks"), ratings, 0.95);
        check(&format!("bootstrap, {blocks} blocks"), drawn, 0.95);
        check(&format!("differences, {blocks} blocks"), differences, 0.95);
        check(&format!("lack of fit, {blocks} blocks"), misfit, 0.05);
        // Taking pairings on the same deals as independent is what must not be done.
        assert!(apart < 0.92, "{apart}");
    }
}

#[test]
fn intervals_cover_as_often_as_they_say() {
    if crate::long() {
        coverage(20_000, &[20, 50, 200], 0.01);
    } else {
        // A share of 95 % of 1000 runs has a standard deviation of 0.7 %, of 200 runs with four bots 1 %.
        coverage(1000, &[50], 0.035);
    }
}
