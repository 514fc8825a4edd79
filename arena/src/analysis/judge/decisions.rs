//! The table of all decisions.

use std::path::Path;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::model::Cell;
use coinche_selfplay::document::stream::TableFiles;

use super::Leg;
use super::knowing::PARTS;

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

    /// Adds the decisions of a leg.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub(super) fn add(&mut self, leg: &Leg) -> Result<(), ArenaError> {
        let known = leg.known.cards.iter().copied().chain(core::iter::repeat(None));
        for (decision, known) in leg.decisions.iter().zip(known) {
            self.0.push(&[
                Cell::Count(leg.record.deal),
                Cell::Count(leg.record.leg.into()),
                Cell::maybe(leg.pairing, Cell::Count),
                Cell::Count(decision.seat.index() as u64),
                Cell::text(leg.record.bots[decision.seat].clone()),
                Cell::Count(decision.trick as u64 + 1),
                Cell::Count(decision.place as u64 + 1),
                Cell::text(decision.role.name()),
                Cell::text(decision.kind.name()),
                Cell::text(decision.strain.code()),
                Cell::text(decision.card.to_string()),
                Cell::text(decision.best_card.to_string()),
                count(decision.value),
                count(decision.best_value),
                count(decision.loss()),
                Cell::maybe(decision.score_loss, count),
                Cell::maybe(known, |loss| Cell::Plain(f64::from(loss) / f64::from(PARTS))),
            ])?;
        }
        Ok(())
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
