//! What partnerships are worth, and what it costs to play with a stranger.

use serde::{Deserialize, Serialize};

use crate::config::{Crossplay, RunConfig};
use crate::mean::Mean;
use crate::totals::Totals;

/// The figures of cross-play. All differences are paired over the deals that all partnerships played, against the
/// same pair.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CrossplayFigures {
    /// The bots.
    pub bots: Vec<String>,
    /// The bot that sat at both seats of the other team.
    pub against: String,
    /// By two bots, a bot with itself included: (0,0), (0,1), …, (1,1), ….
    pub partnerships: Vec<Partnership>,
    /// By two bots that differ: (0,1), (0,2), …, (1,2), ….
    pub strangers: Vec<Strangers>,
}

/// Two bots as partners.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Partnership {
    /// The number of one bot in the list of bots, from 0.
    pub a: usize,
    /// The number of the other.
    pub b: usize,
    /// Points of the partnership less those of the pair on the other side, over both ways to sit.
    pub points: Mean,
    /// The same with `a` as the first partner (at seat 0 or 1), and as the second.
    pub ways: [f64; 2],
}

/// What two bots lose by playing with each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Strangers {
    /// The number of one bot in the list of bots, from 0.
    pub a: usize,
    /// The number of the other.
    pub b: usize,
    /// The mean of each bot with itself.
    pub apart: f64,
    /// The two together.
    pub together: f64,
    /// `apart` less `together`: above 0 the partnership loses.
    pub cost: Mean,
}

impl CrossplayFigures {
    /// Computes the figures; `None` where there is no cross-play, and of fewer than two deals.
    pub fn new(config: &RunConfig, totals: &Totals) -> Option<Self> {
        let crossplay = config.crossplay.as_ref()?;
        let mean = |terms: &[(usize, usize, i128)], parts: f64| mean(crossplay, totals, terms, parts);
        let (mut partnerships, mut strangers) = (Vec::new(), Vec::new());
        let bots = crossplay.bots.len();
        for a in 0..bots {
            for b in a..bots {
                let ways = [mean(&[(a, b, 1)], 1.0)?.mean, mean(&[(b, a, 1)], 1.0)?.mean];
                let points = mean(&[(a, b, 1), (b, a, 1)], 2.0)?;
                partnerships.push(Partnership { a, b, points, ways });
                if a < b {
                    let apart = [(a, a, 1), (b, b, 1)];
                    let cost = mean(&[apart[0], apart[1], (a, b, -1), (b, a, -1)], 2.0)?;
                    let apart = mean(&apart, 2.0)?.mean;
                    strangers.push(Strangers { a, b, apart, together: points.mean, cost });
                }
            }
        }
        Some(Self {
            bots: crossplay.bots.iter().map(ToString::to_string).collect(),
            against: crossplay.against.to_string(),
            partnerships,
            strangers,
        })
    }

    /// Tests if all numbers of bots are of bots: of what was read from a file.
    pub fn is_sound(&self) -> bool {
        let ends = self.partnerships.iter().map(|it| [it.a, it.b]);
        ends.chain(self.strangers.iter().map(|it| [it.a, it.b])).flatten().all(|bot| bot < self.bots.len())
    }

    /// Returns the partnership of two bots, in any order.
    pub fn partnership(&self, a: usize, b: usize) -> Option<&Partnership> {
        let ends = (a.min(b), a.max(b));
        self.partnerships.iter().find(|partnership| (partnership.a, partnership.b) == ends)
    }
}

/// The mean of a sum of partnerships (first, second, sign) over deals, out of so many parts.
fn mean(crossplay: &Crossplay, totals: &Totals, terms: &[(usize, usize, i128)], parts: f64) -> Option<Mean> {
    // The pair is side A of every encounter. Against itself it was not played: that is 0.
    let played = terms.iter().filter_map(|(first, second, sign)| {
        crossplay.encounter(*first, *second).map(|encounter| (encounter, -sign))
    });
    let played: Vec<_> = played.collect();
    let mut sum = totals.sum_of(&played)?;
    // Only a bot that meets itself is known to lose nothing.
    let itself =
        terms.iter().all(|(a, b, _)| crossplay.bots[*a].to_string() == crossplay.bots[*b].to_string());
    if played.is_empty() || itself && terms.len() > 2 && totals.is_nothing(&played) {
        sum.half_width = Some(0.0);
    }
    Some(sum.out_of(parts))
}
