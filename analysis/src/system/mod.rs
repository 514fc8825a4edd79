//! `arena system`: what a bidding system's file covers, and what its calls promise.
//!
//! | module | |
//! |---|---|
//! | `hands` | all hands, by classes that differ only by names of suits |
//! | `scene` | the turns examined: openings, and answers to them |
//! | `promise` | what calls promise: exact counts over all hands |
//! | `coverage` | the rules that apply in random deals, and the share of the fallback |
//! | `card` | what the calls of a bidder without rules promise, by sampling |
//! | `document` | the findings as a [`Document`](coinche_selfplay::document::model::Document) |
//! | `explain` | the rule that makes a call, and what it promises |
//! | `source` | the file or built-in system with a name |
//! | `learn` | systems that are found by exact comparison on deals |
//! | `meeting` | the deals and opponents of such comparisons |
//! | `worth` | what each rule and number is worth |
//! | `print` | a system as a page for players |
//! | `diff` | where two systems differ, and what it is worth |

mod card;
mod coverage;
pub mod diff;
mod document;
mod explain;
mod hands;
pub mod learn;
pub mod meeting;
pub mod print;
mod promise;
mod scene;
mod source;
pub mod vocabulary;
pub mod worth;

use std::sync::Arc;

use coinche_bots::system::SystemError;
use coinche_engine::{Call, RuleSet, Seed};

pub use card::{CardSettings, SystemCard, card};
use coverage::Coverage;
pub use coverage::{BidDeal, Caller, bid};
pub use document::document;
pub use explain::explain;
use promise::Counted;
use scene::Scene;
pub use source::SystemFile;

/// The settings of a check.
#[derive(Debug)]
pub struct Settings {
    /// The system.
    pub file: SystemFile,
    /// The rules.
    pub rules: RuleSet,
    /// The seed.
    pub seed: Seed,
    /// How many deals.
    pub deals: u64,
}

/// The findings.
#[derive(Debug)]
pub struct Findings {
    scenes: Vec<(Scene, Counted)>,
    coverage: Coverage,
    /// Rules that do not apply under these game rules, by number.
    left_out: Vec<usize>,
    /// Rules that never made a call, by number.
    never: Vec<usize>,
}

/// Checks a system: counts all hands at its openings and the answers to them, and bids random deals.
pub fn check(settings: &Settings) -> Result<Findings, SystemError> {
    let (system, rules) = (&settings.file.system, &settings.rules);
    system.check(rules)?;
    let counted = |scenes: Vec<Scene>| {
        scenes.into_iter().map(|scene| {
            let counted = promise::count(system, &scene);
            (scene, counted)
        })
    };
    let mut scenes: Vec<_> = counted(scene::openings(system, rules)).collect();
    let first: Vec<Call> =
        scenes.first().map_or_else(Vec::new, |(_, it)| it.calls.values().copied().collect());
    scenes.extend(counted(scene::answers(rules, &first)));
    let coverage = coverage::cover(&Arc::new(system.clone()), rules, &settings.seed, settings.deals);
    let left_out: Vec<usize> =
        (0..system.rules().len()).filter(|rule| !system.is_for(rules, *rule)).collect();
    let applied = |rule: &usize| {
        let counted = |(_, counted): &(Scene, Counted)| {
            counted.promises.values().any(|promise| promise.rules.contains(rule))
        };
        coverage.applied[*rule] > 0 || scenes.iter().any(counted)
    };
    let never = (0..system.rules().len()).filter(|rule| !applied(rule) && !left_out.contains(rule)).collect();
    Ok(Findings { scenes, coverage, left_out, never })
}
