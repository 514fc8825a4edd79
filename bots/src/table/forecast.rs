//! What a call is forecast to lead to: how likely its contract is made and what the deal scores, as auctions really go on.
//!
//! The chance by which a call is *chosen* is that of reaching the points, by the hand and the calls so far. A bid
//! that becomes the contract is another matter: nobody overcalled it, many of these contracts are coinched, and more often the bad
//! ones; and of several bids the one that looks best is often overestimated. So forecasts have weights of their own, fitted
//! to the outcomes of the calls that were made.

use coinche_engine::{Call, RuleSet};

use super::advantage::weigh;
use super::likelihood::exp;
use super::model::{ConsideredCall, Model};
use crate::families::{FAMILIES, family};
use crate::{Considered, Thought, reported};

/// Who bids at all four seats in the auctions that forecasts are fitted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Company {
    /// Four `rules` bidders.
    Rules,
    /// Four `table` bidders.
    Table,
}

impl Company {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Rules, Self::Table];
}

/// How many rows there are by which `dd` corrects a forecast.
pub const DD_ROWS: usize = 2 * (RuleSet::PRESETS.len() + FAMILIES);

/// The rows by which `dd` corrects a forecast under a rule set: that of the preset, if the rules are one, and that of all rules
/// of its family. The first is used, and both are fitted.
pub fn dd_rows(rules: &RuleSet, is_bid: bool) -> impl Iterator<Item = usize> + use<> {
    let preset = RuleSet::PRESETS.iter().position(|(_, preset)| preset == rules);
    let of_family = RuleSet::PRESETS.len() + family(rules);
    preset.into_iter().chain([of_family]).map(move |row| 2 * row + usize::from(is_bid))
}

/// The chance of odds, given by their logarithm; the same on every machine.
pub fn logistic(odds: f32) -> f32 {
    let small = exp(-odds.abs());
    if odds < 0.0 { small / (1.0 + small) } else { 1.0 / (1.0 + small) }
}

/// A call with its forecast.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CallForecast {
    /// The call.
    pub call: Call,
    /// What it gains over a pass, in points of the deal's score, own side less other side.
    pub gain: f64,
    /// The expected score of the deal, own side less other side.
    pub score: f64,
    /// The logarithm of the odds of its contract; `None` where nothing is bid, so that nothing can be made.
    pub odds: Option<f32>,
}

impl CallForecast {
    /// The chance that its contract is made, `0..=1`.
    pub fn chance(&self) -> Option<f64> {
        self.odds.map(|odds| f64::from(logistic(odds)))
    }
}

impl Model {
    /// Returns the logarithm of the odds that a considered call's contract is made, coinched or not, if it becomes that of the
    /// deal: the one that is bid or taken, else the standing one.
    pub fn odds(&self, option: &ConsideredCall, rules: &RuleSet, company: Company) -> f32 {
        let [made, _] = &self.table().forecasts[company as usize];
        weigh(&made[option.context.weights(rules)], &option.terms)
    }

    /// Returns the expected score of the deal if a considered call is made because it is the best: own side less other side,
    /// coinches included.
    pub fn score(&self, option: &ConsideredCall, rules: &RuleSet, company: Company) -> f32 {
        let [_, scores] = &self.table().forecasts[company as usize];
        weigh(&scores[option.context.weights(rules)], &option.terms)
    }

    /// Returns the calls that were considered last with their forecasts, when `chosen` is made.
    ///
    /// The score of the chosen call is [`Model::score`], and those of the others differ from it by what they gain more or less, so
    /// that scores and choice agree.
    pub fn forecasts(
        &self,
        rules: &RuleSet,
        chosen: Call,
        company: Company,
    ) -> impl Iterator<Item = CallForecast> {
        let considered = self.considered();
        let best = considered.iter().find(|option| option.call == chosen);
        let level = best.map_or(0.0, |best| self.score(best, rules, company) - best.gain);
        considered.iter().map(move |option| CallForecast {
            call: option.call,
            gain: option.gain.into(),
            score: f64::from(level + option.gain),
            odds: (option.mean > 0).then(|| self.odds(option, rules, company)),
        })
    }
}

/// Tells the forecasts of a bidder as a thought: means without intervals, since nothing was sampled; scores are [corrected](crate::reported).
pub(crate) fn tell(
    thought: &mut Thought,
    (bidder, rules): (&str, &RuleSet),
    chosen: Call,
    forecasts: impl Iterator<Item = CallForecast>,
) {
    (thought.points, thought.chance) = (None, None);
    thought.options.clear();
    for told in forecasts {
        let is_chosen = told.call == chosen;
        if is_chosen {
            (thought.points, thought.chance) = (Some(told.score), told.chance());
        }
        thought.options.push(Considered {
            choice: told.call.into(),
            mean: told.score,
            half_width: 0.0,
            chance: told.chance(),
            best: if is_chosen { 1.0 } else { 0.0 },
            worlds: 0,
        });
    }
    reported::correct_chances(thought, bidder, rules, chosen);
    reported::correct(thought, bidder, rules, chosen);
}
