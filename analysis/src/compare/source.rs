//! A run whose deals are compared: what it is of, its rows deal by deal, and the cards of its records.

use core::ops::Range;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use coinche_bots::Registry;
use coinche_engine::rules::DealMethod;
use coinche_selfplay::base::columns::{RowError, Schema};
use coinche_selfplay::records::summary::{self, LegEnd, Rows, schema};
use coinche_selfplay::{ArenaError, MAX_DEALS_IN_MATCH, ModuleError, Result, SummaryRow, Unit};
use serde::Deserialize;

use super::error::CompareError;
use super::rivals::Outcome;
use coinche_runs::audit::Pairs;
use coinche_runs::config::differences;
use coinche_runs::rows::Source;
use coinche_runs::{NotEnded, RunConfig, RunJson, SavedSink, State, config_of};

/// A run that has ended, for now or for good.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) path: PathBuf,
    pub(super) commit: String,
    pub(super) config: RunConfig,
    /// The deals that were played.
    pub(super) deals: Range<u64>,
    /// What its bots see, or could see, besides their own hands.
    pub(super) notes: Vec<String>,
    table: SavedSink,
    lines: Option<SavedSink>,
    /// The number of the run among those compared.
    number: usize,
}

impl Run {
    /// Reads the state of a run.
    pub(super) fn read(path: &Path, number: usize, registry: &Registry) -> Result<Self> {
        let state = State::read(path)?.ok_or_else(|| NotEnded::NoPart(path.to_owned()))?;
        if !state.is_closed() {
            return Err(NotEnded::Unfinished(path.to_owned()).into());
        }
        let config = config_of(path, &state, registry)?;
        let table = state.summary().cloned().ok_or_else(|| CompareError::NoTable(path.to_owned()))?;
        let lines = state.records().cloned();
        let State { identity, start, done, .. } = state;
        let notes = RunJson::read(&path.join("run.json"))?.seen_lines();
        let path = path.to_owned();
        Ok(Self { path, commit: identity.commit, config, deals: start..done, notes, table, lines, number })
    }

    /// Returns in what the deals of another run are others.
    pub(super) fn differences(&self, other: &Self) -> Vec<String> {
        let (mut found, one, two) = (Vec::new(), &self.config, &other.config);
        if one.unit != two.unit {
            found.push(format!("{} and {}", one.unit.plural(), two.unit.plural()));
        }
        if one.seed != two.seed {
            found.push(format!("seed {} and {}", one.seed, two.seed));
        }
        if one.rules != two.rules {
            let fields = differences(&two.rules, &one.rules).join(", ");
            found.push(format!("the rules of the second have {fields}"));
        }
        found
    }

    /// Returns who met whom; the control is not compared.
    pub(super) fn outcomes(&self) -> Vec<Outcome> {
        let encounters = self.config.format.encounters(self.config.bots.len());
        let outcome = |(pairing, encounter)| Outcome {
            run: self.number,
            pairing,
            bots: self.config.pair(encounter).map(ToString::to_string),
            is_turned: false,
        };
        encounters.into_iter().enumerate().map(outcome).collect()
    }

    /// Tests if the hands of a record follow from the bots, too: where the rest is dealt after the auction, and in
    /// matches, whose deck may be gathered from the tricks.
    pub(super) fn cards_depend_on_bots(&self) -> bool {
        self.config.rules.deal.method != DealMethod::Full || self.config.unit == Unit::Match
    }
}

/// What the rows of a deal or match tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Deal {
    number: u64,
    /// Of a match, the first.
    pub(super) dealer: u8,
    /// By pairing, the differences A − B of both legs.
    pub(super) legs: Vec<[i64; 2]>,
    /// By pairing, how many of them were forfeited.
    pub(super) forfeited: Vec<u64>,
}

/// Why rows are no deals.
#[derive(Debug, thiserror::Error)]
enum RowsError {
    #[error("a line is not a row of a summary: {0}")]
    Row(#[from] RowError),
    #[error(transparent)]
    Record(#[from] serde_json::Error),
    #[error("deal {deal}, leg {leg}, pairing {pairing}: it is not its turn")]
    OutOfTurn { deal: u64, leg: usize, pairing: usize },
    #[error("deal {0} is not there")]
    Missing(u64),
}

impl ModuleError for RowsError {}

/// A leg of a deal or match, as far as it is needed.
struct Row {
    /// The number of the deal or match.
    deal: u64,
    leg: usize,
    dealer: u8,
    pairing: usize,
    /// The difference A − B.
    difference: i64,
    is_forfeited: bool,
}

impl Row {
    /// Reads a row of a summary.
    fn new(row: &SummaryRow<'_>, unit: Unit) -> Result<Self, RowsError> {
        let (deal, leg, pairing) = (row.deal, row.leg as usize, row.pairing());
        if leg > 1 {
            return Err(RowsError::OutOfTurn { deal, leg, pairing });
        }
        let difference = i64::from(row.score0) - i64::from(row.score1);
        Ok(Self {
            deal: if unit == Unit::Match { deal / MAX_DEALS_IN_MATCH } else { deal },
            leg,
            dealer: row.dealer as u8,
            pairing,
            // Bot A has the even seats in leg 0 and the odd ones in leg 1.
            difference: if leg == 0 { difference } else { -difference },
            is_forfeited: matches!(row.end()?, LegEnd::Forfeit(_)),
        })
    }

    /// Tests if another row is of the same leg: in a match, a later deal of it.
    fn is_of_leg(&self, other: &Self) -> bool {
        (self.deal, self.pairing, self.leg) == (other.deal, other.pairing, other.leg)
    }
}

/// The deals of a run in order.
pub(super) struct Deals {
    path: PathBuf,
    unit: Unit,
    source: Source,
    /// The columns of the table.
    schema: Schema,
    /// How many pairings a deal has, the control among them.
    pairings: usize,
    ready: VecDeque<Deal>,
}

impl Deals {
    /// Opens the table, once it is sure that it is what the run wrote.
    pub(super) fn open(run: &Run) -> Result<Self> {
        let source = Source::open(&run.path, &run.table, &run.config, run.deals.clone(), false)?;
        let pairings = run.config.encounters().len();
        let path = run.path.join(&run.table.file);
        Ok(Self {
            path,
            unit: run.config.unit,
            source,
            schema: schema(run.config.unit, pairings > 1),
            pairings,
            ready: VecDeque::new(),
        })
    }

    /// Returns a deal, and forgets those before it.
    pub(super) fn at(&mut self, deal: u64) -> Result<Deal> {
        loop {
            while let Some(found) = self.ready.pop_front() {
                if found.number == deal {
                    return Ok(found);
                }
            }
            let damaged = |why| ArenaError::damaged(&self.path, why);
            let Some((rows, _)) = self.source.next_block()? else {
                return Err(damaged(RowsError::Missing(deal)));
            };
            self.ready = self.read(&rows).map_err(damaged)?;
        }
    }

    /// Reads the legs of some rows: of matches, the deals of a leg in a row are added up.
    fn legs(&self, rows: &Rows) -> Result<Vec<Row>, RowsError> {
        let mut legs: Vec<Row> = Vec::new();
        let read = rows.each(&self.schema, |row| {
            let read = Row::new(row, self.unit)?;
            match legs.last_mut() {
                Some(leg) if self.unit == Unit::Match && leg.is_of_leg(&read) => {
                    leg.difference += read.difference;
                    leg.is_forfeited |= read.is_forfeited;
                }
                _ => legs.push(read),
            }
            Ok(())
        });
        read.map(|()| legs).map_err(summary::RowsError::without_place)
    }

    /// Reads the deals of some rows.
    fn read(&self, rows: &Rows) -> Result<VecDeque<Deal>, RowsError> {
        let mut found: VecDeque<Deal> = VecDeque::new();
        let mut pairs = Pairs::default();
        for Row { deal, leg, dealer, pairing, difference, is_forfeited } in self.legs(rows)? {
            let out_of_turn = RowsError::OutOfTurn { deal, leg, pairing };
            if found.back().is_none_or(|last| last.legs.len() == self.pairings) && leg == 0 {
                found.push_back(Deal { number: deal, dealer, legs: Vec::new(), forfeited: Vec::new() });
            }
            let Some(now) = found.back_mut() else { return Err(out_of_turn) };
            if (now.number, now.dealer, now.legs.len()) != (deal, dealer, pairing) {
                return Err(out_of_turn);
            }
            let added =
                pairs.add((deal, pairing), leg, (difference, is_forfeited)).map_err(|_| out_of_turn)?;
            if let Some(legs) = added {
                now.legs.push(legs.map(|(difference, _)| difference));
                now.forfeited.push(legs.iter().map(|(_, is_forfeited)| u64::from(*is_forfeited)).sum());
            }
        }
        Ok(found)
    }
}

/// The cards of a deal, as its first record has them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Dealt {
    deal: u64,
    dealer: u8,
    hands: [String; 4],
}

/// The cards of the deals that a run has records of, in order.
pub(super) struct Cards {
    path: PathBuf,
    source: Source,
    ready: VecDeque<Dealt>,
}

impl Cards {
    /// Opens the records; `None` of a run without.
    pub(super) fn open(run: &Run) -> Result<Option<Self>> {
        let Some(lines) = &run.lines else { return Ok(None) };
        let source = Source::open(&run.path, lines, &run.config, run.deals.clone(), true)?;
        Ok(Some(Self { path: run.path.join(&lines.file), source, ready: VecDeque::new() }))
    }

    /// Returns the first deal from this one on, with its number; `None` where there is none.
    pub(super) fn from(&mut self, deal: u64) -> Result<Option<(u64, Dealt)>> {
        loop {
            while let Some(found) = self.ready.front() {
                if found.deal >= deal {
                    return Ok(Some((found.deal, found.clone())));
                }
                self.ready.pop_front();
            }
            let Some((rows, _)) = self.source.next_block()? else { return Ok(None) };
            let text = rows.to_text();
            for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                let dealt: Dealt = serde_json::from_slice(line)
                    .map_err(|error| ArenaError::damaged(&self.path, RowsError::from(error)))?;
                if self.ready.back().is_none_or(|last| last.deal != dealt.deal) {
                    self.ready.push_back(dealt);
                }
            }
        }
    }
}
