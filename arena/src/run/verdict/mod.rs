//! What a run came to, as a document: the verdict in words, and the tables behind it.

mod bots;
mod contracts;
mod crossplay;
mod experiment;
mod pairs;

use coinche_selfplay::document::model::{Block, Document};
use coinche_selfplay::document::text::Detail;
use coinche_selfplay::play::schedule::{Encounter, Format, Side};

use crate::run::config::RunConfig;
use crate::run::totals::Totals;

/// The names of the bots of an encounter: their specifications, told apart when they are the same.
fn names(config: &RunConfig, encounter: Encounter) -> [String; 2] {
    let [a, b] = config.pair(encounter).map(ToString::to_string);
    if a == b { [format!("{a} (A)"), format!("{b} (B)")] } else { [a, b] }
}

/// Returns the verdict with the tables behind it.
pub(crate) fn document(config: &RunConfig, totals: &Totals) -> Document {
    let (verdicts, blocks) = match config.format {
        Format::Match => of_a_match(config, totals),
        Format::Crossplay => {
            let (verdict, mut blocks) = crossplay::verdict(config, totals);
            // Strength is not the question there: no ratings.
            blocks.extend(experiment::blocks(config, totals));
            (vec![verdict], blocks)
        }
        Format::RoundRobin | Format::Gauntlet => {
            let (verdict, mut blocks) = experiment::verdict(config, totals);
            blocks.extend(experiment::ratings(config, totals));
            blocks.extend(experiment::blocks(config, totals));
            (vec![verdict], blocks)
        }
    };
    let bots: Vec<_> = config.bots.iter().map(ToString::to_string).collect();
    let scope = cheaters_line(&config.cheaters()).into_iter().collect();
    Document { verdicts, scope, ..Document::of_blocks(bots.join(", "), blocks) }
}

/// Returns what `arena run` prints of a run: the verdict in words and the tables behind it.
pub fn verdict(config: &RunConfig, totals: &Totals) -> String {
    document(config, totals).render(Detail::Full)
}

fn of_a_match(config: &RunConfig, totals: &Totals) -> (Vec<String>, Vec<Block>) {
    let (encounter, tally) = (totals.encounters[0], totals.first());
    let mut blocks = vec![Block::Items(pairs::details(config, tally))];
    blocks.extend(bots::blocks(config, encounter, tally));
    blocks.extend(Side::ALL.map(|side| contracts::block(config, encounter, tally, side)));
    (pairs::verdicts(config, encounter, tally), blocks)
}

/// Says of the bots that see all hands that they do, where there are some.
pub(crate) fn cheaters_line(cheaters: &[String]) -> Option<String> {
    match cheaters {
        [] => None,
        [one] => Some(format!("{one} sees all hands: its result is an upper bound, not a fair comparison.")),
        several => {
            let names = several.join(", ");
            Some(format!("{names} see all hands: their results are upper bounds, not a fair comparison."))
        }
    }
}
