//! The deals in which two bidders differ most, replayed.

use coinche_engine::record::Record;
use coinche_selfplay::document::columns::{BOT_A, BOT_B, DEAL, DEAL_DIFFERENCE};
use coinche_selfplay::document::deal_view::DealView;
use coinche_selfplay::document::words::Language;
use coinche_selfplay::records::write::Recorder;
use coinche_selfplay::{Block, Encounter, JsonLines, Section, Table, signed};

use super::super::BiddingTotals;
use coinche_protocol::{MixedTable, StderrLog};
use coinche_runs::RunConfig;

/// Shows the deals.
pub(super) fn section(config: &RunConfig, totals: &BiddingTotals) -> Section {
    let mut rows = Vec::new();
    let (mut deals, mut lost) = (Vec::new(), 0u64);
    for (encounter, pair) in totals.duels.encounters.iter().zip(&totals.pairs) {
        let [a, b] = config.pair(*encounter).map(ToString::to_string);
        let mut again = Replay::new(config, *encounter);
        for (deal, doubled) in pair.swings() {
            let difference = doubled as f64 / 2.0;
            rows.push((a.clone(), b.clone(), deal, difference));
            let heading = format!("Deal {deal}: {a} − {b} = {}", signed(difference));
            let view =
                again.play(deal, doubled).map(|records| DealView::new(heading, &records, Language::English));
            lost += u64::from(view.is_none());
            deals.extend(view);
        }
    }
    let caption = "The deals with the largest paired differences for each pair of bidders.";
    let table = Table::of("swings", caption, rows)
        .text(BOT_A.head("A"), |(a, ..)| a.clone())
        .text(BOT_B.head("B"), |(_, b, ..)| b.clone())
        .count(DEAL, |(_, _, deal, _)| *deal)
        .signed(DEAL_DIFFERENCE.head("A − B"), |(.., difference)| *difference)
        .build();
    let mut blocks = Vec::new();
    if table.rows.is_empty() {
        let why = "No deals to show: there are none with a difference, or --show is 0.";
        blocks.push(Block::text(why));
    }
    blocks.push(Block::Table(table));
    if lost > 0 {
        blocks.push(Block::Text(format!(
            "{lost} of these deals are omitted: replaying them gave another result, so a bidder is not deterministic."
        )));
    }
    if !deals.is_empty() {
        blocks.push(Block::Deals(deals));
    }
    Section::new("swings", "Largest differences", blocks)
}

/// A table for replaying deals.
struct Replay {
    table: MixedTable,
    recorder: Recorder,
}

impl Replay {
    fn new(config: &RunConfig, encounter: Encounter) -> Self {
        let lineup = config.lineup(encounter);
        let lines = JsonLines::of_teams(&config.rules, config.names(encounter), None);
        let table = MixedTable::set(&config.rules, config.schedule(), lineup, &StderrLog::none());
        Self { table, recorder: Recorder::new(lines) }
    }

    /// Plays both legs of a deal; `None` if their difference is not the recorded one.
    fn play(&mut self, deal: u64, doubled: i64) -> Option<Vec<Record>> {
        self.table.play_pair(deal, &mut self.recorder).ok()?;
        let records = self.recorder.take()?;
        let [first, second] = [0, 1].map(|leg| {
            let score = records.get(leg).map_or([0; 2], |record| record.score.0);
            i64::from(score[0]) - i64::from(score[1])
        });
        (first - second == doubled).then_some(records)
    }
}
