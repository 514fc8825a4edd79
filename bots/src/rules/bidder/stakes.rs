//! What a contract is worth to its side: the probability of making it, weighed by the score table.

use coinche_engine::rules::{DeclarersPart, DefendersPart, FailedPart, MadeScore};
use coinche_engine::{BidValue, RuleSet, Stake};

/// All card points with the last trick.
const ALL_POINTS: i32 = 162;

/// The probability, in thousandths, that a normal variable exceeds its mean by less than `n` quarters of
/// its standard deviation; by symmetry the table needs one side only.
const NORMAL: [i32; 13] = [500, 599, 691, 773, 841, 894, 933, 960, 977, 988, 994, 997, 999];

/// Returns the probability, in thousandths, that points with this mean and standard deviation (all in
/// tenths) reach a value in points.
pub(super) fn chance(mean: i32, deviation: i32, value: i32) -> i32 {
    // Sixteenths of a quarter of a deviation, so that the table can be interpolated.
    let steps = (mean - 10 * value + 5) * 64 / deviation;
    let (index, part) = ((steps.unsigned_abs() / 16) as usize, (steps.abs() % 16));
    let above = match NORMAL.get(index..index + 2) {
        Some(&[low, high]) => low + (high - low) * part / 16,
        _ => 1000,
    };
    if steps < 0 { 1000 - above } else { above }
}

/// Returns what the declarers win net of the defenders in a contract of a value `worth`, in points, given
/// the chance in thousandths to make it and the points, in tenths, that are expected.
pub(super) fn net(rules: &RuleSet, value: BidValue, stake: Stake, chance: i32, mean: i32) -> i32 {
    let (row, worth) = (rules.scoring.row(stake), i32::from(rules.bid_worth(value)));
    let (tricks, contract) = (i32::from(row.tricks), i32::from(row.contract));
    let slam = value.as_points().is_none();
    // When it is made, at least the value is there.
    let taken = if slam { ALL_POINTS } else { (mean / 10).clamp(worth.min(ALL_POINTS), ALL_POINTS) };
    let own = match row.made_declarers {
        DeclarersPart::Own => taken,
        DeclarersPart::All => ALL_POINTS,
        DeclarersPart::Flat => rules.scoring.failed.into(),
    };
    let theirs = match row.made_defenders {
        DefendersPart::Own => ALL_POINTS - taken,
        DefendersPart::None => 0,
    };
    let flat = i32::from(rules.scoring.flat_capot);
    let made = if slam && flat > 0 {
        flat * contract
    } else {
        match rules.scoring.made {
            MadeScore::TricksAndBid => tricks * (own - theirs) + contract * worth,
            MadeScore::Bid => contract * worth - tricks * theirs,
            MadeScore::Tricks => tricks * (own - theirs),
        }
    };
    let part = match row.failed_defenders {
        FailedPart::Flat => i32::from(rules.scoring.failed),
        FailedPart::All => ALL_POINTS,
        // What failed declarers leave to the others.
        FailedPart::Own => ALL_POINTS - worth.min(ALL_POINTS) / 2,
    };
    let bid = if rules.scoring.failed_bid { worth } else { 0 };
    let failed = if slam && flat > 0 { flat * contract } else { tricks * part + contract * bid };
    (made * chance - failed * (1000 - chance)) / 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_the_normal_distribution() {
        assert_eq!(chance(1000, 240, 100), 506);
        assert_eq!(chance(1240, 240, 100), 844);
        assert_eq!(chance(760, 240, 100), 168);
        assert_eq!(chance(4000, 240, 100), 1000);
        assert_eq!(chance(-4000, 240, 100), 0);
    }

    #[test]
    fn a_contract_is_worth_what_the_score_table_says() {
        let hundred = BidValue::points(100).unwrap();
        // 100 with 120 points: 220 to 42; failed 0 to 260.
        assert_eq!(net(&RuleSet::BGA, hundred, Stake::Plain, 1000, 1200), 220 - 42);
        assert_eq!(net(&RuleSet::BGA, hundred, Stake::Plain, 0, 1200), -260);
        assert_eq!(net(&RuleSet::BGA, hundred, Stake::Coinche, 0, 1200), -520);
        assert_eq!(net(&RuleSet::BGA, BidValue::CAPOT, Stake::Plain, 1000, 1600), 412);
    }
}
