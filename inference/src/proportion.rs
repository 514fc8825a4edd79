//! Intervals of shares, and quantiles of counts.

use crate::distributions::normal_quantile;

/// Returns the place of a quantile in a histogram: the first up to which the counts reach so many per cent of all, at
/// least one; `None` of nothing.
pub fn quantile_of_counts(counts: &[u64], percent: u64) -> Option<usize> {
    let wanted = (counts.iter().sum::<u64>() * percent).div_ceil(100).max(1);
    let mut sum = 0;
    counts.iter().position(|count| {
        sum += count;
        sum >= wanted
    })
}

/// Returns Wilson's interval (1927) of the share of `part` among `whole`, as `[low, high]` in 0 to 1, or
/// `None` of nothing.
///
/// It stays within 0 to 1, and covers about as often as it says for any share and from a handful of
/// trials on (Brown, Cai & Das Gupta 2001), where `p ± z √(p (1 − p) / n)` does not. A `part` above
/// `whole` counts as all.
///
/// ```
/// use coinche_inference::wilson;
///
/// let [low, high] = wilson(81, 263, 0.95).ok_or("no trials")?;
/// assert!((low - 0.2553).abs() < 1e-4 && (high - 0.3662).abs() < 1e-4);
/// # Ok::<(), &str>(())
/// ```
pub fn wilson(part: u64, whole: u64, level: f64) -> Option<[f64; 2]> {
    (whole > 0).then(|| {
        let n = whole as f64;
        wilson_of_share(part.min(whole) as f64 / n, n, level)
    })
}

/// Returns Wilson's interval of a share of so many trials, which need not be a whole number: the effective number
/// of correlated trials.
pub fn wilson_of_share(share: f64, trials: f64, level: f64) -> [f64; 2] {
    let square = normal_quantile(level).powi(2) / trials;
    let middle = square.mul_add(0.5, share) / (1.0 + square);
    let half = (share * (1.0 - share) * square + square * square / 4.0).sqrt() / (1.0 + square);
    // At the ends the interval begins and ends there exactly.
    let low = if share <= 0.0 { 0.0 } else { middle - half };
    [low, if share >= 1.0 { 1.0 } else { middle + half }]
}
