//! Records of a few deals, for tests of this crate and of the crates above it.

use coinche_bots::Registry;
use coinche_engine::RuleSet;

use crate::play::schedule::{Schedule, Unit};
use crate::play::table::Table;
use crate::records::write::{JsonLines, Recorder};

/// Plays a few deals in pairs of legs and returns their records.
pub fn lines(rules: &str, bots: [&str; 2], deals: u64) -> Vec<u8> {
    let rules = RuleSet::preset(rules).expect("tests name presets");
    let schedule = Schedule { secrets: 5.into(), unit: Unit::Deal, pairs: deals };
    let registry = Registry::builtin();
    let specs = bots.map(|bot| registry.parse(bot).expect("tests name built-in bots"));
    let mut table = Table::new(&rules, schedule, specs);
    let mut lines = Recorder::new(JsonLines::new(&rules, bots, None));
    table.play_pairs(0..deals, &mut lines);
    lines.text
}
