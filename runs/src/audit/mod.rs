//! Recounts the totals of a run from its rows or records.

mod counts;
mod matches;
mod told;

use coinche_engine::RuleSet;
use coinche_engine::rules::Tie;
use coinche_selfplay::base::columns::{RowError, Schema};
use coinche_selfplay::records::summary::{Rows, RowsError, schema};
use coinche_selfplay::{Result, Unit};

use crate::config::RunConfig;
use crate::covariance::CovarianceSums;
use crate::totals::Totals;

use counts::Counts;
pub use matches::{LegError, Matches, Pairs, outcome};
pub use told::Told;

/// Why rows or records cannot be counted.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum AuditError {
    #[error("a line is not a row of a summary: {0}")]
    Row(#[from] RowError),
    #[error("deal {deal}, leg {leg}, pairing {pairing}: no such pairing")]
    NoPairing { deal: u64, leg: usize, pairing: usize },
    #[error("deal {deal}, leg {leg}, pairing {pairing}: out of order")]
    OutOfTurn { deal: u64, leg: usize, pairing: usize },
}

/// Tests if points can wait for the next deal: no column of the table has them.
pub fn has_held_ties(rules: &RuleSet) -> bool {
    rules.game.tie != Tie::Failed
}

/// Recounts legs.
pub struct Audit {
    rules: RuleSet,
    unit: Unit,
    counts: Vec<Counts>,
    covariance: CovarianceSums,
    /// The columns of rows.
    schema: Schema,
    matches: Matches,
    /// The differences of the legs of single deals.
    pairs: Pairs<i64>,
    /// For the current deal or match, by encounter: twice the paired difference, and the legs won.
    doubled: Vec<i64>,
    won: Vec<[u8; 2]>,
}

impl Audit {
    /// Creates an empty audit.
    pub fn new(config: &RunConfig, are_records: bool) -> Self {
        let encounters = config.encounters().len();
        let mut counts = Counts::new(&config.rules, config.unit);
        let (unit, rules) = (config.unit, config.rules);
        counts.has_matches = unit == Unit::Deal || are_records || !has_held_ties(&rules);
        Self {
            rules,
            unit,
            counts: vec![counts; encounters],
            covariance: CovarianceSums::new(encounters),
            schema: schema(unit, encounters > 1),
            matches: Matches::default(),
            pairs: Pairs::default(),
            doubled: Vec::new(),
            won: Vec::new(),
        }
    }

    /// Adds a leg.
    pub fn add(&mut self, told: &Told) -> Result<(), AuditError> {
        let Told { deal, leg, pairing, .. } = *told;
        let out_of_turn = AuditError::OutOfTurn { deal, leg, pairing };
        if leg > 1 {
            return Err(out_of_turn);
        }
        let counts = self.counts.get_mut(pairing).ok_or(AuditError::NoPairing { deal, leg, pairing })?;
        counts.add(told);
        if !counts.has_matches {
            return Ok(());
        }
        if pairing != self.doubled.len() {
            return Err(out_of_turn);
        }
        match self.unit {
            Unit::Deal => {
                let [even, odd] = told.score.0.map(i64::from);
                let difference = if leg == 0 { even - odd } else { odd - even };
                if let Some(legs) =
                    self.pairs.add((deal, pairing), leg, difference).map_err(|_| out_of_turn)?
                {
                    self.add_pair(deal, pairing, legs);
                }
            }
            Unit::Match => {
                if let Some([first, second]) = self.matches.add(told, &self.rules).map_err(|_| out_of_turn)? {
                    let legs = [outcome(0, &first), outcome(1, &second)];
                    self.add_wins(pairing, legs.map(|(_, won)| won));
                    let game = told.in_match.map_or(0, |(game, _)| game);
                    self.add_pair(game, pairing, legs.map(|([a, b], _)| a - b));
                }
            }
        }
        Ok(())
    }

    /// Adds the winners of both legs of a match.
    fn add_wins(&mut self, pairing: usize, wins: [i64; 2]) {
        let tally = &mut self.counts[pairing].tally;
        tally.wins.add(wins);
        let mut won = [0; 2];
        for win in wins {
            match win {
                0 => tally.drawn += 1,
                1 => won[0] += 1,
                _ => won[1] += 1,
            }
        }
        for (side, won) in tally.sides.iter_mut().zip(won) {
            side.matches_won += u64::from(won);
        }
        self.won.push(won);
    }

    /// Adds the differences A − B in points of both legs of a deal or match.
    fn add_pair(&mut self, index: u64, pairing: usize, differences: [i64; 2]) {
        self.counts[pairing].tally.points.add(differences);
        self.doubled.push(differences[0] + differences[1]);
        if self.doubled.len() == self.counts.len() {
            self.covariance.add(index, &self.doubled, &self.won);
            self.doubled.clear();
            self.won.clear();
        }
    }

    /// Adds rows of a table.
    pub fn add_rows(&mut self, rows: &Rows) -> Result<(), AuditError> {
        let (schema, rules) = (self.schema.clone(), self.rules);
        rows.each(&schema, |row| self.add(&Told::of_row(row, &rules)?)).map_err(RowsError::without_place)
    }

    /// Returns the differences from the totals of the run.
    pub fn differences(&self, totals: &Totals) -> Vec<String> {
        let mut found = Vec::new();
        let several = self.counts.len() > 1;
        for (n, (counts, tally)) in self.counts.iter().zip(&totals.tallies).enumerate() {
            let pairing = if several { format!("pairing {n}: ") } else { String::new() };
            let differences = counts.differences(tally).into_iter();
            found.extend(differences.map(|(what, told, counted)| {
                format!("{pairing}{what}: the totals have {told}, the recount {counted}")
            }));
        }
        if self.counts.iter().all(|counts| counts.has_matches) {
            found.extend(totals.covariance.differences(&self.covariance));
        }
        found
    }

    /// Returns the totals that could not be recounted, in words.
    pub fn uncounted(&self) -> Vec<&'static str> {
        let any = |is_missing: fn(&Counts) -> bool| self.counts.iter().any(is_missing);
        let missing = [
            (any(|counts| !counts.has_kinds), "kinds of fault"),
            (any(|counts| !counts.has_belotes), "belotes"),
            (any(|counts| !counts.has_matches), "results of matches"),
        ];
        missing.into_iter().filter_map(|(is_missing, what)| is_missing.then_some(what)).collect()
    }
}

/// Recounts the summary of a run.
pub fn audit(config: &RunConfig, source: &mut crate::rows::Source) -> Result<Result<Audit, AuditError>> {
    let mut count = Audit::new(config, false);
    while let Some((rows, _)) = source.next_part()? {
        if let Err(error) = count.add_rows(&rows) {
            return Ok(Err(error));
        }
    }
    Ok(Ok(count))
}
