//! Ratings from many pairings: least squares, Bradley–Terry, the bootstrap, triples and Nash averaging.

use coinche_inference::{
    BOOTSTRAP_BLOCKS, Blocks, BradleyTerry, Covariance, MatchCounts, PairedSums, Pairing, StatsError,
    intransitive_triples, nash_average, rate, student_t,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use statrs::distribution::{ContinuousCDF, Normal};

fn close(a: f64, b: f64, within: f64) {
    assert!((a - b).abs() < within, "{a} is not {b}");
}

fn pairing(a: usize, b: usize, mean: f64, variance: f64) -> Pairing {
    Pairing { a, b, pairs: 1_000_001, mean, variance, known: None }
}

/// Uniform numbers below `n`, the same every time.
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    move |n| usize::try_from(rng.next_u64() % n as u64).unwrap()
}

#[test]
fn ratings_that_fit_are_found() {
    // 30, 10, −40 exactly, whatever the weights.
    let pairings = [pairing(0, 1, 20.0, 4e4), pairing(2, 1, -50.0, 1e4), pairing(0, 2, 70.0, 9e4)];
    let ratings = rate(3, &pairings, None, 0.95).unwrap();
    for (rating, planted) in ratings.ratings.iter().zip([30.0, 10.0, -40.0]) {
        close(rating.rating, planted, 1e-9);
        assert!(rating.half_width > 0.0 && rating.half_width < 1.0);
    }
    for residual in &ratings.residuals {
        close(residual.points, 0.0, 1e-9);
    }
    close(ratings.fit.unwrap(), 1.0, 1e-6);
    let difference = ratings.difference(2, 0).unwrap();
    close(difference.points, -70.0, 1e-9);
    assert!(ratings.difference(0, 3).is_err());
    close(ratings.difference(1, 1).unwrap().half_width, 0.0, 1e-12);
}

#[test]
fn two_bots_have_the_interval_of_their_pairing() {
    let mut sums = PairedSums::default();
    for legs in [[10, -4], [20, 2], [7, -1], [0, 3]] {
        sums.add(legs);
    }
    let estimate = sums.estimate().unwrap();
    let ratings = rate(2, &[Pairing::new(0, 1, &estimate).unwrap()], None, 0.95).unwrap();
    let difference = ratings.difference(0, 1).unwrap();
    close(difference.points, estimate.mean, 1e-12);
    close(difference.half_width, estimate.half_width.unwrap(), 1e-9);
    close(ratings.ratings[0].half_width, estimate.half_width.unwrap() / 2.0, 1e-9);
    assert_eq!((ratings.fit, ratings.residuals[0].standard), (None, None));
}

#[test]
fn a_cycle_shows_in_the_residuals() {
    // Each of three beats the next by 10: all ratings are 0, all is residual. With means of variance 1
    // each residual is 10, of a covariance of ⅓ everywhere: χ² = 30²/3 = 300 with one degree.
    let variance = 1_000_001.0;
    let pairings = [0, 1, 2].map(|bot| pairing(bot, (bot + 1) % 3, 10.0, variance));
    let ratings = rate(3, &pairings, None, 0.95).unwrap();
    for (rating, residual) in ratings.ratings.iter().zip(&ratings.residuals) {
        close(rating.rating, 0.0, 1e-9);
        // The variance of a rating is (1 + 1) / 9.
        close(rating.half_width, student_t(0.95, 1e6) * (2.0f64 / 9.0).sqrt(), 1e-9);
        close(residual.points, 10.0, 1e-9);
        close(residual.standard.unwrap(), 10.0 * 3f64.sqrt(), 1e-9);
    }
    assert!(ratings.fit.unwrap() < 1e-50);
    // A residual of 1.959964 standard deviations has a chance of 5 %.
    let mild = [0, 1, 2].map(|bot| pairing(bot, (bot + 1) % 3, 1.959_964 / 3f64.sqrt(), variance));
    close(rate(3, &mild, None, 0.95).unwrap().fit.unwrap(), 0.05, 1e-6);
}

#[test]
fn the_surer_pairing_weighs_more() {
    // 10 with variance 1 and 20 with variance 4: 12 with variance 0.8; χ² = 10²/5 with one degree.
    let variance = 1_000_001.0;
    let pairings = [pairing(0, 1, 10.0, variance), pairing(0, 1, 20.0, 4.0 * variance)];
    let ratings = rate(2, &pairings, None, 0.95).unwrap();
    let difference = ratings.difference(0, 1).unwrap();
    close(difference.points, 12.0, 1e-9);
    close(difference.half_width, student_t(0.95, 1e6) * 0.8f64.sqrt(), 1e-9);
    close(ratings.ratings[1].half_width, difference.half_width / 2.0, 1e-9);
    close(ratings.fit.unwrap(), 7.744e-6, 1e-8);
}

#[test]
fn the_covariance_of_common_deals_widens_or_narrows() {
    let variance = 1_000_001.0;
    let pairings = [pairing(0, 1, 5.0, variance), pairing(0, 2, 7.0, variance), pairing(1, 2, 2.0, variance)];
    // Each bot has luck of variance ½ with the deal: the pairings are transitive to the last point.
    let half = 0.5;
    let of_means = vec![vec![1.0, half, -half], vec![half, 1.0, half], vec![-half, half, 1.0]];
    let shared = Covariance { of_means, degrees: 1e6 };
    let ratings = rate(3, &pairings, Some(&shared), 0.95).unwrap();
    // The variance of r0 = (x01 + x02)/3 is (1 + 1 + 2·½)/9, in place of 2/9.
    close(ratings.ratings[0].half_width, student_t(0.95, 1e6) * (3.0f64 / 9.0).sqrt(), 1e-9);
    // There is no residual that could vary.
    assert_eq!(ratings.fit, None);
    close(ratings.residuals[0].points, 0.0, 1e-9);
    let short = Covariance { of_means: vec![vec![1.0; 3]; 2], degrees: 5.0 };
    assert!(matches!(rate(3, &pairings, Some(&short), 0.95), Err(StatsError::Size { .. })));
}

#[test]
fn few_blocks_make_the_test_of_the_fit_cautious() {
    // Three pairings of the same two, −d, 0 and d with variance 1: T² = 2 d² of two dimensions. With a
    // covariance of 10 degrees, T² · 9 / 20 is F of 2 and 9 degrees, which is above 4.2565 in 5 %.
    let d = (4.256_495 * 20.0 / 9.0 / 2.0f64).sqrt();
    let pairings = [-d, 0.0, d].map(|mean| pairing(0, 1, mean, 1_000_001.0));
    let of_means = (0..3).map(|n| (0..3).map(|m| f64::from(u8::from(n == m))).collect()).collect();
    let covariance = Covariance { of_means, degrees: 10.0 };
    let ratings = rate(2, &pairings, Some(&covariance), 0.95).unwrap();
    close(ratings.fit.unwrap(), 0.05, 1e-6);
    // Without a degree to spare nothing is said.
    let few = Covariance { degrees: 1.0, ..covariance };
    assert_eq!(rate(2, &pairings, Some(&few), 0.95).unwrap().fit, None);
}

#[test]
fn equal_bots_weigh_without_an_infinite_weight() {
    // 0 and 1 are the same bot: no difference, no variance.
    let pairings = [pairing(0, 1, 0.0, 0.0), pairing(0, 2, 12.0, 1e4), pairing(1, 2, 12.0, 1e4)];
    let ratings = rate(3, &pairings, None, 0.95).unwrap();
    for (rating, planted) in ratings.ratings.iter().zip([4.0, 4.0, -8.0]) {
        close(rating.rating, planted, 1e-6);
    }
    let all = [pairing(0, 1, 0.0, 0.0)];
    close(rate(2, &all, None, 0.95).unwrap().ratings[0].half_width, 0.0, 1e-12);
}

#[test]
fn wrong_pairings_are_named() {
    let good = pairing(0, 1, 1.0, 1.0);
    assert_eq!(rate(4, &[good, pairing(2, 3, 1.0, 1.0)], None, 0.95), Err(StatsError::Apart(vec![2, 3])));
    let wrong = StatsError::Pairing { index: 1, a: 1, b: 1, bots: 2 };
    assert_eq!(rate(2, &[good, pairing(1, 1, 0.0, 1.0)], None, 0.95), Err(wrong));
    assert!(matches!(rate(1, &[], None, 0.95), Err(StatsError::TooFew { .. })));
    assert!(matches!(rate(2, &[Pairing { pairs: 1, ..good }], None, 0.95), Err(StatsError::TooFew { .. })));
    for bad in [
        rate(2, &[good], None, 1.0),
        rate(2, &[Pairing { mean: f64::NAN, ..good }], None, 0.95),
        rate(2, &[Pairing { variance: -1.0, ..good }], None, 0.95),
    ] {
        assert!(matches!(bad, Err(StatsError::Range { .. })), "{bad:?}");
    }
}

#[test]
fn intransitive_triples_are_named_once() {
    let clear = |a, b| pairing(a, b, 5.0, 1e4);
    // 1 > 3 > 2 > 1; 0 beats all; of 4 nothing is clear.
    let mut pairings = vec![clear(1, 3), clear(3, 2), clear(2, 1), clear(0, 1), clear(0, 2), clear(0, 3)];
    pairings.extend((0..4).map(|bot| pairing(bot, 4, 0.1, 1e4)));
    assert_eq!(intransitive_triples(5, &pairings, 0.95), [[1, 3, 2]]);
    // Seen from the other side it is the same.
    for pairing in &mut pairings {
        (pairing.a, pairing.b, pairing.mean) = (pairing.b, pairing.a, -pairing.mean);
    }
    assert_eq!(intransitive_triples(5, &pairings, 0.95), [[1, 3, 2]]);
    // One link that is not clear is no cycle: 0.15 ± 0.196.
    pairings[0].mean = -0.15;
    assert!(intransitive_triples(5, &pairings, 0.95).is_empty());
    assert!(!intransitive_triples(5, &pairings, 0.5).is_empty());
}

/// American League East, 1987: Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore; games
/// won by the first at home, lost at home (Agresti 1990, table 10.12).
const BASEBALL: [[[u64; 2]; 6]; 7] = [
    [[4, 3], [4, 2], [4, 3], [6, 1], [4, 2], [6, 0]],
    [[3, 3], [4, 2], [4, 3], [6, 0], [6, 1], [4, 3]],
    [[2, 5], [4, 3], [2, 4], [4, 3], [4, 2], [6, 0]],
    [[3, 3], [5, 1], [2, 5], [4, 3], [4, 2], [6, 1]],
    [[5, 1], [2, 5], [3, 3], [4, 2], [5, 2], [6, 0]],
    [[2, 5], [3, 3], [3, 4], [4, 3], [4, 2], [2, 4]],
    [[2, 5], [1, 5], [1, 6], [2, 4], [1, 6], [3, 4]],
];

#[test]
fn bradley_terry_on_the_baseball_of_agresti() {
    // Times a thousand, so that the weak prior does not show.
    let mut counts = Vec::new();
    for (home, games) in BASEBALL.iter().enumerate() {
        for (place, [won, lost]) in games.iter().enumerate() {
            let away = if place < home { place } else { place + 1 };
            counts.push(MatchCounts { a: home, b: away, wins: 1000 * won, losses: 1000 * lost, draws: 0 });
        }
    }
    let fitted = BradleyTerry::fit(7, &counts, None, 0.95).unwrap();
    let log_odds = |bot: usize| (fitted.ratings[bot].elo - fitted.ratings[6].elo) * 10f64.ln() / 400.0;
    // Coefficients as in the vignette of the R package BradleyTerry2 (Turner & Firth 2012), Baltimore 0.
    for (bot, odds) in [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839].into_iter().enumerate() {
        close(log_odds(bot), odds, 2e-4);
    }
    close(fitted.ratings.iter().map(|rating| rating.elo).sum(), 0.0, 1e-6);
}

#[test]
fn bradley_terry_of_two() {
    // 400 Elo are odds of ten to one; draws count half.
    let counts = [MatchCounts { a: 0, b: 1, wins: 1_000_000, losses: 100_000, draws: 0 }];
    let fitted = BradleyTerry::fit(2, &counts, None, 0.95).unwrap();
    close(fitted.ratings[0].elo - fitted.ratings[1].elo, 400.0, 0.01);
    close(fitted.residuals[0].unwrap().share, 10.0 / 11.0, 1e-9);
    close(fitted.residuals[0].unwrap().standard, 0.0, 0.01);
    assert_eq!(fitted.fit, None);
    // The interval: 1 / √(n p q) of the log odds between the two, half of it each.
    let deviation = 1.0 / (1_100_000.0 * 10.0 / 121.0f64).sqrt();
    close(fitted.ratings[0].half_width, 1.959_964 * deviation / 2.0 * 400.0 / 10f64.ln(), 1e-3);
    let drawn = [MatchCounts { a: 0, b: 1, wins: 5, losses: 5, draws: 90 }];
    close(BradleyTerry::fit(2, &drawn, None, 0.95).unwrap().ratings[0].elo, 0.0, 1e-9);
}

#[test]
fn who_wins_all_has_a_finite_rating() {
    let all = |a, b, wins| MatchCounts { a, b, wins, losses: 0, draws: 0 };
    let mut before = 0.0;
    for wins in [1, 10, 1000, 10_000_000] {
        let counts = [all(0, 1, wins), all(1, 2, wins), all(0, 2, wins)];
        let fitted = BradleyTerry::fit(3, &counts, None, 0.95).unwrap();
        let [first, second, third] = [0, 1, 2].map(|bot| fitted.ratings[bot]);
        assert!(first.elo.is_finite() && first.half_width.is_finite() && first.half_width > 0.0);
        close(first.elo, -third.elo, 1e-6);
        close(second.elo, 0.0, 1e-6);
        assert!(first.elo > before, "{} {before}", first.elo);
        before = first.elo;
    }
    assert_eq!(
        BradleyTerry::fit(3, &[all(0, 1, 5), all(1, 2, 0)], None, 0.95),
        Err(StatsError::Apart(vec![2]))
    );
    assert!(BradleyTerry::fit(2, &[all(0, 1, 5), all(0, 7, 0)], None, 0.95).is_err());
}

#[test]
fn bradley_terry_names_what_does_not_fit() {
    let cycle = [0, 1, 2].map(|bot| MatchCounts { a: bot, b: (bot + 1) % 3, wins: 60, losses: 40, draws: 0 });
    let fitted = BradleyTerry::fit(3, &cycle, None, 0.95).unwrap();
    for (rating, residual) in fitted.ratings.iter().zip(&fitted.residuals) {
        close(rating.elo, 0.0, 1e-6);
        // 0.1 over √(¼ / 100).
        close(residual.unwrap().standard, 2.0, 1e-6);
    }
    // χ² = 12 with one degree: 0.000532.
    close(fitted.fit.unwrap(), 0.000_532, 1e-6);
}

fn blocks(rows: usize) -> Blocks {
    let mut blocks = Blocks::new(3, &[[0, 1], [0, 2], [1, 2]]).unwrap();
    let mut number = numbers(5);
    for _ in 0..rows {
        let luck = [0, 1, 2].map(|_| i128::try_from(number(2000)).unwrap());
        let sums = [luck[0] - luck[1] + 300, luck[0] - luck[2] + 400, luck[1] - luck[2] + 100];
        blocks.push(10, &sums).unwrap();
    }
    blocks
}

#[test]
fn the_bootstrap_agrees_with_the_sandwich() {
    let blocks = blocks(400);
    let covariance = blocks.covariance().unwrap();
    let drawn = blocks.bootstrap(4000, 1, 0.95).unwrap();
    assert_eq!((drawn.blocks, drawn.draws), (400, 4000));
    let pairings: Vec<_> = [(0, 1), (0, 2), (1, 2)]
        .into_iter()
        .enumerate()
        .map(|(n, (a, b))| Pairing {
            a,
            b,
            pairs: 4000,
            mean: drawn.ratings[a].rating - drawn.ratings[b].rating,
            variance: 4000.0 * covariance.of_means[n][n],
            known: None,
        })
        .collect();
    let ratings = rate(3, &pairings, Some(&covariance), 0.95).unwrap();
    for (rating, drawn) in ratings.ratings.iter().zip(&drawn.ratings) {
        close(rating.rating, drawn.rating, 1e-6);
        let [low, high] = drawn.interval;
        // 4000 draws: the ends move by some 2 % of the width.
        close((high - low) / 2.0, rating.half_width, 0.06 * rating.half_width);
        close(high.midpoint(low), rating.rating, 0.06 * rating.half_width);
    }
    let best: Vec<_> = drawn.ratings.iter().map(|rating| rating.best).collect();
    close(best.iter().sum(), 1.0, 1e-9);
    assert!(best[0] > 0.999, "{best:?}");
    // The same seed draws the same, another one does not.
    assert_eq!(blocks.bootstrap(4000, 1, 0.95), Ok(drawn.clone()));
    assert_ne!(blocks.bootstrap(4000, 2, 0.95), Ok(drawn));
}

#[test]
fn few_blocks_are_made_up_for() {
    // Of one pairing in equal blocks the covariance is the variance of the blocks' means over their
    // number, and the interval that of Student, here with 19 degrees.
    let mut blocks = Blocks::new(2, &[[0, 1]]).unwrap();
    let sums = (0..20i64).map(|n| 7 * n * n % 60);
    let mut means = PairedSums::default();
    for sum in sums {
        blocks.push(5, &[sum.into()]).unwrap();
        means.add([sum, 0]);
    }
    let estimate = means.estimate().unwrap();
    let variance = (estimate.sd.unwrap() / 5.0).powi(2) / 20.0;
    close(blocks.covariance().unwrap().of_means[0][0], variance, 1e-12);
    let drawn = blocks.bootstrap(40_000, 8, 0.95).unwrap();
    let [low, high] = drawn.ratings[0].interval;
    let half = student_t(0.95, 19.0) * variance.sqrt() / 2.0;
    close((high - low) / 2.0, half, 0.015 * half);
    // What is added is in the covariance and in the draws.
    assert!(blocks.set_added(&[]).is_err());
    blocks.set_added(&[0.03]).unwrap();
    let wider = variance + 0.03;
    close(blocks.covariance().unwrap().of_means[0][0], wider, 1e-12);
    let [low, high] = blocks.bootstrap(40_000, 8, 0.95).unwrap().ratings[0].interval;
    let half = student_t(0.95, 19.0) * wider.sqrt() / 2.0;
    close((high - low) / 2.0, half, 0.1 * half);
}

#[test]
fn the_chance_to_be_best_is_that_of_the_difference() {
    let mut blocks = Blocks::new(2, &[[1, 0]]).unwrap();
    let mut number = numbers(6);
    for _ in 0..200 {
        blocks.push(10, &[i128::try_from(number(2001)).unwrap() - 1000 + 30]).unwrap();
    }
    let drawn = blocks.bootstrap(10_000, 4, 0.95).unwrap();
    let deviation = blocks.covariance().unwrap().of_means[0][0].sqrt();
    let ahead = (drawn.ratings[1].rating - drawn.ratings[0].rating) / deviation;
    assert!(ahead.abs() < 2.5, "{ahead} says little");
    close(drawn.ratings[1].best, Normal::standard().cdf(ahead), 0.015);
}

#[test]
fn equal_bots_share_the_chance_to_be_best() {
    let mut blocks = Blocks::new(3, &[[0, 1], [0, 2], [1, 2]]).unwrap();
    let mut number = numbers(9);
    for _ in 0..50 {
        let ahead = i128::try_from(number(100)).unwrap();
        blocks.push(5, &[0, ahead, ahead]).unwrap();
    }
    let drawn = blocks.bootstrap(200, 3, 0.95).unwrap();
    for (rating, best) in drawn.ratings.iter().zip([0.5, 0.5, 0.0]) {
        close(rating.best, best, 1e-9);
    }
}

#[test]
fn too_little_to_draw_from_is_refused() {
    assert_eq!(Blocks::new(3, &[[0, 1]]), Err(StatsError::Apart(vec![2])));
    let few = blocks(BOOTSTRAP_BLOCKS - 1);
    assert!(matches!(few.bootstrap(1000, 1, 0.95), Err(StatsError::TooFew { .. })));
    let mut enough = blocks(BOOTSTRAP_BLOCKS);
    assert!(enough.bootstrap(1000, 1, 0.95).is_ok());
    assert!(matches!(enough.bootstrap(99, 1, 0.95), Err(StatsError::TooFew { .. })));
    assert!(matches!(enough.push(1, &[1, 2]), Err(StatsError::Size { expected: 3, found: 2, .. })));
    // A block without a deal is none.
    enough.push(0, &[0, 0, 0]).unwrap();
    assert_eq!((enough.len(), enough.is_empty()), (BOOTSTRAP_BLOCKS, false));
}

/// An antisymmetric matrix from what stands above its diagonal, row by row.
fn antisymmetric(n: usize, mut next: impl FnMut() -> f64) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; n]; n];
    for (row, column) in (0..n).flat_map(|row| (row + 1..n).map(move |column| (row, column))) {
        matrix[row][column] = next();
        matrix[column][row] = -matrix[row][column];
    }
    matrix
}

fn weights(matrix: &[Vec<f64>], expected: &[f64], skills: &[f64]) {
    let nash = nash_average(matrix).unwrap();
    for bot in 0..matrix.len() {
        close(nash.weights[bot], expected[bot], 1e-9);
        close(nash.skills[bot], skills[bot], 1e-9);
    }
}

#[test]
fn nash_of_known_games() {
    // A transitive chain: the best has all the weight, the others what they lose to it.
    let ratings = [3.0, 8.0, -4.0, 7.5];
    let chain: Vec<Vec<f64>> = ratings.map(|a| ratings.map(|b| a - b).to_vec()).to_vec();
    weights(&chain, &[0.0, 1.0, 0.0, 0.0], &[-5.0, 0.0, -12.0, -0.5]);
    // Rock, paper, scissors at unequal stakes: the weight of each is the stake between the other two.
    let game = vec![vec![0.0, -2.0, 3.0], vec![2.0, 0.0, -5.0], vec![-3.0, 5.0, 0.0]];
    weights(&game, &[0.5, 0.3, 0.2], &[0.0; 3]);
    // All equal: all the same weight. One bot: all of it.
    weights(&vec![vec![0.0; 4]; 4], &[0.25; 4], &[0.0; 4]);
    weights(&[vec![0.0]], &[1.0], &[0.0]);
    // Two equal bots, and one that beats the first by 3 and loses to the second by 1: it is kept from
    // gaining only by ¼ and ¾.
    let kept = vec![vec![0.0, 0.0, -3.0], vec![0.0, 0.0, 1.0], vec![3.0, -1.0, 0.0]];
    weights(&kept, &[0.25, 0.75, 0.0], &[0.0; 3]);
    // By 1 and by 3 the even mixture is enough.
    let free = vec![vec![0.0, 0.0, -1.0], vec![0.0, 0.0, 3.0], vec![1.0, -3.0, 0.0]];
    weights(&free, &[0.5, 0.5, 0.0], &[0.0, 0.0, -1.0]);
}

#[test]
fn copies_of_a_bot_change_nothing() {
    let mut number = numbers(21);
    for round in 0..60 {
        let n = 2 + number(5);
        let stakes = [2, 4, 40][round % 3];
        let matrix = antisymmetric(n, || number(1 + stakes) as f64 - stakes as f64 / 2.0);
        let before = nash_average(&matrix).unwrap();
        let copied = number(n);
        let mut order: Vec<usize> = (0..n).collect();
        order.extend([copied, copied]);
        let larger: Vec<Vec<f64>> =
            order.iter().map(|row| order.iter().map(|column| matrix[*row][*column]).collect()).collect();
        let after = nash_average(&larger).unwrap();
        for (place, bot) in order.iter().enumerate() {
            close(after.skills[place], before.skills[*bot], 1e-6);
        }
        let [first, second, third] = [copied, n, n + 1].map(|place| after.weights[place]);
        close(first, second, 1e-6);
        close(first, third, 1e-6);
    }
}

/// Solves equations, the right side the last number of each, by Gauss and Jordan; `None` when they are dependent.
fn solved(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = rows.len();
    let mut determinant = 1.0;
    for column in 0..n {
        let pivot = (column..n).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))?;
        rows.swap(column, pivot);
        let own = rows[column].clone();
        determinant *= own[column];
        if determinant == 0.0 {
            return None;
        }
        for (_, row) in rows.iter_mut().enumerate().filter(|(row, _)| *row != column) {
            let share = row[column] / own[column];
            row.iter_mut().zip(&own).for_each(|(value, own)| *value -= share * own);
        }
    }
    let independent = f64::abs(determinant) >= 1e-9;
    independent.then(|| rows.iter().enumerate().map(|(at, row)| row[n] / row[at]).collect())
}

/// All corners of the set of equilibria, by solving every choice of its bounds.
fn corners(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = matrix.len();
    // p ≥ 0 and −A p ≥ 0, each a row.
    let bound = |index: usize| -> Vec<f64> {
        let place = |column: usize| {
            if index < n { f64::from(u8::from(index == column)) } else { -matrix[index - n][column] }
        };
        (0..n).map(place).collect()
    };
    let mut found = Vec::new();
    for choice in 0u32..1 << (2 * n) {
        if choice.count_ones() as usize != n - 1 {
            continue;
        }
        let tight = (0..2 * n).filter(|index| choice >> index & 1 == 1);
        let mut equations: Vec<_> = tight.map(|index| [bound(index), vec![0.0]].concat()).collect();
        equations.push(vec![1.0; n + 1]);
        let Some(corner) = solved(equations) else { continue };
        let above = |index: usize| bound(index).iter().zip(&corner).map(|(a, b)| a * b).sum::<f64>() > -1e-9;
        if (0..2 * n).all(above) {
            found.push(corner);
        }
    }
    found
}

#[test]
fn nash_has_the_greatest_entropy_of_all_equilibria() {
    let mut number = numbers(77);
    let mut several = 0;
    for round in 0..400 {
        let n = 2 + number(4);
        // Small stakes make ties, and so many equilibria.
        let stakes = 1 + round % 3;
        let matrix = antisymmetric(n, || number(2 * stakes + 1) as f64 - stakes as f64);
        let nash = nash_average(&matrix).unwrap();
        let copies = (1..n).any(|bot| matrix[..bot].contains(&matrix[bot]));
        let p = &nash.weights;
        close(p.iter().sum(), 1.0, 1e-9);
        for (row, skill) in matrix.iter().zip(&nash.skills) {
            let gain: f64 = row.iter().zip(p).map(|(value, weight)| value * weight).sum();
            assert!(gain < 1e-8, "{matrix:?} {p:?}");
            close(gain, *skill, 1e-8);
        }
        if copies {
            continue;
        }
        let corners = corners(&matrix);
        assert!(!corners.is_empty(), "{matrix:?}");
        several += usize::from(corners.len() > 1);
        // Towards no other equilibrium does the entropy grow: Σ (q − p) ln p ≥ 0.
        for corner in &corners {
            let slope: f64 = (0..n)
                .filter(|bot| corner[*bot] > 1e-9 || p[*bot] > 0.0)
                .map(|bot| (corner[bot] - p[bot]) * p[bot].ln())
                .sum();
            assert!(slope > -1e-5, "{matrix:?} {p:?} {corner:?} {slope}");
        }
    }
    assert!(several > 50, "only {several} games had a choice");
}

#[test]
fn nash_of_many_bots_is_an_equilibrium() {
    let mut number = numbers(3);
    let matrix = antisymmetric(40, || number(1 << 20) as f64 / 1e4 - 52.0);
    let nash = nash_average(&matrix).unwrap();
    for (row, weight) in matrix.iter().zip(&nash.weights) {
        let gain: f64 = row.iter().zip(&nash.weights).map(|(value, weight)| value * weight).sum();
        assert!(gain < 1e-6 && (*weight == 0.0 || gain > -1e-6), "{gain} {weight}");
    }
}

#[test]
fn a_matrix_that_is_none_is_named() {
    let place = |row, column| Err(StatsError::NotAntisymmetric { row, column });
    assert_eq!(nash_average(&[vec![0.0, 1.0], vec![1.0, 0.0]]), place(0, 1));
    assert_eq!(nash_average(&[vec![1.0]]), place(0, 0));
    assert_eq!(nash_average(&[vec![0.0, f64::NAN], vec![0.0, 0.0]]), place(0, 1));
    let endless = [vec![0.0, f64::INFINITY], vec![f64::NEG_INFINITY, 0.0]];
    assert_eq!(nash_average(&endless), place(0, 1));
    assert!(matches!(nash_average(&[vec![0.0, 1.0]]), Err(StatsError::Size { .. })));
    assert!(matches!(nash_average(&[]), Err(StatsError::TooFew { .. })));
}

/// A rating is a weighted sum of paired differences, and has the interval of one: rare pairs may be the same in all of them.
#[test]
fn a_rating_has_the_interval_of_a_sum() {
    let ends = [[0, 1], [0, 2], [1, 2]];
    let mut sums = [PairedSums::default(); 3];
    let mut blocks = Blocks::new(3, &ends).unwrap();
    for pair in 0..2_000_i64 {
        let lost = if pair % 400 == 0 { 500 } else { 0 };
        let legs = [[300 + lost, -300], [300 + lost, -300], [300, -300]];
        sums.iter_mut().zip(legs).for_each(|(sums, legs)| sums.add(legs));
        blocks.push(1, &legs.map(|[first, second]| i128::from(first + second))).unwrap();
    }
    let pairings = [0, 1, 2].map(|n: usize| Pairing::of_sums(ends[n][0], ends[n][1], &sums[n]).unwrap());
    let added: Vec<_> = sums.iter().map(|sums| sums.estimate().unwrap().added_variance()).collect();
    blocks.set_added(&added).unwrap();
    let covariance = blocks.covariance().unwrap();
    let ratings = rate(3, &pairings, Some(&covariance), 0.95).unwrap();
    let known = sums.map(|sums| sums.mean_of_pairs().unwrap());
    // Both pairings of the first bot have the same pairs: a third of each is two thirds of one.
    let third = 2.0 / 3.0 * known[0].interval(0.95).unwrap().half_width;
    assert!(ratings.ratings[0].half_width > 0.95 * third, "{:?} {third}", ratings.ratings[0]);
    // As independent ones the interval would be narrower by the root of 2 where it counts on what was not seen.
    let unknown = pairings.map(|pairing| Pairing { known: None, ..pairing });
    let apart = rate(3, &unknown, Some(&covariance), 0.95).unwrap();
    assert!(apart.ratings[0].half_width < ratings.ratings[0].half_width);
    close(apart.ratings[0].rating, ratings.ratings[0].rating, 1e-9);
    assert!(ratings.difference(0, 1).unwrap().half_width > 0.0);
}
