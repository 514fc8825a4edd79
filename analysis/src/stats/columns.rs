//! Figures as cells of tables.

use coinche_selfplay::Cell;
use coinche_selfplay::document::field::{self, Mean, Plain, Rate, Signs, Text, Value};

use super::cells::{Average, Share};
use super::level::Level;

/// Returns the cell values of a figure.
macro_rules! values {
    ($($kind:ty: $value:ty, |$it:ident| $cell:expr;)*) => {$(
        impl Value<$kind> for $value {
            fn cell(self) -> Cell {
                let $it = self;
                Value::<$kind>::cell($cell)
            }
        }
    )*};
}

values! {
    field::Share: &Share, |share| share.share();
    Rate: &Share, |share| share.share().zip(share.interval()).map(|(share, ends)| (share, Some(ends)));
    Rate: Share, |share| &share;
    Plain: &Average, |average| average.mean();
    Mean: &Average, |average| average.mean();
    Signs: &Average, |average| average.mean();
    Text: Level, |level| level.to_string();
}

/// Formats a count briefly: `999`, `12k`, `3.4M`.
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
