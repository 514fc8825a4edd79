//! The table of all decisions.

use std::io::Read;
use std::path::Path;

use coinche_engine::{Card, Seat, Strain};
use coinche_selfplay::document::columns::{
    BOT, CARD, DEAL, LEG, PAIRING, PLACE, SCORE_LOST_KNOWN, SEAT, STRAIN, TRICK,
};
use coinche_selfplay::document::field::Fields;
use coinche_selfplay::document::stream::TableFiles;
use coinche_selfplay::{Result, Table, measured, named};

use serde::{Deserialize, Serialize};

use super::Leg;
use super::decision::{Kind, Role};
use super::knowing::PARTS;

/// A card chosen among several.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Row {
    deal: u64,
    leg: u32,
    pairing: Option<u64>,
    seat: Seat,
    bot: String,
    trick: usize,
    place: usize,
    role: Role,
    kind: Kind,
    strain: Strain,
    card: Card,
    best_card: Card,
    value: i32,
    best_value: i32,
    score_loss: Option<i32>,
    known: Option<i32>,
}

impl Row {
    /// Returns the rows of a leg.
    pub(super) fn of(leg: &Leg) -> impl Iterator<Item = Self> {
        let known = leg.known.cards.iter().copied().chain(core::iter::repeat(None));
        leg.decisions.iter().zip(known).map(|(decision, known)| Self {
            deal: leg.record.deal,
            leg: leg.record.leg,
            pairing: leg.pairing,
            seat: decision.seat,
            bot: leg.record.bots[decision.seat].clone(),
            trick: decision.trick,
            place: decision.place,
            role: decision.role,
            kind: decision.kind,
            strain: decision.strain,
            card: decision.card,
            best_card: decision.best_card,
            value: decision.value,
            best_value: decision.best_value,
            score_loss: decision.score_loss,
            known,
        })
    }

    /// Writes the row as one line of a part.
    pub(super) fn write(&self, lines: &mut csv::Writer<Vec<u8>>) {
        lines.serialize(self).expect("a row is numbers and texts, and memory takes them");
    }

    /// Reads rows of a part.
    pub(super) fn read(lines: impl Read) -> impl Iterator<Item = csv::Result<Self>> {
        csv::ReaderBuilder::new().has_headers(false).from_reader(lines).into_deserialize()
    }
}

/// A row for each card chosen among several, in the files `decisions.csv` and `decisions.parquet`.
pub struct DecisionFiles {
    files: TableFiles,
    fields: Fields<'static, Row>,
}

/// Converts a number that is never negative.
fn natural(number: impl TryInto<u64>) -> u64 {
    number.try_into().unwrap_or_default()
}

fn fields() -> Fields<'static, Row> {
    let best = "the card itself if it is a best one, else the first best one";
    let points = "card points of the side at the end, after this card and best play of all";
    let score = "score of the deal lost; empty where it has no exact value";
    Table::of("", "", [])
        .count(DEAL, |row: &Row| row.deal)
        .count(LEG, |row| row.leg)
        .count(PAIRING, |row| row.pairing)
        .count(SEAT, |row| row.seat)
        .text(BOT, |row| row.bot.clone())
        .count(TRICK, |row| row.trick.saturating_add(1))
        .count(PLACE, |row| row.place.saturating_add(1))
        .text(named("role", "`declarer`, `partner` or `defender`"), |row| row.role.name())
        .text(named("kind", "`lead`, `follow`, `ruff` or `discard`"), |row| row.kind.name())
        .text(STRAIN, |row| row.strain.code())
        .text(CARD, |row| row.card.to_string())
        .text(named("best_card", best), |row| row.best_card.to_string())
        .count(measured("card_points", "card points", points), |row| natural(row.value))
        .count(measured("best_card_points", "card points", "the same of the best card"), |row| {
            natural(row.best_value)
        })
        .count(measured("card_points_lost", "card points", "`best_card_points` less `card_points`"), |row| {
            natural(row.best_value.saturating_sub(row.value))
        })
        .count(measured("score_lost", "points", score), |row| row.score_loss.map(natural))
        .plain(SCORE_LOST_KNOWN, |row| row.known.map(|loss| f64::from(loss) / f64::from(PARTS)))
        .fields()
}

impl DecisionFiles {
    /// Creates the files in the given directories.
    pub fn create(csv: Option<&Path>, parquet: Option<&Path>) -> Result<Self> {
        let fields = fields();
        Ok(Self { files: TableFiles::create("decisions", fields.columns(), csv, parquet)?, fields })
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: &Row) -> Result<()> {
        self.files.push(&self.fields.cells(row))
    }

    /// Renames the files to their final names.
    pub fn finish(self) -> Result<()> {
        self.files.finish()
    }
}
