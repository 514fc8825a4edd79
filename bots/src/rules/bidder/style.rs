//! How bold the bidder is: its thresholds, and the parameters that change them.

use crate::{ParamError, ParamInfo, Params};

/// What a bid needs above its value, in tenths of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Margins {
    /// To make the lowest bid that is possible.
    pub(super) willing: i32,
    /// To bid higher than necessary.
    pub(super) jump: i32,
    /// What of both is due to the parameters: a sacrifice needs it too.
    pub(super) caution: i32,
}

impl Margins {
    /// What a bid shows above its value, on average.
    pub(super) const fn shows(self, jump: bool) -> i32 {
        // What would have shown a step of ten points more was bid so.
        if jump { self.jump + 50 } else { (self.willing + self.jump + 100) / 2 }
    }
}

/// How bold the bidder is: all thresholds in one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    /// Of a strain that the side names first.
    pub(super) opening: Margins,
    /// Of a strain of which the partner has shown.
    pub(super) raise: Margins,
    /// What a change of the partner's strain must gain, in tenths of points.
    pub(super) change: i32,
    /// What an opponents' bid takes from the own side's prospects, in tenths of points.
    pub(super) competition: i32,
    /// What an overbid must gain over letting the opponents play, points per deal.
    pub(super) overbid: i32,
    /// What is added to the opponents' prospects before a coinche, in tenths of points.
    pub(super) coinche: i32,
    /// What is taken from the own side's prospects before a surcoinche, since a coinche shows a good
    /// defence, in tenths of points.
    pub(super) surcoinche: i32,
    /// The losers, in tenths of tricks, up to which a hand bids a capot alone.
    pub(super) capot_losers: i32,
    /// What share of its melds' points a hand expects to score, in percent.
    pub(super) melds: i32,
    /// The help, in tenths of points, with which a hand makes the signal pass.
    pub(super) signal: i32,
    /// What the signal pass of the partner adds to a contract, in tenths of points.
    pub(super) signalled: i32,
    /// What taking the turned suit needs, or a bid of a strain alone, in tenths of points.
    pub(super) take: i32,
    /// What naming another suit needs in the second round, in tenths of points.
    pub(super) take_in: i32,
}

impl Style {
    /// The style of who must bid: every hand is good enough.
    pub(super) const fn eager(&self) -> Self {
        let opening = Margins { willing: -100_000, ..self.opening };
        Self { opening, take: -100_000, take_in: -100_000, ..*self }
    }
}

impl Default for Style {
    fn default() -> Self {
        Self {
            opening: Margins { willing: 150, jump: 230, caution: 0 },
            raise: Margins { willing: 120, jump: 140, caution: 0 },
            change: 50,
            competition: 75,
            overbid: 80,
            coinche: 0,
            surcoinche: 400,
            capot_losers: 2,
            melds: 50,
            signal: 250,
            signalled: 80,
            take: 1040,
            take_in: 1020,
        }
    }
}

/// The parameters in the registry, which are in whole points where thresholds are in tenths.
pub(super) const PARAMS: &[ParamInfo] = params! {
    "caution" = "0", "-50 to 50", "points added to the requirement of every bid";
    "jump" = "0", "-50 to 100", "points added to the requirement of a jump bid";
    "raise" = "0", "-50 to 50", "points added to the requirement of a raise of the partner's strain";
    "overbid" = "80", "0 to 2000", "score that a sacrifice bid must gain over letting the opponents play";
    "coinche" = "0", "-100 to 100", "points a coinche concedes to the opponents beyond what they have shown";
    "surcoinche" = "40", "-100 to 200",
        "points a surcoinche subtracts from the own side, since a coinche shows a good defence";
    "capot" = "2", "0 to 80", "tenths of a trick that a hand may expect to lose when it bids a capot";
    "melds" = "50", "0 to 100", "percentage of its meld points that a hand expects to score";
    "take" = "104", "50 to 200",
        "points needed to take the turned suit, or to bid a strain alone; two less for another suit in the second round";
};

impl Style {
    /// Reads the thresholds.
    pub(super) fn from_params(params: &Params) -> Result<Self, ParamError> {
        let number = |name: &str, range| params.number::<i32>(name, range);
        let mut style = Self::default();
        let [caution, jump, raise] =
            [number("caution", -50..=50)?, number("jump", -50..=100)?, number("raise", -50..=50)?];
        for (margins, more) in [(&mut style.opening, 0), (&mut style.raise, raise)] {
            margins.caution = 10 * (caution + more);
            margins.willing += margins.caution;
            margins.jump += 10 * (caution + more + jump);
        }
        style.overbid = number("overbid", 0..=2000)?;
        style.coinche = 10 * number("coinche", -100..=100)?;
        style.surcoinche = 10 * number("surcoinche", -100..=200)?;
        style.capot_losers = number("capot", 0..=80)?;
        style.melds = number("melds", 0..=100)?;
        style.take = 10 * number("take", 50..=200)?;
        style.take_in = style.take - 20;
        Ok(style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_of_the_parameters_are_those_of_the_style() {
        assert_eq!(Style::from_params(&Params::defaults(PARAMS)), Ok(Style::default()));
    }
}
