//! Figures as cells of tables.

use coinche_inference::ratio::Mean;
use coinche_selfplay::document::model::Cell;

use super::cells::{Average, Share};

/// A share with its interval.
pub(super) fn share(share: &Share) -> Cell {
    shares(share.share().zip(share.interval()).map(|(share, [low, high])| [share, low, high]))
}

/// The same, computed already.
pub(super) fn shares(share: Option<[f64; 3]>) -> Cell {
    Cell::maybe(share, Cell::rate)
}

/// A mean with its interval.
pub(super) fn mean(mean: &Average) -> Cell {
    Cell::maybe(mean.mean(), |Mean { mean, half_width }| Cell::mean(mean, half_width, 1))
}

/// A mean with its sign and interval.
pub(super) fn signed(mean: Option<Mean>) -> Cell {
    Cell::maybe(mean, |Mean { mean, half_width }| Cell::estimate(mean, half_width, 1))
}

/// The shade of a cell of a grid, for a share from 0 to 1.
pub(super) fn shade(share: f64, few: bool) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 8")]
    let step = (share * 9.0).floor().clamp(0.0, 8.0) as u8;
    format!("s{step}{}", if few { " few" } else { "" })
}

/// Prints a count in few letters: `999`, `12k`, `3.4M`.
#[expect(clippy::cast_precision_loss, reason = "counts for people")]
pub(super) fn short(count: u64) -> String {
    match count {
        0..=999 => count.to_string(),
        1000..=9_949 => format!("{:.1}k", count as f64 / 1e3),
        9_950..=999_499 => format!("{:.0}k", count as f64 / 1e3),
        _ => format!("{:.1}M", count as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_short() {
        let shown = [0, 999, 1000, 9_949, 9_950, 999_499, 999_500].map(short);
        assert_eq!(shown, ["0", "999", "1.0k", "9.9k", "10k", "999k", "1.0M"]);
    }
}
