//! Rows of a stage as bytes, one form of fixed size each, compressed: what was collected is read again bit by bit.

use std::io::{self, Read};

use coinche_bots::table::{
    AUCTION_FEATURES, CONTEXTS, DD_ROWS, MELD_CLASSES, PointsInput, Role, SPREADS, TERMS,
};
use coinche_engine::{CardSet, Strain};
use zerocopy::little_endian::{F32, I16, U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::forecasts::{DdRow, ForecastRow};
use super::sample::{GainRow, PointsRow};
use super::solved::Pair;
use super::stages::{Rows, Stage};

/// How much work zstd puts into it: most of a row is zeros.
const LEVEL: i32 = 1;

/// The roles, by the number that stands for each.
const ROLES: [Role; 4] = [Role::Own, Role::Support, Role::Defence, Role::Take];

/// A row that has a form of fixed size.
trait Row: Sized {
    type Form: FromBytes + IntoBytes + Immutable + KnownLayout + Unaligned;

    fn form(&self) -> Self::Form;

    /// Reads a form; `None` where a number stands for nothing.
    fn of(form: &Self::Form) -> Option<Self>;
}

/// A number that is below 65,536, or 65,535.
fn short(number: usize) -> U16 {
    U16::new(u16::try_from(number).unwrap_or(u16::MAX))
}

/// A place in a list of few.
fn byte(place: Option<usize>) -> u8 {
    place.and_then(|place| u8::try_from(place).ok()).unwrap_or(u8::MAX)
}

/// A number that is below another.
fn below(number: U16, end: usize) -> Option<usize> {
    let number = usize::from(number.get());
    (number < end).then_some(number)
}

fn flag(byte: u8) -> Option<bool> {
    (byte < 2).then_some(byte == 1)
}

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct SolvedForm {
    kind: U16,
    points: [U16; 2],
    all: [u8; 2],
}

impl Row for (usize, Pair) {
    type Form = SolvedForm;

    fn form(&self) -> SolvedForm {
        let (kind, Pair { solved, played }) = self;
        let pairs = [solved, played];
        let (points, all) = (pairs.map(|pair| U16::new(pair.0)), pairs.map(|pair| u8::from(pair.1)));
        SolvedForm { kind: short(*kind), points, all }
    }

    fn of(form: &SolvedForm) -> Option<Self> {
        let side = |at: usize| Some((form.points[at].get(), flag(form.all[at])?));
        Some((below(form.kind, 3)?, Pair { solved: side(0)?, played: side(1)? }))
    }
}

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct PointsForm {
    strain: u8,
    role: u8,
    hand: U32,
    features: [i8; AUCTION_FEATURES],
    spread: U16,
    points: I16,
    slams: [u8; 2],
    /// The class of the melds and their points, behind 1; all 0 where there are none.
    melds: [U16; 3],
}

impl Row for PointsRow {
    type Form = PointsForm;

    fn form(&self) -> PointsForm {
        let PointsInput { strain, role, hand, features, spread } = self.input;
        let melds = self.melds.map_or([0; 3], |(class, points)| [1, short(class).get(), points]);
        PointsForm {
            strain: byte(Strain::ALL.iter().position(|other| *other == strain)),
            role: byte(ROLES.iter().position(|other| *other == role)),
            hand: U32::new(hand.bits()),
            features,
            spread: short(spread),
            points: I16::new(self.points),
            slams: [self.all_tricks, self.alone].map(u8::from),
            melds: melds.map(U16::new),
        }
    }

    fn of(form: &PointsForm) -> Option<Self> {
        let input = PointsInput {
            strain: *Strain::ALL.get(usize::from(form.strain))?,
            role: *ROLES.get(usize::from(form.role))?,
            hand: CardSet::from_bits(form.hand.get()),
            features: form.features,
            spread: below(form.spread, SPREADS)?,
        };
        let [has_melds, class, points] = form.melds;
        let melds = match has_melds.get() {
            0 => None,
            _ => Some((below(class, MELD_CLASSES)?, points.get())),
        };
        let [all_tricks, alone] = form.slams.map(flag);
        Some(Self { input, points: form.points.get(), all_tricks: all_tricks?, alone: alone?, melds })
    }
}

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct CallForm {
    weights: U16,
    terms: [F32; TERMS],
    /// The gain or the score.
    value: F32,
    /// 0 or 1 for what came of the contract, 2 where nothing did.
    made: u8,
}

impl Row for GainRow {
    type Form = CallForm;

    fn form(&self) -> CallForm {
        let terms = self.terms.map(F32::new);
        CallForm { weights: short(self.weights), terms, value: F32::new(self.gain), made: 2 }
    }

    fn of(form: &CallForm) -> Option<Self> {
        let weights = below(form.weights, CONTEXTS)?;
        Some(Self { weights, terms: form.terms.map(F32::get), gain: form.value.get() })
    }
}

impl Row for ForecastRow {
    type Form = CallForm;

    fn form(&self) -> CallForm {
        let (terms, made) = (self.terms.map(F32::new), self.made.map_or(2, u8::from));
        CallForm { weights: short(self.weights), terms, value: F32::new(self.score), made }
    }

    fn of(form: &CallForm) -> Option<Self> {
        let (weights, terms) = (below(form.weights, CONTEXTS)?, form.terms.map(F32::get));
        let made = if form.made == 2 { None } else { Some(flag(form.made)?) };
        Some(Self { weights, terms, score: form.value.get(), made })
    }
}

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct DdForm {
    at: U16,
    odds: F32,
    made: u8,
}

impl Row for DdRow {
    type Form = DdForm;

    fn form(&self) -> DdForm {
        DdForm { at: short(self.at), odds: F32::new(self.odds), made: u8::from(self.made) }
    }

    fn of(form: &DdForm) -> Option<Self> {
        Some(Self { at: below(form.at, DD_ROWS)?, odds: form.odds.get(), made: flag(form.made)? })
    }
}

/// What is wrong with saved rows.
#[derive(Debug, thiserror::Error)]
pub(super) enum SavedError {
    #[error("it cannot be decompressed: {0}")]
    Compressed(#[from] io::Error),
    #[error("it does not have {0} rows of its stage")]
    Number(usize),
    #[error("row {0} has a number that stands for nothing")]
    Row(usize),
}

fn write<R: Row>(rows: &[R]) -> Vec<u8> {
    let forms: Vec<R::Form> = rows.iter().map(R::form).collect();
    forms.as_bytes().to_vec()
}

/// Reads so many rows and adds them.
fn read<R: Row>(bytes: &[u8], number: usize, rows: &mut Vec<R>) -> Result<(), SavedError> {
    let most = number.checked_mul(size_of::<R::Form>()).ok_or(SavedError::Number(number))?;
    let (most, mut rest) = (most as u64, zstd::stream::read::Decoder::new(bytes)?);
    let mut bytes = Vec::new();
    // One more than belongs there.
    rest.by_ref().take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    let forms = <[R::Form]>::ref_from_bytes(&bytes).ok().filter(|forms| forms.len() == number);
    for (at, form) in forms.ok_or(SavedError::Number(number))?.iter().enumerate() {
        rows.push(R::of(form).ok_or(SavedError::Row(at))?);
    }
    Ok(())
}

impl Rows {
    /// The rows of no deal.
    pub(super) const fn none(stage: Stage) -> Self {
        match stage {
            Stage::Solved => Self::Solved(Vec::new()),
            Stage::Points(_) => Self::Points(Vec::new()),
            Stage::Gains(_) => Self::Gains(Vec::new()),
            Stage::Forecasts(_) => Self::Forecasts(Vec::new()),
            Stage::Dd => Self::Dd(Vec::new()),
        }
    }

    pub(super) const fn len(&self) -> usize {
        match self {
            Self::Solved(rows) => rows.len(),
            Self::Points(rows) => rows.len(),
            Self::Gains(rows) => rows.len(),
            Self::Forecasts(rows) => rows.len(),
            Self::Dd(rows) => rows.len(),
        }
    }

    /// Returns the bytes of a file.
    pub(super) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let bytes = match self {
            Self::Solved(rows) => write(rows),
            Self::Points(rows) => write(rows),
            Self::Gains(rows) => write(rows),
            Self::Forecasts(rows) => write(rows),
            Self::Dd(rows) => write(rows),
        };
        zstd::bulk::compress(&bytes, LEVEL)
    }

    /// Adds so many rows of the bytes of a file.
    ///
    /// # Errors
    ///
    /// When the file is damaged.
    pub(super) fn add(&mut self, bytes: &[u8], number: usize) -> Result<(), SavedError> {
        match self {
            Self::Solved(rows) => read(bytes, number, rows),
            Self::Points(rows) => read(bytes, number, rows),
            Self::Gains(rows) => read(bytes, number, rows),
            Self::Forecasts(rows) => read(bytes, number, rows),
            Self::Dd(rows) => read(bytes, number, rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use coinche_bots::table::BiddingTable;
    use coinche_engine::{RuleSet, Secrets, Seed};
    use coinche_selfplay::play::solvers::Solvers;

    use super::*;
    use crate::analysis::fit::sample::Played;

    #[test]
    fn rows_are_read_bit_by_bit() {
        let (solvers, secrets) = (Solvers::new(Some(1)).unwrap(), Secrets::from(&Seed::from(3)));
        let rules = [RuleSet::BGA, RuleSet::COINCHE_MELDS, RuleSet::BELOTE];
        let played: Vec<_> = (0..9).map(|deal| Played::new(&rules[deal % 3], secrets, deal as u64)).collect();
        for stage in Stage::all(2) {
            // In the second round the table bids too; `dd` takes its time.
            let played = if stage == Stage::Dd { &played[..3] } else { &played[..] };
            let rows = stage.rows(played, BiddingTable::built_in(), &solvers);
            assert!(rows.len() > 2, "{stage}");
            let bytes = rows.to_bytes().unwrap();
            let mut read = Rows::none(stage);
            read.add(&bytes, rows.len()).unwrap();
            // Each number is printed as the shortest text that gives it again.
            assert_eq!(format!("{read:?}"), format!("{rows:?}"), "{stage}");
            // Those of another shard follow.
            read.add(&bytes, rows.len()).unwrap();
            assert_eq!(read.len(), 2 * rows.len());
            for number in [0, 1, rows.len() - 1, rows.len() + 1, usize::MAX] {
                assert!(Rows::none(stage).add(&bytes, number).is_err(), "{stage}: {number}");
            }
            assert!(Rows::none(stage).add(&bytes[..bytes.len() / 2], rows.len()).is_err(), "{stage}");
        }
    }

    #[test]
    fn numbers_that_stand_for_nothing_are_refused() {
        let row = DdRow { at: DD_ROWS - 1, odds: -0.25, made: true };
        assert_eq!(DdRow::of(&row.form()), Some(row));
        assert_eq!(DdRow::of(&DdForm { at: short(DD_ROWS), ..row.form() }), None);
        assert_eq!(DdRow::of(&DdForm { made: 2, ..row.form() }), None);
        let bytes = Rows::Dd(vec![row]).to_bytes().unwrap();
        assert!(Rows::none(Stage::Gains(0)).add(&bytes, 1).is_err());
    }
}
