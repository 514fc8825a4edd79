//! What is common to commands that try systems on deals: who they meet, and on how many.

use coinche_bots::BotSpec;
use coinche_engine::{RuleSet, Secrets, Seed};
use coinche_inference::PairedSums;

use super::learn::Ground;
use crate::texts::{fill, texts};
use crate::typed::Language;

/// The bidders that systems meet where no others are named: one that learned, people's systems, and one drawn at random.
pub const COMPANY: [&str; 8] = [
    "net",
    "rules",
    "net",
    "system:name=sound-beginner",
    "net",
    "system:name=nimbustier-classic",
    "system:name=drawn-11",
    "system:name=colver-v6-tables",
];

/// The deals on which systems are compared, and who they meet. Cards are played by `rules` at all seats.
#[derive(Debug, Clone)]
pub struct Meeting {
    /// The rules of the game.
    pub rules: RuleSet,
    /// The seed.
    pub seed: Seed,
    /// The opponents: deal by deal in rotation, both seats the same.
    pub company: Vec<BotSpec>,
    /// The number of deals, each with the system at both sides.
    pub deals: u64,
}

/// The mean in points per deal and the half width of its interval, for a column.
pub(super) fn points(sums: &PairedSums) -> (f64, Option<f64>) {
    sums.estimate().map_or((0.0, None), |it| (it.mean, it.half_width))
}

impl Meeting {
    /// Deals the cards from the deal of a number on.
    pub(super) fn ground(&self, first: u64, deals: u64) -> Ground {
        Ground::new(&self.rules, &self.company, Secrets::from(&self.seed), first..first + deals)
    }

    /// Describes it.
    pub(super) fn scope(&self, language: Language) -> String {
        let texts = texts(language);
        let mut names: Vec<String> = self.company.iter().map(ToString::to_string).collect();
        names.sort();
        names.dedup();
        fill(
            texts.meeting_scope,
            &[
                ("n", &language.number(&coinche_selfplay::thousands(self.deals))),
                ("list", &names.join(", ")),
                ("rules", &self.rules.preset_name().unwrap_or(texts.rules_of_your_own)),
                ("seed", &self.seed),
            ],
        )
    }
}
