//! The table of all decisions.

use std::io::Read;
use std::path::Path;

use coinche_engine::{Card, Seat, Strain};
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::model::Cell;
use coinche_selfplay::document::stream::TableFiles;

use serde::{Deserialize, Serialize};

use super::Leg;
use super::decision::{Kind, Role};
use super::knowing::PARTS;

/// A card that was chosen among several.
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

    /// Adds the row to lines, as a part keeps it.
    pub(super) fn write(&self, lines: &mut csv::Writer<Vec<u8>>) {
        lines.serialize(self).expect("a row is numbers and texts, and memory takes them");
    }

    /// Reads such lines.
    pub(super) fn read(lines: impl Read) -> impl Iterator<Item = csv::Result<Self>> {
        csv::ReaderBuilder::new().has_headers(false).from_reader(lines).into_deserialize()
    }
}

/// A row for each card that was chosen among several, in the files `decisions.csv` and `decisions.parquet`.
pub(crate) struct DecisionFiles(TableFiles);

/// A number that is never negative.
fn count(number: impl TryInto<u64>) -> Cell {
    Cell::Count(number.try_into().unwrap_or_default())
}

impl DecisionFiles {
    /// Starts the files in the directories that are given.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub(crate) fn create(csv: Option<&Path>, parquet: Option<&Path>) -> Result<Self, ArenaError> {
        let columns = vec![
            Column::count("deal"),
            Column::count("leg"),
            Column::count("pairing"),
            Column::count("seat"),
            Column::text("bot"),
            Column::count("trick"),
            Column::count("place"),
            Column::text("role"),
            Column::text("kind"),
            Column::text("strain"),
            Column::text("card"),
            Column::text("best_card"),
            Column::count("card_points"),
            Column::count("best_card_points"),
            Column::count("card_points_lost"),
            Column::count("score_lost"),
            Column::number("score_lost_known"),
        ];
        TableFiles::create("decisions", columns, csv, parquet).map(Self)
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub(super) fn push(&mut self, row: &Row) -> Result<(), ArenaError> {
        self.0.push(&[
            Cell::Count(row.deal),
            Cell::Count(row.leg.into()),
            Cell::maybe(row.pairing, Cell::Count),
            Cell::Count(row.seat.index() as u64),
            Cell::text(row.bot.clone()),
            Cell::Count((row.trick as u64).saturating_add(1)),
            Cell::Count((row.place as u64).saturating_add(1)),
            Cell::text(row.role.name()),
            Cell::text(row.kind.name()),
            Cell::text(row.strain.code()),
            Cell::text(row.card.to_string()),
            Cell::text(row.best_card.to_string()),
            count(row.value),
            count(row.best_value),
            count(row.best_value.saturating_sub(row.value)),
            Cell::maybe(row.score_loss, count),
            Cell::maybe(row.known, |loss| Cell::Plain(f64::from(loss) / f64::from(PARTS))),
        ])
    }

    /// Gives the files their names.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub(crate) fn finish(self) -> Result<(), ArenaError> {
        self.0.finish()
    }
}
