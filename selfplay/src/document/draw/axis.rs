//! Axes of charts: positions of numbers, and ticks.

/// A straight axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    /// The values at both ends.
    pub(super) low: f64,
    pub(super) high: f64,
    /// The coordinates of both ends.
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Axis {
    /// Creates an axis that covers all numbers, with some margin at both ends.
    ///
    /// NaN and infinite values are ignored; without any finite value the axis is −1 to 1.
    pub(super) fn around(numbers: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) = numbers
            .filter(|number| number.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
                (low.min(number), high.max(number))
            });
        let (low, high) = if low > high { (-1.0, 1.0) } else { (low, high) };
        let room = if high > low { 0.04 * (high - low) } else { low.abs().max(1.0) * 0.5 };
        Self { low: low - room, high: high + room, from, to }
    }

    /// Returns the coordinate of a number, clamped to the axis.
    pub(super) fn at(&self, number: f64) -> f64 {
        let number = number.clamp(self.low, self.high);
        self.from + (number - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Returns about `wanted` round numbers on the axis, each with its text.
    pub(super) fn ticks(&self, wanted: f64) -> Vec<(f64, String)> {
        ticks(self.low, self.high, wanted)
    }
}

/// Returns the step of 1, 2 or 5 times a power of ten that divides a width into about `wanted` parts.
pub(super) fn round_step(width: f64, wanted: f64) -> f64 {
    let rough = (width / wanted.max(1.0)).max(f64::MIN_POSITIVE);
    let power = libm::exp10(libm::log10(rough).floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough * 0.999).unwrap_or(10.0);
    factor * power
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a handful of ticks and digits")]
fn ticks(low: f64, high: f64, wanted: f64) -> Vec<(f64, String)> {
    let step = round_step(high - low, wanted);
    let digits = (-libm::log10(step)).ceil().clamp(0.0, 12.0) as usize;
    let first = (low / step - 1e-9).ceil();
    let count = ((high / step + 1e-9).floor() - first).clamp(-1.0, 100.0) + 1.0;
    (0..count as u32)
        .map(|n| {
            let value = (first + f64::from(n)) * step;
            let value = if value.abs() < step * 1e-6 { 0.0 } else { value };
            (value, label(value, digits))
        })
        .collect()
}

/// Formats a round number: `−1,500`, `2 M`.
fn label(value: f64, digits: usize) -> String {
    let sign = if value < 0.0 { "−" } else { "" };
    let size = value.abs();
    if size >= 1e6 {
        let text = format!("{:.3}", size / 1e6);
        return format!("{sign}{} M", text.trim_end_matches('0').trim_end_matches('.'));
    }
    if digits > 0 {
        return format!("{sign}{size:.digits$}");
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below a million, above 0")]
    let whole = size.round() as u64;
    format!("{sign}{}", crate::base::style::thousands(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, wanted: f64) -> Vec<String> {
        ticks(low, high, wanted).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_and_on_the_axis() {
        assert_eq!(labels(-12.0, 31.0, 5.0), ["−10", "0", "10", "20", "30"]);
        assert_eq!(labels(0.0, 1.0, 5.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-1500.0, 1500.0, 3.0), ["−1,000", "0", "1,000"]);
        assert_eq!(labels(0.0, 2.1e6, 4.0), ["0", "1 M", "2 M"]);
        assert_eq!(labels(0.0, 1.6e6, 3.0), ["0", "1 M"]);
        assert_eq!(labels(-0.003, 0.004, 4.0), ["−0.002", "0.000", "0.002", "0.004"]);
        for (low, high) in [(-1e-9, 1e-9), (3.0, 3.5), (-283.0, 5.0), (1e11, 1e12)] {
            let ticks = ticks(low, high, 5.0);
            assert!((2..=8).contains(&ticks.len()), "{ticks:?}");
            assert!(ticks.iter().all(|(tick, _)| (low - 1e-9..=high + 1e-9).contains(tick)), "{ticks:?}");
        }
    }

    #[test]
    fn an_axis_holds_its_numbers() {
        let axis = Axis::around([3.0, f64::NAN, -1.0, f64::INFINITY].into_iter(), 100.0, 200.0);
        assert!(axis.low < -1.0 && axis.high > 3.0 && axis.high < 4.0);
        assert!((axis.at(1.0) - 150.0).abs() < 1e-9);
        assert!((axis.at(1e9) - 200.0).abs() < 1e-9);
        for axis in [Axis::around([].into_iter(), 0.0, 1.0), Axis::around([7.0].into_iter(), 0.0, 1.0)] {
            assert!(axis.high > axis.low);
        }
    }
}
