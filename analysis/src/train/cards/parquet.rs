//! Rows as Parquet: the columns of docs/labels.md.

use std::borrow::Cow;

use coinche_bots::net::cards::{INPUTS, NUMBERS};
use coinche_engine::RuleSet;
use coinche_selfplay::base::columns::parquet::{ParquetTable, encode};
use coinche_selfplay::base::columns::{Batch, Cells, Form, Kind, Pages, RowError, Schema, Value, Walk, row};
use parquet::errors::ParquetError;
use parquet::file::reader::ChunkReader;

use super::rows::{CardRows, Choice, HAND, NO_CARD, NOT_SOLVED};

/// The key of the settings among the metadata of a file.
const SETTINGS: &str = "coinche";
/// The most rows of a part: those of some 100,000 deals. Their inputs have numbers of 32 bits.
const MOST_ROWS: u64 = 3_000_000;
/// The largest of the inputs that are numbers: some times what a deal scores, in hundreds of points.
const MOST: f32 = 1000.0;

row! {
    /// A choice with its inputs.
    struct ChoiceRow<'a> {
        deal: u64 => Delta,
        rules: Preset,
        seat: u8,
        trick: u8,
        held_out: bool,
        ones: Cow<'a, [u16]>,
        numbers: [f32; NUMBERS] => Plain,
        cards: [u8; HAND] => Plain,
        solved: [i16; HAND] => Plain,
        played_out: [i16; HAND] => Plain,
        played: u8,
        same: u8,
        stray: bool,
    }
}

/// Rules by their place among the presets, written by name.
struct Preset(u8);

impl Value<'_> for Preset {
    const KIND: Kind = Kind::Text;
    const EXPECTED: &'static str = "a preset";

    fn push(&self, cells: &mut Cells) {
        let name = RuleSet::PRESETS.get(usize::from(self.0)).map_or("", |(name, _)| name);
        name.push(cells);
    }

    fn get(walk: &mut Walk<'_>) -> Option<Self> {
        let name: &str = Value::get(walk)?;
        let at = RuleSet::PRESETS.iter().position(|(preset, _)| *preset == name)?;
        u8::try_from(at).ok().map(Self)
    }
}

/// What files of choices have in common.
const FORM: Form =
    Form { name: "choices", what: "rows of choices", pages: Pages::Zstd, sought: None, zero_lengths: true };

/// Returns rows as a file of one row group, which has the settings among its metadata.
pub(super) fn write(rows: &[CardRows], settings: &str) -> Result<Vec<u8>, ParquetError> {
    let row = |rows: &CardRows, n: usize| {
        let Choice { deal, rules, seat, trick, cards, solved, played_out, played, same, stray, held_out } =
            rows.choices[n];
        let (rules, ones, numbers) = (Preset(rules), Cow::Owned(rows.ones(n).to_vec()), rows.numbers[n]);
        #[rustfmt::skip]
        let row = ChoiceRow {
            deal, rules, seat, trick, held_out, ones, numbers, cards, solved, played_out, played, same, stray,
        };
        row
    };
    let note = Some((SETTINGS, settings.to_owned()));
    let schema = Schema { note, ..Schema::of::<ChoiceRow<'_>>(FORM) };
    let rows = rows.iter().flat_map(|rows| (0..rows.choices.len()).map(move |n| row(rows, n)));
    encode(&Batch::of(schema, rows))
}

/// A row has a value that it cannot have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` has a value that it cannot have")]
pub struct ValueError(&'static str);

impl From<RowError> for ValueError {
    fn from(error: RowError) -> Self {
        match error {
            RowError::NoCell(column) | RowError::Cell { column, .. } => Self(column),
            RowError::TooManyCells | RowError::Csv(_) => Self("row"),
        }
    }
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error(transparent)]
    File(#[from] ParquetError),
    #[error("row {0}: {1}")]
    Row(usize, #[source] ValueError),
}

/// Reads the rows of a file.
pub(super) fn read(file: impl ChunkReader + 'static) -> Result<CardRows, ReadError> {
    let table = ParquetTable::open(file, &[Schema::of::<ChoiceRow<'_>>(FORM)])?;
    if table.rows().is_none_or(|rows| rows > MOST_ROWS) {
        return Err(ParquetError::General(format!("it has more than {MOST_ROWS} rows")).into());
    }
    let mut rows = CardRows::default();
    table.each_part(|part| {
        part.iter::<ChoiceRow<'_>>().try_for_each(|row| {
            let number = rows.choices.len() + 1;
            let row = row.map_err(ValueError::from).and_then(|row| row.add_to(&mut rows).map_err(ValueError));
            row.map_err(|error| ReadError::Row(number, error))
        })
    })?;
    Ok(rows)
}

impl ChoiceRow<'_> {
    /// Adds the row to others; says which column is wrong.
    fn add_to(self, rows: &mut CardRows) -> Result<(), &'static str> {
        let Self { deal, rules: Preset(rules), seat, trick, held_out, ones, numbers, .. } = self;
        let Self { cards, solved, played_out, played, same, stray, .. } = self;
        let checks = |column, is_well: bool| if is_well { Ok(()) } else { Err(column) };
        checks("ones", ones.iter().all(|one| usize::from(*one) < INPUTS - NUMBERS))?;
        // None stands there twice.
        checks("ones", (1..INPUTS).contains(&ones.len()))?;
        checks("numbers", numbers.iter().all(|number| number.abs() <= MOST))?;
        checks("seat", seat < 4)?;
        checks("trick", trick < 8)?;
        checks("played", played < 32)?;
        let choice =
            Choice { deal, rules, seat, trick, cards, solved, played_out, played, same, stray, held_out };
        let count = choice.count();
        let (cards, none) = cards.split_at(count);
        let set = cards.iter().try_fold(0u32, |set, card| {
            let bit = 1u32.checked_shl((*card).into())?;
            (set & bit == 0).then_some(set | bit)
        });
        checks("cards", count >= 2 && set.is_some() && none.iter().all(|card| *card == NO_CARD))?;
        // All cards were solved, or none.
        let unsolved = solved.iter().filter(|score| **score == NOT_SOLVED).count();
        checks("solved", unsolved == 0 || unsolved == HAND)?;
        let place = cards.iter().position(|card| *card == played).ok_or("played")?;
        checks("same", same >> place & 1 == 1 && u16::from(same) < 1 << count)?;
        rows.push(&ones, numbers, choice);
        Ok(())
    }
}
