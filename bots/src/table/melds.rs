//! Melds: how many points are in a hand, and what a side is expected to score of them.

/// How many classes of melds in a hand there are.
pub const MELD_CLASSES: usize = 7;

/// The class of a hand's melds, by their points.
pub const fn meld_class(points: u16) -> usize {
    match points {
        0..20 => 0,
        20..40 => 1,
        40..70 => 2,
        70..100 => 3,
        100..150 => 4,
        150..200 => 5,
        _ => 6,
    }
}

/// The points that the declarers' melds are expected to bring.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ExpectedMelds {
    /// To the score.
    pub(super) scored: i32,
    /// To the declarers' points, of which the chances are.
    pub(super) counted: i32,
}
