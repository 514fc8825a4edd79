//! What a report asks of `run.json`, and the blocks of `part.json`.

use std::collections::BTreeMap;
use std::path::Path;

use coinche_engine::record::RulesRecord;
use coinche_inference::{Blocks, Estimate, StatsError};
use coinche_selfplay::base::error::ArenaError;
use serde::Deserialize;

use super::error::{FormError, unreadable};
use super::read_json;
use crate::run::config::nearest_preset;
use crate::run::figures::{Figures, Opponents, RunJson};
use crate::run::job::STATE;

/// Two bots that met, and what came of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Met<'a> {
    /// The numbers of both bots.
    pub(crate) ends: [usize; 2],
    pub(crate) points: Option<Estimate>,
    /// The points with what a control explains taken out.
    adjusted: Option<Estimate>,
    pub(crate) wins: Option<Estimate>,
    pub(crate) figures: &'a Figures,
}

/// Adds what older files lack.
fn completed(estimate: Estimate) -> Estimate {
    match (estimate.sd, estimate.standard_error) {
        #[expect(clippy::cast_precision_loss, reason = "counts of pairs are below 2^53")]
        (Some(sd), None) => Estimate {
            differing: estimate.pairs,
            standard_error: Some(sd / (estimate.pairs as f64).sqrt()),
            ..estimate
        },
        _ => estimate,
    }
}

impl<'a> Met<'a> {
    fn new(ends: [usize; 2], figures: &'a Figures) -> Self {
        let Figures { points, wins, .. } = figures;
        Self { ends, points: points.map(completed), adjusted: None, wins: wins.map(completed), figures }
    }

    /// Returns the difference as it is told: adjusted where there is a control.
    pub(crate) fn told(&self) -> Option<Estimate> {
        self.adjusted.or(self.points)
    }
}

impl RunJson {
    /// Checks what the rest relies on.
    pub(super) fn check(&self) -> Result<(), FormError> {
        if self.v != 1 {
            return Err(FormError::Version(self.v));
        }
        let pairings = self.met();
        let legal =
            |met: &Met<'_>| met.ends.iter().all(|bot| *bot < self.bots.len()) && met.ends[0] != met.ends[1];
        if self.bots.len() < 2 || pairings.is_empty() || !pairings.iter().all(legal) {
            return Err(FormError::Pairings);
        }
        let of_opponents = |found: &Opponents| found.a.max(found.b) < self.bots.len();
        if !self.opponents.iter().all(of_opponents) {
            return Err(FormError::Pairings);
        }
        if self.crossplay.as_ref().is_some_and(|figures| !figures.is_sound()) {
            return Err(FormError::Partnerships);
        }
        Ok(self.rules.rules().map(drop)?)
    }

    /// Tests if a control played the same deals, in tables and records behind the pairings.
    pub(crate) fn has_control(&self) -> bool {
        self.control.is_some() || self.pairings.iter().any(|pairing| pairing.control.is_some())
    }

    /// Returns who met whom, in the order of the pairings' numbers.
    pub(crate) fn met(&self) -> Vec<Met<'_>> {
        match &self.figures {
            Some(figures) => {
                let met = Met::new([0, 1], figures);
                let adjusted = self.control.as_ref().zip(met.points).map(|(control, plain)| Estimate {
                    mean: control.adjusted,
                    half_width: Some(control.half_width),
                    interval: Some(control.interval),
                    ..plain
                });
                vec![Met { adjusted, ..met }]
            }
            None => self
                .pairings
                .iter()
                .map(|pairing| Met::new([pairing.a, pairing.b], &pairing.figures))
                .collect(),
        }
    }

    /// Tests if whole matches were played.
    pub(crate) fn of_matches(&self) -> bool {
        self.unit == "match"
    }

    /// Returns the name of a bot, with its number where another has the same.
    pub(crate) fn name(&self, bot: usize) -> String {
        let name = &self.bots[bot];
        let twice = self.bots.iter().filter(|other| *other == name).count() > 1;
        if twice { format!("{name} #{}", bot + 1) } else { name.clone() }
    }

    /// Names a pairing.
    pub(crate) fn versus(&self, ends: [usize; 2]) -> String {
        let [a, b] = ends.map(|bot| self.name(bot));
        format!("{a} − {b}")
    }
}

/// Names rules: the nearest preset, and in how many fields they differ from it; then these fields.
pub(crate) fn rules_text(rules: &RulesRecord) -> (String, Vec<String>) {
    let Ok(rules) = rules.rules() else { return ("unknown".to_owned(), Vec::new()) };
    let (name, settings) = nearest_preset(&rules);
    let changed = match settings.len() {
        0 => String::new(),
        1 => " with 1 field changed".to_owned(),
        n => format!(" with {n} fields changed"),
    };
    (format!("{name}{changed}"), settings)
}

#[derive(Deserialize)]
struct StateForm {
    sums: TotalsForm,
}

#[derive(Deserialize)]
struct TotalsForm {
    joint: JointForm,
}

#[derive(Deserialize)]
struct JointForm {
    blocks: BTreeMap<u64, BlockForm>,
}

#[derive(Deserialize)]
struct BlockForm {
    deals: u64,
    doubled: Vec<i64>,
    #[serde(default)]
    won: Vec<[u64; 2]>,
}

/// The sums by blocks of deals.
#[derive(Debug)]
pub(crate) struct RunBlocks {
    pub(crate) points: Blocks,
    /// The matches won, where matches were played.
    pub(crate) wins: Option<Blocks>,
}

/// Reads the sums by blocks of deals; `None` where there is no such file.
pub(super) fn read_blocks(directory: &Path, form: &RunJson) -> Result<Option<RunBlocks>, ArenaError> {
    let path = directory.join(STATE);
    if !path.is_file() {
        return Ok(None);
    }
    let state: StateForm = read_json(&path)?;
    let met = form.met();
    let ends: Vec<_> = met.iter().map(|met| met.ends).collect();
    let empty = |estimate: fn(&Met<'_>) -> Option<Estimate>| {
        let mut blocks = Blocks::new(form.bots.len(), &ends)?;
        let squares = met.iter().map(|met| estimate(met).and_then(|estimate| estimate.leg_square()));
        blocks.set_leg_squares(&squares.map(|square| square.unwrap_or(0.0)).collect::<Vec<_>>())?;
        Ok::<_, StatsError>(blocks)
    };
    let mut points = empty(|met| met.points)?;
    let mut wins = if form.of_matches() { Some(empty(|met| met.wins)?) } else { None };
    let mut deals = 0;
    for block in state.sums.joint.blocks.values() {
        // Behind the pairings is the control.
        let sums: Vec<i128> = block.doubled.iter().take(met.len()).map(|sum| i128::from(*sum)).collect();
        points.push(block.deals, &sums)?;
        if let Some(wins) = &mut wins {
            let won: Vec<_> = block.won.iter().map(|[a, b]| i128::from(*a) - i128::from(*b)).collect();
            wins.push(block.deals, &won)?;
        }
        deals += block.deals;
    }
    if deals != form.done {
        return Err(unreadable(&path, FormError::Deals { found: deals, told: form.done }));
    }
    Ok(Some(RunBlocks { points, wins }))
}
