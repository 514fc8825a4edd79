//! The totals of a run, counted again from its rows or records.

mod contracts;

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::play::schedule::{Side, Unit};
use coinche_selfplay::play::tally::SideTally;
use coinche_selfplay::records::write::Rows;
use coinche_selfplay::records::write::columns::place;
use serde::Deserialize;
use serde::de::IgnoredAny;

use coinche_inference::PairedSums;

use crate::run::config::RunConfig;
use crate::run::covariance::CovarianceSums;
use crate::run::totals::Totals;

/// What both a row and a record say of one leg of one deal.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Told {
    deal: u64,
    leg: usize,
    pairing: usize,
    declarer: Option<usize>,
    made: bool,
    score: [i64; 2],
    faults: u64,
    /// The rest of a deal that was played; a record has it in other words.
    played: Option<contracts::Deal>,
}

/// The fields of a record that are counted.
#[derive(Deserialize)]
struct RecordLeg {
    deal: u64,
    leg: usize,
    #[serde(default)]
    pairing: usize,
    contract: Option<Contract>,
    made: Option<bool>,
    score: [i32; 2],
    #[serde(default)]
    faults: Vec<IgnoredAny>,
}

#[derive(Deserialize)]
struct Contract {
    declarer: usize,
}

impl Told {
    fn of_record(line: &[u8]) -> Result<Self, serde_json::Error> {
        let record: RecordLeg = serde_json::from_slice(line)?;
        let RecordLeg { deal, leg, pairing, contract, made, score, faults } = record;
        let declarer = contract.map(|contract| contract.declarer);
        Ok(Self {
            deal,
            leg,
            pairing,
            declarer,
            made: made == Some(true),
            score: score.map(i64::from),
            faults: faults.len() as u64,
            played: None,
        })
    }

    fn of_row(row: &csv::ByteRecord, pairing: Option<usize>) -> Option<Self> {
        let text = |column: usize| std::str::from_utf8(row.get(column)?).ok();
        let declarer: Option<usize> = match text(const { place("declarer") })? {
            "" => None,
            seat => Some(seat.parse().ok().filter(|seat| *seat < 4)?),
        };
        Some(Self {
            played: if declarer.is_some() { Some(contracts::Deal::of_row(row)?) } else { None },
            deal: text(const { place("deal") })?.parse().ok()?,
            leg: text(const { place("leg") })?.parse().ok()?,
            declarer,
            made: text(const { place("made") })? == "true",
            score: [
                text(const { place("score0") })?.parse::<i32>().ok()?.into(),
                text(const { place("score1") })?.parse::<i32>().ok()?.into(),
            ],
            faults: text(const { place("faults") })?.parse::<u32>().ok()?.into(),
            pairing: pairing.map_or(Some(0), |column| text(column)?.parse().ok())?,
        })
    }
}

/// Why rows or records cannot be counted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AuditError {
    #[error(transparent)]
    Record(#[from] serde_json::Error),
    #[error(transparent)]
    Csv(#[from] csv::Error),
    #[error("{0:?} is not a row of a summary")]
    NoRow(csv::ByteRecord),
    #[error("deal {deal}, leg {leg}, pairing {pairing}: no such pairing")]
    NoPairing { deal: u64, leg: usize, pairing: usize },
    #[error("deal {deal}, leg {leg}, pairing {pairing}: out of order")]
    OutOfTurn { deal: u64, leg: usize, pairing: usize },
}

/// What is counted of an encounter.
#[derive(Debug, Clone)]
struct Counts {
    /// What only the rows of a table tell; `None` of records.
    contracts: Option<contracts::Counts>,
    legs: u64,
    faults: u64,
    points: PairedSums,
    /// By side: legs declared, contracts made, points as declarer and as defender.
    sides: [[i64; 4]; 2],
}

/// Counts legs.
pub(crate) struct Audit {
    unit: Unit,
    counts: Vec<Counts>,
    covariance: CovarianceSums,
    /// The place of the column `pairing`.
    pairing: Option<usize>,
    /// Of the pair at hand: the difference of leg 0, and twice the paired differences so far.
    first: Option<i64>,
    doubled: Vec<i64>,
}

impl Audit {
    /// Starts at nothing.
    pub(crate) fn new(config: &RunConfig, are_records: bool) -> Self {
        let encounters = config.encounters().len();
        let columns =
            coinche_selfplay::records::write::columns::Schema::new(config.unit, encounters > 1).0.len();
        let counts = Counts {
            contracts: (!are_records).then(|| contracts::Counts::new(&config.rules, config.unit)),
            legs: 0,
            faults: 0,
            points: PairedSums::default(),
            sides: [[0; 4]; 2],
        };
        Self {
            unit: config.unit,
            counts: vec![counts; encounters],
            covariance: CovarianceSums::new(encounters),
            pairing: (encounters > 1).then(|| columns - 1),
            first: None,
            doubled: Vec::new(),
        }
    }

    fn add(&mut self, leg: &Told) -> Result<(), AuditError> {
        let Told { deal, leg: number, pairing, .. } = *leg;
        let expected = self.doubled.len();
        if leg.leg > 1 {
            return Err(AuditError::OutOfTurn { deal, leg: number, pairing });
        }
        let no_pairing = AuditError::NoPairing { deal, leg: number, pairing };
        let counts = self.counts.get_mut(pairing).ok_or(no_pairing)?;
        counts.legs += 1;
        counts.faults += leg.faults;
        if let Some(declarer) = leg.declarer {
            // In leg 0 side A is the even team.
            let side = (declarer + leg.leg) % 2;
            let [own, other] = [leg.score[declarer % 2], leg.score[1 - declarer % 2]];
            counts.sides[side][0] += 1;
            counts.sides[side][1] += i64::from(leg.made);
            counts.sides[side][2] += own;
            counts.sides[1 - side][3] += other;
            if let (Some(contracts), Some(deal)) = (&mut counts.contracts, &leg.played) {
                let ended = contracts::Ended { side, team: declarer % 2, made: leg.made, own, other };
                contracts.add(deal, &ended);
            }
        } else if let Some(contracts) = &mut counts.contracts {
            contracts.add_empty();
        }
        if self.unit == Unit::Match {
            return Ok(());
        }
        let [even, odd] = leg.score;
        match (leg.leg, self.first.take()) {
            (0, None) if leg.pairing == expected => self.first = Some(even - odd),
            (1, Some(first)) if leg.pairing == expected => {
                let second = odd - even;
                counts.points.add([first, second]);
                self.doubled.push(first + second);
                if self.doubled.len() == self.counts.len() {
                    self.covariance.add(leg.deal, &self.doubled, &[]);
                    self.doubled.clear();
                }
            }
            _ => return Err(AuditError::OutOfTurn { deal, leg: number, pairing }),
        }
        Ok(())
    }

    /// Adds the rows of a table, or the lines of records.
    ///
    /// # Errors
    ///
    /// Names the first that cannot be counted.
    pub(crate) fn add_rows(&mut self, rows: &Rows, are_records: bool) -> Result<(), AuditError> {
        let text = rows.to_text();
        if are_records {
            for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                self.add(&Told::of_record(line)?)?;
            }
            return Ok(());
        }
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&text[..]);
        for row in reader.byte_records() {
            let row = row?;
            let leg = Told::of_row(&row, self.pairing);
            self.add(&leg.ok_or(AuditError::NoRow(row))?)?;
        }
        Ok(())
    }

    /// Returns what differs from the totals of the run.
    pub(crate) fn differences(&self, totals: &Totals) -> Vec<String> {
        let mut found = Vec::new();
        let several = self.counts.len() > 1;
        for (n, (counts, tally)) in self.counts.iter().zip(&totals.tallies).enumerate() {
            let mut compare = |what: &str, told: i64, counted: i64| {
                if told != counted {
                    let pairing = if several { format!("pairing {n}: ") } else { String::new() };
                    found.push(format!("{pairing}{what}: the totals have {told}, the recount {counted}"));
                }
            };
            let long = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
            compare("legs", long(tally.deals), long(counts.legs));
            let faults: u64 = tally.sides.iter().map(SideTally::all_faults).sum();
            compare("faults", long(faults), long(counts.faults));
            for side in Side::ALL {
                let (told, counted) = (&tally.sides[side.index()], counts.sides[side.index()]);
                let made: u64 = told.stakes.iter().map(|stake| stake.made).sum();
                compare(&format!("contracts of {side}"), long(told.declaring.legs), counted[0]);
                compare(&format!("contracts made by {side}"), long(made), counted[1]);
                compare(&format!("points of {side} as declarer"), told.declaring.points, counted[2]);
                compare(&format!("points of {side} as defender"), told.defending.points, counted[3]);
            }
            for (what, told, counted) in counts.contracts.iter().flat_map(|counts| counts.differences(tally))
            {
                compare(&what, told, counted);
            }
            if self.unit == Unit::Deal && tally.points != counts.points {
                found.push(format!("pairing {n}: the sums of the paired differences do not match the deals"));
            }
        }
        if self.unit == Unit::Deal && self.covariance != totals.covariance {
            found.push("the sums by block of deals do not match the deals".to_owned());
        }
        found
    }
}

/// Counts a table of a run again.
///
/// # Errors
///
/// When it is damaged or cannot be read.
pub(crate) fn audit(
    config: &RunConfig,
    source: &mut crate::run::rows::Source,
    are_records: bool,
) -> Result<Result<Audit, AuditError>, ArenaError> {
    let mut count = Audit::new(config, are_records);
    while let Some((rows, _)) = source.next()? {
        if let Err(error) = count.add_rows(&rows, are_records) {
            return Ok(Err(error));
        }
    }
    Ok(Ok(count))
}
